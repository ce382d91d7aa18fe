# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What Slurm's backfill pays for bookings that are far ahead: 500 jobs wait that want all
# nodes but one, for tests/bench/live/run.

# What sdiag says of the last pass: ms, and jobs looked at.
pass() {
	sdiag | awk '/Backfilling stats/ { on = 1 }
		on && /Last cycle:/ { us = $3 }
		on && /Last depth cycle:/ { n = $4 }
		END { printf "%.1f %d\n", us / 1000, n }'
}

passes() {
	[ "$(sdiag | sed -n 's/.*Total cycles: *//p' | tail -n 1)" -ge "$1" ]
}

# backfill_row WHAT
backfill_row() {
	local i
	sbatch -Q -N2 -t 1200 -o /dev/null --wrap true
	wait_for 20 running 1
	for ((i = 0; i < 500; i++)); do
		echo "-N$((width - 1)) -t 600"
	done | xargs -L 1 -P 2 sbatch -Q -o /dev/null --wrap true
	sdiag -r >/dev/null
	wait_for 200 passes 3
	pass >"$work/pass"
	row "backfill with $1: a pass" "$(cut -d' ' -f1 "$work/pass")" ms - -
	row "  jobs it looked at" "$(cut -d' ' -f2 "$work/pass")" jobs - -
	live_down
}

part_backfill() {
	local n=${LIVE_BOOKED:-3000} live_more=
	live_up stock 1024
	backfill_row "nothing booked"
	live_up ours 1024
	have=0
	fill "$n"
	backfill_row "$n bookings"
	live_more=ReserveAhead=0
	live_up ours 1024
	have=0
	fill "$n"
	backfill_row "$n bookings, all of them reservations"
	live_more=
	live_up stock 1024
	have=0
	fill_stock "$n"
	backfill_row "$n reservations of stock Slurm"
}
