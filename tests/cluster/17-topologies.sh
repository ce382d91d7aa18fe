# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Trees without a common root, and topologies by partition (topology.yaml, Slurm 25.05 and
# later): what cannot start as an ordinary job is not booked, the rest begins.
# Takes 60 s.
cluster_up --nodes 8 || exit 1
cat >"$cluster/etc/topology.conf" <<'TEXT'
SwitchName=s1 Nodes=n[1-4]
SwitchName=s2 Nodes=n[5-8]
TEXT
topology_start tree
check "slurmctld has two trees" [ "$(scontrol show topology | grep -c Level=0)" = 2 ]
check "and takes bookings" wait_for 20 scontrol show reservation rspb_waiting

on() {
	field "$1" NodeList | grep -xE "$2" || { field "$1" NodeList; return 1; }
}
runs() {
	is_state "$1" RUNNING
}
over() {
	[ -z "$(squeue -h -j "$1" 2>/dev/null)" ]
}
# ends JOB...
ends() {
	local j
	scancel "$@"
	for j in "$@"; do
		wait_for 20 over "$j"
	done
}

note "trees without a common root"
plain=$(job $user_a 60 --time=2 -N4 --exclusive)
check "an ordinary job has one of them" wait_for 20 runs "$plain"
one=$(job $user_a 60 --time=2 -N4 --book=asap)
check "a booking the other" wait_for 20 began "$one"
check "on one tree" on "$one" 'n\[(1-4|5-8)\]'
ends "$plain" "$one"
wide=$(job $user_a 60 --time=2 -N5 --exclusive)
sleep 8
state=$(job_state "$wide")
ends "$wide"
one=$(job $user_a 60 --time=2 -N5 --book=asap)
if [ "$state" = RUNNING ]; then
	check "five nodes of both as an ordinary job has them" wait_for 20 began "$one"
else
	check "five nodes that no ordinary job has are not booked" declined "$one"
fi
ends "$one"

note "topologies by partition"
cat >"$cluster/etc/topology.yaml" <<'TEXT'
---
- topology: leaves
  cluster_default: true
  tree:
    switches:
      - switch: s1
        nodes: n[1-4]
      - switch: s2
        nodes: n[5-8]
      - switch: top
        children: s[1-2]
- topology: plain
  cluster_default: false
  flat: true
TEXT
with_topologies() {
	ctld_stop
	rm "$cluster/etc/topology.conf"
	sed -i '/^TopologyPlugin=/d' "$SLURM_CONF"
	echo 'PartitionName=loose Nodes=ALL MaxTime=1:00:00 Topology=plain' >>"$SLURM_CONF"
	ctld_start
}
major=$(sinfo -V | sed 's/[^0-9]*\([0-9]*\)\.\([0-9]*\).*/\1\2/')
if [ "$major" -lt 2505 ]; then
	skip "this Slurm reads no topology.yaml"
	exit 0
fi
check "slurmctld starts with a tree and a flat one" with_topologies
check "and takes bookings" wait_for 20 scontrol show reservation rspb_waiting
held=$(job $user_b 60 --time=2 -N1 -w n1 --exclusive)
check "a node of the first leaf is busy" wait_for 20 runs "$held"
leaf=$(job $user_a 60 --time=2 -N4 --switches=1 --book=asap)
check "four on one leaf begin" wait_for 20 began "$leaf"
check "on the other one" on "$leaf" 'n\[5-8\]'
ends "$leaf"
mixed=$(job $user_b 60 --time=2 -N1 -w n5 --exclusive)
check "a node of the other, too" wait_for 20 runs "$mixed"
loose=$(job $user_a 60 --time=2 -N6 -p loose --book=asap)
check "six of the flat one begin" wait_for 20 began "$loose"
ends "$loose"
t=$(ahead 3600)
none=$(as $user_a sbatch --parsable --book --begin="$(slurm_time "$t")" --time=5 -N5 \
	--switches=1 --wrap true 2>"$out/why")
check "five on one leaf of four are not booked" eval \
	'[ -z "$none" ] && cat "$out/why" || declined "$none"'
ends "$held" "$mixed"
