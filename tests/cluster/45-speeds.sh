# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Nodes that differ in speed: a booking is as long as its slowest node takes, and its job,
# too, of one that has lost a node as well. Takes 80 s.
cat >"$folder/slurm.conf" <<'TEXT'
NodeName=n[1-2] CPUs=4 RealMemory=4000 Features=x,fast
NodeName=n[3-4] CPUs=4 RealMemory=4000
NodeName=n[5-6] CPUs=4 RealMemory=4000 Features=slow
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
TEXT
cat >"$folder/rspb.conf" <<'TEXT'
Speed=100%,fast:150%,slow:70%
JournalKeep=1d
OutageNotice=10d
TEXT
cluster_up --nodes 6 --conf "$folder/slurm.conf" \
	--rspb-conf "$folder/rspb.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"

# is_said JOB WORD...: its contract has all of these
is_said() {
	local word
	for word in "${@:2}"; do
		grep -qE " $word( |$)" <<<"$(contract "$1") " ||
			{ contract "$1"; return 1; }
	done
}
# lasts JOB MINUTES: it is booked for so long, and its job has that limit
lasts() {
	[ $(($(granted "$1" end) - $(granted "$1" start))) = $(($2 * 60)) ] &&
		scontrol -o show job "$1" |
		grep -q " TimeLimit=$(printf '%02d:%02d:00' $(($2 / 60)) $(($2 % 60))) " ||
		{ scontrol -o show job "$1"; return 1; }
}
whole() {
	! contract "$1" | grep -q reason=
}
is_limit() {
	[ "$(field "$1" TimeLimit)" = "$2" ] || { scontrol -o show job "$1"; return 1; }
}
begins() {
	[ "$(granted "$1" start)" = "$2" ] || { contract "$1"; return 1; }
}
t=$(ahead 3600)
first=$(book $user_a "$t" -N2 --time=30)
check "one is booked" booked "$first"
check "on the fastest nodes" is_said "$first" 'on=n\[1-2\]' speed=150 standard=1800s
check "for as long as it takes there" lasts "$first" 20
second=$(book $user_a "$t" -N1 --time=30)
check "another one is booked" booked "$second"
check "on a usual node" is_said "$second" 'on=n[34]' speed=100
check "for as long as it says" lasts "$second" 30
third=$(book $user_b "$t" -N2 --time=30)
check "one is left slow nodes" booked "$third"
check "one of them, and a usual one" is_said "$third" 'on=n\[[34][-,][56]\]' speed=70
check "the slowest of which counts, in whole minutes" lasts "$third" 43
check "it begins when it was to" begins "$third" "$t"
u=$((t + 86400))
fill=$(book $user_a "$u" -N4 -w 'n[1-4]' --time=20:00:00)
check "in another window all but slow ones are booked" booked "$fill"
late=$(book $user_b "$u" -N1 --time=30 --deadline="$(slurm_time $((u + 42 * 60)))")
check "what would be over behind its deadline there is declined" declined "$late"
check "its job asks for what it did" wait_for 5 is_limit "$late" 00:30:00
just=$(book $user_b "$u" -N1 --time=30 --deadline="$(slurm_time $((u + 43 * 60)))")
check "what is just over is not" booked "$just"
check "on a slow one" is_said "$just" 'on=n[56]' speed=70
part=$(book $user_b $((t + 7200)) -n1 -c1 --time=30)
check "part of a node is booked" booked "$part"
lasts_part() {
	is_said "$part" speed=150 cores=1 && lasts "$part" 20
}
check "for as long as that node takes" lasts_part

note "offers"
offered() {
	as $user_a rspb offers -N4 -t 30 --begin="$(slurm_time $((t + 43200)))" |
		grep -- '-N4 --time=30 '
}
check "are for nodes that are no slower than usual" offered

note "components of a heterogeneous job"
v=$((t + 172800))
pair=$(as $user_a sbatch --parsable -o /dev/null --time=30 --begin="$(slurm_time "$v")" \
	--book -N1 : --time=10 --book -N1 job.sh 1)
check "a pair is booked" booked "$pair"
check "on fast nodes, both" is_said "$pair" 'on=n[12]' speed=150 standard=1800s
check "the second, too" is_said $((pair + 1)) 'on=n[12]' speed=150 standard=600s
check "as long as the longer one takes there" lasts "$pair" 20
trio=$(as $user_b sbatch --parsable -o /dev/null --time=30 --begin="$(slurm_time "$v")" \
	--book -N2 : --time=10 --book -N1 job.sh 1)
check "a pair for which usual nodes are not enough is booked" booked "$trio"
check "reckoned for a slow one" is_said "$trio" speed=70
check "both of it" is_said $((trio + 1)) speed=70
check "as long as that takes" lasts "$trio" 43
as $user_b scancel "$trio"
as $user_a scancel "$pair"

note "a node fails, a slurmctld is killed"
as $user_a scancel "$second"
w=$((t + 259200))
fast=$(book $user_a "$w" -N2 --time=30 --deadline="$(slurm_time $((w + 30 * 60)))")
check "one with a window is on fast nodes" booked "$fast"
check "both of them" is_said "$fast" 'on=n\[1-2\]' speed=150
tight=$(book $user_b $((w + 86400)) -N4 --time=30 \
	--deadline="$(slurm_time $((w + 86400 + 42 * 60)))")
check "one on all but slow nodes, too" booked "$tight"
check "with a window too short for those" is_said "$tight" speed=100
scontrol update nodename=n1 state=drain reason=test
check "one that has lost a fast node has a usual one" wait_for 40 \
	is_said "$first" speed=100 standard=1800s
check "for as long as that takes" lasts "$first" 30
check "within its window so does the other one" wait_for 40 \
	is_said "$fast" speed=100 standard=1800s
check "for as long as that takes" lasts "$fast" 30
check "where the window is too short nothing slower is taken" wait_for 40 \
	is_said "$tight" speed=100 'reason=a node that is down or drained.*'
scontrol update nodename=n1 state=resume
check "and has it when it is back" wait_for 40 whole "$tight"
ctld_stop KILL
ctld_start
check "speed and length are kept" wait_for 60 is_said "$third" speed=70 standard=1800s
check "and the job's" lasts "$third" 43
check "its booking stands" booked "$third"
check "decided again from the journal" decides_the_same 3
