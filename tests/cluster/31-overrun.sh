# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Booked jobs that outlast their windows, with nobody behind them: as far as their
# own limits let them, and Slurm's ResvOverRun (0) does not end them.
# Takes 130 s.
cat >"$folder/slurm.conf" <<'TEXT'
OverTimeLimit=1
NodeName=n[1-4] CPUs=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
TEXT
cluster_up --nodes 4 --conf "$folder/slurm.conf" || exit 1

t=$(ahead 15)
# runs SECONDS NODE: booked for a minute.
runs() {
	as $user_a sbatch --parsable -o /dev/null --book --time=1 -w "$2" \
		--begin="$(slurm_time "$t")" job.sh "$1"
}
over=$(runs 98 n1)
paused=$(runs 55 n2)
met=$(runs 110 n3)
check "they are booked" booked "$over" "$paused" "$met"
tail=$(job $user_a 1 --book --time=1 -w n4 -d "afterany:$over")
check "so is one that waits for the first to end" booked "$tail"
check "one starts" starts_at "$paused" "$t"
sleep 2
scontrol suspend "$paused"
next=$((t + 76))
behind=$(book $user_b "$next" -w n3)
check "a node is booked behind one of them" booked "$behind"
sleep_until $((t + 50))
scontrol resume "$paused"
check "who comes behind one starts on its second" starts_at "$behind" "$next"
check "which made way" wait_for 5 is_booking "$met" terminated
check "one that was suspended has all of its time" wait_for 45 ended "$paused"
check "one with OverTimeLimit, too" wait_for 40 ended "$over"
check "who waited for it has been told why" grep -q \
	"booking $tail: it cannot start: a job that it waits for (--dependency) has not ended" \
	"$cluster/log/slurmctld.log"
check "once" [ "$(grep -c "booking $tail: it cannot start: a job that it waits for" \
	"$cluster/log/slurmctld.log")" = 1 ]
check "and runs then" wait_for 30 ended "$tail"
check "their bookings are completed" wait_for 10 is_booking "$over" completed
check "both" wait_for 10 is_booking "$paused" completed
check "nothing is left" nothing_left
