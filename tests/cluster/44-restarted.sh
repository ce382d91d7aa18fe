# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Who asks for a part of a node as soon as slurmctld answers again gets a part.
# Takes 60 s.
cat >"$folder/slurm.conf" <<CONF
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
NodeName=n[1-2] CPUs=16 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
CONF
cluster_up --conf "$folder/slurm.conf" || exit 1

# at_once START: a booking of four cores, asked for until it is taken.
at_once() {
	local tries
	for ((tries = 0; tries < 400; tries++)); do
		as $user_a sbatch --parsable --book -n4 --time=1 --wrap true \
			--begin="$(slurm_time "$1")" >"$out/early" 2>"$out/refused" &&
			return
	done
	cat "$out/refused"
	return 1
}
# Whether it has four cores, and its job no more a node for itself than another's.
part() {
	contract "$1" | grep -E ' nodes=1/1 cores=4 ' &&
		[ "$(field "$1" OverSubscribe)" = "$(field "$first" OverSubscribe)" ] ||
		{ scontrol show job "$1"; return 1; }
}

far=$(ahead 7200)
first=$(book $user_a "$far" -n4)
check "a booking of four cores" booked "$first"
for round in 1 2 3 4 5; do
	ctld_stop KILL
	watched "$cluster/run/slurmctld.pid" "$RSPB_ENDS" \
		slurmctld -D -f "$cluster/etc/slurm.conf" \
		>>"$cluster/log/slurmctld.out" 2>&1 </dev/null
	check "round $round: slurmctld takes one as it starts" at_once "$far"
	early=$(<"$out/early")
	check "it is booked" booked "$early"
	check "with four cores" part "$early"
done
