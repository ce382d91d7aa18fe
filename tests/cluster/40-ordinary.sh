# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Bookings among what else goes on: jobs, reservations, broken nodes.
# Takes 105 s.
cluster_up --nodes 6 || exit 1

note "what is there already counts as occupied"
t=$(ahead 100)
running=$(job $user_b 300 --time=10 -w n1)
check "an ordinary job runs" wait_for 10 is_state "$running" RUNNING
scontrol update nodename=n2 state=drain reason=test
scontrol create reservation reservationname=maint \
	starttime="$(slurm_time $((t - 30)))" duration=10 nodes=n3 \
	users=root flags=maint >/dev/null
five=$(book $user_a "$t" -N4)
check "a job, a drained node and maintenance leave three of six" \
	declined "$five"
as $user_a scancel "$five"
three=$(book $user_a "$t" -N3)
check "these three can be booked" booked "$three"
scontrol update nodename=n2 state=resume
scontrol delete reservationname=maint
as $user_b scancel "$running"
as $user_a scancel "$three"
check "all that is gone again" wait_for 20 nothing_left
# The task that runs gets another number when it starts.
tasks=$(job $user_b 300 --time=10 -w n1 --exclusive --array=1-3%1)
check "a task of a job array runs" wait_for 10 is_state "${tasks}_1" RUNNING
six=$(book $user_a "$t" -N6)
check "and has its node, with others of it to come" declined "$six"
as $user_a scancel "$six"
as $user_b scancel "$tasks"
check "that is gone as well" wait_for 20 nothing_left
# silent till then
check "a node that is resumed has registered" \
	wait_for 20 eval '! sinfo -h -N -n n2 -o %T | grep -F "*"'

note "ordinary jobs keep off"
t=$(ahead 40)
booked_id=$(book $user_a "$t" -N5 -w 'n[1-5]')
check "five of six nodes are booked" booked "$booked_id"
# longer than there is time before the booking
long=$(job $user_b 1 --time=5 --exclusive -N1)
check "a long job starts at once where nothing is booked" \
	wait_for 10 began "$long"
on_n6() {
	wait_for 10 ended "$long" && grep 'n6$' "$out/ran.$long"
}
check "on the sixth node" on_n6
six=$(job $user_b 1 --time=5 --exclusive -N6)
note "an operator's reservation by count"
by_count() {
	scontrol create reservation reservationname=count \
		starttime="$(slurm_time "$t")" duration=5 nodecnt="$1" \
		users=root
}
check "one node is left for it" by_count 1
count_nodes() {
	scontrol -o show reservation count |
		sed -n 's/.* Nodes=\([^ ]*\).*/\1/p'
}
check "it is the node that is not booked" [ "$(count_nodes)" = n6 ]
scontrol delete reservationname=count >/dev/null 2>&1
# Slurm may refuse it, or make it smaller
never_booked_ones() {
	by_count 2 || return 0
	[ "$(count_nodes)" = n6 ] || { count_nodes; return 1; }
}
check "two are not to be had" never_booked_ones
scontrol delete reservationname=count >/dev/null 2>&1

check "the booking starts on its second" starts_at "$booked_id" "$t"
after() {
	wait_for 90 began "$six" &&
		[ "$(cut -d. -f1 "$out/begin.$six")" -ge "$t" ]
}
check "a job that needs all six waits for it" after
check "nothing is left over" wait_for 20 nothing_left

note "tight gaps"
# n1 to n5 are booked at different times: a job of one minute belongs where
# it leaves the least idle, before the earliest booking it fits before
t=$(ahead 150)
for n in 1 2 3 4 5; do
	book $user_a $((t + 600 * (5 - n))) -w "n$n" >"$out/id.$n"
done
check "five bookings one after the other" booked \
	"$(<"$out/id.1")" "$(<"$out/id.5")"
short=$(job $user_b 1 --time=1 --exclusive -N1)
on_n5() {
	wait_for 10 ended "$short" && grep 'n5$' "$out/ran.$short"
}
check "a short job goes where the gap is tightest" on_n5
for n in 1 2 3 4 5; do
	as $user_a scancel "$(<"$out/id.$n")"
done
check "nothing is left in the end" wait_for 20 nothing_left

note "an ordinary job whose time is over"
cat >"$out/polite.sh" <<'JOB'
#!/bin/bash
# whole, whenever it is read
note() {
	echo "$EPOCHREALTIME" >"$1.$SLURM_JOB_ID.new"
	mv "$1.$SLURM_JOB_ID.new" "$1.$SLURM_JOB_ID"
}
trap 'note term' TERM
while :; do
	note alive
	sleep 0.2
done
JOB
polite=$(as $user_b sbatch --parsable -o /dev/null --time=5 -w n1 --exclusive \
	polite.sh)
check "it runs" wait_for 10 test -e "$out/alive.$polite"
end=$(ahead 15)
scontrol update jobid="$polite" endtime="$(slurm_time "$end")"
late=$(book $user_a $((end + 2)) -w n1)
check "its node is not promised within KillWait of its end" declined "$late"
as $user_a scancel "$late"
late=$(book $user_a $((end + 6)) -w n1)
check "but behind that" booked "$late"
check "the booking starts on its second" starts_at "$late" $((end + 6))
# seconds FILE: behind its end
seconds() {
	awk -v end="$end" '{ print int($1 - end) }' "$out/$1.$polite"
}
told() {
	wait_for 2 test -s "$out/term.$polite" && [ "$(seconds term)" -ge 0 ] &&
		[ "$(seconds term)" -le 2 ] || { seconds term; return 1; }
}
check "it got SIGTERM when its time was over" told
went_on() {
	[ $(($(seconds alive) - $(seconds term))) -ge 3 ] ||
		{ seconds term; seconds alive; return 1; }
}
check "and KillWait before SIGKILL" went_on
check "as one that has used up its time" wait_for 10 is_state "$polite" TIMEOUT
check "nothing is left of that" wait_for 20 nothing_left
