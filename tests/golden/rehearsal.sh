#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A site's own jobs rehearsed: its limits and rules hold, regular jobs start beside bookings as
# worked by hand, jobs end when they did, nodes fail, and each column is explained.
# shellcheck source=tests/golden/lib.sh
. "$(dirname "$0")/lib.sh"
sim=$(realpath "$sim")
cd "$dir" || exit 1

# value NAME FILE: of a table
value() {
	awk -v name="$1" '$1 == name && NF == 2 { print $2; exit }' "$2"
}
# is NAME VALUE FILE
is() {
	[ "$(value "$1" "$3")" = "$2" ] || fail "$1 is not $2:" "$(cat "$3")"
}
# run ARGUMENT...: into out, with a schedule that is checked
run() {
	"$sim" trace "$@" --quiet --schedule s > out 2> err || fail "trace $*: $(cat err)"
	"$sim" check s > checked 2>&1 || fail "trace $*: $(cat checked)"
}

# Five regular jobs on four nodes. 2 and 4 start when 1 ends, which is before its limit; 3 has
# its place when 2 ends, where 5 would delay it.
cat > five.swf << 'END'
; MaxProcs: 4
1 0 -1 50 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1
2 10 -1 100 2 -1 -1 2 100 -1 1 1 1 1 1 1 -1 -1
3 10 -1 60 4 -1 -1 4 60 -1 1 1 1 1 1 1 -1 -1
4 20 -1 80 2 -1 -1 2 80 -1 1 1 1 1 1 1 -1 -1
5 20 -1 10 2 -1 -1 2 150 -1 1 1 1 1 1 1 -1 -1
END
# regular_runs: as "ID START END" by id
regular_runs() {
	sed -n 's/^{"regular":{"request":{"id":\([0-9]*\),.*"start":\([0-9]*\),"end":\([0-9]*\),.*}}*,"ended":\([0-9]*\)}$/\1 \2 \4/p
		s/^{"regular":{"request":{"id":\([0-9]*\),.*"start":\([0-9]*\),"end":\([0-9]*\),.*"reason":"[^"]*"}}$/\1 \2 \3/p' s |
		sort -n
}
run five.swf book=0
printf '1 0 50\n2 50 150\n3 150 210\n4 50 130\n5 210 220\n' > wanted
regular_runs > got
cmp -s got wanted || fail "regular jobs: $(cat got)"
is regular_jobs 5 out
is regular_wait 1.3 out
grep -q '^0 requests, 0 booked and kept, 5 runs of regular jobs, 0 faults$' checked ||
	fail "$(cat checked)"
# Limits instead of runtimes: job 1 until 100, then as before.
run five.swf book=0 real=0
printf '1 0 100\n2 100 200\n3 200 260\n4 100 180\n5 260 410\n' > wanted
regular_runs > got
cmp -s got wanted || fail "regular jobs with limits: $(cat got)"

# A booking ends when its job did, and what is left can be booked.
cat > two.swf << 'END'
; MaxProcs: 2
1 0 -1 30 2 -1 -1 2 100 -1 1 1 1 1 1 1 -1 -1
2 40 -1 30 2 -1 -1 2 100 -1 1 1 1 1 1 1 -1 -1
END
run two.swf artime=0 deadline=0 --preset li-ff
is acceptance 0.5000 out
run two.swf artime=0 deadline=0 real=1 --preset li-ff
is acceptance 1.0000 out
grep -q '"ended":30}$' s || fail "the end is not told: $(cat s)"

# A node fails under a booking, which is lost; before another one, which gets other nodes.
printf '# node from until\n0 50 400\n' > failures
run two.swf artime=0 deadline=0 real=0 nodes=3 --failures failures --preset li-ff
is lost 1.0 out
grep -q '^{"lost":.*"id":1,.*"ended":50}$' s || fail "not lost: $(cat s)"
cat > later.swf << 'END'
; MaxProcs: 3
1 0 -1 1000 2 -1 -1 2 1000 -1 1 1 1 1 1 1 -1 -1
END
run later.swf nodes=3 artime=3 --preset li-ff
ready=$(sed -n 's/.*"ready":\([0-9]*\),.*/\1/p' s | head -n 1)
echo "0 $((ready - 10)) $((ready + 5))" > failures
[ "$ready" -gt 10 ] || fail "its ready time is $ready"
run later.swf nodes=3 artime=3 --failures failures --preset li-ff
is replaced 1.0 out
is lost 0.0 out
grep -q '^{"kept":.*"nodes":"1-2"' s || fail "not on other nodes: $(cat s)"
run five.swf book=0 --failures failures
# A regular job that a failure ends runs again.
echo "3 20 30" > failures
run five.swf book=0 --failures failures
is regular_killed 1.0 out
[ "$(regular_runs | grep -c '^1 ')" -eq 2 ] || fail "it did not run again: $(regular_runs)"

# The same of a month of jobs that are drawn: users, limits and rules.
"$sim" model lublin jobs=1500 nodes=128 umed=4 uhi=7 ulow=1 --export-swf log.swf > out || fail log
awk 'BEGIN { srand(7) } /^;/ { print; next }
	{ $4 = int($4 * rand()) + 1; $12 = int(5 * rand()) + 1; $15 = int(2 * rand()) + 1; print }' \
	log.swf > month.swf
for policy in li-ff li-pe-worst live lazy-worst; do
	run month.swf book=40 mtbf=900 --preset $policy
	awk -v l="$(value lost out)" -v r="$(value regular_jobs out)" \
		'BEGIN { exit !(l > 0 && r > 500) }' || fail "$policy: $(cat out)"
done
# conf WORDS...: the settings of a site, a line each
conf() {
	printf '%s\n' "$@" > site.conf
}
asked=$(awk '!/^;/ && $8 > 1' month.swf | grep -c .)
conf Algorithm=li-ff MaxNodes=1 Horizon=365d MaxDuration=0 MaxBookedPercent=100%
run month.swf --conf site.conf
is limited "$asked.0" out
! grep '^{"kept"' s | grep -q '"nodes":[2-9]' || fail "a booking has more than MaxNodes"
# A default is in force: half of the machine at one time.
conf Algorithm=li-ff MaxNodes=50% Horizon=365d MaxDuration=0
run month.swf --conf site.conf book=60 real=0
"$sim" check s --per-request --csv > rows 2> err || fail "$(cat err)"
awk -F, '$9 == "booked" { print $10, $12; print $11, -$12 }' rows | sort -n -k1,1 -k2,2 |
	awk '{ n += $2; if (n > most) most = n } END { exit !(most > 48 && most <= 64) }' ||
	fail "MaxBookedPercent does not hold"
awk -v n="$(value limited out)" 'BEGIN { exit !(n > 10) }' || fail "none is limited: $(cat out)"
conf Algorithm=li-ff MaxNodes=0 Horizon=365d MaxDuration=0 MaxBookedPercent=100% \
	'Rule=small Users=3 MaxNodes=4' 'Rule=queue Partitions=2 Allow=no'
run month.swf --conf site.conf
"$sim" check s --per-request --csv > rows 2> err || fail "$(cat err)"
grep -v '^;' month.swf | awk '{ print NR, $12, $15 }' > owners
awk -F'[ ,]' 'NR == FNR { user[$1] = $2; queue[$1] = $3; next } FNR > 1 && $9 == "booked" {
	if (queue[$1] == 2 || (user[$1] == 3 && $12 > 4)) bad++
	if (user[$1] == 3) small++
	if (user[$1] == 4 && $12 > 4) large++ }
	END { exit bad || !small || !large }' owners rows || fail "rules do not hold"
conf Algorithm=li-ff MaxNodes=0 Horizon=365d MaxDuration=0 MaxBookedPercent=100% MaxWaitingPerUser=1
run month.swf --conf site.conf
grep -q 'which is the most allowed (MaxWaitingPerUser)' s || fail "no limit of users: $(cat out)"
conf Algorithm=li-ff MaxNodes=0 Horizon=365d MaxDuration=0 MaxBookedPercent=100% \
	'StartHours=Mon-Fri/09:00-17:00'
TZ=UTC run month.swf --conf site.conf
"$sim" check s --per-request --csv > rows 2> err || fail "$(cat err)"
awk -F, '$9 == "booked" { n++; day = int($10 / 86400) % 7; hour = $10 % 86400 / 3600
	if (day == 2 || day == 3 || hour < 9 || hour > 17) bad++ }
	END { exit bad || n < 100 }' rows || fail "StartHours does not hold: $(cat out)"
# Bookings that move for others keep to it, too.
conf Algorithm=live MaxNodes=0 Horizon=365d MaxDuration=0 MaxWaitingPerUser=0
run month.swf --conf site.conf book=40 real=0
"$sim" check s --per-request --csv > rows 2> err || fail "$(cat err)"
awk -F, '$9 == "booked" { print $10, $12; print $11, -$12 }' rows | sort -n -k1,1 -k2,2 |
	awk '{ n += $2; if (n > most) most = n } END { exit !(most > 48 && most <= 64) }' ||
	fail "MaxBookedPercent does not hold where bookings move"
# Bookings move until FirmNotice, of which 3650d lets none move.
# moved: bookings whose start is another one than was decided
moved() {
	sed -n 's/^{"\(decided\|kept\)":{"request":{"id":\([0-9]*\),.*"state":"booked","start":\([0-9]*\),.*/\2 \3/p' s |
		sort -u | cut -d' ' -f1 | uniq -d | grep -c .
}
for notice in 0s 3650d; do
	conf Algorithm=live MaxNodes=0 Horizon=365d MaxDuration=0 MaxBookedPercent=100% \
		MaxWaitingPerUser=0 FirmNotice=$notice
	run month.swf --conf site.conf book=40
	eval "moved_$notice=$(moved)"
done
[ "${moved_0s:?}" -gt 5 ] && [ "${moved_3650d:?}" -eq 0 ] ||
	fail "FirmNotice does not hold: $moved_0s and $moved_3650d moved"
# Nodes that can be booked at short notice are not for long regular jobs.
conf Algorithm=li-ff MaxNodes=0 Horizon=365d MaxDuration=0 'Bookable=50%/1h'
run month.swf book=5 --conf site.conf
held=$(value acceptance out)
conf Algorithm=li-ff MaxNodes=0 Horizon=365d MaxDuration=0
run month.swf book=5 --conf site.conf
awk -v a="$held" -v b="$(value acceptance out)" 'BEGIN { exit !(a > b + .1) }' ||
	fail "Bookable keeps nothing free: $held, $(value acceptance out)"
# Files beside presets and programs, each with limits of its own.
conf Algorithm=li-ff MaxNodes=1 Horizon=365d MaxDuration=0
"$sim" trace month.swf limit=300 real=1 --compare li-ff,site.conf --csv --quiet > out || fail compare
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == "acceptance") a = i
		if ($i == "limited") l = i } }
	$1 == "li-ff" { free = $a; none = $l } $1 == "site.conf" { bound = $a; some = $l }
	END { exit !(free > bound && none == "nan" && some > 50) }' out || fail "$(cat out)"

# What may not be booked at one time is booked later within its window, as on a cluster; it is
# declined where the window has no such start.
cat > half.swf << 'END'
; MaxProcs: 4
1 0 -1 100 2 -1 -1 2 100 -1 1 1 1 1 1 1 -1 -1
2 1 -1 100 2 -1 -1 2 100 -1 1 1 1 1 1 1 -1 -1
END
for policy in li-ff flex flex-tide; do
	printf 'Algorithm=%s\nMaxBookedPercent=50%%\nMaxNodes=100%%\n' $policy > half.conf
	run half.swf --conf half.conf artime=0 deadline=100
	is acceptance 1.0000 out
	grep -q '^{"kept":.*"id":2,.*"start":100,"end":200' s ||
		fail "$policy: it is not later: $(cat s)"
	run half.swf --conf half.conf artime=0 deadline=0
	is limited 1.0 out
	grep -q '^{"decided":.*"id":2,.*MaxBookedPercent=50%' s ||
		fail "$policy: no reason: $(cat s)"
done
"$sim" trace half.swf --conf half.conf 2>&1 > out | grep -q 'gives nodes at the decision' ||
	fail "it is not told that flex gives nodes at the decision"

# A booking that waits as a count moves within its window when a node fails; if that is too
# short, it is lost. What was decided before others is kept.
printf '%s\n' '{"type":"config","machine":[{"nodes":2,"cores":1}],"undivided":true}' \
	'{"arrival":0,"ready":50,"deadline":1000,"duration":100,"nodes":2}' \
	'{"arrival":5,"ready":50,"deadline":720,"duration":100,"nodes":1}' > waits.jsonl
echo '0 10 500' > failures
run --requests waits.jsonl --failures failures --preset flex
is lost 0.0 out
grep -q '^{"kept":.*"id":1,.*"start":500,"end":600' s || fail "it does not wait: $(cat s)"
echo '0 10 950' > failures
run --requests waits.jsonl --failures failures --preset flex
is lost 1.0 out
grep -q '^{"lost":.*"id":1,.*"ended":10}$' s || fail "not lost: $(cat s)"
grep -q '^{"kept":.*"id":2,.*"start":50,"end":150' s || fail "not kept: $(cat s)"

# Regular jobs and failures beside it: nobody is given a node twice, all others are kept.
for preset in flex flex-tide; do
	run month.swf limit=1500 book=40 --preset $preset
	is lost 0.0 out
	is regular_left 0 out
	run month.swf limit=1500 book=40 mtbf=100 repair=8 --preset $preset
	awk '$1 == "lost" { lost = $2 } $1 == "regular_killed" { killed = $2 }
		END { exit !(lost > 0 && killed > 0) }' out || fail "$preset: $(cat out)"
done

# The program says what it does.
"$sim" trace month.swf limit=100 --preset li-ff > out 2> err || fail "$(cat err)"
grep -q '^rspb-sim: all jobs ask for a booking (book=100; with book=P ' err &&
	grep -q '^rspb-sim: each job lasts as long as its limit (real=0)$' err || fail "$(cat err)"
for name in jobs acceptance slowdown accepted_work rejections seconds; do
	grep -q "^$name: [a-z]" out || fail "$name is not explained: $(cat out)"
done
"$sim" trace month.swf limit=100 book=30 --preset li-ff > out 2> err || fail "$(cat err)"
grep -q '^rspb-sim: 30 of 100 jobs ask for a booking, the others are regular jobs' err &&
	grep -q '^rspb-sim: jobs end when they did, [0-9]* of 100 before' err || fail "$(cat err)"
grep -q '^regular_wait: mean wait of regular jobs, in minutes$' out || fail "$(cat out)"

# refused WORDS ARGUMENT...
refused() {
	words=$1
	shift
	"$sim" trace "$@" --quiet > out 2> err
	status=$?
	[ $status -eq 2 ] && [ ! -s out ] && grep -qF -- "$words" err ||
		fail "status $status, wanted 2 and: $words:" "$(cat out err)"
}
refused 'book=30 is for whole nodes' month.swf book=30 shares=50
refused 'book: "101" is not allowed' month.swf book=101
refused 'knows all requests beforehand' month.swf book=30 --preset clairvoyant
refused 'exclude each other' month.swf mtbf=5 --failures failures
echo "1 2" > bad
refused 'bad:1: must be NODE FROM UNTIL' month.swf --failures bad
echo "500 1 2" > bad
refused 'bad:1: node 500 is none of 0 to 127' month.swf --failures bad
echo "5 9 2" > bad
refused 'bad:1: a failure from 9 to 2' month.swf --failures bad
refused 'none: No such file' month.swf --failures none

exit $failed
