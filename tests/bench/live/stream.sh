# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The same stream of requests, in real time, on clusters side by side: stock Slurm with
# reservations at fixed starts, and ours, for tests/bench/live/run.
#
# STREAM_SEEDS	default "1 2"
# STREAM_LOADS	what bookings:jobs ask for as parts of the machine,
#		default ".4:.35 .8:.5"
# STREAM_MINUTES, STREAM_NODES	default 15, 128
#
# "week": default loads ".1:.55 .1:.7", 42 minutes; an hour takes 15 seconds, a job's limit
# being a minute at least.
#
# All takes minutes here that takes hours elsewhere, so notices and Slurm's own intervals are
# as much shorter: FirmNotice=1m, ReserveAhead=2m, a pass of backfill every other second.

WEEK_PART=20		# % of the nodes
WEEK_NOTICE=60		# s

stream_conf() {
	cat <<-TEXT
	JobCompType=jobcomp/filetxt
	JobCompLoc=$out/jobs.txt
	PlugStackConfig=$dir/etc/plugstack.conf
	MinJobAge=60
	SuspendTimeout=2
	TEXT
	[ "$kind" != fixed ] ||
		echo "PartitionName=booked Nodes=f[$((own + 1))-$width] DefaultTime=10 MaxTime=2-0"
	[ "$kind" = stock ] || [ "$kind" = once ] ||
		echo "optional $dir/rspb/lib/slurm-rspb/spank_rspb.so state=$dir/run/shares" \
			>"$dir/etc/plugstack.conf"
}

# stream_up STREAM KIND
stream_up() {
	local part=stream-$2-${1##*/} kind=$2 out=$1.$2 live_own=stream_conf live_cpus=1 \
		live_more='' live_main='' ports_wanted=1 from=ours width=${STREAM_NODES:-128} own \
		parameters=bf_interval=2,bf_resolution=5,sched_interval=10
	own=$((width * (100 - WEEK_PART) / 100))
	mkdir "$out"
	case $kind in
	once|stock) from=stock ;;
	firm|live)
		live_more=$'FirmNotice=1m\nReserveAhead=2m\nJournalKeep=1d'
		;;
	*)
		live_more=$'FirmNotice=1m\nReserveAhead=2m\nAlgorithm=li-ff'
		[ "$kind" != bookable ] ||
			live_more+=$'\n'Bookable=$WEEK_PART%/$((WEEK_NOTICE / 60))m
		[ "$kind" != fixed ] || live_main="f[1-$own]"
		;;
	esac
	live_up $from "$width"
	streamed+=("$dir")
	players+=("$1 $kind $dir")
}

# streams_play KINDS MINUTES [NOTICE]: each seed and load to each kind, all at once, and what
# came of it.
streams_play() {
	local players=() playing=() seed load each stream kind begin
	streams=()
	python3 "$here/check_stream.py" 2>"$work/check" || { cat "$work/check"; return 1; }
	for seed in ${STREAM_SEEDS:-1 2}; do
		for load in $loads_wanted; do
			stream=$work/$seed-${load/:/-}
			python3 "$here/stream.py" make "$seed" "$load" \
				"${STREAM_NODES:-128}" "${@:2}" >"$stream"
			streams+=("$stream")
			for kind in $1; do
				stream_up "$stream" "$kind"
			done
		done
	done
	begin=$((EPOCHSECONDS + 5))
	for each in "${players[@]}"; do
		read -r stream kind dir <<<"$each"
		SLURM_CONF=$dir/etc/slurm.conf python3 "$here/stream_play.py" "$stream" "$kind" \
			$begin "$stream.$kind" 2>"$stream.$kind/said" &
		playing+=($!)
	done
	note "${#players[@]} clusters are up"
	wait "${playing[@]}"
	for each in "${players[@]}"; do
		read -r stream kind dir <<<"$each"
		[ "$kind" != live ] || cp "$dir/state/rspb.journal" "$stream.live/journal"
		live_down
	done
	streamed=()
	python3 "$here/stream.py" tell "${1// /,}" "${streams[@]}" |
		tee -a "$work/table" || failed=$((failed + 1))
}

part_stream() {
	local streams=() loads_wanted=${STREAM_LOADS:-.4:.35 .8:.5}
	streams_play "once stock firm live" "${STREAM_MINUTES:-15}" && stream_again
}

# Bookings at notice, beside jobs that run for longer than that: on all nodes as they come
# free, with a part of the machine kept for them by number, and on nodes of their own.
part_week() {
	local streams=() loads_wanted=${STREAM_LOADS:-.1:.55 .1:.7}
	streams_play "none bookable fixed" "${STREAM_MINUTES:-42}" $WEEK_NOTICE
}

# What was decided live is decided again, and what policies would have made of it.
stream_again() {
	local sim stream different=0
	sim=$(find "$work/inst" "${RSPB_INSTALLED:-/nonexistent}" -name rspb-sim -type f \
		2>/dev/null | head -n 1)
	for stream in "${streams[@]}"; do
		"$sim" journal "$stream.live/journal" >"$work/again" ||
			{ different=$((different + 1)); tail -n 5 "$work/again"; }
		"$sim" journal "$stream.live/journal" --compare rb,li-ff,live --apart |
			sed -n "s/^ .*recorded.*/& ${stream##*/}/p; /^accept/p" |
			tee -a "$work/table"
	done
	row "journals of live that are decided otherwise again" $different '' most 0
}
