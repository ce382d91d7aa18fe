# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# slurmctld killed soon after bookings have started: what was saved goes on, and
# what was not is run once more, in what is left of its window. No node is
# drained, no job lost, nothing left over. RSPB_CRASH: how many seconds behind
# the start it is killed, one round each (more of them: "0.5 1 2 3").
# Takes 330 s.
cluster_up --nodes 9 || exit 1
scontrol setdebug debug >/dev/null
state=$cluster/state

# Notes each of its runs; polite words do not end it.
cat >"$out/runs.sh" <<'JOB'
#!/bin/bash
trap '' TERM
echo "begin $EPOCHREALTIME" >>runs.$SLURM_JOB_ID
[ "$SLURM_NNODES" -eq 1 ] || srun -Q sleep "$1" || exit 1
sleep "$1"
echo "end $EPOCHREALTIME" >>runs.$SLURM_JOB_ID
JOB
# runs JOB: such as "begin begin end"
runs() {
	sed 's/ .*//' "$out/runs.$1" 2>/dev/null | tr '\n' ' ' | sed 's/ $//'
}
# ran_as JOB PATTERN
ran_as() {
	[[ $(runs "$1") =~ ^($2)$ ]] || { echo "job $1: $(runs "$1")"; return 1; }
}
all() {
	local what=$1 how=$2 j
	shift 2
	[ $# -gt 0 ] || return 1
	for j in "$@"; do
		"$what" "$j" "$how" || return 1
	done
}
nodes_well() {
	! sinfo -h -N -o '%N %T %E' | grep -E 'drain|down|fail'
}
# within_window JOB END: its last end lies before that.
within_window() {
	local at
	at=$(sed -n 's/^end \([0-9]*\).*/\1/p' "$out/runs.$1" | tail -n 1)
	[ -n "$at" ] && [ "$at" -lt "$2" ] || { echo "job $1: $at, $2"; return 1; }
}
begins() {
	[ "$(runs "$1")" = begin ]
}
# saved N: so many booked jobs are in the file that a new slurmctld reads.
saved() {
	[ "$(grep -ao 'rspb: booked start=' "$state/job_state" | wc -l)" -ge "$1" ]
}
is_told() {
	scontrol -o show job "$1" | grep "Reason=.*$2"
}
no_stepds() {
	[ -z "$(stepds '[0-9]*')" ]
}

# submit START MINUTES: one of each kind, over all nodes, all at once: jobs.
submit() {
	local at minutes=$2
	at=$(slurm_time "$1")
	one=$(as $user_a sbatch --parsable -o job-%j.out --book -N1 \
		--begin="$at" --time="$minutes" runs.sh 6)
	two=$(as $user_b sbatch --parsable -o job-%j.out --book -N2 \
		--begin="$at" --time="$minutes" runs.sh 3)
	het=$(as $user_a sbatch --parsable -o job-%j.out --begin="$at" \
		--time="$minutes" --book -N1 : --book -N2 runs.sh 6)
	share=$(as $user_b sbatch --parsable -o job-%j.out --book -p shared \
		-w n7 --cpu-share=40% --begin="$at" --time="$minutes" runs.sh 6)
	other=$(as $user_a sbatch --parsable -o job-%j.out --book -p shared \
		-w n7 --cpu-share=30% --begin="$at" --time="$minutes" runs.sh 6)
	jobs=("$one" "$two" "$het" "$share" "$other")
}
# in_order ROUND END: all is well, with windows that end then.
in_order() {
	check "$1: no node is drained" nodes_well
	check "$1: all within their windows" \
		all within_window "$2" "${jobs[@]}"
	check "$1: all completed" all is_state COMPLETED "${jobs[@]}"
	check "$1: nothing is left over" wait_for 30 nothing_left
	check "$1: no step either" wait_for 10 no_stepds
}

note "killed when the start is saved"
t=$(ahead 20)
submit "$t" 1
check "bookings of all kinds" booked "${jobs[@]}"
lines=$(wc -l <"$cluster/log/slurmctld.log")
sleep_until "$t"
saved_behind() {
	tail -n +"$lines" "$cluster/log/slurmctld.log" |
		grep 'state saved, in'
}
check "they start" wait_for 20 all begins '' "${jobs[@]}"
check "Slurm saves that at once" wait_for 10 saved_behind
note "$(saved_behind | head -n 1 | sed 's/.*rspb: //')"
check "slurmctld is killed" ctld_stop KILL
check "and comes back" ctld_start
ended_as() {
	wait_for "${patience:-40}" ran_as "$1" "$2" || ran_as "$1" "$2"
}
check "all go on" all ended_as "begin end" "${jobs[@]}"
wait_for 20 all is_state COMPLETED "${jobs[@]}"
in_order "saved" $((t + 60))

# A folder of that name keeps Slurm from saving jobs: what the next slurmctld
# knows is from before the start, however quick a save would have been.
for delay in ${RSPB_CRASH:-0.5 2}; do
	note "killed ${delay} s after the start, which is not saved"
	t=$(ahead 28)
	submit "$t" 1
	only=$(as $user_b sbatch --parsable -o job-%j.out --no-requeue --book \
		-N1 --begin="$(slurm_time "$t")" --time=1 runs.sh 6)
	check "$delay: bookings of all kinds" booked "${jobs[@]}" "$only"
	check "$delay: they are saved" wait_for 12 saved 7
	mkdir "$state/job_state.new"
	sleep_until "$t"
	check "$delay: all have begun" \
		wait_for 20 all begins '' "${jobs[@]}" "$only"
	sleep "$delay"
	ctld_stop KILL
	rmdir "$state/job_state.new"
	check "$delay: slurmctld comes back" ctld_start
	check "$delay: all run once more" \
		all ended_as "begin (end )?begin end" "${jobs[@]}"
	check "$delay: that is said" grep -q \
		"booking $one started, for the second time" \
		"$cluster/log/slurmctld.log"
	check "$delay: one that must not be requeued does not" \
		wait_for 20 is_state "$only" CANCELLED
	check "$delay: and says why" is_told "$only" must.not.be.requeued
	check "$delay: it ran once" ran_as "$only" "begin( end)?"
	wait_for 20 all is_state COMPLETED "${jobs[@]}"
	in_order "$delay" $((t + 60))
done

note "moved and launched, of which Slurm's files have nothing"
t=$(ahead 25)
moved=$(as $user_a sbatch --parsable -o /dev/null --book -N1 \
	--begin="$(slurm_time "$t")" --time=1 runs.sh 15)
check "a booking" booked "$moved"
was=$(contract "$moved" | grep -o ' on=[^ ]*')
in_file() {
	grep -qa "rspb: booked start=.*$was" "$state/job_state" &&
		grep -qa "rspb_$moved" "$state/resv_state"
}
check "is saved" wait_for 10 in_file
mkdir "$out/older"
cp "$state"/{job,resv,node}_state "$out/older"
scontrol update nodename="${was# on=}" state=drain reason=test
elsewhere() {
	contract "$moved" | grep ' on=' | grep -v "$was"
}
check "it is moved" wait_for 10 elsewhere
scontrol update nodename="${was# on=}" state=resume
check "and starts" wait_for 40 begins "$moved"
wait_for 5 is_booking "$moved" active
pid=$(cat "$cluster/run/node-$(contract "$moved" | sed 's/.* on=\([^ ]*\).*/\1/').pid")
kill -STOP "$pid"
check "slurmctld is killed" ctld_stop KILL
cp "$out"/older/* "$state"
check "and comes back with what it had before" ctld_start
sleep 6
check "it waits for the node that has it" ran_as "$moved" begin
kill -CONT "$pid"
check "it runs again" wait_for 30 ran_as "$moved" 'begin begin'
check "and only then" wait_for 30 ran_as "$moved" 'begin begin end'
check "nothing is left over" wait_for 20 nothing_left

note "killed twice"
t=$(ahead 28)
submit "$t" 1
check "bookings of all kinds" booked "${jobs[@]}"
check "they are saved" wait_for 12 saved 6
mkdir "$state/job_state.new"
sleep_until "$t"
check "all have begun" wait_for 20 all begins '' "${jobs[@]}"
ctld_stop KILL
check "slurmctld comes back" ctld_start
check "and is killed while it clears nodes" ctld_stop KILL
rmdir "$state/job_state.new"
check "and comes back again" ctld_start
check "all run once more" \
	all ended_as "begin (end )?begin end" "${jobs[@]}"
wait_for 20 all is_state COMPLETED "${jobs[@]}"
in_order "twice" $((t + 60))

note "down for long, and at a start"
t=$(ahead 28)
submit "$t" 3
brief=$(as $user_b sbatch --parsable -o job-%j.out --book -N2 \
	--begin="$(slurm_time "$t")" --time=1 runs.sh 3)
check "bookings of all kinds" booked "${jobs[@]}" "$brief"
late=$(as $user_a sbatch --parsable -o job-%j.out --book -p shared -w n7 \
	--cpu-share=20% --begin="$(slurm_time $((t + 10)))" --time=3 runs.sh 6)
check "one ten seconds later" booked "$late"
check "they are saved" wait_for 12 saved 8
mkdir "$state/job_state.new"
sleep_until "$t"
check "all have begun" wait_for 20 all begins '' "${jobs[@]}" "$brief"
ctld_stop KILL
rmdir "$state/job_state.new"
sleep_until $((t + 26))
check "slurmctld comes back" ctld_start
# All have run to their end meanwhile, and run once more; but for those that wait
# in srun, whose steps tell the new slurmctld a minute later that they have ended:
# their nodes are not clean before, and from 26.05 on srun waits for that, too.
patience=100
check "all run once more" \
	all ended_as "begin end begin end" "$one" "$het" "$share" "$other"
check "also with a step" ended_as "$two" "begin (end )?begin end"
check "the late one runs" ended_as "$late" "begin end"
held() {
	[ "$(squeue -h -o %r -j "$brief")" = \
		"rspb cancelled: its time slot passed, and the job could not run" ]
}
check "one for which it is too late is held, and says why" wait_for 60 held
scancel "$brief"
jobs+=("$late")
wait_for 20 all is_state COMPLETED "${jobs[@]}"
in_order "down" $((t + 180))
