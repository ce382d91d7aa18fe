# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# Part of run: what the durable journal costs, and how soon decisions go on
# behind a kill -9.

# rate_with yes|no: bookings a second, 2,000 requests at once
rate_with() {
	local began
	have=0
	live_more="Journal=$1"
	live_up ours 1024
	# it takes no requests before it has looked at everything once
	sleep 1
	began=${EPOCHREALTIME/./}
	fill 2000
	calc "2000 / (${EPOCHREALTIME/./} - $began) * 1000000" 0
}

# syncs: "p50 p99" in ms, of requests one by one
syncs() {
	scontrol setdebug debug >/dev/null
	mark
	cost_ours 100 >/dev/null
	scontrol setdebug info >/dev/null
	since | sed -n 's/.* journal: synced in \([0-9]*\) us.*/\1/p' | sort -n |
		awk '{ us[NR] = $1 } END { if (NR) printf "%.2f %.2f\n",
			us[int((NR + 1) / 2)] / 1000, us[int(NR * .99 + .5)] / 1000 }'
}

part_crash() {
	local without with latency
	rate_with no >"$work/without"
	live_down
	rate_with yes >"$work/with"
	without=$(tail -n 1 "$work/without") with=$(tail -n 1 "$work/with")
	row "bookings a second without the journal" "$without" /s - -
	row "  and with it" "$with" /s least "$(calc "$without / 2" 0)"
	latency=$(syncs)
	row "sync of the journal, median" "${latency% *}" ms - -
	row "  and 99 of 100" "${latency#* }" ms - -
	fill "${LIVE_LEVEL:-9000}"
	kill -KILL "$(ctld_pid)"
	first_decision "killed"
	live_down
	live_more=
}
