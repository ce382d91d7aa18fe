# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Jobs whose nodes take seconds to be configured (PrologSlurmctld). Slurm adds these seconds to
# their end, and counts them as if they had been suspended. No booking ends them for that.
# Takes 95 s.
cat >"$folder/prolog" <<'PROLOG'
#!/bin/sh
[ "$SLURM_JOB_NAME" != slow ] || sleep 12
exit 0
PROLOG
chmod 755 "$folder/prolog"
cat >"$folder/slurm.conf" <<TEXT
PrologSlurmctld=$folder/prolog
NodeName=n[1-3] CPUs=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
TEXT
cluster_up --nodes 3 --conf "$folder/slurm.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"

slow=$(job $user_b 53 --requeue -J slow -w n1 -N1 --time=1)
part=$(job $user_b 53 --requeue -J slow -w n2 -n2 --time=1)
configures() {
	is_state "$1" CONFIGURING
}
check "a job is being configured" wait_for 10 configures "$slow"
check "and another one on a part of a node" wait_for 10 configures "$part"
end_of() {
	date -d "$(field "$1" EndTime)" +%s
}
end=$(end_of "$slow")
# soon OPTIONS...: a booking of one minute, as soon as it fits.
soon() {
	as $user_a sbatch --parsable -o /dev/null --book=asap --time=1 "$@" job.sh 1
}
whole=$(soon -w n1 -N1)
beside=$(soon -w n2 -n4)
check "their nodes are booked from their limits on" booked "$whole" "$beside"
later() {
	[ "$(end_of "$slow")" -gt $((end + 9)) ]
}
check "Slurm moves the ends of the jobs by what that took" wait_for 30 later
check "the first is not over until then" wait_for 100 ended "$slow"
check "nor the second" wait_for 10 ended "$part"
whole_time() {
	is_state "$1" COMPLETED && [ "$(field "$1" Restarts)" = 0 ] ||
		{ scontrol show job "$1"; return 1; }
}
for j in "$slow" "$part"; do
	check "job $j has had its time" wait_for 10 whole_time "$j"
done
check "no job was in the way" never_logged slurmctld.log "it is requeued or ended"
check "the bookings begin then" wait_for 20 began "$whole"
check "on both nodes" wait_for 20 began "$beside"
