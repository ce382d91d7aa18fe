# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For suites that mix jobs at random: sourced once their cluster is up. They have mix(), which
# submits one job, and set seconds, nodes (how many there are: n1, n2, ...) and mode, in which
# scavengers are preempted ("" where there are none).

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
drains=()

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
		node=n$((1 + RANDOM % nodes))
		scontrol update nodename=$node state=drain reason=test
		(sleep $((1 + RANDOM % 3)); scontrol update nodename=$node state=resume) &
		drains+=($!)
		;;
	esac >/dev/null 2>&1
}
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

# mix_all: submit and meddle for as many seconds as the suite says.
mix_all() {
	local until=$((SECONDS + seconds))
	while [ $SECONDS -lt $until ]; do
		mix
		[ $((RANDOM % 5)) -ne 0 ] || meddle
		[ $((${#regular[@]} + ${#bookings[@]})) -lt 90000 ] || break
		[ $((RANDOM % 4)) -ne 0 ] || sleep 0.$((RANDOM % 5))
		[ $((${#regular[@]} % 200)) -ne 199 ] || ! cut_short >/dev/null || break
	done
	wait "${drains[@]}"
}
booked_of() {
	local id n=0
	for id in "${bookings[@]}"; do
		[ "$(booking "$id")" = declined ] || n=$((n + 1))
	done
	note "$n of them were booked"
	[ $n -gt 5 ]
}
