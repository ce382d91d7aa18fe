# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Generic resources: a booking gets nodes that have what its job asks for.
# Takes 75 s.
cat >"$folder/slurm.conf" <<'TEXT'
GresTypes=gpu,shard,fpga
NodeName=n[1-3] Feature=old
NodeName=n[4-5] Feature=new,ib Gres=gpu:big:2
NodeName=n6 Feature=new Gres=gpu:small:4,shard:8,fpga:1
TEXT
sed -i 's/^NodeName.*/& CPUs=4 RealMemory=4000/' "$folder/slurm.conf"
# a GPU is a file to Slurm, whatever kind of file
touch "$folder"/gpu{0..3}
cat >"$folder/gres.conf" <<TEXT
NodeName=n[4-5] Name=gpu Type=big File=$folder/gpu[0-1]
NodeName=n6 Name=gpu Type=small File=$folder/gpu[0-3]
NodeName=n6 Name=shard Count=8
NodeName=n6 Name=fpga Count=1
TEXT
cluster_up --conf "$folder/slurm.conf" --gres-conf "$folder/gres.conf" || exit 1

t=$(ahead 3600)
nodes_of() {
	contract "$1" | sed -n 's/.* on=\([^ ]*\).*/\1/p'
}
# on TEXT NODES SBATCH-OPTIONS...: what is booked lies on exactly these.
on() {
	local text=$1 want=$2 job
	shift 2
	job=$(book $user_a "$t" "$@")
	check "$text" booked "$job"
	check "$text: on $want" grep -x "$want" <<<"$(nodes_of "$job")"
	as $user_a scancel "$job"
}
plain=$(book $user_a "$t" -N2)
check "a job that needs none is booked" booked "$plain"
check "on nodes without, which come first" grep -xF 'n[1-2]' \
	<<<"$(nodes_of "$plain")"
on "two GPUs on a node" n4 -N1 --gres=gpu:2
on "three GPUs on a node" n6 -N1 --gres=gpu:3
on "a GPU of a type" n6 -N1 --gres=gpu:small:1
on "a resource that one node has" n6 -N1 --gres=fpga:1
on "GPUs on each of two nodes" 'n\[4-5\]' -N2 --gpus-per-node=2
on "GPUs in all, on so many nodes" 'n\[4-5\]' -N2 --gpus=4
on "GPUs in all, on as many as it takes" 'n\[4-5\]' --gpus=big:4
on "GPUs for each task" n6 -N1 -n1 --gpus-per-task=4

wide=$(book $user_b "$t" -N2-4 --gres=gpu:1 --benefit=linear:25%)
check "more nodes with a GPU than there are" booked "$wide"
check "gets those there are" grep -xF 'n[4-6]' <<<"$(nodes_of "$wide")"
as $user_b scancel "$wide"
check "what no node has is refused at once, by its name" refused \
	'gpu:9.: none of the 6 nodes of partition main has that' \
	as $user_b sbatch --book --time=1 -N1 --gres=gpu:9 --wrap true

as $user_a scancel "$plain"

note "slots"
# slots STATUS TEXT OPTIONS...: what rspb slots says ends so
slots() {
	local status=$1 text=$2 rc
	shift 2
	as $user_a "$cluster/rspb/bin/rspb" slots -t 5 "$@" >"$out/slots" 2>&1
	rc=$?
	[ $rc = "$status" ] && grep -qE "$text" "$out/slots" ||
		{ echo "status $rc"; cat "$out/slots"; return 1; }
}
check "more GPUs than any node has are never free" slots 1 \
	'no node of partition main has 5 GPUs; the most is 4$' -N1 --gpus=5
check "nor on more nodes than have as many" slots 1 \
	'partition main has only 3 nodes with 2 GPUs$' -N4 --gpus=2
check "nor more CPUs" slots 1 'has 5 CPUs; the most is 4$' -N1 --cpus=5
check "on three nodes they are" slots 0 ' 3$' -N2 --gpus=2 -p main
check "with features, on those that have them" slots 0 ' 2$' -N2 --gpus=2 -C 'new&ib'
check "or whole nodes" slots 0 ' 3$' -N3 -C new
check "or some of two" slots 0 ' 5$' -N3 -C 'old|ib'
check "of which there are so many" slots 1 \
	'partition main has only 3 nodes with the features new$' -N4 -C new
check "a feature that no node has" slots 1 'no node of partition main has the features dim$' -N1 -C dim
check "or what is more than names" slots 1 'joined by' -N1 -C '[old|new]'

t=$(ahead 20)
first=$(book $user_a "$t" -N1 --gpus=4)
second=$(book $user_b "$t" -N1 --gres=gpu:3)
check "the node with four GPUs is booked once" booked "$first"
check "and not twice" declined "$second"
as $user_b scancel "$second"
check "its job starts on its second" starts_at "$first" "$t"
has_gpus() {
	wait_for 10 ended "$first" &&
		scontrol show job "$first" -d | grep -q 'GRES=gpu:small:4'
}
check "and holds the GPUs" has_gpus
check "nothing is left over" wait_for 30 nothing_left

# Slurm gives all GPUs to who has a node for himself, and then no part of one.
t=$(ahead 25)
part=$(book $user_a "$t" -N1 --gres=shard:2)
check "a part of a GPU is booked" booked "$part"
check "on the node that has it" grep -x n6 <<<"$(nodes_of "$part")"
check "nobody has all of it beside" declined \
	"$(book $user_b "$t" -N1 --exclusive --gres=gpu:small:1)"
check "it starts on its second" starts_at "$part" "$t"
