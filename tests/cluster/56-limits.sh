# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Limits of QOS and accounts on what runs at a time count over windows: what
# is booked then, and what runs into them. Takes 130 s.
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
	was=$(limits)
	sacctmgr -i modify "$@" >/dev/null && wait_for 5 changed
	pause 0.5
}
# Without what is used of them.
limits() {
	scontrol -o show assoc_mgr flags=qos,assoc | sed 's/([^)]*)//g'
}
changed() {
	[ "$(limits)" != "$was" ]
}
granted() {
	contract_says "$1" "nodes=$2"
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
check "the limit is named, and what is held" contract_says "$two" \
	'MaxJobsPerUser=1 of QOS normal, of which 1 is booked or running'
check "an offer is a time at which it may run" contract_says "$two" 'on offer: 1 node'
beside=$(book $user_a "$((t + 30))" -N1)
check "one that overlaps only in part is declined, too" declined "$beside"
after=$(book $user_a "$((t + 60))" -N1)
check "one that begins when the first ends is booked" booked "$after"
range=$(as $user_a sbatch --parsable -o /dev/null --book --time=1 -N1 \
	--begin="$(slurm_time "$t")" --deadline="$(slurm_time $((t + 600)))" \
	--wrap true)
check "one with a range of starts is booked" booked "$range"
check "behind the two" contract_says "$range" \
	"start=$(date -u -d "@$((t + 120))" +%Y-%m-%dT%H:%M)"
drop "$one" "$two" "$other" "$beside" "$after" "$range"

note "what runs"
running=$(as $user_a sbatch --parsable -o /dev/null --time=15 --wrap 'sleep 600')
check "an ordinary job runs into the window" wait_for 20 is_state "$running" \
	RUNNING
one=$(book $user_a "$t" -N1)
check "a booking beside it is declined" declined "$one"
check "for the limit" contract_says "$one" 'MaxJobsPerUser=1 of QOS normal, of which 1'
after=$(book $user_a "$((t + 600))" -N1)
check "one after its time limit is booked" booked "$after"
moved() {
	as $user_a "$cluster/rspb/bin/rspb" modify "$after" \
		--begin="$(slurm_time "$1")" 2>&1
}
check "which cannot be moved beside it" grep 'MaxJobsPerUser=1 of QOS normal' \
	<(moved "$t")
check "and is where it was" contract_says "$after" \
	"start=$(date -u -d "@$((t + 600))" +%Y-%m-%dT%H:%M:%SZ)"
check "later it can be" moved $((t + 660))
drop "$one" "$after"

note "who has to move counts with what runs, too"
ends=$(date -d "$(field "$running" EndTime)" +%s)
# within USER SECONDS OPTIONS...: of one minute, somewhere before these are over.
within() {
	as "$1" sbatch --parsable -o /dev/null --book --time=1 \
		--deadline="$(slurm_time $((ends + $2)))" "${@:3}" --wrap true
}
limit qos normal set MaxJobsPerUser=-1
first=$(as $user_b sbatch --parsable -o /dev/null --book --time=1 -N1 \
	--begin="$(slurm_time $((ends - 420)))" --wrap true)
behind=$(within $user_a 1200 -N1 --dependency=afterok:"$first")
check "one is booked behind another" booked "$first" "$behind"
# behind_it JOB: it begins when that is over.
behind_it() {
	local at
	at=$(contract "$1" | grep -oE ' start=[^ ]+')
	[ "$(date -d "${at#*=}" +%s)" -ge "$ends" ] ||
		{ contract "$1"; return 1; }
}
before_it() {
	! behind_it "$1" >/dev/null
}
check "before what runs is over" before_it "$behind"
limit qos normal set MaxJobsPerUser=1
check "it could not start there now" wait_for 20 contract_says "$behind" 'MaxJobsPerUser=1'
check "the other takes longer" as $user_b "$cluster/rspb/bin/rspb" modify \
	"$first" --time=3
check "then it goes behind what runs" wait_for 20 behind_it "$behind"
drop "$first" "$behind"
lost=$(within $user_a 600 -N1)
check "one with a range of starts is booked" booked "$lost"
check "behind what runs" behind_it "$lost"
window=$(contract "$lost" | grep -oE 'start=[^ ]* end=[^ ]*')
node=$(contract "$lost" | sed 's/.* on=\([^ ]*\).*/\1/')
scontrol create reservation reservationname=wall users=root flags=ignore_jobs \
	nodes="$(sinfo -h -N -p main -o %N | grep -vx "$node" | paste -sd,)" \
	starttime="$(slurm_time "$ends")" duration=15 >/dev/null
scontrol update nodename="$node" state=drain reason=test
in_the_way() {
	grep "booking $lost: .*is in the way now" "$cluster/log/slurmctld.log"
}
check "its node is drained, which is seen" wait_for 20 in_the_way
check "it is not moved beside what runs" \
	contract_says "$lost" "booked ${window/ /.*}"
scontrol update nodename="$node" state=resume
scontrol delete reservation wall
drop "$running" "$lost"

note "nodes and CPUs"
limit qos normal set MaxJobsPerUser=-1 MaxTRESPerUser=node=3
one=$(book $user_a "$t" -N2)
check "two of three nodes are booked" booked "$one"
two=$(book $user_a "$t" -N2)
check "two more are declined" declined "$two"
check "for the limit on nodes" contract_says "$two" \
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
check "for the account's CPUs" contract_says "$two" 'GrpTRES=cpu=.* of account physics'
drop "$one" "$two"
limit account physics set GrpTRES=cpu=-1 GrpJobs=1

note "limits that are lowered afterwards"
limit account physics set GrpJobs=-1
one=$(book $user_a "$t" -N1)
two=$(book $user_a "$t" -N1)
three=$(book $user_b "$t" -N1)
check "without limits all are booked" booked "$one" "$two" "$three"
limit qos normal set MaxJobsPerUser=1
check "the owner of the one too many is told" wait_for 20 contract_says "$two" \
	'booked .*cannot start: MaxJobsPerUser=1 of QOS normal, of which 1'
check "with an offer" contract_says "$two" 'on offer: 1 node'
nobody_else() {
	! contract_says "$one" MaxJobsPerUser >/dev/null
}
check "nobody else is" nobody_else
check "and it is in the log" grep "booking $two: it cannot start: MaxJobs" \
	"$cluster/log/slurmctld.log"
as $user_a scancel "$one"
well() {
	! contract_says "$two" MaxJobsPerUser >/dev/null
}
check "when there is room, it is taken back" wait_for 20 well
drop "$two" "$three"
limit qos normal set MaxJobsPerUser=-1
limit account physics set GrpJobs=1

note "starts"
t=$(ahead 25)
one=$(book $user_a "$t" -N1)
two=$(as $user_b sbatch --parsable -o /dev/null --book --time=1 -N1 \
	--begin="$(slurm_time "$t")" --deadline="$(slurm_time $((t + 600)))" \
	--wrap true)
check "two of an account that runs one job are booked" booked "$one" "$two"
check "the first starts on its second" starts_at "$one" "$t"
drop "$one" "$two"
limit account physics set GrpJobs=-1

note "limits on one job"
t=$(ahead 900)
limit qos normal set MinTRESPerJob=node=2
one=$(book $user_a "$t" -N1)
check "fewer nodes than a QOS wants: declined" declined "$one"
check "the limit is named" contract_says "$one" 'MinTRESPerJob=node=2 of QOS normal'
range=$(book $user_a "$t" -N1-3)
check "a range is fitted to it" booked "$range"
check "which is at least two" granted "$range" '[23]/3'
drop "$one" "$range"
limit qos normal set MinTRESPerJob=node=-1 MaxTRESPerNode=cpu=1
one=$(book $user_a "$t" -N1 --ntasks-per-node=2)
check "more of a node than a QOS lets a job have: declined" declined "$one"
check "that limit is named" contract_says "$one" 'MaxTRESPerNode=cpu=1 of QOS normal'
limit qos normal set MaxJobsPerUser=0
two=$(book $user_a "$t" -N1 --ntasks-per-node=2)
check "also where another limit keeps all waiting" declined "$two"
check "the one that stays is named" contract_says "$two" 'MaxTRESPerNode=cpu=1'
drop "$one" "$two"
limit qos normal set MaxTRESPerNode=cpu=-1 MaxJobsPerUser=-1

note "budgets"
limit account physics set GrpTRESMins=cpu=$((cpus * 1000))
used=$(sshare -n -P -A physics -o GrpTRESRaw 2>/dev/null | head -n 1)
limit account physics set GrpTRESMins=cpu=$((cpus * 20))
one=$(as $user_a sbatch --parsable -o /dev/null --book --time=10 -N1 \
	--begin="$(slurm_time "$t")" --wrap true)
check "half a budget is booked (used: ${used:-?})" booked "$one"
two=$(as $user_b sbatch --parsable -o /dev/null --book --time=15 -N1 \
	--begin="$(slurm_time $((t + 86400)))" --wrap true)
check "more than is left of it is declined, a day later" declined "$two"
check "the budget is named" contract_says "$two" \
	'GrpTRESMins=cpu=[0-9]* of account physics, of which [0-9]* are used or booked'
three=$(as $user_b sbatch --parsable -o /dev/null --book --time=5 -N1 \
	--begin="$(slurm_time "$t")" --wrap true)
check "less is booked" booked "$three"
drop "$one" "$two" "$three"
limit account physics set GrpTRESMins=cpu=-1 GrpWall=20
one=$(as $user_a sbatch --parsable -o /dev/null --book --time=10 -N2 \
	--begin="$(slurm_time "$t")" --wrap true)
two=$(as $user_b sbatch --parsable -o /dev/null --book --time=15 -N1 \
	--begin="$(slurm_time $((t + 600)))" --wrap true)
check "minutes of jobs are a budget, too" booked "$one"
check "of whatever width" declined "$two"
check "named so" contract_says "$two" 'GrpWall=20 of account physics'
drop "$one" "$two"
limit account physics set GrpWall=-1 GrpTRESRunMins=cpu=$((cpus * 20))
one=$(as $user_a sbatch --parsable -o /dev/null --book --time=15 -N1 \
	--begin="$(slurm_time "$t")" --wrap true)
two=$(as $user_b sbatch --parsable -o /dev/null --book --time=10 -N1 \
	--begin="$(slurm_time "$t")" --wrap true)
after=$(as $user_b sbatch --parsable -o /dev/null --book --time=10 -N1 \
	--begin="$(slurm_time $((t + 900)))" --wrap true)
check "minutes that are yet to run" booked "$one" "$after"
check "count at a time" declined "$two"
check "named as that" contract_says "$two" 'GrpTRESRunMins=cpu=[0-9]* of account physics'
drop "$one" "$two" "$after"
limit account physics set GrpTRESRunMins=cpu=-1
sed -i 's/^PartitionName=.*/& TRESBillingWeights=CPU=2.5/' "$SLURM_CONF"
reconfigure
limit account physics set GrpTRES=billing=$((cpus * 5 + 1))
one=$(book $user_a "$t" -N2)
two=$(book $user_b "$t" -N1)
check "what is billed counts by the partition's weights" booked "$one"
check "and no more of it is booked" declined "$two"
check "in what is billed" contract_says "$two" \
	"GrpTRES=billing=$((cpus * 5 + 1)) .*of which $((cpus * 5)) are"
drop "$one" "$two"
limit account physics set GrpTRES=billing=-1

note "what turns out at the start"
echo 'StartWithin=4s' >>"$cluster/etc/rspb.conf"
reconfigure
t=$(ahead 30)
one=$(book $user_a "$t" -N1)
check "a booking soon" booked "$one"
sleep_until $((t - 8))
limit account physics set GrpTRESMins=cpu=0
limit_named() {
	contract_says "$one" 'GrpTRESMins|AssocGrpCPUMinutes'
}
check "its owner is told, with the limit's name" wait_for 20 limit_named
given_back() {
	contract_says "$one" 'its nodes were released.*(GrpTRESMins|AssocGrpCPUMinutes)'
}
check "and its nodes are given back soon" wait_for 25 given_back
check "the reservation is gone" wait_for 10 no_reservations
