# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Parts of nodes that are full of jobs which make way: whoever may preempt these jobs books
# a part in time, and only as many jobs go as the part needs. Takes 55 s.
cat >"$folder/slurm.conf" <<'TEXT'
SelectTypeParameters=CR_Core
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
NodeName=n[1-4] CPUs=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES PriorityTier=1 PreemptMode=OFF DefaultTime=10 MaxTime=20-00:00:00
PartitionName=ends Nodes=n1 PriorityTier=1 PreemptMode=CANCEL GraceTime=6 MaxTime=20-00:00:00
PartitionName=back Nodes=n2 PriorityTier=1 PreemptMode=REQUEUE GraceTime=6 MaxTime=20-00:00:00
PartitionName=stops Nodes=n3 PriorityTier=1 MaxTime=20-00:00:00
PartitionName=high Nodes=ALL PriorityTier=9 PreemptMode=OFF DefaultTime=10 MaxTime=20-00:00:00
TEXT
printf '%s\n' Unit=part MaxBookedPercent=100 JournalKeep=1d >"$folder/rspb.conf"
cluster_up --nodes 4 --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"

# scavenger PARTITION OPTIONS...: a job of a week.
scavenger() {
	job $user_b 900 -p "$@" --time=7-00:00:00 --requeue
}
# begins JOB FROM UNTIL: that is within these seconds.
begins() {
	local start
	start=$(granted "$1" start)
	[ "${start:-0}" -ge "$2" ] && [ "$start" -le "$3" ] ||
		{ contract "$1"; echo "$2 to $3"; return 1; }
}
# asap OPTIONS...: a part as soon as there is one; its id.
asap() {
	as $user_a sbatch --parsable -o /dev/null --book=asap --time=1 "$@" job.sh 5
}

ends=() back=()
for _ in 1 2 3 4; do
	ends+=("$(scavenger ends -n1)") back+=("$(scavenger back -n1)")
done
stops=$(scavenger stops -n4)
filler=$(job $user_b 900 -w n4 -n4 --time=8-00:00:00)
for j in "${ends[@]}" "${back[@]}" "$stops" "$filler"; do
	check "job $j runs" wait_for 30 began "$j"
done

note "who may not preempt them"
other=$(asap -n1)
check "gets a part behind their limits" booked "$other"
check "that is in a week" begins "$other" $((EPOCHSECONDS + 6 * 86400)) \
	$((EPOCHSECONDS + 8 * 86400))
as $user_a scancel "$other"

note "who may"
# told JOB START: GraceTime and what clearing a node takes before the start.
told() {
	local at
	at=$(date -d "$(field "$1" PreemptTime)" +%s 2>/dev/null) || return 1
	[ "$at" -ge $(($2 - 25)) ] && [ "$at" -le $(($2 - 6)) ] ||
		{ scontrol show job "$1"; return 1; }
}
# gone JOB...: how many of them do not run as they did any more.
gone() {
	local j n=0
	for j in "$@"; do
		running "$j" >/dev/null || n=$((n + 1))
	done
	echo $n
}
some_told() {
	local j
	for j in "${@:2}"; do
		told "$j" "$1" && return 0
	done
	return 1
}
one=$(asap -p high -w n1 -n1)
check "a part of a node full of jobs that end is booked" booked "$one"
check "as soon as one of these has had its time" begins "$one" "$EPOCHSECONDS" \
	$((EPOCHSECONDS + 90))
start=$(granted "$one" start)
later=$((start + 10))
two=$(as $user_a sbatch --parsable -o /dev/null --book --begin="$(slurm_time "$later")" \
	-p high -w n2 -n2 --time=1 job.sh 5)
check "and, at a given time, where they are put back into the queue" booked "$two"
left=$((start - EPOCHSECONDS))
check "one that ends is told by Slurm in time" wait_for $((left > 1 ? left : 1)) \
	some_told "$start" "${ends[@]}"
check "and one that is put back" wait_for 20 some_told "$later" "${back[@]}"
check "the part starts at its scheduled start time" starts_at "$one" "$start" 1000
check "so does the other" starts_at "$two" "$later" 1000
check "no more of them end than the part needs" [ "$(gone "${ends[@]}")" = 1 ]
check "no more of them are put back than the part needs" [ "$(gone "${back[@]}")" = 2 ]
check "a part ends" wait_for 20 ended "$one"
check "and the other" wait_for 20 ended "$two"

quiet=$(asap -p high -w n3 -n1)
check "a part of a node where they are suspended is booked" booked "$quiet"
check "at once" begins "$quiet" "$EPOCHSECONDS" $((EPOCHSECONDS + 60))
check "it starts" wait_for 60 began "$quiet"
check "one is suspended for it" wait_for 5 is_state "$stops" SUSPENDED
check "and goes on" wait_for 60 is_state "$stops" RUNNING
check "a regular job that makes way for nobody has not ended" is_state "$filler" RUNNING

hour=$(as $user_a sbatch --parsable -o /dev/null --book --begin=now+1hour -p high -w n1 -n4 \
	--time=1 job.sh 1)
check "all cores of a full node are booked in an hour" booked "$hour"
check "their jobs run until then" [ "$(gone "${ends[@]}")" = 1 ]
as $user_a scancel "$hour"
check "decided again from the journal" decides_the_same 2
