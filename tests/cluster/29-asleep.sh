# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Nodes that sleep to save power are woken in time for what is booked on them,
# and nothing new begins there before they can be awake. Takes 70 s.
cat >"$folder/slurm.conf" <<TEXT
SuspendProgram=/bin/true
ResumeProgram=$folder/resume
SuspendTime=3600
SuspendTimeout=2
ResumeTimeout=20
NodeName=n[1-3] CPUs=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=60
TEXT
cat >"$folder/resume" <<TEXT
#!/bin/sh
echo "\$(date +%s) \$1" >>$folder/resumed
TEXT
chmod 755 "$folder/resume"
: >"$folder/resumed"
chmod 666 "$folder/resumed"
cluster_up --conf "$folder/slurm.conf" || exit 1

node_is() {
	scontrol -o show node "$1" | grep -qE " State=[^ ]*$2"
}
resumed() {
	grep -q "$1" "$folder/resumed"
}
note "nodes that sleep"
for node in n2 n3; do
	kill "$(cat "$cluster/run/node-$node.pid")"
	scontrol update nodename=$node state=power_down
done
check "one sleeps" wait_for 25 node_is n2 POWERED_DOWN
check "and another" wait_for 25 node_is n3 POWERED_DOWN
soon=$(book $user_a "$(ahead 5)" -w n3)
check "nothing begins there before it can be awake" declined "$soon"
awake=$(book $user_a "$(ahead 5)" -w n1)
check "a node that is awake is another matter" booked "$awake"
t=$(ahead 100)
later=$(book $user_b "$t" -w n2)
check "a booking for later" booked "$later"
asked=$EPOCHSECONDS
now=$(job $user_a 1 --book=asap --time=1 -w n3)
check "as soon as possible is when it can be awake" booked "$now"
began=$(date -d "$(field "$now" StartTime)" +%s)
check "which is 20 s away at least" [ "$began" -ge $((asked + 20)) ]
check "it is woken in time" wait_for 15 resumed n3
# booted behind the second in which Slurm asked for it
sleep 2
node_start n3 -N n3 -b
check "it is awake" wait_for 15 node_is n3 IDLE
check "and the booking starts on its second" starts_at "$now" "$began"
sleep_until $((t - 62))
if resumed n2; then woken=early; else woken=no; fi
check "the other one was not woken long before" [ $woken = no ]
check "but in time" wait_for 15 resumed n2
check "which is before its start" [ $EPOCHSECONDS -le $((t - 12)) ]
sleep 2
node_start n2 -N n2 -b
check "that one starts on its second, too" starts_at "$later" "$t"
as $user_a scancel "$awake"
