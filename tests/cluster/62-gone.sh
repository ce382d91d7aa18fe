# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Nodes that slurm.conf has no more, under bookings: none keeps fewer than it was promised.
# Takes 30 s.
# quickstart starts a slurmd for each node that it finds in its own file.
printf '%s\n' "NodeName=x1 CPUs=4 RealMemory=4000 NodeAddr=127.0.0.1 Port=9 State=CLOUD" \
	>"$folder/cloud.conf"
printf '%s\n' SuspendProgram=/bin/true ResumeProgram=/bin/true SuspendTime=86400 \
	PrivateData=cloud "Include $folder/cloud.conf" >"$folder/slurm.conf"
# All are reservations of Slurm, which makes do with what is left of their nodes.
echo ReserveAhead=0 >"$folder/rspb.conf"
cluster_up --nodes 3 --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" || exit 1

where() {
	scontrol -o show reservation "rspb_$1" | sed 's/.* Nodes=\([^ ]*\).*/\1/'
}
# at JOB NODES START: that many in Slurm's own record, none that is gone, and then.
at() {
	scontrol -o show reservation "rspb_$1" >"$out/at"
	grep -F " NodeCnt=$2 " "$out/at" && ! grep -F x1 "$out/at" &&
		grep -F " StartTime=$(slurm_time "$3") " "$out/at" || {
		cat "$out/at"
		contract "$1"
		return 1
	}
}

t=$(ahead 7200)
first=$(book $user_a "$t" -w "n[1-2]")
check "two nodes are booked" booked "$first"
wide=$(job $user_a 1 --book --begin="$(slurm_time "$t")" --time=1 -N2 \
	--deadline="$(slurm_time $((t + 7200)))")
check "a window on two others" booked "$wide"
check "one of which will be gone" grep -xF 'n3,x1' <<<"$(where "$wide")"
fixed=$(book $user_b $((t + 600)) -N3 -x n1)
check "and a start of its own on three" booked "$fixed"
held=$(book $user_b $((t + 1200)) -N2 -x n1,n2)
check "and another" booked "$held"
scancel "$first"
check "the two nodes come free" wait_for 10 gone "$first"

note "one node is gone"
check "slurmctld stops" ctld_stop
echo "# none" >"$folder/cloud.conf"
check "and starts without it" ctld_start
check "the window has two nodes, at its start" wait_for 15 at "$wide" 2 "$t"
check "it stands" is_booking "$wide" booked
check "who can't have as many is told so" wait_for 15 is_booking "$fixed" declined
check "the other, too" wait_for 15 is_booking "$held" declined
check "nothing of theirs is left" wait_for 10 eval \
	'[ "$(our_reservations)" = "rspb_$wide" ]'
