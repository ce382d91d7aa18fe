# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A site with accounting: accounts, QOS and limits are enforced by Slurm.
# Takes 80 s.
has_accounting
cluster_up --nodes 4 || exit 1

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
check "slurmctld starts with them" ctld_start
echo 'PrioritySource=qos
AllowAccounts=physics,chemistry' >>"$cluster/etc/rspb.conf"
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
		grep "accounting knows no \"$name\"" "$cluster/log/slurmctld.log"
done
check "who may not book is refused at submission" refused \
	'account "chemistry" may not book .*AllowAccounts=physics,alchemy' \
	as $user_b sbatch --book -N1 --time=1 -o /dev/null job.sh
allow AllowAccounts physics,chemistry
sed -i '/^AllowQos/d' "$cluster/etc/rspb.conf"
reconfigure

t=$(ahead 35)
one=$(book $user_a "$t" -N2)
two=$(book $user_b "$t" -N2)
check "users of two accounts book" booked "$one" "$two"
check "each booking is its user's" grep "Users=$user_a " \
	<<<"$(scontrol -o show reservation "rspb_$one")"
late=$((t + 600))
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
as $user_b scancel "$long" "$wide" "$range"

# two in one batch, for the same nodes
low=$(book $user_b $late -N3)
high=$(book $user_a $late -N3 --qos=urgent)
check "the urgent one of a batch comes first" booked "$high"
check "the other one is declined" declined "$low"
as $user_a scancel "$high"
as $user_b scancel "$low"
no_right() {
	! book $user_b $late -N1 --qos=urgent &&
		! book $user_b $late -N1 -A physics
}
check "another's QOS or account: refused by Slurm" no_right
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

note "a site that stops to enforce accounts"
ctld_stop
sed -i '/^AccountingStorageEnforce/d' "$SLURM_CONF"
check "slurmctld starts" ctld_start
free=$(book $user_a $late -N1)
check "a booking" booked "$free"
as $user_a scancel "$free"
