#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# rspb-sim study: its numbers are those of the single runs, it goes on where it was
# stopped, its parts are the whole, and a replaced trace is run again.
# shellcheck source=tests/golden/lib.sh
. "$(dirname "$0")/lib.sh"

cat > "$dir/study.jsonl" << 'END'
{"type":"config","presets":["li-ff","li-pe-worst"],"seeds":2,"seed":5,"x_label":"UMed"}
{"name":"low","model":"lublin","params":{"umed":5,"jobs":64},"x":5}
{"name":"<high>","model":"lublin","params":{"umed":9,"jobs":64},"x":9}
END
study() {
	"$sim" study "$dir/study.jsonl" --quiet "$@" > "$dir/out" 2> "$dir/err" ||
		fail "study $*: $(cat "$dir/err")"
}

study --out "$dir/all"
[ "$(find "$dir/all/cells" -type f | wc -l)" -eq 8 ] || fail "not each cell has a file"
want=$("$sim" model lublin umed=9 jobs=64 --compare li-ff,li-pe-worst --seed 5 \
	--runs 2 --csv | awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) if ($i == "acceptance") f = i }
	NR == 3 { print $f }')
grep -qF "<high>,9,li-pe-worst,acceptance,$want," "$dir/all/study.csv" ||
	fail "its numbers are not those of the runs, $want:" "$(cat "$dir/all/study.csv")"
grep -q '<title>li-pe-worst, 9: 0\.' "$dir/all/study.html" ||
	fail "a mark does not say what it is"
! grep -qE '<high>|(src|href)=' "$dir/all/study.html" ||
	fail "the page has text that is no text, or needs other files"

# It was stopped when one was not written, and one not to its end.
set -- "$dir/all/cells"/*
first=$1 second=$2
rm "$first"
head -n 1 "$second" > "$dir/half" && cp "$dir/half" "$second"
touch -d '2020-01-01' "$dir/all/cells"/*
cp "$dir/all/study.csv" "$dir/before"
study --out "$dir/all"
[ "$(find "$dir/all/cells" -newermt 2021-01-01 -type f | wc -l)" -eq 2 ] ||
	fail "not just what was missing was run again"
grep -v ',seconds,' "$dir/before" > "$dir/a"
grep -v ',seconds,' "$dir/all/study.csv" | cmp -s - "$dir/a" ||
	fail "what went on came to something else"

study --out "$dir/parts" --part 0/3
[ ! -e "$dir/parts/study.html" ] || fail "a part has a page"
study --out "$dir/parts" --part 1/3
study --out "$dir/parts" --part 2/3
[ "$(find "$dir/parts/cells" -type f | wc -l)" -eq 8 ] || fail "the parts are not all"
study --out "$dir/parts"
grep -v ',seconds,' "$dir/parts/study.csv" | cmp -s - "$dir/a" ||
	fail "the parts come to something else"

# A result is filed under what is in a trace, not under its name or time.
"$sim" model lublin jobs=100 umed=5 --export-swf "$dir/small.swf" > /dev/null &&
	"$sim" model lublin jobs=100 umed=9 --export-swf "$dir/large.swf" > /dev/null &&
	cp "$dir/small.swf" "$dir/log.swf" || fail "no trace"
trace_study() {
	echo '{"type":"config","presets":["li-ff","flex"],"seeds":1}' > "$dir/study.jsonl"
	echo "{\"name\":\"ours\",\"trace\":\"$dir/$1\"}" >> "$dir/study.jsonl"
	study --out "$dir/filed"
	grep -E '^ours,.*,(acceptance|slowdown|accepted_work),' "$dir/filed/study.csv" > "$dir/$2"
	sed -n 2p "$dir/out" | grep -q "^  ours  *$3  *$3$" ||
		fail "$1: wanted all $3:" "$(head -n 3 "$dir/out")"
}
trace_study log.swf first new
trace_study log.swf second reused
cmp -s "$dir/first" "$dir/second" || fail "what is reused differs"
cp "$dir/large.swf" "$dir/log.swf"
touch -r "$dir/small.swf" "$dir/log.swf"
trace_study log.swf replaced new
cmp -s "$dir/first" "$dir/replaced" && fail "a replaced trace gives the old numbers"
touch "$dir/log.swf"
trace_study log.swf touched reused
trace_study large.swf named reused
cmp -s "$dir/replaced" "$dir/touched" && cmp -s "$dir/replaced" "$dir/named" ||
	fail "the same trace at another time or under another name differs"
version=$("$sim" --version | sed 's/.* //')
grep -q "^$version/[0-9a-f]* trace [0-9a-f]*:[0-9]* --preset " "$dir/filed/cells"/* ||
	fail "not filed under the version: $(head -qn 1 "$dir/filed/cells"/*)"
sed -i "1s/^[^ ]*/0.1/" "$dir/filed/cells"/*
trace_study log.swf version new
study --out "$dir/filed" --part 0/2
grep -q '^part 0/2: 1 results, 1 of them reused$' "$dir/out" || fail "$(cat "$dir/out")"

# refused WORDS LINE...: of a study with this in it
refused() {
	words=$1
	shift
	printf '%s\n' "$@" > "$dir/bad.jsonl"
	"$sim" study "$dir/bad.jsonl" --quiet --out "$dir/bad" > "$dir/out" 2> "$dir/err"
	status=$?
	[ $status -eq 2 ] && [ ! -s "$dir/out" ] && grep -q "$words" "$dir/err" ||
		fail "status $status, wanted 2 and: $words:" "$(cat "$dir/out" "$dir/err")"
}
config='{"type":"config","presets":["li-ff"],"seeds":1}'
refused 'bad.jsonl:2: field "modl": is unknown' "$config" '{"name":"a","modl":"x"}'
refused 'field "model": is missing; a workload has one of' "$config" '{"name":"a"}'
refused 'field "trace": a workload has one of' "$config" \
	'{"name":"a","model":"lublin","trace":"b"}'
refused 'field "name": a is already used' "$config" \
	'{"name":"a","model":"lublin"}' '{"name":"a","model":"min"}'
refused 'field "presets": is missing' '{"name":"a","model":"lublin"}'
refused 'bad.jsonl:2: .*none.swf: No such file' "$config" \
	'{"name":"a","trace":"none.swf"}'
refused 'runs failed' "$config" \
	'{"name":"a","model":"lublin","params":{"umde":5}}'

exit $failed
