# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Plays a scenario of tests/simulated on a private cluster, and compares each change of
# state of jobs and reservations with what the simulation makes of the same file. Read by
# the suites 87-simulated and 88-simulated.

# A cluster may be so many seconds later: a command takes its time, states are read four
# times a second, and Slurm's own passes are one to three seconds apart.
scenario_tolerance=${RSPB_TOLERANCE:-3}

# scenario_word KEY WORD...: what is behind KEY= in these; nothing: it is not said.
scenario_word() {
	local key=$1 word
	shift
	for word; do
		[ "${word%%=*}" != "$key" ] || [ "$word" = "$key" ] || echo "${word#*=}"
	done
}

# scenario_has WORD WORD...: whether the first is among the others.
scenario_has() {
	[[ " ${*:2} " == *" $1 "* ]]
}

scenario_id() {
	cat "$scenario_dir/ids/$1"
}

# scenario_program SECONDS: that runs so long, without the time for which it is suspended.
scenario_program() {
	if [ -n "$scenario_suspends" ]; then
		echo "for i in \$(seq $1); do sleep 1; done"
	else
		echo "sleep $1"
	fi
}

scenario_submit() { # book|submit jN WORDS...
	local options=() seconds begin deadline nodes user cpus
	begin=$(scenario_word begin "$@")
	deadline=$(scenario_word deadline "$@")
	nodes=$(scenario_word nodes "$@")
	seconds=$(scenario_word limit "$@")
	user=$user_a
	[ "$(scenario_word user "$@")" != 1001 ] || user=$user_b
	if [ "$1" = book ]; then
		if scenario_has asap "$@"; then
			options+=(--book=asap)
		else
			options+=(--book)
		fi
	fi
	[ -z "$begin" ] || options+=("--begin=$(slurm_time $((scenario_now + begin)))")
	[ -z "$deadline" ] ||
		options+=("--deadline=$(slurm_time $((scenario_now + deadline)))")
	[ -z "$(scenario_word after "$@")" ] ||
		options+=("--dependency=afterany:$(scenario_id "$(scenario_word after "$@")")")
	[ -z "$(scenario_word series "$@")" ] ||
		options+=("--series=$(scenario_word series "$@")")
	! scenario_has no-requeue "$@" || options+=(--no-requeue)
	! scenario_has oversubscribe "$@" || options+=(--oversubscribe)
	! scenario_has partition=small "$@" || options+=(-p small)
	cpus=$(scenario_word cpus "$@")
	if [ -n "$cpus" ]; then
		options+=(--ntasks-per-node=1 -c "$cpus")
	else
		options+=(--exclusive)
	fi
	as "$user" sbatch --parsable -J "$2" -N "${nodes:-1}" \
		-t "$((${seconds:-600} / 60))" -o /dev/null "${options[@]}" \
		--wrap "$(scenario_program "$(scenario_word runs "$@")")" >"$scenario_dir/ids/$2"
}

scenario_modify() { # modify jN WORDS...
	local words=() key value
	for key in nodes begin limit until; do
		value=$(scenario_word $key "$@")
		[ -n "$value" ] || continue
		case $key in
		begin) words+=("--begin=$(slurm_time $((scenario_now + value)))") ;;
		until) words+=("--deadline=$(slurm_time $((scenario_now + value)))") ;;
		limit) words+=("--time=$((value / 60))") ;;
		nodes) words+=("--nodes=$value") ;;
		esac
	done
	if [ "$(scenario_word user "$@")" = 0 ]; then
		rspb modify "$(scenario_id "$2")" "${words[@]}"
	else
		scenario_as "$2" rspb modify "$(scenario_id "$2")" "${words[@]}"
	fi
}

# scenario_as jN COMMAND...: as the owner of a job.
scenario_as() {
	local uid
	uid=$(squeue -h -o %u -j "$(scenario_id "$1")" 2>/dev/null | head -n 1)
	as "${uid:-$user_a}" "${@:2}"
}

# scenario_after WORDS... -- COMMAND...: once the seconds of for= have passed.
scenario_after() {
	local seconds words=()
	while [ "$1" != -- ]; do words+=("$1"); shift; done
	shift
	seconds=$(scenario_word for "${words[@]}")
	{ sleep "${seconds:-60}"; "$@"; } &
	scenario_timers+=($!)
}

scenario_block() { # block opN WORDS...
	local flags=ignore_jobs first nodes
	first=$(scenario_word from "$@")
	nodes=$(scenario_word nodes "$@")
	first=${first#n}
	! scenario_has maintenance "$@" || flags+=,maint
	! scenario_has daily "$@" || flags+=,daily
	! scenario_has hourly "$@" || flags+=,hourly
	scontrol create reservation reservation="$2" user=$user_a flags=$flags \
		nodes="n[${first:-1}-$((${first:-1} + ${nodes:-1} - 1))]" \
		start="$(slurm_time $((scenario_now + $(scenario_word start "$@"))))" \
		duration=$(($(scenario_word limit "$@") / 60))
}

scenario_reserve() { # reserve opN WORDS...
	local start
	start=$((scenario_now + $(scenario_word start "$@")))
	scontrol create reservation reservation="$2" user=$user_a flags=any_nodes \
		start="$(slurm_time $start)" duration=$(($(scenario_word limit "$@") / 60)) \
		burstbuffer="rspb:nodes=$(scenario_word nodes "$@")"
}

scenario_open() {
	scontrol show partitions -o | sed 's/^PartitionName=\([^ ]*\).*/\1/' |
		while read -r name; do scontrol update partitionname="$name" state=up; done
}

scenario_act() { # WORDS...
	case $1 in
	submit|book) scenario_submit "$@" ;;
	cancel) scenario_as "$2" scancel "$(scenario_id "$2")" ;;
	modify) scenario_modify "$@" ;;
	release) scenario_as "$2" rspb giveback "$(scenario_id "$2")" ;;
	requeue) scontrol requeue "$(scenario_id "$2")" ;;
	drain|fail)
		[ "$1" = drain ] || set -- down "${@:2}"
		scontrol update nodename="$2" state="$1" reason=scenario
		! scenario_word for "$@" | grep -q . ||
			scenario_after "$@" -- scontrol update nodename="$2" state=resume ;;
	hold|unhold)
		[ "$1" = hold ] || set -- release "$2"
		scenario_as "$2" scontrol "$1" "$(scenario_id "$2")" ;;
	limit) scontrol update jobid="$(scenario_id "$2")" \
		timelimit=$(($(scenario_word limit "$@") / 60)) ;;
	suspend)
		scontrol suspend "$(scenario_id "$2")"
		scenario_after "$@" -- scontrol resume "$(scenario_id "$2")" ;;
	close)
		scontrol show partitions -o | sed 's/^PartitionName=\([^ ]*\).*/\1/' |
			while read -r name; do
				scontrol update partitionname="$name" state=down
			done
		scenario_after "$@" -- scenario_open ;;
	block) scenario_block "$@" ;;
	offers) scenario_as "$2" rspb offers "$(scenario_id "$2")" ;;
	ask) rspb list ;;
	reserve) scenario_reserve "$@" ;;
	delete) scontrol delete ReservationName="$2" ;;
	kill) ctld_stop KILL && ctld_start ;;
	*) echo "$1: this action is not played on a real cluster"; return 1 ;;
	esac
}

# scenario_play FILE: its actions, each at its second; and on to its end. What changes
# meanwhile is in $scenario_dir/real.
scenario_play() {
	local at words end watcher scenario_timers=()
	scenario_suspends=$(grep ' suspend ' "$1")
	scenario_zero=$((EPOCHSECONDS + 2))
	"$RSPB_TOP/tests/simulated/watch" cluster $scenario_zero \
		>"$scenario_dir/real" 2>"$scenario_dir/watch.err" &
	watcher=$!
	while read -r at words; do
		case $at in
		end) end=$(scenario_seconds "$words") ;;
		[0-9]*)
			sleep_until $((scenario_zero + $(scenario_seconds "$at")))
			scenario_now=$EPOCHSECONDS
			# shellcheck disable=SC2086
			scenario_act $words >>"$scenario_dir/acts" 2>&1 || {
				echo "$at $words: $(tail -n 3 "$scenario_dir/acts")"
				kill $watcher
				return 1
			}
			;;
		esac
	done < <(sed 's/#.*//' "$1")
	sleep_until $((scenario_zero + end))
	[ ${#scenario_timers[@]} -eq 0 ] || kill "${scenario_timers[@]}" 2>/dev/null
	kill $watcher
	wait $watcher 2>/dev/null
	return 0
}

# The seconds of H:MM:SS[.FRACTION].
scenario_seconds() {
	local h m s
	IFS=: read -r h m s <<<"$1"
	echo $((h * 3600 + 10#$m * 60 + 10#${s%.*}))
}

# Leave the cluster as it was before: no job, no reservation, no node in trouble.
scenario_clear() {
	scancel -u $user_a
	scancel -u $user_b
	scontrol -o show reservations | sed -n 's/^ReservationName=\(op[^ ]*\).*/\1/p' |
		while read -r name; do scontrol delete ReservationName="$name"; done
	scontrol update nodename=ALL state=resume 2>/dev/null
	scenario_open
	wait_for 30 no_jobs && wait_for 20 no_reservations
}

# scenario_compare FILE: here and in the simulation, the same happens.
scenario_compare() {
	local simulated
	scenario_dir=$folder/scenario
	rm -rf "$scenario_dir"
	mkdir -p "$scenario_dir/ids" "$scenario_dir/run"
	simulated=${SIMULATED:-$(find "$RSPB_TOP"/build/*/tests/simulated -name simulated \
		-type f -perm -1 2>/dev/null | head -n 1)}
	[ -n "$simulated" ] || { echo "no tests/simulated/simulated is built"; return 1; }
	"$simulated" --dir "$scenario_dir/run" --scenario "$1" --states \
		>"$scenario_dir/result" || { cat "$scenario_dir/result"; return 1; }
	scenario_play "$1" || return 1
	scenario_clear || { echo "jobs or reservations stay"; squeue; return 1; }
	"$RSPB_TOP/tests/simulated/watch" compare "$scenario_dir/run/states" \
		"$scenario_dir/real" "$scenario_tolerance" || {
		echo "simulated:"
		cat "$scenario_dir/run/states"
		echo "on this cluster:"
		cat "$scenario_dir/real"
		return 1
	}
}

# scenario_conf FILE: slurm.conf for the head of a scenario; nothing: as it is without one. The
# nodes are those of tests/simulated/room.c.
scenario_conf() {
	local small
	small=$(sed -n 's/^conf slurm\.\(OverSubscribe\|PriorityTier\|MaxCPUsPerNode\)=/\1=/p' "$1")
	grep -q '^conf slurm\.\(Parts\|Partitions\)=yes' "$1" || return 0
	if grep -q '^conf slurm.Parts=yes' "$1"; then
		echo 'NodeName=n[1,4-5,8] CPUs=8 Sockets=2 CoresPerSocket=4 RealMemory=16000'
		echo 'NodeName=n[2,6] CPUs=16 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=16000'
		echo 'NodeName=n[3,7] CPUs=4 Sockets=2 CoresPerSocket=2 RealMemory=16000'
	else
		echo 'NodeName=n[1-8] CPUs=4 RealMemory=16000'
	fi
	echo 'PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00'
	echo "PartitionName=small Nodes=n[1-4] MaxNodes=6 MaxTime=30 ${small//$'\n'/ }"
}

# Start a cluster for a scenario, unless the one that runs is such.
scenario_cluster() {
	local nodes
	nodes=$(sed -n 's/^nodes //p' "$1")
	scenario_conf "$1" >"$folder/slurm.next"
	sed -n '/^conf slurm\./d; s/^conf //p' "$1" >"$folder/rspb.next"
	[ -s "$folder/rspb.next" ] || echo ReserveAhead=300s >"$folder/rspb.next"
	if [ -n "${SLURM_CONF:-}" ] && cmp -s "$folder/slurm.next" "$folder/slurm.conf" &&
		cmp -s "$folder/rspb.next" "$folder/rspb.conf" &&
		[ "${nodes:-8}" = "$scenario_nodes" ]; then
		return 0
	fi
	[ -z "${SLURM_CONF:-}" ] || cluster_down
	mv "$folder/slurm.next" "$folder/slurm.conf"
	mv "$folder/rspb.next" "$folder/rspb.conf"
	scenario_nodes=${nodes:-8}
	if [ -s "$folder/slurm.conf" ]; then
		cluster_up --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf"
	else
		cluster_up --nodes "$scenario_nodes" --rspb-conf "$folder/rspb.conf"
	fi || return 1
	PATH=$cluster/rspb/bin:$PATH
}

# scenarios_compare NAME...: on clusters with the nodes and the rspb.conf that it names; a scenario of this folder, or
# those of RSPB_SCENARIOS instead, by their paths.
scenarios_compare() {
	local name file files=()
	for name; do
		files+=("$RSPB_TOP/tests/simulated/scenarios/$name.scenario")
	done
	# shellcheck disable=SC2206
	[ -z "${RSPB_SCENARIOS:-}" ] || files=($RSPB_SCENARIOS)
	for file in "${files[@]}"; do
		scenario_cluster "$file" || return 1
		name=$(basename "$file" .scenario)
		note "$name: $(sed -n '2s/^# //p' "$file")"
		check "$name goes as in the simulation" scenario_compare "$file"
	done
	return 0
}
