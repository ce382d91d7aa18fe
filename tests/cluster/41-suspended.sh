# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Jobs that are suspended, by an operator or by those that preempt them, and the
# bookings of their nodes. Their ends in Slurm's records are those they had before.
# Takes 150 s.
cat >"$folder/slurm.conf" <<'TEXT'
GresTypes=gpu
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
NodeName=n[1-3] CPUs=4 RealMemory=4000
NodeName=n4 CPUs=4 RealMemory=4000 Gres=gpu:1
PartitionName=main Nodes=ALL Default=YES PriorityTier=1 PreemptMode=OFF DefaultTime=10 MaxTime=1-00:00:00
PartitionName=low Nodes=ALL PriorityTier=1 OverSubscribe=FORCE:1 DefaultTime=10 MaxTime=1-00:00:00
PartitionName=high Nodes=ALL PriorityTier=9 OverSubscribe=FORCE:1 PreemptMode=OFF DefaultTime=10 MaxTime=1-00:00:00
TEXT
echo 'NodeName=n4 Name=gpu File=/dev/null' >"$folder/gres.conf"
cluster_up --nodes 4 --conf "$folder/slurm.conf" \
	--gres-conf "$folder/gres.conf" || exit 1

# A job that does not go when it is asked to, and runs for SECONDS.
cat >"$out/stays.sh" <<'JOB'
#!/bin/bash
trap '' TERM
echo "$EPOCHREALTIME" >"begin.$SLURM_JOB_ID"
for ((i = 0; i < $1 * 5; i++)); do sleep 0.2; done
echo "$EPOCHREALTIME" >"over.$SLURM_JOB_ID"
JOB
# stays SECONDS OPTIONS...
stays() {
	as $user_b sbatch --parsable -o /dev/null "${@:2}" stays.sh "$1"
}
# What keeps a booking from starting is told to its owner.
told() {
	contract "$1" | grep "it waits until they leave room"
}
over() {
	[ -s "$out/over.$1" ] && [ "$(starts_of "$1")" = 0 ]
}
starts_of() {
	field "$1" Restarts
}

note "by an operator: what its nodes are booked for runs beside it"
calm=$(stays 40 -w n1 -n1 --time=1)
holder=$(stays 20 -w n4 -n1 --time=1 --gres=gpu:1)
check "two jobs run" wait_for 10 began "$calm"
wait_for 10 began "$holder"
sleep 3
scontrol suspend "$calm"
scontrol suspend "$holder"
check "they are suspended" wait_for 5 is_state "$holder" SUSPENDED
t=$(($(date -d "$(field "$calm" EndTime)" +%s) + 12))
beside=$(book $user_a "$t" -w n1 -n1)
instead=$(book $user_a "$t" -w n4 -n1 --gres=gpu:1 --time=5)
check "behind the ends that they had their nodes can be booked" \
	booked "$beside" "$instead"

note "by one that preempts it"
low=$(stays 50 -p low -w n2 -n4 --time=1)
check "one runs" wait_for 10 began "$low"
high=$(stays 50 -p high -w n2 -n4 --time=1)
check "and makes way" wait_for 10 is_state "$low" SUSPENDED
behind=$(as $user_a sbatch --parsable -o /dev/null --book --time=1 -w n2 \
	--begin=now+5 --deadline=now+20minutes job.sh 1)
check "a booking of its node" booked "$behind"
far_enough() {
	local ends left
	ends=$(date -d "$(field "$high" EndTime)" +%s)
	left=$((60 - 15))
	[ "$(granted "$behind" start)" -ge $((ends + left)) ] ||
		{ contract "$behind"; echo "$ends + $left"; return 1; }
}
check "begins behind what is left of it, which comes behind the other" far_enough
scancel "$behind" "$high" "$low"

note "displaced into a booking's window"
low=$(stays 59 -p low -w n3 -n4 --time=1)
wait_for 10 began "$low"
next=$(($(date -d "$(field "$low" EndTime)" +%s) + 15))
late=$(book $user_a "$next" -w n3)
check "its node is booked behind it" booked "$late"
scontrol suspend "$low"
check "it is suspended" wait_for 10 is_state "$low" SUSPENDED
resume_at=$(ahead 20)

sleep_until "$resume_at"
scontrol resume "$low"
check "and goes on, now beyond that" wait_for 5 is_state "$low" RUNNING
check "by an operator: the booking starts on its second" starts_at "$beside" "$t"
check "beside it" is_state "$calm" SUSPENDED
check "one that cannot run beside it waits, and its owner is told" \
	wait_for 20 told "$instead"
check "who is suspended there stays" is_state "$holder" SUSPENDED
scontrol resume "$holder"
check "goes on to its end" wait_for 40 over "$holder"
check "and then the booking starts" wait_for 15 began "$instead"
check "one that goes on later than planned keeps its nodes to its end" wait_for 30 over "$low"
check "and then the booking starts, too" wait_for 15 began "$late"
check "the booked ones end" wait_for 30 ended "$beside"
scontrol resume "$calm"
check "resumed, the job has all of its time" wait_for 60 \
	[ -s "$out/over.$calm" ]
check "never having been started anew" [ "$(starts_of "$calm")" = 0 ]
check "nothing is left" nothing_left
