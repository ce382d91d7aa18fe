# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What was promised stays; what was granted beyond grows and gives way; a
# failed node costs as little as can be.
# Takes 180 s.
printf '%s\n' Algorithm=lazy-worst DebugLocks=yes JournalKeep=1d \
	>"$folder/rspb.conf"
cluster_up --nodes 4 --rspb-conf "$folder/rspb.conf" || exit 1
log=$cluster/log/slurmctld.log

# has JOB WORDS: its contract says so.
has() {
	contract "$1" | grep -E -- "$2" || { contract "$1"; return 1; }
}
resv_nodes() {
	local held
	held=$(scontrol -o show reservation "rspb_$1" 2>/dev/null |
		sed -n 's/.* Nodes=\([^ ]*\) .*/\1/p')
	[ -n "$held" ] && scontrol show hostnames "$held"
}
is_off() {
	[ -n "$(resv_nodes "$1")" ] && ! resv_nodes "$1" | grep -qx "$2"
}
ran_on() {
	wait_for 15 ended "$1" && [ "$(scontrol show hostnames \
		"$(awk '{ print $3 }' "$out/ran.$1")" | wc -l)" -eq "$2" ] ||
		{ cat "$out/ran.$1"; return 1; }
}
drain() {
	scontrol update nodename="$1" state=drain reason=test
}
# Until its slurmd has answered it is no place for others.
answers() {
	! sinfo -h -N -n "$1" -o %T | grep -F '*'
}
resume() {
	scontrol update nodename="$1" state=resume
	wait_for 10 answers "$1"
}
settings() {
	printf '%s\n' "$@" DebugLocks=yes JournalKeep=1d \
		>"$cluster/etc/rspb.conf"
	reconfigure
	sleep 1
}
job_of() {
	cat >"$out/tasks.sh" <<'JOB'
#!/bin/bash
echo "$EPOCHREALTIME" >begin.$SLURM_JOB_ID
echo "$SLURM_NTASKS $SLURM_JOB_NUM_NODES" >tasks.$SLURM_JOB_ID
JOB
}
job_of

note "whole nodes: the least is promised, the rest comes before the start"
t=$(ahead 30)
soft=$(as $user_a sbatch --parsable -o /dev/null --book --time=1 -N4 -n4 \
	--begin="$(slurm_time "$t")" --benefit=linear:25% tasks.sh)
check "a soft booking is promised its least" booked "$soft"
check "which is one node of four" has "$soft" 'nodes=1/4 benefit=0.25'
hard=$(book $user_b "$t" -N2)
other=$(book $user_b "$t" -N1)
check "the rest is there for others" booked "$hard" "$other"
none=$(book $user_b "$t" -N1)
check "but nobody gets what is promised" declined "$none"
as $user_b scancel "$none" "$other"
check "before the start it grows into what was given back" \
	wait_for $((t - EPOCHSECONDS + 1)) has "$soft" 'nodes=2/4 promised=1 benefit=0.5'
check "in its reservation, too" [ "$(resv_nodes "$soft" | wc -l)" -eq 2 ]
check "it starts on its second" starts_at "$soft" "$t"
wait_for 5 [ -s "$out/tasks.$soft" ]
check "with as many tasks as nodes" [ "$(cat "$out/tasks.$soft")" = "2 2" ]
check "as does the other" starts_at "$hard" "$t"
wait_for 20 nothing_left

note "where Slurm would not start more"
t=$(ahead 25)
beside=$(book $user_b "$t" -w n2)
soft=$(as $user_a sbatch --parsable -o /dev/null --book --time=1 -N3 \
	--contiguous -x n4 --begin="$(slurm_time "$t")" \
	--benefit=linear:33% tasks.sh)
check "one of three nodes side by side is promised" booked "$soft" "$beside"
check "with another booking in between" has "$soft" 'nodes=1/3 .*on=n[13]( |$)'
check "it starts on its second" starts_at "$soft" "$t"
check "as it was promised" has "$soft" 'nodes=1/3 .*on=n[13]( |$)'
check "and was not given up for what lies apart" \
	never_logged slurmctld.log "booking $soft" " is given up: "
wait_for 20 nothing_left

note "shares"
v1=$(cpu_tree)
# share USER SHARE [OPTIONS]: on n1, for two minutes; its id.
share() {
	local user=$1 share=$2
	shift 2
	as "$user" sbatch --parsable -p shared -o /dev/null -w n1 --book \
		--time=3 --cpu-share="$share" "$@" --wrap 'sleep 170'
}
[ -n "$v1" ] || skip "shares in the kernel: no writable cpu controller here"
kernel() {
	[ -z "$v1" ] || check "$@"
}
# The reservation says what the contract does, but for what nodes have reported.
in_tag() {
	scontrol -o show reservation "rspb_$1" |
		grep -F "$(contract "$1" | sed 's/ enforced=.*//')"
}
# The moment at which the kernel has another weight for a job, in ms.
watch_kernel() {
	perl -MTime::HiRes=time,sleep -e '
		my ($file, $want) = @ARGV;
		for (my $end = time + 30; time < $end; sleep 0.002) {
			open(my $f, "<", $file) or next;
			my $now = <$f>;
			if ($now == $want) { printf "%d\n", time * 1000; exit }
		}' "$(group "$1")/cpu.shares" "$2" >"$out/kernel.$1" &
}
said_at() {
	local at
	at=$(sed -n "s/^\[\([^]]*\)\] rspb: booking $1: .*$2.*/\1/p" "$log" |
		tail -n 1)
	[ -n "$at" ] && date -d "$at" +%s%3N
}
# follows JOB TEXT: within 100 ms of that line in the log.
follows() {
	local said
	wait_for 5 [ -s "$out/kernel.$1" ]
	said=$(said_at "$1" "$2") || { grep "booking $1:" "$log"; return 1; }
	note "the kernel followed after $(($(cat "$out/kernel.$1") - said)) ms"
	[ $(($(cat "$out/kernel.$1") - said)) -lt 100 ] ||
		wait_judge "the kernel" 0.1 $((($(cat "$out/kernel.$1") - said) * 1000)) \
			"${kernel_from[@]}"
}
t=$(ahead 20)
a=$(share $user_a 80:20 --begin="$(slurm_time "$t")" --benefit=linear:25%)
b=$(share $user_b 60:30 --begin="$(slurm_time "$t")" --benefit=linear:50%)
check "both are promised their least" booked "$a" "$b"
check "20 %" has "$a" ' share=20% benefit'
check "30 %" has "$b" ' share=30% benefit'
check "who came first grows first" \
	wait_for $((t - EPOCHSECONDS + 5)) has "$a" \
	'active .*share=70% promised=20%'
kernel "in the kernel" wait_for 10 weight_is "$a" 7168
kernel "the other keeps its promise" weight_is "$b" 3072
load_read
kernel_from=("$cpu_waits" "$disk_waits" "$stolen")
[ -z "$v1" ] || watch_kernel "$a" 8192
as $user_b scancel "$b"
check "a neighbour that ends early leaves room to the one that runs" \
	wait_for 10 has "$a" 'active .*share=80% promised=20% .*reason=grown'
kernel "the kernel follows within 100 ms" follows "$a" 'with 80% now'
check "its reservation says the same" wait_for 5 in_tag "$a"

c=$(share $user_b 50)
check "a newcomer gets what was not promised" booked "$c"
check "the other keeps what is left" has "$a" 'share=50% promised=20%'
kernel "also in the kernel" wait_for 10 weight_is "$a" 5120
d=$(share $user_b 40)
check "and never what was" declined "$d"
as $user_b scancel "$d"

ctld_stop && ctld_start
check "a restart keeps promise and grant" has "$a" 'share=50% promised=20%'
wait_for 10 grep -q "ledger for 4 nodes: 2 bookings kept" "$log"
d=$(share $user_b 30)
check "and what may still be had" booked "$d"
check "down to the promise" wait_for 5 has "$a" 'share=20% '
kernel "in the kernel" wait_for 10 weight_is "$a" 2048

note "an owner's changes"
wish() {
	as "$1" scontrol update JobId="$2" Comment="cpu-share=$3"
}
wish $user_b "$c" 70%
check "what does not fit is refused with the node and the time" wait_for 5 \
	has "$c" 'share=50% .*reason=its share is unchanged; 70% was refused: of n1 it can have 50% at most'
check "the wish does not stay as the job's comment" eval \
	'scontrol show job "$c" | grep "Comment=refused: cpu-share=70%: of n1"'
kernel "the kernel stays" weight_is "$c" 5120
for share in 41% 42% 43% 44% 40%; do wish $user_b "$c" $share; done
check "of several changes in a second the last one holds" \
	wait_for 5 has "$c" ' share=40% '
kernel "in the kernel" wait_for 10 weight_is "$c" 4096
check "and in its reservation" wait_for 5 in_tag "$c"
check "what it gave away is another's" wait_for 5 has "$a" 'share=30% promised=20%'
wish $user_b "$c" 50%
check "and comes back when it is wanted again" wait_for 5 has "$c" ' share=50% '
check "from what was not promised" wait_for 5 has "$a" 'share=20% '
as $user_b scancel "$c" "$d"
check "two that end at once leave all to the third" \
	wait_for 10 has "$a" 'share=80% promised=20%'
as $user_a scancel "$a"
check "nothing is left over" wait_for 30 nothing_left

note "a failed node"
settings Algorithm=live
t=$(ahead 45)
first=$(book $user_a "$t" -N2 --benefit=linear:50%)
pair=$(as $user_a sbatch --parsable -o job-%j.out \
	--book --begin="$(slurm_time "$t")" --time=1 -N1 : \
	--book --begin="$(slurm_time "$t")" --time=1 -N1 job.sh 2)
check "four nodes are booked" booked "$first" "$pair" "$((pair + 1))"
lost=$(resv_nodes "$first" | head -n 1)
drain "$lost"
check "without another node it has less, within its function" \
	wait_for 10 has "$first" 'nodes=1/2 .*reason=less than before: a node that is down or drained was in the way'
check "on the node that is left" is_off "$first" "$lost"
gone_node=$(scontrol -o show reservation "rspb_${pair}_1" |
	sed -n 's/.* Nodes=\([^ ]*\) .*/\1/p')
check "a component has its node" [ -n "$gone_node" ]
drain "$gone_node"
resume "$lost"
component_off() {
	local node
	node=$(scontrol -o show reservation "rspb_${pair}_1" |
		sed -n 's/.* Nodes=\([^ ]*\) .*/\1/p')
	[ -n "$node" ] && [ "$node" != "$gone_node" ]
}
check "a component of a pair gets one that comes back, before who had it" wait_for 15 component_off
check "and the pair stays whole" booked "$pair" "$((pair + 1))"
at_start=$(resv_nodes "$first")
until [ "$(now_ms)" -ge $((t * 1000 - 700)) ]; do sleep 0.02; done
drain "$at_start"
resume "$gone_node"
check "a node that fails a moment before the start is replaced" \
	starts_at "$first" "$t" 1500
check "the job runs elsewhere" ran_on "$first" 1
check "not on the bad one" eval '! grep -q " $at_start\$" "$out/ran.$first"'
check "the pair starts on its second" starts_at "$pair" "$t"
resume "$at_start"
wait_for 20 nothing_left

note "the least valuable gives way"
t=$(ahead 85)
high=$(book $user_a "$t" -N1)
mid=$(book $user_a "$t" -N2 --benefit=linear:50%)
low=$(book $user_b "$t" -N1)
check "all nodes are booked" booked "$high" "$mid" "$low"
lost=$(resv_nodes "$high")
drain "$lost"
check "one with a benefit function has less first" \
	wait_for 10 has "$mid" 'nodes=1/2 '
check "the one that lost its node has another" is_off "$high" "$lost"
check "nobody else loses anything" is_booking "$low" booked
lost2=$(resv_nodes "$high")
drain "$lost2"
check "then the last one in gives its booking up" wait_for 10 is_booking "$low" declined
check "for the most valuable" wait_for 5 is_off "$high" "$lost2"
check "and is told why, with an offer" has "$low" 'reason=.*on offer: 1 node'
lost3=$(resv_nodes "$high")
settings Algorithm=live Yield=none
drain "$lost3"
check "where nobody has to give way, the owner is told what is in the way" \
	wait_for 15 has "$high" 'reason=a node that is down or drained is in the way now; on offer: '
resume "$lost3"
check "and that it is not any more" wait_for 15 eval \
	'! has "$high" "in the way"'
drain "$lost3"
check "that it is again" wait_for 15 has "$high" 'is in the way now'
resume "$lost"
helped() {
	has "$high" 'reason=other nodes: a node that is down or drained was in the way *$'
}
check "another node that comes back is its place" \
	wait_for 10 is_off "$high" "$lost3"
check "and it is told what was in the way" wait_for 5 helped
sleep 3
check "that stays, and nothing is any more" helped
check "it starts on its second" starts_at "$high" "$t"
as $user_b scancel "$low"
resume "$lost2"; resume "$lost3"
check "nothing is left over" wait_for 30 nothing_left

note "a node that is lost while the job runs"
settings Algorithm=live
running=$(job $user_a 25 --requeue --book --time=3 -N1)
check "a job runs" wait_for 15 began "$running"
lost=$(resv_nodes "$running")
# its answer to the launch, which Slurm may read a second later, would make it up
sleep 2
rm "$out/begin.$running"
kill -KILL "$(cat "$cluster/run/node-$lost.pid")"
scontrol update nodename="$lost" state=down reason=test
check "it begins again on another node, within its window" \
	wait_for 30 began "$running"
check "which is booked for the rest of it" is_off "$running" "$lost"
check "and runs to its end" wait_for 40 ended "$running"

longest() {
	local us
	us=$(sed -n 's/.*rspb: locks: \(settle\|change\) (write.* held [0-9]* us, busy \([0-9]*\) us.*/\2/p' \
		"$log" | sort -n | tail -n 1)
	note "longest lock of a change: ${us:-0} us"
	[ "${us:-0}" -lt 5000 ]
}
check "no change held the locks for 5 ms" longest

note "the journal of all this"
again() {
	decides_the_same || return 1
	# shellcheck disable=SC2046
	"$cluster/rspb/bin/rspb-sim" journal $(journals) >"$out/again" 2>&1
	grep -qE 'among them [1-9][0-9]* that rescue a booking, [1-9][0-9]* that let one grow' \
		"$out/again" || { cat "$out/again"; return 1; }
}
check "rescues and growth are decided the same again" again
note "$(grep -h 'decisions\|rescue' "$out/again" | tr '\n' ' ')"
