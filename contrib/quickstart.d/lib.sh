# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Messages, progress and small helpers of contrib/quickstart.

say() {
	printf '%s\n' "$*"
}

die() {
	printf 'quickstart: %s\n' "$*" >&2
	exit 1
}

# Seconds since the epoch with milliseconds, without a process.
now_ms() {
	local us=${EPOCHREALTIME/[.,]/}
	printf '%s\n' "$((us / 1000))"
}

# pause SECONDS: sleeps without a process; nobody ever writes there.
exec {pause_fd}<> <(:)
pause() {
	read -rt "$1" -u "$pause_fd"
	return 0
}

step_pid=

# Ends the command a step is running, with all its children.
step_stop() {
	[ -n "$step_pid" ] || return 0
	kill -TERM -- "-$step_pid" 2>/dev/null
	wait "$step_pid" 2>/dev/null
	step_pid=
}

# step TEXT LOG COMMAND...: runs COMMAND with its output in LOG, says so, and
# goes on saying so while it lasts. A function of ours is a COMMAND too.
step() {
	local text=$1 log=$2 t0=$SECONDS rc told=0
	shift 2
	printf '%s ...' "$text"
	set -m
	( "$@" ) >>"$log" 2>&1 </dev/null &
	step_pid=$!
	set +m
	while kill -0 "$step_pid" 2>/dev/null; do
		pause "${RSPB_POLL:-0.1}"
		if [ $((SECONDS - t0)) -ge $((told + 2)) ]; then
			told=$((SECONDS - t0))
			step_tick "$text" "$told"
		fi
	done
	wait "$step_pid"
	rc=$?
	step_pid=
	if [ $rc -ne 0 ]; then
		say " failed"
		tail -n 25 "$log" >&2
		printf 'quickstart: %s failed (status %s); all of it: %s\n' \
			"$text" "$rc" "$log" >&2
		return $rc
	fi
	say " done ($((SECONDS - t0)) s)"
}

step_tick() {
	if [ -t 1 ]; then
		printf '\r%s ... %s s' "$1" "$2"
	elif [ $(($2 % 10)) -lt 2 ]; then
		printf ' %s s' "$2"
	fi
}

# wait_for SECONDS COMMAND...: polls until COMMAND succeeds; every RSPB_POLL
# seconds, where looking is dear.
wait_for() {
	local end=$((SECONDS + $1 * ${RSPB_PATIENCE:-1}))
	shift
	until "$@" >/dev/null 2>&1; do
		[ $SECONDS -lt $end ] || return 1
		pause "${RSPB_POLL:-0.05}"
	done
}

# Whether cgroup v2 is ready for Slurm where no systemd looks after it: the
# folder that Slurm makes its own in has CPU time to hand out.
cgroup_v2_bare() {
	[ ! -d /run/systemd/system ] && grep -qsw cpu \
		/sys/fs/cgroup/system.slice/cgroup.subtree_control
}

# watched PIDFILE ENDS COMMAND...: runs COMMAND in a session of its own; its process
# is in PIDFILE then, and when it ends, "PROCESS STATUS" is added to ENDS.
watched() {
	: >"$1"
	# shellcheck disable=SC2016
	setsid bash -c '"${@:3}" & echo $! >"$1"; wait $!; echo "$! $?" >>"$2"' \
		- "$@" &
	disown $!
	until [ -s "$1" ]; do pause 0.01; done
}

# watched_ctld CLUSTER [options of slurmctld]: watched, by the configuration of that
# cluster. RSPB_ENDS: the file for how it ends. RSPB_SANITIZED: the plugins of that folder
# are loaded, under the sanitizers with which they were built.
watched_ctld() {
	local under=()
	[ -z "${RSPB_SANITIZED:-}" ] ||
		under=(unshare -m "${BASH_SOURCE[0]%/*}/under-sanitizers" "$1")
	watched "$1/run/slurmctld.pid" "${RSPB_ENDS:-/dev/null}" "${under[@]}" \
		slurmctld -D -f "$1/etc/slurm.conf" "${@:2}" \
		>>"$1/log/slurmctld.out" 2>&1 </dev/null
}
