# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Bookings whose starts are not firm hold as many nodes, not these: one steps aside where
# an ordinary job waits for its nodes and others are free for it. Takes 100 s.
printf '%s\n' JournalKeep=1d DebugLocks=yes FirmNotice=60s >"$folder/rspb.conf"
lifted+=,bf_interval=2,sched_interval=4
cluster_up --nodes 4 --rspb-conf "$folder/rspb.conf" || exit 1

PATH=$cluster/rspb/bin:$PATH

# window FROM ARGS: two nodes for ten minutes within three hours, so many seconds from now.
window() {
	local from
	from=$(slurm_time "$(ahead "$1")")
	as $user_a sbatch --parsable -o /dev/null --book --begin="$from" \
		--deadline="$(slurm_time "$(ahead $(($1 + 10800)))")" -N2 -t 10 \
		"${@:2}" job.sh 1
}
runs() {
	is_state "$1" RUNNING || { squeue; return 1; }
}
list_of() {
	contract "$1" | grep -o ' on=[^ ]*' | cut -d= -f2
}
nodes_of() {
	scontrol show hostnames "$(list_of "$1")" | sort | tr '\n' ' '
}
# all_taken A B: each node is booked by one of them.
all_taken() {
	[ "$({ nodes_of "$1"; nodes_of "$2"; } | tr ' ' '\n' | sort -u |
		grep -c .)" = 4 ] || { contract "$1"; contract "$2"; return 1; }
}
# two ARGS: bookings of two nodes each, one behind the other and on other nodes, in $early
# and $late.
two() {
	early=$(window 2400 "$@")
	wait_for 10 is_booking "$early" booked
	between=$(book $user_b "$(ahead 4800)" -N2 -t 10 \
		-w "$(list_of "$early")")
	wait_for 10 is_booking "$between" booked
	late=$(window 4800 "$@")
	check "a booking and another behind it" wait_for 10 is_booking "$late" booked
	scancel "$between"
	check "have a half of the nodes each" all_taken "$early" "$late"
	early_at=$(granted "$early" start) late_at=$(granted "$late" start)
}

two
was="$(nodes_of "$early")/$(nodes_of "$late")"
long=$(job $user_b 600 -N2 -t 150)
check "an ordinary job that is in the way of both begins" wait_for 40 runs "$long"
check "as one has other nodes" \
	[ "$was" != "$(nodes_of "$early")/$(nodes_of "$late")" ]
check "both of them at its start" \
	[ "$early_at $late_at" = "$(granted "$early" start) $(granted "$late" start)" ]
on=$(squeue -h -j "$long" -o %N)
free() {
	! { nodes_of "$early"; nodes_of "$late"; } | tr ' ' '\n' |
		grep -qxF -f <(scontrol show hostnames "$on") ||
		{ contract "$early"; contract "$late"; echo "$on"; return 1; }
}
check "and none is on the nodes of the job" free
check "the contract says why, without naming the job" eval \
	"{ contract $early; contract $late; } | grep 'so that a regular job can start on these'"
more=$(job $user_b 600 -N1 --exclusive -t 150)
sleep 8
check "who would leave too few for both waits" is_state "$more" PENDING
ctld_stop KILL
ctld_start
check "all stands after a crash" wait_for 20 free
check "and the job runs" runs "$long"
scancel "$more" "$long" "$early" "$late"
wait_for 20 nothing_left

note "who stays"
two --firm=10h
was="$(nodes_of "$early")/$(nodes_of "$late")"
long=$(job $user_b 600 -N2 -t 150)
short=$(job $user_b 60 -N2 -t 10)
check "a job that is over in time begins" wait_for 20 runs "$short"
scancel "$short"
sleep 10
check "another does not: their starts are firm" is_state "$long" PENDING
check "and their nodes with them" \
	[ "$was" = "$(nodes_of "$early")/$(nodes_of "$late")" ]
scancel "$long" "$early" "$late"
check "nothing is left" wait_for 20 nothing_left
