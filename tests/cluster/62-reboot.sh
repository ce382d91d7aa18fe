# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Nodes that an operator has rebooted: what is booked for later stands and can be booked, what
# begins before they are back goes elsewhere.
# Takes 60 s.
cat >"$folder/slurm.conf" <<CONF
NodeName=n[1-4] CPUs=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES MaxTime=1-00:00:00
RebootProgram=/bin/true
ResumeTimeout=60
CONF
cluster_up --nodes 4 --conf "$folder/slurm.conf" || exit 1

t=$(ahead 3600)
later=$(book $user_a "$t" -N4)
soon=$(book $user_a $((EPOCHSECONDS + 40)) -N1 -w n3 --time=1)
runs=$(job $user_b 600 --time=20 -N1 -w n2)
check "all nodes are booked in an hour" booked "$later" "$soon"
check "an ordinary job runs" wait_for 20 is_state "$runs" RUNNING
near=$(job $user_a 1 --book --begin="$(slurm_time $((EPOCHSECONDS + 50)))" --time=1 -N1 -x 'n[2-3]')
check "another begins soon" booked "$near"
on=$(contract "$near" | grep -oE 'on=n[0-9]' | cut -d= -f2)
check "three nodes are rebooted as soon as they can be" scontrol reboot ASAP "$on,n2,n3"
issued() {
	[ "$(scontrol -o show node "$on" | grep -oE ' State=[^ ]*')" = " State=DOWN+DRAIN+REBOOT_ISSUED" ] ||
		{ scontrol -o show node "$on"; return 1; }
}
check "one that is idle at once" wait_for 30 issued
moved() {
	contract "$near" | grep -q " on=$on " && { contract "$near"; return 1; }
	is_booking "$near" booked
}
check "what begins before it can be back goes elsewhere" wait_for 10 moved
check "who named such a node is told" \
	wait_for 10 contract_says "$soon" "reason=a node that is rebooted is in the way now; \
its job names the node [(]--nodelist[)], gets no other, and starts when the node is available"
sleep 3
check "in an hour they are back: nobody is told anything" \
	contract_says "$later" 'on=n\[1-4\] *$'
also=$(book $user_b $((t + 600)) -N4)
check "and can be booked for then, with one on which a job runs until before" booked "$also"
soonest=$(job $user_b 1 --book=asap --time=1 -N1 -w n2)
check "as soon as can be is behind the job's end and the reboot" booked "$soonest"
behind() {
	local start
	start=$(contract "$soonest" | grep -oE ' start=[^ ]*' | cut -d= -f2)
	start=$(date -d "$start" +%s)
	[ "$start" -ge $((EPOCHSECONDS + 1100)) ] && [ "$start" -le $((EPOCHSECONDS + 2000)) ] ||
		{ contract "$soonest"; return 1; }
}
check "and not much later" behind

# Back: as slurmd says it after a boot.
for node in "$on" n3; do
	kill "$(cat "$cluster/run/node-$node.pid")"
	wait_for 10 eval "! kill -0 $(cat "$cluster/run/node-$node.pid") 2>/dev/null"
	node_start "$node" -N "$node" -b
done
back() {
	sinfo -h -N -n "$1" -o %T | grep -qxE "idle|reserved" ||
		{ sinfo -h -N -o '%N %T %E'; return 1; }
}
check "they are back" wait_for 30 back "$on"
check "both" wait_for 30 back n3
check "who was told is told that, too" wait_for 10 contract_says "$soon" ' on=n3 *$'
check "what is booked stands" contract_says "$later" 'on=n\[1-4\] *$'
# One that Slurm gives up is down.
scontrol update nodename="$on" state=down reason=test
check "a node that is down is told of at any distance" \
	wait_for 10 contract_says "$later" "a node that is down or drained is in the way now"
