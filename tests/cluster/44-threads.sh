# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A part of a node with several threads of each core takes as many cores as Slurm gives a
# regular job that asks for the same, under each way of counting, also beside GPUs.
# Takes 170 s.
touch "$folder"/gpu{0..3}
printf 'NodeName=n[1-2] Name=gpu File=%s/gpu[0-3]\n' "$folder" >"$folder/gres.conf"
cat >"$folder/slurm.conf" <<'CONF'
SelectTypeParameters=CR_Core
GresTypes=gpu
NodeName=n1 Sockets=1 CoresPerSocket=8 ThreadsPerCore=2 CPUs=16 Gres=gpu:4 RealMemory=4000 Features=mixed
NodeName=n3 Sockets=1 CoresPerSocket=8 CPUs=8 RealMemory=4000 Features=mixed
NodeName=n2 Sockets=1 CoresPerSocket=8 ThreadsPerCore=2 CPUs=8 Gres=gpu:4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
CONF
printf '%s\n' Unit=part MaxBookedPercent=100 MaxWaitingPerUser=0 >"$folder/rspb.conf"
cluster_up --nodes 3 --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" \
	--gres-conf "$folder/gres.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"

# cores_had JOB: of those that Slurm has given it; it shows both threads of each.
cores_had() {
	scontrol -d -o show job "$1" | grep -o ' CPU_IDs=[^ ]*' | cut -d= -f2 | tr , '\n' |
		awk -F- '
			{ for (c = $1; c <= $NF; c++) core[int(c / 2)] = 1 }
			END { for (c in core) n++; print n + 0 }'
}
cores_booked() {
	contract "$1" | grep -o ' cores=[0-9]*' | cut -d= -f2 | grep . || echo 8
}
# alike NODE OPTIONS: both have as many.
alike() {
	local options=$2 regular booking had kept
	# shellcheck disable=SC2086
	regular=$(job $user_b 600 --time=10 -w "$1" $options) || return 1
	wait_for 10 is_state "$regular" RUNNING || { scontrol show job "$regular"; return 1; }
	had=$(cores_had "$regular")
	scancel "$regular"
	# shellcheck disable=SC2086
	booking=$(book $user_a "$(ahead 3600)" --time=3 -w "$1" $options) || return 1
	booked "$booking" || return 1
	kept=$(cores_booked "$booking")
	scancel "$booking"
	echo "regular $had, booked $kept"
	[ "$had" = "$kept" ]
}
# of_either: where cores of some nodes have one thread, and of others two, a part has on the
# node that it gets as many as Slurm gives a regular job there.
of_either() {
	local t ids=() id node each rc=0
	t=$(ahead 3600)
	# four of them have room on n1, two on n3
	for id in 1 2 3 4 5 6; do
		ids+=("$(book $user_a "$t" -C mixed --time=3 -n4 --mem=400)")
	done
	for id in "${ids[@]}"; do
		booked "$id" || { rc=1; continue; }
		node=$(contract "$id" | grep -o ' on=[^ ]*' | cut -d= -f2)
		each=2
		[ "$node" != n3 ] || each=4
		[ "$(cores_booked "$id")" = $each ] || { contract "$id"; rc=1; }
	done
	scancel "${ids[@]}"
	return $rc
}
# ready: the controller takes bookings, and nothing of before is left on a node.
ready() {
	scontrol show reservation rspb_waiting && [ "$(sinfo -h -N -p main -t idle | wc -l)" -eq 3 ]
}
sets=(-n4 -n3 "-n1 -c3" "-n3 -c2" "-n2 -c3" "-n4 --hint=nomultithread" "-n2 -c3 --hint=nomultithread"
	"-n4 --ntasks-per-core=1" "-n4 --threads-per-core=1" "-N1 -c4" "--mincpus=6"
	"-n2 -c3 --gpus=2" "-n1 -c3 --gpus=1" "-n2 -c3 --gpus-per-task=1" "-n3 --gpus=2"
	"-n2 -c3 --gpus=2 --hint=nomultithread" "-n2 --gpus=2 --cpus-per-gpu=3")
others=(-n4 "-n2 -c3" "-n2 -c3 --gres=gpu:2" "-n4 --ntasks-per-core=1")
for type in CR_Core CR_Core_Memory CR_CPU CR_Core,CR_ONE_TASK_PER_CORE; do
	if [ "$type" != CR_Core ]; then
		ctld_stop
		sed -i "s/^SelectTypeParameters=.*/SelectTypeParameters=$type/" "$SLURM_CONF"
		check "slurmctld starts with $type" ctld_start
		wait_for 30 ready
		sets=("${others[@]}")
	fi
	[ "$type" = CR_Core,CR_ONE_TASK_PER_CORE ] ||
		check "$type: four tasks, on nodes of both kinds" of_either
	for node in n1 n2; do
		for options in "${sets[@]}"; do
			check "$type: $options of $node" alike $node "$options"
		done
	done
done
