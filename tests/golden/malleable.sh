#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# rspb-sim model lublin: malleable jobs, and nodes of other speeds.
# shellcheck source=tests/golden/lib.sh
. "$(dirname "$0")/lib.sh"

# run NAME=VALUE...: "acceptance slowdown" of first fit.
run() {
	"$sim" model lublin nodes=128 umed=5 uhi=7 jobs=500 arrival=4 "$@" --preset li-ff \
		--quiet | awk '$1 == "acceptance" { a = $2 }
			$1 == "slowdown" { print a, $2 }'
}
# better WHAT NEW OLD: more is accepted, or as much, sooner done.
better() {
	echo "$2 $3" | awk '{ exit $1 < $3 || ($1 == $3 && $2 >= $4) }' ||
		fail "$1: $2, where it was $3"
}
plain=$(run)
[ -n "$plain" ] || fail "nothing is said"
same=$(run fast=100 speed=1)
[ "$same" = "$plain" ] || fail "nodes as fast as before: $same, not $plain"
better "half of the nodes are twice as fast" "$(run fast=50)" "$plain"
better "all nodes are twice as fast" "$(run fast=100)" "$(run fast=50)"
# Alone on the machine one is done in half of its time, on fast nodes or on twice as many;
# on both in a quarter; none that is serial.
alone() {
	"$sim" model lublin nodes=1024 uhi=8 jobs=1 artime=0 "$@" --preset li-ff --quiet |
		awk '$1 == "slowdown" { print $2 }'
}
for what in 0.5000:fast=100 0.5000:malleable=100,serial=0 \
	0.2500:fast=100,malleable=100,serial=0 1.0000:malleable=100,serial=1; do
	# shellcheck disable=SC2046
	got=$(alone $(echo "${what#*:}" | tr , ' '))
	[ "$got" = "${what%%:*}" ] || fail "one job alone: $got, wanted $what"
done
for what in "--export-lp $dir/lp" "--export-swf $dir/swf" "--preset foreseen"; do
	# shellcheck disable=SC2086
	"$sim" model lublin jobs=20 malleable=50 --quiet $what >"$dir/out" 2>&1 &&
		fail "$what is not refused"
	grep -q 'rigid jobs on equal nodes' "$dir/out" || fail "$what: $(cat "$dir/out")"
done
exit $failed
