# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Nodes that are lost for seconds: weeks before its start nobody has less for it, and
# within OutageNotice what was lost comes back with the node.
# Takes 240 s.
printf '%s\n' JournalKeep=1d >"$folder/rspb.conf"
cluster_up --nodes 8 --rspb-conf "$folder/rspb.conf" || exit 1

# on JOB: the names of its nodes
on() {
	scontrol show hostnames "$(contract "$1" | grep -oE ' on=[^ ]+' | cut -d= -f2)"
}
first_of() {
	on "$1" | head -n 1
}
# out STATE NODE...: lost from now on; back NODE...: they serve again
out() {
	scontrol update nodename="$(IFS=,; echo "${*:2}")" state="$1" reason=test
}
answers() {
	! sinfo -h -N -n "$1" -o %T | grep -F '*'
}
back() {
	local node
	scontrol update nodename="$(IFS=,; echo "$*")" state=resume
	for node; do
		wait_for 20 answers "$node"
	done
}
# has JOB NODES: granted of asked
has() {
	contract_says "$1" " booked .* nodes=$2 " && is_booking "$1" booked
}
# clear JOB...: nothing is in their way
clear() {
	local j
	for j; do
		! contract "$j" | grep 'in the way' || return 1
	done
}
warned() {
	contract_says "$1" 'reason=a node that is down or drained is in the way now'
}
# as_granted: each booking has the nodes that it was granted first, and nothing is said
# of any other.
as_granted() {
	has "$rigid" 2/2 && has "$soft" 3/3 && has "$range" 3/3 &&
		clear "$rigid" "$soft" "$range"
}
# fill START: three bookings of all eight nodes, the last of the least priority
fill() {
	rigid=$(book $user_a "$1" -N2)
	check "a rigid booking" booked "$rigid"
	soft=$(book $user_b "$1" -N3 --benefit=linear:25%)
	check "one with a benefit function" booked "$soft"
	range=$(book $user_b "$1" -N1-3)
	check "one of a range of nodes" booked "$range"
	check "all nodes are booked" as_granted
}

note "ten days ahead"
t=$(ahead 864000)
fill "$t"
for state in down drain; do
	for j in "$rigid" "$soft" "$range"; do
		lost=$(first_of "$j")
		out "$state" "$lost"
		check "$state: its owner is warned" wait_for 10 warned "$j"
		sleep 2
		back "$lost"
		check "$state: then all have what they had" wait_for 20 as_granted
	done
done
told=$(grep -c "booking $rigid: a node that is down or drained" "$cluster/log/slurmctld.log")
check "each outage is told once" [ "$told" = 2 ]
four=("$(first_of "$rigid")" "$(first_of "$soft")" "$(on "$soft" | tail -n 1)"
	"$(first_of "$range")")
out drain "${four[@]}"
check "four nodes at once" wait_for 10 eval 'warned "$rigid" && warned "$soft" && warned "$range"'
check "the warning says what happens" contract_says "$soft" \
	'waits for it, or gets another node, until 1h before its start'
sleep 4
back "${four[@]}"
check "cost nobody anything" wait_for 20 as_granted

note "restarts meanwhile"
out drain "${four[@]}"
check "they are warned" wait_for 10 warned "$soft"
ctld_stop KILL
ctld_start
sleep 4
check "slurmctld killed takes nothing away" has "$soft" 3/3
check "nor from others" eval 'has "$rigid" 2/2 && has "$range" 3/3'
back "${four[@]}"
check "all have what they had" wait_for 20 as_granted

note "free nodes take the place of lost ones at any time"
as $user_b scancel "$range"
lost=$(first_of "$soft")
out down "$lost"
# A late answer to the restart brings a node back (ReturnToService=2): out once more then.
elsewhere() {
	has "$soft" 3/3 && ! on "$soft" | grep -qx "$lost" && return
	sinfo -h -n "$lost" -o %T | grep -q down || out down "$lost"
	return 1
}
check "one is replaced" wait_for 10 elsewhere
check "with a word of it" contract_says "$soft" 'reason=other nodes: a node .* was in the way'
back "$lost"
as $user_a scancel "$rigid"
as $user_b scancel "$soft"

note "within the notice"
# regained JOB: how often its owner was told that it has more again
regained() {
	grep -c "booking $1: .*more of what it had before an outage" "$cluster/log/slurmctld.log"
}
is_back() {
	contract_says "$soft" 'nodes=3/3 .*reason=more of what it had before an outage'
}
t=$(ahead 2400)
fill "$t"
lost=$(first_of "$soft")
out drain "$lost"
check "a booking with a benefit function has less" wait_for 10 has "$soft" 2/3
check "others have what they had" eval 'has "$rigid" 2/2 && has "$range" 3/3'
check "its contract says what comes back" contract_says "$soft" ' had=3 outage=20'
back "$lost"
check "it has all of it when its node is back" wait_for 20 has "$soft" 3/3
check "and is told why" is_back
check "nothing is missing any more" eval '! contract "$soft" | grep -E " (had|outage)="'
lost=$(first_of "$range")
out down "$lost"
check "one of a range of nodes has less" wait_for 10 has "$range" 2/3
back "$lost"
check "and all of it, too" wait_for 20 has "$range" 3/3
four=("$(on "$soft" | paste -sd' ' | cut -d' ' -f1)" "$(on "$soft" | tail -n 1)"
	"$(on "$range" | head -n 1)" "$(on "$range" | tail -n 1)")
out drain "${four[0]}"
check "it happens to one first" wait_for 10 has "$soft" 2/3
out drain "${four[@]:1}"
check "then to both" wait_for 10 eval 'has "$soft" 1/3 && has "$range" 1/3'
ctld_stop
ctld_start
check "the next slurmctld knows it" wait_for 10 contract_says "$soft" ' had=3 outage=20'
back "${four[0]}"
check "who was hit first has a node first" wait_for 20 has "$soft" 2/3
check "the other one has none" has "$range" 1/3
back "${four[@]:1}"
check "with all nodes back all have what they had" wait_for 30 as_granted
check "the job is as large" grep -E 'NumNodes=3' <<<"$(scontrol -o show job "$soft")"
sleep 3
check "once is enough" [ "$(regained "$range")" -le 3 ]
check "the journal decides the same" decides_the_same 3
as $user_a scancel "$rigid"
as $user_b scancel "$soft" "$range"

note "a booking that is given up for one that lost its node"
rebooked() {
	has "$low" 3/3 && [ "$(field "$low" Priority)" != 0 ]
}
t=$(ahead 2400)
high=$(book $user_a "$t" -N5)
check "a rigid booking" booked "$high"
low=$(book $user_b "$t" -N3)
check "one of less priority" booked "$low"
lost=$(first_of "$high")
out drain "$lost"
check "gives way" wait_for 15 is_booking "$low" declined
check "for the other" has "$high" 5/5
check "its contract says since when" contract_says "$low" ' outage=20'
# what slurmctld has saved counts for the next one
ctld_stop
ctld_start
sleep 4
check "without room it stays so" is_booking "$low" declined
back "$lost"
check "when the node is back it has its booking again" wait_for 30 rebooked
check "on time" contract_says "$low" "start=$(date -u -d "@$t" +%FT%TZ)"
check "nothing is missing any more" eval '! contract "$low" | grep " outage="'
check "the other one keeps its own" has "$high" 5/5
as $user_a scancel "$high"
as $user_b scancel "$low"

note "a share that is given up for one that lost its node"
t=$(ahead 2400)
high=$(book $user_a "$t" -N7)
check "a rigid booking" booked "$high"
low=$(book $user_b "$t" -p shared -N1 --cpu-share=30%)
check "a share of the last node" booked "$low"
lost=$(first_of "$high")
out drain "$lost"
check "the share gives way" wait_for 15 is_booking "$low" declined
check "its contract says since when" contract_says "$low" ' outage=20'
back "$lost"
share_back() {
	contract_says "$low" ' booked .* share=30%' && [ "$(field "$low" Priority)" != 0 ]
}
check "when the node is back it has its share again" wait_for 30 share_back
as $user_a scancel "$high"
as $user_b scancel "$low"

note "the order of those with less and those without a booking"
t=$(ahead 2400)
rigid=$(book $user_a "$t" -N4)
check "a rigid booking" booked "$rigid"
soft=$(book $user_a "$t" -N2-3)
check "one of a range of nodes" wait_for 10 has "$soft" 3/3
low=$(book $user_b "$t" -N1)
check "one of least priority" booked "$low"
first=$(first_of "$soft") second=$(first_of "$rigid")
out drain "$first"
check "the range has less" wait_for 15 has "$soft" 2/3
sleep 1.1
out drain "$second"
check "the least is given up for the rigid one" wait_for 15 is_booking "$low" declined
check "the rigid one has its nodes" has "$rigid" 4/4
sleep 1
back "$first"
check "the range, which was hit first, has all first" wait_for 30 has "$soft" 3/3
sleep 2
check "the least has none yet" is_booking "$low" declined
back "$second"
low_back() {
	has "$low" 1/1 && [ "$(field "$low" Priority)" != 0 ]
}
check "and is booked with the second node" wait_for 30 low_back
as $user_a scancel "$rigid" "$soft"
as $user_b scancel "$low"
soft=$(book $user_a "$t" -N2-3)
check "one of a range of nodes asks first" wait_for 10 has "$soft" 3/3
rigid=$(book $user_a "$t" -N4)
check "then a rigid one" booked "$rigid"
low=$(book $user_b "$t" -N1)
check "and one of least priority" booked "$low"
first=$(first_of "$rigid") second=$(first_of "$soft")
out drain "$first"
check "the least is given up first" wait_for 15 is_booking "$low" declined
sleep 1.1
out drain "$second"
check "then the range has less" wait_for 15 has "$soft" 2/3
back "$first"
check "the least is booked first" wait_for 30 low_back
check "the range has less still" has "$soft" 2/3
back "$second"
check "and has all with the second node" wait_for 30 has "$soft" 3/3
as $user_a scancel "$rigid" "$soft"
as $user_b scancel "$low"

note "a shorter notice"
printf '%s\n' JournalKeep=1d OutageNotice=10m ReserveAhead=620s >"$cluster/etc/rspb.conf"
reconfigure
t=$(ahead 640)
soft=$(book $user_b "$t" -N8 --benefit=linear:25%)
check "a booking" booked "$soft"
check "of all nodes" has "$soft" 8/8
lost=$(first_of "$soft")
out drain "$lost"
check "is warned" wait_for 10 warned "$soft"
check "and has all of it" has "$soft" 8/8
reserved() {
	scontrol -o show reservation "rspb_$soft"
}
check "it gets its reservation" wait_for 30 reserved
sleep 1
check "and the warning stays in its contract" warned "$soft"
sleep_until $((t - 602))
check "has less from ten minutes before its start on" wait_for 8 has "$soft" 7/8
back "$lost"
