# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A booked share that is far ahead has no reservation in Slurm until its start is near:
# what it is promised is nobody else's all the same.
# Takes 45 s.
limits="DefaultTime=10 MaxTime=1-00:00:00"
cat >"$folder/slurm.conf" <<CONF
SelectTypeParameters=CR_Core_Memory
DefMemPerNode=300
NodeName=n1 CPUs=4 RealMemory=4000 Feature=mixed
NodeName=n2 CPUs=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES $limits
PartitionName=batch Nodes=ALL OverSubscribe=FORCE:1 $limits
PartitionName=shared Nodes=ALL OverSubscribe=FORCE:16 $limits
CONF
printf '%s\n' ReserveAhead=10m DebugLocks=yes DedicatedShare=50 \
	Colocate=no,mixed:yes >"$folder/rspb.conf"
cluster_up --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" || exit 1

PATH=$cluster/rspb/bin:$PATH

# share NODE PCT SECONDS [options]: a job of so many seconds with a share of the node.
share() {
	local node=$1 pct=$2 seconds=$3
	shift 3
	job $user_a "$seconds" -p shared -w "$node" --book --cpu-share="$pct" "$@"
}
# beside NODE [options]: an ordinary job of another user.
beside() {
	local node=$1
	shift
	job $user_b 200 -p batch -w "$node" -N1 "$@"
}
in_an_hour() {
	slurm_time "$(ahead 3600)"
}
runs() {
	wait_for 20 is_state "$1" RUNNING
}
waits() {
	wait_for 20 looked_at "$1" && is_state "$1" PENDING
}
cores_of() {
	scontrol show reservation "rspb_$1" | grep -o 'CoreCnt=[0-9]*'
}

note "far"
at=$(in_an_hour)
one=$(share n1 30 1 --begin="$at" -t 30)
two=$(share n1 20 4 --begin="$at" -t 30)
off=$(share n2 40 4 --begin="$at" -t 30)
check "three are booked" booked "$one" "$two" "$off"
for id in $one $two $off; do
	check "without a reservation" not_there "rspb_$id"
	check "their jobs wait beside those who ask" waits_in "$id" rspb_later
done
check "no more than is dedicated" declined "$(share n1 10 1 --begin="$at" -t 30)"
check "nor the whole node" declined "$(job $user_b 1 -N1 -w n1 --exclusive \
	--book --begin="$at" -t 30)"

note "ordinary jobs"
wide=$(beside n1 -n3 -t 120)
check "one that would have more than its half keeps off" waits "$wide"
as $user_b scancel "$wide"
usual=$(beside n2 -n1 -t 120)
check "so does one where the site has nobody beside shares" waits "$usual"
as $user_b scancel "$usual"
short=$(job $user_b 1 -p batch -w n2 -N1 -n1 -t 10)
check "a short one runs before" wait_for 20 began "$short"
half=$(beside n1 -n2 -t 120)
check "one runs on the other half into the window" runs "$half"

note "after a crash"
sleep 5.5	# Slurm saves its state
ctld_stop KILL
ctld_start
sleep 2
for id in $one $two $off; do
	check "one stands" is_booking "$id" booked
	check "without a reservation" not_there "rspb_$id"
done
check "the ordinary job runs" is_state "$half" RUNNING
check "no more than is dedicated" declined "$(share n1 10 1 --begin="$at" -t 30)"

note "near"
second=$(ahead 20)
for id in $one $two; do
	check "an owner wants it now" as $user_a rspb modify "$id" \
		--begin="$(slurm_time $second)"
	check "it has a reservation" wait_for 5 there "rspb_$id"
	check "of the cores that are kept" [ "$(cores_of "$id")" = CoreCnt=2 ]
	check "its job is in it" waits_in "$id" "rspb_$id"
done
for id in $one $two; do
	check "it starts on its second" starts_at "$id" $second 1000
done
check "the ordinary job was not in the way" \
	[ "$(job_state "$half") $(field "$half" Restarts)" = "RUNNING 0" ]
check "the other one is as it was" waits_in "$off" rspb_later
scancel -u $user_a
scancel -u $user_b
check "nothing is left" wait_for 20 nothing_left
