# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Jobs whose bookings have a window, as users of Slurm treat theirs: held, let go, updated,
# requeued, in arrays, one after the other by name; and all nodes that one may have fail.
# Takes 150 s.
printf '%s\n' FirmNotice=20s >"$folder/rspb.conf"
cluster_up --nodes 6 --rspb-conf "$folder/rspb.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"

# window USER FROM UNTIL ARGS: see 54-windows.sh
window() {
	local user=$1 from to
	from=$(slurm_time "$(ahead "$2")") to=$(slurm_time "$(ahead "$3")")
	shift 3
	as "$user" sbatch --parsable -o /dev/null --book --begin="$from" \
		--deadline="$to" "$@"
}
inside() {
	local start end
	start=$(granted "$1" start) end=$(granted "$1" end)
	[ "$start" -ge "$2" ] && [ "$end" -le "$3" ] || { contract "$1"; return 1; }
}
contract_says() {
	contract "$1" | grep -q -- "$2" || { contract "$1"; return 1; }
}
start_of() { date -d "$(squeue -h -t all -j "$1" -o %S)" +%s; }
end_of() { date -d "$(squeue -h -t all -j "$1" -o %e)" +%s; }
done_in() {
	[ "$(start_of "$1")" -ge "$2" ] && [ "$(end_of "$1")" -le "$3" ] ||
		{ squeue -t all -j "$1" -o '%i %T %S %e'; return 1; }
}

note "an array"
now=$EPOCHSECONDS
array=$(window $user_a 3600 14400 -N3 -t 30 --array=1-4 job.sh 1)
ids() { squeue -h -r -j "$array" -o %A | sort -n; }
check "each task is a job" wait_for 10 eval '[ "$(ids | uniq | wc -l)" -eq 4 ]'
for id in $(ids); do
	check "task $id is booked" wait_for 10 is_booking "$id" booked
	check "in its window" inside "$id" $((now + 3590)) $((now + 14410))
done
# In the way of the last one alone: the others need not wait longer.
at=$(for id in $(ids); do granted "$id" start; done | sort -n | tail -n 1)
tight=$(book $user_b $((at + 600)) -N2 -t 20)
check "another is let in" booked "$tight"
check "tasks have moved" [ "$(ids | while read -r id; do contract "$id"; done |
	grep -c 'reason=moved within its window')" -gt 0 ]
for id in $(ids); do
	check "task $id stands" is_booking "$id" booked
	check "in its window" inside "$id" $((now + 3590)) $((now + 14410))
done
check "one is cancelled" as $user_a scancel "${array}_2"
check "the others stand" [ "$(for id in $(ids); do is_booking "$id" booked && echo; done | wc -l)" -eq 3 ]
check "all others go by the number of the array" as $user_a rspb cancel "$array"
scancel "$array" "$tight"
wait_for 30 nothing_left

note "the nodes that it may have"
scontrol update NodeName=n5,n6 AvailableFeatures=big ActiveFeatures=big
now=$EPOCHSECONDS
big=$(window $user_a 3600 14400 -N2 -t 30 -C big job.sh 1)
check "is booked on its class" booked "$big"
scontrol update NodeName=n6 State=down Reason=x
sleep 3
check "stands though one is down" wait_for 10 contract_says "$big" 'rspb: booked'
scontrol update NodeName=n5 State=down Reason=x
sleep 4
check "and with the last one, too" contract_says "$big" 'rspb: booked'
other=$(window $user_b 3600 7200 -N2 -t 20 -C big job.sh 1)
check "another of that class is declined" wait_for 10 declined "$other"
ctld_stop KILL
ctld_start
check "stands after a crash" wait_for 15 contract_says "$big" 'rspb: booked'
scontrol update NodeName=n5,n6 State=resume
check "still there when they are back" wait_for 40 inside "$big" $((now + 3590)) $((now + 14410))
scontrol update NodeName=n5,n6 AvailableFeatures= ActiveFeatures=
sleep 12
check "and with no node of its class, it is told" wait_for 20 contract_says "$big" 'reason='
scontrol update NodeName=n5,n6 AvailableFeatures=big ActiveFeatures=big
check "with the class back it stands" wait_for 40 is_booking "$big" booked
check "in its window" inside "$big" $((now + 3590)) $((now + 14410))
scancel "$big" "$other"
wait_for 30 nothing_left

note "held, let go and requeued"
now=$EPOCHSECONDS
held=$(window $user_a 60 400 -N6 -t 1 --requeue job.sh 5)
check "one is booked" booked "$held"
check "and held" as $user_a scontrol hold "$held"
check "is to have less" as $user_a scontrol update jobid="$held" numnodes=4
check "and has" wait_for 10 contract_says "$held" 'nodes=4'
check "in its window" inside "$held" $((now + 59)) $((now + 401))
check "is let go" as $user_a scontrol release "$held"
check "is put back before it runs: no" eval "! scontrol requeue $held"
check "stands" is_booking "$held" booked
at=$(granted "$held" start)
check "it starts on the second" wait_for $((at - EPOCHSECONDS + 20)) starts_at "$held" "$at"
check "is requeued" scontrol requeue "$held"
check "runs again" wait_for 90 is_booking "$held" completed
check "in what was promised" done_in "$held" "$at" $((now + 400))

note "one after the other by name"
now=$EPOCHSECONDS
one=$(window $user_a 30 300 -N2 -t 1 -J line --dependency=singleton job.sh 10)
check "the first is booked" booked "$one"
two=$(window $user_a 30 300 -N2 -t 1 -J line --dependency=singleton job.sh 3)
sleep 3
check "the second is not, before the first lets it go" is_booking "$two" requested
check "the first runs" wait_for 90 is_booking "$one" completed
check "then the second" wait_for 60 is_booking "$two" completed
check "in its window" done_in "$two" $((now + 30)) $((now + 300))
check "not at once" [ "$(end_of "$one")" -le "$(start_of "$two")" ]
