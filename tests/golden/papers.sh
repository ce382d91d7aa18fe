#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The numbers of doc/papers.md, made again: each is what stands there, and in its bounds.
# shellcheck source=tests/golden/lib.sh
. "$(dirname "$0")/lib.sh"
page=$(dirname "$0")/../../doc/papers.md

# of KEY PRESET, from the JSON lines on stdin.
of() {
	grep "\"preset\":\"$2\"" | grep -o "\"$1\":[-0-9.e]*" | cut -d: -f2
}
# The rows: number, ours, bounds, value, command.
sed -n 's/^|\([^|]*\)|[0-9.]*|\([0-9.]*\)|\([0-9.]*\)-\([0-9.]*\)|\([^|]*\)|`\([^`]*\)`|$/\1|\2|\3|\4|\5|\6/p' \
	"$page" >"$dir/rows"
rows=$(wc -l <"$dir/rows")
[ "$rows" -eq 17 ] || fail "$rows rows of $page can be read, there are 17"
while IFS='|' read -r what ours low high value command; do
	# shellcheck disable=SC2086
	"$sim" $command --runs 4 --json --quiet >"$dir/out" || fail "$what: status $?"
	# shellcheck disable=SC2086
	set -- $value
	got=$(of "$1" "$2" <"$dir/out")
	by=1
	[ -z "${3:-}" ] || by=$(of "$1" "$3" <"$dir/out")
	awk -v got="$got" -v by="$by" -v ours="$ours" -v low="$low" \
		-v high="$high" 'BEGIN {
			v = got / by; off = v > ours ? v - ours : ours - v
			printf "%.6g\n", v
			exit got == "" || off > ours / 200 || v < low || v > high
		}' >"$dir/value" ||
		fail "$what: $(cat "$dir/value"), not $ours within $low to $high"
done <"$dir/rows"
exit $failed
