# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Something comes in the way of a booking after it was made.
# Takes 190 s.
cluster_up --nodes 4 || exit 1

resv_nodes() {
	scontrol -o show reservation "rspb_$1" 2>/dev/null |
		sed -n 's/.* Nodes=\([^ ]*\) .*/\1/p'
}
# is_off JOB NODE: its booking does not hold that node (any more).
is_off() {
	local held
	held=$(resv_nodes "$1")
	[ -n "$held" ] && ! scontrol show hostnames "$held" | grep -qx "$2"
}
says() {
	scontrol -o show job "$1" | grep "AdminComment=.*$2"
}

note "a drained node, a maintenance over a booking"
t=$(ahead 40)
first=$(book $user_a "$t" -N1)
named=$(book $user_b "$t" -w n4)
check "two bookings are granted" booked "$first" "$named"
was=$(resv_nodes "$first")
scontrol update nodename="$was" state=drain reason=test
check "the first gets another node" wait_for 10 is_off "$first" "$was"
check "its start stays" [ "$(squeue -h -j "$first" -o %S)" = \
	"$(slurm_time "$t")" ]
scontrol create reservation reservationname=maint \
	starttime="$(slurm_time $((t - 10)))" duration=5 nodes=n4 \
	users=root flags=maint,ignore_jobs >/dev/null
check "one that names its node is told what is in the way" \
	wait_for 10 says "$named" "reservation maint"
scontrol delete reservationname=maint
check "and that it is gone again" \
	wait_for 10 eval '! says "$named" "in the way"'
check "the moved one starts on its second" starts_at "$first" "$t"
check "so does the other" starts_at "$named" "$t"
scontrol update nodename="$was" state=resume
check "nothing is left over" wait_for 30 nothing_left

note "regular jobs whose limits an operator raises"
t=$(ahead 130)
first=$(book $user_a "$t" -N1)
named=$(book $user_a "$t" -w n4)
check "two bookings are granted" booked "$first" "$named"
was=$(resv_nodes "$first")
one=$(job $user_b 300 --time=1 -w "$was" --exclusive)
two=$(job $user_b 300 --time=1 -w n4 --exclusive)
check "regular jobs that end before run there" \
	wait_for 10 eval 'is_state "$one" RUNNING && is_state "$two" RUNNING'
scontrol update jobid="$one" timelimit=10
scontrol update jobid="$two" timelimit=10
check "the first gets another node in time" wait_for 120 is_off "$first" "$was"
check "it starts on its second" starts_at "$first" "$t"
check "the owner of the one that names its node is told what it waits for" \
	wait_for 20 says "$named" "job $two runs on its nodes within its time limit"
is_untouched() {
	is_state "$1" RUNNING && [ "$(field "$1" Restarts)" = 0 ]
}
check "the regular jobs run" eval 'is_untouched "$one" && is_untouched "$two"'
as $user_b scancel "$two"
check "the booking starts when its node is free" wait_for 20 began "$named"
as $user_b scancel "$one"
as $user_a scancel "$first" "$named"
check "nothing is left in the end" wait_for 30 nothing_left
