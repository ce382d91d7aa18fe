# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What was told outlives slurmctld: killed at once, with older or broken files,
# with a full disk. Takes 55 s.
cluster_up --nodes 6 || exit 1
state=$cluster/state
log=$cluster/log/slurmctld.log
echo "BatchInterval=200ms" >>"$cluster/etc/rspb.conf"
scontrol reconfigure

# told JOB: at once, with as few processes between as can be.
told() {
	local n
	for ((n = 0; n < 400; n++)); do
		case $(scontrol -o show job "$1") in
		*'AdminComment=rspb: booked'*) return 0 ;;
		esac
		sleep 0.01
	done
	return 1
}
kill9() {
	ctld_stop KILL
}
said() {
	grep -a "$1" "$log"
}
all() {
	local what=$1 j
	shift
	for j in "$@"; do
		"$what" "$j" || { echo "$what $j"; return 1; }
	done
}
# place JOB: what was promised of it.
place() {
	contract "$1" | sed -n 's/.*\(start=.*duration=[0-9a-z]*\).*/\1/p'
}
has_resv() {
	scontrol -o show reservation "rspb_$1" 2>/dev/null | grep -q Nodes=n
}

note "killed in the moment a booking is read"
t=$(ahead 600)
for round in 1 2 3; do
	jobs=()
	for n in 1 2 3; do
		jobs+=("$(book $user_a $((t + 120 * n)) -N$n)")
	done
	check "$round: booked" all told "${jobs[@]}"
	was=$(all place "${jobs[@]}")
	kill9
	check "$round: slurmctld comes back" ctld_start
	check "$round: all stand" booked "${jobs[@]}"
	check "$round: with their reservations" all has_resv "${jobs[@]}"
	[ "$was" = "$(all place "${jobs[@]}")" ] && ok "$round: as they were" ||
		not_ok "$round: $was"
	as $user_a scancel "${jobs[@]}"
	sleep 0.05
	kill9
	check "$round: slurmctld comes back again" ctld_start
	cancelled() {
		[ -z "$(squeue -h -t PD)" ] || { squeue; return 1; }
	}
	check "$round: what was cancelled stays so" wait_for 5 cancelled
	check "$round: nothing is left" wait_for 5 no_reservations
done
