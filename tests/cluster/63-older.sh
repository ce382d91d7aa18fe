# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What Slurm's older files do not have of jobs and reservations that went on since.
# Takes 85 s.
# what Slurm has of bookings is looked at long before their start
echo ReserveAhead=0 >"$folder/rspb.conf"
cluster_up --nodes 6 --rspb-conf "$folder/rspb.conf" || exit 1
# shellcheck source=tests/cluster/durable.sh
. "$RSPB_TOP/tests/cluster/durable.sh"
t=$(ahead 600)

note "an older file of Slurm's jobs, and requests that were changed since"
declined_all=()
for n in 1 2 3; do
	declined_all+=("$(book $user_a $((t + 24000)) -N6)")
	[ "$n" -gt 1 ] || check "one is booked" told_booked "${declined_all[0]}"
done
first=${declined_all[0]}
declined_all=("${declined_all[@]:1}")
check "the others are declined" all declined "${declined_all[@]}"
jobs_keep
sed -i 's/^BatchInterval=.*/BatchInterval=120s/' "$cluster/etc/rspb.conf"
ctld_start
wait_for 5 scontrol show reservation rspb_waiting
# Three requests in an interval are decided at once, each alone; later ones wait for
# its end.
for i in 1 2 3; do
	check "a request that comes alone is booked at once ($i)" \
		told_booked "$(book $user_b $((t + i * 7200)) -N1)"
done
# says_on JOB NODES: booked there, or running.
says_on() {
	contract "$1" | grep -E "rspb: (booked|active) .* on=$2 " || { contract "$1"; return 1; }
}
# asks_again JOB START
asks_again() {
	as $user_a "$cluster/rspb/bin/rspb" modify "$1" --begin="$(slurm_time "$2")"
}
check "one asks again" asks_again "${declined_all[0]}" $((t + 25000))
check "so does another" asks_again "${declined_all[1]}" $((t + 26000))
check "which is not decided" eval 'contract "${declined_all[1]}" | grep "rspb: requested"'
kill9
jobs_older
sed -i 's/^BatchInterval=.*/BatchInterval=200ms/' "$cluster/etc/rspb.conf"
check "slurmctld starts" ctld_start
check "both are booked" wait_for 5 booked "${declined_all[@]}"
check "as the one asked last" eval '[ "$(granted "${declined_all[0]}" start)" = $((t + 25000)) ]'
check "and the other" eval '[ "$(granted "${declined_all[1]}" start)" = $((t + 26000)) ]'
as $user_a scancel "$first" "${declined_all[@]}"

note "an older file of Slurm's jobs, and one that runs by now"
first=$(book $user_a $((t + 28000)) -N6)
check "one is booked" told_booked "$first"
runs=$(job $user_a 20 --book --begin="$(slurm_time $((t + 28000)))" --time=2 -w n5)
check "another is declined" declined "$runs"
jobs_keep
ctld_start
wait_for 5 scontrol show reservation rspb_waiting
check "it asks again" asks_again "$runs" "$(ahead 12)"
check "and is booked" booked "$runs"
check "and runs" wait_for 30 began "$runs"
kill9
jobs_older
check "slurmctld starts" ctld_start
check "it is booked where it was" wait_for 5 says_on "$runs" n5
check "and runs again" wait_for 20 is_state "$runs" RUNNING
one_at_a_time() {
	[ "$(stepds "$runs" | wc -l)" = 1 ] || { stepds "$runs"; return 1; }
}
check "once" wait_for 5 one_at_a_time
kill9
jobs_older
check "slurmctld starts, with the file of before it was put back" ctld_start
check "it is booked where it was still" wait_for 5 says_on "$runs" n5
if scontrol -d show job "$runs" | grep -q SLUID=; then
	skip "and runs again: where Slurm tells runs apart (SLUID), its node takes the end of" \
		"one for that of the one before, and is drained (doc/limits.md)"
else
	check "and runs again, too" wait_for 20 is_state "$runs" RUNNING
	check "and once" wait_for 5 one_at_a_time
fi
as $user_a scancel "$first" "$runs"
wait_for 10 gone "$runs"
scontrol update nodename=n5 state=resume 2>/dev/null

note "an older file of Slurm's reservations, and a job that runs elsewhere"
t=$(ahead 25)
moved=$(job $user_a 50 --book --begin="$(slurm_time "$t")" --time=2 -N1)
check "one that starts soon" told_booked "$moved"
was_on=$(scontrol -o show reservation "rspb_$moved" | sed -n 's/.* Nodes=\(n[0-9]\) .*/\1/p')
ctld_stop
cp "$state/resv_state" "$out/resv_state"
ctld_start
scontrol update nodename="$was_on" state=drain reason=test
check "it starts" wait_for 40 began "$moved"
on=$(field "$moved" NodeList)
check "on another node" eval '[ -n "$on" ] && [ "$on" != "$was_on" ]'
saved() {
	[ "$state/job_state" -nt "$out/resv_state" ] &&
		grep -aq "rspb: active.*on=$on" "$state/job_state"
}
check "Slurm has saved that it runs" wait_for 10 saved
kill9
resv_older "$out/resv_state"
check "slurmctld starts" ctld_start
is_on() {
	scontrol -o show reservation "rspb_$moved" | grep "Nodes=$on "
}
check "its reservation is where it runs" wait_for 5 is_on
scontrol update nodename="$was_on" state=resume
next=$(book $user_b "$(ahead 20)" -N1 -w "$was_on")
check "where it was to be others are booked" booked "$next"
as $user_b scancel "$next"
check "it runs on" is_state "$moved" RUNNING
as $user_a scancel "$moved"

note "an older file of Slurm's reservations, and jobs that are put back"
ctld_stop
cp "$state/resv_state" "$out/resv_state"
ctld_start
wait_for 5 scontrol show reservation rspb_waiting
t=$(ahead 5)
begun=("$(job $user_a 60 --book --begin="$(slurm_time "$t")" --time=3 -w n1)"
	"$(job $user_a 60 -p shared --book --begin="$(slurm_time "$t")" --time=3 -w n2 \
		--cpu-share=20%)")
check "they run" wait_for 20 all began "${begun[@]}"
is_running() {
	is_state "$1" RUNNING
}
put_back() {
	scontrol requeue "$1"
}
runs_again() {
	is_running "$1" && [ "$(field "$1" Restarts)" = 1 ] &&
		contract "$1" | grep "rspb: active"
}
both_saved() {
	[ "$state/job_state" -nt "$out/resv_state" ] &&
		grep -aq "rspb: active.*on=n1" "$state/job_state" &&
		grep -aq "rspb: active.*on=n2" "$state/job_state"
}
check "Slurm has saved that" wait_for 10 both_saved
kill9
resv_older "$out/resv_state"
check "slurmctld starts" ctld_start
check "they run on" wait_for 5 all is_running "${begun[@]}"
# put back, they cannot begin at once
scontrol update nodename=n1,n2 state=drain reason=test
check "they can be put back" all put_back "${begun[@]}"
check "their reservations are made again" wait_for 5 all has_resv "${begun[@]}"
sleep 2
check "they are booked" booked "${begun[@]}"
scontrol update nodename=n1,n2 state=resume
check "and run again" wait_for 20 all runs_again "${begun[@]}"
as $user_a scancel "${begun[@]}"

note "no file of Slurm's jobs, and an older one afterwards"
t=$(ahead 3000)
# those for whom no script is left, and who come back with one
without=$(book $user_a "$t" -N1 -w n4) with=$(book $user_a "$t" -N1 -w n5)
check "they are booked" all told_booked "$without" "$with"
one=(--book --begin="$(slurm_time "$t")" --time=1 -N1)
both=$(job $user_a 1 "${one[@]}" -w n1 : "${one[@]}" -w n2)
check "and one of two parts" all told_booked "$both" $((both + 1))
unknown=$(job $user_a 1 "${one[@]}" -w n3 : "${one[@]}" -w n6)
check "and another" all told_booked "$unknown" $((unknown + 1))
jobs_keep
cp "$state/resv_state" "$out/resv_state"
cp -a "$state/hash.$((with % 10))/job.$with" "$out/script"
ctld_start
wait_for 5 scontrol show reservation rspb_waiting
kill9
rm -f "$state/job_state" "$state/job_state.old"
check "slurmctld starts without one" ctld_start
kept_on() {
	scontrol -o show reservation "kept_$1" 2>/dev/null |
		grep -E "Nodes=$2 .*BurstBuffer=rspb: booked"
}
both_kept() {
	kept_on "$without" n4 && kept_on "$with" n5 && both_parts
}
both_parts() {
	kept_on "$both" n1 && kept_on $((both + 1)) n2
}
check "their nodes are kept" wait_for 5 both_kept
ctld_stop
cp "$state/resv_state" "$out/resv_kept"
jobs_older
resv_older "$out/resv_state"
# as if its window were over
sed -i "/\"leader\":$unknown,/d" "$state/rspb.journal"
rm -rf "$state/hash.$((with % 10))/job.$with"
cp -a "$out/script" "$state/hash.$((with % 10))/job.$with"
check "slurmctld starts with an older one" ctld_start
check "Slurm has failed the one without script" wait_for 5 is_state "$without" FAILED
check "its node is kept" wait_for 5 kept_on "$without" n4
check "which its contract says" eval \
	'contract "$without" | grep "rspb: cancelled .*--reservation=kept_$without"'
check "the nodes of both parts are kept" wait_for 5 both_parts
check "though Slurm has failed the first of them only" is_state "$both" FAILED
check "so the other is ended" wait_for 5 gone $((both + 1))
check "and says where its node is" eval \
	'contract $((both + 1)) | grep "rspb: cancelled .*--reservation=kept_$((both + 1))"'
check "and has no reservation of its own" eval '! there "rspb_${both}_1"'
check "so is one of which the journal knows nothing" wait_for 5 gone $((unknown + 1))
check "which has no reservation either" wait_for 5 not_there "rspb_${unknown}_1"
check "the other is booked" booked "$with"
check "in its own reservation" wait_for 5 has_resv "$with"
kept_not() {
	! scontrol -o show reservation "kept_$1" 2>/dev/null | grep Nodes=
}
check "and nothing is kept for it" kept_not "$with"
kill9
resv_older "$out/resv_state"
check "slurmctld starts once more" ctld_start
check "the node is kept still" wait_for 5 kept_on "$without" n4
check "so are those of the parts" wait_for 5 both_parts
check "and the other booked" booked "$with"
kill9
resv_older "$out/resv_kept"
check "slurmctld starts with what was kept for both" ctld_start
check "the one that is there is booked" booked "$with"
check "in its reservation" wait_for 5 has_resv "$with"
check "and nothing more is kept for it" wait_for 5 kept_not "$with"
check "which is in nobody's way" eval '! said "kept_$with is in the way"'
check "for the other one it is" wait_for 5 kept_on "$without" n4
again=$(job $user_a 60 --reservation="kept_$without")
check "its owner can submit it again" test -n "$again"
as $user_a scancel "$again" "$with"
scontrol delete reservationname="kept_$without"
sleep 0.1
kill9
check "slurmctld starts after that was deleted" ctld_start
sleep 2
check "and it is not made again" kept_not "$without"

note "kept for a job, lost and made again; and then both as they were first"
twice=$(book $user_a $((t + 3600)) -N1 -w n6)
check "one is booked" told_booked "$twice"
jobs_keep
cp -a "$state/hash.$((twice % 10))/job.$twice" "$out/script_twice"
rm "$state"/job_state*
check "slurmctld starts without jobs" ctld_start
check "it is kept" wait_for 5 kept_on "$twice" n6
ctld_stop
cp "$state/resv_state" "$out/resv_first"
rm "$state"/resv_state*
check "slurmctld starts without reservations" ctld_start
check "it is kept anew" wait_for 5 kept_on "$twice" n6
ctld_stop
jobs_older
resv_older "$out/resv_first"
cp -a "$out/script_twice" "$state/hash.$((twice % 10))/job.$twice"
check "slurmctld starts with both as they were first" ctld_start
check "it is booked" wait_for 5 booked "$twice"
check "in its own reservation" wait_for 5 has_resv "$twice"
check "and nothing is kept for it" wait_for 5 kept_not "$twice"
as $user_a scancel "$twice"

note "an operator's reservation that is lost, made again and deleted, and an older file"
scontrol create reservation reservationname=once users=root \
	starttime="$(slurm_time "$t")" duration=10 flags=any_nodes \
	burstbuffer="rspb:nodes=2" >/dev/null
once_booked() {
	scontrol -o show reservation once | grep -q 'BurstBuffer=rspb: booked'
}
check "it is booked" wait_for 5 once_booked
ctld_stop
cp "$state/resv_state" "$out/resv_once"
rm "$state"/resv_state*
check "slurmctld starts without it" ctld_start
check "it is made again" wait_for 5 once_booked
sleep 1
check "it can be deleted" scontrol delete reservationname=once
sleep 0.2
kill9
resv_older "$out/resv_once"
check "slurmctld starts with it as it was first" ctld_start
once_gone() {
	scontrol ping | grep -q UP && ! scontrol show reservation once
}
check "it is deleted again" wait_for 5 once_gone

note "an older file of Slurm's jobs, and a reservation that was made since"
# A reservation is made two minutes before the start, at the latest.
sed -i 's/^ReserveAhead=.*/ReserveAhead=2m/' "$cluster/etc/rspb.conf"
reconfigure
later=$(book $user_a "$(ahead 145)" -N1 -w n6)
in_resv() {
	[ "$(field "$1" Reservation)" = "$2" ] || { scontrol show job "$1"; return 1; }
}
check "one that starts in more than two minutes is booked" told_booked "$later"
check "its job waits without a reservation of its own" wait_for 5 in_resv "$later" rspb_later
jobs_keep
ctld_start
later_saved() {
	grep -aq "rspb_$later" "$state/resv_state"
}
check "its reservation is made and saved" wait_for 40 later_saved
kill9
jobs_older
check "slurmctld starts with a job that is older than its reservation" ctld_start
check "the job is put into its reservation" wait_for 10 in_resv "$later" "rspb_$later"
as $user_a scancel "$later"
