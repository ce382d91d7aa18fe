# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Parts of nodes (Unit=part): cores, memory and GPUs of one's own, beside ordinary jobs
# and other parts.
# Takes 120 s.
touch "$folder"/gpu{0..3}
cat >"$folder/slurm.conf" <<CONF
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
GresTypes=gpu
Licenses=token:1
NodeName=n[1-2] Sockets=2 CoresPerSocket=8 CPUs=16 RealMemory=4000 Gres=gpu:4
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
PartitionName=wide Nodes=ALL DefaultTime=10 MaxTime=1-00:00:00
CONF
echo "NodeName=n[1-2] Name=gpu File=$folder/gpu[0-3]" >"$folder/gres.conf"
printf '%s\n' Unit=part JournalKeep=1d MaxBookedPercent=100 \
	MaxWaitingPerUser=0 MaxAheadPerUser=0 ReserveAhead=0 >"$folder/rspb.conf"
cluster_up --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" \
	--gres-conf "$folder/gres.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"

# many N START OPTIONS...: so many bookings alike, into jobs.
many() {
	local n=$1 start=$2 i
	shift 2
	jobs=()
	for ((i = 0; i < n; i++)); do
		jobs+=("$(book $user_a "$start" "$@")")
	done
}
away() {
	as $user_a scancel "${jobs[@]}" "$@"
	wait_for 10 no_reservations
}
# on JOB NODE
on() {
	contract_says "$1" " on=$2( |\$)"
}

far=$(ahead 7200)
many 8 "$far" -n4
check "eight bookings of four cores fill two nodes of sixteen" booked "${jobs[@]}"
check "the contract says how many cores" contract_says "${jobs[0]}" ' nodes=1/1 cores=4 '
check "those that fill a node are on it" on "${jobs[3]}" n1
check "the next four begin another" on "${jobs[4]}" n2
last=$(book $user_b "$far" -n1)
check "not one core more" declined "$last"
check "and it says why" contract_says "$last" \
	'reason=1 core on 1 node requested .*no node has so many cores free then'
check "a node for oneself is not free either" declined \
	"$(book $user_b "$far" -N1 --exclusive)"
# Up to 23.02 Slurm knows which they are when it has saved it.
reservation() {
	scontrol show reservation "rspb_${jobs[1]}" | grep "CoreIDs=4-7"
}
check "its reservation is one of cores" wait_for 20 reservation
check "and counts as these" grep -w TRES=cpu=4 \
	<(scontrol -o show reservation "rspb_${jobs[1]}")
listed() {
	as $user_a rspb list | grep -E "^${jobs[0]} .* 1 +4c "
}
check "the list says so" wait_for 5 listed
drawn() {
	[ "$(as $user_b rspb --json timeline | grep -c '"node_part": *25')" -eq 8 ]
}
check "others see how much of the nodes is taken" wait_for 5 drawn
later() {
	as $user_b rspb offers -t 1 -b "$(slurm_time "$far")" "$@" | sed 1d >"$out/line"
	grep -F -- "--begin=$(slurm_time $((far + 60)))" "$out/line"
}
check "what is left is offered behind them" wait_for 5 later -n2 --gpus=1 --mem=1G
check "as it would be typed" grep -F -- "--ntasks=2 --mem=1024 --gpus=1" "$out/line"
as $user_a scancel "${jobs[@]:0:4}"
four_left() {
	[ "$(our_reservations | wc -l)" = 4 ]
}
wait_for 10 four_left
whole=$(book $user_b "$far" -N1 --exclusive)
check "when the parts of a node are given back, it is free whole" booked "$whole"
as $user_b scancel "$whole"
away

many 8 "$far" -n1 --gpus=1
check "eight bookings of a GPU" booked "${jobs[@]}"
last=$(book $user_b "$far" -n1 --gpus=1)
check "there is no ninth" declined "$last"
check "and it says of what there is none" contract_says "$last" 'not enough GPUs are free'
# first SECONDS OPTIONS...: slots of that begin so long behind.
first() {
	[ "$(as $user_b rspb --json slots -t 1 --begin="$(slurm_time "$far")" "${@:2}" |
		jq '.slots[0].from')" = $((far + $1)) ]
}
check "slots of a GPU begin behind them" wait_for 10 first 60 --gpus=1
check "slots of cores beside them" first 0 -N2 --cpus=12 --mem=1G
check "slots of more cores behind them, too" first 60 --cpus=13
check "and slots of nodes" first 60 -N1
check "there are no nodes with five GPUs" grep 'no node of partition .* has 5 GPUs; the most is ' \
	<(as $user_b rspb slots -t 1 --gpus=5 2>&1)
more=$(book $user_b "$far" -n8)
check "cores are left" booked "$more"
as $user_b scancel "$more"
# Where licenses are booked, limits are looked at every ten seconds.
token=$(book $user_b "$far" -n1 -L token)
check "one with a license" booked "$token"
sleep 15
last=$(book $user_b "$far" -n1 --gpus=1)
check "a look at limits later there is no ninth GPU either" declined "$last"
as $user_b scancel "$token"
away
many 4 "$far" -n1 --mem=2000
check "memory counts" booked "${jobs[@]}"
last=$(book $user_b "$far" -n1 --mem=100)
check "no more of it than there is" declined "$last"
check "and it says so" contract_says "$last" 'not enough memory is free'
away
spread=$(book $user_a "$far" -N2 -n2 --gpus=3)
check "GPUs in total on several nodes are booked" booked "$spread"
check "as parts of each" contract_says "$spread" ' nodes=2/2 cores=1 .*gres=gpu:2 benefit'
worth=$(book $user_a "$((far + 3600))" -N2 -n2 --benefit=linear:50%)
check "what is worth something with fewer nodes is booked" booked "$worth"
check "and has whole nodes, too" contract_says "$worth" \
	' nodes=2/2 gres=gpu:4 benefit'
jobs=()
away "$spread" "$worth"

# --- beside ordinary jobs ----------------------------------------------------
t=$(ahead 100)
many 3 "$t" -n4 --gpus=1
check "three parts soon" booked "${jobs[@]}"
wide=$(book $user_a "$t" -N2 -n4 --time=1)
check "two cores of each of two nodes" booked "$wide"
check "are so many of each" contract_says "$wide" ' nodes=2/2 cores=2 '
fits=$(job $user_b 300 -w n1 -n1 --time=10)
check "an ordinary job has what they leave of a node" wait_for 40 is_state "$fits" \
	RUNNING
short=$(job $user_b 300 -N1 -w n2 -n14 --time=10)
check "on the other one, too" wait_for 40 is_state "$short" RUNNING
large=$(job $user_b 300 -N1 -w n1 -n2 --time=10)
gpus=$(job $user_b 300 -N1 -w n1 -n1 --gpus=2 --time=10)
submitted=$EPOCHSECONDS
waits() {
	wait_for 60 looked_at "$1" && is_state "$1" PENDING
}
check "one that would take a core of a part waits" waits "$large"
check "and one that would take a GPU" waits "$gpus"
# What Slurm has not saved yet it forgets, numbers of jobs among it.
saved() {
	[ "$(stat -c %Y "$cluster/state/job_state")" -gt "$submitted" ]
}
wait_for 15 saved >/dev/null
check "slurmctld is killed" ctld_stop KILL
check "and comes back" ctld_start
check "the parts stand" booked "${jobs[@]}" "$wide"
check "with their cores" contract_says "${jobs[0]}" ' cores=4 '
late=$(book $user_a "$t" -w n1 -n2)
check "of n1 no more is left then" declined "$late"
for j in "${jobs[@]}" "$wide"; do
	check "a part begins on its second" starts_at "$j" "$t"
done
cpus() {
	[ "$(field "$1" NumCPUs)" = "$2" ] ||
		{ scontrol -d show job "$1"; return 1; }
}
check "with its cores" cpus "${jobs[0]}" 4
# Slurm writes nodes with the same cores together.
evenly() {
	scontrol -d show job "$wide" |
		sed -n 's/.*CPU_IDs=\([0-9]*\)[-,]\([0-9]*\) .*/\1 \2/p' |
		awk '$2 - $1 != 1 { bad = 1 } END { exit bad || !NR }' ||
		{ scontrol -d show job "$wide"; return 1; }
}
check "that of two nodes with as many of each" evenly
check "the ordinary job runs on" is_state "$fits" RUNNING
check "the journal decides the same again" decides_the_same 10

# --- other units --------------------------------------------------------------
as $user_b scancel "$fits" "$large" "$gpus" "$short"
away "$wide"
sed -i 's/^Unit=.*/Rule=wide Partitions=wide Unit=node/' "$cluster/etc/rspb.conf"
reconfigure
t=$(ahead 3600)
jobs=("$(book $user_a "$t" -n4)" "$(book $user_a "$t" -N1 --mem=100)"
	"$(book $user_a "$t" -N1)" "$(book $user_a $((t + 60)) -n4 -p wide)")
check "as shipped, and in a partition with a rule" booked "${jobs[@]}"
check "who says tasks has cores" contract_says "${jobs[0]}" ' nodes=1/1 cores=4 '
check "and who says memory" contract_says "${jobs[1]}" ' nodes=1/1 cores=1 '
check "who says how many nodes has these" contract_says "${jobs[2]}" ' nodes=1/1 gres=gpu:4 benefit'
check "and where the rule says so, all" contract_says "${jobs[3]}" ' nodes=1/1 gres=gpu:4 benefit'
jobs+=("$(book $user_a $((t + 120)) -n1 --mem-per-cpu=2500)"
	"$(book $user_a $((t + 120)) -n1 --mem-per-cpu=2500)")
check "memory that comes with cores counts" booked "${jobs[@]}"
check "each on a node of its own" on "${jobs[5]}" n2

# --- cores that an operator has reserved --------------------------------------
jobs=()
away -u $user_a
t=$(ahead 25)
check "an operator reserves cores" scontrol create reservation reservation=op \
	user=$user_b start="$(slurm_time "$t")" duration=5 nodes=n1 corecnt=12
four=$(book $user_a "$t" -w n1 -n4)
check "the others are booked" booked "$four"
check "but no more than these" declined "$(book $user_a "$t" -w n1 -n1)"
check "nor the node" declined "$(book $user_a "$t" -w n1 -N1)"
theirs=$(job $user_b 30 --reservation=op -n12 --time=2)
check "it begins on its second" starts_at "$four" "$t"
# They want all of their cores: which these are depends on the release.
check "and so do those who have the reservation" wait_for 15 is_state "$theirs" \
	RUNNING
check "who runs in it does not count twice" booked \
	"$(book $user_b $((t + 70)) -w n1 -n4)"
check "it has as many as it booked" cpus "$four" 4
# Not all releases have reservations of GPUs.
reserve=(scontrol create reservation reservation=gpus "user=$user_b" duration=5
	start="$(slurm_time $((t + 300)))" partitionname=main nodecnt=1)
left=1
"${reserve[@]}" tres=cpu=4,gres/gpu=3 >>"$out/reserve" 2>&1 || {
	left=4
	check "an operator reserves cores as resources" "${reserve[@]}" tres=cpu=4
}
node=$(scontrol -o show reservation gpus | sed 's/.* Nodes=\(n[12]\) .*/\1/')
# More than the node has is refused at submission.
has_none() {
	[ -z "$1" ] || declined "$1"
}
check "who asks for more GPUs than it leaves has none" has_none \
	"$(book $user_b $((t + 310)) -N1 -w "$node" -n1 --gpus=$((left + 1)) 2>/dev/null)"
check "who asks for the others has them" booked \
	"$(book $user_b $((t + 310)) -w "$node" -n1 --gpus=$left)"
check "the journal decides the same with operators' cores" decides_the_same 20
