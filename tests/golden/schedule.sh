#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# rspb-sim --schedule and check: what policies decide is possible and kept, and
# what is not is found.
# shellcheck source=tests/golden/lib.sh
. "$(dirname "$0")/lib.sh"

# holds NAME ARGUMENT...
holds() {
	name=$1
	shift
	"$sim" "$@" --quiet --schedule "$dir/s" > "$dir/out" 2>&1 ||
		fail "$name: $(cat "$dir/out")"
	"$sim" check "$dir/s" > "$dir/out" 2>&1 ||
		fail "$name: $(cat "$dir/out")"
	wanted=$(awk '$1 == "jobs" { print $2 }' "$dir/metrics")
	grep -q "^$wanted requests, [1-9][0-9]* booked and kept, 0 faults$" \
		"$dir/out" || fail "$name: $(cat "$dir/out")"
}

for preset in li-ff li-pe-worst flex flex-tide; do
	for load in 1 3; do
		echo "jobs 1500" > "$dir/metrics"
		holds "$preset $load" model lublin jobs=1500 nodes=256 \
			arrival=$load --preset $preset --seed $load
	done
	holds "$preset firm" model lublin jobs=1500 --preset $preset --firm 3600
done
# Who knows all beforehand has more jobs with as much work.
echo "jobs 200" > "$dir/metrics"
holds foreseen model lublin jobs=200 nodes=256 arrival=3 --preset foreseen
"$sim" model lublin jobs=200 nodes=256 arrival=3 --quiet \
	--compare li-ff,flex,flex-tide,foreseen > "$dir/out"
awk '$1 == "acceptance" { more = $5 > $2 && $5 >= $3 && $5 >= $4 }
	$1 == "accepted_work" { work = $5 >= $2 }
	END { exit !(more && work) }' "$dir/out" ||
	fail "foreseen: $(cat "$dir/out")"
"$sim" model min --preset foreseen > "$dir/out" 2>&1
[ $? -eq 2 ] && grep -q 'for jobs on whole nodes alone' "$dir/out" ||
	fail "foreseen shares: $(cat "$dir/out")"
echo "jobs 400" > "$dir/metrics"
for preset in co-rspb co-rsbfr lazy-worst lazy-price; do
	holds "$preset" model min requests=400 --preset $preset
done

# spoiled WORDS AWK: a schedule in which awk has changed something.
"$sim" model lublin jobs=300 --preset flex --quiet --schedule "$dir/good" \
	> "$dir/out"
spoiled() {
	awk "$2" "$dir/good" > "$dir/bad"
	cmp -s "$dir/good" "$dir/bad" && fail "$1: nothing changed"
	"$sim" check "$dir/bad" > "$dir/out" 2>&1
	status=$?
	[ $status -eq 1 ] && grep -q "$1" "$dir/out" ||
		fail "status $status, wanted 1 and: $1: $(cat "$dir/out")"
}
spoiled 'booked and is not kept' '!/^..kept/ || n++ != 5'
spoiled 'kept and was not promised' '!/"decided":.*"state":"booked"/ || n++ != 5'
spoiled "node [0-9]* is request [0-9]*'s until" \
	'/^..kept/ { gsub(/"nodes":"[^"]*"/, "\"nodes\":\"0-15\"") } 1'
spoiled 'part 0 got' '/^..kept/ { gsub(/"nodes":"[^"]*"/, "\"nodes\":\"0-15\"") } 1'
spoiled 'it starts at .* before it can' \
	'/^..kept/ { sub(/"start":[0-9]*/, "\"start\":1") } 1'
spoiled 'behind its deadline' \
	'/^..kept/ { sub(/"end":[0-9]*/, "\"end\":99999999999") } 1'

# refused WORDS FILE
refused() {
	"$sim" check "$2" > "$dir/out" 2>&1
	status=$?
	[ $status -eq 2 ] && grep -q "$1" "$dir/out" ||
		fail "status $status, wanted 2 and: $1: $(cat "$dir/out")"
}
refused 'No such file' "$dir/none"
: > "$dir/empty"
refused 'there is no machine in it' "$dir/empty"
sed 1d "$dir/good" > "$dir/bad"
refused ':1: a booking before the machine' "$dir/bad"
{ head -n 3 "$dir/good"; echo '{"seen":1}'; } > "$dir/bad"
refused ':4: field "decided": is missing' "$dir/bad"
"$sim" model lublin --runs 2 --preset flex --schedule "$dir/s" \
	> "$dir/out" 2>&1 && fail "two runs into one file"
grep -q 'one policy decides in one run' "$dir/out" || fail "$(cat "$dir/out")"
"$sim" model fair --preset sfto --schedule "$dir/s" > "$dir/out" 2>&1 &&
	fail "a schedule of tasks"
exit $failed
