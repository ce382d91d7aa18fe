# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Bookings of more nodes than a contract has room to name, which is 1,023
# characters, outlive slurmctld as others do. Takes 40 s.
odd=f[$(seq -s, 1 2 1023)]
even=f[$(seq -s, 2 2 1024)]
# quickstart starts a slurmd for each node that it finds in its own file.
cat >"$folder/far.conf" <<CONF
NodeName=$odd CPUs=4 RealMemory=4000 Feature=odd State=CLOUD NodeAddr=127.0.0.1 Port=9
NodeName=$even CPUs=4 RealMemory=4000 Feature=even State=CLOUD NodeAddr=127.0.0.1 Port=9
CONF
cat >"$folder/slurm.conf" <<CONF
NodeName=n1 CPUs=4 RealMemory=4000
Include $folder/far.conf
PrivateData=cloud
SuspendProgram=/bin/true
ResumeProgram=/bin/true
SuspendTime=86400
PartitionName=main Nodes=n1 Default=YES DefaultTime=10 MaxTime=60
PartitionName=far Nodes=f[1-1024] DefaultTime=10 MaxTime=60
CONF
# what Slurm has of bookings is looked at long before their start
echo ReserveAhead=0 >"$folder/rspb.conf"
cluster_up --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" || exit 1
state=$cluster/state

t=$(ahead 3600)
# place RESERVATION: its window and its nodes.
place() {
	scontrol -o show reservation "$1" | tr ' ' '\n' |
		grep -E '^(StartTime|EndTime|Nodes|NodeCnt)='
}
# stands RESERVATION PLACE
stands() {
	[ "$(place "$1")" = "$2" ] || { place "$1" | cut -c1-80; return 1; }
}
# nodes START NAMES: where a window of ten minutes on these is.
nodes() {
	printf 'StartTime=%s\nEndTime=%s\nNodes=%s\nNodeCnt=512' \
		"$(slurm_time "$1")" "$(slurm_time $(($1 + 600)))" "$2"
}

note "killed in the moment a booking is read"
far=(-p far -N512 --time=10)
for round in 1 2; do
	one=$(book $user_a $((t + 1200 * round)) "${far[@]}" -C odd)
	two=$(book $user_b $((t + 1200 * round)) "${far[@]}" -C even)
	check "$round: booked" told_booked "$one"
	check "$round: the other one, too" told_booked "$two"
	ctld_stop KILL
	check "$round: slurmctld comes back" ctld_start
	check "$round: it stands" booked "$one"
	check "$round: so does the other" booked "$two"
	check "$round: on its nodes" wait_for 5 \
		stands "rspb_$one" "$(nodes $((t + 1200 * round)) "$odd")"
	check "$round: on its nodes as well" wait_for 5 \
		stands "rspb_$two" "$(nodes $((t + 1200 * round)) "$even")"
done
decided_anew() {
	grep "cannot be kept" "$cluster/log/slurmctld.log"
}
check "none was decided anew" eval '! decided_anew'

note "reservations that Slurm has lost"
scontrol create reservation reservationname=maint users=root partition=far \
	starttime="$(slurm_time $((t + 7200)))" duration=10 flags=any_nodes \
	features=odd burstbuffer="rspb:nodes=512" >/dev/null
check "an operator's is booked" wait_for 5 \
	stands maint "$(nodes $((t + 7200)) "$odd")"
ctld_stop KILL
rm "$state"/resv_state*
check "slurmctld starts without reservations" ctld_start
check "the operator's is made again" wait_for 5 \
	stands maint "$(nodes $((t + 7200)) "$odd")"
check "a job's, too" wait_for 5 \
	stands "rspb_$one" "$(nodes $((t + 2400)) "$odd")"

note "a job that Slurm has lost"
ctld_stop
cp "$state/job_state" "$out/job_state"
ctld_start
check "requests are taken again" \
	wait_for 5 scontrol show reservation rspb_waiting
lost=$(book $user_a $((t + 9600)) "${far[@]}" -C even)
check "one is booked" told_booked "$lost"
ctld_stop KILL
cp "$out/job_state" "$state/job_state"
rm -f "$state/job_state.old"
check "slurmctld starts" ctld_start
check "no other was decided anew" eval '! decided_anew'
check "its nodes are kept" wait_for 5 \
	stands "kept_$lost" "$(nodes $((t + 9600)) "$even")"
