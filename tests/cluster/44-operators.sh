# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# An operator asks for cores of nodes by the tag of a reservation.
# Takes 80 s.
cat >"$folder/slurm.conf" <<CONF
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
NodeName=n[1-2] CPUs=16 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
CONF
echo JournalKeep=1d >"$folder/rspb.conf"
cluster_up --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" || exit 1

# asks NAME START TAG: of an operator, five minutes.
asks() {
	scontrol create reservation "reservation=$1" user=$user_b duration=5 \
		start="$(slurm_time "$2")" flags=any_nodes nodecnt=0 \
		"burstbuffer=rspb:$3" >>"$out/made" 2>&1 ||
		scontrol create reservation "reservation=$1" user=$user_b duration=5 \
			start="$(slurm_time "$2")" flags=any_nodes "burstbuffer=rspb:$3"
}
# said NAME PATTERN: its answer.
said() {
	scontrol -o show reservation "$1" | grep -E "BurstBuffer=rspb: [^=]*$2" ||
		{ scontrol show reservation "$1"; return 1; }
}
cores() {
	scontrol -o show reservation "$1" | grep " CoreCnt=$2 " ||
		{ scontrol show reservation "$1"; return 1; }
}

# On cores that the reservation would name, for longer than it lasts.
ordinary=$(job $user_a 300 -w n1 -n4 --time=10)
check "an ordinary job has four cores of a node" wait_for 20 is_state "$ordinary" \
	RUNNING
t=$(ahead 50)
check "an operator asks for cores" asks op "$t" "nodes=2,cores=8"
check "they are booked" wait_for 10 said op 'booked.* nodes=2/2 cores=8 '
check "and are what the reservation has" cores op 16
four=$(book $user_a "$t" -w n1 -n4)
check "the rest of the node can be booked" booked "$four"
check "but no more than it" declined "$(book $user_a "$t" -w n1 -n1)"
eight=$(book $user_a "$t" -w n2 -n8)
check "so it is on the other" booked "$eight"
check "not the node itself" declined "$(book $user_a "$t" -w n2 -N1)"
check "a range has no cores" asks range "$t" "nodes=1-2,cores=8"
check "which is said" wait_for 10 said range 'declined.*fixed number'
check "nor have nodes more than there are" asks large "$t" "nodes=2,cores=17"
check "which is said" wait_for 10 said large 'declined.*cores=17'
theirs=$(job $user_b 30 --reservation=op -N2 -n16 --ntasks-per-node=8 --time=2)
saved() {
	[ "$(stat -c %Y "$cluster/state/resv_state")" -gt "$submitted" ] &&
		[ "$(stat -c %Y "$cluster/state/job_state")" -gt "$submitted" ]
}
submitted=$EPOCHSECONDS
wait_for 15 saved >/dev/null
check "slurmctld is killed" ctld_stop KILL
check "and comes back" ctld_start
check "the cores are booked still" wait_for 10 said op 'booked.* nodes=2/2 cores=8 '
check "and reserved" wait_for 10 cores op 16
check "no more is left" declined "$(book $user_a "$t" -w n1 -n1)"
check "a part of the rest begins on its second" starts_at "$four" "$t" 1500
check "and the other" starts_at "$eight" "$t" 1500
check "who has the reservation gets its cores" wait_for 15 is_state "$theirs" RUNNING
check "the ordinary job runs on" is_state "$ordinary" RUNNING
check "others have what it leaves, no more" eval '
	more=$(job $user_a 5 -w n2 -N1 -n9 --time=1); sleep 3; is_state "$more" PENDING'
check "the journal decides the same again" decides_the_same 4
