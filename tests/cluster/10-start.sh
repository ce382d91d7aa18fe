# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Booked jobs start on their second, on the nodes they were given.
# Takes 90 s.
cluster_up --nodes 8 || exit 1

note "each way to say when"
t=$(ahead 15)
plain=$(book $user_a "$t" -N2)
fixed=$(book $user_a "$t" -N2 -w n7,n8)
other=$(book $user_b $((t + 3)) -N1)
now=$(job $user_a 1 --book --time=1 -N1)
window=$(book $user_b "$t" -N3 --deadline="$(slurm_time $((t + 600)))")
asap=$(job $user_a 1 --book=asap --time=1 -N2)

check "an immediate booking starts at once" wait_for 5 began "$now"
check "a booking at a time is granted" booked "$plain"
check "a booking of named nodes is granted" booked "$fixed"
check "a booking of another user is granted" booked "$other"
check "a booking within a window is granted" booked "$window"
check "a booking as soon as it fits is granted" booked "$asap"

at_asked_time() {
	[ "$(granted "$1" start)" = "$2" ] || { contract "$1"; return 1; }
}
within_window() {
	local s
	s=$(granted "$window" start)
	[ "$s" -ge "$t" ] && [ $((s + 60)) -le $((t + 600)) ] ||
		{ contract "$window"; return 1; }
}
seen_in_squeue() {
	squeue -h -j "$plain" -o '%S %r' | grep "$(slurm_time "$t")"
}
seen_as_reservation() {
	our_reservations | grep "^rspb_$plain"
}
check "the granted start is the asked one" at_asked_time "$plain" "$t"
check "a window is kept" within_window
check "squeue shows the booked start" seen_in_squeue
check "scontrol show reservation shows the booking" seen_as_reservation

check "the plain booking starts on its second" starts_at "$plain" "$t"
check "the one on named nodes does" starts_at "$fixed" "$t"
check "the other user's does" starts_at "$other" $((t + 3))

on_its_nodes() {
	wait_for 10 ended "$1" && grep "$2\$" "$out/ran.$1"
}
check "named nodes are the ones it ran on" on_its_nodes "$fixed" 'n\[7-8\]'

asap_start=$(granted "$asap" start)
check "as soon as it fits is within two minutes" \
	[ "${asap_start:-0}" -le $((t + 120)) ]
check "as soon as it fits starts on its second" \
	starts_at "$asap" "${asap_start:-0}"
now_start=$(granted "$now" start)
check "and so does an immediate booking" starts_at "$now" "${now_start:-0}"
window_start=$(granted "$window" start)
check "a window's start is kept" starts_at "$window" "${window_start:-0}"
check "nothing is left over" wait_for 20 nothing_left

note "srun and salloc"
check "srun takes --book" as $user_a srun -N1 --time=1 --book true
check "salloc takes --book" as $user_a salloc -N1 --time=1 --book true
check "nothing is left of them" wait_for 20 nothing_left
