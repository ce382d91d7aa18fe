# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A node that comes back with fewer cores than are booked of it. Takes 50 s.
cat >"$folder/slurm.conf" <<CONF
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
NodeName=n1 CPUs=16 RealMemory=4000
NodeName=n2 CPUs=16 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
CONF
echo JournalKeep=1d >"$folder/rspb.conf"
cluster_up --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" || exit 1

# on NODE JOB...: they are there.
on() {
	local node=$1 j
	for j in "${@:2}"; do
		contract_says "$j" " on=$node( |\$)" >>"$out/on" ||
			{ contract "$j"; return 1; }
	done
}

t=$(ahead 45)
old=$(book $user_a "$t" -n6 -w n1)
young=$(book $user_a "$t" -n6 --exclude=n2)
check "two parts have twelve of its cores" booked "$old" "$young"
free=$(book $user_a "$t" -n4)
check "a third is booked" booked "$free"
check "it has the others" on n1 "$free"
check "slurmctld stops" ctld_stop
kill "$(cat "$cluster/run/node-n1.pid")"
sed -i '/^NodeName=n1 /s/CPUs=16/CPUs=12/' "$SLURM_CONF"
node_start n1 -N n1
check "and comes back with a node of twelve cores" ctld_start
check "who asked last has another node" wait_for 40 on n2 "$free"
check "the others are where they were" on n1 "$old" "$young"
check "nothing more can be booked there" declined "$(book $user_b "$t" -n1 -w n1)"
for j in "$old" "$young" "$free"; do
	check "each begins on its second, with its cores" starts_at "$j" "$t" 1500
done
