# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# slurm.conf of the private cluster.

conf_stock_plugins() {
	local d
	for d in ${RSPB_SLURM_OWN:+/usr/local/lib/slurm} \
		/usr/lib/*/slurm-wlm /usr/lib64/slurm /usr/lib/slurm; do
		[ ! -f "$d/select_cons_tres.so" ] || { say "$d"; return 0; }
	done
	return 1
}

# The node names of a NodeName= line of slurm.conf, one a line.
conf_hostnames() {
	sed -n 's/^[[:space:]]*nodename=\([^[:space:]]*\).*/\1/Ip' |
	while read -r names; do
		[ "${names^^}" = DEFAULT ] || scontrol_hostnames "$names"
	done
}

# scontrol wants a configuration even for what needs none.
scontrol_hostnames() {
	local empty
	empty=$(mktemp) || return 1
	printf 'ClusterName=x\nSlurmctldHost=x\n' >"$empty"
	SLURM_CONF=$empty scontrol show hostnames "$1"
	rm -f "$empty"
}

# One line of slurm.conf, of somebody else's, with its nodes put here.
conf_node_line() {
	local line names count
	# shellcheck disable=SC2001
	line=$(sed 's/[[:space:]]\(nodehostname\|nodeaddr\|port\|bcastaddr\)=[^[:space:]]*//Ig' \
		<<<" $1")
	names=$(conf_hostnames <<<"$line")
	count=$(grep -c . <<<"$names")
	[ "$count" -gt 0 ] || { say "${line# }"; return 0; }
	say "${line# } NodeHostname=localhost NodeAddr=127.0.0.1" \
		"Port=$(conf_port_list "$conf_next_port" "$count")"
	conf_next_port=$((conf_next_port + count))
}

conf_port_list() {
	if [ "$2" -eq 1 ]; then
		say "$1"
	else
		say "[$1-$(($1 + $2 - 1))]"
	fi
}

# Whether this host's name leads to loopback. Daemons that are told to listen
# on loopback alone look it up, and cannot start without an answer.
conf_on_loopback() {
	getent ahostsv4 "$(uname -n)" | grep -q '^127\.'
}

# Slurm's own use of cgroups needs version 2 with systemd, or version 1, and
# looks for them though nothing here asks for it; version 1 looks the least,
# and from 24.05 on it can be told not to look.
conf_cgroup() {
	if cgroup_v2_bare; then
		say "IgnoreSystemd=yes"
		return
	fi
	[ -d /run/systemd/system ] &&
		[ "$(stat -f -c %T /sys/fs/cgroup 2>/dev/null)" = cgroup2fs ] ||
		if slurm_since 24.05; then
			say "CgroupPlugin=disabled"
		else
			say "CgroupAutomount=no"
			say "CgroupPlugin=cgroup/v1"
		fi
}

# With --wide everybody may book all of it.
conf_wide=(MaxNodes=0 MaxDuration=0s MaxWaitingPerUser=0 MaxAheadPerUser=0s
	MaxBookedPercent=100% Horizon=30d)

# Our defaults; PORT is slurmctld's, then come the nodes', then srun's, last that
# of the socket for rspb.
conf_listen_port=0
conf_defaults() {
	local plugins proctrack=linuxproc
	! cgroup_v2_bare || proctrack=cgroup
	plugins=$(conf_stock_plugins) ||
		die "the plugins of the installed Slurm were not found"
	cat <<TEXT
ClusterName=rspb
SlurmctldHost=$(uname -n | cut -d. -f1)(127.0.0.1)
SlurmctldPort=$1
SrunPortRange=$2-$3
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$dir/run/munge.socket
CredType=cred/munge
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool/%n
SlurmctldPidFile=$dir/run/slurmctld.pid.own
SlurmdPidFile=$dir/run/%n.pid.own
SlurmctldLogFile=$dir/log/slurmctld.log
SlurmdLogFile=$dir/log/%n.log
LogTimeFormat=iso8601_ms
SlurmdParameters=config_overrides
ProctrackType=proctrack/$proctrack
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SlurmdTimeout=300
KillWait=5
PluginDir=$dir/rspb/lib/slurm-rspb:$plugins
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PriorityType=priority/basic
SchedulerParameters=${parameters:+$parameters,}rspb_ListenPort=$conf_listen_port
PlugStackConfig=$dir/etc/plugstack.conf
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
TEXT
	! conf_on_loopback ||
		say "CommunicationParameters=NoInAddrAny,NoCtldInAddrAny"
	[ ! -f "$dir/rspb/lib/slurm-rspb/job_submit_rspb.so" ] ||
		say "JobSubmitPlugins=rspb"
}

# CPU shares need jobs side by side on a CPU, which others would not like.
conf_partitions() {
	local limits="DefaultTime=10 MaxTime=1-00:00:00"
	say "PartitionName=main Nodes=ALL Default=YES $limits"
	say "PartitionName=shared Nodes=ALL OverSubscribe=FORCE:16 $limits"
}

# Drops from stdin the settings that FILE makes itself.
conf_without() {
	awk -F= -v file="$1" '
	BEGIN {
		while ((getline line < file) > 0) {
			key = line
			sub(/^[ \t]+/, "", key)
			sub(/[ \t]*=.*/, "", key)
			set[tolower(key)] = 1
		}
	}
	!(tolower($1) in set)'
}

# conf_write BASE: slurm.conf for the ports from BASE on; sets node_names.
conf_write() {
	local base=$1 line own=/dev/null
	[ -z "$conf" ] || own=$conf
	conf_next_port=$((base + 1))
	conf_listen_port=$((base + ports_wanted - 1))
	{
		conf_defaults "$base" $((base + 1 + nodes)) \
			$((conf_listen_port - 1)) | conf_without "$own"
		if ! grep -qi '^[[:space:]]*nodename=' "$own"; then
			conf_node_line "NodeName=n[1-$nodes] CPUs=4 RealMemory=4000"
		fi
		grep -qi '^[[:space:]]*partitionname=' "$own" ||
			conf_partitions
		while IFS= read -r line || [ -n "$line" ]; do
			if [[ ${line,,} =~ ^[[:space:]]*nodename= ]]; then
				conf_node_line "$line"
			else
				printf '%s\n' "$line"
			fi
		done <"$own"
	} >"$dir/etc/slurm.conf"
	mapfile -t node_names < <(conf_hostnames <"$dir/etc/slurm.conf")
}

# conf_add SETTING: a line of rspb.conf, unless the caller's has the key.
conf_add() {
	grep -qi "^[[:space:]]*${1%%=*}=" "${rspb_conf:-/dev/null}" ||
		printf '\n%s\n' "$1"
}

conf_write_others() {
	local setting spank=$dir/rspb/lib/slurm-rspb/spank_rspb.so
	if [ -f "$spank" ]; then
		say "optional $spank state=$dir/run/shares" >"$dir/etc/plugstack.conf"
	else
		: >"$dir/etc/plugstack.conf"
	fi
	# ours behind, so that messages about the caller's name their lines
	{
		cat "${rspb_conf:-/dev/null}"
		conf_add "ListenPort=$conf_listen_port"
		conf_add "ShareStateDir=$dir/run/shares"
		[ "$wide" = no ] ||
			for setting in "${conf_wide[@]}"; do conf_add "$setting"; done
	} >"$dir/etc/rspb.conf"
	conf_cgroup >"$dir/etc/cgroup.conf"
	[ -z "$gres_conf" ] || cat "$gres_conf" >"$dir/etc/gres.conf"
}
