# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Two parts and an ordinary job at once for the last GPU of a node, over and over; a job
# that uses more memory than it booked beside parts that begin; a job's cores changed
# while it runs.
# Takes 150 s.
touch "$folder"/gpu{0..1}
cat >"$folder/slurm.conf" <<CONF
SelectTypeParameters=CR_Core_Memory
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherParams=OverMemoryKill
JobAcctGatherFrequency=2
DefMemPerCPU=10
GresTypes=gpu
NodeName=n[1-6] CPUs=8 RealMemory=2000 Gres=gpu:2
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
CONF
echo "NodeName=n[1-6] Name=gpu File=$folder/gpu[0-1]" >"$folder/gres.conf"
cluster_up --nodes 6 --conf "$folder/slurm.conf" \
	--gres-conf "$folder/gres.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"

# ask NODE KIND COMMAND...: a job with a GPU there, its id into a file of that name;
# within the time that a decision takes.
ask() {
	local node=$1 kind=$2
	shift 2
	pause $((RANDOM % 2)).$((RANDOM % 10))
	"$@" -w "$node" -n1 --gpus=1 >"$out/$node.$kind" 2>>"$out/asked"
}
# gpus_apart: no GPU of a node is two jobs'.
gpus_apart() {
	local used
	used=$(scontrol -d show job | awk '/JobState=/ { runs = /RUNNING|COMPLETING/ }
		runs && match($0, /Nodes=n[0-9]+/) { node = substr($0, RSTART + 6, RLENGTH - 6)
			if (match($0, /IDX:[0-9,-]+/)) {
				n = split(substr($0, RSTART + 4, RLENGTH - 4), part, ",")
				for (i = 1; i <= n; i++) {
					m = split(part[i], range, "-")
					for (g = range[1]; g <= range[m]; g++)
						print node, g
				}
			} }' | sort)
	[ -z "$used" ] || echo "$used" >>"$out/seen"
	[ -z "$(uniq -d <<<"$used")" ] || { scontrol -d show job; return 1; }
}
watch() {
	until [ -e "$out/enough" ]; do
		gpus_apart >>"$out/twice" || echo "at $EPOCHSECONDS" >>"$out/twice"
		pause 0.3
	done
}

# One GPU of each node is taken for good.
for n in 1 2 3 4 5 6; do
	taken[n]=$(job $user_b 900 -w n$n -n1 --gpus=1 --time=20)
done
taken() {
	[ "$(squeue -h -t R | wc -l)" = 6 ]
}
check "one GPU of two is taken on each of six nodes" wait_for 20 taken || exit 1
watch &
watcher=$!
parts=0 ordinary=0 late=0 both=0
for round in 1 2 3 4; do
	t=$(ahead 12)
	for n in 1 2 3 4 5 6; do
		part=(30 --book --begin="$(slurm_time "$t")" --time=1)
		ask n$n a job $user_a "${part[@]}" &
		asked[n]=$!
		ask n$n b job $user_b "${part[@]}" &
		asked[n]+=" $!"
		ask n$n c job $user_b 40 --time=2 &
		asked[n]+=" $!"
	done
	for n in 1 2 3 4 5 6; do
		# shellcheck disable=SC2086
		wait ${asked[n]}
	done
	round_jobs=()
	for n in 1 2 3 4 5 6; do
		has=0
		for k in a b; do
			j=$(<"$out/n$n.$k")
			round_jobs+=("$j")
			wait_for 10 decided "$j" || not_ok "job $j is not decided"
			! is_booking "$j" booked && ! is_booking "$j" active || {
				has=$((has + 1)) parts=$((parts + 1))
				starts_at "$j" "$t" 1500 || late=$((late + 1))
			}
		done
		j=$(<"$out/n$n.c")
		round_jobs+=("$j")
		! is_state "$j" RUNNING || has=$((has + 1)) ordinary=$((ordinary + 1))
		[ $has -le 1 ] || both=$((both + 1))
	done
	as $user_a scancel "${round_jobs[@]}" 2>>"$out/cancelled"
	as $user_b scancel "${round_jobs[@]}" 2>>"$out/cancelled"
	free() {
		[ "$(squeue -h | wc -l)" = 6 ] && no_reservations
	}
	wait_for 30 free || { squeue; not_ok "round $round leaves something"; }
done
touch "$out/enough"
wait $watcher
note "of 24 races $parts were won by parts, $ordinary by ordinary jobs"
check "somebody gets the last GPU" [ $((parts + ordinary)) -ge 18 ]
check "never two" [ $both -eq 0 ]
check "nobody booked is late" [ $late -eq 0 ]
check "jobs were seen with their GPUs" [ -s "$out/seen" ]
check "never is a GPU two jobs'" [ ! -s "$out/twice" ]

note "a job that uses more memory than it booked, and cores changed under way"
cat >"$out/greedy.sh" <<'GREEDY'
#!/bin/bash
echo $EPOCHREALTIME >begin.$SLURM_JOB_ID
exec perl -e 'my $m = "x" x 300e6; sleep 50'
GREEDY
t=$(ahead 12)
greedy=$(as $user_a sbatch --parsable -o greedy-%j.out --book --time=1 -w n1 -n2 \
	--mem=100 --begin="$(slurm_time "$t")" greedy.sh)
beside=$(job $user_b 100 --book --begin="$(slurm_time "$t")" --time=2 -w n1 -n3 \
	--mem=800)
behind=$(book $user_b $((t + 60)) -w n1 -n2 --mem=900)
check "three parts of a node" booked "$greedy" "$beside" "$behind"
check "one begins that uses more memory" starts_at "$greedy" "$t" 1500
check "the one beside it begins on its second" starts_at "$beside" "$t" 1500
cores() {
	[ "$(field "$beside" NumCPUs)" = 3 ] && contract "$beside" | grep ' cores=3 ' ||
		{ scontrol show job "$beside"; return 1; }
}
for what in numcpus=5 numtasks=5 mincpusnode=5 minmemorynode=1900; do
	scontrol update "jobid=$beside" $what >>"$out/updated" 2>&1
	check "scontrol update $what changes nothing of one that runs" cores
done
more=$(book $user_a $((t + 60)) -w n1 -n2 --mem=100)
check "what is left there can be booked" booked "$more"
check "no more than that" declined "$(book $user_a $((t + 60)) -w n1 -n1 --mem=1000)"
check "who follows begins on its second" starts_at "$behind" $((t + 60)) 1500
check "and who was booked meanwhile" starts_at "$more" $((t + 60)) 1500
