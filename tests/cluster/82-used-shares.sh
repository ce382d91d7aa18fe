# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What jobs with a booked share use stands in their records, while they run and
# when they have ended, whatever happens to the daemons; nobody can forge it.
# Takes 210 s.
[ -n "$(cpu_tree)" ] ||
	skip_suite "no writable cgroup v1 cpu controller on this host"
cluster_up --nodes 2 || exit 1
shares=$cluster/run/shares

# A tenth of the host's CPUs, in short bursts, for SECONDS.
cat >"$out/some.pl" <<'PERL'
use Time::HiRes qw(time sleep);
my $end = time + shift;
while ((my $t = time) < $end) {
	1 while time < $t + 0.02;
	sleep 0.08;
}
PERL

none_completing() {
	[ -z "$(squeue -h -t CG -o %A)" ]
}

# share PCT SECONDS [sbatch options]: a booking that works a little; its id.
share() {
	local pct=$1 seconds=$2
	shift 2
	# a node that is still being cleaned up counts as occupied
	wait_for 30 none_completing
	as $user_a sbatch --parsable -p shared -o /dev/null --book --time=2 \
		--cpu-share="$pct" "$@" --wrap \
		"srun -Q perl $out/some.pl $seconds" 2>/dev/null
}

# record JOB PATTERN: its AdminComment has it.
record() {
	contract "$1" | grep -E -- "$2"
}

word() {
	contract "$1" | tr ' ' '\n' | sed -n "s/^$2=//p"
}

told() {
	[ -z "$(find "$shares"/n[12]/ended -type f)" ]
}

note "while it runs, and at its end"
# A node tells within 2 s, and every 30 s then; records are written every 5 s, by a look
# each second; before that the request is decided, and starts.
a=$(share 30 60 -w n1)
check "soon after the start the record tells what the kernel enforces" \
	wait_for 12 record "$a" ' enforced=30% used='
is_state "$a" RUNNING || not_ok "it runs while this stands there"
first=$(word "$a" cpu-time)
more() {
	[ "$(word "$a" cpu-time)" != "$first" ]
}
check "and is renewed while it runs" wait_for 42 more
check "by which time it goes on still" is_state "$a" RUNNING
wait_for 40 gone "$a"
seconds=$(sed -n "s/.*CPU share of job $a on n1: .* used=\([0-9]*\)ms.*/\1/p" \
	"$cluster/log/n1.log" "$cluster/log/node-n1.out" 2>/dev/null | head -n 1)
last_word() {
	local t
	t=$(word "$1" cpu-time)
	[ -n "$t" ] && [ "$(tr -d '.s' <<<"$t" | sed 's/^0*//')" = "$2" ]
}
check "after the end it has what the node has counted" \
	wait_for 8 last_word "$a" "$seconds"
check "of a booking that is over" wait_for 5 record "$a" '^rspb: completed'
check "and the node forgets" wait_for 5 told

note "several nodes, steps, components"
a=$(as $user_a sbatch --parsable -p shared -N2 -o /dev/null --book --time=2 \
	--cpu-share=20 --wrap "srun -Q perl $out/some.pl 2; \
	srun -Q perl $out/some.pl 2" 2>/dev/null)
pair=$(as $user_a sbatch --parsable -o /dev/null -p shared --time=2 --book \
	--cpu-share=30 -w n1 : -p shared --time=2 --cpu-share=25 -w n2 \
	--wrap "srun -Q --het-group=0,1 perl $out/some.pl 4" 2>/dev/null)
wait_for 40 gone "$a"
check "each node's part is named" wait_for 8 record "$a" \
	' used=[0-9.]+%,[0-9.]+%@n[12],[0-9.]+%@n[12] .* by-node=n1:[0-9.]+%,n2:'
both_steps() {
	# two steps of two seconds with a fifth of a CPU, on each node
	awk -v t="$(word "$a" cpu-time)" 'BEGIN { sub("s", "", t)
		exit !(t > 0.9 && t < 4) }'
}
check "steps add up" wait_for 8 both_steps
wait_for 20 gone "$pair"
check "the first component of a pair has its own share" \
	wait_for 8 record "$pair" ' enforced=30% '
check "and the second" wait_for 8 record $((pair + 1)) ' enforced=25% '

note "forged"
a=$(share 30 100 -w n1)
wait_for 10 record "$a" enforced=30%
line="job=$a run=99999999999 ended=1 share=1 ceiling=0 cpus=1 span=1 used=1"
line="$line periods=0 throttled=0 stalled=0"
${CC:-gcc} -o "$out/report" "$RSPB_TOP/tests/cluster/report.c" -lslurm || exit 1
# report NODE LINE
report() {
	"$out/report" "rspb-use: node=$1
$2"
}
refused_user() {
	as $user_a "$out/report" "rspb-use: node=n1
$line" | grep -i 'access/permission'
}
check "a user sends no report" refused_user
owner_update() {
	! as $user_a scontrol update JobId="$a" \
		AdminComment="rspb: active enforced=99%"
}
check "nor changes the record" owner_update
log_says() {
	grep -F -- "$1" "$cluster/log/slurmctld.log"
}
report n2 "$line"
check "of a job that is not on the node nothing is taken" \
	wait_for 5 log_says "the report on job $a from n2 is ignored"
report n9 "$line"
check "nor from a node that is none" wait_for 5 log_says "n9, which is not a node"
report n1 "job=4000000 ${line#* }"
check "nor of a job that is none" wait_for 5 log_says "no such job"
ordinary=$(as $user_a sbatch --parsable -w n2 -o /dev/null --wrap 'sleep 60')
wait_for 10 is_state "$ordinary" RUNNING
report n2 "job=$ordinary ${line#* }"
check "nor of an ordinary job" wait_for 5 log_says "no share is booked for it"
as $user_a scancel "$ordinary"
report n1 "$line x"
check "rubbish is refused" wait_for 5 log_says "is not what a job used"
check "and the record stays" record "$a" enforced=30%
no_pseudo_job() {
	! log_says 'rspb/report' && [ "$(squeue -h -o %A | sort -n | tail -n 1)" -le \
		"$ordinary" ]
}
check "reports leave no jobs" no_pseudo_job

note "renegotiated"
as $user_a scontrol update JobId="$a" Comment=cpu-share=45%
check "another share is told soon" wait_for 10 record "$a" ' enforced=45% '
weight_default "$(group "$a")"
check "what is enforced is what the kernel has" wait_for 42 record "$a" \
	' enforced=10% '
as $user_a scancel "$a"

note "nobody is there"
# its last word has come
final() {
	told && record "$a" '^rspb: completed.* enforced=30% used=[0-9.]+%'
}
ended_file() {
	[ -s "$(echo "$shares/n1/ended/$a".*)" ]
}
nodes_fine() {
	! sinfo -h -N -o '%N %T' | grep -E 'drain|drng|down'
}
slurmd_kill() {
	kill -KILL "$(cat "$cluster/run/node-n1.pid")"
}
a=$(share 30 60 -w n1)
wait_for 10 record "$a" enforced=30%
its_group=$(group "$a")
# Slurm ends jobs only with a controller: it is gone when their epilog runs.
as $user_a scancel "$a"
wait_for 5 is_state "$a" CANCELLED
ctld_stop
check "without a controller what a job used is kept" wait_for 20 ended_file
no_group() {
	[ -n "$its_group" ] && [ ! -d "$its_group" ]
}
check "the epilog does not wait for it" wait_for 5 no_group
ctld_start
told_later() {
	told && record "$a" ' enforced=30% used=[0-9.]+%'
}
check "it has it when it is back" wait_for 90 told_later
a=$(share 30 5 -w n1)
wait_for 10 is_state "$a" RUNNING
slurmd_kill
sleep 1
node_start n1 -N n1
check "kill -9 of slurmd loses nothing" wait_for 60 final
a=$(share 30 30 -w n1)
wait_for 10 is_state "$a" RUNNING
wait_for 10 record "$a" enforced=30%
stepds "$a" | xargs kill -KILL
scancel "$a"
check "kill -9 of its slurmstepd neither" \
	wait_for 60 record "$a" ' enforced=30% used=[0-9.]+%'

note "put back into the queue"
a=$(share 30 30 -w n1 --requeue)
wait_for 10 record "$a" enforced=30%
before=$(word "$a" cpu-time)
scontrol requeue "$a"
wait_for 20 eval '[ "$(field "$a" Restarts)" = 1 ]'
kept() {
	awk -v b="$before" -v n="$(word "$a" cpu-time)" \
		'BEGIN { exit !(n + 0 >= b + 0 && b + 0 > 0) }'
}
check "what the first run used is kept" wait_for 10 kept
as $user_a scancel "$a"
wait_for 20 gone "$a"

note "no room"
a=$(share 30 5 -w n1)
wait_for 10 is_state "$a" RUNNING
mv "$shares" "$shares.away" && : >"$shares"
check "a job ends though its folder is gone" wait_for 30 gone "$a"
rm -f "$shares" && mkdir -p "$shares/n1"
if mount -t tmpfs -o size=4k,nr_inodes=2 none "$shares/n1" 2>/dev/null; then
	a=$(share 30 2 -w n1)
	check "on a full disk too" wait_for 40 gone "$a"
	umount "$shares/n1"
else
	skip "a full disk: no leave to mount here"
fi
rm -rf "$shares" && mv "$shares.away" "$shares"
check "no node is drained" nodes_fine
slurmd_kill
sleep 0.5
node_start n1 -N n1

note "as the site wants"
echo ShareMode=hard >>"$cluster/etc/rspb.conf"
reconfigure
sleep 1
a=$(share 1 12 -w n1)
wait_for 10 record "$a" enforced=1%
check "a ceiling and its pauses are told" wait_for 20 record "$a" \
	'^rspb: completed.* ceiling=1% used=(0\.[0-9]+|1(\.[0-9]+)?)% .*throttled=[1-9][0-9]*/'

nothing_runs() {
	! groups_left "$its_group" && ! pgrep -f "$out/some.pl"
}
check "no process and no group is left" wait_for 10 nothing_runs
check "no booking is left" nothing_left
