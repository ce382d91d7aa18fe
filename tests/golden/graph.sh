#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# rspb-sim model graph: tasks of one length, so that the schedule can be drawn by hand;
# model fair: copies of tasks, and where tasks go.
# shellcheck source=tests/golden/lib.sh
. "$(dirname "$0")/lib.sh"

# is SHAPE WIDTH TASKS RESOURCES SLOWDOWN EFFICIENCY: by both orders.
is() {
	for order in written longest-path; do
		said=$("$sim" model graph "shape=$1" "width=$2" "tasks=$3" \
			"resources=$4" x=100 vary=0 --preset $order --quiet |
			awk '$1 == "slowdown" { s = $2 }
				$1 == "efficiency" { print s, $2 }')
		[ "$said" = "$5 $6" ] ||
			fail "shape $1 on $4, $order: $said, wanted $5 $6"
	done
}
# Three chains of four.
is 0 3 12 3 1.0000 1.0000
is 0 3 12 1 1.0000 1.0000
# 1, 3, 1, 3, 1: on three in five steps, on two in seven, where five would be the way.
is 1 3 9 3 1.0000 0.6000
is 1 3 9 2 1.4000 0.6429
# 1, 2, 4 on two: four steps for seven tasks.
is 2 2 7 2 1.1429 0.8750
# Three layers of two.
is 3 2 6 2 1.0000 1.0000
# fair METRIC PRESET NAME=VALUE...
fair() {
	metric=$1 preset=$2
	shift 2
	"$sim" model fair "$@" --preset "$preset" --quiet |
		awk -v metric="$metric" '$1 == metric { print $2 }'
}
# Two copies of each at half the load are as much as one at all of it, and need two
# processors at a time.
[ "$(fair E1 fcfs load=0.5)" = 0.0000 ] || fail "half a load is late"
[ "$(fair E1 fcfs load=0.25 replicas=2)" = 0.0000 ] ||
	fail "half a load in copies is late"
awk -v copies="$(fair E1 fcfs load=0.5 replicas=2)" \
	'BEGIN { exit !(copies > 0.5) }' || fail "a full load in copies is in time"
"$sim" model fair replicas=6 > "$dir/out" 2>&1 && fail "more copies than processors"
grep -q 'replicas=6 are more than processors=5' "$dir/out" ||
	fail "$(cat "$dir/out")"
# Where processors differ the earliest completion is best, the fastest alone worst.
awk -v ect="$(fair E3 edf uneven=0.8)" -v est="$(fair E3 edf uneven=0.8 assign=1)" \
	-v mptf="$(fair E3 edf uneven=0.8 assign=2)" \
	'BEGIN { exit !(ect <= est && est < mptf) }' ||
	fail "E3 by where tasks go: $(fair E3 edf uneven=0.8 assign=1)"
exit $failed
