# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The last state of a booking is the true one, however its job came to an end.
# Takes 50 s.
echo BatchInterval=8s >"$folder/rspb.conf"
cluster_up --nodes 4 --rspb-conf "$folder/rspb.conf" || exit 1

state() {
	check "$2" wait_for 15 is_booking "$1" "$3"
}
undecided=$(book $user_a "$(ahead 600)" -N1)
is_booking "$undecided" requested || note "decided already"
as $user_a scancel "$undecided"
state "$undecided" "cancelled before its decision: cancelled" cancelled

pair=$(job $user_b 1 --book --begin="$(slurm_time "$(ahead 600)")" --time=1 \
	-N1 : -N1)
as $user_b scancel "$pair"
state "$pair" "so is a co-reservation" cancelled
state $((pair + 1)) "and its other component" cancelled

t=$(ahead 30)
runs=$(job $user_a 300 --book --begin="$(slurm_time "$t")" --time=5 -N1)
ends=$(job $user_b 2 --book --begin="$(slurm_time "$t")" --time=5 -N1)
waits=$(book $user_a "$((t + 600))" -N1)
check "three are booked" wait_for 20 booked "$runs" "$ends" "$waits"
as $user_a scancel "$waits"
state "$waits" "cancelled before its start: cancelled" cancelled
check "one runs" wait_for 30 is_booking "$runs" active
check "the other has ended by itself" wait_for 30 is_booking "$ends" completed
as $user_a scancel "$runs"
state "$runs" "cancelled while it runs: terminated" terminated
check "and says why" grep 'reason=its job was cancelled' \
	<<<"$(contract "$runs")"
check "nothing is left" wait_for 10 nothing_left
