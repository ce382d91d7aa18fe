# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# CPU of slurmctld for a booking, for tests/bench/live/run.

# CPU of slurmctld for one more, ms.
cost_ours() {
	local before n=$1
	before=$(cpu_ms)
	next_seed
	# shellcheck disable=SC2086
	client book n="$n" seed=$seed width="$width" from=$((now + 14400)) \
		span=$span ${live_size:-nodes=12} minutes=90 slack=$span user=5 >/dev/null
	have=$((have + n))
	wait_for 60 all_booked $have
	sleep 2
	calc "($(cpu_ms) - $before) / $n" 2
}

cost_stock() {
	local before n=40
	before=$(cpu_ms)
	next_seed
	client pick n=$n seed=$seed width="$width" from=$((now + 14400)) \
		span=$span nodes=12 minutes=90 user=0 >/dev/null
	have=$((have + n))
	calc "($(cpu_ms) - $before) / $n" 2
}

# An ordinary job that waits: what no booking's job can cost less than.
cost_plain() {
	local before n=200
	before=$(cpu_ms)
	client plain n=$n seed=9998 from=$((EPOCHSECONDS + 7200)) span=60 \
		minutes=5 user=5 >/dev/null
	sleep 2
	calc "($(cpu_ms) - $before) / $n" 2
}

# cost_at WIDTH "LEVEL LEAST"...
cost_at() {
	local width=$1 pair ours=() i=0 stock plain
	shift
	have=0
	mkdir "$work/files"
	note "of each job, also of stock's, the files on this disk:" \
		"$(client files "$work/files") ms"
	rm -r "$work/files"
	live_up ours "$width"
	for pair in "$@"; do
		fill "${pair% *}"
		ours+=("$(cost_ours 400)")
		note "$width nodes, ${pair% *} present: ${ours[-1]} ms a booking"
	done
	live_down
	have=0
	live_up stock "$width"
	for pair in "$@"; do
		fill_stock "${pair% *}"
		plain=$(cost_plain)
		stock=$(cost_stock)
		note "$width nodes, ${pair% *} present, stock: $stock ms;" \
			"an ordinary job: $plain ms"
		row "CPU a booking, $width nodes, ${pair% *} present: cheaper" \
			"$(calc "$stock / ${ours[i]}")" x least "${pair#* }"
		row "  beside an ordinary job" \
			"$(calc "${ours[i]} / $plain")" x most 2
		i=$((i + 1))
	done
	live_down
}

part_cost() { cost_at 1024 "0 1" "1000 18" "3000 38"; }
part_wide() { cost_at 10240 "0 1" "1000 10" "3000 27"; }
