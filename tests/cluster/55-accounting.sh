# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A site with accounting: accounts, QOS and limits are enforced by Slurm.
# Takes 115 s.
has_accounting
echo ReserveAhead=15m >"$folder/rspb.conf"
cluster_up --nodes 4 --rspb-conf "$folder/rspb.conf" || exit 1

# shellcheck source=tests/cluster/accounting.sh
. "$RSPB_TOP/tests/cluster/accounting.sh"
accounts() {
	sacctmgr -i add cluster rspb &&
		sacctmgr -i add account physics &&
		sacctmgr -i add account chemistry &&
		sacctmgr -i add qos urgent set priority=100 &&
		sacctmgr -i add user $user_a account=physics &&
		sacctmgr -i modify user $user_a set qos+=urgent &&
		sacctmgr -i add user $user_b account=chemistry &&
		sacctmgr -i modify qos normal set MaxWall=02:00:00 \
			MaxTRESPerJob=node=3
}
check "accounts, users and limits are made" accounts
echo 'PriorityType=priority/multifactor
PriorityWeightQOS=10000' >>"$SLURM_CONF"
check "slurmctld starts with them" ctld_start
echo 'AllowAccounts=physics,chemistry' >>"$cluster/etc/rspb.conf"
reconfigure

allow() {
	sed -i "s/^$1=.*/$1=$2/" "$cluster/etc/rspb.conf"
	reconfigure
}
allow AllowAccounts physics,alchemy
echo 'AllowQos=normal,wizardry' >>"$cluster/etc/rspb.conf"
reconfigure
for name in alchemy wizardry; do
	check "a name that is none is in the log: $name" wait_for 10 \
		grep "the accounting database has no \"$name\"" "$cluster/log/slurmctld.log"
done
check "who may not book is refused at submission" refused \
	'account "chemistry" may not book .*AllowAccounts=physics,alchemy' \
	as $user_b sbatch --book -N1 --time=1 -o /dev/null job.sh
allow AllowAccounts physics,chemistry
sed -i '/^AllowQos/d' "$cluster/etc/rspb.conf"
reconfigure

t=$(ahead 45)
one=$(book $user_a "$t" -N2)
two=$(book $user_b "$t" -N2)
check "users of two accounts book" booked "$one" "$two"
check "each booking is its user's" grep "Users=$user_a " \
	<<<"$(scontrol -o show reservation "rspb_$one")"
late=$((t + 600))
note "whom idle time is charged to"
check "the user has another account" sacctmgr -i add user $user_a \
	account=chemistry
assoc_of() {
	sacctmgr -n -P show assoc user=$user_a account="$1" format=id
}
# charged_to JOB ACCOUNT: what accounting has of its reservation last.
charged_to() {
	local has
	has=$(mariadb --no-defaults --socket="$db/socket" -N slurm_acct_db -e \
		"SELECT assoclist FROM rspb_resv_table WHERE resv_name='rspb_$1'
		ORDER BY time_start DESC, deleted LIMIT 1")
	[ "${has//,/}" = "$(assoc_of "$2")" ] || { echo "$has"; return 1; }
}
wait_for 10 scontrol -o show assoc_mgr users=$user_a accounts=chemistry
sleep 1
other=$(book $user_a $late -N1 -A chemistry)
check "it is booked with the other account" booked "$other"
check "the reservation names that one" grep 'Accounts=chemistry ' \
	<<<"$(scontrol -o show reservation "rspb_$other")"
check "nobody else is charged for what lies idle of it" wait_for 10 \
	charged_to "$other" chemistry
scontrol update job "$other" Account=physics
follows() {
	scontrol -o show reservation "rspb_$other" | grep 'Accounts=physics '
}
check "an operator who changes the account changes both" wait_for 10 follows
check "and who is charged" wait_for 10 charged_to "$other" physics
as $user_a scancel "$other"
long=$(as $user_b sbatch --parsable -o job-%j.out --book -N1 \
	--begin="$(slurm_time $late)" --time=300 job.sh)
check "longer than its QOS ever allows: declined" declined "$long"
check "the limit is named" grep QOSMaxWall <<<"$(contract "$long")"
wide=$(book $user_b $late -N4)
check "more nodes than its QOS ever allows: declined" declined "$wide"
check "that limit is named" grep QOSMaxNode <<<"$(contract "$wide")"
range=$(book $user_b $late -N1-4)
check "a range of nodes gets what is allowed" booked "$range"
check "which is three" grep 'nodes=3/3' <<<"$(contract "$range")"
check "its account is told" [ "$("$cluster/rspb/bin/rspb" --json show "$range" |
	jq -r .booking.account)" = "$(squeue -h -j "$range" -o %a)" ]
as $user_b scancel "$long" "$wide" "$range"

# Two in one batch, for the same nodes: who asks alone is decided at once, three
# times in an interval.
echo 'BatchInterval=20s' >>"$cluster/etc/rspb.conf"
reconfigure
# those that were decided alone before count in the longer interval, too
pause 20
for i in 1 2 3; do
	filler=$(book $user_a $((late + i * 7200)) -N1)
	check "one that asks alone is decided at once ($i)" booked "$filler"
	as $user_a scancel "$filler"
done
low=$(book $user_b $late -N3)
high=$(book $user_a $late -N3 --qos=urgent)
wait_for 60 decided "$high"
check "the urgent one of a batch comes first" booked "$high"
check "the other one is declined" declined "$low"
as $user_a scancel "$high"
as $user_b scancel "$low"
sed -i '/^BatchInterval/d' "$cluster/etc/rspb.conf"
reconfigure
no_right() {
	! book $user_b $late -N1 --qos=urgent &&
		! book $user_b $late -N1 -A physics
}
check "another's QOS or account: refused by Slurm" no_right
check "and nobody has called that likely" eval \
	'! as $user_a sbatch --book -N1 --time=1 -A nobodys --wrap true 2>&1 | grep likely'
stranger() {
	! as backup sbatch --book -N1 --time=1 -o /dev/null \
		--begin="$(slurm_time $late)" job.sh >"$out/stranger" 2>&1 &&
		grep -E 'Invalid account|account "" may not book' "$out/stranger"
}
check "a user without an account: refused" stranger

check "one starts on its second" starts_at "$one" "$t"
check "the other, too" starts_at "$two" "$t"
recorded() {
	sacct -n -X -P -j "$one" -o state,account,admincomment |
		grep '^COMPLETED|physics|rspb: completed .*nodes=2/2'
}
check "accounting has the job, what it was granted and how it ended" \
	wait_for 15 recorded
advice() {
	as $user_a "$cluster/rspb/bin/rspb" advise "$@"
}
advised() {
	advice --json job.sh | jq -e '.rows | length == 1 and
		.[0].nodes == 2 and .[0].runs == 1 and .[0].flags == "-N2 --time=1"'
}
check "what to book next time is known by it" wait_for 15 advised
check "also to people" grep -E '^ +2 +1 .* -N2 --time=1$' <<<"$(advice job.sh)"
unknown() {
	! advice "$@" >"$out/unknown" 2>&1 && cat "$out/unknown"
}
check "of a name that never ran nothing is" grep 'no run of xyzzy, of' \
	<<<"$(unknown xyzzy)"
check "nor of one who never ran it" grep 'no run of job.sh, of backup' \
	<<<"$(unknown -u backup job.sh)"
# What a share used is known when Slurm has told accounting of the end already.
if [ -w "$(awk '$3 == "cgroup" && $4 ~ /(^|,)cpu(,|$)/ { print $2; exit }' \
		/proc/mounts)" ]; then
	shared=$(as $user_a sbatch --parsable -p shared -w n4 -o /dev/null \
		--book --time=1 --cpu-share=30 --wrap \
		'i=0; while [ $i -lt 50000 ]; do i=$((i + 1)); done; sleep 2')
	used_recorded() {
		sacct -n -X -P -j "$shared" -o state,admincomment | grep -E \
			'^COMPLETED\|rspb: .* enforced=30% used=.* cpu-time=0\.[0-9]*[1-9]'
	}
	check "and what a job with a share has used" wait_for 40 used_recorded
else
	skip "what a job with a share has used: no writable cgroup v1 cpu" \
		"controller on this host"
fi
check "nothing is left over" wait_for 30 nothing_left

note "partitions for some"
cat >>"$SLURM_CONF" <<'TEXT'
PartitionName=fast Nodes=ALL AllowQos=urgent DefaultTime=10
PartitionName=theirs Nodes=ALL AllowAccounts=chemistry DefaultTime=10
EnforcePartLimits=ANY
TEXT
reconfigure
one=$(book $user_a $late -A physics -p fast,theirs,main -N1)
check "who names some that do not let him in is booked in another" booked "$one"
check "which lets him in" [ "$(field "$one" Partition)" = main ]
as $user_a scancel "$one"
one=$(book $user_a $late -A physics --qos=urgent -p theirs,fast,main -N1)
check "with the right QOS in the first that does" booked "$one"
check "by its QOS" [ "$(field "$one" Partition)" = fast ]
as $user_a scancel "$one"
check "who gets into none of them is told why" refused \
	'partition: fast does not accept jobs of QOS normal' as $user_a sbatch --book -N1 --time=1 \
	-A physics -p fast,theirs -o /dev/null job.sh

note "a QOS that is taken away"
far=$((EPOCHSECONDS + 3600))
check "the user may have it again" sacctmgr -i modify user $user_a set \
	qos=normal,urgent
one=$(book $user_a $far -N1 -A physics --qos=urgent)
check "a booking with it" booked "$one"
check "it is taken away" sacctmgr -i modify user $user_a set qos-=urgent
no_qos() {
	contract "$one" | grep 'booked .*the accounting database no longer allows its owner QOS urgent'
}
check "he is told" wait_for 13 no_qos
check "he has it again" sacctmgr -i modify user $user_a set qos+=urgent
has_qos() {
	! no_qos
}
check "and is told that all is well" wait_for 13 has_qos
as $user_a scancel "$one"

note "users and accounts that are deleted"
far=$((EPOCHSECONDS + 3600))
one=$(book $user_a $far -N1 -A physics)
two=$(book $user_b $far -N1)
check "bookings of two" booked "$one" "$two"
# Slurm lets nobody be deleted whose jobs its database has as waiting; it hears of them a
# moment later than their owners.
delete() {
	mariadb --no-defaults --socket="$db/socket" slurm_acct_db -e \
		"UPDATE rspb_job_table SET time_end = 1 WHERE time_end = 0" &&
		sacctmgr -i delete user "$@"
}
lost() {
	contract "$1" | grep "booked .*the accounting database no longer has its owner in account $2"
}
well() {
	! lost "$1" "$2"
}
# A user keeps the account that is his default, from Slurm 24.11 on.
sacctmgr -i modify user $user_a set defaultaccount=chemistry >/dev/null
check "one is taken out of his account" wait_for 10 delete $user_a account=physics
check "he is told" wait_for 13 lost "$one" physics
check "the other is not" well "$two" chemistry
check "the other user is deleted" wait_for 10 delete $user_b
check "is told, too" wait_for 13 lost "$two" chemistry
check "slurmctld stops" ctld_stop
check "and starts" ctld_start
still() {
	lost "$one" physics && lost "$two" chemistry
}
check "both still are" wait_for 10 still
check "the first is taken in again" sacctmgr -i add user $user_a \
	account=physics
check "and told that all is well" wait_for 30 well "$one" physics
check "it stands" is_booking "$one" booked
as $user_a scancel "$one"
scancel "$two"
check "nothing is left over of them" wait_for 20 gone "$one"

note "a site that stops to enforce accounts"
ctld_stop
sed -i '/^AccountingStorageEnforce/d' "$SLURM_CONF"
check "slurmctld starts" ctld_start
free=$(book $user_a $late -N1)
check "a booking" booked "$free"
as $user_a scancel "$free"
