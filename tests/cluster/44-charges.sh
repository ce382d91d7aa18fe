# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A part of a node with several threads a core has the memory for which Slurm charges its job, by
# cores and by CPUs.
# Takes 60 s.
for by in CR_Core_Memory CR_CPU_Memory; do
	cat >"$folder/slurm.conf" <<-CONF
		SelectTypeParameters=$by
		DefMemPerCPU=900
		NodeName=n[1-2] CPUs=8 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=8000
		PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
	CONF
	printf '%s\n' Unit=part MaxBookedPercent=100 MaxWaitingPerUser=0 >"$folder/rspb.conf"
	cluster_up --nodes 2 --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" || exit 1
	# shellcheck source=tests/cluster/client.sh
	. "$RSPB_TOP/tests/cluster/client.sh"
	t=$(ahead 900)
	# charged OPTIONS...: a booking has the memory of a job with these options.
	charged() {
		local job booking mem rc=0
		job=$(regular -w n1 "$@")
		booking=$(book $user_a "$t" -w n2 "$@")
		wait_for 20 running "$job" && booked "$booking" || rc=1
		mem=$(scontrol -d show job "$job" | sed -n 's/.* Mem=\([0-9]*\).*/\1/p')
		contract "$booking" | grep " mem=$mem " || rc=1
		[ $rc = 0 ] || { echo "$mem"; contract "$booking"; }
		scancel "$job" "$booking"
		wait_for 20 nothing_left || rc=1
		return $rc
	}
	check "$by: one task" charged -n1
	check "$by: three tasks" charged -n3 --mem-per-cpu=500
	check "$by: a task with three CPUs" charged -n1 -c3
	check "$by: tasks on one thread of each core" charged -n2 --threads-per-core=1
	check "$by: more of them than memory for all threads" \
		charged -n4 --hint=nomultithread --mem-per-cpu=1500
	check "$by: one task to a core" charged -n3 --ntasks-per-core=1 --mem-per-cpu=500
	cluster_down
done
