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
PartitionName=wide Nodes=ALL MinNodes=3 MaxTime=1-00:00:00
TEXT
# Slurm's own way to look at submissions; first, so that ours sees what it made.
lua() {
	[ -f "$(conf_stock_plugins)/job_submit_lua.so" ] &&
		ldconfig -p | grep -q 'liblua5' || return 1
	cat >"$cluster/etc/job_submit.lua" <<'LUA'
function slurm_job_submit(job, partitions, uid)
	if job.name == "unwanted" then
		slurm.log_user("the site does not want it")
		return slurm.ERROR
	end
	if job.name == "grown" then
		job.min_nodes = 2
		job.max_nodes = 2
	end
	return slurm.SUCCESS
end
function slurm_job_modify(job, record, partitions, uid)
	return slurm.SUCCESS
end
LUA
	sed -i 's/^JobSubmitPlugins=.*/JobSubmitPlugins=lua,rspb/' "$cluster/etc/slurm.conf"
}
# shellcheck source=contrib/quickstart.d/conf.sh
. "$RSPB_TOP/contrib/quickstart.d/conf.sh"
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
scripted=no
! lua || scripted=yes
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

t=$(ahead 35)
whole=$(book $user_a "$t" -N2)
little=$(book $user_b "$t" -N1 --mem=1000)
share=$(as $user_b sbatch --parsable -o job-%j.out --book -p shared \
	--cpu-share=30% -N1 --begin="$(slurm_time "$t")" --time=1 job.sh 30)
beside=$(as $user_a sbatch --parsable -o job-%j.out --book -p shared \
	--cpu-share=60% -N1 --begin="$(slurm_time "$t")" --time=1 job.sh 30)
check "bookings of nodes and shares" booked "$whole" "$little" "$share" \
	"$beside"
too_much=$(book $user_b "$t" -N1 --mem=100000)
check "more memory than any node has: not booked" \
	bash -c '[ -z "$1" ] || ! squeue -h -j "$1" -o %T | grep RUNNING' - \
	"$too_much"
[ -z "$too_much" ] || as $user_b scancel "$too_much"
if [ $scripted = yes ]; then
	grown=$(book $user_b $((t + 600)) -N1 -J grown)
	has_two() {
		contract "$grown" | grep 'nodes=2/2 '
	}
	check "what a script made of a submission" booked "$grown"
	check "is what is booked" has_two
	unwanted() {
		local said
		said=$(book $user_b "$t" -N1 -J unwanted 2>&1) && return 1
		grep 'the site does not want it' <<<"$said"
	}
	check "what it refuses is not booked" unwanted
	as $user_b scancel "$grown"
else
	skip "this Slurm has no job_submit/lua"
fi
few() {
	local said
	said=$(book $user_b "$t" -N2 -p wide 2>&1) && return 1
	grep 'allows 3 or more nodes for a job, and the job requests 2$' <<<"$said"
}
check "fewer nodes than a partition's MinNodes" few
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
as $user_b scancel "$low" "$high" "$share"
as $user_a scancel "$beside"
check "nothing is left over" wait_for 30 nothing_left

# A host that is sent its configuration has it in /run/slurm/conf.
configless() {
	local said
	mkdir -p /run/slurm && ln -s "$cluster/etc" /run/slurm/conf || return 1
	said=$(env -u SLURM_CONF "$RSPB_TOP/contrib/rspb-check" --conf)
	rm /run/slurm/conf
	grep '^ok .*PluginDir: ' <<<"$said" &&
		grep '^ok .*/plugstack.conf names spank_rspb.so' <<<"$said" ||
		{ echo "$said"; return 1; }
}
if [ -e /etc/slurm/slurm.conf ] || [ -e /run/slurm/conf ]; then
	skip "this host has a Slurm of its own"
else
	check "rspb-check finds the files of a configless host" configless
fi
