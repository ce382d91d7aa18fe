# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Random mixes beside jobs that may be preempted: in one mode of preemption (RSPB_MIX_MODE, or one
# by the seed), scavengers that heed SIGTERM or not, regular jobs that nobody may preempt, and
# bookings of parts and of whole nodes that may preempt the former. A scavenger is only stopped as
# its mode says, no other job within its limit ends for a booking, and each booking begins.
# RSPB_MIX_SECONDS=3600 mixes for an hour, RSPB_MIX_SEED=N repeats a mix as far as a busy machine
# can. Takes 130 s.
seed=${RSPB_MIX_SEED:-$((EPOCHSECONDS % 10000))} seconds=${RSPB_MIX_SECONDS:-50} nodes=8
modes=(REQUEUE CANCEL SUSPEND)
counted=(CR_Core_Memory CR_CPU_Memory CR_Core CR_Socket_Memory CR_CPU)
mode=${RSPB_MIX_MODE:-${modes[seed % 3]}}
RANDOM=$seed
shared=NO gang=
[ "$mode" != SUSPEND ] || gang=,GANG
# The partitions that preempt share their nodes, or do not, which is Slurm's default.
[ $((seed % 2)) -eq 0 ] || shared=FORCE:1
touch "$folder"/gpu{0..3}
cat >"$folder/slurm.conf" <<CONF
SelectTypeParameters=${counted[seed / 9 % 5]}
GresTypes=gpu
PreemptType=preempt/partition_prio
PreemptMode=$mode$gang
MinJobAge=86400
MaxJobCount=100000
NodeName=DEFAULT RealMemory=4000
NodeName=n[1-4] Sockets=2 CoresPerSocket=4 CPUs=8
NodeName=n[5-6] Sockets=2 CoresPerSocket=2 ThreadsPerCore=2 CPUs=8
NodeName=n[7-8] Sockets=2 CoresPerSocket=4 CPUs=8 Gres=gpu:4
PartitionName=DEFAULT DefMemPerCPU=200 Nodes=ALL DefaultTime=10 MaxTime=1-00:00:00
PartitionName=main Default=YES PriorityTier=1 PreemptMode=OFF
PartitionName=low PriorityTier=1 PreemptMode=$mode GraceTime=$((seed / 3 % 3 * 4)) OverSubscribe=$shared
PartitionName=high PriorityTier=9 PreemptMode=OFF OverSubscribe=$shared
CONF
printf 'NodeName=n[7-8] Name=gpu File=%s/gpu[%s] Cores=%s\n' "$folder" 0-1 0-3 \
	"$folder" 2-3 4-7 >"$folder/gres.conf"
printf '%s\n' Unit=part MaxBookedPercent=100 MaxWaitingPerUser=0 MaxAheadPerUser=0 \
	>"$folder/rspb.conf"
cluster_up --nodes 8 --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" \
	--gres-conf "$folder/gres.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"
# shellcheck source=tests/cluster/mixes.sh
. "$RSPB_TOP/tests/cluster/mixes.sh"
cat >"$out/stubborn.sh" <<'JOB'
#!/bin/bash
trap '' TERM
end=$((SECONDS + $1))
while [ $SECONDS -lt $end ]; do sleep 1; done
JOB

regular_options=(-n1 -n4 "-n1 -c3" "-n2 --ntasks-per-socket=1" "-n1 --exclusive" "-N2 -n4"
	"-n1 --gpus=1" "-p high -n2" "-p high -N1 --exclusive" "-n1 --mem=2500")
scavenging_options=(-n1 -n4 "-n1 -c3" -n8 "-N2 -n12" "-N2 --exclusive" "-n1 --gpus=2"
	"-n1 --exclusive" "-n1 --mem=2500" "-N4 -n16" "-n2 --ntasks-per-socket=1")
booked_options=(-n1 -n4 "-n1 -c4" "-n4 --ntasks-per-socket=2" "-N2 -n4" "-n1 --gpus=3"
	"-N1 --exclusive" "-N2 --exclusive" "-N1-3 --exclusive --benefit=linear:25%"
	"-n1 --mem=2500" "-n2 --gpus-per-task=1" "-n4 --gpus=2 --gres-flags=enforce-binding")

# The jobs end by themselves before their limit of at least one minute.
mix() {
	local options id script=job.sh
	case $((RANDOM % 6)) in
	[01])
		options=${regular_options[RANDOM % ${#regular_options[@]}]}
		# shellcheck disable=SC2086
		id=$(job "${users[RANDOM % 2]}" $((5 + RANDOM % 30)) --requeue \
			--time=$((1 + RANDOM % 3)) $options 2>/dev/null) && regular+=("$id")
		;;
	[23])
		options=${scavenging_options[RANDOM % ${#scavenging_options[@]}]}
		[ $((RANDOM % 2)) -ne 0 ] || script=stubborn.sh
		# shellcheck disable=SC2086
		id=$(as "${users[RANDOM % 2]}" sbatch --parsable -o /dev/null -p low --requeue \
			--time=$((1 + RANDOM % 3)) $options $script $((5 + RANDOM % 40)) \
			2>/dev/null) && scavengers+=("$id")
		;;
	*)
		options="$(whens) ${booked_options[RANDOM % ${#booked_options[@]}]}"
		[ $((RANDOM % 3)) -ne 0 ] && options+=" -p high"
		# shellcheck disable=SC2086
		id=$(job "${users[RANDOM % 2]}" $((3 + RANDOM % 10)) --time=1 $options \
			2>/dev/null) && bookings+=("$id")
		;;
	esac
	[ -z "$id" ] || asks[$id]=$options
}
mix_all
note "seed $seed, $mode: ${#regular[@]} regular jobs, ${#scavengers[@]} scavengers," \
	"${#bookings[@]} asked for a booking"
check "there are both" [ "${#regular[@]}" -gt 10 -a "${#bookings[@]}" -gt 10 ]
check "each booking begins" wait_for 150 begun
check "some of them" booked_of
check "no job that began was stopped otherwise than its mode says" nobody_cut_short
check "what was planned fits what is booked" never_logged slurmctld.log \
	"a node is booked whole"
