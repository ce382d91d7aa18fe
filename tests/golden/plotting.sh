#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Tables for plots: the rows of requests and seeds agree with the results, and each
# recipe of doc/plotting.md runs.
# shellcheck source=tests/golden/lib.sh
. "$(dirname "$0")/lib.sh"
command -v python3 >/dev/null || { echo "python3 is missing"; exit 77; }
page=$(realpath "$(dirname "$0")/../../doc/plotting.md")
paired=$(realpath "$(dirname "$0")/../../contrib/sim/paired")
sim=$(realpath "$sim")
PATH=$(dirname "$sim"):$PATH
cd "$dir" || exit 1

# A stand-in for matplotlib, which need not be installed: it takes bars, and none is empty.
mkdir -p stand-in/matplotlib
: > stand-in/matplotlib/__init__.py
cat > stand-in/matplotlib/pyplot.py << 'END'
bars = 0


def broken_barh(spans, place, alpha, **style):
    global bars
    assert all(length > 0 for _, length in spans) and place[1] > 0 and 0 < alpha <= 1
    bars += 1


def xlabel(text):
    pass


ylabel = xlabel


def savefig(name):
    with open(name, "w") as out:
        print("bars", bars, file=out)
END
export PYTHONPATH="$dir/stand-in"

# The blocks of code, a file each: 01.sh, 02.sh, 03.gnuplot ...
awk '/^```[a-z]/ { n++; file = sprintf("%02d.%s", n, substr($0, 4)); next }
	/^```/ { file = "" }
	file { print > file }' "$page"
[ "$(find . -name '0*.sh' | wc -l)" -ge 4 ] && [ "$(find . -name '0*.gnuplot' | wc -l)" -ge 3 ] &&
	[ "$(find . -name '0*.python' | wc -l)" -ge 2 ] || fail "not all recipes were found"

# known FILE: each column that it names is in the tables.
known() {
	grep -oE '(column|strcol)\("[a-z_]*"\)' "$1" | grep -o '"[a-z_]*"' | tr -d '"' |
		while read -r column; do
			head -qn 1 requests.csv seeds.csv use.csv | tr , '\n' | grep -qx "$column" ||
				echo "$column"
		done
}
for block in 0*; do
	case $block in
	*.sh) sh -e "$block" > out 2>&1 ;;
	*.python) python3 "$block" > out 2>&1 ;;
	*.gnuplot)
		known "$block" > out
		[ ! -s out ] || fail "$block: no such column: $(cat out)"
		if command -v gnuplot > /dev/null; then
			gnuplot "$block" > out 2>&1 && [ ! -s out ] &&
				grep -q '</svg>' "$(sed -n 's/^set output "\(.*\)"/\1/p' "$block")"
		fi ;;
	*) false ;;
	esac || fail "$block: $(cat out)"
done
grep -q '^bars [1-9]' gantt.svg || fail "no bars in the chart"
awk -F, -v rows=requests.csv 'BEGIN {
	while ((getline line < rows) > 0) {
		split(line, r, ",")
		if (r[9] != "booked") continue
		at[r[10]] += r[12]
		at[r[11]] -= r[12]
	} }
	NR > 1 { sum += at[$1]
		if (sum - $2 > 1e-6 || $2 - sum > 1e-6 || $2 < 0 || $2 > 64 || $3 || $1 <= last)
			bad = 1
		last = $1; use = $2; n++ }
	END { exit bad || use || n < 100 }' use.csv || fail "nodes in use: $(cat use.csv)"

# Regular jobs and failures appear as lines of JSON, and on the calendar page.
"$sim" trace log.swf book=30 mtbf=500 --preset li-ff --quiet --schedule mixed.jsonl > out 2>&1 &&
	"$sim" check mixed.jsonl --use --json > use.jsonl 2> out &&
	"$sim" check mixed.jsonl --timeline --began 1767225600 > mixed.json 2>> out ||
	fail "no use: $(cat out)"
python3 - << 'END' > out 2>&1 || fail "use and timeline: $(cat out)"
import json

use = [json.loads(line) for line in open("use.jsonl")]
assert max(row["regular"] for row in use) > 0 < max(row["booked"] for row in use)
assert all(0 <= row["regular"] + row["booked"] <= 64 for row in use)
page = json.load(open("mixed.json"))
assert len(page["nodes"]) == 64 and page["others"] and page["bookings"]


def count(text):
    pairs = [part.split("-") for part in text.split(",")]
    return sum(int(pair[-1]) - int(pair[0]) + 1 for pair in pairs)


for row in use[:: max(1, len(use) // 50)]:
    at = row["time"] + 1767225600
    for name, boxes in (("booked", page["bookings"]), ("regular", page["others"])):
        nodes = sum(count(box["on"]) for box in boxes if box["start"] <= at < box["end"])
        assert nodes == row[name], (row, name, nodes)
END
client=$(dirname "$sim")/../client/rspb
if [ -x "$client" ]; then
	"$client" timeline --read=mixed.json --html=page.html > out 2>&1 &&
		grep -q '"rspb_[0-9]*"' page.html || fail "no calendar page: $(cat out)"
fi

# The rows add up to the results.
"$sim" check live.jsonl --csv > results.csv 2> out || fail "$(cat out)"
awk -F, '
	FNR == 1 { file++ }
	FNR == 1 { for (i = 1; i <= NF; i++) at[file, $i] = i; next }
	file == 1 { for (i in at) { split(i, k, SUBSEP); if (k[1] == 1) result[k[2]] = $at[i] } next }
	{
		n++
		booked += $at[2, "state"] == "booked"
		weight += $at[2, "priority"]
		worth += $at[2, "priority"] * $at[2, "worth"]
		asked += $at[2, "wanted"] * $at[2, "duration"]
		if ($at[2, "state"] == "booked") {
			given += $at[2, "grant"] * ($at[2, "end"] - $at[2, "start"])
			late += ($at[2, "end"] - $at[2, "ready"]) / $at[2, "duration"]
		}
	}
	function differs(name, value) {
		if (value - result[name] < 1e-6 && result[name] - value < 1e-6)
			return 0
		print name ": " value ", wanted " result[name]
		return 1
	}
	END {
		bad = differs("jobs", n) + differs("acceptance", booked / n)
		bad += differs("benefit", worth / weight) + differs("slowdown", late / booked)
		exit bad + differs("accepted_work", given / asked)
	}' results.csv requests.csv > out || fail "the rows are other results: $(cat out)"

# JSON has the same values.
"$sim" check live.jsonl --per-request --json > requests.jsonl 2> out || fail "no JSON"
python3 - << 'END' > out 2>&1 || fail "JSON and CSV differ: $(cat out)"
import csv
import json

lines = [json.loads(line) for line in open("requests.jsonl")]
rows = list(csv.DictReader(open("requests.csv")))
assert len(lines) == len(rows) == 300
for line, row in zip(lines, rows):
    assert set(line) <= set(row), (line, row)
    for key, text in row.items():
        value = line.get(key, "")
        assert str(value) == text or float(value) == float(text), (key, value, text)
END
"$sim" check live.jsonl --per-request > out 2>&1
[ $? -eq 2 ] && grep -q -- '--per-request and --use need --csv or --json' out || fail "$(cat out)"

# Each seed has the results of a run with that seed, and their mean is what is printed else.
# model ARGUMENT...
model() {
	"$sim" model lublin jobs=100 umed=6 --compare li-ff,flex --seed 5 --quiet "$@"
}
model --runs 3 --per-seed --csv | cut -d , -f 1-6 > seeds
[ "$(wc -l < seeds)" -eq 7 ] && grep -q '^preset,seed,jobs,acceptance,' seeds ||
	fail "not a row for each seed: $(cat seeds)"
"$sim" model lublin jobs=100 umed=6 --preset flex --seed 6 --quiet --per-seed --csv |
	cut -d , -f 1-6 | sed 1d | grep -qxFf - seeds || fail "seed 6 has other results: $(cat seeds)"
mean=$(awk -F, '$1 == "flex" { sum += $4 } END { printf "%.6f\n", sum / 3 }' seeds)
model --runs 3 --csv | awk -F, -v mean="$mean" \
	'$1 == "flex" { exit sprintf("%.6f", $5) != mean }' ||
	fail "the seeds have another mean, $mean: $(cat seeds)"
[ "$(model --runs 3 --per-seed --json | grep -c '"seed":[567],')" -eq 6 ] || fail "JSON of seeds"
[ "$(model --runs 3 --per-seed | grep -cE '^(seed [567]|acceptance) ')" -eq 6 ] ||
	fail "tables of seeds"

# Differences of policies are those of the seeds.
want=$(awk -F, '
	$1 == "li-ff" || $1 == "flex" { sum += $1 == "flex" ? $4 : -$4; n += $1 == "flex" }
	END { printf "%+.4f\n", sum / n }' seeds.csv)
RSPB_SIM=$sim "$paired" --runs 8 flex li-ff trace log.swf > out 2>&1
awk -v want="$want" '$1 == "flex" { right = $2 == "li-ff" && $3 == want } END { exit !right }' out ||
	fail "paired differs from $want: $(cat out)"
exit $failed
