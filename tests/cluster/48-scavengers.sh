# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Jobs that make way: who may preempt them books their nodes from when they have had
# their time, others behind their limits; and they are told in time for the start.
# Jobs that will be over by then are left alone. Takes 85 s.
cat >"$folder/slurm.conf" <<'TEXT'
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
PreemptExemptTime=00:00:30
NodeName=n[1-7] CPUs=4 RealMemory=4000
PartitionName=main Nodes=n[1-6] Default=YES PriorityTier=1 PreemptMode=OFF DefaultTime=10 MaxTime=20-00:00:00
PartitionName=ends Nodes=n[1-2] PriorityTier=1 PreemptMode=CANCEL GraceTime=6 MaxTime=20-00:00:00
PartitionName=back Nodes=n[3-4] PriorityTier=1 PreemptMode=REQUEUE GraceTime=6 MaxTime=20-00:00:00
PartitionName=stops Nodes=n[5-6] PriorityTier=1 OverSubscribe=FORCE:1 MaxTime=20-00:00:00
PartitionName=high Nodes=n[1-6] PriorityTier=9 OverSubscribe=FORCE:1 PreemptMode=OFF DefaultTime=10 MaxTime=20-00:00:00
PartitionName=brief Nodes=n7 PriorityTier=1 PreemptMode=CANCEL GraceTime=6 MaxTime=20-00:00:00
PartitionName=next Nodes=n7 PriorityTier=9 PreemptMode=OFF MaxTime=20-00:00:00
TEXT
echo JournalKeep=1d >"$folder/rspb.conf"
cluster_up --nodes 7 --conf "$folder/slurm.conf" \
	--rspb-conf "$folder/rspb.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"

# scavenger PARTITION: a job that wants both of its nodes for a week.
scavenger() {
	job $user_b 600 -p "$1" -N2 -n8 --time=7-00:00:00 --requeue
}
seconds_of() {
	date -d "$(field "$1" "$2")" +%s
}
# begins JOB FROM UNTIL: that is within these seconds.
begins() {
	local start
	start=$(granted "$1" start)
	[ "${start:-0}" -ge "$2" ] && [ "$start" -le "$3" ] ||
		{ contract "$1"; echo "$2 to $3"; return 1; }
}

a=$(scavenger ends) b=$(scavenger back) c=$(scavenger stops)
for j in "$a" "$b" "$c"; do
	check "job $j runs" wait_for 20 began "$j"
done
exempt=$(($(seconds_of "$b" StartTime) + 30))

note "a job that will be over by itself"
brief=$(job $user_b 600 -p brief -n4 --time=1)
check "it runs" wait_for 20 began "$brief"
same=$(as $user_a sbatch --parsable -o /dev/null --book=asap --time=1 -p brief -N1 --exclusive job.sh 1)
check "another of its partition is booked at its end" booked "$same"
over=$(granted "$same" start)
as $user_a scancel "$same"
next=$(as $user_a sbatch --parsable -o /dev/null --book --begin="$(slurm_time "$over")" \
	--time=1 -p next -N1 --exclusive job.sh 1)
check "one that might preempt it is booked there, too" booked "$next"

note "who may not preempt them"
other=$(as $user_a sbatch --parsable -o /dev/null --book=asap --time=1 -N4 job.sh 1)
check "gets nodes behind their limits" booked "$other"
check "that is in a week" begins "$other" $((EPOCHSECONDS + 6 * 86400)) \
	$((EPOCHSECONDS + 8 * 86400))
as $user_a scancel "$other"

note "who may"
at_once() {
	local from=$EPOCHSECONDS said start
	said=$(as $user_a rspb --json offers -p high -N4 -t 1) ||
		{ echo "$said"; return 1; }
	start=$(grep -oE '"start": ?[0-9]+' <<<"$said" | grep -oE '[0-9]+$' |
		sort -n | head -n 1)
	[ "${start:-0}" -ge "$from" ] && [ "$start" -le $((from + 200)) ] ||
		{ echo "$said"; return 1; }
}
check "offers see them go" at_once
far=$(as $user_a sbatch --parsable -o /dev/null --book -p high -N4 --time=1 \
	--begin="$(slurm_time $((EPOCHSECONDS + 10 * 86400)))" job.sh 1)
check "one is booked for after their limits" booked "$far"
first=$(as $user_a rspb offers "$far" | sed -n 's/.*\(rspb accept .*\)/\1/p' | head -n 1)
# A change of a booking makes nobody give way. Nothing on offer is true, too.
# shellcheck disable=SC2086
check "what is on offer for it can be had: ${first:-nothing}" as $user_a ${first:-true}
as $user_a scancel "$far"
t=$(ahead 40)
[ "$t" -gt $((exempt + 1)) ] || t=$((exempt + 1))
quiet=$(job $user_a 20 --book --begin="$(slurm_time "$t")" --time=1 -p high -N2 \
	-w 'n[5-6]')
early=$(as $user_a sbatch --parsable -o /dev/null --book=asap -p high --time=1 \
	-N4 job.sh 12 2>"$out/said")
check "the line at submission, too" grep -q '^.*rspb: booking likely' "$out/said"
check "one where they are suspended, at a given second" booked "$quiet"
check "one where they end, or are requeued" booked "$early"
check "when all of them have had their time" begins "$early" \
	$((exempt + 6)) $((exempt + 120))
check "until then they run" is_state "$a" RUNNING
behind=$(as $user_a sbatch --parsable -o /dev/null --book=asap --time=1 -w n5 job.sh 1)
check "who may not gets no node of what is suspended there" booked "$behind"
check "but what is left behind its limit" begins "$behind" \
	$((EPOCHSECONDS + 6 * 86400)) $((EPOCHSECONDS + 8 * 86400))
as $user_a scancel "$behind"
start=$(granted "$early" start)
longer() {
	as $user_a rspb modify "$early" -t 2 &&
		begins "$early" "$start" "$start"
}
check "it may become longer where it stands" longer

note "in time"
# told JOB: GraceTime and what clearing a node takes before the start.
told() {
	local at
	at=$(seconds_of "$1" PreemptTime 2>/dev/null) || return 1
	[ "$at" -ge $((start - 20)) ] && [ "$at" -le $((start - 6)) ] ||
		{ scontrol show job "$1"; return 1; }
}
check "job $a is told by Slurm" wait_for $((start - EPOCHSECONDS)) told "$a"
check "and job $b" wait_for 5 told "$b"
check "where it is suspended the booking starts on its second" \
	starts_at "$quiet" "$t" 1000
check "it is" wait_for 5 is_state "$c" SUSPENDED
check "the other starts on its second" starts_at "$early" "$start" 1000
check "one has ended" wait_for 10 is_state "$a" PREEMPTED
put_back() {
	[ "$(field "$b" Restarts)" = 1 ]
}
check "one was put back into the queue" wait_for 10 put_back
check "after a job at its limit the booking starts on its second" starts_at "$next" "$over" 1000
check "the job has had its time" wait_for 5 is_state "$brief" TIMEOUT
check "the booked ones end" wait_for 20 ended "$early"
check "who was suspended goes on" wait_for 40 is_state "$c" RUNNING
check "decided again from the journal" decides_the_same 2
as $user_b scancel "$b" "$c"
check "nothing is left" wait_for 20 nothing_left
