# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A co-reservation is booked whole or not at all, whichever of its parts cannot
# be: when it is decided, when Slurm is asked about it, when it is changed.
# Takes 45 s.
has_accounting
cat >"$folder/slurm.conf" <<'TEXT'
NodeName=n[1-4] CPUs=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
PartitionName=c1 Nodes=ALL MaxCPUsPerNode=1 DefaultTime=10 MaxTime=1-00:00:00
PartitionName=brief Nodes=ALL DefaultTime=1 MaxTime=5
TEXT
cluster_up --nodes 4 --conf "$folder/slurm.conf" || exit 1
# shellcheck source=tests/cluster/accounting.sh
. "$RSPB_TOP/tests/cluster/accounting.sh"
accounts() {
	sacctmgr -i add cluster rspb &&
		sacctmgr -i add account physics &&
		sacctmgr -i add qos small MaxTRESPerJob=cpu=2 &&
		sacctmgr -i add qos single GrpTRES=node=1 &&
		sacctmgr -i add user $user_a account=physics \
			qos=normal,small,single
}
check "accounts and users are made" accounts
check "slurmctld starts with them" ctld_start

# together PART... : a booking of these parts, each a word; its id.
together() {
	local words=() part
	for part in "$@"; do
		[ ${#words[@]} -eq 0 ] || words+=(:)
		# shellcheck disable=SC2206
		words+=(--book --begin="$(slurm_time "$t")" --time=2 $part)
	done
	as $user_a sbatch --parsable -o /dev/null "${words[@]}" job.sh 1
}
# Each component, by what its own record says.
states() {
	scontrol show job "$1" |
		sed -n 's/^ *AdminComment=[^ ]* \([^ ]*\).*/\1/p' | xargs
}
is_states() {
	[ "$(states "$1")" = "$2" ] || { scontrol show job "$1"; return 1; }
}
# whole TEXT PART PART: none of them is booked, and its owner is told why.
whole() {
	local j other
	j=$(together "${@:2}")
	check "$1: it is decided" wait_for 20 is_states "$j" "declined declined"
	check "$1: nothing is left of it in Slurm" no_reservations
	check "$1: each says why" [ "$(scontrol show job "$j" |
		grep -c "AdminComment=.* reason=")" -eq 2 ]
	other=$(book $user_a "$t" -N4)
	check "$1: its nodes are there for others" booked "$other"
	check "$1: and it asks for what it did" [ "$(field "$j" NumNodes)" = \
		"${asks:-1-1}" ]
	scancel "$j" "$other"
	wait_for 10 no_reservations
}

t=$(ahead 600)
note "Slurm would not start one of them"
whole "the first" "-N1 -n1 -c2 -p c1" "-N1"
whole "the second" "-N1" "-N1 -n1 -c2 -p c1"
asks=1-3 whole "the second, where the first would be fitted to a number of nodes" \
	"-N1-3" "-N1 -n1 -c2 -p c1"
three=$(together -N1 -N1 "-N1 -n1 -c2 -p c1")
check "the last of three" wait_for 20 is_states "$three" \
	"declined declined declined"
check "and it has no reservation" no_reservations
scancel "$three"

note "one of them breaks a QOS"
whole "the first" "-N1 --qos=small" "-N1"
whole "the second" "-N1" "-N1 --qos=small"
whole "the second, beside others" "-N1" "-N2 --qos=single"

note "changed"
good=$(together -N1 "-N1 -p brief")
check "both are booked" wait_for 20 is_states "$good" "booked booked"
before=$(scontrol -o show reservation | grep -v rspb_waiting |
	sed 's/ State=.*//')
is_as_before() {
	local is
	is=$(scontrol -o show reservation | grep -v rspb_waiting |
		sed 's/ State=.*//')
	[ "$is" = "$before" ] || { diff <(echo "$before") <(echo "$is"); return 1; }
	is_states "$good" "booked booked" &&
		[ "$(squeue -h -j "$good" -o %l | xargs)" = "2:00 2:00" ]
}
as_is() {
	! as $user_a rspb modify "$good" "$@" && is_as_before
}
check "longer than the second may be: as it was" as_is --time=10
scontrol update partitionname=brief nodes=n[1-2]
check "elsewhere, where only the first may go: as it was" \
	as_is --begin="$(slurm_time $((t + 60)))" --nodelist=n3,n4
scancel "$good"
check "nothing is left" nothing_left
