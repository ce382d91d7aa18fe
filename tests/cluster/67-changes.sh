# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What was changed outlives slurmctld, killed in the moment it is answered; where
# the journal can't be written it is refused. Takes 80 s.
# what Slurm has of bookings is looked at long before their start
printf "%s\n" ChargePercent=100 ReserveAhead=0 >"$folder/rspb.conf"
cluster_up --nodes 6 --rspb-conf "$folder/rspb.conf" || exit 1
PATH=$cluster/rspb/bin:$PATH
journal=$cluster/state/rspb.journal
modify() {
	as $user_a rspb modify "$@"
}
# hold: Slurm does not save jobs, till restart.
hold() {
	mkdir -p "$cluster/state/job_state.new"
}
restart() {
	ctld_stop KILL
	rm -rf "$cluster/state/job_state.new"
	ctld_start
}
# is JOB NODES MINUTES: job, contract and reservation.
is() {
	local job resv
	job=$(scontrol -o show job "$1")
	resv=$(scontrol -o show reservation "rspb_$1")
	grep -q " TimeLimit=00:$3:00 " <<<"$job" &&
		grep -q " NumNodes=$2\(-$2\)\? " <<<"$job" &&
		grep -q "rspb: \(booked\|active\) .*nodes=$2/$2 .*duration=$((
			10#$3 * 60))s" <<<"$job" &&
		grep -q " Duration=00:$3:0. .* NodeCnt=$2 " <<<"$resv" ||
		{ printf '%s\n' "$job" "$resv"; return 1; }
}
# size JOB: what Slurm has of it.
size() {
	scontrol -o show job "$1" | tr ' ' '\n' |
		grep -E '^(NumNodes|NumCPUs|NumTasks|TimeLimit|TRES)='
}
t=$(ahead 3600)
one=$(book $user_a "$t" -N2)
two=$(book $user_a $((t + 3600)) -N3)
# where slurmctld has just begun, its nodes and its first save are waited for
check "booked" wait_for 10 booked "$two"
scontrol create reservation reservationname=maint users=root \
	starttime="$(slurm_time $((t + 7200)))" duration=10 flags=any_nodes \
	burstbuffer="rspb:nodes=2" >/dev/null
resv() {
	scontrol -o show reservation maint
}
check "an operator's" wait_for 10 eval 'resv | grep "rspb: booked"'
runs=$(as $user_b sbatch --parsable --book -N1 -t 10 -o /dev/null \
	--begin="$(slurm_time "$(ahead 12)")" --wrap "sleep 600")
check "one that runs" wait_for 20 is_booking "$runs" active
# All is in Slurm's files by now as it was booked first.
sleep 6

note "by its owner"
hold
check "more and longer" modify "$one" -N4 -t 25
was=$(size "$one")
check "slurmctld starts" restart
check "it is so" wait_for 5 is "$one" 4 25
[ "$was" = "$(size "$one")" ] && ok "tasks and CPUs, too" ||
	not_ok "it was $was, is $(size "$one")"
hold
# Its node has to answer first.
check "longer, while it runs" \
	wait_for 10 as $user_b rspb modify "$runs" -t 20
check "slurmctld starts" restart
check "it runs on for so long" wait_for 5 is "$runs" 1 20
wide=$(as $user_b sbatch --parsable --book -N4 -t 10 -o /dev/null \
	--begin="$(slurm_time "$(ahead 12)")" --wrap "sleep 600")
check "another runs" wait_for 20 is_booking "$wide" active
wider() {
	local said
	said=$(as $user_b rspb modify "$wide" -N5 2>&1) && return 1
	grep "its job is running; it can have fewer" <<<"$said"
}
check "it cannot have more nodes" wait_for 10 wider
# until Slurm has saved it as it runs
sleep 6
hold
check "it gives two back" as $user_b rspb modify "$wide" -N2
check "with its reservation" wait_for 5 is "$wide" 2 10
# They were there for six seconds at least.
charged() {
	local seconds
	seconds=$(contract "$1" | sed -n 's/.* charged=\([0-9]*\)s.*/\1/p')
	[ "${seconds:-0}" -ge "$2" ] && [ "$seconds" -le "$3" ] ||
		{ contract "$1"; return 1; }
}
check "which are charged until then" charged "$wide" 12 100
check "slurmctld starts" restart
check "they stay given back" wait_for 5 is "$wide" 2 10
check "and charged" charged "$wide" 12 100
smaller() {
	as $user_b scontrol update job="$wide" NumNodes=1 &&
		wait_for 2 is "$wide" 1 10
}
# Its nodes have to answer first; a try takes six seconds.
check "one more, by scontrol" wait_for 20 smaller
next=$(as $user_a sbatch --parsable --book -N4 -t 2 -o /dev/null --wrap true)
check "others have what is given back" wait_for 10 is_booking "$next" completed
check "its script runs on" is_state "$wide" RUNNING
limit() {
	sed -i "$1" "$SLURM_CONF" && reconfigure
}
check "no job may give up nodes" \
	limit 's/^SchedulerParameters=/&disable_job_shrink,/'
check "it can have another time all the same" as $user_b rspb modify "$wide" -t 12
check "and has it" wait_for 5 is "$wide" 1 12
check "also while it is suspended" scontrol suspend "$wide"
check "as it was" as $user_b rspb modify "$wide" -t 10
scontrol resume "$wide"
check "as before" limit 's/disable_job_shrink,//'
as $user_b scancel "$wide"
# 600 s of the one that is left, 30 s or so of the others
check "all of it is charged in the end" wait_for 10 charged "$wide" 612 900
hold
check "fewer and shorter" modify "$two" -N1 -t 5
check "slurmctld starts again" restart
check "that is so, too" wait_for 5 is "$two" 1 05
check "the other stays" is "$one" 4 25
hold
check "given back" as $user_a rspb release "$two"
check "slurmctld starts after that" restart
released() {
	contract "$1" | grep "rspb: cancelled" &&
		! scontrol show reservation "rspb_$1"
}
check "it is not booked any more" wait_for 5 released "$two"
hold
check "cancelled" as $user_a rspb cancel "$one"
# Slurm itself answers that, and is not asked before.
sleep 0.2
check "slurmctld starts at last" restart
over() {
	! squeue -h -t PD -o %A | grep -x "$1"
}
check "it stays cancelled" wait_for 5 over "$one"

note "what was declined"
late=$(book $user_a $((t + 7200)) -N6)
later=$(book $user_a $((t + 7200)) -N6)
check "one" wait_for 15 declined "$late"
check "and another" wait_for 15 declined "$later"
# Whose job was not saved is nobody's loss.
sleep 6
hold
as $user_a scancel "$late"
sleep 0.2
check "slurmctld starts" restart
check "it stays cancelled" wait_for 5 over "$late"
check "the other stays declined" wait_for 5 declined "$later"
as $user_a scancel "$later"

note "while the journal can't be written"
three=$(book $user_a "$t" -N2)
check "one more" wait_for 15 booked "$three"
was=$(contract "$three") resv_was=$(resv | grep -o " StartTime=.* EndTime=[^ ]*")
mkdir -p "$journal.new/full"
rm "$journal"
refused() {
	local said
	said=$(modify "$three" -N4 2>&1) && return 1
	grep "nothing can be changed now: .*rspb.journal" <<<"$said"
}
check "its owner is told" refused
check "it is as it was" [ "$was" = "$(contract "$three")" ]
scontrol update reservationname=maint duration=30
resv_refused() {
	resv | grep -F "$resv_was" && resv |
		grep "stays as it was booked: nothing can be changed now"
}
check "the operator is told, too" wait_for 5 resv_refused
rm -r "$journal.new"
check "with room it can be changed" wait_for 3 modify "$three" -N4
scontrol update reservationname=maint duration=30
longer() {
	resv | grep "Duration=00:30:00 .*rspb: booked .*duration=1800s"
}
check "and that, too" wait_for 5 longer
check "slurmctld starts" restart
check "all is so" wait_for 5 is "$three" 4 01
check "and that" wait_for 5 longer
