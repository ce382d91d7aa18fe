# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Where nodes hang on switches: bookings and ordinary jobs lie on as few of them as will
# do, --switches is a rule of the search, the contract says over how many.
# Takes 60 s.
echo JournalKeep=1d >"$folder/rspb.conf"
cluster_up --nodes 8 --rspb-conf "$folder/rspb.conf" || exit 1
cat >"$cluster/etc/topology.conf" <<'TEXT'
SwitchName=s1 Nodes=n[1-4]
SwitchName=s2 Nodes=n[5-8]
SwitchName=top Switches=s[1-2]
TEXT
topology_start tree
check "slurmctld has a tree" grep -q s1 <<<"$(scontrol show topology)"
check "and takes bookings" wait_for 20 scontrol show reservation rspb_waiting

t=$(ahead 3600)
over() {
	contract "$1" | grep -qE "leaves=$2( |$)" || { contract "$1"; return 1; }
}
on() {
	contract "$1" | grep -qE "on=$2( |$)" || { contract "$1"; return 1; }
}

note "bookings"
a=$(book $user_a "$t" --time=30 -N3 -w 'n[1-2],n5')
check "named nodes of two switches" booked "$a"
check "the contract says so" over "$a" 2
b=$(book $user_a "$t" -N2)
check "two more" booked "$b"
check "are where just two are left" on "$b" 'n\[3-4\]'
check "on one switch" over "$b" 1
c=$(book $user_a "$((t + 3600))" -N5)
check "more than one switch has" booked "$c"
check "are on one and a node of the other" over "$c" 2
check "the whole of one" grep -qE 'on=(n\[1-4,[5-8]\]|n\[[1-4],5-8\]|n\[1-5\]|n\[4-8\])' \
	<<<"$(contract "$c")"

note "--switches"
as $user_a scancel "$b"
d=$(book $user_a "$t" -N4 --switches=1)
check "more than one has then: declined" declined "$d"
check "the reason says so" grep -q 'fewer are free on 1 switch' \
	<<<"$(contract "$d")"
check "and what else there is" grep -q 'on offer: ' \
	<<<"$(contract "$d")"
as $user_a scancel "$d"
e=$(as $user_a sbatch --parsable --book --begin="$(slurm_time "$t")" \
	--deadline="$(slurm_time $((t + 20000)))" --time=20 -N4 --switches=1 job.sh 1)
check "with a deadline it waits for one" booked "$e"
check "and has it" over "$e" 1
f=$(as $user_a sbatch --parsable --book=asap --begin="$(slurm_time "$t")" \
	--time=1 -N4 --switches=1@2 job.sh 1)
check "@ some minutes: no longer than that" booked "$f"
check "then on two" over "$f" 2
as $user_a scancel "$a" "$c" "$e" "$f"

note "ordinary jobs"
g=$(book $user_a "$t" -N2 -w n4,n8)
check "a node of each switch is booked" booked "$g"
h=$(job $user_b 30 -N2 --time=5)
check "an ordinary job of two nodes runs" wait_for 20 is_state "$h" RUNNING
one_leaf() {
	local nodes
	nodes=$(field "$1" NodeList)
	[[ $nodes =~ ^n\[[1-4][-,][1-4]\]$ || $nodes =~ ^n\[[5-8][-,][5-8]\]$ ]] ||
		{ echo "$nodes"; return 1; }
}
check "on one switch" one_leaf "$h"
as $user_b scancel "$h"
as $user_a scancel "$g"

note "a start"
t=$(ahead 20)
i=$(as $user_a sbatch --parsable --book --begin="$(slurm_time "$t")" --time=1 -N4 \
	--switches=1 job.sh 1)
check "--switches=1 is booked" booked "$i"
check "and starts on its second" starts_at "$i" "$t"
check "decided again, it comes out the same" decides_the_same
