# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# CPU shares hold on the real kernel, whatever users and accidents do: on this
# host's where it has cgroup v1's controller; 85-shares-v2 runs this on v2.
# Takes 130 s.
[ -n "$(cpu_tree)" ] ||
	skip_suite "no writable cgroup v1 cpu controller on this host"
cluster_up --nodes 2 || exit 1
shares=$cluster/run/shares
PATH=$cluster/rspb/bin:$PATH

# shellcheck source=tests/cluster/burn.sh
. "$RSPB_TOP/tests/cluster/burn.sh"

# burner SHARE PROCESSES [options]: a booking on n1; its id.
burner() {
	local share=$1 n=$2
	shift 2
	burn_job $user_a "$n" -p shared -w n1 --book --time=1 \
		--cpu-share="$share" "$@"
}

note "what an admin is told"
# advised STATUS LINE: the end of rspb-check, and a line of it.
advised() {
	local said rc
	said=$(sh "$RSPB_TOP/contrib/rspb-check" 2>&1)
	rc=$?
	echo "status $rc: $said"
	[ $rc = "$1" ] && grep -q -- "$2" <<<"$said"
}
check "rspb-check finds that slurmd listens" advised 0 '^ok .* slurmd listens at '
if cgroup_v2_bare; then
	check "and warns of a light scope" \
		advised 0 '^warn .* has cpu.weight 100: .*CPUWeight=10000'
	for scope in "$(cpu_tree)"/*_slurmstepd.scope; do
		echo 10000 >"$scope/cpu.weight"
	done
	check "but not of a heavy one" advised 0 '^ok .* has cpu.weight 10000'
fi

note "who fights whom"
a=$(burner 70 1) b=$(burner 30 1)
check "two shares are active at once on a node" booked "$a" "$b"
check "the job's record tells what was granted" \
	grep 'share=70%' <<<"$(contract "$a")"
no_more() {
	local j
	j=$(burner 10 1) && declined "$j"
	local rc=$?
	as $user_a scancel "$j"
	return $rc
}
check "a third share over 100% is declined" no_more
burn "$a" "$b"
check "70 against 30" parts "70 30" "$a" "$b"
a=$(burner 35 1) b=$(burner 35 1) c=$(burner 30 1)
burn "$a" "$b" "$c"
check "35 against 35 against 30" parts "35 35 30" "$a" "$b" "$c"
a=$(burner 70 1) b=$(burner 30 6)
burn "$a" "$b"
check "one process of 70 against six of 30" parts "70 30" "$a" "$b"

note "less than asked"
a=$(burner 80 1) b=$(burner 60:10 1 --benefit=linear:10%)
check "what is left is granted to a soft request" booked "$a" "$b"
check "as the record tells" grep 'share=20%' <<<"$(contract "$b")"
burn "$a" "$b"
check "80 against 20" parts "80 20" "$a" "$b"

note "several nodes, several components"
a=$(burner 20 1 -w n1,n2 -N2)
pair=$(as $user_a sbatch --parsable -o /dev/null -p shared --time=1 --book \
	--cpu-share=30 -w n1 : -p shared --time=1 --cpu-share=25 -w n2 \
	--wrap 'sleep 60')
granted_at() {
	grep "^job=$2 .* share=$3 " "$shares/$1/jobs/$2"
}
check "the first node of two knows" wait_for 10 granted_at n1 "$a" 2000
check "and the second" wait_for 10 granted_at n2 "$a" 2000
check "each component of a pair has its own share" \
	wait_for 10 granted_at n1 "$pair" 3000
check "on its own node" wait_for 10 granted_at n2 $((pair + 1)) 2500
as $user_a scancel "$a" "$pair"
wait_for 20 all_gone "$a" "$pair"

note "what users try"
with=(env _SLURM_SPANK_OPTION_rspb_cpu_share=100
	SLURM_SPANK__SLURM_SPANK_OPTION_rspb_cpu_share=100
	SPANK__SLURM_SPANK_OPTION_rspb_cpu_share=100 SLURMD_NODENAME=n2)
usual=$window window=90
a=$(burner 30 1 --time=3 --export=ALL)
window=$usual
with=()
wait_for 10 is_state "$a" RUNNING
check "a forged environment changes nothing" wait_for 5 weight_is "$a" 3072
# from 26.05 on, on cgroup v2, by the job's SLUID
step_of() {
	as $user_a srun --jobid="$1" --overlap -Q --cpu-share=100 --book \
		cat /proc/self/cgroup |
		grep -E ":(cpu)?:.*/(job_$1|s[0-9A-Z]{13})(/step_|\$)"
}
check "nor does another share of a step, which is in the job's group" \
	step_of "$a"
check "the weight stays" weight_is "$a" 3072

# tell TEXT [UID]: to the socket of n1 as slurmd would, from a process of uid.
cat >"$out/tell.pl" <<'PERL'
use Socket;
my ($path, $text, $uid) = @ARGV;
$> = $uid if $uid;
socket(my $s, PF_UNIX, SOCK_STREAM, 0) or die;
connect($s, sockaddr_un($path)) or die "connect: $!\n";
syswrite($s, pack('NN', $uid || 0, length $text) . $text);
close $s;
PERL
tell() {
	perl "$out/tell.pl" "$shares/n1/socket" "$@"
}
message() {
	echo "job=$1 generation=$2 share=$3 ceiling=0 period=100"
}
closed() {
	local said
	said=$(tell "$(message "$a" 9999999999 9999)" "$(id -u $user_b)" 2>&1)
	grep 'connect: Permission denied' <<<"$said"
}
check "the socket is closed to users" closed
tell "$(message "$a" 1 9999)"
tell "rubbish"
tell ""
refusals() {
	[ "$(grep -c 'rspb: refused' "$cluster/log/n1.log")" -ge 3 ]
}
check "old and broken messages are refused in the log" wait_for 5 refusals
check "and change nothing" weight_is "$a" 3072
check "its owner changes the share" \
	as $user_a scontrol update JobId="$a" Comment=cpu-share=45%
check "which holds in the kernel" wait_for 2 weight_is "$a" 4608
check "and stands in the record" wait_for 2 eval \
	'grep "share=45%" <<<"$(contract "$a")"'
as $user_a scontrol update JobId="$a" Comment=cpu-share=101% &&
	not_ok "a share over 100% is refused"
as $user_b scontrol update JobId="$a" Comment=cpu-share=1% &&
	not_ok "another user's change is refused"
check "nobody else changes it" weight_is "$a" 4608
rspb=$cluster/rspb/bin/rspb
check "by rspb, too" as $user_a "$rspb" modify "$a" --cpu-share=40%
check "in the kernel" wait_for 2 weight_is "$a" 4096
as $user_b "$rspb" modify "$a" --cpu-share=1% &&
	not_ok "and nobody else by that"
as $user_a "$rspb" modify "$a" --cpu-share=60% -t 2 &&
	not_ok "nor with something else"
check "it stays" weight_is "$a" 4096
check "and back" as $user_a "$rspb" modify "$a" --cpu-share=45%
check "a newer one holds at once" tell "$(message "$a" 9999999999 6000)"
check "in the kernel" wait_for 1 weight_is "$a" 6144
check "and is remembered for the next step" \
	grep 'share=6000' "$shares/n1/jobs/$a"

note "accidents"
scontrol suspend "$a" && sleep 0.5 && scontrol resume "$a"
check "a suspended and resumed job has its weight" weight_is "$a" 6144
node_pid=$(cat "$cluster/run/node-n1.pid")
kill -KILL "$node_pid"
sleep 0.5
check "without slurmd the weight holds" weight_is "$a" 6144
grp=$(group "$a")
weight_default "$grp"
node_start n1 -N n1
check "slurmd makes it hold again when it comes back" \
	wait_for 10 weight_is "$a" 6144
as $user_a scancel "$a"
wait_for 20 gone "$a"
group_gone() {
	[ ! -e "$1" ]
}
check "its group goes with the job" wait_for 10 group_gone "$grp"

ordinary=$(as $user_a sbatch --parsable -p shared -w n1 -n1 -o /dev/null \
	--time=1 --wrap 'sleep 30')
wait_for 10 is_state "$ordinary" RUNNING
ordinary_weight() {
	grep -q '^none' "$shares/n1/jobs/$ordinary" &&
		[ "$(weight_of "$ordinary")" -ne 1024 ]
}
check "an ordinary job has the weight of its cores, not the kernel's default" \
	wait_for 5 ordinary_weight
grp=$(group "$ordinary")
stepd=$(stepds "$ordinary" | head -n 1)
kill -KILL "$stepd"
scancel "$ordinary"
check "kill -9 of slurmstepd leaves no group" wait_for 30 group_gone "$grp"

daemon=$(as $user_a sbatch --parsable -p shared -w n1 -o /dev/null --time=1 \
	--wrap "setsid perl -e '\$0 = \"rspb-orphan\"; sleep 600' & sleep 1")
wait_for 15 gone "$daemon"
no_orphans() {
	! pgrep -x rspb-orphan
}
check "daemonised children end with the job" wait_for 10 no_orphans

again=$(as $user_a sbatch --parsable -p shared -w n1 -o /dev/null --requeue \
	--time=1 --wrap 'sleep 4')
wait_for 10 is_state "$again" RUNNING
scontrol requeue "$again"
# Slurm lets a requeued job wait for two minutes
requeued() {
	[ "$(field "$again" Restarts)" = 1 ] || return 1
	is_state "$again" COMPLETED && return 0
	! is_state "$again" PENDING ||
		scontrol update JobId="$again" StartTime=now
	sleep 1
	return 1
}
check "a requeued job runs again and ends" wait_for 60 requeued

note "nothing may drain a node"
up_and_runs() {
	as $user_a srun -Q -p shared -w n1 --time=1 true || return 1
	! sinfo -h -n n1 -o %t | grep -E 'drain|drng|down'
}
mv "$shares" "$shares.away" && : >"$shares"
check "a state folder that can't be made" up_and_runs
rm -f "$shares" && mkdir "$shares"
if mount -t tmpfs -o size=4k,nr_inodes=1 none "$shares" 2>/dev/null; then
	check "a full disk" up_and_runs
	umount "$shares"
else
	skip "a full disk: no leave to mount here"
fi
rmdir "$shares" && mv "$shares.away" "$shares"

note "a hard ceiling"
echo 'ShareMode=hard' >>"$cluster/etc/rspb.conf"
reconfigure
sleep 1
a=$(burner 35 1)
burn "$a"
# Less only where others wanted that CPU, too: then there are periods in which
# its quota was not used up.
alone() {
	local share pauses
	share=$(awk -v u="$(used "$a")" -v w="$window" -v n="$(nproc)" \
		'BEGIN { print 100 * u / w / n }')
	pauses=$(sed -n "s/.*CPU share of job $a on n1: .*throttled=\([0-9/]*\) .*/\1/p" \
		"$cluster/log/n1.log")
	near "hard 35 alone, paused in $pauses periods" 35 "$share" ||
		awk -v s="$share" -v p="$pauses" 'BEGIN { split(p, n, "/")
			exit !(s < 35 && n[2] > 0 && n[1] < 0.9 * n[2]) }'
}
nothing_in_kernel() {
	[ -n "$grp" ] && ! groups_left "$grp"
}
report() {
	grep "CPU share of job $a on n1: granted=35.00%.* used=[1-9]" \
		"$cluster/log/n1.log"
}
paused() {
	contract "$a" | grep -E '^rspb: completed.* enforced=35%.* ceiling=35% used=[0-9.]+%.* throttled=[1-9]'
}
if grep -q "cpu,cpuacct" /proc/mounts; then
	skip "what is used under a ceiling: cpu and cpuacct are mounted as one"
else
	check "what was granted and used is reported" wait_for 5 report
	if [ "$(nproc)" -le 2 ]; then
		check "35 alone gets 35% of all CPUs" alone
	else
		skip "35 alone gets 35% of all CPUs: one CPU of $(nproc) is less"
	fi
	check "also in the record, with the pauses" wait_for 20 paused
fi
check "nothing is left in the kernel" wait_for 10 nothing_in_kernel
check "no booking is left" nothing_left
cat "$folder/shares.log"
