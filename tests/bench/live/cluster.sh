# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Clusters of nodes that are not there, for tests/bench/live/run.

# live_up KIND NODES: KIND is ours or stock. live_own writes more of slurm.conf; main has
# live_main of the nodes.
live_up() {
	local base
	dir=$work/$part-$1-$2 width=$2
	folder_make
	exec 9</tmp
	flock -w 60 9
	base=$(ports_find) || die "no free ports within $ports"
	# shellcheck disable=SC2034
	conf_listen_port=0
	# shellcheck disable=SC2034
	[ "$part" != socket ] || conf_listen_port=$((base + 65))
	mkdir -p "$dir/rspb/lib/slurm-rspb"
	[ "$1" = stock ] || cp -r "$plugins" "$dir/rspb/lib/"
	{
		conf_defaults "$base" $((base + 1)) $((base + 64)) |
			grep -v '^SlurmdTimeout=\|^PlugStackConfig='
		cat <<-TEXT
		SlurmdTimeout=0
		PrivateData=cloud
		SuspendProgram=/bin/true
		ResumeProgram=/bin/true
		SuspendTime=86400
		ResumeTimeout=3600
		MaxJobCount=40000
		NodeName=f[1-$2] CPUs=${live_cpus:-4} RealMemory=4000 State=CLOUD NodeAddr=127.0.0.1 Port=9
		PartitionName=main Nodes=${live_main:-ALL} Default=YES DefaultTime=10 MaxTime=2-00:00:00
		TEXT
		[ -z "${live_own:-}" ] || "$live_own"
	} >"$dir/etc/slurm.conf"
	# a line a section, where sections are looked at, and not where CPU is
	case $part in
	cost|wide|socket|stream*|week*) : ;;
	*) echo DebugLocks=yes ;;
	esac >"$dir/etc/rspb.conf"
	# one user books it all
	printf '%s\n' "${conf_wide[@]}" "${live_more:-}" >>"$dir/etc/rspb.conf"
	[ -z "${live_leaf:-}" ] || tree_write "$2" "$live_leaf"
	conf_cgroup >"$dir/etc/cgroup.conf"
	export SLURM_CONF=$dir/etc/slurm.conf
	log=$dir/log/slurmctld.log
	munge_start || die "munged did not start"
	ctld_start
	exec 9<&-
	wait_for 30 ctld_answers ||
		{ tail -n 20 "$dir"/log/slurmctld.*; die "slurmctld did not start"; }
	[ "$1" = stock ] || wait_for 30 grep -q 'rspb: ledger for' "$log" ||
		die "the agent did not start"
}

# tree_write NODES EACH: a tree, with so many nodes on each leaf.
tree_write() {
	local i
	echo TopologyPlugin=topology/tree >>"$dir/etc/slurm.conf"
	for ((i = 0; i * $2 < $1; i++)); do
		echo "SwitchName=s$i Nodes=f[$((i * $2 + 1))-$(((i + 1) * $2))]"
	done >"$dir/etc/topology.conf"
	echo "SwitchName=top Switches=s[0-$((i - 1))]" >>"$dir/etc/topology.conf"
}

live_down() {
	daemon_end "$dir/run/slurmctld.pid"
	daemon_end "$dir/run/munged.pid"
	[ $keep = yes ] || rm -rf "$dir"
	dir=''
}

ctld_answers() { scontrol ping | grep -q 'is UP'; }
ctld_pid() { cat "$dir/run/slurmctld.pid"; }

# CPU of slurmctld so far, ms.
cpu_ms() { client cpu "$(ctld_pid)"; }

rss_kb() { awk '/^VmRSS/ { print $2 }' "/proc/$(ctld_pid)/status"; }

booked() { grep -c 'rspb: job [0-9]* of .*: booked ' "$log"; }
all_booked() { [ "$(booked)" -ge "$1" ]; }

# mark: lines of the log from here on are meant.
mark() { marked=$(wc -c <"$log"); }
since() { tail -c +$((marked + 1)) "$log"; }

# What sections held, since the mark: "us us(busy) items name kind".
locks() {
	since | sed -n 's/.*rspb: locks: \([a-z ]*\) (\([a-z]*\), \([0-9]*\) items) held \([0-9]*\) us, busy \([0-9]*\) us.*/\4 \5 \3 \2 \1/p'
}

# lock_rows TEXT MOST|- LIMIT|-: a commit's part, and the longest read lock with its limit,
# since the mark.
lock_rows() {
	locks >"$work/held"
	row "$1" "$(awk '$4 == "write" && $5 == "commit" { n += $3; sum += $2 }
		END { printf "%.2f", sum / n / 1000 }' "$work/held")" ms most 1
	row "  longest time under the read lock" \
		"$(awk '$4 == "read" && $2 > most { most = $2 }
			END { printf "%.1f", most / 1000 }' "$work/held")" ms "$2" "$3"
}

# percent of a core while S seconds pass
load() {
	local before
	before=$(cpu_ms)
	sleep "$1"
	calc "($(cpu_ms) - $before) / $1 / 10" 2
}
