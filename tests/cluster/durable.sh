# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For suites in which slurmctld is killed and its files are old: sourced once their
# cluster is up.
state=$cluster/state
log=$cluster/log/slurmctld.log
echo "BatchInterval=200ms" >>"$cluster/etc/rspb.conf"
reconfigure

kill9() {
	ctld_stop KILL
}
said() {
	grep -a "$1" "$log"
}
# What Slurm's file of jobs says now is kept, and put back behind a kill.
jobs_keep() {
	ctld_stop
	cp "$state/job_state" "$out/job_state"
}
jobs_older() {
	cp "$out/job_state" "$state/job_state"
	rm -f "$state/job_state.old"
}
# resv_older FILE: likewise of reservations, while there is no slurmctld.
resv_older() {
	cp "$1" "$state/resv_state"
	rm -f "$state/resv_state.old"
}
all() {
	local what=$1 j
	shift
	for j in "$@"; do
		"$what" "$j" || { echo "$what $j"; return 1; }
	done
}
has_resv() {
	scontrol -o show reservation "rspb_$1" 2>/dev/null | grep -q Nodes=n
}
