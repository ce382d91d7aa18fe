# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Limits of QOS count what a part of a node, or a share of its CPUs, takes, not the node.
# Takes 40 s.
has_accounting
cat >"$folder/slurm.conf" <<'CONF'
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
NodeName=n[1-3] CPUs=4 RealMemory=4000
NodeName=n4 CPUs=4 CoresPerSocket=2 ThreadsPerCore=2 RealMemory=4000
PartitionName=main Nodes=n[1-2] Default=YES DefaultTime=10 MaxTime=1-00:00:00
PartitionName=shared Nodes=n3 OverSubscribe=FORCE:8 MaxTime=60
PartitionName=threads Nodes=n4 DefaultTime=10 MaxTime=1-00:00:00
CONF
cluster_up --nodes 4 --conf "$folder/slurm.conf" || exit 1
# shellcheck source=tests/cluster/accounting.sh
. "$RSPB_TOP/tests/cluster/accounting.sh"
accounts() {
	sacctmgr -i add cluster rspb &&
		sacctmgr -i add account physics &&
		sacctmgr -i add user $user_a account=physics
}
check "accounts and users are made" accounts
check "slurmctld starts with them" ctld_start
# known LIMIT: slurmctld has it of the QOS.
known() {
	scontrol -o show assoc_mgr flags=qos | grep -q "$1"
}
limit() {
	sacctmgr -i modify qos normal set "$@" >/dev/null
}

t=$(ahead 900)
limit MaxTRESPerNode=cpu=2
check "slurmctld knows the most of a node" wait_for 10 known 'MaxTRESPN=cpu=2'
two=$(book $user_a "$t" -n2)
three=$(book $user_a "$t" -N1 -n3)
whole=$(book $user_a "$t" -N1 --exclusive)
check "a part of a node as large as that is booked" booked "$two"
check "and is a part" contract_says "$two" ' cores=2 '
near=$(book $user_a "$(ahead 300)" -n2)
check "one that begins soon is booked" booked "$near"
# What of it is not used is charged by this.
counted() {
	[ "$(mariadb --no-defaults --socket="$db/socket" -N slurm_acct_db -e \
		"SELECT tres FROM rspb_resv_table WHERE resv_name='rspb_$near'
		AND NOT deleted")" = 1=2 ]
}
check "accounting has its reservation as these cores" wait_for 15 counted
check "a larger one is declined" declined "$three"
check "its limit is named" contract_says "$three" 'MaxTRESPerNode=cpu=2 of QOS normal'
check "so is a whole node" declined "$whole"
limit MaxTRESPerNode=cpu=-1 MinTRESPerJob=cpu=2
check "slurmctld knows the least of a job" wait_for 10 known 'MinTRESPJ=cpu=2'
one=$(book $user_a "$t" -n1)
check "a part that is smaller is declined" declined "$one"
check "its limit is named, too" contract_says "$one" 'MinTRESPerJob=cpu=2 of QOS normal'
as $user_a scancel "$two" "$near" "$three" "$whole" "$one"
check "nothing is left" nothing_left

# share PCT START: its id.
share() {
	job $user_a 5 -p shared --mem=10 --book --time=1 \
		--begin="$(slurm_time "$2")" --cpu-share="$1"
}
limit MinTRESPerJob=cpu=-1 MaxTRESPerNode=cpu=2
check "slurmctld knows the most again" wait_for 10 known 'MaxTRESPN=cpu=2'
most=$(share 50 "$t") over=$(share 51 "$t")
check "a share counts as its part of the CPUs" booked "$most"
check "so that a larger one is declined" declined "$over"
as $user_a scancel "$most" "$over"
check "nothing is left of them" nothing_left
limit MaxTRESPerNode=cpu=-1 GrpTRES=cpu=3
check "slurmctld knows the most of all" wait_for 10 known 'GrpTRES=cpu=3('
one=$(book $user_a "$t" -p threads -n1)
over=$(book $user_a "$t" -p threads -n1)
check "a task on a core with two threads is booked" booked "$one"
check "it counts as both, as Slurm gives whole cores, so that a second one is declined" \
	declined "$over"
as $user_a scancel "$one" "$over"
check "nothing is left of both" nothing_left
t=$(ahead 15)
most=$(share 50 "$t") next=$(share 25 "$t") over=$(share 10 "$t")
check "shares count together as their parts" booked "$most" "$next"
check "no more" declined "$over"
check "and its limit is named" contract_says "$over" 'GrpTRES=cpu=3 of QOS normal'
check "the first starts on its second" starts_at "$most" "$t"
check "so does the next, which Slurm lets" starts_at "$next" "$t"
as $user_a scancel "$over"
check "nothing is left at the end" wait_for 30 nothing_left
