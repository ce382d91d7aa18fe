# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Booked jobs that come back into the queue within their windows: they run again at
# once, on another node where theirs is gone.
# Takes 90 s.
printf '%s\n' Rescue=promise >"$folder/rspb.conf"
cat >"$folder/slurm.conf" <<'TEXT'
SlurmdTimeout=10
NodeName=n[1-4] CPUs=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
TEXT
cluster_up --nodes 4 --conf "$folder/slurm.conf" || exit 1
cat >"$out/twice.sh" <<'JOB'
#!/bin/bash
echo "$EPOCHREALTIME $SLURM_JOB_NODELIST" >>"runs.$SLURM_JOB_ID"
sleep $1
echo "$EPOCHREALTIME $SLURM_JOB_NODELIST" >"ran.$SLURM_JOB_ID"
JOB
runs() {
	[ "$(wc -l <"$out/runs.$1")" -ge "$2" ]
}
on_last() {
	tail -n 1 "$out/runs.$1" | cut -d' ' -f2
}
# twice START OPTIONS...
twice() {
	as $user_a sbatch --parsable -o /dev/null --book --time=2 --requeue \
		--begin="$(slurm_time "$1")" "${@:2}" twice.sh 12
}
# in_window JOB START: it ran to its end, and before its window was over.
in_window() {
	wait_for 40 ended "$1" &&
		[ "$(granted "$1" end)" -le $(($2 + 120)) ]
}

note "scontrol requeue"
t=$(ahead 12)
asked=$(twice "$t" -w n4)
pair=$(as $user_a sbatch --parsable -o /dev/null --requeue --book --time=2 -N1 \
	--begin="$(slurm_time "$t")" -w n2 : --book --time=2 -N1 -w n3 \
	--begin="$(slurm_time "$t")" twice.sh 12)
check "they are booked" booked "$asked" "$pair"
check "one runs" wait_for 20 runs "$asked" 1
check "so does a pair" wait_for 20 runs "$pair" 1
at=$EPOCHSECONDS
scontrol requeue "$asked"
scontrol requeue "$pair"
check "it runs again at once" wait_for 12 runs "$asked" 2
note "after $((EPOCHSECONDS - at)) s"
check "where it was booked" [ "$(on_last "$asked")" = n4 ]
check "so does the pair" wait_for 12 runs "$pair" 2
check "it ends within its window" in_window "$asked" "$t"
check "the pair, too" in_window "$pair" "$t"
wait_for 10 no_reservations

note "a node that is drained"
t=$(ahead 12)
lost=$(twice "$t" -N1)
check "it is booked" booked "$lost"
check "it runs" wait_for 20 runs "$lost" 1
node=$(on_last "$lost")
at=$EPOCHSECONDS
scontrol update nodename="$node" state=drain reason=test
scontrol requeue "$lost"
check "it runs again at once" wait_for 12 runs "$lost" 2
note "after $((EPOCHSECONDS - at)) s"
check "on another node" [ "$(on_last "$lost")" != "$node" ]
check "it ends within its window" in_window "$lost" "$t"
scontrol update nodename="$node" state=resume
wait_for 10 no_reservations

note "slurmd and its job are killed"
t=$(ahead 12)
dead=$(twice "$t" -w n4 -N1)
other=$(twice "$t" -N1 -x n4)
check "they are booked" booked "$dead" "$other"
check "one runs" wait_for 20 runs "$other" 1
node=$(on_last "$other")
kill -9 "$(cat "$cluster/run/node-$node.pid")"
stepds "$other" | xargs -r kill -9
down() {
	scontrol -o show node "$node" | grep -E ' State=DOWN'
}
check "the node is down" wait_for 40 down
check "its job runs again" wait_for 12 runs "$other" 2
check "on another node" [ "$(on_last "$other")" != "$node" ]
check "it ends within its window" in_window "$other" "$t"
check "nothing is left" nothing_left
