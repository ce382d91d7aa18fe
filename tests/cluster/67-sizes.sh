# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# An owner wants another part of a node than is booked: rspb modify -n, -c, --mem, --gpus.
# Takes 100 s.
touch "$folder"/gpu{0..3}
cat >"$folder/slurm.conf" <<CONF
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
GresTypes=gpu
NodeName=n[1-2] CPUs=16 RealMemory=4000 Gres=gpu:4
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
CONF
echo "NodeName=n[1-2] Name=gpu File=$folder/gpu[0-3]" >"$folder/gres.conf"
printf '%s\n' JournalKeep=1d MaxBookedPercent=100 ReserveAhead=0 >"$folder/rspb.conf"
cluster_up --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" \
	--gres-conf "$folder/gres.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"

# holds JOB PATTERN: in its contract.
holds() {
	grep -E "$2" <<<"$(contract "$1")"
}
# asks JOB FIELD VALUE
asks() {
	[ "$(field "$1" "$2")" = "$3" ] ||
		{ scontrol -d show job "$1"; return 1; }
}
change() {
	as $user_a rspb modify "$@"
}
# how many cores its reservation has
reserved() {
	[ "$(scontrol -o show reservation "rspb_$1" |
		sed 's/.* CoreCnt=\([0-9]*\).*/\1/')" = "$2" ] ||
		{ scontrol show reservation "rspb_$1"; return 1; }
}

t=$(ahead 90)
env_job=$(job $user_a 1 --book --begin="$(slurm_time "$t")" --time=1 -n2 \
	--mem=500 --gpus=1)
check "a part of a node is booked" booked "$env_job"
check "of two cores" holds "$env_job" ' cores=2 '
check "it can have more cores" says 0 'on 6 cores, .* of 1 node' \
	change "$env_job" -n 6
check "the contract says so" holds "$env_job" ' cores=6 '
check "its reservation has them" reserved "$env_job" 6
check "its job asks for them" asks "$env_job" NumTasks 6
check "and CPUs for each task" says 0 'on 8 cores, .* of ' change "$env_job" -n 4 -c 2
twice() {
	scontrol -o show job "$env_job" | grep ' NumTasks=4 CPUs/Task=2 '
}
check "its job asks for that" twice
check "and more GPUs and memory" says 0 'on 8 cores, .* of ' \
	change "$env_job" --gpus=3 --mem=2G
check "its job asks for that memory" asks "$env_job" MinMemoryNode 2G
other=$(book $user_b "$t" -w n1 -n8 --gpus=1)
check "what is left of the node others can have" booked "$other"
check "more than there is on any node is refused" says 1 'not|no 1 node' \
	change "$env_job" --gpus=5
check "so is what Slurm does not know" says 1 'generic|gres|invalid|Invalid' \
	change "$env_job" --gres=nothing:1
check "and nothing has changed" holds "$env_job" ' cores=8 '
check "nor its job" asks "$env_job" NumTasks 4
needs_of() {
	scontrol -o show job "$1" |
		grep -oE ' (NumNodes|NumCPUs|NumTasks|CPUs/Task|MinCPUsNode|MinMemory[A-Z]*|TRES)=[^ ]*'
}
needs_of "$env_job" >"$out/needs"
check "more tasks than the cluster has are refused" says 1 . \
	change "$env_job" --mem=1500 -n 9999
check "and its job is as it was" diff "$out/needs" <(needs_of "$env_job")
other2=$(book $user_b "$t" -w n2 -n16)
check "the other node is full" booked "$other2"
check "no core more can be had then" says 1 'core|free' change "$env_job" -n 9
check "it stands as it was" holds "$env_job" ' cores=8 '
check "its reservation, too" reserved "$env_job" 8
check "fewer always" says 0 'on 3 cores, .* of ' change "$env_job" -n 3 -c 1 --gpus=2
more=$(book $user_b "$t" -w n1 -n5 --gpus=1)
check "what it gave back others can have" booked "$more"
whole=$(book $user_a $((t + 7200)) -N1)
check "one of whole nodes" booked "$whole"
check "has no such size, which is said" says 1 'it has whole nodes' \
	change "$whole" -n 3

far=$(book $user_a $((t + 14400)) -n2)
check "one far ahead" booked "$far"
saved() {
	[ "$(stat -c %Y "$cluster/state/job_state")" -gt "$submitted" ]
}
submitted=$EPOCHSECONDS
wait_for 15 saved >/dev/null
check "it is to have four tasks" says 0 'on 4 cores, .* of ' change "$far" -n 4
check "slurmctld is killed" ctld_stop KILL
check "and comes back" ctld_start
check "the booking has four cores" wait_for 10 holds "$far" ' cores=4 '
check "and its job asks for them" wait_for 10 asks "$far" NumTasks 4
check "its reservation has them" wait_for 10 reserved "$far" 4

check "it begins on its second" starts_at "$env_job" "$t"
check "with its cores" asks "$env_job" NumCPUs 3
gpus() {
	scontrol -d show job "$env_job" | grep -E 'GRES=gpu[^ ]*:2\('
}
check "and GPUs" gpus
check "so does another" starts_at "$more" "$t"
check "the journal decides the same again" decides_the_same 3

note "what is scarcest of a node counts"
sed -i "s/rspb_MaxNodes=0/rspb_MaxNodes=1/" "$SLURM_CONF"
check "one node is the most that one may have" reconfigure
far=$((t + 28800))
quarters=$(book $user_a "$far" -N2 -n2 --gpus-per-node=1)
check "two quarters are less" eval '[ -n "$quarters" ] && booked "$quarters"'
check "three GPUs of four, twice, are more" refused \
	'1.5 nodes are more than the 1 .*MaxNodes' \
	as $user_a sbatch --book -N2 -n2 --gpus-per-node=3 --time=1 \
	--begin="$(slurm_time "$far")" --wrap true
check "nor can one get them later" says 1 '1.5 nodes are more than the 1' \
	change "$quarters" --gpus-per-node=3
check "which changes nothing" booked "$quarters"

note "longer, where another follows with the GPUs"
far=$((t + 43200))
first=$(book $user_a "$far" -w n1 -n2 --gpus=4)
next=$(book $user_b $((far + 60)) -w n1 -n2 --gpus=4)
check "one has the GPUs of a node after another" booked "$first" "$next"
check "the first cannot be longer there" says 1 'not' change "$first" --time=5
check "which changes nothing" eval "[ $(granted "$first" end) = $((far + 60)) ]"
scancel "$first" "$next"
