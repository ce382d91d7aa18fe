# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Bookings of cores, 1 to 16 of nodes with 64, for tests/bench/live/run.

# planned: of batches since the mark, ms a request: mean and longest.
planned() {
	since | sed -n 's/.*planned \([0-9]*\) requests in \([0-9]*\) us.*/\1 \2/p' |
		awk '{ n += $1; sum += $2; if ($2 / $1 > most) most = $2 / $1 }
			END { if (n) printf "%.2f %.2f\n", sum / n / 1000, most / 1000 }'
}

part_parts() {
	local live_cpus=64 live_size='nodes=1 cores=16' empty full cpu job
	have=0
	live_up ours 1024
	empty=$(rss_kb)
	fill 5000
	full=$(rss_kb)
	fill 10000
	full=$(calc "$(rss_kb) - $full" 0)
	note "the first 5,000 with their jobs: $(calc "($(rss_kb) - $full - $empty) / 5000") kB each"
	scontrol setdebug debug >/dev/null
	mark
	cpu=$(cost_ours 400)
	scontrol setdebug info >/dev/null
	planned >"$work/planned"
	row "parts of nodes, 10,000 present: a decision, mean" \
		"$(cut -d' ' -f1 "$work/planned")" ms most 5
	row "  longest, of its batch" "$(cut -d' ' -f2 "$work/planned")" ms - -
	row "  CPU a booking" "$cpu" ms - -
	lock_rows "  write-locked part of a booking, mean" - -
	row "  memory of each with its job, from 5,000 on" \
		"$(calc "$full / 5000")" kB - -
	job=$(rss_kb)
	client plain n=5000 processes=2 seed=$seed width="$width" \
		from=$((now + 14400)) span=$span nodes=1 cores=16 minutes=90 \
		slack=$span user=5 >/dev/null
	job=$(calc "($(rss_kb) - $job) / 5000")
	row "  that of an ordinary job that waits" "$job" kB - -
	row "  what the booking adds to it" "$(calc "$full / 5000 - $job")" kB most 5
	live_down
}
