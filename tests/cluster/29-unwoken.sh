# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A node that is woken for a booking and does not come up: that is noticed before
# the start, and a node that is awake takes its place.
# Takes 100 s.
cat >"$folder/slurm.conf" <<TEXT
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=3600
SuspendTimeout=2
ResumeTimeout=15
NodeName=n1 CPUs=4 RealMemory=4000 Weight=9
NodeName=n[2-3] CPUs=4 RealMemory=4000 Weight=1
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=60
TEXT
cluster_up --nodes 3 --conf "$folder/slurm.conf" || exit 1
node_is() {
	scontrol -o show node "$1" | grep -qE " State=[^ ]*$2"
}
where() {
	scontrol -o show reservation "rspb_$1" | sed 's/.* Nodes=\([^ ]*\).*/\1/'
}
for node in n2 n3; do
	kill "$(cat "$cluster/run/node-$node.pid")"
	scontrol update nodename=$node state=power_down
done
check "two nodes sleep" wait_for 25 node_is n2 POWERED_DOWN
check "both" wait_for 25 node_is n3 POWERED_DOWN
t=$(ahead 70)
j=$(book $user_a "$t" -N1)
check "a booking for later" booked "$j"
first=$(where "$j")
check "of one that sleeps" grep -E '^n[23]$' <<<"$first"
check "it is woken" wait_for 40 node_is "$first" POWERING_UP
check "which is in vain" wait_for 40 node_is "$first" DOWN
check "before the booking's start" [ $EPOCHSECONDS -lt "$t" ]
awake() {
	[ "$(where "$j")" = n1 ]
}
check "one that is awake takes its place" wait_for 5 awake
check "the booking starts on its second" starts_at "$j" "$t"
check "and ends" wait_for 20 ended "$j"
check "nothing is left" nothing_left
