#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# rspb-sim trace --sacct: what sacct printed is told line by line, and takes the
# options of other traces.
# shellcheck source=tests/golden/lib.sh
. "$(dirname "$0")/lib.sh"
data=$(dirname "$0")/sacct.txt

cp "$data" "$dir/jobs.txt" || exit 1
# The program may be named from here.
sim=$(realpath "$sim")
cd "$dir" || exit 1
told="6 jobs for 7 nodes (the most in use at one time) that waited 39 minutes on average, 1 sorted \
by submission, 8 skipped; not a job's line: 1 (first in line 14); a time that does not exist or \
cannot be read: 1 (first in line 15); no run time: 1 (first in line 16); steps of jobs: 2 (first \
in line 3); never started: 3 (first in line 7); without a limit: their run time counts: 1 \
(first in line 10)"
"$sim" trace --sacct jobs.txt --preset flex --plot p.svg > out 2> err ||
	fail "status $?"
[ "$(head -n 1 err)" = "rspb-sim: jobs.txt: $told" ] || fail "told: $(cat err)"
grep -q '^jobs  *6$' out || fail "$(cat out)"
grep -q '</svg>' p.svg || fail "no plot"

# Submission, length and nodes of each, 105+0 and 105+1 as one.
cat > wanted << END
0 7200 4
300 300 1
600 3600 1
600 3600 1
1200 5400 5
2400 86400 6
END
gzip -c jobs.txt > jobs.gz
"$sim" trace --sacct=jobs.gz nodes=64 --preset flex --quiet --schedule s \
	> out 2>&1 || fail "$(cat out)"
grep '^{"decided' s |
	sed 's/.*"arrival":\([0-9]*\).*"duration":\([0-9]*\).*"nodes":\([0-9]*\),.*/\1 \2 \3/' |
	sort -n > got
cmp -s wanted got || fail "jobs: $(cat got)"
grep -q '^{"machine":{"nodes":64}}$' s || fail "nodes=64: $(head -n 1 s)"
"$sim" check s > out || fail "$(cat out)"
"$sim" trace --sacct jobs.txt --export-lp lp > out 2>&1 && grep -q '^End' lp ||
	fail "--export-lp: $(cat out)"
"$sim" trace --sacct jobs.txt cpus=1000 --json --compare li-ff,flex --runs 2 \
	> out 2> err || fail "$(cat err)"
grep -q '6 jobs for 1000 CPUs ' err || fail "$(cat err)"
[ "$(grep -o '"jobs":6' out | wc -l)" -eq 2 ] || fail "$(cat out)"

# Written and read again, the jobs are the same.
"$sim" model lublin jobs=300 umed=6 --export-swf a.swf > out 2>&1 &&
	"$sim" trace a.swf --export-swf b.swf > out 2>&1 && cmp a.swf b.swf &&
	grep -q '^; MaxProcs: 1024$' a.swf &&
	[ "$(grep -vc '^;' a.swf)" -eq 300 ] || fail "--export-swf: $(cat out)"
awk '!/^;/ && NF != 18 { exit 1 }' a.swf || fail "18 fields: $(head a.swf)"
"$sim" trace --sacct jobs.txt --export-swf c.swf > out 2>&1 &&
	awk '!/^;/ { print $2, $9, $8 }' c.swf | sort -n | cmp - wanted ||
	fail "sacct as SWF: $(cat c.swf)"

# What jobs are worth is drawn beside their windows, as often as was said.
"$sim" trace a.swf --quiet --preset live --schedule plain > out 2>&1 &&
	"$sim" trace a.swf priority=100 soft=50 shares=30 timely=20 --quiet \
		--preset live --schedule worth > out 2>&1 &&
	"$sim" check worth > checked || fail "worth: $(cat out checked)"
grep -q '^benefit ' out || fail "no benefit: $(cat out)"
windows() {
	grep '^{"decided' "$1" |
		sed 's/.*"request":{"id":\([0-9]*\),.*"ready":\([0-9]*\),"deadline":\([0-9]*\),.*/\1 \2 \3/' |
		sort -n
}
windows plain > of-plain
windows worth > of-worth
[ "$(wc -l < of-plain)" -eq 300 ] && cmp -s of-plain of-worth ||
	fail "windows differ: $(diff of-plain of-worth | head -n 5)"
grep '^{"decided' worth > decided
# about LEAST MOST PATTERN: so many of the 300 jobs are like that.
about() {
	n=$(grep -cE "$3" decided)
	[ "$n" -ge "$1" ] && [ "$n" -le "$2" ] || fail "$3: $n of 300"
}
about 65 115 '"share":[1-9]'
about 38 82 '"benefit_time":'
about 88 138 '"benefit":"(linear|stairs|concave)'
about 120 180 '"priority":([1-9]|[1-4][0-9]|50),'
"$sim" trace a.swf priority=100 soft=50 shares=30 timely=20 --quiet \
	--preset live --schedule again > out 2>&1
cmp -s worth again || fail "the same seed drew something else"

# refused WORDS ARGUMENT...
refused() {
	words=$1
	shift
	"$sim" trace "$@" > out 2> err
	status=$?
	[ $status -eq 2 ] && [ ! -s out ] && grep -q "$words" err ||
		fail "status $status, wanted 2 and: $words: $(cat out err)"
}
refused 'exclude each other' --sacct jobs.txt nodes=4 cpus=4
refused 'is for --sacct' jobs.txt cpus=4
refused 'lines of 18 numbers' jobs.txt
sed 1d jobs.txt > headless
refused 'headless:1: there is no column' --sacct headless
head -n 1 jobs.txt > empty
refused 'empty: no job in it' --sacct empty
refused 'none: No such file' --sacct none

# When every line is skipped the reason is told.
header='JobID|Submit|Start|End|TimelimitRaw|NNodes|AllocCPUS|State|AllocTRES'
ran='|2026-03-02T08:05:00|2026-03-02T09:05:00|60|2|8|COMPLETED|cpu=8'
printf '%s\n' "$header" "101|2026-03-02T08:00:00 CET$ran" "102|yesterday$ran" > when.txt
no_time='a time that does not exist or cannot be read'
refused "no job in it; $no_time: 2 (first in line 2)" --sacct when.txt nodes=8
# A day, an hour or a zone that no calendar has, wherever it stands, in a line that is good else.
good='2026-03-02T08:05:00|2026-03-02T09:05:00'
bad() {
	printf '%s\n' "$header" "1|2026-03-02T08:00:00|$good|60|2|8|COMPLETED|cpu=8" \
		"2|$1|$good|60|2|8|COMPLETED|cpu=8" \
		"3|2026-03-02T08:00:00|$1|2026-03-02T09:05:00|60|2|8|COMPLETED|cpu=8" \
		"4|2026-03-02T08:00:00|2026-03-02T08:05:00|$1|60|2|8|COMPLETED|cpu=8" > bad.txt
	"$sim" trace --sacct bad.txt nodes=8 --preset li-ff > out 2> err || fail "$1: $(cat err)"
	grep -q "1 jobs for 8 nodes .*3 skipped; $no_time: 3 (first in line 3)" err ||
		fail "$1: $(cat err)"
}
for day in 2026-02-30 2026-02-29 2100-02-29 2026-04-31 2026-13-01 2026-00-10 2026-03-00 \
	2026-03-32 0000-03-02 1969-12-31 2026/03/02 26-03-02; do
	bad "${day}T08:05:00"
done
for hour in 25:00:00 24:00:00 08:61:00 08:60:00 08:05:61 23:59:60 08:05 08:05:00+25:00 \
	08:05:00+01:60 08:05:00CET 08:05:00Z+1; do
	bad "2026-03-02T$hour"
done
bad -5
bad 99999999999999999999
bad 12:00:00
# A leap day is one, and blanks around a value are none of its.
printf '%s\n' "$header" "1|2028-02-29T08:00:00|2028-02-29T08:05:00|2028-02-29T09:05:00\
|60|2|8|COMPLETED|cpu=8" " 2 |  2028-02-29T08:00:10	|	2028-02-29 09:05:00 +0100 | 2028-02-29T09:05:00 \
| 60 | 2 | 8 | COMPLETED | cpu=8 " > blank.txt
"$sim" trace --sacct blank.txt nodes=8 --preset li-ff --schedule s > out 2> err ||
	fail "blanks: $(cat err)"
[ "$(grep -c '^{"decided' s)" -eq 2 ] && ! grep -q skipped err || fail "blanks: $(cat err s)"
printf '; MaxProcs: 4\n1 0 10 3600 8\n2 1 10 3600 16\n' > wide.swf
refused 'no job in it; larger than the machine: 2 of 4 nodes$' wide.swf
sed '/^;/d' a.swf > bare.swf
refused 'bare.swf: the file does not say how large the machine is' bare.swf
# A pipe is read once, from its first byte.
"$sim" trace a.swf --quiet --preset li-ff 2> err | grep -v '^seconds ' > whole
mkfifo pipe
cat a.swf > pipe &
"$sim" trace pipe --quiet --preset li-ff 2> err | grep -v '^seconds ' > piped
cmp -s whole piped || fail "from a pipe: $(cat err piped)"
gzip -c a.swf > pipe 2> /dev/null &
refused 'pipe: a compressed file cannot come through a pipe' pipe
refused 'bare.swf: a machine of 1048577 nodes is too large; at most 1048576' bare.swf nodes=1048577
# A mark before the first line, as spreadsheets write it, counts as nothing.
{ printf '\357\273\277' && cat jobs.txt; } > marked.txt
"$sim" trace --sacct marked.txt --preset flex > out 2> err &&
	[ "$(head -n 1 err)" = "rspb-sim: marked.txt: $told" ] || fail "a mark: $(cat err)"
# GPUs by type, and what can't be read.
printf '%s\n' "$header" "1|2026-03-02T08:00:00$ran,gres/gpu:a100=4" \
	"2|2026-03-02T08:00:00$ran,gres/gpu:a100=2,gres/gpu:v100=2" \
	"3|2026-03-02T08:00:00$ran,gres/gpu=some" > gpus.txt
"$sim" trace --sacct gpus.txt nodes=8 cores=32 gpus=4 --preset li-ff --schedule s \
	> out 2> err || fail "GPUs: $(cat err)"
[ "$(grep -c '^{"decided.*"per_node":2,"name":"gpu"' s)" -eq 2 ] || fail "GPUs: $(cat s)"
grep -q "with unreadable GPUs: counted as none: 1 (first in line 4)" err ||
	fail "GPUs: $(cat err)"
exit $failed
