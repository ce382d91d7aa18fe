#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Policies that are programs: first fit in Python decides as the preset does, each form of
# the calendar is right, what is wrong is said in a sentence, and files of settings and
# programs stand wherever presets do.
# shellcheck source=tests/golden/lib.sh
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
top=$(realpath "$(dirname "$0")/../..")
examples=$top/contrib/sim/policies
page=$top/doc/policy-programs.md
paired=$top/contrib/sim/paired
sim=$(realpath "$sim")
first_fit="python3 $examples/first_fit.py"
export PYTHONDONTWRITEBYTECODE=1
cd "$dir" || exit 1

# run FILE ARGUMENT...: a schedule without the reasons of declined requests
run() {
	out=$1
	shift
	"$sim" "$@" --quiet --schedule "$out.all" > "$out.results" 2> err ||
		fail "$*: $(cat err)"
	sed 's/,"reason":"[^"]*"//' "$out.all" > "$out"
}
same() {
	cmp -s "$1" "$2" || fail "$3: the schedules differ:" "$(diff "$1" "$2" | head -n 4)"
	"$sim" check "$2.all" > out 2>&1 || fail "$3: $(cat out)"
}

# First fit to the last digit, of a model and a trace.
run a model lublin jobs=2000 umed=8 --seed 7 --preset li-ff
run b model lublin jobs=2000 umed=8 --seed 7 --policy "$first_fit"
same a b "model lublin"
"$sim" model lublin jobs=1500 nodes=256 umed=5 --export-swf log.swf > /dev/null || fail "no trace"
run a trace log.swf --preset li-ff
run b trace log.swf --policy "$first_fit"
same a b "trace"
[ "$(wc -l < "$examples/first_fit.py")" -le 40 ] || fail "first_fit.py has more than 40 lines"

# The program takes at most ten times as long as the preset, with all processor time, besides what
# its interpreter takes to start. Beside other programs one of three measurements has to show it.
seconds_of() { # JOBS
	"$sim" model lublin jobs="$1" --seed 3 --compare "li-ff,mine=$first_fit" --jobs 1 --csv \
		--quiet > out || fail "no results"
	awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "seconds") f = i }
		NR > 1 { printf "%s ", $f }' out
}
for try in 1 2 3; do
	begun=$(seconds_of 10)
	taken=$(seconds_of 10000)
	echo "$begun $taken" | awk '{ exit !($4 > $3) }' || fail "its time is not counted: $taken"
	echo "$begun $taken" | awk '{ exit !($4 - $2 <= 10 * $3) }' && break
	[ "$try" -lt 3 ] || fail "more than ten times as long: $begun, $taken"
done

# This policy accepts more than first fit.
"$sim" model lublin umed=9 --runs 2 --seed 301 --csv --quiet \
	--compare "li-ff,mine=python3 $examples/leave_room.py" > out || fail "no results"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "acceptance") f = i }
	NR > 1 { s[$1] = $f } END { exit !(s["mine"] > s["li-ff"] + .03) }' out ||
	fail "leave_room.py does not beat first fit: $(cat out)"

# Two starts are the first two of all.
cat > starts.py << 'END'
import json
import sys

json.loads(sys.stdin.readline())
print(json.dumps({"protocol": 1, "most": int(sys.argv[1])}), flush=True)
with open(sys.argv[2], "w") as out:
    for text in sys.stdin:
        request = json.loads(text)["requests"][0]
        print(request["starts"][:2], file=out)
        first = {"start": request["starts"][0][0]} if request["starts"] else {}
        print(json.dumps({"decisions": [dict(first, id=request["id"])]}), flush=True)
END
for most in 0 2; do
	run b model lublin jobs=200 umed=8 --seed 7 --policy "python3 starts.py $most starts.$most"
done
cmp -s starts.0 starts.2 && grep -q '\], \[' starts.2 || fail "the first two starts: $(head starts.*)"

# First fit from which nodes are free at which time, and from nothing at all.
cat > own.py << 'END'
import json
import sys

send = sys.argv[1]
machine = json.loads(sys.stdin.readline())
print(json.dumps({"protocol": 1, "send": send}), flush=True)
booked = []


def nodes_of(text):
    out = set()
    for part in text.split(",") if text else []:
        low, _, high = part.partition("-")
        out |= set(range(int(low), int(high or low) + 1))
    return out


def free_over(batch, start, end):
    out = set(range(machine["nodes"]))
    if send == "nodes":
        steps = batch["free"]
        for i, (time, text) in enumerate(steps):
            until = steps[i + 1][0] if i + 1 < len(steps) else 1 << 62
            if time < end and until > start:
                out &= nodes_of(text)
    else:
        for begin, over, nodes in booked:
            if begin < end and over > start:
                out -= nodes
    return sorted(out)


for text in sys.stdin:
    batch = json.loads(text)
    request = batch["requests"][0]
    length = request["duration"]
    first = max(request["ready"], batch["now"])
    last = request["deadline"] - length
    times = [first, last]
    for begin, over, _ in booked:
        times += [begin - length, over, begin, over - length]
    for start in sorted(set(t for t in times if first <= t <= last)):
        free = free_over(batch, start, start + length)
        if len(free) >= request["nodes"]:
            nodes = free[:request["nodes"]]
            booked.append((start, start + length, set(nodes)))
            decision = {"start": start, "nodes": ",".join(map(str, nodes))}
            break
    else:
        decision = {}
    if send == "counts":
        at = max(request["ready"], batch["now"])
        counts = batch["free"]
        assert [t for t, _ in counts] == sorted(t for t, _ in counts)
        assert counts[0][0] == batch["now"]
        known = [n for t, n in counts if t <= at][-1]
        assert known == len(free_over(batch, at, at + 1)) + (
            decision.get("start") == at and request["nodes"] or 0), (known, at)
    print(json.dumps({"decisions": [dict(decision, id=request["id"])]}), flush=True)
END
run a model lublin jobs=120 nodes=32 umed=3 uhi=5 ulow=1 --seed 5 --preset li-ff
for send in nodes nothing counts; do
	run b model lublin jobs=120 nodes=32 umed=3 uhi=5 ulow=1 --seed 5 \
		--policy "python3 own.py $send"
	same a b "$send"
done

# Shares: as much as was asked, on the lowest machines with room; a move; a batch.
cat > shares.py << 'END'
import json
import sys

machine = json.loads(sys.stdin.readline())
assert len(machine["capacity"]) == machine["nodes"]
print(json.dumps({"protocol": 1, "batch": 50}), flush=True)
seen = 0
for text in sys.stdin:
    batch = json.loads(text)
    seen = max(seen, len(batch["requests"]))
    request = batch["requests"][0]
    room, parts = request["room"], []
    for part in request["terms"]["parts"]:
        ask = int(part["fixed"]) if "fixed" in part else None
        fits = [n for n, free in enumerate(room)
                if free >= part["share"] and ask in (None, n)]
        if not fits:
            break
        room[fits[0]] -= part["share"]
        parts.append({"nodes": str(fits[0]), "share": part["share"]})
    whole = len(parts) == len(request["terms"]["parts"])
    decision = {"start": request["ready"], "parts": parts} if whole else {}
    print(json.dumps({"decisions": [dict(decision, id=request["id"])]}), flush=True)
assert seen > 1
END
run b model min requests=200 --policy "python3 shares.py"
"$sim" check b.all > out 2>&1 || fail "shares: $(cat out)"
awk '$1 == "rejections" { exit !($2 > 0 && $2 < 200) }' b.results || fail "$(cat b.results)"

# Parts of fat nodes: at its ready time where enough nodes have room, of all that it takes.
cat > parts.py << 'END'
import json
import sys

sys.stdin.readline()
print('{"protocol":1}', flush=True)
for text in sys.stdin:
    request = json.loads(text)["requests"][0]
    part = request["terms"]["parts"][0]
    if "share" in part and "quotas" not in part:
        fits = sum(free >= part["share"] for free in request["room"]) >= part["nodes"]
    else:
        fits = "starts" in request and request["starts"] and (
            request["starts"][0][0] == request["ready"])
    decision = {"start": request["ready"]} if fits else {}
    print(json.dumps({"decisions": [dict(decision, id=request["id"])]}), flush=True)
END
run b model parts requests=200 most_gpus=0 mem=0 most_mem=0 --policy "python3 parts.py"
"$sim" check b.all > out 2>&1 || fail "parts: $(cat out)"
awk '$1 == "rejections" { exit !($2 < 190) }' b.results || fail "$(cat b.results)"

cat > three.jsonl << 'END'
{"type":"config","machine":[{"nodes":4,"cores":1}],"undivided":true}
{"arrival":0,"ready":100,"deadline":1000,"duration":100,"nodes":4}
{"arrival":10,"ready":100,"deadline":200,"duration":100,"nodes":4}
END
cat > move.py << 'END'
import json
import sys

sys.stdin.readline()
print('{"protocol":1,"send":"nothing"}', flush=True)
for text in sys.stdin:
    request = json.loads(text)["requests"][0]
    line = {"decisions": [{"id": request["id"], "start": 100}]}
    if request["id"] == 2:
        line["moves"] = [{"id": 1, "start": 200, "nodes": "0-3"}]
    print(json.dumps(line), flush=True)
END
run b trace --requests three.jsonl --policy "python3 move.py"
grep -q '"kept":{"request":{"id":1,.*"start":200,"end":300' b || fail "no move: $(cat b)"
"$sim" check b.all > out 2>&1 || fail "a move: $(cat out)"

# refused WORDS OPTION...: one sentence, and status 2
refused() {
	words=$1
	shift
	timeout 300 "$sim" model lublin jobs=20 "$@" --quiet > out 2> err
	status=$?
	[ $status -eq 2 ] && [ ! -s out ] && [ "$(grep -c . err)" -eq 1 ] &&
		grep -qF -- "$words" err ||
		fail "status $status, wanted 2 and: $words:" "$(cat out err)"
}
# told ANSWER...: a program that says so, after the first line's own answer
told() {
	printf "read -r line; echo '{\"protocol\":1}'"
	for answer; do
		printf "; read -r line; echo '%s'" "$answer"
	done
	printf "; cat > /dev/null"
}
refused '"exit 3": ended with status 3 before answer 1' --policy "exit 3"
refused "none-of-that\": ended with status 127 before answer 1" \
	--policy "exec 2> /dev/null; ./none-of-that"
refused 'ended by signal 9 before answer 2' \
	--policy "read -r line; echo '{\"protocol\":1}'; read -r line; kill -9 \$\$"
refused 'no answer 1 within 1 s (--answer-within)' --policy "sleep 50" --answer-within 1
refused 'runs on 6 s after the end of its input' --answer-within 6 --policy \
	"$first_fit; sleep 50"
refused 'ended with status 4 after the last answer' --policy "$first_fit; exit 4"
refused 'answer 1: "abc" is not a JSON object' --policy "echo abc; cat"
refused '"protocol" is 2, this program has 1' --policy "echo '{\"protocol\":2}'; cat"
refused '"protocol" is missing; it must be a whole number' --policy "echo '{}'; cat"
refused '"send" is "all", allowed are starts, counts, nodes, nothing' \
	--policy "echo '{\"protocol\":1,\"send\":\"all\"}'; cat"
refused '"most" is -1, allowed is a number of starts; 0: all' \
	--policy "echo '{\"protocol\":1,\"most\":-1}'; cat"
refused 'answer 2: there is no list "decisions" in it' --policy "$(told '{}')"
refused 'answer 2: it decides no request' --policy "$(told '{"decisions":[]}')"
refused 'request 7 is not among those to be decided' \
	--policy "$(told '{"decisions":[{"id":7}]}')"
refused 'request 1: "start" is 5, allowed are' \
	--policy "$(told '{"decisions":[{"id":1,"start":5}]}')"
refused 'booking 1 is none that may move' \
	--policy "$(told '{"moves":[{"id":1,"start":1}],"decisions":[{"id":1}]}')"
cat > one.jsonl << 'END'
{"type":"config","machine":[{"nodes":4,"cores":1}],"undivided":true}
{"arrival":0,"ready":100,"deadline":1000,"duration":100,"nodes":3}
{"arrival":0,"ready":100,"deadline":1000,"duration":100,"nodes":3}
END
# of_two WORDS ANSWER...: the same of two requests
of_two() {
	words=$1
	shift
	timeout 300 "$sim" trace --requests one.jsonl --quiet --policy "$(told "$@")" > out 2> err
	status=$?
	[ $status -eq 2 ] && [ ! -s out ] && [ "$(grep -c . err)" -eq 1 ] &&
		grep -qF -- "$words" err ||
		fail "status $status, wanted 2 and: $words:" "$(cat out err)"
}
of_two 'request 1: 4 nodes, allowed are 3 to 3' \
	'{"decisions":[{"id":1,"start":100,"nodes":"0-3"}]}'
of_two '"nodes" is 1.5; it must be a number, or a text' \
	'{"decisions":[{"id":1,"start":100,"nodes":1.5}]}'
of_two 'answer 3: request 2: booking 2: a node is already booked within 150 to 250' \
	'{"decisions":[{"id":1,"start":100,"nodes":"0-2"}]}' \
	'{"decisions":[{"id":2,"start":150,"nodes":"1-3"}]}'
of_two 'request 2: 3 nodes are not free from 150 to 250, 1 are' \
	'{"decisions":[{"id":1,"start":100}]}' '{"decisions":[{"id":2,"start":150}]}'
refused 'a program is NAME=COMMAND' --compare 'li-ff,x='
refused 'is named twice' --policy 'li-ff=cat' --compare li-ff
printf 'Algorithm=li-pe-worst\n' > site.conf
refused '--conf excludes --preset, --compare and --policy' --conf site.conf --policy cat
timeout 300 "$sim" model fair --policy cat > out 2>&1
[ $? -eq 2 ] && grep -q 'programs and files of settings decide on bookings' out ||
	fail "model fair: $(cat out)"

# Files of settings and programs in --compare, study and paired.
"$sim" model lublin jobs=200 umed=8 --compare "li-pe-worst,site.conf,mine=$first_fit,li-ff" \
	--csv --quiet > out || fail "no results"
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "slowdown") f = i }
	NR > 1 { s[$1] = $f } END { exit !(s["site.conf"] == s["li-pe-worst"] &&
	s["mine"] == s["li-ff"] && s["mine"] != s["site.conf"]) }' out || fail "$(cat out)"
RSPB_SIM=$sim "$paired" --runs 3 "mine=$first_fit,site.conf" li-ff model lublin jobs=200 umed=8 \
	> out || fail "paired"
awk '$1 == "mine" && $3 == "+0.0000" { mine = 1 } $1 == "site.conf" && $3 != "+0.0000" { conf = 1 }
	END { exit !(mine && conf) }' out || fail "paired: $(cat out)"

cp "$examples/first_fit.py" mine.py
cat > study.jsonl << 'END'
{"type":"config","presets":["li-ff","mine=python3 ./mine.py","site.conf"],"seeds":2}
{"name":"high","model":"lublin","params":{"umed":8,"jobs":100}}
END
study() {
	"$sim" study study.jsonl --quiet --out filed > out 2> err || fail "study: $(cat err)"
	[ "$(sed -n 2p out | tr -s ' ')" = " high $1" ] || fail "wanted $1:" "$(head -n 2 out)"
}
study "new new new"
grep -q '^high,,mine,acceptance,' filed/study.csv || fail "no row of its own: $(cat filed/study.csv)"
study "reused reused reused"
echo '# other contents' >> mine.py
study "reused new reused"
echo 'Order=deadline' >> site.conf
study "reused reused new"

# The commands of doc/policy-programs.md, as they are printed there, and its first line.
mkdir page && ln -s "$top/contrib" page/contrib
awk '/^```sh/ { in_it = 1; next } /^```/ { in_it = 0 } in_it' "$page" > page/commands
[ "$(grep -c '^rspb-sim' page/commands)" -eq 3 ] || fail "no commands: $(cat page/commands)"
(cd page && PATH=$(dirname "$sim"):$PATH sh -e commands) > out 2>&1 || fail "the page: $(cat out)"
grep -q 'mine' out || fail "no column for the program: $(cat out)"
"$sim" model lublin jobs=10 --policy "tee first | $first_fit" > out 2>&1 || fail "$(cat out)"
grep -qxF "    $(head -n 1 first)" "$page" || fail "the page has another first line: $(head -n 1 first)"

# The commands of doc/policies.md: its appendix runs with a smaller workload and a small trace,
# a site's own months with a stand-in for Slurm's commands.
report=$top/doc/policies.md
grep '^|' "$report" | grep -oE '`rspb-sim (model|trace)[^`]*`' | tr -d '`' |
	sed 's/--runs [0-9]*/--runs 1/; s/model lublin/& jobs=100/; s/model parts/& requests=50/
		s/requests=900/requests=60/' > page/appendix
[ "$(wc -l < page/appendix)" -eq 6 ] || fail "no commands: $(cat page/appendix)"
awk 'BEGIN { for (i = 1; i <= 60; i++)
	print i, 300 * i, 0, 900, i % 16 + 1, -1, -1, i % 16 + 1, 1200, -1, 1, 1, 1, -1, 1, 1, -1, -1
}' | gzip > page/NASA.swf.gz
(cd page && PATH=$(dirname "$sim"):$PATH sh -e appendix) > out 2>&1 || fail "the report: $(cat out)"
mkdir page/bin
printf '#!/bin/sh\ncat %s\n' "$top/tests/golden/sacct.txt" > page/bin/sacct
printf '#!/bin/sh\nseq -f n%%g 16\n' > page/bin/sinfo
echo Algorithm=live > page/rspb.conf
chmod 755 page/bin/*
awk '/^## / { in_it = $0 == "## Your own last months" } in_it && /^    /' "$report" |
	sed 's,/etc/slurm/rspb.conf,rspb.conf,' > page/months
[ "$(grep -c rspb-sim page/months)" -eq 2 ] || fail "no commands: $(cat page/months)"
(cd page && PATH=$dir/page/bin:$(dirname "$sim"):$PATH sh -e months) > out 2>&1 ||
	fail "the site's months: $(cat out)"
[ -s page/jobs.svg ] || fail "no picture of the site's months"

# A result is of the program that was built, whatever its version.
mkdir bin && cp "$sim" "$sim-papers" bin && sim=$dir/bin/rspb-sim
study "reused reused reused"
printf x >> bin/rspb-sim
study "new new new"
printf x >> bin/rspb-sim-papers
study "new new new"

exit $failed
