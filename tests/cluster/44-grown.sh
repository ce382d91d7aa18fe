# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# With Degrade=lazy a part of a node is promised the least that is worth something, and has
# as many tasks when it begins as there is room for then, and MaxBookedPercent allows. Takes 80 s.
touch "$folder"/gpu{0..3}
cat >"$folder/slurm.conf" <<CONF
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
GresTypes=gpu
NodeName=n[1-3] CPUs=8 RealMemory=4000 Gres=gpu:4
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
PartitionName=small Nodes=ALL DefaultTime=10 MaxTime=1-00:00:00
CONF
echo "NodeName=n[1-3] Name=gpu File=$folder/gpu[0-3]" >"$folder/gres.conf"
printf '%s\n' Degrade=lazy JournalKeep=1d MaxBookedPercent=100 MaxWaitingPerUser=0 \
	MaxAheadPerUser=0 "Rule=one Partitions=small MaxBookedPercent=34%" >"$folder/rspb.conf"
cluster_up --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" \
	--gres-conf "$folder/gres.conf" || exit 1

t=$(ahead 30)
one=$(book $user_b "$t" -w n1 -n3)
two=$(book $user_a "$t" -w n1 -N1 -n8 --benefit=linear:25%)
three=$(book $user_a "$t" -w n2 -N1 -n8 --benefit=linear:25%)
four=$(book $user_a "$t" -w n3 -N1 -n4 --gpus-per-task=1 --benefit=linear:25%)
check "all are booked" booked "$one" "$two" "$three" "$four"
check "the least is promised" contract_says "$two" ' cores=2 .*benefit=0\.25 .*tasks=8 cpus=8 '
check "of GPUs, too" contract_says "$four" ' cores=1 .*benefit=0\.25 .*tasks=4 cpus=4 '
five=$(book $user_b "$t" -w n3 -n1 --gpus=2)
check "so others have room" booked "$five"
for j in "$two" "$three" "$four"; do
	check "it starts on its second" starts_at "$j" "$t" 1500
done
check "with five of eight tasks beside three" job_shows "$two" 'NumCPUs=5 NumTasks=5 '
check "its contract says so" contract_says "$two" ' cores=5 .*benefit=0\.625 '
check "alone with all of them" job_shows "$three" 'NumCPUs=8 NumTasks=8 '
check "its contract says so" contract_says "$three" ' cores=8 .*benefit=1 '
check "with the two GPUs that are left" job_shows "$four" 'NumCPUs=2 NumTasks=2 .*GRES=gpu:2\('

for j in "$one" "$two" "$three" "$four" "$five"; do
	wait_for 70 ended "$j"
done
t=$(ahead 15)
six=$(book $user_a "$t" -w n1 -n6)
seven=$(book $user_b "$t" -p small -w n2 -N1 -n8 --benefit=linear:25%)
check "one node of three is booked in parts" booked "$six" "$seven"
check "the second starts on its second" starts_at "$seven" "$t" 1500
check "with no more tasks than MaxBookedPercent allows" job_shows "$seven" 'NumCPUs=2 NumTasks=2 '
check "the journal decides the same again" decides_the_same 7
