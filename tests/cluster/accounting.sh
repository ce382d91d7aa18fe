# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For suites of a site with accounting: sourced once their cluster is up.
stock=$(sed -n 's/^PluginDir=\(.*:\)\?//p' "$SLURM_CONF")
[ -e "$stock/accounting_storage_mysql.so" ] ||
	skip_suite "this Slurm was built without MariaDB"
# A database that only who may enter its folder can reach, on no port.
db=$folder/db
mkdir -m 700 "$db"
# --force: a host whose name leads nowhere will do
mariadb-install-db --no-defaults --user=root --datadir="$db/data" \
	--skip-test-db --force >"$folder/db.log" 2>&1
mariadbd --no-defaults --user=root --datadir="$db/data" --skip-networking \
	--socket="$db/socket" --pid-file="$db/pid" --skip-grant-tables \
	--innodb-buffer-pool-size=64M >>"$folder/db.log" 2>&1 </dev/null &
database=$! dbd=''
accounting_end() {
	local rc=$?
	# shellcheck disable=SC2086
	kill $dbd $database 2>/dev/null
	# shellcheck disable=SC2086
	wait $dbd $database 2>/dev/null
	# which suite_end takes for the status of the suite
	(exit $rc)
	suite_end
}
trap accounting_end EXIT
# A slurmdbd whose first try to connect fails, as there is no such database yet,
# has no options of libmariadb's afterwards: 11.8.9 then takes no column.
database_made() {
	mariadb --no-defaults --socket="$db/socket" \
		-e 'CREATE DATABASE IF NOT EXISTS slurm_acct_db'
}
check "the database is up" wait_for 60 database_made || exit 1
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
listens() {
	: 2>/dev/null <"/dev/tcp/127.0.0.1/$port"
}
check "slurmdbd listens" wait_for 60 listens || exit 1
ctld_stop
# from Slurm 23.11 on the database gives the cluster its number
rm -f "$cluster/state/clustername"
sed -i '/^AccountingStorageType\|^JobAcctGatherType/d' "$SLURM_CONF"
cat >>"$SLURM_CONF" <<TEXT
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=$port
AccountingStoragePass=$cluster/run/munge.socket
AccountingStorageEnforce=associations,limits,qos
JobAcctGatherType=jobacct_gather/linux
TEXT
