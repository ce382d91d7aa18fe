# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What Slurm's backfill pays for bookings that are far ahead: 500 jobs wait that want all
# nodes but one, for tests/bench/live/run.

# What sdiag says of the last pass: which it was, us, jobs tried.
pass() {
	sdiag | awk '/Backfilling stats/ { on = 1 }
		on && /Total cycles:/ { cycle = $3 }
		on && /Last cycle:/ { us = $3 }
		on && /Last depth cycle \(try sched\):/ { n = $6 }
		END { print cycle + 0, us + 0, n + 0 }'
}

# Passes, each as something has changed; the medians: ms, jobs tried, us for each of them.
passes() {
	local i
	for ((i = 0; i < ${LIVE_PASSES:-15}; i++)); do
		scontrol update JobId="$1" Comment="$i"
		sleep 2
		pass
	done | sort -u -k1,1n | sort -k2,2n | awk '$3 {
			us[++n] = $2; jobs[n] = $3; each[n] = $2 / $3
		}
		END {
			i = int((n + 1) / 2)
			for (k = 1; k <= n; k++)
				for (m = k; m > 1 && each[m] < each[m - 1]; m--) {
					t = each[m]; each[m] = each[m - 1]; each[m - 1] = t
				}
			printf "%.1f %d %.0f\n", us[i] / 1000, jobs[i], each[i]
		}'
}

# backfill_row WHAT
backfill_row() {
	local i
	# Its end lies behind backfill's window: none can be planned, so each is tried.
	sbatch -Q --exclusive -N2 -t 2880 -o /dev/null --wrap true
	wait_for 20 running 1
	for ((i = 0; i < 500; i++)); do
		echo "--exclusive -N$((width - 1)) -t 600"
	done | xargs -L 1 -P 2 sbatch -Q -o /dev/null --wrap true
	sleep 5
	sdiag -r >/dev/null
	passes "$(squeue -h -t PENDING -o %i | head -n 1)" >"$work/pass"
	row "backfill with $1: a pass" "$(cut -d' ' -f1 "$work/pass")" ms - -
	row "  jobs it tried" "$(cut -d' ' -f2 "$work/pass")" jobs - -
	row "  each of them" "$(cut -d' ' -f3 "$work/pass")" us - -
	live_down
}

part_backfill() {
	local i n=${LIVE_BOOKED:-3000} live_more='' parameters=bf_interval=1
	live_up stock 1024
	backfill_row "nothing booked, stock"
	for i in 0 "$n" $((10 * n)); do
		live_up ours 1024
		have=0
		[ "$i" -eq 0 ] || fill "$i"
		backfill_row "$i bookings"
	done
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
