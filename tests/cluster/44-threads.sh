# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A part of a node with several threads of each core takes as many cores as Slurm gives a
# regular job that asks for the same, under each way of counting.
# Takes 130 s.
cat >"$folder/slurm.conf" <<'CONF'
SelectTypeParameters=CR_Core
NodeName=n1 Sockets=1 CoresPerSocket=8 ThreadsPerCore=2 CPUs=16 RealMemory=4000
NodeName=n2 Sockets=1 CoresPerSocket=8 ThreadsPerCore=2 CPUs=8 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
CONF
printf '%s\n' Unit=part MaxBookedPercent=100 MaxWaitingPerUser=0 >"$folder/rspb.conf"
cluster_up --nodes 2 --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" || exit 1
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
sets=(-n4 -n3 "-n1 -c3" "-n3 -c2" "-n2 -c3" "-n4 --hint=nomultithread" "-n2 -c3 --hint=nomultithread"
	"-n4 --ntasks-per-core=1" "-n4 --threads-per-core=1" "-N1 -c4" "--mincpus=6")
others=(-n4 "-n2 -c3" "-n4 --ntasks-per-core=1")
for type in CR_Core CR_Core_Memory CR_CPU CR_Core,CR_ONE_TASK_PER_CORE; do
	if [ "$type" != CR_Core ]; then
		ctld_stop
		sed -i "s/^SelectTypeParameters=.*/SelectTypeParameters=$type/" "$SLURM_CONF"
		check "slurmctld starts with $type" ctld_start
		sets=("${others[@]}")
	fi
	for node in n1 n2; do
		for options in "${sets[@]}"; do
			check "$type: $options of $node" alike $node "$options"
		done
	done
done
