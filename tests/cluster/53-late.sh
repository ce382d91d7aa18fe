# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A booking far ahead has no reservation in Slurm until its start is near: nobody gets
# its nodes all the same, it survives what others do, and it starts on its second.
# Takes 80 s.
printf '%s\n' ReserveAhead=10m DebugLocks=yes >"$folder/rspb.conf"
cluster_up --nodes 4 --rspb-conf "$folder/rspb.conf" || exit 1

PATH=$cluster/rspb/bin:$PATH

runs() {
	[ "$(job_state "$1")" = RUNNING ]
}
waits() {
	[ "$(job_state "$1")" = PENDING ]
}
on_of() {
	contract "$1" | sed -n 's/.* on=\([^ ]*\).*/\1/p'
}
stand() {
	local id
	for id in "$@"; do
		is_booking "$id" booked || { contract "$id"; return 1; }
	done
}

note "far and near"
near=$(book $user_a "$(ahead 300)" -N1 -t 2)
far=$(book $user_a "$(ahead 3600)" -N4 -t 10)
pair=$(as $user_b sbatch --parsable -o /dev/null --book -N1 -t 5 \
	--begin="$(slurm_time "$(ahead 7200)")" : --book -N2 -t 5 job.sh 1)
check "three are booked" booked "$near" "$far" "$pair"
check "one that is near has a reservation" there "rspb_$near"
check "one that is not has none" not_there "rspb_$far"
check "nor has a part of one" not_there "rspb_${pair}_1"
check "their jobs wait beside those who ask" waits_in "$far" rspb_later
check "all parts of them" waits_in "$((pair + 1))" rspb_later
check "Slurm tells when they start" [ "$(squeue -h --start -j "$far" -o %S)" \
	= "$(slurm_time "$(granted "$far" start)")" ]
check "what is theirs is nobody else's" declined \
	"$(book $user_b "$(ahead 3500)" -N1 -t 30)"

note "ordinary jobs"
long=$(job $user_b 300 -N1 -t 120)
short=$(job $user_b 1 -N1 -t 10)
check "a short one runs before" wait_for 30 began "$short"
sleep 3
check "one that would still run does not begin" waits "$long"
scancel "$long"

note "an owner's change"
check "earlier" as $user_a rspb modify "$far" --begin=now+12m
check "and near" as $user_a rspb modify "$far" --begin=now+8m
check "which gives it its reservation" wait_for 5 there "rspb_$far"
check "with its job" waits_in "$far" "rspb_$far"
check "far again" as $user_a rspb modify "$far" --begin=now+1hour
check "it stands" stand "$far" "$pair"

note "a partition that is down while a reservation is due"
due=$(book $user_a "$(ahead 606)" -N1 -t 2)
check "one that is just not near yet is booked" booked "$due"
scontrol update partitionname=main state=down
check "it gets its reservation all the same" wait_for 20 there "rspb_$due"
check "with its job" waits_in "$due" "rspb_$due"
check "its owner is told" wait_for 5 contract_says "$due" 'partition main is DOWN'
check "slurmctld is killed before it saves that" ctld_stop KILL
check "and comes back while the partition is down" ctld_start
check "all bookings stand" stand "$due" "$far" "$near" "$pair"
scontrol update partitionname=main state=up
check "they do once it is up" stand "$due" "$far" "$near" "$pair"

note "an operator's maintenance over all that is booked then"
at=$(granted "$pair" start)
node=$(on_of "$pair")
check "is made" scontrol create reservation reservationname=fix \
	starttime="$(slurm_time $((at - 60)))" duration=20 user=root \
	nodes="$node" flags=maint,ignore_jobs
elsewhere() {
	stand "$pair" && [ "$(on_of "$pair")" != "$node" ] ||
		{ contract "$pair"; return 1; }
}
check "the booking has other nodes" wait_for 10 elsewhere
check "still without a reservation" not_there "rspb_$pair"
check "the maintenance goes" scontrol delete reservationname=fix

note "somebody deletes the room where they wait"
others=$(for i in 1 2 3; do book $user_a "$(ahead $((9000 + 600 * i)))" -N4 -t 5; done)
check "more are booked" booked $others
# Slurm may say that it is in use
scontrol delete reservationname=rspb_later 2>/dev/null
check "it is there again" wait_for 15 there rspb_later
for id in $((pair + 1)) $others; do
	check "with all of them" wait_for 10 waits_in "$id" rspb_later
done
check "none is lost" stand "$far" "$pair" $others

note "an operator changes the rooms"
room() {
	scontrol -o show reservation "$1" | sed 's/ Duration=[^ ]*//'
}
as_it_was() {
	[ "$(room "$1")" = "$2" ] || { room "$1"; return 1; }
}
for name in rspb_later rspb_waiting; do
	was=$(room $name)
	check "$name is for all, far away" grep -E 'StartTime=2037-01-01.*(Users=-daemon|Accounts=root)' \
		<<<"$was"
	for edit in users=root "nodes=n1 starttime=now" "flags=maint,overlap users=$user_b" \
		"starttime=$(slurm_time "$(ahead 60)") burstbuffer=x"; do
		# shellcheck disable=SC2086
		scontrol update reservationname=$name $edit >"$out/said" 2>&1
		# Slurm itself refuses users without access to it until then.
		check "$edit: $name is as it was within seconds" wait_for 4 as_it_was $name "$was"
		far_too=$(book $user_a "$(ahead 86400)" -N1 -t 5)
		check "$edit: what is asked then is booked" booked "$far_too"
		check "$edit: and its job is where the others are" wait_for 5 waits_in "$far_too" rspb_later
		as $user_a scancel "$far_too"
	done
done
check "none of theirs is lost" stand "$far" "$pair" $others
sleep 3
check "which is told once for each" [ "$(grep -c 'was changed, and the change was undone' \
	"$cluster/log/slurmctld.log")" -le 10 ]

note "a room that was magnetic leaves no pointer behind when it is deleted"
no_magnet() {
	! room rspb_waiting | grep MAGNETIC
}
for _ in 1 2 3; do
	scontrol update reservationname=rspb_waiting flags+=magnetic 2>>"$out/said"
	check "flags+=magnetic is undone" wait_for 4 no_magnet
done
# While it is magnetic, Slurm counts its entries in the list when it is deleted.
scontrol update reservationname=rspb_waiting flags+=magnetic 2>>"$out/said"
scontrol delete reservationname=rspb_waiting 2>>"$out/said"
check "the room is there again" wait_for 15 there rspb_waiting
listed_twice() {
	grep 'magnetic_resv_list contained' "$cluster/log/slurmctld.log"
}
check "Slurm had it in its list of magnetic reservations once" eval '! listed_twice'

note "after a crash"
ctld_stop KILL
ctld_start
sleep 2
check "all stand" stand "$near" "$far" "$pair" $others
check "without reservations" not_there "rspb_${pair}_0"
check "in their room" waits_in "$((pair + 1))" rspb_later
check "what is theirs is still nobody else's" declined \
	"$(book $user_b "$(ahead 9600)" -N1 -t 5)"

note "given back"
set -- $others
check "one is" as $user_a rspb cancel "$1"
check "it is over" wait_for 5 is_booking "$1" cancelled
check "its nodes can be had" booked "$(book $user_b "$(granted "$1" start)" -N1 -t 5)"
as $user_a scancel "$2"
check "one is cancelled with its job" wait_for 5 is_booking "$2" cancelled

note "the start comes near"
second=$(($(ahead 25)))
check "on a second that is near" as $user_a rspb modify "$far" \
	--begin="$(slurm_time $second)" -N2
check "it runs" wait_for 40 runs "$far"
check "since that second" starts_at "$far" $second
check "what is far is as it was" stand "$pair"

note "with reservations from the first on"
sed -i 's/^ReserveAhead=.*/ReserveAhead=0/' "$cluster/etc/rspb.conf"
reconfigure
check "all get theirs" wait_for 20 there "rspb_${pair}_1"
check "their room goes" wait_for 20 not_there rspb_later
check "all stand" stand "$pair"
scancel -u $user_a
scancel -u $user_b
check "nothing is left" nothing_left
