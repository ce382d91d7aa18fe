# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A part of a node that is worth something with fewer tasks gets as many as there is room
# for, by cores, memory and GPUs, and its job is as small.
# Takes 100 s.
touch "$folder"/gpu{0..3}
cat >"$folder/slurm.conf" <<CONF
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
GresTypes=gpu
NodeName=n[1-2] CPUs=8 RealMemory=4000 Gres=gpu:4
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
CONF
echo "NodeName=n[1-2] Name=gpu File=$folder/gpu[0-3]" >"$folder/gres.conf"
printf '%s\n' JournalKeep=1d MaxBookedPercent=100 MaxWaitingPerUser=0 \
	MaxAheadPerUser=0 >"$folder/rspb.conf"
cluster_up --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" \
	--gres-conf "$folder/gres.conf" || exit 1

t=$(ahead 75)
one=$(book $user_b "$t" -w n1 -n5 --gpus=1)
two=$(book $user_b "$t" -w n2 -n3 --gpus=2)
check "others leave three cores and GPUs of a node, five and two of the other" \
	booked "$one" "$two"
hard=$(book $user_a "$t" -N1 -n4 --gpus-per-task=1)
check "four tasks with a GPU each have no place" declined "$hard"
three=$(book $user_a "$t" -N1 -n4 --gpus-per-task=1 --benefit=linear:25%)
check "where fewer are worth something three have" booked "$three"
check "as many cores, worth as much of what was asked" contract_says "$three" \
	' nodes=1/1 cores=3 .*benefit=0\.75 .*tasks=4 cpus=4 '
check "on the node that has three GPUs" contract_says "$three" ' on=n1( |$)'
check "its job has three tasks" job_shows "$three" 'NumTasks=3 '
check "no more is left there" declined "$(book $user_b "$t" -w n1 -n1)"
five=$(book $user_a "$t" -N1 -n8 --mem-per-cpu=400 --benefit=50%@0.5,100%@1)
check "five of eight tasks are booked" booked "$five"
check "on the other node" contract_says "$five" ' cores=5 .*benefit=0\.625 .* on=n2( |$)'
check "memory of five cores is taken" declined "$(book $user_b "$t" -w n2 -n1)"
check "fewer than the least are none" declined \
	"$(book $user_b "$t" -n2 -N1 --benefit=linear:50%)"
full=$(book $user_a $((t + 300)) -N1 -n4 --gpus-per-task=1 --benefit=linear:25%)
check "where there is room all of them are booked" booked "$full"
check "as asked" contract_says "$full" ' cores=4 .*benefit=1 '
check "slurmctld is killed" ctld_stop KILL
check "and comes back" ctld_start
check "it is booked as it was" wait_for 10 contract_says "$three" \
	'booked .* cores=3 .*benefit=0\.75 .*tasks=4 cpus=4 '
sleep 12
check "a look at limits later there is no more room" declined \
	"$(book $user_b "$t" -w n1 -n1)"
for j in "$three" "$five"; do
	check "it starts on its second" starts_at "$j" "$t" 1500
done
check "with three tasks and GPUs" job_shows "$three" 'NumCPUs=3 NumTasks=3 .*GRES=gpu:3\('
check "with five cores" job_shows "$five" 'NumCPUs=5 NumTasks=5 '
check "the journal decides the same again" decides_the_same 6
