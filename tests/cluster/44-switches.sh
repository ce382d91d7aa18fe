# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Parts of several nodes: --switches is a rule of where they lie, of a range of nodes they
# have as few as hold their tasks.
# Takes 60 s.
cat >"$folder/slurm.conf" <<'CONF'
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
NodeName=n[1-4] Sockets=2 CoresPerSocket=4 CPUs=8 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
CONF
printf '%s\n' JournalKeep=1d MaxBookedPercent=100 MaxWaitingPerUser=0 \
	MaxAheadPerUser=0 >"$folder/rspb.conf"
cluster_up --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" || exit 1
cat >"$cluster/etc/topology.conf" <<'TEXT'
SwitchName=s1 Nodes=n[1-2]
SwitchName=s2 Nodes=n[3-4]
SwitchName=top Switches=s[1-2]
TEXT
topology_start tree
check "slurmctld has a tree" grep -q s1 <<<"$(scontrol show topology)"
check "and takes bookings" wait_for 20 scontrol show reservation rspb_waiting


t=$(ahead 3600)
a=$(book $user_a "$t" --time=30 -n6 -w n1)
b=$(book $user_a "$t" --time=30 -n6 -w n3)
check "a node of each switch is nearly full" booked "$a" "$b"
c=$(book $user_b "$t" -N2 -n4 --switches=1)
check "two cores of each of two nodes on one switch" booked "$c"
check "are of nodes on one, no whole ones" contract_says "$c" ' nodes=2/2 leaves=1 cores=2 '
o=$(book $user_b "$t" -N2 -n6 --switches=1)
check "six have room on one, two and four" booked "$o"
check "and are there" contract_says "$o" ' nodes=2/2 leaves=1 '
as $user_b scancel "$o"
wait_for 10 is_booking "$o" cancelled
d=$(book $user_b "$t" -N2 -n12 --switches=1)
check "twelve have room on two alone: declined" declined "$d"
check "the reason says so" contract_says "$d" \
	'6 cores on 2 nodes requested .*fewer are free on 1 switch then'
e=$(book $user_b "$t" -N2 -n12)
check "without a rule they are booked" booked "$e"
check "on two" contract_says "$e" ' leaves=2 '
as $user_b scancel "$c" "$d" "$e"
f=$(as $user_b sbatch --parsable --book --begin="$(slurm_time "$t")" \
	--deadline="$(slurm_time $((t + 20000)))" --time=20 -N2 -n12 --switches=1 job.sh 1)
check "with a deadline they wait for one" booked "$f"
check "and have it" contract_says "$f" ' leaves=1 '
g=$(as $user_b sbatch --parsable --book=asap --begin="$(slurm_time "$t")" \
	--time=1 -N2 -n12 --switches=1@2 job.sh 1)
check "@ some minutes: no longer than that" booked "$g"
check "then on two, as cores" contract_says "$g" ' nodes=2/2 leaves=2 cores=6 '
as $user_a scancel "$a" "$b"
as $user_b scancel "$f" "$g"

note "a range of nodes"
j=$(book $user_a "$t" -N1-3 -n6)
k=$(book $user_a "$((t + 3600))" -N1-3 -n12)
l=$(book $user_a "$((t + 7200))" -N2-3 --mem=100)
check "three with one are booked" booked "$j" "$k" "$l"
check "six tasks on one to three nodes have one" contract_says "$j" ' nodes=1/1 leaves=1 cores=6 '
check "twelve two" contract_says "$k" ' nodes=2/2 leaves=[12] cores=6 '
check "without tasks as many nodes as there are" contract_says "$l" ' nodes=3/3 '
as $user_a scancel "$j" "$k" "$l"

t=$(ahead 40)
m=$(book $user_b "$t" -N1-2 -n10)
h=$(as $user_a sbatch --parsable --book --begin="$(slurm_time "$t")" --time=1 \
	-N2 -n4 --switches=1 job.sh 1)
check "one soon is booked" booked "$h"
i=$(job $user_b 60 -N4 -n4 --time=5)
check "an ordinary job has other cores of these nodes" wait_for 20 is_state "$i" RUNNING
check "it starts on its second" starts_at "$h" "$t"
check "and so does ten tasks on one to two nodes" starts_at "$m" "$t"
check "with all of them" grep -qx 10 <<<"$(field "$m" NumCPUs)"
check "decided again, it comes out the same" decides_the_same
