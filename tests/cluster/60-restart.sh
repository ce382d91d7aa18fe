# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Restarts, reconfigurations, bad settings, and taking the plugins away.
# Takes 180 s.
# what Slurm has of bookings is looked at long before their start
echo ReserveAhead=0 >"$folder/rspb.conf"
cluster_up --nodes 4 --rspb-conf "$folder/rspb.conf" || exit 1
PATH=$cluster/rspb/bin:$PATH
rspb_conf=$cluster/etc/rspb.conf

t=$(ahead 170)
near=$(book $user_a "$t" -N2)
far=$(book $user_b $((t + 7200)) -N4)
check "two bookings to keep" booked "$near" "$far"
full() {
	local j rc
	j=$(book $user_a $((t + 7200)) -N1)
	declined "$j"
	rc=$?
	as $user_a scancel "$j"
	return $rc
}
kept() {
	check "$1: both stand" booked "$near" "$far"
	check "$1: its nodes are still taken" full
}

ctld_stop && ctld_start
kept "after a restart"
reason_is() {
	contract "$far" | grep -q "reason=$1" || { contract "$far"; return 1; }
}
no_reason() {
	local text
	text=$(contract "$far")
	[[ $text == *booked* && $text != *reason=* ]] || { echo "$text"; return 1; }
}
scontrol update partition=main state=down
check "a booking whose partition is closed says that it cannot start" \
	wait_for 10 reason_is "it cannot start: partition main is DOWN"
# Slurm opens it again when it starts.
ctld_stop && ctld_start
check "and no longer when it was opened by a restart" wait_for 15 no_reason
ctld_stop && ctld_start
check "nor after another one" no_reason
scontrol setdebug debug >/dev/null
kept "after a change of debug level"
scontrol setdebug info >/dev/null
scontrol reconfigure
kept "after scontrol reconfigure"
# meanwhile NAME COMMAND: one waits for its decision when slurmctld goes.
meanwhile() {
	local waits
	waits=$(book $user_a $((t + 10800)) -N1)
	"${@:2}"
	check "$1: one that waited is booked" booked "$waits"
	kept "$1"
	as $user_a scancel "$waits"
}
again() {
	ctld_stop && ctld_start
}
meanwhile "stopped with a request" again
meanwhile "reconfigured with a request" scontrol reconfigure

note "reservations that Slurm has lost, or has older than the jobs"
place() {
	scontrol -o show reservation "rspb_$1" | tr ' ' '\n' |
		grep -E '^(StartTime|EndTime|Nodes)='
}
# Decided anew, it would go where the first has gone from.
first=$(book $user_b $((t + 3600)) -N1)
wide=$(book $user_a $((t + 3600)) -N1-2 --deadline="$(slurm_time $((t + 7100)))")
check "two more" booked "$first" "$wide"
as $user_b scancel "$first"
freed() {
	! place "$first" | grep .
}
check "one goes" wait_for 10 freed
was="$(place "$near"; place "$wide")"
restored() {
	[ "$(place "$near"; place "$wide")" = "$was" ] ||
		{ place "$near"; place "$wide"; contract "$wide"; return 1; }
}
ctld_stop
cp "$cluster/state/resv_state" "$out/resv_state"
rm "$cluster"/state/resv_state*
ctld_start
check "lost: window and nodes are as promised" wait_for 10 restored
check "it says so" grep -a "booking $wide: its reservation was lost" \
	"$cluster/log/slurmctld.log"
kept "lost"
unheld() {
	local j
	for j in "$near" "$far" "$wide"; do
		scontrol -o show job "$j" | grep ' JobState=PENDING ' |
			grep -v ' Priority=0 ' || { scontrol show job "$j"; return 1; }
	done
}
check "lost: its jobs are not held" unheld
scontrol update reservationname="rspb_$wide" nodes=n4 nodecnt=1 >/dev/null
moved() {
	contract "$wide" | grep -q 'on=n4 .*changed by an operator'
}
check "one is moved" wait_for 5 moved
was="$(place "$near"; place "$wide")"
ctld_stop
cp "$out/resv_state" "$cluster/state/resv_state"
ctld_start
check "older: what the contract says counts" wait_for 10 restored
kept "older"
as $user_a scancel "$wide"

ctld_stop
for file in job_state resv_state; do
	mv "$cluster/state/$file" "$cluster/state/$file.old"
done
check "killed while one file takes the place of another: it starts" ctld_start
kept "with the older files"

note "features that no node has at the start, of an older job"
colours() {
	scontrol update nodename=n[1-2] features="$1"
	scontrol update nodename=n[3-4] features=blue
}
colours red
f=$(book $user_a $((t + 18000)) -N1 -C blue)
check "one on a blue node" booked "$f"
saved() {
	grep -qa blue "$cluster/state/job_state"
}
check "is saved" wait_for 15 saved
cp "$cluster/state/job_state" "$out/job_state"
check "its owner wants a red one" as $user_a rspb modify "$f" -C red
colours ''
ctld_stop KILL
cp "$out/job_state" "$cluster/state/job_state"
check "slurmctld starts" ctld_start
lacks_red() {
	[ "$(field "$f" Features)" = red ] &&
		contract "$f" | grep -E 'n[12] no longer has what|a lack of what its job requests'
}
check "it wants that all the same" wait_for 20 lacks_red
colours red
has_red() {
	[ "$(field "$f" Features)" = red ] && is_booking "$f" booked &&
		! contract "$f" | grep -E 'cannot start|a lack of'
}
check "and has it when there is one" wait_for 20 has_red
as $user_a scancel "$f"
colours ''

note "cancelled and deleted right before it stops"
job=$(book $user_a $((t + 14400)) -N1)
scontrol create reservation reservationname=own nodecnt=1 users=root \
	starttime="$(slurm_time $((t + 14400)))" duration=5 flags=any_nodes \
	burstbuffer=rspb:nodes=1 >/dev/null
own_says() {
	scontrol -o show reservation own | grep -E "$1"
}
check "two bookings" wait_for 10 own_says 'BurstBuffer=rspb: booked '
check "the other, too" booked "$job"
scancel "$job"
scontrol delete reservationname=own
check "slurmctld stops" ctld_stop
check "and starts" ctld_start
kept "after that"
is_over() {
	contract "$job" | grep '^rspb: cancelled' && ! place "$job" | grep .
}
check "the job stays cancelled" wait_for 10 is_over
own_gone() {
	! scontrol -o show reservation own
}
check "and the reservation deleted" own_gone

note "killed before a node has confirmed a launch"
scontrol setdebug debug >/dev/null
slurmd_pid() {
	cat "$cluster/run/node-$1.pid"
}
launched() {
	tail -n +"$((lines + 1))" "$cluster/log/slurmctld.log" |
		sed -n "/booking $unsure started/,\$p" | grep -a "state saved, in"
}
# launch SIGNAL: one is booked, and starts when its node has got that.
launch() {
	at=$(ahead 15)
	unsure=$(job $user_a 2 --book --begin="$(slurm_time "$at")" --time=2 -N1)
	check "a booking" booked "$unsure"
	lines=$(wc -l <"$cluster/log/slurmctld.log")
	node=$(scontrol -o show reservation "rspb_$unsure" |
		sed -n 's/.* Nodes=\([^ ]*\) .*/\1/p')
	sleep_until $((at - 1))
	kill "-$1" "$(slurmd_pid "$node")"
	check "it is launched, and that is saved" wait_for 10 launched
}
launch STOP
# slurmctld sends it by a thread of its own, which may not have come to that
sent() {
	local port
	port=$(scontrol -o show node "$node" | sed 's/.* Port=\([0-9]*\).*/\1/')
	awk -v port="$(printf ':%04X' "$port")" '
		$2 ~ port "$" && $5 !~ /:00000000$/ { found = 1 }
		END { exit !found }' /proc/net/tcp
}
check "the node has it, and has not read it" wait_for 10 sent
check "slurmctld is killed" ctld_stop KILL
kill -CONT "$(slurmd_pid "$node")"
gave_up() {
	grep -aE "Could not confirm batch launch for (job |JobId=)$unsure\>" \
		"$cluster/log/$node.log"
}
check "the node gives the job up" wait_for 10 gave_up
check "slurmctld comes back" ctld_start
repeated() {
	grep -a "job $unsure: its launch was not confirmed; it is started again" \
		"$cluster/log/slurmctld.log"
}
check "the launch is repeated" wait_for 30 repeated
in_window() {
	wait_for 20 ended "$unsure" &&
		[ "$(date -d "$(field "$unsure" EndTime)" +%s)" -lt $((at + 110)) ]
}
check "in its window" in_window
check "and the booking completes" wait_for 20 is_booking "$unsure" completed

note "killed, with a slurmd that has never got the launch"
scontrol setdebug debug >/dev/null
launch KILL
check "slurmctld is killed" ctld_stop KILL
node_start "$node" -N "$node"
check "slurmctld comes back" ctld_start
check "nothing runs, and Slurm thinks so" is_state "$unsure" RUNNING
check "it is launched again when Slurm can tell" wait_for 30 ended "$unsure"
check "in its window" in_window
check "and the booking completes" wait_for 20 is_booking "$unsure" completed
scontrol setdebug info >/dev/null

note "bad settings while it runs"
named() {
	tail -n +"$lines" "$cluster/log/slurmctld.log" | grep 'rspb\.conf:2: '
}
refuses_reconfigure() {
	printf '%s\n' "# a comment" "$1" >"$rspb_conf"
	: >"$out/mark"
	local lines
	lines=$(wc -l <"$cluster/log/slurmctld.log")
	scontrol reconfigure
	wait_for 5 named || { named; return 1; }
}
check "an unknown key: file and line are named" \
	refuses_reconfigure "BatchIntervall=1s"
check "a value out of range" refuses_reconfigure "BatchInterval=-1s"
check "a wrong unit" refuses_reconfigure "BatchInterval=5parsecs"
kept "with the old settings"

note "bad settings at the start"
check "slurmctld stops" ctld_stop
refuses_start() {
	! timeout 20 slurmctld -D -f "$cluster/etc/slurm.conf" \
		>"$out/start.log" 2>&1 </dev/null || return 1
	grep 'rspb\.conf:2: ' "$out/start.log"
}
check "slurmctld refuses to start, with file and line" refuses_start
: >"$rspb_conf"
check "and starts with a good file" ctld_start
kept "after that"
check "the near one starts on its second" starts_at "$near" "$t"

note "without the plugins"
as $user_b scancel "$far"
check "all is gone" wait_for 30 nothing_left
check "slurmctld stops again" ctld_stop
sed -i -e "s|^PluginDir=$cluster/rspb/lib/slurm-rspb:|PluginDir=|" \
	-e '/^JobSubmitPlugins=/d' -e '/^PlugStackConfig=/d' \
	"$cluster/etc/slurm.conf"
rm "$cluster/etc/plugstack.conf"
check "stock Slurm starts on the same state" ctld_start
stock() {
	local pid
	pid=$(ctld_pid)
	! grep rspb/lib "/proc/$pid/maps"
}
check "nothing of ours is in it" stock
no_trace() {
	! scontrol -o show reservation | grep -i rspb
}
check "no reservation of ours is left" no_trace
check "jobs run" as $user_a srun -N2 --time=1 true
bad_flag() {
	! as $user_a sbatch --book --wrap true -o /dev/null >/dev/null 2>&1
}
check "sbatch does not know --book" bad_flag
