# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Nodes that come and go while bookings stand.
# Jobs are not over while there is a file `hold`.
# Takes 125 s.
cat >"$folder/epilog" <<JOB
#!/bin/sh
while [ -e "$folder/hold" ]; do sleep 0.1; done
JOB
chmod 755 "$folder/epilog"
# quickstart starts a slurmd for each node that it finds in its own file.
cat >"$folder/future.conf" <<CONF
NodeName=u[1-4] CPUs=4 RealMemory=4000 NodeHostname=localhost NodeAddr=127.0.0.1 Port=[20-23] State=FUTURE
CONF
printf '%s\n' 'MaxNodeCount=100' "Epilog=$folder/epilog" \
	"Include $folder/future.conf" >"$folder/slurm.conf"
cluster_up --nodes 4 --conf "$folder/slurm.conf" || exit 1

PATH=$cluster/rspb/bin:$PATH
t=$(ahead 110)
one=$(book $user_a "$t" -N2)
check "a booking" booked "$one"
where() {
	scontrol -o show reservation "rspb_$1" | sed 's/.* Nodes=\([^ ]*\).*/\1/'
}
kept() {
	check "$1: it stands" booked "$one"
	check "$1: on its nodes" grep -xF 'n[1-2]' <<<"$(where "$one")"
}

note "one that scontrol creates"
check "a node more" scontrol create nodename=d1 CPUs=4 RealMemory=4000 \
	NodeHostname=localhost NodeAddr=127.0.0.1 Port=9 State=CLOUD
seen() {
	[ "$(grep -c 'rspb: ledger for' "$cluster/log/slurmctld.log")" -gt "$1" ]
}
check "the agent sees it within seconds" wait_for 5 seen 1
kept "with a node more"
there=$(book $user_b "$t" -w d1)
check "the new one can be booked" booked "$there"
as $user_b scancel "$there"
check "and given back" wait_for 10 gone "$there"
check "and is deleted again" wait_for 20 scontrol delete nodename=d1
check "the agent sees that, too" wait_for 5 seen 2
kept "with a node less"

note "places that no node is in, and nodes to come, are no nodes"
sed -i 's/rspb_MaxNodes=0/rspb_MaxNodes=50%/' "$SLURM_CONF"
check "a limit is set" reconfigure
settled() {
	rspb check | grep "for $1 nodes\$"
}
check "there are four" wait_for 10 settled 4
check "of which a half is two" refused '3 nodes are more than the 2 .*MaxNodes' \
	as $user_a sbatch --book -N3 --time=1 --begin="$(slurm_time "$t")" --wrap true
counted() {
	[ "$(rspb stats --json | jq .stats.nodes)" = 4 ]
}
check "figures say so" wait_for 5 counted
drawn() {
	rspb timeline --json >"$out/drawn" && jq -ce '.nodes == ["n1", "n2", "n3", "n4"] and
		.bookings[0].on == "0-1" and .others == []' "$out/drawn" || {
		cat "$out/drawn"
		return 1
	}
}
check "and the calendar" wait_for 5 drawn
more() {
	scontrol update nodename=u1 state="$1" reason=test && wait_for 5 settled "$2"
}
check "one that has come is one" more down 5
check "and is to come again" more future 4
kept "without it"
sed -i 's/rspb_MaxNodes=50%/rspb_MaxNodes=0/' "$SLURM_CONF"

note "one that registers itself"
# at SlurmdPort: the last of the row of ports that quickstart keeps free
port=$(sed -n 's/^SrunPortRange=[0-9]*-//p' "$SLURM_CONF")
sed -i "s/^\(SrunPortRange=[0-9]*-\).*/\1$((port - 1))\nSlurmdPort=$port/" \
	"$SLURM_CONF"
check "its port is known" reconfigure
before=$(grep -c 'rspb: ledger for' "$cluster/log/slurmctld.log")
node_start z1 -Z -N z1 --conf "CPUs=4 RealMemory=4000 Features=self"
is_idle() {
	scontrol -o show node z1 | grep ' State=IDLE'
}
check "it is there" wait_for 10 is_idle
check "the agent sees it, too" wait_for 5 seen "$before"
kept "with that one"
at=$(ahead 15)
own=$(job $user_b 1 --book --begin="$(slurm_time "$at")" --time=1 -C self -N1)
check "it can be booked" booked "$own"
check "it starts there on its second" starts_at "$own" "$at"
check "and ends" wait_for 20 ended "$own"
check "on that node" grep -F z1 "$out/ran.$own"
own=$(book $user_b $((t + 3600)) -C self)
check "once more" booked "$own"
kill "$(cat "$cluster/run/node-z1.pid")"
check "it is deleted" wait_for 20 scontrol delete nodename=z1
# it was decided again, as no other node would do
check "and what was booked there is not any more" wait_for 10 is_booking "$own" declined
as $user_b scancel "$own"
kept "without it"

note "nodes that slurm.conf has from the next start on"
check "slurmctld stops" ctld_stop
sed -i '/^NodeName=n\[/i NodeName=a[1-2] CPUs=4 RealMemory=4000 NodeHostname=localhost NodeAddr=127.0.0.1 Port=[9-10]' \
	"$cluster/etc/slurm.conf"
check "and starts with two more, before the others" ctld_start
kept "with all renumbered"
full=$(book $user_b "$t" -w n2)
# the two never answer, and requests wait for them as long as 30 s
wait_for 35 decided "$full"
check "its nodes are taken" declined "$full"
as $user_b scancel "$full"
check "it starts on its second" starts_at "$one" "$t"
on_nodes() {
	wait_for 10 ended "$one" && grep -F 'n[1-2]' "$out/ran.$one"
}
check "where it was booked" on_nodes
check "nothing is left over" wait_for 20 nothing_left

note "a node that is not clean at a start, and then is drained"
touch "$folder/hold"
before=$(job $user_b 1 --time=1 -w "n[1-4]")
check "an ordinary job has ended on all nodes" wait_for 40 ended "$before"
t=$(ahead 20)
late=$(job $user_a 3 --book --begin="$(slurm_time "$t")" --time=2 -N1 \
	-x "a[1-2]")
check "a booking" booked "$late"
dirty=$(where "$late")
sleep_until $((t + 3))
check "it cannot start there" is_booking "$late" booked
scontrol update nodename="$dirty" state=drain reason=test
rm "$folder/hold"
check "it starts on another node, in what is left of its window" \
	wait_for 30 began "$late"
check "where it is booked now" [ "$(where "$late")" != "$dirty" ]
ends_in_time() {
	wait_for 20 ended "$late" &&
		[ "$(granted "$late" end)" -le $((t + 120)) ]
}
check "and ends when it was to" ends_in_time
# One that is resumed is silent until it has registered, for which Slurm waits
# until all others, here two that never will, have been asked.
answers() {
	! sinfo -h -N -n "$1" -o %T | grep -F '*'
}
scontrol update nodename="$dirty" state=resume
check "the node answers again" wait_for 30 answers "$dirty"
check "nothing is left over" wait_for 20 nothing_left

note "half of a pair's nodes, back within the second of its start"
t=$(ahead 12)
pair=$(job $user_a 1 --book --begin="$(slurm_time "$t")" --time=1 -N1 -w n1 : \
	--time=1 -N1 -w n2)
check "a pair of components" booked "$pair"
sleep_until $((t - 1))
sleep 0.5
scontrol update nodename=n2 state=drain reason=test
sleep_until "$t"
sleep 0.2
check "its first half has been put back" [ ! -e "$out/ran.$pair" ]
scontrol update nodename=n2 state=resume
check "it starts" wait_for 30 began "$pair"
check "and runs: no node takes a credential for a revoked one" \
	wait_for 10 ended "$pair"
check "whole" [ -s "$out/ran.$pair" ]
check "nothing is left over" wait_for 20 nothing_left
