# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Booked jobs start on their second, on the nodes they were given.
# Takes 95 s.
cluster_up --nodes 8 || exit 1

note "each way to say when"
t=$(ahead 25)
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

note "what sbatch and its kin take"
t=$(ahead 3600)
tasks=$(book $user_a "$t" -n8)
on_two() {
	contract "$tasks" | grep 'nodes=2/2 '
}
check "a booking of 8 tasks on nodes of 4 CPUs" booked "$tasks"
check "has two nodes" on_two
# Each option is in section OPTIONS OF SBATCH of rspb-flags(7).
in_the_table() {
	local page=$RSPB_TOP/doc/man/rspb-flags.7 option missing=()
	for option in $(sbatch --help | sed '/provided by plugins/,$d' |
		sed -nE 's/^ +(-., *)?(--[a-z][a-z-]*).*/\2/p'); do
		sed -n '/^\.SH OPTIONS OF SBATCH/,/^\.SH BENEFIT/{s/\\-/-/g;s/\\f.//g;p}' "$page" |
			tr ',:. ' '\n' | grep -xFe "$option" >/dev/null || missing+=("$option")
	done
	[ ${#missing[@]} -eq 0 ] && [ -n "${option:-}" ] ||
		{ echo "not there: ${missing[*]}"; return 1; }
}
check "each option of this sbatch is in rspb-flags(7)" in_the_table
what_if() {
	as $user_a sbatch --test-only --book --time=1 \
		--begin="$(slurm_time "$1")" "${@:2}" job.sh 2>&1
}
# Slurm names the nodes, which nobody has then.
at_that_time() {
	local said
	said=$(what_if "$t" -N6) && grep "likely: .* on 6 nodes" <<<"$said" &&
		grep "to start at $(slurm_time "$t") .* nodes n\[3-8\] " <<<"$said" ||
		{ echo "$said"; return 1; }
}
moved_behind() {
	local said
	said=$(what_if "$t" -N7 --deadline="$(slurm_time $((t + 600)))") &&
		grep "to start at $(slurm_time $((t + 60))) " <<<"$said" ||
		{ echo "$said"; return 1; }
}
not_then() {
	local said
	said=$(what_if "$t" -N7) && { echo "$said"; return 1; }
	grep "unlikely: 7 nodes requested for .* on offer" <<<"$said"
}
check "--test-only says when and where" at_that_time
check "within a window, behind what is booked" moved_behind
check "or that it would not be booked" not_then
no_more() {
	[ "$(squeue -h -o %A)" = "$tasks" ] || { squeue; return 1; }
}
check "and books nothing" no_more
as_scrontab() {
	cp "$(command -v sbatch)" "$out/scrontab" && chmod 755 "$out/scrontab"
	local said
	said=$(as $user_a ./scrontab --book --time=1 job.sh 2>&1) && return 1
	grep -- '--book: scrontab does not pass .* rspb request --repeat' <<<"$said"
}
check "#SCRON --book is refused, where it would be forgotten" as_scrontab
as $user_a scancel "$tasks"
check "nothing is left over of all" wait_for 20 nothing_left
