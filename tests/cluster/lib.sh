# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What a suite works with. `bash lib.sh SUITE FOLDER` runs one.
set -u -o pipefail

suite=$1
folder=$2
quickstart=$RSPB_TOP/contrib/quickstart
cluster=$folder/c
out=$folder/out
PATH=$PATH:/usr/sbin:/sbin
# shellcheck source=contrib/quickstart.d/lib.sh
. "$RSPB_TOP/contrib/quickstart.d/lib.sh"
# shellcheck source=contrib/quickstart.d/slurm.sh
. "$RSPB_TOP/contrib/quickstart.d/slurm.sh"

out_make || exit 1
# How each slurmctld has ended, "PROCESS STATUS", and which were killed on purpose.
export RSPB_ENDS=$folder/ends
: >"$RSPB_ENDS"
: >"$folder/killed"
: >"$folder/results"
: >"$folder/slow"

# --- counting -------------------------------------------------------------

ok() {
	printf 'ok %s: %s\n' "$suite" "$*" | tee -a "$folder/results"
}

# Where all goes wrong, each wait is in vain: ten complaints will do.
not_ok() {
	printf 'not ok %s: %s\n' "$suite" "$*" | tee -a "$folder/results"
	[ "$(grep -c '^not ok' "$folder/results")" -lt 10 ] || {
		note "ten complaints: given up"
		exit 1
	}
}

# check TEXT COMMAND...: one test; what COMMAND prints is shown if it fails, of
# what was waited for in vain what it prints then.
check() {
	local text=$1 said rc
	shift
	if said=$("$@" 2>&1); then
		ok "$text"
	else
		rc=$?
		[ "$1" != wait_for ] || said+=$("${@:3}" 2>&1)
		not_ok "$text"
		{
			printf '  # %s: status %s\n' "$*" $rc
			[ -z "$said" ] || head -n 20 <<<"$said" | sed 's/^/  # /'
		} | tee -a "$folder/results"
		return 1
	fi
}

# note TEXT: and at which second of the suite.
note() {
	printf '# %s s: %s\n' $SECONDS "$*"
}

# skip REASON: what can't be tested here. skip_suite REASON: all of it.
skip() {
	printf 'skip %s: %s\n' "$suite" "$*" | tee -a "$folder/results"
}

skip_suite() {
	skip "$@"
	exit 77
}

# --- waiting ----------------------------------------------------------------

# For how long, in us, something has waited for a processor or a disk, and in
# ticks, a processor for the host of this virtual machine; all since the boot.
load_read() {
	local name
	cpu_waits=0 disk_waits=0
	{ read -r name _ _ _ cpu_waits </proc/pressure/cpu &&
		read -r name _ _ _ disk_waits </proc/pressure/io; } 2>/dev/null
	cpu_waits=${cpu_waits#total=} disk_waits=${disk_waits#total=}
	read -r name _ _ _ _ _ _ _ stolen _ </proc/stat
}

# load_since CPU DISK STOLEN US: in percent of the US that have gone by since
# load_read had said so; where the kernel tells no pressure, by the load.
load_since() {
	local load
	load_read
	load=$(((cpu_waits - $1 + disk_waits - $2 + (stolen - $3) * 10000) *
		100 / $4))
	[ -e /proc/pressure/cpu ] ||
		load=$(awk -v n="$(nproc)" '{ print int(25 * $1 / n) }' /proc/loadavg)
	echo $load
}

# wait_for SECONDS COMMAND...: polls until COMMAND succeeds, at first often. A
# busy machine may take RSPB_PATIENCE times as long, which is noted at the end; a
# quiet one, where work has waited for less than a quarter of the time, may not.
wait_for() {
	local wait_limit=$1 wait_began=${EPOCHREALTIME/./} wait_from wait_us
	local wait_end=$((SECONDS + $1 * RSPB_PATIENCE)) wait_often=40
	local wait_pause=0.05
	shift
	load_read
	wait_from=("$cpu_waits" "$disk_waits" "$stolen")
	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $wait_end ] || return 1
		[ $((wait_often--)) -gt 0 ] || wait_pause=0.2
		pause "${RSPB_POLL:-$wait_pause}"
	done
	wait_us=$((${EPOCHREALTIME/./} - wait_began))
	[ $wait_us -le $(((wait_limit + 1) * 1000000)) ] ||
		wait_judge "$*" "$wait_limit" $wait_us "${wait_from[@]}"
}

# wait_judge WHAT LIMIT US CPU DISK STOLEN: it took US; the rest is what
# load_read had said before.
wait_judge() {
	local load seconds=$(($3 / 1000000)).$(($3 / 100000 % 10))
	load=$(load_since "${@:4}" "$3")
	if [ "${RSPB_QUIET:-yes}" = yes ] && [ "$load" -lt 25 ]; then
		echo "took $seconds s, $2 are allowed (busy for $load %)" >&2
		return 1
	fi
	echo "$seconds s instead of $2, busy for $load %: $1" >>"$folder/slow"
}

# quick SECONDS COMMAND...: it succeeds, and within so many, which is judged as by
# wait_for.
quick() {
	local limit=$1 us began=${EPOCHREALTIME/./} from
	shift
	load_read
	from=("$cpu_waits" "$disk_waits" "$stolen")
	"$@" || return 1
	us=$((${EPOCHREALTIME/./} - began))
	[ $us -gt $((limit * 1000000)) ] || return 0
	[ $us -le $((limit * RSPB_PATIENCE * 1000000)) ] || {
		echo "took $((us / 1000)) ms, $limit s are allowed" >&2
		return 1
	}
	wait_judge "$*" "$limit" $us "${from[@]}"
}

# Which waits were not judged, as it was too busy.
slow_note() {
	[ -s "$folder/slow" ] || return 0
	note "$(wc -l <"$folder/slow") waits were too long:"
	sed 's/^/#   /' "$folder/slow"
}

# --- the cluster ----------------------------------------------------------

# cluster_up [OPTIONS of quickstart up]; without limits, whatever a suite writes into
# rspb.conf, unless lifted is empty.
lifted="--parameters rspb_MaxNodes=0,rspb_MaxDuration=0s,rspb_MaxWaitingPerUser=0"
lifted+=,rspb_MaxAheadPerUser=0s,rspb_MaxBookedPercent=100%,rspb_Horizon=30d
cluster_up() {
	# shellcheck disable=SC2086
	"$quickstart" up $lifted --dir "$cluster" "$@" >"$folder/up.log" 2>&1 || {
		cat "$folder/up.log"
		return 1
	}
	export SLURM_CONF=$cluster/etc/slurm.conf
}

cluster_down() {
	"$quickstart" down --dir "$cluster" >>"$folder/up.log" 2>&1
	# The next cluster numbers its jobs anew, and other users could not write to these.
	rm -f "$out"/begin.* "$out"/ran.* "$out"/job-*.out
	unset SLURM_CONF
}

# The logs of a suite in which something failed.
logs_keep() {
	local to=$RSPB_LOG_DIR/$suite
	grep -q '^not ok' "$folder/results" || return 0
	rm -rf "$to"
	mkdir -p "$to" && cp "$folder"/*.log "$folder/results" "$to"
	[ ! -d "$folder/logs" ] || cp -r "$folder"/logs/* "$to"
	cp -r "$out" "$to"
}

# ended_well KILLED: each slurmctld that has ended so far did it by itself and with
# status 0, or was killed on purpose, as those were in the file KILLED.
ended_well() {
	local pid status
	while read -r pid status; do
		[ "$status" -eq 0 ] || grep -qx "$pid" "$1" ||
			not_ok "slurmctld, process $pid, ended with status $status"
	done <"$RSPB_ENDS"
	: >"$RSPB_ENDS"
}

# sanitized_well FOLDER: neither an error nor memory lost in code of this project, in
# the reports of the sanitizers there. Slurm's own leaks are Slurm's.
sanitized_well() {
	local report
	for report in "$1"/sanitizer.*; do
		[ -e "$report" ] || continue
		awk '/^(Direct|Indirect) leak|ERROR: AddressSanitizer/ { text = ""; ours = 0 }
			{ text = text "\n#" $0 }
			/ (in|\() ?[^ ]* .*(plugins|common)\/[a-z_\/]*\.c:/ { ours = 1 }
			/^$/ && ours { print text; ours = 0 }
			END { if (ours) print text }' "$report"
	done >"$folder/sanitizers.log"
	if [ -s "$folder/sanitizers.log" ]; then
		head -n 60 "$folder/sanitizers.log"
		not_ok "the sanitizers complain"
	fi
}

suite_end() {
	local rc=$? pid
	trap '' INT TERM HUP
	slow_note
	: >"$folder/over"
	mkdir -p "$folder/logs"
	[ ! -d "$cluster/log" ] ||
		cp -al "$cluster/log" "$cluster/etc" "$folder/logs"
	ended_well "$folder/killed"
	pid=$(ctld_pid 2>/dev/null)
	cluster_down
	if [ -n "$pid" ] && ! grep -qx "$pid" "$folder/killed"; then
		RSPB_PATIENCE=1 wait_for 2 grep -q "^$pid " "$RSPB_ENDS"
		# who has not ended within ten seconds was killed
		ended_well <(sed -n 's/ 137$//p' "$RSPB_ENDS")
	fi
	[ -z "${RSPB_SANITIZED:-}" ] || sanitized_well "$folder"
	logs_keep
	exit "$rc"
}

ctld_pid() {
	cat "$cluster/run/slurmctld.pid"
}

ctld_stop() {
	local pid t
	pid=$(ctld_pid)
	[ "${1:-TERM}" = TERM ] || echo "$pid" >>"$folder/killed"
	kill "-${1:-TERM}" "$pid"
	for ((t = 0; t < 600; t++)); do
		kill -0 "$pid" 2>/dev/null || return 0
		pause 0.05
	done
	return 1
}

ctld_start() {
	watched_ctld "$cluster" "$@"
	wait_for 30 ctld_answers
}

# topology_start PLUGIN [options of slurmctld]: anew, with that and etc/topology.conf.
topology_start() {
	ctld_stop TERM
	sed -i '/^TopologyPlugin=/d' "$SLURM_CONF"
	echo "TopologyPlugin=topology/$1" >>"$SLURM_CONF"
	ctld_start "${@:2}"
}

# From Slurm 23.11 on it starts anew then; until it takes bookings.
reconfigure() {
	scontrol reconfigure
	wait_for 10 scontrol show reservation rspb_waiting
}

# node_start NODE [options of slurmd]: again, after its slurmd was ended.
node_start() {
	local node=$1
	shift
	setsid slurmd -D -f "$cluster/etc/slurm.conf" "$@" \
		>>"$cluster/log/node-$node.out" 2>&1 </dev/null &
	echo $! >"$cluster/run/node-$node.pid"
	disown $!
}

# The journal of a cluster with JournalKeep: its files, in their order.
journals() {
	find "$cluster/state" -name 'rspb.journal-[0-9]*' | sort
	echo "$cluster/state/rspb.journal"
}
# decides_the_same [DECISIONS]: at least so many, all as recorded.
decides_the_same() {
	local said
	# shellcheck disable=SC2046
	said=$("$cluster/rspb/bin/rspb-sim" journal $(journals) 2>"$out/stderr") ||
		{ cat "$out/stderr"; echo "$said"; return 1; }
	grep -q '^[0-9]* decisions, 0 otherwise' <<<"$said" &&
		[ "${said%% *}" -ge "${1:-1}" ] || { echo "$said"; return 1; }
}
ctld_answers() {
	scontrol ping | grep -q 'is UP'
}

# stepds JOB: its step daemons here; another cluster may have such a job, too. Each
# writes into its node's log; its title lies over its environment.
stepds() {
	local pid
	for pid in $(pgrep -f "slurmstepd: \\[$1\\."); do
		[ -z "$(find "/proc/$pid/fd" -lname "$cluster/log/*" 2>/dev/null)" ] ||
			echo "$pid"
	done
}

# The tree in which the cpu controller has a folder for each job: cgroup v1's, or
# v2's where no systemd looks after it; nothing where it can't be written to.
cpu_tree() {
	local tree
	tree=$(awk '$3 == "cgroup" && $4 ~ /(^|,)cpu(,|$)/ { print $2; exit }' \
		/proc/mounts)
	[ -n "$tree" ] || ! cgroup_v2_bare || tree=/sys/fs/cgroup/system.slice
	[ ! -w "${tree:-/nowhere}" ] || echo "$tree"
}

# group JOB: its folder there, as n1 remembers it.
group() {
	sed -n 's/^path=\(.\)/\1/p' "$cluster/run/shares/n1/jobs/$1"
}

# weight_of JOB: in the kernel, on n1. Of 10240 for a whole node, as v1 counts;
# v2 counts of 1000.
weight_of() {
	local group
	group=$(group "$1") && [ -n "$group" ] || return 1
	if [ -f "$group/cpu.weight" ]; then
		echo $((($(<"$group/cpu.weight") * 10240 + 500) / 1000))
	else
		cat "$group/cpu.shares"
	fi
}

weight_is() {
	[ "$(weight_of "$1")" = "$2" ]
}

# weight_default GROUP: what the kernel gives those who ask for nothing.
weight_default() {
	if [ -f "$1/cpu.weight" ]; then
		echo 100 >"$1/cpu.weight"
	else
		echo 1024 >"$1/cpu.shares"
	fi
}

# groups_left GROUP: which folders of jobs this cluster has there, told by one
# that it had; other clusters have theirs beside them.
groups_left() {
	local parent=${1%/job_*} path rc=1
	for path in "${parent%/*}"/rspb_*_"${parent##*_}"/job_* \
		"${parent%/*}"/*_slurmstepd.scope/job_*; do
		[ ! -d "$path" ] || { echo "$path"; rc=0; }
	done
	return $rc
}

# shellcheck source=tests/cluster/users.sh
. "$RSPB_TOP/tests/cluster/users.sh"

# --- a suite ----------------------------------------------------------------

trap suite_end EXIT
trap 'exit 130' INT TERM HUP
# shellcheck source=/dev/null
. "$RSPB_TOP/tests/cluster/$suite.sh"
