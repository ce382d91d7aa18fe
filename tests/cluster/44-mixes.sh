# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Random mixes of regular jobs and bookings of parts and of whole nodes: sockets, threads,
# memory, GPUs with the cores beside them, exclusive users, MaxCPUsPerNode, windows with a
# deadline, changes by owners, nodes that are drained for seconds. No regular job within its
# limit ends for a booking, and each booking begins. RSPB_MIX_SECONDS=3600 mixes for an
# hour, RSPB_MIX_SEED=N repeats a mix as far as a busy machine can.
# Takes 130 s.
seed=${RSPB_MIX_SEED:-$((EPOCHSECONDS % 10000))} seconds=${RSPB_MIX_SECONDS:-50} nodes=10 mode=
# Slurm gives out cores, CPUs or sockets, by the seed.
counted=(CR_Core_Memory CR_CPU_Memory CR_Socket_Memory)
RANDOM=$seed
touch "$folder"/gpu{0..3}
cat >"$folder/slurm.conf" <<CONF
SelectTypeParameters=${counted[seed % 3]}
GresTypes=gpu
MinJobAge=86400
MaxJobCount=100000
NodeName=DEFAULT RealMemory=4000
NodeName=n[1-4] Sockets=2 CoresPerSocket=4 CPUs=8 Features=plain
NodeName=n[5-6] Sockets=2 CoresPerSocket=2 ThreadsPerCore=2 CPUs=8 Features=threads
NodeName=n[7-8] Sockets=2 CoresPerSocket=4 CPUs=8 Gres=gpu:4 Features=gpus
NodeName=n[9-10] Sockets=1 CoresPerSocket=8 CPUs=8 Features=alone
PartitionName=DEFAULT DefMemPerCPU=200
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
PartitionName=capped Nodes=n[1-2] MaxCPUsPerNode=4 DefaultTime=10 MaxTime=1-00:00:00
PartitionName=alone Nodes=n[9-10] ExclusiveUser=YES DefaultTime=10 MaxTime=1-00:00:00
CONF
printf 'NodeName=n[7-8] Name=gpu File=%s/gpu[%s] Cores=%s\n' "$folder" 0-1 0-3 \
	"$folder" 2-3 4-7 >"$folder/gres.conf"
printf '%s\n' Unit=part MaxBookedPercent=100 MaxWaitingPerUser=0 MaxAheadPerUser=0 \
	>"$folder/rspb.conf"
cluster_up --nodes 10 --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" \
	--gres-conf "$folder/gres.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"
# shellcheck source=tests/cluster/mixes.sh
. "$RSPB_TOP/tests/cluster/mixes.sh"

regular_options=(-n1 -n2 -n4 -n6 "-n1 -c4" "-n2 -c2" "-n1 -c3" "-n8"
	"-n2 --ntasks-per-socket=1" "-n4 --ntasks-per-socket=2" "-n2 --hint=nomultithread"
	"-n1 --exclusive=user" "-n1 --exclusive" "-N2 -n2" "-N2 -n6" "-p capped -n2"
	"-p capped -n4" "-p capped -n1 -c3" "-n1 --gpus=1" "-n1 --gpus=2"
	"-n4 --gpus=1 --gres-flags=enforce-binding" "-n1 -c4 -C gpus" "-n1 -c4 -C plain"
	"-n2 -B 2:1" "-n1 --mem=2500" "-n2 --mem-per-cpu=900" "-N1 --exclusive --mem=0"
	"-p alone -n2" "-p alone -n1 --mem=3000" "-N2-3 -n4" "-n1 --gpus=1 --mem-per-gpu=1500")
booked_options=(-n1 -n2 -n4 "-n1 -c4" "-n3 -c2" "-n2 --ntasks-per-socket=1"
	"-n4 --ntasks-per-socket=2" "-n4 --hint=nomultithread" "-n2 --ntasks-per-core=1"
	"-N2 -n2" "-N2 -n4 --ntasks-per-socket=1" "-p capped -n2" "-p capped -n4"
	"-n1 --gpus=1 --gres-flags=enforce-binding" "-n2 --gpus=2 --gres-flags=enforce-binding"
	"-n1 --gpus=3" "-N2 --extra-node-info=2:2" "-n2 --sockets-per-node=2"
	"-n1 --exclusive=user" "-n1 -c4 -C threads" "-n2 -C gpus" "-N1 --exclusive"
	"-N2 --exclusive" "-N1 --exclusive -C gpus" "-N1-3 --exclusive --benefit=linear:25%"
	"-n1 --mem=2500" "-n2 --mem-per-cpu=900" "-p alone -n2" "-p alone -N1 --exclusive"
	"-n2 --gpus-per-task=1 --mem-per-gpu=800" "-n1 -c2 --gpus=2"
	"-n4 --gpus=2 --gres-flags=enforce-binding --ntasks-per-socket=2")

# The jobs end by themselves before their limit of at least one minute.
mix() {
	local options id
	if [ $((RANDOM % 5)) -lt 3 ]; then
		options=${regular_options[RANDOM % ${#regular_options[@]}]}
		# shellcheck disable=SC2086
		id=$(job "${users[RANDOM % 2]}" $((5 + RANDOM % 30)) --requeue \
			--time=$((1 + RANDOM % 3)) $options 2>/dev/null) && regular+=("$id")
	else
		options="$(whens) ${booked_options[RANDOM % ${#booked_options[@]}]}"
		# shellcheck disable=SC2086
		id=$(job "${users[RANDOM % 2]}" $((3 + RANDOM % 10)) --time=1 $options \
			2>/dev/null) && bookings+=("$id")
	fi
	[ -z "$id" ] || asks[$id]=$options
}
mix_all
note "seed $seed: ${#regular[@]} regular jobs, ${#bookings[@]} asked for a booking"
check "there are both" [ "${#regular[@]}" -gt 10 -a "${#bookings[@]}" -gt 10 ]
check "each booking begins" wait_for 200 begun
check "some of them" booked_of
check "no regular job that began was ended or begun again" nobody_cut_short
check "slurmctld's log names none" never_logged slurmctld.log "it is requeued or ended"
check "what was planned fits what is booked" never_logged slurmctld.log \
	"a node is booked whole"
