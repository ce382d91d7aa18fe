# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Operators' reservations as requests: asked, booked, changed, used, deleted.
# Takes 275 s.
cluster_up --nodes 8 || exit 1

# ask NAME START MINUTES TAG [more of scontrol]
ask() {
	scontrol create reservation reservationname="$1" \
		starttime="$(slurm_time "$2")" duration="$3" \
		burstbuffer="$4" flags=any_nodes "${@:5}" >/dev/null
}
change() {
	scontrol update reservationname="$1" "${@:2}" >/dev/null
}
line() {
	scontrol -o show reservation "$1" 2>/dev/null
}
text() {
	line "$1" | sed -n 's/.* BurstBuffer=//p' |
		sed 's/ \(Watts\|MaxStartDelay\)=.*//'
}
nodes() {
	line "$1" | sed -n 's/.* NodeCnt=\([0-9]*\) .*/\1/p'
}
says() {
	text "$1" | grep -qE -- "$2"
}
# answer NAME PATTERN: its text says so within the time a decision may take.
answer() {
	wait_for 10 says "$1" "$2" || { line "$1"; return 1; }
}
window() {
	local from to
	from=$(line "$1" | sed -n 's/.* StartTime=\([^ ]*\).*/\1/p')
	to=$(line "$1" | sed -n 's/.* EndTime=\([^ ]*\).*/\1/p')
	[ "$from $to" = "$(slurm_time "$2") $(slurm_time "$3")" ] ||
		{ line "$1"; return 1; }
}
none_of() {
	! line "$1" | grep .
}

note "asked and granted"
t=$(ahead 75)
ask course "$t" 3 "rspb:nodes=3" users=$user_a
early=$(job $user_a 1 --time=1 --reservation=course -N3 --exclusive)
check "a request becomes a booking" answer course \
	'^rspb: booked start=.* nodes=3/3 benefit=1 '
check "it has nodes of its own" [ "$(nodes course)" = 3 ]
check "and the window that was asked for" window course "$t" $((t + 180))
ask less "$t" 2 "rspb:nodes=7,benefit=linear:25%" users=root
check "less is granted where that is worth something" answer less \
	'^rspb: booked .* nodes=5/7 benefit=5/7 '
ask full "$t" 2 "rspb:nodes=2" users=root
check "what does not fit is declined, with an offer" answer full \
	'^rspb: declined .*reason=2 nodes requested for .*on offer: 2 nodes from'
change full starttime="$(slurm_time $((t + 120)))"
check "the offer can be taken by a change" answer full \
	'^rspb: booked .* nodes=2/2'
ask wide "$t" 2 "rspb:nodes=6-8,deadline=$(slurm_time $((t + 900)))" users=root
check "a window is searched for a start" answer wide \
	'^rspb: booked .* nodes=[678]/8'
all=$(book $user_b "$t" -N1)
check "users' bookings keep off" declined "$all"
as $user_b scancel "$all"

note "changed"
change less duration=1
check "a shorter one is booked shorter" answer less 'duration=60s.*operator'
change full starttime="$(slurm_time $((t + 60)))"
check "an earlier start that is free" answer full 'ready=.*operator'
change course duration=600
change course users+=$user_b
check "what does not fit leaves it as it was" answer course \
	'reason=stays as it was booked: '
check "with its window" window course "$t" $((t + 180))
lasts() {
	[ "$(nodes course)" = 3 ] && says course '^rspb: booked'
}
check "and its nodes" lasts
change wide burstbuffer="rspb:nodes=4"
check "another tag is another request" answer wide 'nodes=4/4.*operator'
scontrol delete reservationname=wide
ask wide $((t + 600)) 1 "rspb:nodes=8" users=root
check "what is deleted is free at once" answer wide 'booked .* nodes=8/8'
scontrol delete reservationname=full
scontrol delete reservationname=wide
ask far $((t + 600)) 1 "rspb:nodes=2" users=root
check "a booking to be disturbed" answer far 'nodes=2/2'
lost=$(line far | sed -n 's/.* Nodes=n\[*\([0-9]\).*/n\1/p')
scontrol update nodename="$lost" state=drain reason=test
check "a lost node is replaced" answer far 'booked .*nodes=2/2.*moved'
scontrol update nodename="$lost" state=resume
scontrol delete reservationname=far

note "restarts"
before=$(text course)
kept() {
	wait_for 10 says course '^rspb: booked' || { line course; return 1; }
	[ "$(text course | sed 's/ reason=.*//')" = \
		"${before% reason=*}" ] || { text course; return 1; }
	[ "$(nodes course)" = 3 ] || { line course; return 1; }
	[ "$(scontrol -o show reservation | grep -c 'rspb: ')" -eq 2 ] ||
		{ scontrol -o show reservation; return 1; }
	grep -q ' 2 bookings kept, 0 lost' <<<"$1"
}
ctld_stop && ctld_start
told() {
	grep 'bookings kept' "$cluster/log/slurmctld.log" | tail -n 1
}
as_it_was() {
	kept "$(told)" >/dev/null
}
knows() {
	wait_for 10 as_it_was || kept "$(told)"
}
check "after a restart all is as it was, once" knows
reconfigure
check "and after scontrol reconfigure" knows

note "what is refused"
bad() {
	local name=bad$((++n_bad)) what=$1 tag=$2
	shift 2
	ask "$name" $((t + 3600)) 5 "$tag" users=root
	check "$*" answer "$name" "^rspb: declined .*reason=.*$what"
	scontrol delete reservationname="$name"
}
n_bad=0
bad "knodes=4.* cannot be read" "rspb:knodes=4" "an unknown key"
bad "nodes= is missing" "rspb:deadline=now+9hours" "no number of nodes"
bad "nodes=many" "rspb:nodes=many" "a number that is none"
bad "deadline=: 'soon' is not a time" "rspb:nodes=2,deadline=soon" \
	"a time that is none"
bad "deadline= is earlier than" "rspb:nodes=2,deadline=now+1minute" \
	"a deadline before the window"
bad "benefit=wavy" "rspb:nodes=2,benefit=wavy" "an unknown shape"
bad "cpu-share=20.*holds nodes or cores" "rspb:nodes=2,cpu-share=20" "a share of CPUs"
bad "given twice" "rspb:nodes=2,nodes=3" "a key twice"
bad "nodes=9: partition main has only" "rspb:nodes=9" "more nodes than there are"
bad "too long" "rspb:nodes=2,deadline=$(printf '%03000d' 1)" "3000 characters"
bad "control characters" $'rspb:nodes=2\033[2J' "control characters"
ask odd $((t + 3600)) 5 "rspb:nodes=2" users=root features=gold
check "features that no node has" answer odd 'declined.*constraint=gold'
scontrol delete reservationname=odd
ask odd $((t + 3600)) 5 "rspb:nodes=2" users=root flags=any_nodes,daily
check "a window that recurs" answer odd 'declined.*recurring'
scontrol delete reservationname=odd
scontrol create reservation reservationname=has starttime="$(slurm_time \
	$((t + 7200)))" duration=5 nodes=n1 users=root \
	burstbuffer="rspb:nodes=2" >/dev/null
check "one that has nodes stays an ordinary one" answer has 'it has nodes'
check "with these nodes" [ "$(nodes has)" = 1 ]
scontrol delete reservationname=has
scontrol create reservation reservationname=plain starttime="$(slurm_time \
	$((t + 7200)))" duration=5 users=root flags=any_nodes \
	burstbuffer=scratch:10 >/dev/null
by_user() {
	! as $user_a scontrol create reservation reservationname=mine \
		starttime="$(slurm_time "$t")" duration=5 users=$user_a \
		flags=any_nodes burstbuffer=rspb:nodes=1 >/dev/null 2>&1
}
check "plain users make no reservations" by_user

note "used"
ask never "$(ahead 0)" 1 "rspb:nodes=9" users=$user_a
idle=$(job $user_a 1 --time=1 --reservation=never)
check "its job has waited for the window" is_state "$early" PENDING
late=$(book $user_b $((t + 180)) -N6)
check "a booking right behind the window" booked "$late"
in_window() {
	local at
	wait_for $((t - EPOCHSECONDS + 30)) began "$early" ||
		{ scontrol show job "$early"; return 1; }
	at=$(cut -d. -f1 "$out/begin.$early")
	[ "$at" -ge "$t" ] && [ "$at" -lt $((t + 20)) ]
}
check "it starts soon after the window begins" in_window
check "the text says that the window runs" answer course '^rspb: active'
tasks=$(job $user_a 1 --time=1 --reservation=course -N1 --exclusive --array=1-3)
all_ran() {
	[ "$(scontrol -o show job "$tasks" | grep -c 'JobState=COMPLETED')" -eq 3 ]
}
check "a job array runs in it" wait_for 40 all_ran
hers=$(job $user_b 300 --time=10 --reservation=course -N3 --exclusive)
check "a user who was added later may use it, too" wait_for 40 began "$hers"
busy() {
	! scontrol delete reservationname=course >/dev/null 2>&1
}
check "while jobs run it cannot be deleted" busy
change course duration=4
check "it cannot be longer than its nodes are free" answer course \
	'^rspb: active .*stays as it was'
nobody=$(job $user_a 1 --time=1 --reservation=less 2>&1)
check "it is for its users only" [ -z "${nobody##*error*}" ]
check "a job in a declined request does not run" is_state "$idle" PENDING
as $user_a scancel "$idle"
wait_for 10 scontrol delete reservationname=never
timed_out() {
	wait_for 20 is_state "$hers" TIMEOUT || { scontrol show job "$hers"; return 1; }
}
check "the next booking starts on its second" starts_at "$late" $((t + 180))
check "what ran on in the window was ended for it" timed_out
check "the window is over, and the reservation goes" wait_for 90 none_of course
check "one without a tag is left alone" [ "$(text plain)" = scratch:10 ]
scontrol delete reservationname=plain
check "nothing is left over" wait_for 60 nothing_left

note "the reservation in which requests wait is deleted, and nothing is booked"
check "nothing is left over" wait_for 20 nothing_left
asks_at_once() {
	local said
	said=$(as $user_a sbatch --parsable --book --time=1 \
		--begin=now+10minutes --wrap true 2>&1) ||
		grep "an operator has deleted reservation rspb_waiting" <<<"$said" ||
		{ printf "%s\n" "$said"; return 1; }
}
for round in 1 2 3; do
	scontrol delete reservationname=rspb_waiting
	check "$round: who asks then is told so, or booked" asks_at_once
	check "$round: it is made again within a second" \
		wait_for 1 scontrol show reservation rspb_waiting
done
