# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# How slurmctld and slurmd talk about shares: under which name a node listens,
# what becomes of grants for jobs nobody knows, of nodes that do not answer.
# Takes 150 s.
[ -n "$(cpu_tree)" ] ||
	skip_suite "no writable cgroup v1 cpu controller on this host"
cluster_up --nodes 1 || exit 1
shares=$cluster/run/shares

share() {
	as $user_a sbatch --parsable -p shared -o /dev/null --book --time=3 \
		--cpu-share="$1" --wrap 'sleep 100' 2>/dev/null
}
node_log() {
	grep -F -- "$1" "$cluster/log/n1.log"
}
node_idle() {
	sinfo -h -n n1 -o %t | grep -qx idle
}

note "slurmd without -N, on a host of another name than its node"
kill "$(cat "$cluster/run/node-n1.pid")"
sleep 1
rm -rf "$shares"
node_start n1
check "it listens under the name of its node" wait_for 10 \
	test -S "$shares/n1/socket"
check "and under no other" [ "$(ls "$shares")" = n1 ]
a=$(share 30)
check "a share of a job there is enforced" wait_for 15 weight_is "$a" 3072
check "and told" wait_for 15 eval 'contract "$a" | grep " enforced=30% "'

note "a job nobody knows"
perl -MSocket -e 'socket(my $s, PF_UNIX, SOCK_STREAM, 0);
	connect($s, sockaddr_un($ARGV[0])) or die;
	syswrite($s, pack("NN", 0, length $ARGV[1]) . $ARGV[1])' \
	"$shares/n1/socket" \
	"job=999999 generation=5 share=6000 ceiling=0 period=100"
check "is logged with the reason" wait_for 5 node_log \
	'job=999999 generation=5 share=6000 ceiling=0 period=100: no step of that job'
touch -d '1 hour ago' "$shares/n1/jobs/999999"
kill "$(cat "$cluster/run/node-n1.pid")"
sleep 1
node_start n1
forgotten() {
	[ ! -e "$shares/n1/jobs/999999" ]
}
check "and forgotten" wait_for 10 forgotten
check "while the job that runs is not" weight_is "$a" 3072

note "a node that does not answer"
kill -STOP "$(cat "$cluster/run/node-n1.pid")"
as $user_a scontrol update JobId="$a" Comment=cpu-share=45%
sleep 1
check "does not hold up the end of slurmctld" quick 4 ctld_stop
kill -CONT "$(cat "$cluster/run/node-n1.pid")"
ctld_start
check "which sends it again when it is back" wait_for 90 weight_is "$a" 4608

note "a share that was changed before slurmctld restarts"
as $user_a scontrol update JobId="$a" Comment=cpu-share=50%
check "holds" wait_for 20 weight_is "$a" 5120
# the third change of one second is not of this world
sleep 2
ctld_stop
ctld_start
repeated() {
	[ "$(grep -c "rspb: job=$a .* share=5000" "$cluster/log/n1.log")" -ge 2 ]
}
check "is repeated" wait_for 30 repeated
not_refused() {
	! node_log "is old"
}
check "in a way that the node takes" not_refused
check "and still holds" weight_is "$a" 5120
as $user_a scancel "$a"
wait_for 20 gone "$a"
check "no node was drained" wait_for 20 node_idle
check "no booking is left" nothing_left
