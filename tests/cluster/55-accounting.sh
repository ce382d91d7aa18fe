# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A site with accounting: accounts, QOS and limits are enforced by Slurm.
# Takes 80 s.
for program in mariadbd mariadb-install-db my_print_defaults slurmdbd \
	sacctmgr; do
	command -v $program >/dev/null && continue
	skip_suite "no $program here (Debian: apt install" \
		"mariadb-server-core mariadb-client-core slurmdbd)"
done
cluster_up --nodes 4 || exit 1

# A database that only who may enter its folder can reach, on no port.
db=$folder/db
mkdir -m 700 "$db"
# --force: a host whose name leads nowhere will do
mariadb-install-db --no-defaults --user=root --datadir="$db/data" \
	--skip-test-db --force >"$folder/db.log" 2>&1
mariadbd --no-defaults --user=root --datadir="$db/data" --skip-networking \
	--socket="$db/socket" --pid-file="$db/pid" --skip-grant-tables \
	--innodb-buffer-pool-size=64M >>"$folder/db.log" 2>&1 </dev/null &
database=$!
# quickstart keeps a row of ports free; its last one serves the database
port=$(sed -n 's/^SrunPortRange=[0-9]*-//p' "$SLURM_CONF")
sed -i "s/^\(SrunPortRange=[0-9]*-\).*/\1$((port - 1))/" "$SLURM_CONF"
cat >"$cluster/etc/slurmdbd.conf" <<TEXT
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort=$port
AuthType=auth/munge
AuthInfo=socket=$cluster/run/munge.socket
SlurmUser=root
LogFile=$cluster/log/slurmdbd.log
PidFile=$cluster/run/slurmdbd.own
StorageType=accounting_storage/mysql
StorageHost=localhost
TEXT
chmod 600 "$cluster/etc/slurmdbd.conf"
MYSQL_UNIX_PORT=$db/socket slurmdbd -D >"$folder/slurmdbd.log" 2>&1 </dev/null &
dbd=$!
accounting_end() {
	kill $dbd $database 2>/dev/null
	wait $dbd $database 2>/dev/null
	suite_end
}
trap accounting_end EXIT
listens() {
	: 2>/dev/null <"/dev/tcp/127.0.0.1/$port"
}
check "slurmdbd listens" wait_for 60 listens || exit 1
ctld_stop
sed -i '/^AccountingStorageType\|^JobAcctGatherType/d' "$SLURM_CONF"
cat >>"$SLURM_CONF" <<TEXT
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=$port
AccountingStoragePass=$cluster/run/munge.socket
AccountingStorageEnforce=associations,limits,qos
JobAcctGatherType=jobacct_gather/linux
TEXT
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
scontrol reconfigure

allow() {
	sed -i "s/^$1=.*/$1=$2/" "$cluster/etc/rspb.conf"
	scontrol reconfigure
}
allow AllowAccounts physics,alchemy
echo 'AllowQos=normal,wizardry' >>"$cluster/etc/rspb.conf"
scontrol reconfigure
for name in alchemy wizardry; do
	check "a name that is none is in the log: $name" wait_for 10 \
		grep "accounting knows no \"$name\"" "$cluster/log/slurmctld.log"
done
check "who may not book is refused at submission" refused \
	'account "chemistry" may not book .*AllowAccounts=physics,alchemy' \
	as $user_b sbatch --book -N1 --time=1 -o /dev/null job.sh
allow AllowAccounts physics,chemistry
sed -i '/^AllowQos/d' "$cluster/etc/rspb.conf"
scontrol reconfigure

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
