# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Settings that sites have and our other suites have not: slurmctld is not
# root, memory is scheduled, users see only what is theirs, jobs are preempted.
# Takes 75 s.
cat >"$folder/slurm.conf" <<'TEXT'
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=200
PrivateData=jobs,reservations,usage
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=main Nodes=ALL Default=YES MaxTime=1-00:00:00 PriorityTier=1
PartitionName=high Nodes=ALL MaxTime=1-00:00:00 PriorityTier=10 PreemptMode=OFF
PartitionName=shared Nodes=ALL OverSubscribe=FORCE:16 MaxTime=1-00:00:00
TEXT
id slurm >/dev/null 2>&1 || skip_suite "no user slurm here"
cluster_up --nodes 4 --conf "$folder/slurm.conf" || exit 1

node_pids() {
	cat "$cluster"/run/node-n[1-4].pid
}
nodes_stop() {
	local pid
	for pid in $(node_pids); do
		kill "$pid"
	done
	for pid in $(node_pids); do
		wait_for 20 dead "$pid" || return 1
	done
}
dead() {
	! kill -0 "$1" 2>/dev/null
}
as_slurm() {
	sed -i 's/^SlurmUser=.*/SlurmUser=slurm/' "$cluster/etc/slurm.conf"
	sed -i 's/spank_rspb\.so/& user=slurm/' "$cluster/etc/plugstack.conf"
	chown -R slurm "$cluster/state" "$cluster/log"
	chown slurm "$cluster/run"
	rm -f "$cluster"/run/slurmctld.pid.own
	chmod a+rx "$folder" "$cluster" "$cluster/run" "$cluster/etc"
}
nodes_start() {
	local n
	for n in 1 2 3 4; do
		node_start n$n -N n$n
	done
}
ctld_stop
check "the nodes stop" nodes_stop
as_slurm
setsid setpriv --reuid=slurm --regid=slurm --init-groups \
	slurmctld -D -f "$cluster/etc/slurm.conf" \
	>>"$cluster/log/slurmctld.out" 2>&1 </dev/null &
echo $! >"$cluster/run/slurmctld.pid"
disown $!
nodes_start
ready() {
	[ "$(sinfo -h -N -p main -t idle | wc -l)" -eq 4 ] &&
		scontrol show reservation rspb_waiting
}
check "slurmctld runs as slurm" wait_for 30 ready
is_slurm() {
	[ "$(stat -c %U "/proc/$(ctld_pid)")" = slurm ]
}
check "it is not root" is_slurm

t=$(ahead 25)
whole=$(book $user_a "$t" -N2)
little=$(book $user_b "$t" -N1 --mem=1000)
share=$(as $user_b sbatch --parsable -o job-%j.out --book -p shared \
	--cpu-share=30% -N1 --begin="$(slurm_time "$t")" --time=1 job.sh 8)
beside=$(as $user_a sbatch --parsable -o job-%j.out --book -p shared \
	--cpu-share=60% -N1 --begin="$(slurm_time "$t")" --time=1 job.sh 8)
check "bookings of nodes and shares" booked "$whole" "$little" "$share" \
	"$beside"
too_much=$(book $user_b "$t" -N1 --mem=100000)
check "more memory than any node has: not booked" \
	bash -c '[ -z "$1" ] || ! squeue -h -j "$1" -o %T | grep RUNNING' - \
	"$too_much"
[ -z "$too_much" ] || as $user_b scancel "$too_much"
others() {
	as $user_b scontrol show reservation | grep "rspb_$whole"
	as $user_b squeue -h -j "$whole" 2>/dev/null
}
check "users see no bookings of others" [ -z "$(others)" ]
check "but their own" grep "rspb_$little" \
	<<<"$(as $user_b scontrol show reservation)"

# what may be preempted is there until the second, on the booked nodes, too
low=$(job $user_b 300 -N1 --time=10 --requeue)
high=$(job $user_b 3 -p high -N4 --time=1)
for j in "$whole" "$little" "$share" "$beside"; do
	check "job $j starts on its second" starts_at "$j" "$t" 1000
done
both() {
	local a b
	a=$(field "$share" NodeList) b=$(field "$beside" NodeList)
	[ -n "$a" ] && [ "$a" = "$b" ] || { echo "$a, $b"; return 1; }
}
check "two shares of one node, memory being scheduled" both
check "a job of a higher tier keeps off what is booked" \
	bash -c 'squeue -h -j "$1" -o %T | grep -q PENDING' - "$high"
told() {
	grep -h "CPU share of job $share " "$cluster"/log/n*.log
}
check "the node took the word of slurm" wait_for 30 told
as $user_b scancel "$low" "$high"
check "nothing is left over" wait_for 30 nothing_left
