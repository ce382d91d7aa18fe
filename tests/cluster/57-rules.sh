# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Limits that differ by account, QOS, partition, user and size: the files of
# contrib/examples/sites on 400 nodes, with accounting. Takes 30 s.
has_accounting
cluster_up --nodes 2 || exit 1
PATH=$cluster/rspb/bin:$PATH
sed -i -e 's/rspb_Max[A-Za-z]*=[^,]*,//g; s/rspb_Horizon=[^,]*,//' \
	-e 's/^SlurmdTimeout=.*/SlurmdTimeout=0/' "$SLURM_CONF"
cat >>"$SLURM_CONF" <<TEXT
NodeName=f[1-398] CPUs=4 RealMemory=4000 NodeHostname=localhost NodeAddr=127.0.0.1 Port=9 State=CLOUD
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=3600
PrivateData=cloud
PartitionName=highmem Nodes=ALL DefaultTime=10
TEXT
sed -i '/^PartitionName=main/s/ MaxTime=[^ ]*//' "$SLURM_CONF"
# shellcheck source=tests/cluster/accounting.sh
. "$RSPB_TOP/tests/cluster/accounting.sh"
accounts() {
	sacctmgr -i add cluster rspb &&
		sacctmgr -i add account physics teaching students &&
		sacctmgr -i add qos urgent &&
		sacctmgr -i add user $user_a account=physics,teaching,students \
			defaultaccount=physics qos=normal,urgent defaultqos=normal &&
		sacctmgr -i add user $user_b account=physics,students \
			defaultaccount=physics
}
check "accounts, users and a QOS are made" accounts
check "slurmctld starts with them" ctld_start

ledgers() {
	grep -c 'rspb: ledger for' "$cluster/log/slurmctld.log"
}
anew() {
	[ "$(ledgers)" -gt "$before" ]
}
# site NAME: its rules, nothing booked.
site() {
	note "$1"
	scancel -u $user_a
	scancel -u $user_b
	wait_for 10 no_reservations
	cp "$RSPB_TOP/contrib/examples/sites/$1.conf" "$cluster/etc/rspb.conf"
	echo BatchInterval=50ms >>"$cluster/etc/rspb.conf"
	before=$(ledgers)
	check "$1: its file is taken" scontrol reconfigure
	# From 23.11 on another slurmctld takes bookings then, not at once.
	[[ $(slurmctld -V) = *' 22.05.'* ]] || wait_for 10 anew
	wait_for 10 scontrol show reservation rspb_waiting
}
# ask USER LEAD WORDS...: so many hours ahead; what sbatch says.
ask() {
	local user=$1 hours=$2
	shift 2
	as "$user" sbatch --parsable -o /dev/null --book \
		--begin="$(slurm_time $((EPOCHSECONDS + hours * 3600 + 60)))" "$@" \
		--wrap true 2>&1
}
# can TEXT USER HOURS WORDS...: it is booked.
can() {
	local text=$1 job
	shift
	job=$(ask "$@" | tail -n 1)
	check "$text" booked "$job"
}
# cannot TEXT PATTERN USER HOURS WORDS...: it is not, for that.
cannot() {
	local text=$1 pattern=$2 said
	shift 2
	said=$(ask "$@")
	if [[ ${said##*$'\n'} =~ ^[0-9]+$ ]]; then
		wait_for 10 decided "${said##*$'\n'}"
		said=$(contract "${said##*$'\n'}")
	fi
	check "$text" grep -E -- "$pattern" <<<"$said"
}
# at WORDS...: hours from now until that time, of date.
at() {
	echo $((($(date -d "$*" +%s) - EPOCHSECONDS) / 3600 + 1))
}

site archer2
can "notice is given" $user_a 61 -N2 -t 60
cannot "less is not enough" MinNotice $user_a 59 -N2 -t 60
cannot "of other nodes there is none" 'Allow=no' $user_a 61 -N2 -t 60 -p highmem

site nersc
can "a week ahead" $user_a 169 -N2 -t 60
cannot "less is not enough" MinNotice $user_a 167 -N2 -t 60

site pawsey
can "in office hours" $user_a "$(at 'next Wednesday + 7 days 10:00')" -N2 -t 60
cannot "not by night" 'StartHours=Mon-Fri/08:00-17:00' \
	$user_a "$(at 'next Wednesday + 7 days 20:00')" -N2 -t 60
cannot "nor on a Sunday" 'StartHours=Mon-Fri' \
	$user_a "$(at 'next Sunday + 7 days 10:00')" -N2 -t 60
# who can wait starts when it opens
open=$(as $user_b sbatch --parsable -o /dev/null --book -N1 -t 60 \
	--begin="$(slurm_time "$(date -d 'next Saturday + 7 days 12:00' +%s)")" \
	--deadline="$(slurm_time "$(date -d 'next Saturday + 11 days' +%s)")" \
	--wrap true)
check "who has time until Wednesday is booked" booked "$open"
check "for Monday morning" grep -F "start=$(date -u \
	-d "$(date -d 'next Saturday + 9 days 08:00' '+%F %T %z')" +%FT%H:%M)" \
	<<<"$(contract "$open")"

site lcrc
can "one of a project" $user_a 289 -N20 -t 60
cannot "not a second one, by another of its users" \
	'account has 1 booking .*MaxWaitingPerAccount' $user_b 300 -N2 -t 60
can "one of another project" $user_b 300 -N2 -t 60 -A students
cannot "not too large" 'MaxNodeHours' $user_a 300 -N100 -t 28:00:00 -A teaching

site alcf
can "a third of the machine with more notice" $user_a 181 -N133 -t 60
cannot "not with less" MinNotice $user_a 179 -N133 -t 60
can "less of it is" $user_a 170 -N100 -t 60

site hpcmp
for i in 1 2 3 4; do
	can "booking $i of four" $user_a $((100 * i)) -N7 -t 60
done
cannot "not a fifth" MaxWaitingPerUser $user_a 600 -N7 -t 60
cannot "not more than half of the pool" MaxNodes $user_b 100 -N29 -t 60
cannot "not longer than a week" MaxDuration $user_b 100 -N1 -t 7-01:00:00

site abci
ten() {
	slurm_time "$(date -d "$1 10:00" +%s)"
}
day=$(as $user_a sbatch --parsable -o /dev/null --book -N272 -t 6-23:30:00 \
	--begin="$(ten '3 days')" --wrap true)
check "272 nodes for a week" booked "$day"
said=$(as $user_a sbatch --book -N272 -t 7-23:30:00 --begin="$(ten '3 days')" \
	--wrap true 2>&1)
check "not for eight days" grep -F MaxNodeHours <<<"$said"
cannot "nor from another hour on" StartHours $user_b "$(at '3 days 12:00')" \
	-N1 -t 60

site chameleon
can "a week" $user_a 24 -N1 -t 7-00:00:00
cannot "not more at once" MaxDuration $user_a 24 -N1 -t 7-00:01:00
near=$(ask $user_b 1 -N1 -t 1-00:00:00 | tail -n 1)
check "one that ends soon" booked "$near"
far=$(ask $user_b 40 -N1 -t 1-00:00:00 | tail -n 1)
check "and one that does not" booked "$far"
check "the first can be made a week longer" as $user_b rspb modify "$near" \
	-t 8-00:00:00
longer() {
	as $user_b rspb modify "$@" 2>&1
}
check "but no more at once" grep -F ExtendWithin \
	<<<"$(longer "$near" -t 16-00:00:00)"
check "the second not yet" grep -F ExtendWithin \
	<<<"$(longer "$far" -t 2-00:00:00)"

site oar
can "one of two" $user_a 10 -N300 -t 60
can "two of two" $user_a 20 -N300 -t 60
cannot "not a third" MaxWaitingPerUser $user_a 30 -N1 -t 60
can "one of another" $user_b 30 -N1 -t 60

site university
cannot "a quarter for everybody" MaxNodes $user_a 10 -N101 -t 60
can "all of it when it is urgent" $user_a 10 -N400 -t 60 --qos urgent
cannot "QOS and account as Slurm gives them count" MaxNodes \
	$user_b 10 -N101 -t 60
# In a week, which is within Horizon, or behind the weekend.
day=7
while [ "$(date -d "$day days" +%u)" -gt 5 ]; do
	day=$((day + 1))
done
can "courses have more" $user_a "$(at "$day days 09:00")" -N200 -t 60 \
	-A teaching
cannot "by day" StartHours $user_a "$(at "$day days 03:00")" -N20 -t 60 \
	-A teaching
can "students have one" $user_b 30 -N1 -t 60 -A students
cannot "not two" MaxWaitingPerUser $user_b 40 -N1 -t 60 -A students

note "what they cost"
cost() {
	sacct -nXP -o AdminComment%400 -j "$1" | grep -oE 'charged=[0-9]+s'
}
charged() {
	[ "$(cost "$1")" = "charged=$2s" ] || { cost "$1"; contract "$1"; return 1; }
}
cp "$RSPB_TOP/contrib/examples/sites/archer2.conf" "$cluster/etc/rspb.conf"
printf 'BatchInterval=50ms\nRule=now Partitions=main MinNotice=0s\n' \
	>>"$cluster/etc/rspb.conf"
printf 'Rule=used Accounts=students ChargeUnused=no LateCancel=0s\n' \
	>>"$cluster/etc/rspb.conf"
check "ARCHER2's price is taken" reconfigure
t=$(ahead 15)
ran=$(book $user_a "$t" -N2 -w n1,n2)
late=$(book $user_a "$((t + 600))" -N2)
used=$(book $user_b "$((t + 600))" -N2 -A students)
check "bookings" booked "$ran" "$late" "$used"
as $user_a scancel "$late"
as $user_b scancel "$used"
check "a window that was used is charged as a whole, at 1.5 times" \
	wait_for 35 charged "$ran" 180
check "so is one that was given back late" wait_for 10 charged "$late" 180
check "where only use is charged it costs nothing" eval \
	'! contract $used | grep charged'
check "rspb stats adds it up" grep -E '^node-hours .* 0.1 charged' \
	<<<"$(rspb stats)"

note "users by name, and mistakes"
printf 'BatchInterval=50ms\nRule=guests Users=nobody,%s Allow=no\n' $user_b \
	>"$cluster/etc/rspb.conf"
scontrol reconfigure
refused() {
	grep -qF 'Allow=no' <<<"$(ask $user_b 10 -N1 -t 10)"
}
check "who is named may not" wait_for 5 refused
can "who is not may" $user_a 20 -N1 -t 10
echo 'Rule=x Account=y Order=fcfs' >>"$cluster/etc/rspb.conf"
# From 23.11 on it starts anew then.
told=$(scontrol reconfigure 2>&1)
complains() {
	grep 'rspb.conf:3: Order cannot differ by rule' \
		<<<"$told$(tail -n 50 "$cluster/log/slurmctld.log")"
}
check "a rule on what no rule is for is an error" wait_for 10 complains
check "the rules in force stay" wait_for 10 refused
