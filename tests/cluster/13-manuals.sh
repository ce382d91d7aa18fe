# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The examples of rspb(7), rspb(1), rspb-flags(7) and rspb-check(8) as they are printed
# there, each page on a cluster of its own whose first job has the page's number, 12.
# The examples of rspb-sim(1) and rspb.conf(5) need no cluster: tests/golden/manuals.sh.
# Takes 90 s.
command -v jq >/dev/null || skip_suite "no jq here (Debian: apt install jq)"
touch "$folder/gpu"
printf '%s\n' FirstJobId=12 GresTypes=gpu \
	'NodeName=n[1-8] CPUs=16 RealMemory=32000 Gres=gpu:1' >"$folder/slurm.conf"
printf '%s\n' "NodeName=n[1-8] Name=gpu File=$folder/gpu" >"$folder/gres.conf"
printf '%s\n' GroupBookings=any ReserveAhead=0 HoldFor=1h >"$folder/rspb.conf"
start() {
	cluster_up --nodes 8 --wide --conf "$folder/slurm.conf" --gres-conf "$folder/gres.conf" \
		--rspb-conf "$folder/rspb.conf" || exit 1
	PATH=$cluster/rspb/bin:$cluster/rspb/sbin:$PATH
	check "slurmctld knows its nodes" wait_for 30 known
	for name in job course; do
		printf '#!/bin/sh\nsleep 300\n' >"$out/$name.sh"
		chmod 755 "$out/$name.sh"
	done
}
known() {
	rspb slots -N8 -t 1 >"$out/slots" 2>&1
}
# another PAGE...: the next page's cluster.
another() {
	scancel -u $user_a -u $user_b
	cluster_down
	cluster=$folder/$1
	start
}
# example PAGE N: the block of it as plain text; the page's own names are no users here.
example() {
	awk -v n="$2" '/^\.nf/ { at++; inside = at == n; next }
		/^\.fi/ { inside = 0 }
		inside' "$RSPB_TOP/doc/man/$1" |
		sed -e 's/\\-/-/g' -e "s/\\\\(aq/'/g" -e 's/\\e$/\\/' \
			-e "s/=bob,cleo/=$user_a,$user_b/; s/=ann,bob/=$user_a,$user_b/"
}
# all_of PAGE N: it has as many, so that one which is added is tried here, too.
all_of() {
	[ "$(grep -c '^\.nf' "$RSPB_TOP/doc/man/$1")" -eq "$2" ]
}
# runs PAGE N: each line of the block in turn, by the owner of the jobs.
runs() {
	as $user_a bash -ec "$(example "$1" "$2")" >"$out/said" 2>&1 ||
		{ example "$1" "$2"; cat "$out/said"; return 1; }
}
# try TEXT PAGE N
try() {
	check "$2: $1" runs "${@:2}"
}
# prints PATTERN: what ran last.
prints() {
	grep -qE -- "$1" "$out/said" || { cat "$out/said"; return 1; }
}
last_job() {
	sed -n 's/^Submitted batch job //p' "$out/said" | tail -n 1
}

start
page=rspb.7
check "all examples of $page are tried" all_of $page 10
try "a booking" $page 1
check "is job 12" prints '^Submitted batch job 12$'
check "is booked" booked 12
try "what is booked" $page 2
check "four nodes" prints '^nodes +4$'
try "changes" $page 3
check "the last one is printed" prints '^booked from .*T14:00:00 .* on 8 nodes, each with 1 GPU$'
after=$(ahead $((2 * 86400)))
job $user_a 1 --book -N8 --begin="$(slurm_time "$after")" --time=60 >"$out/second"
check "another booking is job 13" [ "$(cat "$out/second")" = 13 ]
check "it is booked" booked 13
job $user_a 1 --book -N8 --begin="$(slurm_time "$after")" --time=60 >"$out/third"
check "a third request is declined" declined 14
# The first line is the command, the second its header, the third an offer.
like_printed() {
	local command
	command=$(example $page 10 | sed -n '1s/^\$ //p')
	as $user_a bash -c "$command" >"$out/said" 2>&1 || return 1
	same() { sed -E 's/ +/ /g; s/\([A-Z]+\)/(ZONE)/; s/[0-9]{4}-[-0-9T:]+/TIME/g
		s/[0-9]+@[0-9TZ+]+$/OFFER/; s/TIME [0-9]+ /TIME N /2; s/TIME ([0-9]+) - /TIME N - /' "$1" |
		head -n 2; }
	diff <(example $page 10 | tail -n +2 | same -) <(same "$out/said")
}
check "$page: offers look as printed" like_printed
check "$page: the end of a booking" runs $page 4
check "both are over" wait_for 10 eval '! rspb list --all | grep -qE "^1[23] .* booked "'
for n in 5 6 7 8 9; do
	try "example $n" $page $n
	check "its last job is booked" booked "$(last_job)"
	scancel -u $user_a
	check "and cancelled" wait_for 20 nothing_left
done

another client
page=rspb.1
check "all examples of $page are tried" all_of $page 9
job $user_a 1 --book -N2 --begin=now+3hours --time=60 >"$out/second"
check "a booking is job 12" booked 12
try "its nodes" $page 1
check "they are printed" prints '^n\['
try "a search, and a booking of what was found" $page 2
check "it is job 13" prints '^13 booked from .*T09:00:00 '
try "changes" $page 3
try "a series" $page 4
check "of eight" prints '^series .*: 8 booked, .*T09:00:00 '
try "its changes and end" $page 5
check "all are changed" prints '^8 bookings are changed$'
try "nodes for others" $page 6
check "the last line cancels them" prints '^group_1 cancelled$'
scancel -u $user_a
check "nothing is left over" wait_for 20 nothing_left
try "replicas" $page 7
check "all are booked" wait_for 10 eval '[ "$(squeue -h -u $user_a | grep -c .)" = 3 ]'
scancel -u $user_a
check "nothing is left over" wait_for 20 nothing_left
try "offers, and one that is held" $page 8
check "it is" prints ' is held until '
scancel -u $user_a
metrics() {
	local line port
	port=$(example $page 9 | sed -n 's/.*--port=//p')
	as $user_a timeout 20 bash -c "exec $(example $page 9)" >"$out/served" 2>&1 &
	wait_for 10 grep -q "$port" "$out/served" || { cat "$out/served"; return 1; }
	exec 8<>"/dev/tcp/127.0.0.1/$port" || return 1
	printf 'GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n' >&8
	line=$(timeout 10 grep -m 1 '^rspb_up ' <&8)
	exec 8>&-
	[ "$line" = "rspb_up 1" ]
}
check "$page: metrics" metrics

another flags
page=rspb-flags.7
check "all examples of $page are tried" all_of $page 6
job $user_a 1 --book -p shared --cpu-share=30% -N1 --begin=now+3hours --time=60 >"$out/second"
check "a share is job 12" booked 12
try "another share" $page 6
check "the second one is granted" wait_for 10 contract_says 12 ' share=40% '
for n in 1 2; do
	try "example $n" $page $n
	check "its last job is booked" booked "$(last_job)"
	scancel -u $user_a
	check "and cancelled" wait_for 20 nothing_left
done
one=$(job $user_a 1 --book -N4 --benefit=linear:25% --begin=now+1hour --time=60)
check "a booking with a benefit function" booked "$one"
# Each word of the manual's line is there, in that order.
words() {
	tr ' ' '\n' | sed -n 's/^\([a-z-]*\)=.*/\1/p'
}
contract_as_printed() {
	[ "$(contract "$one" | words | grep -xFf <(example $page 3 | words))" = \
		"$(example $page 3 | words)" ] || { contract "$one"; return 1; }
}
check "$page: a contract looks as printed" contract_as_printed
two=$(job $user_a 1 --book -N8 --begin=now+1hour --time=60)
check "a request that does not fit" declined "$two"
offer_as_printed() {
	local form
	form=$(example $page 4 | sed -E 's/[0-9]{4}-[-0-9T:]+ [A-Z]+/[-0-9T:]+ [A-Z]+/
		s/accept.*/accept '"$two"' [0-9]+@[0-9]+T[0-9]+Z[+][0-9]+/; s/4 nodes/[0-9]+ nodes/')
	contract "$two" | grep -qE "$form" || { echo "$form"; contract "$two"; return 1; }
}
check "$page: an offer in it looks as printed" offer_as_printed
reserved() {
	eval "$(example $page 5)" >"$out/said" 2>&1 || { cat "$out/said"; return 1; }
	wait_for 10 eval 'scontrol show reservation course -o | grep -q "rspb: booked"'
}
check "$page: a reservation" reserved

page=rspb-check.8
check "all examples of $page are tried" all_of $page 1
# Slurm's unit, of which this cluster has none.
systemctl() {
	[ "$*" = "restart slurmctld" ] && ctld_stop && ctld_start
}
checked() {
	eval "$(example $page 1)" >"$out/said" 2>&1 || { cat "$out/said"; return 1; }
}
check "$page: a new configuration" checked
