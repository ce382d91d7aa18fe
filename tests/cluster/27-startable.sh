# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What is promised can start: Slurm's own limits and tests count before nodes
# are held for a job that would never run.
cat >"$folder/slurm.conf" <<'TEXT'
NodeName=n[1-4] CPUs=8 RealMemory=4000 Feature=small
NodeName=n[5-6] CPUs=16 RealMemory=8000 Feature=big
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
PartitionName=short Nodes=ALL MinNodes=2 MaxNodes=2 DefaultTime=10 MaxTime=30
PartitionName=shut Nodes=ALL State=DOWN DefaultTime=10 MaxTime=30
PartitionName=closing Nodes=ALL DefaultTime=10 MaxTime=30
TEXT
cluster_up --conf "$folder/slurm.conf" || exit 1

t=$(ahead 30)
granted() {
	contract "$1" | grep -q "nodes=$2" || { contract "$1"; return 1; }
}
says() {
	contract "$1" | grep -qE -- "$2" || { contract "$1"; return 1; }
}
# never TEXT PATTERN OPTIONS...: refused at once, with that reason.
never() {
	check "$1: refused at once" refused "$2" as $user_a sbatch --book \
		--begin="$(slurm_time "$t")" --time=1 "${@:3}" --wrap true
}

note "the first job of all"
first=$(book $user_a "$t" -C big -N1)
check "is booked where it can run" booked "$first"
check "its features count" grep -E 'on=n[56]( |$)' <(contract "$first")
as $user_a scancel "$first"

note "limits of a partition"
job=$(book $user_a "$t" -p short -N1-3)
check "a range beyond MaxNodes is cut to it" booked "$job"
check "two of three nodes" granted "$job" 2/
kept=$job
never "more nodes than the partition allows" \
	'lets a job have 2 to 2 nodes, and this asks for 3 to 4' -p short -N3-4
never "fewer than it wants" 'asks for 1 to 1' -p short -N1
check "the one within the limits stands" is_booking "$kept" booked

note "tasks and CPUs"
never "more tasks than the CPUs of its nodes" 'tasks, CPUs or GPUs need more' \
	-n 100 -N2-4
job=$(book $user_a "$((t + 120))" -n 32 -N2-3)
check "tasks that need the larger nodes" booked "$job"
check "get them" grep -E '^n\[5-6\]$' <<<"$(
	scontrol show reservation "rspb_$job" -o | sed 's/.* Nodes=\([^ ]*\).*/\1/')"
as $user_a scancel "$job"
job=$(book $user_a "$((t + 120))" -n 32 -N2 -w 'n[1-2]')
check "named nodes that are too small are declined" declined "$job"
check "Slurm would not start it there, says the reason" says "$job" \
	'Slurm would not start it on n\[1-2\]'
as $user_a scancel "$job"

note "counted features"
never "so many nodes of each feature" 'heterogeneous job' \
	-N2 -C '[small*1&big*1]'

note "partitions that start nothing"
never "a booking in a closed partition" 'partition shut is DOWN' -p shut -N1
late=$(book $user_b "$t" -p closing -N1)
check "one in an open partition is booked" booked "$late"
check "an operator closes it" scontrol update partition=closing state=down
check "nothing is left of what was declined" [ \
	"$(our_reservations | wc -l)" = 2 ]

check "the booking within limits starts on its second" starts_at "$kept" "$t"
sleep_until $((t + 3))
check "what is in the closed partition does not start" is_state "$late" PENDING
check "an operator opens it" scontrol update partition=closing state=up
check "and it starts in what is left of its window" wait_for 20 began "$late"

note "partitions that change afterwards"
far=$((t + 600))
job=$(book $user_a "$far" -p closing -N1 -w n3 --time=10)
check "booked for ten minutes in n3" booked "$job"
told() {
	check "$1: its owner is told" wait_for 15 says "$job" "booked .*$2"
}
operator() {
	scontrol update partition=closing "$@"
}
operator MaxTime=5
told "less time" 'partition closing lets a job run for 5 minutes'
check "and it stands in the log" grep "booking $job: .* 5 minutes" \
	"$cluster/log/slurmctld.log"
operator MaxTime=30
told_nothing() {
	! says "$job" 'partition closing' >/dev/null
}
check "it is taken back when all is well" wait_for 15 told_nothing
operator MinNodes=2
told "more nodes" 'lets a job have 2 nodes or more'
operator MinNodes=1 AllowGroups=root
told "other groups" 'does not let this job in'
operator AllowGroups=ALL Nodes=n[1-2,4-6]
told "its node is gone" 'partition closing does not have n3'
operator Nodes=ALL
check "all is well again" wait_for 15 told_nothing
as $user_a scancel "$job"
