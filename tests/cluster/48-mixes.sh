# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Random mixes beside jobs that may be preempted: in one mode of preemption (RSPB_MIX_MODE, or one
# by the seed), scavengers that heed SIGTERM or not, regular jobs that nobody may preempt, and
# bookings of parts and of whole nodes that may preempt the former. A scavenger is only stopped as
# its mode says, no other job within its limit ends for a booking, and each booking begins.
# RSPB_MIX_SECONDS=3600 mixes for an hour, RSPB_MIX_SEED=N repeats a mix as far as a busy machine
# can. Takes 130 s.
seed=${RSPB_MIX_SEED:-$((EPOCHSECONDS % 10000))} seconds=${RSPB_MIX_SECONDS:-50}
modes=(REQUEUE CANCEL SUSPEND)
counted=(CR_Core_Memory CR_CPU_Memory CR_Core CR_Socket_Memory CR_CPU)
mode=${RSPB_MIX_MODE:-${modes[seed % 3]}}
RANDOM=$seed
shared=NO gang=
[ "$mode" != SUSPEND ] || { shared=FORCE:1 gang=,GANG; }
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
# when each booking begins: at a second, within a window, or as soon as there is room
whens() {
	local from=$((EPOCHSECONDS + 5 + RANDOM % 30))
	case $((RANDOM % 6)) in
	0) echo "--book=asap --deadline=$(slurm_time $((from + 120)))" ;;
	[12]) echo "--book --begin=$(slurm_time $from) --deadline=$(slurm_time $((from + 100)))" ;;
	*) echo "--book --begin=$(slurm_time $from)" ;;
	esac
}
declare -A asks
regular=() scavengers=() bookings=()
users=("$user_a" "$user_b")

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
# meddle: an owner changes or cancels some booking, which may be over; an operator drains a
# node for seconds.
meddle() {
	local id node
	[ ${#bookings[@]} -gt 0 ] || return
	id=${bookings[-1 - RANDOM % (${#bookings[@]} < 6 ? ${#bookings[@]} : 6)]}
	case $((RANDOM % 8)) in
	0) rspb cancel "$id" ;;
	1) rspb modify "$id" --begin="$(slurm_time $((EPOCHSECONDS + 5 + RANDOM % 20)))" ;;
	2) rspb modify "$id" --ntasks=$((1 + RANDOM % 4)) ;;
	3) rspb modify "$id" --time=2 ;;
	4)
		node=n$((1 + RANDOM % 8))
		scontrol update nodename=$node state=drain reason=test
		(sleep $((1 + RANDOM % 3)); scontrol update nodename=$node state=resume) &
		drains+=($!)
		;;
	esac >/dev/null 2>&1
}
drains=()
# cut_short: which jobs have begun, and were stopped in another way than their mode says.
cut_short() {
	local found may='^(PENDING|RUNNING|COMPLETING|COMPLETED)$' scavenger
	case $mode in
	REQUEUE) scavenger=$may ;;
	CANCEL) scavenger='^(PENDING|RUNNING|COMPLETING|COMPLETED|PREEMPTED)$' ;;
	SUSPEND) scavenger='^(PENDING|RUNNING|COMPLETING|COMPLETED|SUSPENDED)$' ;;
	esac
	found=$(scontrol -o show job | awk -v all=" ${regular[*]} " -v low=" ${scavengers[*]} " \
		-v may="$may" -v may_low="$scavenger" -v mode="$mode" '
		{
			id = state = restarts = ""
			for (i = 1; i <= NF; i++) {
				if ($i ~ /^JobId=/) id = substr($i, 7)
				if ($i ~ /^JobState=/) state = substr($i, 10)
				if ($i ~ /^Restarts=/) restarts = substr($i, 10)
			}
			if (index(all, " " id " ") && (restarts != 0 || state !~ may))
				print id, state, "restarts " restarts
			if (index(low, " " id " ") &&
			    ((restarts != 0 && mode != "REQUEUE") || state !~ may_low))
				print id, state, "restarts " restarts
		}')
	[ -z "$found" ] || { echo "$found"; return 0; }
	return 1
}
nobody_cut_short() {
	local found
	found=$(cut_short) || return 0
	while read -r id rest; do
		echo "job $id (${asks[$id]}): $rest"
	done <<<"$found"
	return 1
}
# begun: each booking has begun.
begun() {
	local id rc=0
	for id in "${bookings[@]}"; do
		case $(booking "$id") in
		requested|booked) echo "booking $id (${asks[$id]}): $(contract "$id")"; rc=1 ;;
		esac
	done
	return $rc
}

until=$((SECONDS + seconds))
while [ $SECONDS -lt $until ]; do
	mix
	[ $((RANDOM % 5)) -ne 0 ] || meddle
	[ $((${#regular[@]} + ${#bookings[@]})) -lt 90000 ] || break
	[ $((RANDOM % 4)) -ne 0 ] || sleep 0.$((RANDOM % 5))
	[ $((${#regular[@]} % 200)) -ne 199 ] || ! cut_short >/dev/null || break
done
wait "${drains[@]}"
note "seed $seed, $mode: ${#regular[@]} regular jobs, ${#scavengers[@]} scavengers," \
	"${#bookings[@]} asked for a booking"
check "there are both" [ "${#regular[@]}" -gt 10 -a "${#bookings[@]}" -gt 10 ]
check "each booking begins" wait_for 150 begun
booked_of() {
	local id n=0
	for id in "${bookings[@]}"; do
		[ "$(booking "$id")" = declined ] || n=$((n + 1))
	done
	note "$n of them were booked"
	[ $n -gt 5 ]
}
check "some of them" booked_of
check "no job that began was stopped otherwise than its mode says" nobody_cut_short
check "what was planned fits what is booked" never_logged slurmctld.log \
	"a node is booked whole"
