# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Jobs that trap SIGTERM and make way for a booking of a partition with OverSubscribe=NO,
# Slurm's default: each has its GraceTime before the booking starts.
# Takes 60 s.
cat >"$folder/slurm.conf" <<'TEXT'
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
NodeName=n[1-8] CPUs=4 RealMemory=4000
PartitionName=ends Nodes=n[1-2] PriorityTier=1 PreemptMode=CANCEL GraceTime=6 MaxTime=20-00:00:00
PartitionName=back Nodes=n[3-4] PriorityTier=1 PreemptMode=REQUEUE GraceTime=6 MaxTime=20-00:00:00
PartitionName=stops Nodes=n[5-6] PriorityTier=1 OverSubscribe=FORCE:1 MaxTime=20-00:00:00
PartitionName=stays Nodes=n[7-8] PriorityTier=1 PreemptMode=OFF MaxTime=20-00:00:00
PartitionName=high Nodes=ALL Default=YES PriorityTier=9 PreemptMode=OFF DefaultTime=10 MaxTime=20-00:00:00
TEXT
cluster_up --nodes 8 --conf "$folder/slurm.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"
cat >"$out/step.sh" <<'JOB'
#!/bin/bash
trap 'echo "$EPOCHREALTIME" >>"term.$SLURM_JOB_ID"' TERM
echo "$EPOCHREALTIME" >"begin.$SLURM_JOB_ID"
while :; do sleep 0.2; done
JOB
cat >"$out/trap.sh" <<'JOB'
#!/bin/bash
trap '' TERM
srun bash step.sh
JOB
# scavenger PARTITION OPTIONS...: a job that wants its nodes for a week.
scavenger() {
	as $user_b sbatch --parsable -o /dev/null -p "$1" --time=7-00:00:00 --requeue \
		"${@:2}" trap.sh
}
ends=$(scavenger ends -N2 -n8) back=$(scavenger back -N1 -n4) part=$(scavenger back -N1 -n2)
stops=$(scavenger stops -N2 -n8) stays=$(scavenger stays -N2 -n4)
all=("$ends" "$back" "$part" "$stops" "$stays")
for j in "${all[@]}"; do
	check "job $j runs" wait_for 20 began "$j"
done

soon=$(as $user_a sbatch --parsable -o /dev/null --book=asap --time=1 -N4 -w 'n[1-4]' \
	job.sh 12)
check "a booking on the nodes of three of them" booked "$soon"
start=$(granted "$soon" start)
at_once() {
	[ "$start" -le $((EPOCHSECONDS + 120)) ] || { contract "$soon"; return 1; }
}
check "starts when they have had their time" at_once
quiet=$(job $user_a 12 --book --begin="$(slurm_time "$start")" --time=1 -N2 -w 'n[5-6]')
check "and one where the job is suspended" booked "$quiet"
never=$(job $user_a 1 --book --begin="$(slurm_time "$start")" --time=1 -N2 -w 'n[7-8]')
check "none on nodes whose job makes way for nobody" declined "$never"
# told JOB: the first SIGTERM came GraceTime and what clearing a node takes before the start.
told() {
	local at
	read -r at <"$out/term.$1" || return 1
	[ "${at%.*}" -ge $((start - 25)) ] && [ "${at%.*}" -le $((start - 6)) ] ||
		{ echo "$((start - ${at%.*})) s before the start"; return 1; }
}
for j in "$ends" "$back" "$part"; do
	check "job $j has SIGTERM before the start" \
		wait_for $((start > EPOCHSECONDS ? start - EPOCHSECONDS : 1)) \
		test -s "$out/term.$j"
	check "by its GraceTime" told "$j"
done
check "the booking starts on its second" starts_at "$soon" "$start" 1000
check "so does the one where the job is suspended" starts_at "$quiet" "$start" 1000
check "one has ended" wait_for 10 is_state "$ends" PREEMPTED
put_back() {
	[ "$(field "$1" Restarts)" = 1 ]
}
check "one was put back into the queue" wait_for 10 put_back "$back"
check "so was the one that had half of its node" wait_for 10 put_back "$part"
check "one is suspended" wait_for 5 is_state "$stops" SUSPENDED
check "without a signal" test ! -e "$out/term.$stops"
check "who makes way for nobody runs" is_state "$stays" RUNNING
check "without a signal, too" test ! -e "$out/term.$stays"
check "who was suspended goes on" wait_for 60 is_state "$stops" RUNNING
scancel "${all[@]}"
check "nothing is left" wait_for 30 nothing_left
