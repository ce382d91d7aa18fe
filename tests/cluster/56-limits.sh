# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Limits of QOS and accounts on what runs at a time count over windows: what
# is booked then, and what runs into them. Takes 50 s.
has_accounting
cluster_up --nodes 6 || exit 1
# shellcheck source=tests/cluster/accounting.sh
. "$RSPB_TOP/tests/cluster/accounting.sh"
accounts() {
	sacctmgr -i add cluster rspb &&
		sacctmgr -i add account physics &&
		sacctmgr -i add user $user_a account=physics &&
		sacctmgr -i add user $user_b account=physics
}
check "accounts and users are made" accounts
check "slurmctld starts with them" ctld_start

# limit WHAT...: of sacctmgr, until slurmctld knows.
limit() {
	sacctmgr -i modify "$@" >/dev/null && sleep 1
}
says() {
	contract "$1" | grep -qE -- "$2" || { contract "$1"; return 1; }
}
granted() {
	says "$1" "nodes=$2"
}
drop() {
	scancel "$@"
	wait_for 10 no_reservations
}

t=$(ahead 600)
note "jobs of a user"
limit qos normal set MaxJobsPerUser=1
one=$(book $user_a "$t" -N1)
two=$(book $user_a "$t" -N1)
other=$(book $user_b "$t" -N1)
check "one booking of each user" booked "$one" "$other"
check "a second one in the same window is declined" declined "$two"
check "the limit is named, and what is held" says "$two" \
	'MaxJobsPerUser=1 of QOS normal, of which 1 is booked or running'
check "an offer is a time at which it may run" says "$two" 'on offer: 1 node'
beside=$(book $user_a "$((t + 30))" -N1)
check "one that overlaps only in part is declined, too" declined "$beside"
after=$(book $user_a "$((t + 60))" -N1)
check "one that begins when the first ends is booked" booked "$after"
range=$(as $user_a sbatch --parsable -o /dev/null --book --time=1 -N1 \
	--begin="$(slurm_time "$t")" --deadline="$(slurm_time $((t + 600)))" \
	--wrap true)
check "one with a range of starts is booked" booked "$range"
check "behind the two" says "$range" \
	"start=$(date -u -d "@$((t + 120))" +%Y-%m-%dT%H:%M)"
drop "$one" "$two" "$other" "$beside" "$after" "$range"

note "what runs"
running=$(as $user_a sbatch --parsable -o /dev/null --time=15 --wrap 'sleep 600')
check "an ordinary job runs into the window" wait_for 20 is_state "$running" \
	RUNNING
one=$(book $user_a "$t" -N1)
check "a booking beside it is declined" declined "$one"
check "for the limit" says "$one" 'MaxJobsPerUser=1 of QOS normal, of which 1'
after=$(book $user_a "$((t + 600))" -N1)
check "one after its time limit is booked" booked "$after"
drop "$running" "$one" "$after"

note "nodes and CPUs"
limit qos normal set MaxJobsPerUser=-1 MaxTRESPerUser=node=3
one=$(book $user_a "$t" -N2)
check "two of three nodes are booked" booked "$one"
two=$(book $user_a "$t" -N2)
check "two more are declined" declined "$two"
check "for the limit on nodes" says "$two" \
	'MaxTRESPerUser=node=3 of QOS normal, of which 2 are .* would add 2'
range=$(book $user_a "$t" -N1-3)
check "a range of nodes gets what is left" booked "$range"
check "which is one" granted "$range" 1/3
drop "$one" "$two" "$range"
cpus=$(scontrol -o show node n1 | sed 's/.* CPUTot=\([0-9]*\).*/\1/')
limit qos normal set MaxTRESPerUser=node=-1
limit account physics set GrpTRES=cpu=$((cpus * 3))
one=$(book $user_a "$t" -N2)
two=$(book $user_b "$t" -N2)
check "of an account, the first that came is booked" booked "$one"
check "the other user of it is declined" declined "$two"
check "for the account's CPUs" says "$two" 'GrpTRES=cpu=.* of account physics'
drop "$one" "$two"
limit account physics set GrpTRES=cpu=-1 GrpJobs=1

note "limits that are lowered afterwards"
limit account physics set GrpJobs=-1
one=$(book $user_a "$t" -N1)
two=$(book $user_a "$t" -N1)
three=$(book $user_b "$t" -N1)
check "without limits all are booked" booked "$one" "$two" "$three"
limit qos normal set MaxJobsPerUser=1
check "the owner of the one too many is told" wait_for 20 says "$two" \
	'booked .*cannot start: MaxJobsPerUser=1 of QOS normal, of which 1'
check "with an offer" says "$two" 'on offer: 1 node'
nobody_else() {
	! says "$one" MaxJobsPerUser >/dev/null
}
check "nobody else is" nobody_else
check "and it is in the log" grep "booking $two: it cannot start: MaxJobs" \
	"$cluster/log/slurmctld.log"
as $user_a scancel "$one"
well() {
	! says "$two" MaxJobsPerUser >/dev/null
}
check "when there is room, it is taken back" wait_for 20 well
drop "$two" "$three"
limit qos normal set MaxJobsPerUser=-1
limit account physics set GrpJobs=1

note "starts"
t=$(ahead 12)
one=$(book $user_a "$t" -N1)
two=$(as $user_b sbatch --parsable -o /dev/null --book --time=1 -N1 \
	--begin="$(slurm_time "$t")" --deadline="$(slurm_time $((t + 600)))" \
	--wrap true)
check "two of an account that runs one job are booked" booked "$one" "$two"
check "the first starts on its second" starts_at "$one" "$t"
drop "$one" "$two"
