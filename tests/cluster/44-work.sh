# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Work that is done by tasks, not by nodes (--work with -n): of the numbers of tasks that have
# room, by cores, memory and GPUs, that one is booked which is over first, and its job is as
# small and as long.
# Takes 100 s.
touch "$folder"/gpu{0..3}
cat >"$folder/slurm.conf" <<CONF
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
GresTypes=gpu
NodeName=n[1-2] CPUs=8 RealMemory=4000 Gres=gpu:4
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
PartitionName=small Nodes=ALL MaxTime=1-00:00:00
CONF
echo "NodeName=n[1-2] Name=gpu File=$folder/gpu[0-3]" >"$folder/gres.conf"
printf '%s\n' JournalKeep=1d MaxBookedPercent=100 MaxWaitingPerUser=0 \
	MaxAheadPerUser=0 'Rule=small Partitions=small MaxNodeHours=1' >"$folder/rspb.conf"
cluster_up --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" \
	--gres-conf "$folder/gres.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"

t=$(ahead 75)
one=$(book $user_b "$t" -w n1 -n5 --gpus=1 --time=60)
two=$(book $user_b "$t" -w n2 -n3 --gpus=2 --time=60)
check "others leave three cores and GPUs of a node, five and two of the other" \
	booked "$one" "$two"
# By hand: 40 minutes of one task are 5 of eight, for which there is room in an hour, or 8 of
# five.
five=$(book $user_a "$t" -N1 -n8 --time=120 --work=40m)
check "work is booked with as many tasks as are over first" booked "$five"
check "five of eight" contract_says "$five" ' nodes=1/1 cores=5 mem=50 benefit=1 .* duration=480s tasks=8 cpus=8 on=n2( |$)'
check "its job is as small and as long" job_shows "$five" 'NumCPUs=5 NumTasks=5 '
check "and as long" job_shows "$five" ' TimeLimit=00:08:00 '
check "cores are no share" says 1 'has cores, not a share' \
	as $user_a rspb modify "$five" --cpu-share=50
check "they stay" contract_says "$five" ' cores=5 '
# 20 minutes of one task are 7 of three.
three=$(book $user_a "$t" -N1 -n4 --gpus-per-task=1 --time=120 --work=20m)
check "with a GPU for each" booked "$three"
check "three tasks have room" contract_says "$three" ' cores=3 .* on=n1( |$)'
check "for seven minutes" job_shows "$three" ' TimeLimit=00:07:00 .* NumTasks=3 '
check "no more is left" declined "$(book $user_b "$t" -n1)"
wait_for 10 contract_says "$three" ' booked '

u=$((t + 86400))
six=$(book $user_b "$u" -w n1 -n6 --time=60)
check "another day two cores of a node are left" booked "$six"
table=$(book $user_a "$u" -N2 -n8 --time=120 --work=4@10m,6@1m,8@6m)
check "by a table over two nodes" booked "$table"
check "two tasks on each, six are not as many on each" contract_says "$table" \
	' nodes=2/2 cores=2 .* duration=600s '
# By hand: eight tasks for 68 minutes are 1.13 node-hours, seven for 69 1.01, six for 70 .88.
small=$(book $user_a "$((u + 43200))" -p small -N1 -n8 --time=120 --work=2h:50%)
check "as many tasks as the site lets it have" booked "$small"
check "six" contract_says "$small" ' cores=6 .* duration=4200s '
check "what is not done in time is refused" refused '1 to 4 tasks it is not done within 2 min' \
	as $user_a sbatch --book -N1 -n4 --time=2 --work=1h --wrap true
check "tasks that are not as many on each node take nodes, which is told" \
	says 0 '--work books whole nodes' \
	as $user_a sbatch --book --begin="$(slurm_time $((u + 43200)))" -N1 -n1 --time=60 \
	--work=1h -o /dev/null --wrap true

note "what else it could have"
offered() {
	local said
	said=$(as $user_a rspb offers "$@")
	grep -qE ' 1 .* 2 .*-N1 -n2 --time=10 --begin=' <<<"$said" || { echo "$said"; return 1; }
}
check "it is offered with its tasks" offered -N1 -n8 --time=30 --work=20m -w n1 \
	--begin="$(slurm_time "$u")"
v=$((u + 86400))
full=$(book $user_b "$v" -w n1 -n8 --time=60)
most=$(book $user_b $((v + 3600)) -w n1 -n6 --time=60)
check "a node is full for an hour, then nearly" booked "$full" "$most"
early=$(book $user_a "$v" -w n1 -n8 --time=30 --work=20m)
check "work that has no place is declined" declined "$early"
offer=$(as $user_a rspb --json offers "$early" | jq -r '.offers[0].offer')
check "on offer are two tasks later" grep -E '^1/2@.*[+]600$' <<<"$offer"
check "more than it has are not accepted" says 1 'can have at most 8 tasks' \
	as $user_a rspb accept "$early" "${offer/1\/2/1/9}"
check "these are" says 0 '' as $user_a rspb accept "$early" "$offer"
check "and booked" booked "$early"
check "with two tasks" job_shows "$early" 'NumCPUs=2 NumTasks=2 '
check "for ten minutes" contract_says "$early" ' cores=2 .*duration=600s '
plain=$(book $user_a "$((u + 7200))" -n3 --time=20)
check "a part that is booked" booked "$plain"
later=$(as $user_a rspb --json offers "$plain" | jq -r '.offers[0].offer')
check "may take what it is offered" says 0 '' as $user_a rspb accept "$plain" "$later"
check "and is booked" booked "$plain"

check "slurmctld is killed" ctld_stop KILL
check "and comes back" ctld_start
check "it is booked as it was" wait_for 10 contract_says "$three" ' booked .* cores=3 .*tasks=4 cpus=4 '
check "two tasks on each" contract_says "$table" 'booked .* cores=2 '
check "and what was accepted" contract_says "$early" 'booked .* cores=2 '
sleep 12
check "a look at limits later there is no more room" declined "$(book $user_b "$t" -w n1 -n1)"
check "its owner may have it later" says 0 '' as $user_a rspb modify "$table" \
	--begin="$(slurm_time $((u + 1200)))"
check "and it keeps its form" contract_says "$table" ' cores=2 .* duration=600s '
for j in "$three" "$five"; do
	check "it starts on its second" starts_at "$j" "$t" 1500
done
check "with three tasks and GPUs" job_shows "$three" 'NumCPUs=3 NumTasks=3 .*GRES=gpu:3\('
check "with five cores" job_shows "$five" 'NumCPUs=5 NumTasks=5 '
check "the journal decides the same again" decides_the_same 6
