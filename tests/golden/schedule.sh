#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# rspb-sim --schedule and check: what policies decide is possible and kept, what is
# not is found, and the results of a schedule are those of the run.
# shellcheck source=tests/golden/lib.sh
. "$(dirname "$0")/lib.sh"

# results FILE: in JSON, but for those that a schedule does not have.
results() {
	tr -d '{}' < "$1" | tr ',' '\n' | grep -vE '^"(preset|seconds|packing|of_bound)":'
}

# holds NAME ARGUMENT...: and its results are those of the run to the last digit.
holds() {
	name=$1
	shift
	"$sim" "$@" --quiet --json --schedule "$dir/s" > "$dir/run" 2> "$dir/out" ||
		fail "$name: $(cat "$dir/out")"
	"$sim" check --json "$dir/s" > "$dir/checked" 2> "$dir/out" ||
		fail "$name: $(cat "$dir/out")"
	results "$dir/run" > "$dir/of-run"
	results "$dir/checked" > "$dir/of-check"
	grep -q '^"accepted_work":' "$dir/of-check" &&
		diff "$dir/of-run" "$dir/of-check" > "$dir/differ" ||
		fail "$name: other results: $(cat "$dir/differ")"
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
[ $? -eq 2 ] && grep -q 'for jobs on whole nodes only' "$dir/out" ||
	fail "foreseen shares: $(cat "$dir/out")"
echo "jobs 400" > "$dir/metrics"
for preset in co-rspb co-rsbfr lazy-worst lazy-price; do
	holds "$preset" model min requests=400 --preset $preset
done
# Benefit functions, prices, shares, parts of nodes and whole nodes with sizes.
echo "jobs 300" > "$dir/metrics"
"$sim" model lublin jobs=300 umed=6 nodes=64 --export-swf "$dir/t.swf" > "$dir/out" 2>&1 ||
	fail "$(cat "$dir/out")"
worth='priority=100 soft=50 timely=30'
for preset in live co-rspb lazy-worst flex-tide; do
	# shellcheck disable=SC2086 # parameters are words
	holds "trace $preset" trace "$dir/t.swf" $worth price=300 --preset $preset
	# shellcheck disable=SC2086
	holds "shares $preset" trace "$dir/t.swf" $worth shares=40 --preset $preset
	# shellcheck disable=SC2086
	holds "cores $preset" trace "$dir/t.swf" $worth nodes=4 cores=16 --preset $preset
done

# A schedule that was written elsewhere: the benefit and results are computed.
first='{"id":7,"user":0,"arrival":0,"ready":10,"deadline":400,"duration":100,"priority":3,
"asap":false,"benefit":"linear:25%","parts":[{"nodes":4,"nodes_min":1}]}'
second='{"id":8,"user":0,"arrival":5,"ready":10,"deadline":110,"duration":100,"priority":1,
"asap":false,"benefit":"hard","parts":[{"nodes":4,"nodes_min":4}]}'
said='"benefit":"0","reason":""'
# booking WORD REQUEST STATE START END DECIDED GRANTS
booking() {
	echo "{\"$1\":{\"request\":$2,\"state\":\"$3\",\"start\":$4,\"end\":$5,\"decided_at\":$6,
		\"grants\":[$7],$said}}" | tr -d '\n'
	echo
}
{
	echo '{"machine":{"nodes":4}}'
	booking decided "$first" booked 10 110 0 ''
	booking decided "$second" declined 0 0 5 ''
	booking kept "$first" booked 110 210 0 '{"nodes":"0-1","benefit":"0"}'
} > "$dir/other"
"$sim" check --csv "$dir/other" > "$dir/out" 2> "$dir/err" || fail "$(cat "$dir/err")"
awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
	NR == 2 {
		right = $at["jobs"] == 2 && $at["acceptance"] == 0.5 &&
			$at["accepted_work"] == 0.25 && $at["slowdown"] == 2 &&
			$at["benefit"] == 0.375 && $at["rejected_priority"] == 1
	}
	END { exit !right }' "$dir/out" || fail "another schedule: $(cat "$dir/out")"

# spoiled WORDS AWK: a schedule in which awk has changed something.
"$sim" model lublin jobs=300 --preset flex --quiet --schedule "$dir/good" \
	> "$dir/out"
spoiled() {
	awk "$2" "$dir/good" > "$dir/bad"
	cmp -s "$dir/good" "$dir/bad" && fail "$1: nothing changed"
	"$sim" check "$dir/bad" > "$dir/out" 2>&1
	status=$?
	[ $status -eq 1 ] && grep -q "$1" "$dir/out" && ! grep -q '^acceptance' "$dir/out" ||
		fail "status $status, wanted 1 and: $1: $(cat "$dir/out")"
}
spoiled 'booked but not kept' '!/^..kept/ || n++ != 5'
spoiled 'kept and was not promised' '!/"decided":.*"state":"booked"/ || n++ != 5'
spoiled "node [0-9]* belongs to request [0-9]* until" \
	'/^..kept/ { gsub(/"nodes":"[^"]*"/, "\"nodes\":\"0-15\"") } 1'
spoiled 'part 0 has 16 nodes; allowed are [0-9]* to [0-9]*' '/^..kept/ { gsub(/"nodes":"[^"]*"/, "\"nodes\":\"0-15\"") } 1'
spoiled 'it starts at .* before it can' \
	'/^..kept/ { sub(/"start":[0-9]*/, "\"start\":1") } 1'
spoiled 'after its deadline' \
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
sed '3s/}$/,"cores":4}/' "$dir/good" > "$dir/bad"
refused ':3: field "cores": must be in all bookings or in none' "$dir/bad"
{ head -n 3 "$dir/good"; echo '{"seen":1}'; } > "$dir/bad"
refused ':4: field "decided": is missing' "$dir/bad"
"$sim" model lublin --runs 2 --preset flex --schedule "$dir/s" \
	> "$dir/out" 2>&1 && fail "two runs into one file"
grep -q 'one policy decides in one run' "$dir/out" || fail "$(cat "$dir/out")"
"$sim" model fair --preset sfto --schedule "$dir/s" > "$dir/out" 2>&1 &&
	fail "a schedule of tasks"
# A schedule of another program has what is needed, and nothing else.
cat > "$dir/bare" << 'END'
{"machine":{"nodes":4}}
{"decided":{"request":{"id":1,"arrival":0,"ready":10,"deadline":400,"duration":100,"parts":[{"nodes":2}]},"state":"booked","start":10,"end":110}}
{"decided":{"request":{"id":2,"arrival":5,"ready":10,"deadline":400,"duration":100,"parts":[{"nodes":4}]},"state":"declined"}}
{"decided":{"request":{"id":3,"arrival":6,"ready":10,"deadline":400,"duration":50,"parts":[{"nodes":3}]},"state":"booked","start":110,"end":160}}
{"kept":{"request":{"id":1,"arrival":0,"ready":10,"deadline":400,"duration":100,"parts":[{"nodes":2}]},"state":"booked","start":10,"end":110,"grants":[{"nodes":"0-1"}]}}
{"kept":{"request":{"id":3,"arrival":6,"ready":10,"deadline":400,"duration":50,"parts":[{"nodes":3}]},"state":"booked","start":110,"end":160,"grants":[{"nodes":"1-3"}]}}
END
"$sim" check "$dir/bare" > "$dir/out" 2>&1 || fail "a bare schedule: $(cat "$dir/out")"
awk '$1 == "acceptance" && $2 == .6667 { a = 1 } $1 == "slowdown" && $2 == 2 { s = 1 }
	$1 == "accepted_work" && $2 == .4667 { w = 1 } END { exit !(a && s && w) }' "$dir/out" ||
	fail "results of a bare schedule: $(cat "$dir/out")"
sed 's/"start":110,"end":160/"start":100,"end":150/' "$dir/bare" > "$dir/twice"
"$sim" check "$dir/twice" > "$dir/out" 2>&1
[ $? -eq 1 ] && grep -q 'request 3: node 1 belongs to request 1 until 110' "$dir/out" ||
	fail "a bare schedule with a fault: $(cat "$dir/out")"

exit $failed
