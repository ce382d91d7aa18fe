# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Parts of nodes that have GPUs of several types, or parts of GPUs; nodes with many kinds of
# generic resources, or with large counts. Takes 80 s.
touch "$folder"/gpu{0..3}
cat >"$folder/slurm.conf" <<CONF
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
GresTypes=gpu,shard,mps,k1,k2,k3,k4,k5,k6,k7,k8,k9,bytes
NodeName=n1 CPUs=16 RealMemory=4000 Gres=gpu:a100:2,gpu:v100:2,bytes:16G,k1:1,k2:1,k3:1,k4:1,k5:1,k6:1,k7:1,k8:1,k9:1
NodeName=n2 CPUs=16 RealMemory=4000 Gres=gpu:a100:2
NodeName=n[3-4] CPUs=16 RealMemory=4000 Gres=gpu:2,shard:8
NodeName=n5 CPUs=16 RealMemory=4000 Gres=gpu:a100:1,gpu:v100:1,shard:8
NodeName=n6 CPUs=16 RealMemory=4000 Gres=gpu:2,mps:200
NodeName=n7 CPUs=16 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
PartitionName=alone Nodes=n6 OverSubscribe=EXCLUSIVE DefaultTime=10
PartitionName=forced Nodes=n7 OverSubscribe=FORCE:2 DefaultTime=10
CONF
cat >"$folder/gres.conf" <<CONF
NodeName=n1 Name=gpu Type=a100 File=$folder/gpu[0-1]
NodeName=n1 Name=gpu Type=v100 File=$folder/gpu[2-3]
NodeName=n2 Name=gpu Type=a100 File=$folder/gpu[0-1]
NodeName=n[3-4,6] Name=gpu File=$folder/gpu[0-1]
NodeName=n5 Name=gpu Type=a100 File=$folder/gpu0
NodeName=n5 Name=gpu Type=v100 File=$folder/gpu1
NodeName=n[3-5] Name=shard Count=8
NodeName=n6 Name=mps Count=200
NodeName=n1 Name=bytes Count=16G
CONF
printf 'NodeName=n1 Name=k%s Count=1\n' 1 2 3 4 5 6 7 8 9 >>"$folder/gres.conf"
echo JournalKeep=1d >"$folder/rspb.conf"
cluster_up --nodes 7 --conf "$folder/slurm.conf" --gres-conf "$folder/gres.conf" \
	--rspb-conf "$folder/rspb.conf" || exit 1

# part JOB NODE: it is booked, as a part of that one.
part() {
	booked "$1" && contract "$1" | grep -E " cores=[0-9]+ .* on=$2( |\$)" ||
		{ contract "$1"; return 1; }
}
# hears PATTERN OPTIONS...: at submission.
hears() {
	local j
	j=$(as $user_a sbatch --parsable --book --time=1 --wrap true \
		--begin="$(slurm_time "$far")" "${@:2}" 2>"$out/heard")
	as $user_a scancel "$j"
	grep -E "$1" "$out/heard" || { cat "$out/heard"; return 1; }
}

t=$(ahead 60)
far=$((t + 7200))
bytes=$(job $user_b 300 -w n1 -n1 --gres=bytes:8G --time=10)
check "a job has more bytes than a table holds" wait_for 20 is_state "$bytes" RUNNING
check "so many are booked beside it" booked "$(book $user_a "$far" -w n1 -n1 --gres=bytes:8G)"
check "a job has an A100 of a node with two types" eval '
	a=$(job $user_b 300 -w n1 -n1 --gpus=a100:1 --time=10)
	wait_for 20 is_state "$a" RUNNING'
first=$(book $user_a "$t" -w n1 -n1 --gpus=a100:1)
check "the other one is booked" part "$first" n1
check "there is no third" declined "$(book $user_a "$t" -w n1 -n1 --gpus=a100:1)"
second=$(book $user_a "$t" -w n1 -n1 --gres=gpu:v100:2)
check "both of the other type are booked" part "$second" n1
check "no more GPU is left there" declined \
	"$(book $user_a "$t" -w n1 -n1 --gpus=v100:1)"
other=$(book $user_a "$t" -n1 --gpus=a100:1)
check "on another node there is one" part "$other" n2
any=$(book $user_a "$t" -w n2 -n1 --gpus=1)
check "of any type where a node has but one" part "$any" n2
check "where it has several, that of the one it gets is told" \
	hears 'on 1 core, 1 GPU \((a100|v100)\), .* of 1 node \(as of' -w n1 -n1 --gpus=1
three=$(book $user_a "$t" -w n3 -n1 --gpus=1)
check "a GPU of a node with shards" part "$three" n3
shards=$(book $user_a "$t" -w n4 -n1 --gres=shard:2)
check "shards of a GPU are a part" part "$shards" n4
four=$(book $user_b "$t" -w n4 -n2 --gres=shard:4)
check "so are all of the other one" part "$four" n4
check "a GPU of which shards are booked is none" declined \
	"$(book $user_a "$t" -w n4 -n1 --gpus=1)"
# never PATTERN OPTIONS...: it is refused at once, with that.
never() {
	as $user_a sbatch --book --time=1 --wrap true "${@:2}" 2>"$out/never" &&
		return 1
	grep -E "$1" "$out/never" || { cat "$out/never"; return 1; }
}
check "more shards than one GPU has are refused at once" never \
	'shard:5.: none of the 7 nodes of partition main has that' -n1 --gres=shard:5
check "and more of MPS" never 'mps:150.: none of the 7 nodes' -n1 --gres=mps:150
check "shards with all GPUs beside are refused at once" never \
	'whole nodes .--exclusive.* remove one of the two' -n1 --exclusive --gres=shard:3
check "and MPS where the partition gives all" never 'OverSubscribe=EXCLUSIVE' \
	-p alone -n1 --gres=mps:50
mps=$(book $user_b "$t" -n1 --gres=mps:50)
check "a part of a GPU by MPS is booked" booked "$mps"
check "with its node" grep ' nodes=1/1 gres=[^ ]* benefit.* on=n6' <<<"$(contract "$mps")"
check "of GPUs of several types they are booked with the node, which is said" \
	hears 'parts of GPUs can be booked only with whole nodes' -w n5 -n1 --gres=shard:2
node=$(book $user_a "$far" -w n5 -n1 --gres=shard:2)
check "with --work as well" hears 'work books whole nodes' \
	-N1-2 --ntasks-per-node=2 --time=10 --work=5m:5%
check "so it is of nodes whose CPUs another partition shares" \
	hears 'whole nodes are booked, because one of their partitions' -w n7 -n1
check "and not of others" bash -c '! "$@"' _ grep -q 'whole nodes are booked, because' "$out/said"
check "they are" booked "$node"
check "as a node" grep ' nodes=1/1 gres=[^ ]* benefit' <<<"$(contract "$node")"

# Jobs that would run into the windows of parts.
gpu=$(job $user_b 300 -w n3 -n1 --gpus=1 --time=10)
cpus=$(job $user_b 300 -w n1 -n4 --time=10)
check "an ordinary job has cores beside them" wait_for 40 is_state "$cpus" RUNNING
check "and the other GPU of a node" wait_for 40 is_state "$gpu" RUNNING
vague=$(job $user_b 300 -w n1 -n1 --gpus=1 --time=10)
shard=$(job $user_b 300 -w n3 -n1 --gres=shard:1 --time=10)
wait_for 20 looked_at "$vague"
wait_for 20 looked_at "$shard"
many=$(job $user_b 300 -w n1 -n9 --gres=k1,k2,k3,k4,k5,k6,k7,k8,k9 --time=10)
wait_for 20 looked_at "$many"
more=$(job $user_b 300 -w n4 -n1 --gres=shard:1 --time=10)
wait_for 20 looked_at "$more"
check "none of any type, which might be theirs" is_state "$vague" PENDING
check "nor a part of one" is_state "$shard" PENDING
check "nor, whatever else they want, their cores" is_state "$many" PENDING
check "nor of one of which a booking has shards" is_state "$more" PENDING
check "who booked a type begins on the second" starts_at "$first" "$t" 1500
check "and who booked the other" starts_at "$second" "$t" 1500
check "and of the one type" starts_at "$other" "$t" 1500
check "and of any" starts_at "$any" "$t" 1500
check "and beside the shards" starts_at "$three" "$t" 1500
check "and shards" starts_at "$shards" "$t" 1500
check "and those of the other GPU" starts_at "$four" "$t" 1500
check "and by MPS" starts_at "$mps" "$t" 1500
check "the journal decides the same again" decides_the_same 5
