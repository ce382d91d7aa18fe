# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# up and down: the daemons of the private cluster and their ends.

cluster_marker=.rspb-cluster
ports_wanted=0
conf_next_port=0
node_names=()

# Ports somebody uses, as numbers: listening or not, on any address.
ports_used() {
	awk 'FNR > 1 { split($2, a, ":"); print a[2] }' \
		/proc/net/tcp /proc/net/tcp6 2>/dev/null |
	while read -r hex; do printf '%d\n' "0x$hex"; done | sort -nu
}

# A row of ports_wanted free ports, from a random place within --ports.
ports_find() {
	local low=${ports%-*} high=${ports#*-}
	ports_used | awk -v low="$low" -v high="$high" -v want="$ports_wanted" \
	    -v seed="$RANDOM" '
	{ used[$1] = 1 }
	function fits(base,	i) {
		for (i = 0; i < want; i++)
			if ((base + i) in used)
				return 0
		return 1
	}
	END {
		places = high - low + 2 - want
		for (i = 0; i < places; i++) {
			base = low + (i * want + seed) % places
			if (fits(base)) {
				print base
				exit 0
			}
		}
		exit 1
	}'
}

# Whether PID is a process of the cluster in DIR: its command line says so.
process_ours() {
	local words
	mapfile -d '' -t words 2>/dev/null <"/proc/$1/cmdline" &&
		[[ "${words[*]}" == *"$dir/"* ]]
}

# Job steps and what they started: by the environment slurmd gave them.
processes_of_jobs() {
	local p
	grep -lszxF "SLURM_CONF=$dir/etc/slurm.conf" /proc/[0-9]*/environ |
	while IFS=/ read -r _ _ p _; do
		case $(readlink "/proc/$p/exe") in
		*/slurmstepd) say "$p" ;;
		*) ! grep -qsz '^SLURM_JOB_ID=' "/proc/$p/environ" || say "$p" ;;
		esac
	done
}

# daemon NAME COMMAND...: in a session of its own, so that no key reaches it.
daemon() {
	local name=$1
	shift
	SLURM_CONF=$dir/etc/slurm.conf setsid "$@" \
		>>"$dir/log/$name.out" 2>&1 </dev/null 9<&- &
	echo $! >"$dir/run/$name.pid"
	disown $!
}

daemon_end() {
	local file pids=() pid t
	for file in "$@"; do
		[ -f "$file" ] || continue
		pid=$(<"$file")
		if process_ours "$pid"; then
			kill -TERM "$pid" 2>/dev/null && pids+=("$pid")
		fi
	done
	for ((t = 0; t < 200; t++)); do
		kill -0 "${pids[@]}" 2>/dev/null || return 0
		pause 0.05
	done
	for pid in "${pids[@]}"; do
		! process_ours "$pid" || kill -KILL "$pid" 2>/dev/null
	done
	return 0
}

cluster_running() {
	local pid
	[ -f "$dir/run/slurmctld.pid" ] || return 1
	pid=$(<"$dir/run/slurmctld.pid")
	process_ours "$pid"
}

jobs_end() {
	local pids t
	for ((t = 0; t < 3; t++)); do
		pids=$(processes_of_jobs)
		[ -n "$pids" ] || return 0
		# shellcheck disable=SC2086
		kill -KILL $pids 2>/dev/null
		pause 0.1
	done
}

# Control groups of jobs whose epilog never came.
groups_end() {
	local path
	sed -n 's/^path=\(.\)/\1/p' "$dir"/run/shares/*/jobs/* 2>/dev/null |
	while read -r path; do
		rmdir "$path" "${path%/*}" 2>/dev/null
	done
	return 0
}

no_job_runs() {
	[ -z "$(squeue -h -t R,S,CG -o %A)" ]
}

# By Slurm's own means, as long as it answers: so that nodes clean up behind
# their jobs. Nothing more starts meanwhile.
jobs_cancel() (
	export SLURM_CONF=$dir/etc/slurm.conf
	local name ids
	for name in $(sinfo -h -o %R); do
		scontrol update partitionname="$name" state=down
	done
	ids=$(squeue -h -t R,S -o %A)
	# shellcheck disable=SC2086
	[ -z "$ids" ] || scancel $ids
	wait_for 8 no_job_runs
) >/dev/null 2>&1

# Every process of the cluster; what is left of jobs before the daemons, as
# slurmd waits for them, and once more for what began meanwhile.
cluster_end() {
	! cluster_running || jobs_cancel
	daemon_end "$dir/run/slurmctld.pid"
	jobs_end
	daemon_end "$dir"/run/node-*.pid
	jobs_end
	daemon_end "$dir/run/munged.pid"
	groups_end
}

# A folder is ours when empty, absent, or marked.
folder_check() {
	[ ! -e "$dir" ] || [ -f "$dir/$cluster_marker" ] ||
		rmdir "$dir" 2>/dev/null ||
		die "$dir: exists and holds something else"
}

folder_make() {
	folder_check
	mkdir -p "$dir" && : >"$dir/$cluster_marker" || die "cannot make $dir"
	mkdir -p "$dir"/{etc,run,log,state,spool} && chmod 700 "$dir/state" &&
		chmod 755 "$dir"
}

folder_remove() {
	[ ! -f "$dir/$cluster_marker" ] || rm -rf "$dir"
}

munge_start() {
	dd if=/dev/urandom of="$dir/etc/munge.key" bs=128 count=1 2>/dev/null &&
		chmod 400 "$dir/etc/munge.key" || return 1
	daemon munged munged --foreground --force \
		--socket="$dir/run/munge.socket" \
		--key-file="$dir/etc/munge.key" \
		--pid-file="$dir/run/munged.pid.own" \
		--log-file="$dir/log/munged.log" \
		--seed-file="$dir/run/munged.seed"
	wait_for 10 test -S "$dir/run/munge.socket"
}

ctld_start() {
	SLURM_CONF=$dir/etc/slurm.conf watched_ctld "$dir" 9<&-
}

nodes_start() {
	local name
	for name in "${node_names[@]}"; do
		mkdir -p "$dir/spool/$name"
		daemon "node-$name" slurmd -D -N "$name" \
			-f "$dir/etc/slurm.conf"
	done
}

# All nodes answered, or slurmctld died over its configuration.
nodes_ready() {
	local states
	cluster_running || return 0
	states=$(SLURM_CONF=$dir/etc/slurm.conf timeout 3 \
		sinfo -h -N -o '%N %T' 2>/dev/null) || return 1
	[ "$(sort -u <<<"$states" | grep -c ' idle$')" -ge ${#node_names[@]} ]
}

cluster_complain() {
	local log
	for log in munged slurmctld "node-${node_names[0]:-}"; do
		[ -s "$dir/log/$log.out" ] || continue
		printf -- '--- %s\n' "$log"
		tail -n 12 "$dir/log/$log.out"
	done >&2
	die "the cluster did not start; its last words are above"
}

# Starts a cluster in $dir with the options in force; complains by itself.
cluster_start() {
	local base
	folder_make
	if [ "$stock" = no ]; then
		step "installing into $dir" "$dir/log/install" \
			build_install "$dir" || exit 1
	fi
	mkdir -p "$dir/rspb/lib/slurm-rspb"
	if [ -n "$conf" ] && grep -qi '^[[:space:]]*nodename=' "$conf"; then
		nodes=$(conf_hostnames <"$conf" | grep -c .)
	fi
	ports_wanted=$((nodes + 2 + 64))
	exec 9</tmp
	flock -w 60 9
	base=$(ports_find) ||
		die "no $ports_wanted free ports in a row within $ports"
	conf_write "$base"
	conf_write_others
	conf_on_loopback ||
		say "This host's name, $(uname -n), does not lead to 127.*:" \
			"the daemons listen on all addresses."
	munge_start || cluster_complain
	ctld_start
	nodes_start
	step "starting slurmctld and ${#node_names[@]} slurmd" \
		"$dir/log/start" wait_for 60 nodes_ready || cluster_complain
	cluster_running || cluster_complain
	exec 9<&-
}

# What an interrupted start leaves: nothing.
cluster_abort() {
	trap '' INT TERM HUP
	step_stop
	cluster_end
	folder_remove
	say
	say "quickstart: interrupted; nothing is left running"
	exit 130
}

# Within a root of another release, its commands are to be had by run alone.
cluster_hint() {
	if [ -n "${RSPB_RELEASE:-}" ]; then
		say "contrib/quickstart run --release $RSPB_RELEASE --dir $dir"
	else
		say "export SLURM_CONF=$dir/etc/slurm.conf"
	fi
	[ ! -x "$dir/rspb/bin/rspb" ] || say "export" \
		"PATH=$dir/rspb/bin:\$PATH MANPATH=$dir/rspb/share/man:\$MANPATH"
}

command_up() {
	if cluster_running; then
		[ -z "$conf$rspb_conf$gres_conf" ] && [ "$asked_nodes$stock" = nono ] ||
			die "a cluster is up in $dir: contrib/quickstart" \
				"down --dir $dir first, or another --dir"
		say "already up in $dir"
		cluster_hint
		return 0
	fi
	folder_check
	trap cluster_abort INT TERM HUP
	trap 'cluster_failed $?' EXIT
	[ ! -f "$dir/$cluster_marker" ] || { cluster_end; folder_remove; }
	if [ "$stock" = yes ]; then
		packages_install /dev/null && slurm_build /dev/null || exit 1
	else
		build_all
	fi
	cluster_start
	trap - EXIT INT TERM HUP
	say "to use it, in any shell of any user:"
	cluster_hint
}

# EXIT within up: a start that failed leaves no process; its logs stay.
cluster_failed() {
	[ "$1" -ne 0 ] || return 0
	cluster_end
	[ ! -d "$dir/log" ] || say "quickstart: its logs are in $dir/log"
}

command_down() {
	[ -e "$dir" ] || { say "nothing is in $dir"; return 0; }
	[ -f "$dir/$cluster_marker" ] ||
		die "$dir: not a folder of this program"
	step "ending the cluster in $dir" /dev/null cluster_end
	folder_remove
}
