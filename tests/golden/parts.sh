#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# rspb-sim with parts of nodes: requests with cores, memory and GPUs, nodes with
# sizes, traces of fat nodes, and how well all that is packed.
# shellcheck source=tests/golden/lib.sh
. "$(dirname "$0")/lib.sh"
sim=$(realpath "$sim")
cd "$dir" || exit 1

# --- requests, line by line --------------------------------------------------
cat > r.jsonl << 'END'
# Two nodes with GPUs, and a large one.
{"type":"config","machine":[{"nodes":2,"cores":16,"mem":64000,"gpus":4},{"nodes":1,"cores":64,"mem":256000}]}
{"arrival":0,"duration":3600,"cores":8,"mem":16000,"gpus":1}
{"arrival":0,"duration":3600,"cores":8,"mem":16000,"gres":{"gpu":3}}
{"arrival":1,"ready":60,"deadline":7200,"duration":3600,"cores":32,"mem":100000}
{"arrival":2,"duration":3600,"nodes":2,"gpus":2}
{"arrival":3,"duration":3600,"nodes":2,"cores":4,"gpus":4,"priority":3}
{"arrival":4,"ready":100,"duration":3600,"deadline":20000,"gpus":4,"benefit":"linear:50%"}
{"arrival":5,"duration":60,"mem":100000}
{"arrival":6,"duration":60,"cores":32,"mem":156001}
END
# Of each: state, nodes, units of each node.
decided() {
	sed -n 's/^{"decided":{"request":{"id":\([0-9]*\),.*"state":"\([a-z]*\)".*"grants":\[\(.*\)\],.*/\1 \2 \3/p' \
		"$1" | sed 's/"nodes":"\([0-9,-]*\)"/\1/; s/"share"//; s/[{}]//g
		s/,"benefit":"1"//' | sort -n
}
cat > wanted << 'END'
1 booked 0,:800
2 booked 0,:800
3 booked 2,:3200
4 declined 
5 declined 
6 booked 1
7 declined 
8 declined 
END
"$sim" trace --requests r.jsonl --preset li-ff --schedule s > out 2>&1 ||
	fail "$(cat out)"
decided s > got
cmp -s wanted got || fail "decided: $(diff wanted got)"
grep -q 'not enough GPUs are free beside others then' s || fail "why 5: $(cat s)"
grep -q 'not enough memory is free beside others then' s ||
	fail "why 8: $(cat s)"
"$sim" check s > out || fail "$(cat out)"
# 8 + 8 + 32 + 16 core hours.
"$sim" trace --requests r.jsonl --preset li-ff > out
grep -q '^core_hours  *64$' out || fail "core hours: $(cat out)"
"$sim" trace --requests r.jsonl limit=3 --preset flex > out 2>&1
grep -q '^jobs  *3$' out || fail "limit: $(cat out)"

cat > study.jsonl << 'END'
{"type":"config","presets":["li-ff"],"seeds":1}
{"name":"mine","requests":"r.jsonl"}
END
"$sim" study study.jsonl --out study --quiet > out 2>&1 &&
	grep -A1 '^core_hours' out | grep -q ' 64$' || fail "study: $(cat out)"

# refused WORDS LINE...: requests of these lines, behind a machine.
refused() {
	words=$1
	shift
	printf '%s\n' "$@" > bad.jsonl
	"$sim" trace --requests bad.jsonl > out 2> err
	status=$?
	[ $status -eq 2 ] && [ ! -s out ] && [ "$(wc -l < err)" -eq 1 ] &&
		grep -q "$words" err ||
		fail "$*: status $status, wanted 2 and: $words: $(cat out err)"
}
machine='{"type":"config","machine":[{"nodes":2,"cores":16,"gpus":4}]}'
refused 'bad.jsonl: there is no request in it' "$machine"
refused 'field "machine": is missing' '{"arrival":0,"duration":5}'
refused 'field "machine\[\].cores": is missing' \
	'{"type":"config","machine":[{"nodes":2}]}'
refused 'field "machine": must have at least one class' '{"type":"config","machine":[]}'
refused 'field "machine\[\].cpus": is unknown' \
	'{"type":"config","machine":[{"nodes":2,"cpus":16}]}'
refused ':2: field "cpus": is unknown' "$machine" \
	'{"arrival":0,"duration":5,"cpus":2}'
refused ':2: field "mem": no node has any memory' "$machine" \
	'{"arrival":0,"duration":5,"mem":2}'
refused ':2: field "gres": no node has any mic' "$machine" \
	'{"arrival":0,"duration":5,"gres":{"mic":2}}'
refused ':2: field "gres": gpu is given twice' "$machine" \
	'{"arrival":0,"duration":5,"gpus":1,"gres":{"gpu":2}}'
refused ':2: field "nodes": the machine does not have 3 nodes' "$machine" \
	'{"arrival":0,"duration":5,"nodes":3}'
refused ':2: field "nodes": the machine does not have 1 nodes' "$machine" \
	'{"arrival":0,"duration":5,"cores":17}'
refused ':2: field "deadline": 9 comes before ready' "$machine" \
	'{"arrival":5,"duration":5,"deadline":9}'
refused ':3: field "arrival": 4 comes before' "$machine" \
	'{"arrival":5,"duration":5}' '{"arrival":4,"duration":5}'
refused ':2: field "price": 1001 ' "$machine" \
	'{"arrival":5,"duration":5,"price":1001}'
refused ':2: field "benefit": ' "$machine" \
	'{"arrival":5,"duration":5,"benefit":"round"}'

# Cores are for both, the one GPU is not.
cat > two.jsonl << 'END'
{"type":"config","machine":[{"nodes":1,"cores":4,"gpus":1}]}
{"arrival":0,"duration":3600,"cores":2,"gpus":1}
{"arrival":0,"ready":1800,"duration":3600,"cores":2,"gpus":1}
END
"$sim" trace --requests two.jsonl --preset li-ff > out
# In half an hour one of both, before and after all: 3 core hours at most.
awk '$1 == "core_hours" { hours = $2 == 2 } $1 == "packing" { paper = $2 == 1 }
	$1 == "of_bound" { bound = $2 == 0.6667 }
	END { exit !(hours && paper && bound) }' out || fail "bound: $(cat out)"

# What a controller has recorded of parts is decided the same, and counted as the part
# of a node that it is: a half is booked of that and two nodes.
part='{"nodes":1,"nodes_min":1,"share":800,"whole":1600,"quotas":[{"key":5,"most":-1,"per_node":2,"name":"gpu"}]}'
window='"user":1,"arrival":0,"ready":0,"deadline":60,"duration":60,"priority":1,"asap":false,"benefit":"hard"'
cat > journal << END
{"machine":{"nodes":2,"now":0,"preset":"li-ff","capacity":[1600,1600],"rooms":[{"key":5,"of":[4,4]}]}}
{"hold":{"key":5,"amount":3,"start":0,"end":10,"on":0}}
{"request":{"id":1,$window,"parts":[$part]}}
{"request":{"id":2,$window,"parts":[{"nodes":2,"nodes_min":2}]}}
{"decide":{"now":0}}
{"booking":{"request":{"id":1,$window,"parts":[$part]},"state":"booked","start":0,"end":60,"decided_at":0,"benefit":"1","grants":[{"nodes":"1","share":800,"benefit":"1"}],"reason":""}}
{"booking":{"request":{"id":2,$window,"parts":[{"nodes":2,"nodes_min":2}]},"state":"declined","start":0,"end":0,"decided_at":0,"benefit":"0","grants":[],"reason":"x"}}
END
"$sim" journal journal > out 2>&1 || fail "journal: $(cat out)"
grep -q '^2 decisions, 0 otherwise' out || fail "journal: $(cat out)"
"$sim" journal journal --preset li-ff > out 2>&1
grep -q '^accepted_work  *0.2000  *0.2000$' out || fail "journal: $(cat out)"

# --- a day of them -----------------------------------------------------------
# value NAME FILE
value() {
	awk -v name="$1" '$1 == name { print $2 }' "$2"
}
# between LEAST NUMBER MOST
between() {
	awk -v least="$1" -v number="$2" -v most="$3" \
		'BEGIN { exit !(number >= least && number <= most) }'
}
for seed in 1 2 3; do
	"$sim" model parts --seed $seed --preset li-ff --quiet > out
	between 0.95 "$(value packing out)" 1.05 ||
		fail "seed $seed: packed $(value packing out)"
	"$sim" model parts divided=0 --seed $seed --preset li-ff --quiet > out
	between 0.2 "$(value packing out)" 0.5 ||
		fail "seed $seed: whole nodes $(value packing out)"
done
# Who pays more is decided first, of those that are gathered; prices change nothing else.
conf() {
	printf '%s\n' Algorithm=li-ff ChargePercent=100 "$@" > rspb.conf
	"$sim" model parts price=300 --runs 3 --quiet --conf rspb.conf > out ||
		fail "$*: $(cat out)"
	value income out
}
arrival=$(conf Order=arrival BatchInterval=45m)
price=$(conf Order=price BatchInterval=45m)
lone=$(conf Order=price BatchInterval=1s)
awk -v a="$arrival" -v p="$price" -v l="$lone" \
	'BEGIN { exit !(p > a + 0.04 && l < a + 0.02) }' ||
	fail "income: $arrival by arrival, $price by price, $lone without batches"
"$sim" model parts --preset li-ff --quiet > plain
"$sim" model parts price=200 --preset li-ff --quiet > priced
[ "$(value core_hours plain)" = "$(value core_hours priced)" ] ||
	fail "prices change core hours"
grep -q '^income' plain && fail "income without prices"
# Where all take whole nodes, first fit is first fit.
"$sim" model parts whole=100 deadline=2 --preset li-ff --quiet > out
[ "$(value packing out)" = 1.0000 ] || fail "whole nodes: $(cat out)"
# Nobody packs more than can be, and what is booked can be had.
for preset in li-ff live flex lazy-worst clairvoyant; do
	for load in nodes=16 "nodes=16 deadline=3" "nodes=9 divided=0" \
		"nodes=16 most_gpus=8 deadline=1" "nodes=3 artime=1"; do
		# shellcheck disable=SC2086
		"$sim" model parts requests=700 $load \
			--preset $preset --quiet --schedule s > out 2>&1
		between 0 "$(value of_bound out)" 1 ||
			fail "$preset $load: $(cat out)"
		"$sim" check s > checked || fail "$preset $load: $(cat checked)"
	done
done
# What is not possible is seen.
"$sim" model parts requests=300 nodes=4 --preset li-ff --quiet --schedule good \
	> out
# spoiled WORDS SED
spoiled() {
	sed "$2" good > bad
	"$sim" check bad > out
	status=$?
	[ $status -eq 1 ] && grep -q "$1" out ||
		fail "status $status, wanted 1 and: $1: $(cat out)"
}
spoiled 'node 0 lacks [0-9]* of kind [12]' \
	'/^..kept/s/"grants":.{"nodes":"[0-9]*"/"grants":[{"nodes":"0"/'
spoiled 'node 0 has no room for it beside' \
	'/^..kept/s/"grants":.{"nodes":"[0-9]*"/"grants":[{"nodes":"0"/'
spoiled 'node 3 lacks [0-9]* of kind 17' \
	'1s/8,8,8,8/8,8,8,1/'

# --- traces of fat nodes -----------------------------------------------------
cat > fat.swf << 'END'
; MaxNodes: 4
1 0 -1 100 8 -1 -1 8 100 -1 -1 -1 -1 -1 -1 -1 -1 -1
2 1 -1 100 16 -1 -1 16 100 -1 -1 -1 -1 -1 -1 -1 -1 -1
3 2 -1 100 40 -1 -1 40 100 -1 -1 -1 -1 -1 -1 -1 -1 -1
4 3 -1 100 64 -1 -1 64 100 -1 -1 -1 -1 -1 -1 -1 -1 -1
5 4 -1 100 65 -1 -1 65 100 -1 -1 -1 -1 -1 -1 -1 -1 -1
END
asked() {
	sed -n 's/^{"decided":{"request":{"id":\([0-9]*\),.*"parts":\[{"nodes":\([0-9]*\),"nodes_min":[0-9]*\([^}]*\)}.*/\1 \2 \3/p' \
		"$1" | sort -n
}
cat > wanted << 'END'
1 1 ,"share":800,"whole":1600
2 1 
3 3 ,"share":1400,"whole":1600
4 4 
END
"$sim" trace fat.swf cores=16 --preset li-ff --schedule s > out 2> err ||
	fail "$(cat err)"
asked s > got
cmp -s wanted got || fail "fat: $(diff wanted got)"
grep -q '4 jobs for 64 processors, 1 skipped; larger than the machine: 1' err ||
	fail "fat: $(cat err)"
"$sim" check s > out || fail "fat: $(cat out)"
"$sim" trace fat.swf cores=16 priority=9 soft=100 --preset live --quiet \
	--schedule s > out && "$sim" check s > out || fail "worth: $(cat out)"
# Who may get less has whole nodes, as on a cluster.
grep '"benefit":"\(linear\|stairs\|concave\)' s | grep -q '"share"' &&
	fail "less of a core: $(cat s)"
# Of sacct nodes are known, too: three of the largest job, and what it leaves.
cat > jobs.txt << 'END'
JobID|Submit|Start|End|TimelimitRaw|NNodes|AllocCPUS|State
1|2026-03-01T08:00:00|2026-03-01T08:00:00|2026-03-01T09:00:00|60|3|12|COMPLETED
2|2026-03-01T08:01:00|2026-03-01T08:01:00|2026-03-01T09:00:00|60|1|16|COMPLETED
3|2026-03-01T08:02:00|2026-03-01T08:02:00|2026-03-01T09:00:00|60|1|5|COMPLETED
END
cat > wanted << 'END'
1 3 ,"share":400,"whole":1600
2 1 
3 1 ,"share":500,"whole":1600
END
"$sim" trace --sacct jobs.txt cores=16 artime=0 deadline=0 --preset li-ff \
	--schedule s > out 2> err
asked s > got
cmp -s wanted got || fail "sacct: $(diff wanted got)"
grep -q '^{"machine":{"nodes":3,' s || fail "sacct: $(head -n 1 s)"
"$sim" trace --sacct jobs.txt cores=16 nodes=5 --preset li-ff --schedule s \
	> out 2> err
grep -q '^{"machine":{"nodes":5,' s || fail "nodes=5: $(head -n 1 s)"

# What else they take of their nodes; the fourth wants more GPUs than a node has.
cat > tres.txt << 'END'
JobID|Submit|Start|End|TimelimitRaw|NNodes|AllocCPUS|State|AllocTRES
1|2026-03-01T08:00:00|2026-03-01T08:00:00|2026-03-01T09:00:00|60|2|8|COMPLETED|billing=8,cpu=8,gres/gpu:a100=4,gres/gpu=4,mem=16G,node=2
2|2026-03-01T08:01:00|2026-03-01T08:01:00|2026-03-01T09:00:00|60|1|16|COMPLETED|billing=16,cpu=16,mem=4000M,node=1
3|2026-03-01T08:02:00|2026-03-01T08:02:00|2026-03-01T09:00:00|60|1|5|COMPLETED|cpu=5,mem=0.5T
4|2026-03-01T08:02:00|2026-03-01T08:02:00|2026-03-01T09:00:00|60|1|5|COMPLETED|cpu=5,gres/gpu=9
END
cat > wanted << 'END'
1 2 400 8192 2
2 1
3 1 500 524288
END
"$sim" trace --sacct tres.txt cores=16 mem=512 gpus=8 nodes=3 --preset li-ff \
	--schedule s > out 2> err || fail "tres: $(cat err)"
# Number, nodes, cores, memory, GPUs.
sed -n 's/^{"decided":{"request":{"id":\([0-9]*\),.*"parts":\[{"nodes":\([0-9]*\),\(.*\)}\]},"state".*/\1 \2 \3/p' \
	s | sed 's/"nodes_min":[0-9]*//; s/"whole":[0-9]*//; s/"key":[0-9]*//g
	s/"most":-1//g; s/[^0-9 ]\+/ /g; s/ \+/ /g; s/ $//' | sort -n > got
cmp -s wanted got || fail "tres: $(diff wanted got)"
grep -q '"rooms":\[{"key":16,"of":\[524288,524288,524288\]},{"key":17,"of":\[8,8,8\]}\]' s ||
	fail "tres: $(head -n 1 s)"
grep -q 'larger than the machine: 1' err || fail "tres: $(cat err)"
cat > fat.swf << 'END'
; MaxNodes: 2
1 0 -1 100 8 -1 -1 8 100 1048576 -1 -1 -1 -1 -1 -1 -1 -1
2 1 -1 100 4 -1 2000 4 100 -1 -1 -1 -1 -1 -1 -1 -1 -1
END
"$sim" trace fat.swf nodes=2 cores=16 mem=64 --preset li-ff --schedule s \
	> out 2> err || fail "memory: $(cat err)"
grep -q '"per_node":8192,"name":"memory"' s &&
	grep -q '"per_node":8,"name":"memory"' s || fail "memory: $(cat s)"

# told WORDS ARGUMENT...
told() {
	words=$1
	shift
	"$sim" "$@" > out 2> err
	status=$?
	[ $status -eq 2 ] && [ ! -s out ] && grep -q -- "$words" err ||
		fail "$*: status $status, wanted 2 and: $words: $(cat out err)"
}
told 'cpus=9 and cores=3 exclude each other' trace --sacct jobs.txt cpus=9 cores=3
told 'shares=5 and cores=16 exclude' trace fat.swf cores=16 shares=5
told 'whole nodes' trace fat.swf cores=16 --export-swf x
told 'on whole nodes' trace fat.swf cores=16 --export-lp x
told 'whole nodes' trace fat.swf cores=16 --preset foreseen
told 'only limit=N is allowed' trace --requests r.jsonl cores=16
told 'sacct and --requests exclude' trace --requests r.jsonl --sacct jobs.txt
told 'jobs.txt: no job states its GPUs' trace --sacct jobs.txt cores=8 \
	gpus=4
told 'fat.swf: no job states its GPUs' trace fat.swf cores=8 gpus=4
told 'mem and gpus need cores=N' trace fat.swf mem=4
told 'tres.txt: no job fits' trace --sacct tres.txt cores=16 mem=0.01 gpus=1
told 'shortest=40 is more than longest=30' model parts shortest=40 longest=30
exit $failed
