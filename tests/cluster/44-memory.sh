# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Memory and CPUs that parts of nodes have with their GPUs (--mem-per-gpu, DefMemPerGPU,
# DefCpuPerGPU), and what parts are charged, by billing weights where there are some.
# Takes 110 s.
touch "$folder"/gpu{0..3}
cat >"$folder/slurm.conf" <<CONF
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
NodeName=n1 CPUs=16 RealMemory=4000 Gres=gpu:4
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=60 DefMemPerGPU=900
PartitionName=cpus Nodes=ALL DefaultTime=10 MaxTime=60 DefCpuPerGPU=3 DefMemPerCPU=10
PartitionName=billed Nodes=ALL DefaultTime=10 MaxTime=60 DefMemPerCPU=10 TRESBillingWeights="CPU=1,Mem=0.004"
CONF
echo "NodeName=n1 Name=gpu File=$folder/gpu[0-3]" >"$folder/gres.conf"
printf '%s\n' ChargePercent=100 ChargeUnused=yes >"$folder/rspb.conf"
cluster_up --nodes 1 --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" \
	--gres-conf "$folder/gres.conf" || exit 1

# has JOB MEM: so much memory is its.
has() {
	scontrol -o show job "$1" | grep -E " (Alloc)?TRES=[^ ]*mem=$2,"
}

far=$(ahead 7200)
a=$(book $user_a "$far" -n2 --gpus=3)
check "the partition says how much memory comes with a GPU" booked "$a"
check "of which a part has that of its own" booked \
	"$(book $user_b "$far" -n2 --gpus=1)"
check "what is left others have" booked "$(book $user_b "$far" -n1 --mem=300)"
last=$(book $user_b "$far" -n1 --mem=200)
check "not more" declined "$last"
check "and it says why" contract_says "$last" 'not enough memory is free'
far=$((far + 3600))
b=$(book $user_a "$far" -n2 --gpus=2 --mem-per-gpu=1500)
check "a job says how much" booked "$b"
check "and has cores of a node" contract_says "$b" ' cores=2 '
check "as much is taken" declined "$(book $user_b "$far" -n1 --mem=1100)"
check "no more" booked "$(book $user_b "$far" -n1 --mem=900)"
c=$(book $user_b "$far" -p cpus --gpus=2)
check "the partition says how many CPUs come with a GPU" booked "$c"
check "of which a part has that many" contract_says "$c" ' cores=6 '

t=$(ahead 20)
a=$(book $user_a "$t" -n2 --gpus=1)
b=$(book $user_b "$t" -n2 --gpus=1 --mem-per-gpu=1200)
c=$(book $user_b "$t" -n2 --gpus=1 --mem=1800)
d=$(book $user_a "$((t + 60))" -p billed -n8 --mem=400)
check "three for soon are booked" booked "$a" "$b" "$c"
for j in "$a" "$b" "$c"; do
	check "one starts on its second" starts_at "$j" "$t"
done
check "with the memory of the partition's GPU" has "$a" 900M
check "with its own" has "$b" 1200M
check "with what it said" has "$c" 1800M

# Of a node that is 16 + 16 by the weights, 8 + 1.6 for a minute.
check "a part is charged as it is billed" wait_for 120 contract_says "$d" ' charged=18s'
check "the others as the part that they have of what is scarcest" contract_says "$c" ' charged=27s'
