#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The examples of rspb-sim(1) and rspb.conf(5) as they are printed there.
# shellcheck source=tests/golden/lib.sh
. "$(dirname "$0")/lib.sh"
pages=$(realpath "$(dirname "$0")/../../doc/man")
recorded=$(realpath "$(dirname "$0")/journal/recorded.jsonl")
sim=$(realpath "$sim")
PATH=$(dirname "$sim"):$PATH
cd "$dir" || exit 1

# examples PAGE: each block of it as plain text, in 1, 2, ... of a folder of that name.
examples() {
	mkdir "$1"
	sed -e 's/\\-/-/g' -e "s/\\\\(aq/'/g" -e 's/\\e$/\\/' "$pages/$1" |
		awk -v folder="$1" '/^\.nf/ { n++; inside = 1; next }
			/^\.fi/ { inside = 0 }
			inside && !/^\./ { print > (folder "/" n) }'
}
# count PAGE N: an example that is added is tried here, too.
count() {
	[ "$(find "$1" -type f | wc -l)" -eq "$2" ] || fail "$1 has other examples than $2"
}

examples rspb.conf.5
count rspb.conf.5 6
conf=rspb.conf.5
read -r line < $conf/1
rspb-sim conf /dev/null "${line#SchedulerParameters=}" > out 2>&1 || fail "$(cat out)"
grep -q '^BatchInterval=500ms' out || fail "options in slurm.conf: $(cat out)"
for n in 2 4 5; do
	rspb-sim conf $conf/$n > out 2>&1 || fail "$conf, example $n: $(cat out)"
done
grep -q '^rspb: audit: action=[a-z]* job=[0-9]* uid=[0-9]* from=[0-9.]* result=' $conf/3 ||
	fail "$conf, example 3 is not an audit line"
# The index names each key, in order, with the section in which it is.
cut -f1 $conf/6 > names
sort -f names | cmp -s - names || fail "the index is not in order"
rspb-sim conf /dev/null | sed -n 's/^\([A-Z][A-Za-z]*\)=.*/\1/p' | sort > keys
echo Rule >> keys
sort keys | uniq > all
sort names | diff all - > out || fail "the index has other keys: $(cat out)"
tr '\t' '|' < $conf/6 > index
while IFS='|' read -r key section; do
	awk -v key="$key" -v section=".SS $section" '/^\.S[SH] / { here = $0 == section }
		here && (index($0, ".BR " key " =") == 1 || (key == "Rule" && /Rule=/)) { found = 1 }
		END { exit !found }' "$pages/rspb.conf.5" || fail "$key is not in $section"
done < index

examples rspb-sim.1
count rspb-sim.1 7
page=rspb-sim.1
rspb-sim model lublin nodes=64 jobs=120 umed=3 --export-swf log.swf --quiet > out 2>&1 ||
	fail "$(cat out)"
gzip -k log.swf
cp $conf/4 rspb.conf
sed -i '/^Allow/d' rspb.conf
{
	echo 'JobID|Submit|Start|End|TimelimitRaw|NNodes|AllocCPUS|State|AllocTRES'
	awk '!/^;/ && $1 { t = 1700000000 + $2; printf "%d|%d|%d|%d|%d|%d|%d|COMPLETED|cpu=%d,mem=1G,gres/gpu=1\n",
		$1, t, t + 60, t + 60 + $4, $9 / 60 + 1, 1, 8, 8 }' log.swf
} > jobs.txt
cp $page/3 day.jsonl
rspb-sim trace --requests $page/4 --preset live --quiet > out 2>&1 || fail "sites: $(cat out)"
rspb-sim check $page/5 > out 2>&1 || fail "a schedule: $(cat out)"
rspb-sim study $page/6 --out study > out 2>&1 || fail "a study: $(cat out)"
cp "$recorded" rspb.journal
# The columns of the command for sacct are those of the file that the next one reads.
tr -d '\\\n' < $page/2 | grep -q "format=$(head -n 1 jobs.txt | tr '|' ,)$" ||
	fail "sacct prints other columns"
# A journal that was recorded by another policy ends with 1.
cat $page/1 $page/7 > commands
while read -r command; do
	sh -c "$command" > out 2>&1 && rc=0 || rc=$?
	case $command:$rc in
	*:0 | *journal*:1) ;;
	*) fail "$command: $(cat out)" ;;
	esac
	[ -s out ] || fail "$command prints nothing"
done < commands
exit $failed
