# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A part whose second has come, and whose job has not begun yet, keeps its cores and GPUs from
# ordinary jobs; those that were there before stay.
# Takes 40 s.
touch "$folder"/gpu{0..3}
cat >"$folder/slurm.conf" <<CONF
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
GresTypes=gpu
NodeName=n1 CPUs=8 RealMemory=4000 Gres=gpu:4
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
CONF
echo "NodeName=n1 Name=gpu File=$folder/gpu[0-3]" >"$folder/gres.conf"
printf '%s\n' MaxBookedPercent=100 >"$folder/rspb.conf"
cluster_up --nodes 1 --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" \
	--gres-conf "$folder/gres.conf" || exit 1

before=$(job $user_b 300 -n4 --gpus=2 --time=10)
check "an ordinary job has half of a node" wait_for 20 is_state "$before" RUNNING
t=$(ahead 15)
part=$(book $user_a "$t" -n2 --gpus=1 --time=5)
check "a part beside it is booked" booked "$part"
scontrol hold "$part"
begun() {
	[ "$EPOCHSECONDS" -gt "$t" ]
}
wait_for 30 begun
check "its job is held, and has not begun" is_state "$part" PENDING
fits=$(job $user_b 300 -n1 --gpus=1 --time=10)
check "a job that takes none of what it has begins" wait_for 20 is_state "$fits" RUNNING
cores=$(job $user_b 300 -n2 --time=10)
wait_for 20 looked_at "$cores"
check "one that would take its cores does not" is_state "$cores" PENDING
scancel "$cores"
gpus=$(job $user_b 300 -n1 --gpus=1 --time=10)
wait_for 20 looked_at "$gpus"
check "nor one that would take its GPU" is_state "$gpus" PENDING
check "who was there before still is" is_state "$before" RUNNING
scontrol release "$part"
check "it begins as soon as it may" wait_for 10 is_state "$part" RUNNING
check "and nobody had to go" is_state "$before" RUNNING
check "of those beside it neither" is_state "$fits" RUNNING
check "the other waits" is_state "$gpus" PENDING
