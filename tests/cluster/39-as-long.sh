# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# --time-min: a booking lasts as long as the gap does, and so does its job.
# Takes 60 s.
cluster_up --nodes 2 || exit 1
. "$RSPB_TOP/tests/cluster/client.sh"

t=$(($(ahead 7200) / 60 * 60))
minutes() {
	scontrol show job "$1" -o | grep -oE ' TimeLimit=[^ ]+' | cut -d= -f2
}
lasts() {
	[ "$(minutes "$1")" = "$2" ] || { echo "its limit is $(minutes "$1")"; return 1; }
}
# brief OPTIONS...: a request for half an hour from then on, at least ten minutes.
brief() {
	as $user_b sbatch --parsable -o /dev/null --book --begin="$(slurm_time "$t")" \
		--time=30 --time-min=10 "$@" --wrap 'sleep 600'
}
wall=$(book $user_a "$((t + 1000))" -N2 --exclusive)
check "both nodes are booked from some minutes after it" booked "$wall"

job=$(brief -N1 --exclusive)
check "a request for longer than the gap is booked" booked "$job"
check "for as many whole minutes as there are" lasts "$job" 00:16:00
check "its end is that of the gap" [ \
	$(($(value "$job" end) - $(value "$job" start))) -eq 960 ]
small=$(brief -n1)
check "a part of a node is booked likewise" booked "$small"
check "for as many minutes" lasts "$small" 00:16:00

long=$(as $user_b sbatch --parsable -o /dev/null --book --begin="$(slurm_time "$t")" \
	--deadline="$(slurm_time "$((t + 86400))")" --time=30 --time-min=10 -N2 --exclusive \
	--wrap 'sleep 600')
check "where its window has a place for all of it, it is booked later" booked "$long"
check "as long as it asks for" lasts "$long" 00:30:00

check "slurmctld starts again" eval 'ctld_stop && ctld_start'
check "the booking is as it was" wait_for 20 is_booking "$job" booked
check "and so is its length" lasts "$job" 00:16:00
check "its owner can ask for less" says 0 . as $user_b "$cluster/rspb/bin/rspb" modify "$job" -t 12
check "which it lasts then" lasts "$job" 00:12:00
as $user_b scancel "$job" "$small" "$long"
# tight DEADLINE: a window that is shorter than half an hour.
tight() {
	as $user_b sbatch --parsable -o /dev/null --book --begin="$(slurm_time "$t")" \
		--deadline="$(slurm_time "$((t + $1))")" --time=30 --time-min=10 -N1 --exclusive \
		--wrap 'sleep 600'
}
window=$(tight 905)
check "a window shorter than its time is taken up" booked "$window"
check "in whole minutes" lasts "$window" 00:15:00
check "but it has the least time" refused '--time-min .10 minutes. the earliest end' tight 500
as $user_b scancel "$window"


early=$(book $user_a "$((t + 599))" -N1 --exclusive)
check "one node is booked earlier" booked "$early"
none=$(brief -N2 --exclusive)
check "less than the least is declined" wait_for 10 is_booking "$none" declined
check "it has its whole length while it waits" lasts "$none" 00:30:00
as $user_a scancel "$early"

check "components have one length" refused 'time-min: all components' \
	as $user_b sbatch --book --time=30 --time-min=10 -N1 : --time=30 -N1 --wrap true
check "--work has its own lengths" refused 'time-min: --work says' \
	as $user_b sbatch --book --work=10:00:00 --time-min=10 -N1-2 --wrap true

soon=$(as $user_b sbatch --parsable -o /dev/null --book --begin="$(slurm_time "$(ahead 8)")" \
	--time=300 --time-min=10 -N2 --exclusive --wrap 'sleep 600')
check "one that begins soon is booked" booked "$soon"
check "and runs" wait_for 30 is_state "$soon" RUNNING
limit=$(minutes "$soon")
check "with the limit that it was granted" grep -E '^0[12]:[0-9]{2}:00$' <<<"$limit"
