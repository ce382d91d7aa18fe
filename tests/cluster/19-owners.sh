# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What owners do with their bookings by rspb: see what could be had, ask, change,
# give back, cancel; and what is nobody else's to do.
# Takes 60 s.
# what Slurm has of bookings is looked at long before their start
printf "%s\n" HoldFor=20s ReserveAhead=0 >"$folder/rspb.conf"
cluster_up --nodes 6 --rspb-conf "$folder/rspb.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"
wrap=(-o /dev/null --wrap "sleep 600")
has_now() {
	local said
	said=$(value "$1" "$2")
	[ "$said" = "$3" ] || { echo "$2 is $said"; return 1; }
}
# What rspb says may be a quarter of a second old.
has() {
	wait_for 2 has_now "$@" || has_now "$@"
}
# cancel USER JOB...: until nothing of them stands in the way.
cancel() {
	as "$1" scancel "${@:2}"
	wait_for 10 no_reservation "${@:2}"
}
no_reservation() {
	local job
	ctld_answers || return 1
	for job; do
		! scontrol show reservation "rspb_$job" || return 1
	done
}

note "asking"
t=$(ahead 1200)
begin=$(slurm_time "$t")
request() {
	as "$1" rspb --json request --wait "${@:2}" "${wrap[@]}" >"$out/said" \
		2>"$out/complaint"
}
check "a request, until it is booked" request $user_a -N2 -t 10 --begin="$begin"
a=$(sed -n 's/^ *"job":\([0-9]*\).*/\1/p' "$out/said")
check "as it was asked for" has "$a" start "$t"
check "one that does not fit ends with 1" says 1 'declined: .*on offer' \
	as $user_b rspb request --wait -N6 -t 10 --begin="$begin" "${wrap[@]}"
b=$(squeue -h -u $user_b -o %A)

note "what could be had"
# slots PATTERN OPTIONS: of the first
slots() {
	local said
	said=$(as $user_b rspb slots "${@:2}" | sed -n 2p)
	grep -qE -- "$1" <<<"$said" || { echo "$said"; return 1; }
}
check "four nodes at any time" slots ' 6$' -N4 -t 10
check "six not over that booking" slots "^[^ ]*  $(slurm_time $((t - 600))) " \
	-N6 -t 10
check "nor from then on before its end" slots \
	"^$(slurm_time $((t + 600))) " -N6 -t 10 --begin="$begin"
check "not more than there are" says 1 'partition main has only 6 nodes' \
	as $user_b rspb slots -N7 -t 10
check "no such partition" says 1 'no partition nowhere' \
	as $user_b rspb slots -t 10 -p nowhere
check "no time: 2" says 2 'time or --work is needed' as $user_b rspb slots -N2

note "offers without a job"
# offered PATTERN OPTIONS...: a line of what user_b could have
offered() {
	says 0 "$1" as $user_b rspb offers "${@:2}"
}
first="@$(date -ud "@$t" +%Y%m%dT%H%M%SZ)"
after=$(slurm_time $((t + 600)))
check "what fits is the only one" [ "$(as $user_b rspb offers -N4 -t 10 \
	--begin="$begin" | awk 'NR > 1 { print $1 }')" = "$begin" ]
check "all of it, later" offered "^$after .* 1.00 " -N6 -t 10 --begin="$begin"
check "less of it, and its worth" offered "^$begin .* 4 .* 0.67 .*-N4 --time=10 --begin" \
	-N6 -t 10 --begin="$begin" --benefit=linear:50%
check "as many node-hours on fewer" offered \
	"^$begin .* 4 .* 1.00 .*-N4 --time=15 --begin" \
	-N6 -t 10 --begin="$begin"
check "not longer than the partition allows" says 1 'that partition .* allows' \
	as $user_b rspb offers -N6 -t 20-0
check "nor of nodes that there are not" says 1 'no such partition' \
	as $user_b rspb offers -N2 -t 10 -p nowhere
check "of tasks" offered "  2 .* 1.00 .*--ntasks=3 --cpus-per-task=2" -n 3 -c 2 -t 10
check "without nodes that are named" says 1 'leaves|nodes' \
	as $user_b rspb offers -N6 -t 10 -x n1
check "no job is made of it" [ "$(squeue -h -u $user_b -o %A | xargs)" = "$b" ]
check "both at once: 2" says 2 'give one job' \
	as $user_b rspb offers "$b" -N2 -t 10
check "no time: 2" says 2 'time or --work is needed' as $user_b rspb offers -N2

note "offers in place of a booking"
o=$(as $user_b rspb request --offers -N4 -t 10 --begin="$begin" "${wrap[@]}" \
	2>"$out/complaint" | sed -n 's/^job \([0-9]*\):$/\1/p')
check "what fits is not booked" declined "$o"
check "but on offer" says 0 " 4$first\\+600$" as $user_b rspb offers "$o"
check "and says so" grep -q "book=offers .*as requested; rspb offers $o lists" \
	<(contract "$o")
check "accepted, it is" says 0 "$o booked" as $user_b rspb accept "$o" "$first+600"
cancel $user_b "$o"
check "not with --book beside it: 2" says 2 'cannot be combined' \
	as $user_b rspb request --offers --book -N4 "${wrap[@]}"

note "an offer that is held"
# wants USER OPTIONS...: a job with offers, which is booked nothing
wants() {
	as "$1" rspb request --offers "${@:2}" --begin="$begin" "${wrap[@]}" \
		2>"$out/complaint" | sed -n 's/^job \([0-9]*\):$/\1/p'
}
h=$(wants $user_b -N4 -t 10)
check "nobody else's" says 1 'not yours' as $user_a rspb offers "$h" --hold
by_message() {
	as $user_a rspb send <<<'{"op":"modify","job":'"$h"',"duration":600,"hold":5}'
}
check "nor by a message" says 1 '"ok":false.*(not yours|no booking)' by_message
check "is held" says 0 "$first\\+600 is held until" \
	as $user_b rspb offers "$h" --hold
check "which is told" says 0 '^held until' as $user_b rspb show "$h"
rival=$(as $user_a rspb request -N1 -t 10 --begin="$begin" "${wrap[@]}" 2>/dev/null)
check "nobody else gets it" declined "$rival"
check "accepting it works" says 0 "$h booked" \
	as $user_b rspb accept "$h" "$first+600"
check "and it is for good" says 1 'needs no hold' as $user_b rspb offers "$h" --hold
sleep 21
check "also when the time is over" has "$h" state booked
cancel $user_b "$h"
cancel $user_a "$rival"
h=$(wants $user_b --hold -N4 -t 10)
check "at once with the job that wants it" wait_for 10 has "$h" state booked
check "for the site's time" says 0 '^held until' as $user_b rspb show "$h"
check "which is not a hold of its job" says 0 "$h booked" \
	as $user_b rspb accept "$h" "$first+600"
check "a time for it that is none: 2" says 2 'soon' \
	as $user_b rspb request --offers --hold=soon -N4 "${wrap[@]}"
cancel $user_b "$h"
one=$(wants $user_b -N1 -t 10)
two=$(wants $user_b -N1 -t 10)
three=$(wants $user_b -N1 -t 10)
check "one" says 0 'is held until' as $user_b rspb offers "$one" --hold
check "two" says 0 'is held until' as $user_b rspb offers "$two" --hold=15s
check "but not any number" says 1 '2 offers are already held for you' \
	as $user_b rspb offers "$three" --hold
ctld_stop KILL
check "slurmctld starts again" ctld_start
check "who does not accept it loses it" wait_for 35 has "$one" state cancelled
check "each" wait_for 10 has "$two" state cancelled
check "as the contract says" grep -q 'reason=the held offer was not accepted' \
	<(contract "$two")
check "and can still ask" says 0 "$one booked" \
	as $user_b rspb accept "$one" "$first+600"
cancel $user_b "$one" "$two" "$three"

note "changing what is booked"
modify() {
	local user=$1
	shift
	as "$user" rspb modify "$@"
}
check "longer" modify $user_a "$a" -t 20
check "by as much" has "$a" end $((t + 1200))
check "its job, too" [ "$(field "$a" TimeLimit)" = 00:20:00 ]
check "by an hour and a quarter" modify $user_a "$a" -t +1:15:00
check "the time is added" has "$a" end $((t + 5700))
check "less by as much" modify root "$a" --time=-75
check "it is as it was" has "$a" end $((t + 1200))
check "all of it cannot be taken off" says 2 'nothing is left' modify $user_a "$a" -t -20
check "more nodes" modify $user_a "$a" -N3
check "by as many" has "$a" nodes 3
check "its job, too" [ "$(field "$a" NumNodes)" = 3-3 ]
check "later" modify $user_a "$a" --begin="$(slurm_time $((t + 60)))"
check "by as much" has "$a" start $((t + 60))
check "earlier" modify $user_a "$a" --begin="$(slurm_time $((t - 60)))"
check "fewer, and shorter" modify $user_a "$a" -N1 -t 5
check "one node" has "$a" nodes 1
check "five minutes" has "$a" end $((t - 60 + 300))
check "and the operator's view" grep -q 'rspb_'"$a"' .*NodeCnt=1 ' \
	<(scontrol -o show reservation)
check "the contract says by whom" grep -q 'reason=changed by its owner' \
	<(contract "$a")
before=$(contract "$a")
scontrol create reservation reservationname=wall users=root nodes=ALL \
	starttime="$(slurm_time $((t + 3600)))" duration=60 flags=ignore_jobs \
	>/dev/null
check "not into what is reserved" says 1 "on offer: .*rspb accept $a " \
	modify $user_a "$a" --begin="$(slurm_time $((t + 3700)))"
check "nor beyond all nodes" says 1 'only 6 nodes' modify $user_a "$a" -N7
check "nor for longer than the partition allows" says 1 '.' \
	modify $user_a "$a" -t 2-0
check "it stands as before" [ "$before" = "$(contract "$a")" ]
check "another user may not" says 1 'not yours' modify $user_b "$a" -N2
check "nor give it back" says 1 'not yours' as $user_b rspb release "$a"
check "nor cancel it" says 1 . as $user_b rspb cancel "$a"
check "it stands as before" [ "$before" = "$(contract "$a")" ]
check "an operator may" modify root "$a" -t 6
check "the contract says that it was one" \
	grep -q 'reason=changed by an operator' <(contract "$a")

note "the same by scontrol"
# alter USER JOB SETTINGS...
alter() {
	as "$1" scontrol update jobid="$2" "${@:3}"
}
soon() {
	wait_for 5 "$@"
}
at=$(value "$a" start)
check "longer, and more nodes" alter $user_a "$a" timelimit=20 numnodes=3
check "as long" soon has "$a" end $((at + 1200))
check "as many" soon has "$a" nodes 3
check "its job, too" soon [ "$(field "$a" TimeLimit)" = 00:20:00 ]
check "later" alter $user_a "$a" starttime="$(slurm_time $((at + 120)))"
check "by as much" soon has "$a" start $((at + 120))
check "its name at once" alter $user_a "$a" timelimit=6 name=mine
check "and the time" soon has "$a" end $((at + 120 + 360))
check "is changed" [ "$(field "$a" JobName)" = mine ]
before=$(value "$a" end)
check "more nodes than are free then" alter $user_a "$a" numnodes=6 timelimit=3:00:00
told_so() {
	has "$a" nodes 3 && contract "$a" |
		grep -qE 'stays as it was booked: .*on offer: '
}
check "is answered in the contract, and it stays" soon told_so
check "as long as it was" has "$a" end "$before"
check "a range is none" says 1 . alter $user_a "$a" numnodes=1-2
check "another user may not" says 1 'denied|ermission|Invalid user' \
	alter $user_b "$a" timelimit=7
check "back, and to one node" alter $user_a "$a" numnodes=1 \
	starttime="$(slurm_time "$at")"
check "as it was" soon has "$a" start "$at"
check "on one node" soon has "$a" nodes 1
scontrol delete reservationname=wall

note "a job that was declined asks again"
# offer N: the Nth word
offer() {
	as $user_b rspb offers "$b" | awk -v n="$1" 'NR == n + 1 { print $NF }'
}
check "there are offers" says 0 " $b 5@" as $user_b rspb offers "$b"
check "one that starts later" [ "$(offer 1)" = \
	"6@$(date -ud "@$(($(value "$a" end)))" +%Y%m%dT%H%M%SZ)+600" ]
check "nobody else sees them" says 1 'not yours' as $user_a rspb offers "$b"
check "nor takes one" says 1 'not yours|no booking' \
	as $user_a rspb accept "$b" "$(offer 1)"
check "what is no offer: 2" says 2 'not an offer' as $user_b rspb accept "$b" 4@now
less=$(offer 2)
cp "$RSPB_TOP/contrib/completions/rspb" "$out/completion"
# completes WHAT WORDS...: bash offers it behind them
completes() {
	local said
	said=$(as $user_b bash -c '. "$0"; COMP_WORDS=(rspb "$@" "")
		COMP_CWORD=$(($# + 1)); _rspb; printf "%s\n" "${COMPREPLY[@]}"' \
		./completion "${@:2}")
	grep -qxF -- "$1" <<<"$said" || { echo "$said"; return 1; }
}
check "the shell completes commands" completes modify
check "jobs" completes "$b" accept
check "and offers" completes "$less" accept "$b"
check "one that is gone is declined" says 1 'declined' \
	as $user_b rspb accept "$b" "${less/5@/6@}"
check "the job waits as before" is_state "$b" PENDING
check "an offer is named for a hold alone: 2" says 2 'only with --hold' \
	as $user_b rspb offers "$b" "$less"
check "what is no offer is not held: 2" says 2 'not an offer' \
	as $user_b rspb offers "$b" soon --hold
check "any is held" says 0 "^${less/+/.} is held until" \
	as $user_b rspb offers "$b" "$less" --hold
check "and no other one" has "$b" nodes 5
check "one is taken" says 0 "$b booked" as $user_b rspb accept "$b" "$less"
check "it is that very one" has "$b" nodes 5
check "given back" as $user_b rspb release "$b"
check "and it is not booked" wait_for 5 has "$b" state cancelled
check "it asks for fewer nodes" says 0 'submitted again' modify $user_b "$b" -N4
check "it is booked" booked "$b"
check "on as many" has "$b" nodes 4
d=$(as $user_b rspb request -N6 -t 10 --begin="$begin" "${wrap[@]}" 2>/dev/null)
check "another is declined" declined "$d"
check "which nobody else asks again for" says 1 . \
	alter $user_a "$d" numnodes=1
check "it asks again by scontrol" alter $user_b "$d" numnodes=1
check "and is booked" soon has "$d" state booked
check "on one node" has "$d" nodes 1
cancel $user_b "$d"
check "and its job is of that size" [ "$(field "$b" NumNodes)" = 4-4 ]

note "while it runs"
r=$(as $user_a rspb request -w "$(value "$a" names)" -t 5 "${wrap[@]}" 2>/dev/null)
check "one that runs" wait_for 10 is_state "$r" RUNNING
start=$(value "$r" start)
check "for longer" modify $user_a "$r" -t 10
check "its window" has "$r" end $((start + 600))
check "its job" [ "$(field "$r" EndTime)" = "$(slurm_time $((start + 600)))" ]
last=$((($(value "$a" start) - start) / 60))
check "not into the next booking of its node" says 1 "on offer: --time=$last" \
	modify $user_a "$r" -t 60
check "its nodes stay" says 1 'its job is running' modify $user_a "$r" -N2
check "not back while it runs" says 1 'its job runs' \
	as $user_a rspb release "$r"
check "shorter" modify $user_a "$r" -t 2
check "its window" has "$r" end $((start + 120))
check "cancelled" as $user_a rspb cancel "$r"
is_over() {
	! our_reservations | grep -q "^rspb_$r$"
}
check "what is left is free" wait_for 10 is_over

note "giving back"
check "a booking" says 0 'stays in the queue as a regular job' \
	as $user_b rspb release "$b"
check "its job waits as an ordinary one" is_state "$b" PENDING
not_tied() {
	[ "$(field "$b" Reservation)" != "rspb_$b" ] &&
		! our_reservations | grep -q "^rspb_$b$"
}
check "without a reservation" not_tied
check "cancelling" as $user_a rspb cancel "$a"
check "no job with a booking: 1" says 1 . as $user_a rspb cancel 99999
scancel -u $user_b
check "nothing is left over" wait_for 20 nothing_left

note "features"
scontrol update nodename=n[1-3] features=red
scontrol update nodename=n[4-6] features=blue
t=$(ahead 800)
f=$(as $user_a rspb request -N2 -C red -t 10 --begin="$(slurm_time "$t")" \
	"${wrap[@]}" 2>/dev/null)
check "two red nodes are booked" booked "$f"
check "some of the red" has "$f" names 'n[1-2]'
check "blue ones instead" says 0 'on 2 nodes' modify $user_a "$f" -C blue
check "at the same time" has "$f" start "$t"
check "of the blue" has "$f" names 'n[4-5]'
check "as its job says" [ "$(field "$f" Features)" = blue ]
check "nobody else changes that" says 1 . modify $user_b "$f" -C red
check "what no node has is refused" says 1 'no node has these features' \
	modify $user_a "$f" --constraint=green
check "nor more than there are" says 1 '3 nodes .* have what it would need, and it needs 4' \
	modify $user_a "$f" -C red -N4
as_was() {
	has "$f" names 'n[4-5]' && [ "$(field "$f" Features)" = blue ]
}
check "it is as it was" as_was
check "where it can stay it stays" says 0 'on 2 nodes' \
	modify $user_a "$f" -C 'red|blue'
check "on its nodes" has "$f" names 'n[4-5]'
check "and back" says 0 'on 2 nodes' modify $user_a "$f" -C red
# Slurm forgets features that are not in slurm.conf: a job that it has saved with
# others gets none of them back.
saved() {
	grep -qa red "$cluster/state/job_state" &&
		! grep -qa blue "$cluster/state/job_state"
}
check "which Slurm has saved, too" wait_for 15 saved
ctld_stop KILL
check "slurmctld starts again" ctld_start
# Slurm itself may have lost these.
scontrol update nodename=n[1-3] features=red
scontrol update nodename=n[4-6] features=blue
is_red() {
	has "$f" names 'n[1-2]' && [ "$(field "$f" Features)" = red ] &&
		is_booking "$f" booked
}
check "with what its job says now" wait_for 20 is_red
g=$(as $user_b rspb request -N3 -C red -t 10 --begin="$(slurm_time "$t")" \
	"${wrap[@]}" 2>/dev/null)
check "three red ones are declined" declined "$g"
check "three blue ones are asked for" says 0 'submitted again' \
	modify $user_b "$g" -C blue
check "and booked" soon has "$g" names 'n[4-6]'
check "nobody else clears them" says 1 . modify $user_b "$f" --constraint=
check "cleared, it stays on its nodes" says 0 'on 2 nodes' \
	modify $user_a "$f" --constraint=
without() {
	has "$f" nodes "$1" && [ "$(field "$f" Features)" = '(null)' ] &&
		is_booking "$f" booked
}
check "and wants any" soon without 2
cancel $user_b "$g"
check "which can be more than there are red ones" says 0 'on 5 nodes' \
	modify $user_a "$f" -N5
check "red again, where it cannot be" says 1 . modify $user_a "$f" -C red
check "is as it was" soon without 5
ctld_stop KILL
check "slurmctld starts again" ctld_start
scontrol update nodename=n[1-3] features=red
check "with none" wait_for 20 without 5
h=$(as $user_b rspb request -N1 -C red -t 10 --begin="$(slurm_time "$t")" \
	"${wrap[@]}" 2>/dev/null)
check "a red one beside it is declined" declined "$h"
check "any is asked for" says 0 'submitted again' modify $user_b "$h" -C ''
check "and booked" soon has "$h" names n6
cancel $user_a "$f"
cancel $user_b "$h"
scontrol update nodename=n[1-6] features=

note "restart with what was changed"
t=$(ahead 900)
a=$(as $user_a rspb request -N2 -t 5 --begin="$(slurm_time "$t")" \
	"${wrap[@]}" 2>/dev/null)
check "a booking" booked "$a"
check "is changed" modify $user_a "$a" -N4 -t 10
ctld_stop KILL
check "slurmctld starts again" ctld_start
as_changed() {
	has "$a" nodes 4 && has "$a" end $((t + 600))
}
check "and knows it as it was changed" wait_for 20 as_changed
