# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Many bookings over eight nodes beside many ordinary jobs that wait.
# RSPB_LOAD bookings, default 16 (two minutes); RSPB_LOAD_JOBS jobs, 500.
# Takes 140 s, alone.
bookings=${RSPB_LOAD:-16}
ordinary=${RSPB_LOAD_JOBS:-500}
echo DebugLocks=yes >"$folder/rspb.conf"
cluster_up --nodes 8 --rspb-conf "$folder/rspb.conf" || exit 1

# Each row: one booking a node, none on the same second as another.
t=$(ahead $((20 + bookings / 10)))
note "$bookings bookings from $(slurm_time "$t") on"
for ((i = 0; i < bookings; i++)); do
	start=$((t + i / 8 * 62 + i % 8 * 3))
	user=$user_a
	[ $((i % 2)) -eq 0 ] || user=$user_b
	echo "$(book $user $start -N1) $start"
done >"$out/bookings"
check "all bookings were taken in" \
	[ "$(grep -cE '^[0-9]+ ' "$out/bookings")" -eq "$bookings" ]
# shellcheck disable=SC2046
check "all are granted" booked $(awk '{ print $1 }' "$out/bookings")

note "$ordinary ordinary jobs"
for ((i = 0; i < ordinary; i++)); do
	job $user_b 5 --time=1 --exclusive -N$((i % 3 + 1)) \
		>>"$out/ordinary"
done
check "the ordinary jobs were taken in" \
	[ "$(grep -cxE '[0-9]+' "$out/ordinary")" -eq "$ordinary" ]

last=$(awk 'END { print $2 }' "$out/bookings")
while left=$((last + 5 - EPOCHSECONDS)) && [ $left -gt 0 ]; do
	sleep $((left < 20 ? left : 20))
	note "$(squeue -h -t PD | wc -l) jobs wait," \
		"$(find "$out" -name 'begin.*' | wc -l) have begun"
done
wrong=0
while read -r id start; do
	starts_at "$id" "$start" 1000 || wrong=$((wrong + 1))
done <"$out/bookings"
check "none early, none a second late" [ $wrong -eq 0 ]

# quantile FILE Q
quantile() {
	sort -n "$1" | awk -v q="$2" '{ v[NR] = $1 }
		END { i = int(NR * q + 0.999); print v[i < 1 ? 1 : i] }'
}
quantiles() {
	echo "median $(quantile "$1" 0.5) ms, 99 % $(quantile "$1" 0.99) ms," \
		"worst $(quantile "$1" 1) ms"
}
# What slurmctld had done when, by its log; the rest is the node's: a step
# daemon, a shell, and on a busy machine the wait for a CPU.
while read -r id start; do
	at=$(sed -n "s/^\[\([^]]*\)\] rspb: booking $id started.*/\1/p" \
		"$cluster/log/slurmctld.log" | head -n 1)
	[ -z "$at" ] || echo $(($(date -d "$at" +%s%3N) - start * 1000))
done <"$out/bookings" >"$out/launched"
note "launched by slurmctld after the booked second: $(quantiles "$out/launched")"
note "first command of the job after it: $(quantiles "$out/delays")"
check "slurmctld launched them all" \
	[ "$(wc -l <"$out/launched")" -eq "$bookings" ]
check "half of them within 50 ms" [ "$(quantile "$out/launched" 0.5)" -lt 50 ]
check "99 % within 250 ms" [ "$(quantile "$out/launched" 0.99)" -lt 250 ]

no_overlap() {
	local id start
	while read -r id start; do
		wait_for 20 ended "$id" || return 1
		cat "$out/ran.$id"
	done <"$out/bookings" | sort -k3,3 -k1,1n | awk '
		$3 == node && $1 < end { print "overlap on " node; bad = 1 }
		{ node = $3; end = $2 }
		END { exit bad }'
}
check "no two bookings ran on one node at a time" no_overlap

# The plugin's own measure: how long each section held slurmctld's write locks,
# and for how long of it the thread had a processor: what it had none for is
# the machine's doing, and is told, but judges nothing.
locks() {
	sed -n 's/.*rspb: locks: \([a-z ]*\) (write, .* held \([0-9]*\) us, busy \([0-9]*\) us.*/\2 \3 \1/p' \
		"$cluster/log/slurmctld.log"
}
locks >"$folder/locks.log"
longest() {
	sort -rn -k"$1,$1" "$folder/locks.log" | head -n 3 |
		awk -v c="$1" '{ printf "%s%s %d us", sep, $3, $c; sep = ", " }'
}
note "write locks: $(wc -l <"$folder/locks.log") times, the longest:" \
	"$(longest 1); busy: $(longest 2)"
# Measuring for the record (RSPB_LOAD) none may; on whatever machine this runs
# otherwise, nine of ten may not, and none may stop slurmctld for long.
short_locks() {
	sort -n -k2,2 "$folder/locks.log" |
		awk -v strict="${RSPB_LOAD:+1}" '
		{ busy[NR] = $2 }
		END {
			most = strict ? busy[NR] : busy[int(NR * 0.9)]
			exit !NR || most >= 5000 || busy[NR] >= 100000
		}'
}
check "write locks are held for less than 5 ms of work" short_locks
