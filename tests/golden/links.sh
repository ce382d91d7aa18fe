#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Nodes of several sites and bandwidth between them, booked together or not at all.
# shellcheck source=tests/golden/lib.sh
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
sim=$(realpath "$sim")
cd "$dir" || exit 1

# Links of 100 from a to b and of 50 from b to c. 1 and 2 want 60 of the first: one after the
# other. 3 goes from a to c, over both, beside 1: all of the first is taken then. 4 wants 20 of
# the second, where 10 are left. 5 wants nodes alone.
config='{"type":"config","sites":[{"name":"a","nodes":8},{"name":"b","nodes":4},{"name":"c","nodes":2}],"links":[{"between":["a","b"],"bandwidth":100},{"between":["b","c"],"bandwidth":50}]}'
cat > net.jsonl << END
$config
{"arrival":0,"ready":10,"deadline":510,"duration":100,"parts":[{"site":"a","nodes":2},{"site":"b","nodes":1}],"bandwidth":[{"between":["a","b"],"amount":60}]}
{"arrival":1,"ready":10,"deadline":510,"duration":100,"parts":[{"site":"a","nodes":2},{"site":"b","nodes":1}],"bandwidth":[{"between":["a","b"],"amount":60}]}
{"arrival":2,"ready":10,"deadline":110,"duration":100,"parts":[{"site":"a","nodes":2},{"site":"c","nodes":1}],"bandwidth":[{"between":["a","c"],"amount":40}]}
{"arrival":3,"ready":10,"deadline":110,"duration":100,"parts":[{"site":"c","nodes":1},{"site":"b","nodes":1}],"bandwidth":[{"between":["c","b"],"amount":20}]}
{"arrival":4,"ready":10,"deadline":110,"duration":100,"parts":[{"site":"a","nodes":4}]}
END
cat > wanted << 'END'
1,booked,10,3,"0-1,8,14"
2,booked,110,3,"0-1,8,14"
3,booked,10,3,"2-3,12,14-15"
4,declined,,0,""
5,booked,10,4,"4-7"
END
for policy in li-ff live; do
	"$sim" trace --requests net.jsonl --preset $policy --quiet --schedule s > out 2> err &&
		"$sim" check s --per-request --csv > rows 2>> err || fail "$policy: $(cat err)"
	sed 1d rows | cut -d , -f 1,9,10,12,14- | cmp -s - wanted || fail "$policy: $(cat rows)"
	grep -q '^accepted_bandwidth  *0.9091$' out || fail "$policy: $(cat out)"
	grep -q '^accepted_work  *0.8667$' out || fail "$policy: work has links in it: $(cat out)"
	"$sim" check s > checked 2>&1 && grep -q '^accepted_bandwidth  *0.9091$' checked ||
		fail "$policy: $(cat checked)"
done
# Nothing is in the way without the links.
sed '1s/"links".*/"links":[]}/; s/,"bandwidth":\[{.*}\]//' net.jsonl > free.jsonl
"$sim" trace --requests free.jsonl --preset li-ff --quiet > out 2> err || fail "$(cat err)"
grep -q '^slowdown  *1.0000$' out && ! grep -q cpu out || fail "nodes alone: $(cat out)"
# Less bandwidth where that is worth something: 40 of 60 beside the first.
cat > soft.jsonl << END
$config
{"arrival":0,"ready":10,"deadline":110,"duration":100,"parts":[{"site":"a","nodes":2}],"bandwidth":[{"between":["a","b"],"amount":60}]}
{"arrival":1,"ready":10,"deadline":110,"duration":100,"benefit":"linear:50%","parts":[{"site":"a","nodes":2}],"bandwidth":[{"between":["a","b"],"amount":60}]}
END
"$sim" trace --requests soft.jsonl --preset co-rspb --quiet --schedule s > out 2> err ||
	fail "$(cat err)"
grep -q '^{"kept".*"id":2,.*"share":40,' s || fail "not 40 of 60: $(cat s)"
# The check sees a link that is given twice.
"$sim" trace --requests net.jsonl --preset li-ff --quiet --schedule s > out 2> err
sed '/^{"kept".*"id":2,/{s/"start":110,"end":210/"start":10,"end":110/;s/"nodes":"0-1"/"nodes":"4-5"/;s/"nodes":"8"/"nodes":"9"/}' s |
	grep -v '"id":5,' > bad
"$sim" check bad > checked 2>&1
[ $? -eq 1 ] && grep -q 'node 14 has no room for it beside' checked || fail "$(cat checked)"
# A program is told of them.
cat > decide.py << 'END'
import json
import sys

machine = json.loads(sys.stdin.readline())
assert machine["links"] == 2 and machine["capacity"][-2:] == [100, 50]
print('{"protocol":1}', flush=True)
for text in sys.stdin:
    request = json.loads(text)["requests"][0]
    parts = [{} for part in request["terms"]["parts"]]
    print(json.dumps({"decisions": [
        {"id": request["id"], "start": 110 * request["id"], "parts": parts}
        if request["id"] < 3 else {"id": request["id"]}]}), flush=True)
END
"$sim" trace --requests net.jsonl --policy "python3 decide.py" --quiet --schedule s > out 2> err &&
	"$sim" check s > checked 2>&1 || fail "a program: $(cat err checked)"

# refused WORDS LINE...: of this machine, or another one
refused() {
	words=$1
	shift
	printf '%s\n' "$@" > bad.jsonl
	"$sim" trace --requests bad.jsonl --quiet > out 2> err
	status=$?
	[ $status -eq 2 ] && [ ! -s out ] && grep -qF -- "$words" err ||
		fail "status $status, wanted 2 and: $words:" "$(cat out err)"
}
request() {
	echo "{\"arrival\":0,\"duration\":10,$1}"
}
refused 'field "parts[].site": "d" is none of the sites' "$config" \
	"$(request '"parts":[{"site":"d","nodes":1}]')"
refused 'field "parts[].nodes": 9 is' "$config" "$(request '"parts":[{"site":"a","nodes":9}]')"
refused 'the link of b and c has a bandwidth of 50' "$config" \
	"$(request '"parts":[{"site":"a","nodes":1}],"bandwidth":[{"between":["a","c"],"amount":60}]')"
refused 'both are the same site' "$config" \
	"$(request '"parts":[{"site":"a","nodes":1}],"bandwidth":[{"between":["a","a"],"amount":6}]')"
refused 'no links lead from one to the other' \
	'{"type":"config","sites":[{"name":"a","nodes":1},{"name":"b","nodes":1}]}' \
	"$(request '"parts":[{"site":"a","nodes":1}],"bandwidth":[{"between":["a","b"],"amount":6}]')"
refused 'field "sites[].name": "a" is already used' \
	'{"type":"config","sites":[{"name":"a","nodes":1},{"name":"a","nodes":1}]}' \
	"$(request '"parts":[{"site":"a","nodes":1}]')"
refused 'field "sites": must have at least one site' '{"type":"config","sites":[]}' \
	"$(request '"parts":[{"site":"a","nodes":1}]')"
refused 'field "parts": has 0 entries' "$config" "$(request '"parts":[]')"

exit $failed
