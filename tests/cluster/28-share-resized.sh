# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What Slurm counts of a share of several nodes of different sizes: all the while, also
# when it loses a node or gets another share as it runs, within the site's limits. Takes 50 s.
cat >"$folder/slurm.conf" <<'CONF'
SelectTypeParameters=CR_Core_Memory
DefMemPerNode=300
NodeName=n1 CPUs=4 RealMemory=8000
NodeName=n2 CPUs=8 RealMemory=8000
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=60
PartitionName=shared Nodes=ALL OverSubscribe=FORCE:16 DefaultTime=10 MaxTime=60
CONF
echo Rule=all MaxAheadPerUser=65s >"$folder/rspb.conf"
cluster_up --nodes 2 --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"

# share USER PCT START [options]: of both nodes, its id.
share() {
	job "$1" 90 -p shared --book --time=2 --begin="$(slurm_time "$3")" \
		--cpu-share="$2" -N2 --no-kill "${@:4}"
}

t=$(ahead 15)
a=$(share $user_a 50 "$t")
b=$(share $user_b 25 "$t")
check "two shares of two nodes are booked" booked "$a" "$b"
check "one starts on its second" starts_at "$a" "$t"
check "and the other" starts_at "$b" "$t"
check "each counts its share of both" counts_as "$a" cpu=6 billing=6 node=2
check "which is of twelve CPUs" counts_as "$b" cpu=3 billing=3 node=2

check "a share changes as it runs" as $user_b rspb modify "$b" --cpu-share=50
check "and counts as what it is now" wait_for 5 counts_as "$b" cpu=6 billing=6 node=2

scontrol update nodename=n2 state=down reason=test
check "one of the nodes fails" wait_for 10 counts_as "$a" node=1
check "its share counts of the one that is left" counts_as "$a" cpu=2 billing=2
check "the other's, too" wait_for 5 counts_as "$b" node=1 cpu=2 billing=2
check "they run on" is_state "$a" RUNNING
check "both" is_state "$b" RUNNING
# What Slurm has not saved yet, it forgets.
changed=$EPOCHSECONDS
saved() {
	[ "$(stat -c %Y "$cluster/state/job_state")" -gt "$changed" ]
}
wait_for 15 saved >/dev/null
ctld_stop KILL
ctld_start
check "slurmctld killed counts as before" wait_for 20 counts_as "$a" cpu=2 billing=2 node=1
check "both of them" counts_as "$b" cpu=2 billing=2 node=1
as $user_a scancel "$a"
as $user_b scancel "$b"
scontrol update nodename=n2 state=resume
c=$(share $user_b 25 "$(ahead 3600)")
check "a share for later is booked" booked "$c"
larger() {
	as $user_b rspb modify "$c" --cpu-share="$1"
}
check "it cannot become more than a user may book" says 1 MaxAheadPerUser larger 100
check "and is as it was" contract_says "$c" ' share=25% '
check "less than that is no more than allowed" larger 50
as $user_b scancel "$c"
check "nothing is left" wait_for 30 nothing_left
# What Slurm takes off of one that loses a node are all of its CPUs; that is put right.
check "Slurm counts no CPU twice" \
	bash -c '! grep -E "cpu_cnt underflow|overallocated|underallocated" "$1"' _ \
	"$cluster/log/slurmctld.log"
