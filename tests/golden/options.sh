#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Options of rspb-sim: each command takes those that it has a use for, once, and
# its --help lists them and no others.
# shellcheck source=tests/golden/lib.sh
. "$(dirname "$0")/lib.sh"

# refused WORDS ARGUMENT...
refused() {
	words=$1
	shift
	"$sim" "$@" > "$dir/out" 2> "$dir/err"
	status=$?
	[ $status -eq 2 ] && [ ! -s "$dir/out" ] && grep -q "$words" "$dir/err" ||
		fail "$*: status $status, wanted 2 and: $words:" \
			"$(cat "$dir/out" "$dir/err")"
}
refused '^rspb-sim: --seed is given twice$' model lublin --seed 1 --seed=2
refused '^rspb-sim: --quiet is given twice$' model lublin --quiet --quiet
refused '^rspb-sim: jobs is given twice$' model lublin jobs=5 jobs=6
refused '^rspb-sim: nodes is given twice$' trace none nodes=5 limit=3 nodes=5
refused 'preset and --compare exclude' model lublin --preset flex --compare flex
refused 'preset and --compare exclude' model lublin --compare flex --preset flex
refused 'use --compare for several' model lublin --preset flex,li-ff
refused '^rspb-sim: flex is named twice$' model lublin --compare flex,li-ff,flex
refused 'not an option of this command' model lublin --sacct none
refused 'not an option of this command' model lublin --sed 1
refused 'not an option of this command' journal none --export-lp lp
refused 'not an option of this command' journal none --seed 1
refused 'not an option of this command' figures --preset flex
refused 'not an option of this command' trace none --out .
refused 'takes only options' figures none
refused 'all and --paper exclude' figures --all --paper 002 --out none
refused 'exclude each other' model lublin --export-lp a --export-swf b
refused 'writes one workload' model lublin --export-swf b --preset flex

# What replays a site's load runs alone, and says where the rest is.
cp "$sim" "$dir/alone" || exit 1
printf '# a comment\n' > "$dir/rspb.conf"
PATH=/nowhere "$dir/alone" conf "$dir/rspb.conf" > "$dir/out" 2>&1 ||
	fail "alone: $(cat "$dir/out")"
for command in run model figures; do
	PATH=/nowhere "$dir/alone" $command > "$dir/out" 2>&1
	[ $? -eq 1 ] &&
		grep -q "^rspb-sim: $command is .* rspb-sim-papers" "$dir/out" ||
		fail "alone: $command: $(cat "$dir/out")"
done
ldd "$sim" 2>&1 | grep -q libgmp && fail "rspb-sim needs GMP"

# lists COMMAND OPTION...: all that its help has, as many as those and --help.
lists() {
	command=$1
	shift
	"$sim" "$command" --help > "$dir/out" || fail "$command --help"
	sed -n 's/^  --\([a-z-]*\) .*/\1/p' "$dir/out" |
		sort -u > "$dir/got"
	printf '%s\n' "$@" help | sort > "$dir/wanted"
	cmp -s "$dir/got" "$dir/wanted" || fail "$command: $(cat "$dir/got")"
}
runs='preset compare conf seed runs jobs json csv plot quiet export-lp export-swf maximize bucket
	schedule firm per-seed policy answer-within'
lists model $runs
lists trace $runs sacct requests failures
lists journal preset compare conf apart json csv plot quiet
lists check json csv per-request use timeline began
lists figures seed runs jobs quiet out paper all
for command in model trace journal; do
	"$sim" $command --help | grep -q '^  li-pe-worst  *the start with most free' ||
		fail "$command --help has no presets"
done
exit $failed
