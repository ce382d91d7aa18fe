# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What is promised can start: Slurm's own limits and tests count before nodes
# are held for a job that would never run.
cat >"$folder/slurm.conf" <<'TEXT'
NodeName=n[1-4] CPUs=8 RealMemory=4000 Feature=small
NodeName=n[5-6] CPUs=16 RealMemory=8000 Feature=big
NodeName=n7 CPUs=8 RealMemory=4000 Feature=small
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
PartitionName=short Nodes=ALL MinNodes=2 MaxNodes=2 DefaultTime=10 MaxTime=30
PartitionName=shut Nodes=ALL State=DOWN DefaultTime=10 MaxTime=30
PartitionName=closing Nodes=ALL DefaultTime=10 MaxTime=30
TEXT
# what Slurm has of bookings is looked at long before their start
echo ReserveAhead=0 >"$folder/rspb.conf"
cluster_up --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" || exit 1
PATH=$cluster/rspb/bin:$PATH

t=$(ahead 75)
granted() {
	contract "$1" | grep -q "nodes=$2" || { contract "$1"; return 1; }
}
in_partition() {
	scontrol -o show job "$1" | grep "Partition=$2 " || { scontrol show job "$1"; return 1; }
}
# listed JOB PATTERN: its owner's list says so of it.
listed() {
	as $user_a rspb list | grep -E "^ *$1 .*$2" || { as $user_a rspb list; return 1; }
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
	'allows 2 to 2 nodes for a job, and the job requests 3 to 4' -p short -N3-4
never "fewer than it wants" 'and the job requests 1$' -p short -N1
check "the one within the limits stands" is_booking "$kept" booked

note "tasks and CPUs"
never "more tasks than the CPUs of its nodes" 'tasks, CPUs or GPUs need more' \
	-n 100 -N2-4
# larger NODES: how many of them are of the larger kind.
larger() {
	scontrol show hostnames "$1" | grep -c '^n[56]$'
}
regular=$(job $user_b 600 --time=10 -n 32 -N2-3)
check "a regular job with more tasks than small nodes have CPUs runs" \
	wait_for 10 is_state "$regular" RUNNING
has=$(larger "$(field "$regular" NodeList)")
as $user_b scancel "$regular"
job=$(book $user_a "$((t + 120))" -n 32 -N2-3)
check "tasks that need a larger node" booked "$job"
check "get as many of these as a regular job: $has" [ "$(larger "$(
	scontrol show reservation "rspb_$job" -o | sed 's/.* Nodes=\([^ ]*\).*/\1/')")" = "$has" ]
as $user_a scancel "$job"
job=$(book $user_a "$((t + 120))" -n 32 -N2 -w 'n[1-2]')
check "named nodes that are too small are declined" declined "$job"
check "Slurm would not start it there, says the reason" contract_says "$job" \
	'Slurm would not start the job on n\[1-2\]'
as $user_a scancel "$job"

note "counted features"
never "so many nodes of each feature" 'heterogeneous job' \
	-N2 -C '[small*1&big*1]'

note "partitions that start nothing"
week=$(book $user_a "$((t + 604800))" -p shut -N1)
check "a booking for next week in a closed partition is booked" booked "$week"
check "its owner is told" wait_for 15 contract_says "$week" "booked .*partition shut is DOWN"
as $user_a scancel "$week"
soon=$(as $user_a sbatch --parsable --book=asap -p shut -N1 --time=2 -o /dev/null \
	--wrap "sleep 100" 2>"$out/line")
check "one for now is told that it waits" grep 'partition shut is DOWN .*decided then' "$out/line"
check "so does the list" wait_for 5 listed "$soon" 'shut is DOWN .*decided then'
check "slots at once in it are refused" refused "shut is DOWN .*ask with --begin" \
	as $user_a rspb slots -p shut -N1 -t1
check "later ones are listed" as $user_a rspb slots -p shut -N1 -t1 --begin=now+1hour
check "offers for now in it are refused" refused "shut is DOWN .*ask with --begin" \
	as $user_a rspb offers -p shut -N1 -t1
check "later ones are offered" as $user_a rspb offers -p shut -N1 -t1 --begin=now+1hour
scontrol update partition=shut state=inactive
never "a booking in an inactive partition" 'shut is INACTIVE and accepts no jobs' -p shut -N1
check "the one for now waits" is_booking "$soon" requested
scontrol update partition=shut state=up
check "and starts when the partition is up" wait_for 20 is_state "$soon" RUNNING
scontrol update partition=shut state=drain
never "one in a draining partition" 'shut is DRAIN and accepts no jobs' -p shut -N1
two=$(book $user_a "$t" -p shut,closing -N1)
check "of a list the other partition is booked" booked "$two"
check "which is the one that accepts jobs" in_partition "$two" closing
as $user_a scancel "$two"
as $user_a scancel "$soon"
late=$(book $user_b "$t" -p closing -N1)
check "one in an open partition is booked" booked "$late"
check "an operator closes it" scontrol update partition=closing state=down
nothing_left() {
	[ "$(our_reservations | wc -l)" = 2 ]
}
check "nothing is left of what was declined" wait_for 10 nothing_left

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
	check "$1: its owner is told" wait_for 15 contract_says "$job" "booked .*$2"
}
operator() {
	scontrol update partition=closing "$@"
}
operator MaxTime=5
told "less time" 'partition closing allows 5 minutes'
check "and it stands in the log" grep "booking $job: .* 5 minutes" \
	"$cluster/log/slurmctld.log"
operator MaxTime=30
told_nothing() {
	! contract_says "$job" 'partition closing' >/dev/null
}
check "it is taken back when all is well" wait_for 15 told_nothing
operator MinNodes=2
told "more nodes" 'requires at least 2 nodes'
operator MinNodes=1 AllowGroups=root
told "other groups" 'does not accept this job'
operator AllowGroups=ALL Nodes=n[1-2,4-6]
told "its node is gone" 'partition closing does not have n3'
operator Nodes=ALL
check "all is well again" wait_for 15 told_nothing
as $user_a scancel "$job"
job=$(book $user_a "$far" -p closing -N1 --time=10)
check "a booking of any of its nodes" booked "$job"
node=$(scontrol -o show reservation "rspb_$job" | sed 's/.* Nodes=\([^ ]*\).*/\1/')
operator "Nodes=$(sinfo -h -p closing -N -o %N | grep -vx "$node" | paste -sd,)"
other_node() {
	contract_says "$job" "booked .* on=n.* a lack of what its job requests on $node"
}
check "its node leaves the partition, and it gets another one" wait_for 10 other_node
operator Nodes=ALL
as $user_a scancel "$job"

note "features that are taken away"
far=$((t + 3600))
job=$(book $user_a "$far" -C big -N1)
check "a booking of a node with a feature" booked "$job"
node=$(scontrol -o show reservation "rspb_$job" | sed 's/.* Nodes=\([^ ]*\).*/\1/')
scontrol update nodename="$node" availablefeatures=small activefeatures=small
check "it has the other node that has it" wait_for 6 contract_says "$job" \
	"booked .* on=n$((11 - ${node#n})) .*a lack of what its job requests on $node"
scontrol update nodename="$node" availablefeatures=big activefeatures=big
pause 2
check "and keeps that when the first has it again" contract_says "$job" " on=n$((11 - ${node#n})) "
as $user_a scancel "$job"
job=$(book $user_a "$far" -C big -N2)
check "a booking of both" booked "$job"
scontrol update nodename=n6 availablefeatures=small activefeatures=small
check "its owner is told when one has it no more" wait_for 6 contract_says "$job" \
	"n6 no longer has what its job requests|a lack of what its job requests on n6"
check "the booking stands" is_booking "$job" booked
scontrol update nodename=n6 availablefeatures=big activefeatures=big
well() {
	! contract_says "$job" 'no longer|a lack of' >/dev/null
}
check "it is taken back when it is there again" wait_for 6 well
as $user_a scancel "$job"

note "partitions and nodes that slurm.conf has no more"
one=$(book $user_a "$far" -p closing -N1)
two=$(book $user_b "$far" -p short -N2)
named=$(book $user_a $((far + 100)) -w n7)
check "bookings in two of them, and of a node" booked "$one" "$two" "$named"
free() {
	! our_reservations | grep -x "rspb_$1"
}
sed -i '/^PartitionName=closing /d' "$SLURM_CONF"
check "a partition goes with a reconfigure" reconfigure
over() {
	contract_says "$1" "cancelled .*$2, and Slurm has ended"
}
check "its owner is told" wait_for 25 over "$one" 'partition closing was deleted'
check "nothing is left of it" wait_for 10 free "$one"
check "slurmctld stops" ctld_stop
sed -i '/^PartitionName=short /d; /^NodeName=n7 /d' "$SLURM_CONF"
check "and starts without another, and a node less" ctld_start
check "its owner is told, too" wait_for 10 over "$two" 'partition short was deleted'
check "who had named the node also is" wait_for 10 over "$named" \
	'its job names nodes that were deleted .n7.'
check "nothing is left of them" wait_for 10 free "$two"

note "what Slurm's own selection knows of nodes"
cluster_down
cat >"$folder/slurm.conf" <<'TEXT'
NodeName=n[1-4] CPUs=8 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=8000 Feature=rack1
NodeName=n[5-6] CPUs=16 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=72000 Feature=rack1 Weight=9
NodeName=n[7-10] CPUs=8 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=8000 Feature=rack2
SelectTypeParameters=CR_Core_Memory
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
PartitionName=few Nodes=ALL MaxCPUsPerNode=2 DefaultTime=10 MaxTime=30
TEXT
cluster_up --conf "$folder/slurm.conf" || exit 1
# starts_now TEXT OPTIONS...: booked as soon as it fits, as the line at submission
# says, it runs. Where: $nodes.
starts_now() {
	local text=$1 j
	shift
	nodes=''
	j=$(as $user_a sbatch --parsable -o job-%j.out --book=asap --time=2 \
		"$@" job.sh 30 2>"$out/line")
	check "$text: likely" grep -q 'likely: ' "$out/line"
	check "$text: it starts" wait_for 10 began "$j"
	nodes=$(field "$j" NodeList)
	as $user_a scancel "$j"
	wait_for 10 is_over "$j"
}
is_over() {
	[ -z "$(squeue -h -j "$1" 2>/dev/null)" ]
}
hold=$(job $user_b 600 --book=asap -w n10 --time=30)
check "the first booking of all runs" wait_for 10 began "$hold"
as $user_b scancel "$hold"
check "and is over" wait_for 10 is_over "$hold"
starts_now "tasks one to a core" -n 32 --hint=nomultithread
starts_now "memory for each CPU that small nodes have not" \
	--mem-per-cpu=4G -N2
check "it has the large ones" [ "$nodes" = 'n[5-6]' ]
starts_now "few CPUs of each node" -p few -n 6
starts_now "memory for each CPU that no node has for all of them" \
	-n 2 --mem-per-cpu=12G
starts_now "more tasks than CPUs, which share them" -n 40 -N1 --overcommit
hold=$(job $user_b 600 --book=asap -w n2 --time=30)
check "somebody is in between" wait_for 10 began "$hold"
starts_now "nodes side by side" -N3 --contiguous -x 'n[5-6]'
check "they lie behind" [ "$nodes" = 'n[7-9]' ]
starts_now "one rack or the other" -N4 -C '[rack1|rack2]' -x 'n[5-6]'
check "it has one alone" [ "$nodes" = 'n[7-10]' ]
j=$(as $user_a sbatch --parsable --book=asap --time=2 -N5 \
	-C '[rack1|rack2]' -x 'n[5-6]' --wrap true 2>"$out/line")
check "five of a rack of four: unlikely" grep 'unlikely: ' "$out/line"
check "and declined" declined "$j"
check "by Slurm, says the reason" contract_says "$j" 'Slurm would not start the job'
# what Slurm's scheduler notes of a job that it has tried is no change
check "nobody has changed a reservation" never_logged slurmctld.log \
	"of its reservation cannot be changed"

note "a node of them is lost"
far=$(ahead 600)
j=$(book $user_a "$far" -N3 --contiguous -x 'n[5-6]' --time=10)
check "three side by side are booked" booked "$j"
check "behind the one that is held" grep -E 'on=n\[7-9\]' <(contract "$j")
scontrol update nodename=n8 state=drain reason=test
other() {
	contract "$j" | grep -E ' booked .*on=' | grep -v 'on=n\[7-9\]'
}
scontrol update nodename=n2 state=resume 2>/dev/null
as $user_b scancel "$hold"
check "it gets others side by side" wait_for 20 other
