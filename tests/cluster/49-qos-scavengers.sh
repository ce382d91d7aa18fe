# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Jobs that make way by QOS (PreemptType=preempt/qos), with a real slurmdbd: who may
# preempt them books their nodes, and they are told in time. Takes 150 s.
has_accounting
cat >"$folder/slurm.conf" <<'TEXT'
PreemptType=preempt/qos
PreemptMode=SUSPEND,GANG
NodeName=n[1-13] CPUs=4 RealMemory=4000
PartitionName=main Nodes=n[1-6] Default=YES PriorityTier=9 OverSubscribe=FORCE:1 DefaultTime=10 MaxTime=20-00:00:00
PartitionName=spare Nodes=n[1-6] OverSubscribe=FORCE:1 DefaultTime=10 MaxTime=20-00:00:00
PartitionName=parts Nodes=n[11-13] PriorityTier=9 OverSubscribe=NO DefaultTime=10 MaxTime=20-00:00:00
PartitionName=low Nodes=n[11-13] PriorityTier=1 OverSubscribe=NO DefaultTime=10 MaxTime=20-00:00:00
PartitionName=alone Nodes=n[7-10] PriorityTier=1 DefaultTime=10 MaxTime=20-00:00:00
TEXT
cluster_up --nodes 13 --conf "$folder/slurm.conf" || exit 1
# shellcheck source=tests/cluster/accounting.sh
. "$RSPB_TOP/tests/cluster/accounting.sh"
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"
accounts() {
	sacctmgr -i add cluster rspb &&
		sacctmgr -i add account physics &&
		sacctmgr -i add qos ends set preemptmode=cancel gracetime=6 &&
		sacctmgr -i add qos back set preemptmode=requeue gracetime=6 &&
		sacctmgr -i add qos stops set preemptmode=suspend &&
		sacctmgr -i add qos high set preempt=ends,back,stops \
			preemptmode=off &&
		sacctmgr -i modify qos normal set preemptmode=off &&
		sacctmgr -i add user $user_a account=physics qos=normal,high \
			defaultqos=normal &&
		sacctmgr -i add user $user_b account=physics \
			qos=normal,ends,back,stops defaultqos=normal
}
check "accounts, users and QOS that preempt are made" accounts
check "slurmctld starts with them" ctld_start
wait_for 10 scontrol show reservation rspb_waiting

# scavenger QOS NODES [PARTITION]: a job that wants both of them for a week.
scavenger() {
	job $user_b 600 -p "${3:-spare}" --qos="$1" -w "$2" -N2 -n8 --time=7-00:00:00 --requeue
}
# begins JOB FROM UNTIL: that is within these seconds.
begins() {
	local start
	start=$(granted "$1" start)
	[ "${start:-0}" -ge "$2" ] && [ "$start" -le "$3" ] ||
		{ contract "$1"; echo "$2 to $3"; return 1; }
}
ends=$(scavenger ends 'n[1-2]') back=$(scavenger back 'n[3-4]')
stops=$(scavenger stops 'n[5-6]')
for j in "$ends" "$back" "$stops"; do
	check "job $j runs" wait_for 20 began "$j"
done

other=$(as $user_a sbatch --parsable -o /dev/null --book=asap --time=1 -N4 job.sh 1)
check "who may not preempt them is booked" booked "$other"
check "behind their limits" begins "$other" $((EPOCHSECONDS + 6 * 86400)) \
	$((EPOCHSECONDS + 8 * 86400))
as $user_a scancel "$other"
turns=$(as $user_a sbatch --parsable -o /dev/null --qos=high --book=asap -p spare \
	--time=1 -N2 -w 'n[5-6]' job.sh 1)
check "in its own partition nobody is suspended for it" booked "$turns"
check "as it stands no higher" begins "$turns" $((EPOCHSECONDS + 6 * 86400)) \
	$((EPOCHSECONDS + 8 * 86400))
as $user_a scancel "$turns"
at_once() {
	local said start
	said=$(as $user_a rspb --json offers --qos=high -N4 -t 1 -w 'n[1-4]') &&
		start=$(grep -oE '"start": ?[0-9]+' <<<"$said" | grep -oE '[0-9]+$' | head -n 1) &&
		[ "$start" -le $((EPOCHSECONDS + 200)) ] || { echo "$said"; return 1; }
}
check "offers see who makes way for that QOS" at_once
early=$(as $user_a sbatch --parsable -o /dev/null --qos=high --book=asap \
	--time=1 -N4 -w 'n[1-4]' job.sh 30 2>"$out/said")
check "the line at submission sees who does" grep -E \
	"rspb: booking likely: ($(date '+%b %e')|$(date -d tomorrow '+%b %e'))" "$out/said"
check "he is booked" booked "$early"
check "when they have had their time" begins "$early" $((EPOCHSECONDS)) \
	$((EPOCHSECONDS + 90))
start=$(granted "$early" start)
check "until then they run" is_state "$ends" RUNNING
quiet=$(job $user_a 30 --qos=high --book --begin="$(slurm_time "$start")" \
	--time=1 -N2 -w 'n[5-6]')
check "and where they are suspended" booked "$quiet"
check "it starts on its second" starts_at "$early" "$start" 1000
check "so does the other" starts_at "$quiet" "$start" 1000
check "one has ended" wait_for 10 is_state "$ends" PREEMPTED
put_back() {
	[ "$(field "$back" Restarts)" = 1 ]
}
check "one was put back into the queue" wait_for 10 put_back
check "one is suspended" wait_for 5 is_state "$stops" SUSPENDED
check "a running booking makes way for nobody" is_state "$quiet" RUNNING
check "who was suspended goes on" wait_for 40 is_state "$stops" RUNNING

note "in a partition with OverSubscribe=NO"
ends=$(scavenger ends 'n[7-8]' alone) back=$(scavenger back 'n[9-10]' alone)
for j in "$ends" "$back"; do
	check "job $j runs" wait_for 20 began "$j"
done
early=$(as $user_a sbatch --parsable -o /dev/null -p alone --qos=high --book=asap \
	--time=1 -N4 job.sh 5)
check "a booking on its nodes" booked "$early"
check "starts when they have had their time" begins "$early" $((EPOCHSECONDS)) \
	$((EPOCHSECONDS + 90))
start=$(granted "$early" start)
# told JOB: GraceTime and what clearing a node takes before the start.
told() {
	local at
	at=$(date -d "$(field "$1" PreemptTime)" +%s 2>/dev/null) || return 1
	[ "$at" -ge $((start - 25)) ] && [ "$at" -le $((start - 6)) ] ||
		{ scontrol show job "$1"; return 1; }
}
left=$((start - EPOCHSECONDS))
check "job $ends is told in time" wait_for $((left > 1 ? left : 1)) told "$ends"
check "and job $back" wait_for 5 told "$back"
check "the booking starts on its second" starts_at "$early" "$start" 1000
check "job $ends has ended" wait_for 10 is_state "$ends" PREEMPTED
check "job $back was put back into the queue" wait_for 10 put_back

note "parts of nodes, where OverSubscribe=NO, and jobs that trap TERM"
# trapper QOS NODE OPTIONS...: a job that notes TERM and goes on.
trapper() {
	as $user_b sbatch --parsable -o "$out/term-%j" -p low --qos="$1" -w "$2" \
		--time=7-00:00:00 --requeue "${@:3}" \
		--wrap 'trap "date +%s" TERM; while :; do sleep 0.2; done' 2>/dev/null
}
chmod 1777 "$out"
ends=() back=()
for _ in 1 2 3 4; do
	ends+=("$(trapper ends n11 -n1)") back+=("$(trapper back n12 -n1)")
done
stops=$(trapper stops n13 -n4)
for j in "${ends[@]}" "${back[@]}" "$stops"; do
	check "job $j runs on cores" wait_for 30 is_state "$j" RUNNING
done
# part NODE TASKS: as soon as it can be.
part() {
	as $user_a sbatch --parsable -o /dev/null -p parts --qos=high --book=asap \
		--time=1 -w "$1" -n"$2" job.sh 5 2>/dev/null
}
one=$(part n11 1) two=$(part n12 2)
check "parts are booked where others make way" booked "$one" "$two"
for j in "$one" "$two"; do
	check "job $j soon" begins "$j" $((EPOCHSECONDS)) $((EPOCHSECONDS + 120))
done
# termed START JOB...: one of them had TERM, GraceTime before that.
termed() {
	local j at
	for j in "${@:2}"; do
		at=$(grep -oE '^[0-9]+$' "$out/term-$j" 2>/dev/null | head -n 1)
		[ -z "$at" ] || [ "$at" -gt $(($1 - 6)) ] || return 0
	done
	return 1
}
first=$(granted "$one" start) second=$(granted "$two" start)
check "the first starts on time" starts_at "$one" "$first" 1000
check "the second starts on time" starts_at "$two" "$second" 1000
check "one that ends had TERM and GraceTime before" termed "$first" "${ends[@]}"
check "and one that is put back" termed "$second" "${back[@]}"
gone() {
	local j n=0
	for j in "$@"; do
		running "$j" >/dev/null || n=$((n + 1))
	done
	echo $n
}
check "only one of four has ended" [ "$(gone "${ends[@]}")" = 1 ]
check "only two of four were put back" [ "$(gone "${back[@]}")" = 2 ]
quiet=$(part n13 1)
check "a part where they are suspended is booked" booked "$quiet"
check "it starts" wait_for 120 began "$quiet"
check "the other is suspended meanwhile" wait_for 5 is_state "$stops" SUSPENDED
check "and goes on" wait_for 60 is_state "$stops" RUNNING

note "a job that was told, for one that is gone"
told=$(as $user_b sbatch --parsable -o /dev/null -p alone --qos=back -w n7 -n4 --time=60 --requeue \
	--wrap 'trap : TERM; while :; do sleep 1; done')
check "it runs" wait_for 30 is_state "$told" RUNNING
by=$(as $user_a sbatch --parsable -o /dev/null -p alone --qos=high -w n7 -n4 --time=60 \
	--wrap 'sleep 60')
seconds_of() {
	date -d "$(field "$1" "$2")" +%s
}
has_word() {
	seconds_of "$told" PreemptTime >/dev/null 2>&1
}
check "Slurm gives it its GraceTime" wait_for 60 has_word
as $user_a scancel "$by"
sleep_until $(($(seconds_of "$told" EndTime) + 1))
next=$(as $user_a sbatch --parsable -o /dev/null --book=asap -p alone --qos=high -w n7 --time=1 \
	job.sh 1)
check "its node is booked then" booked "$next"
is_back() {
	[ "$(field "$told" Restarts)" = 1 ]
}
check "it was put back into the queue" wait_for 20 is_back
as $user_b scancel "$told"
