# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Cancelled, early, late: what becomes of a booking.
# Takes 90 s.
cluster_up --nodes 4 || exit 1

# is_free_again START NODES: whether that many nodes can be booked there.
is_free_again() {
	local j
	j=$(book $user_b "$1" -N"$2") && booked "$j"
	local rc=$?
	as $user_b scancel "$j"
	wait_for 10 gone "$j"
	return $rc
}

note "cancelled before it began"
t=$(ahead 40)
j=$(book $user_a "$t" -N4)
check "a request is cancelled as any job" as $user_a scancel "$j"
check "it is gone" wait_for 10 gone "$j"
j=$(book $user_a "$t" -N4)
check "a booking is granted" booked "$j"
others_cancel() {
	! as $user_b scancel "$j" 2>/dev/null && booked "$j"
}
check "others cannot cancel it" others_cancel
check "its owner can" as $user_a scancel "$j"
check "its reservation goes" wait_for 10 no_reservations
check "its nodes can be booked again" is_free_again "$t" 4

note "an overrun, with another booking right behind"
t=$(ahead 25)
long=$(job $user_a 500 --book --begin="$(slurm_time "$t")" --time=1 -w n1)
next=$(book $user_b $((t + 60)) -w n1)
check "two bookings that touch are both granted" booked "$long" "$next"
first=$(book $user_a "$t" -w n4)
behind=$(job $user_a 1 --book --time=1 -w n4 -d "afterok:$first")
check "so are two of which one waits for the other" booked "$first" "$behind"

note "ended early"
early=$(book $user_a "$t" -w n2 --time=30)
stays=$(job $user_a 500 --book --begin="$(slurm_time "$t")" --time=30 -w n3)
check "bookings of half an hour are granted" booked "$early" "$stays"
check "the first starts on its second" starts_at "$early" "$t"
check "it ends early" wait_for 10 ended "$early"
check "the rest of its window is given back" \
	wait_for 10 is_free_again $((t + 120)) 2
check "an active booking is shown as such" is_booking "$stays" active
check "an active booking can be cancelled" as $user_a scancel "$stays"
check "the rest of its window is given back as well" \
	wait_for 20 is_free_again $((t + 120)) 3

check "the follower starts on its second in spite of the overrun" \
	starts_at "$next" $((t + 60)) 1000
check "and who waited for another, right behind its window" \
	starts_at "$behind" $((t + 60)) 1000
check "the overrun was ended" wait_for 20 gone "$long"
check "nothing is left over" wait_for 30 nothing_left
