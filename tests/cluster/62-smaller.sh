# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A node that comes back with fewer GPUs or less memory than is booked of it.
# Takes 70 s.
touch "$folder"/gpu{0..3}
cat >"$folder/slurm.conf" <<CONF
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
GresTypes=gpu
NodeName=n1 CPUs=16 RealMemory=4000 Gres=gpu:4
NodeName=n2 CPUs=16 RealMemory=4000 Gres=gpu:4
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
CONF
echo "NodeName=n[1-2] Name=gpu File=$folder/gpu[0-3]" >"$folder/gres.conf"
echo JournalKeep=1d >"$folder/rspb.conf"
cluster_up --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" \
	--gres-conf "$folder/gres.conf" || exit 1

# on NODE JOB...: they are there.
on() {
	local node=$1 j
	for j in "${@:2}"; do
		contract_says "$j" " on=$node( |\$)" >>"$out/on" ||
			{ contract "$j"; return 1; }
	done
}

t=$(ahead 60)
far=$((t + 7200))
jobs=()
for _ in 1 2 3 4; do
	jobs+=("$(book $user_a "$t" -n2 --gpus=1)")
done
check "four bookings with a GPU each" booked "${jobs[@]}"
check "fill a node's" on n1 "${jobs[@]}" || exit 1
large=$(book $user_a "$far" -n1 --mem=3000)
small=$(book $user_a "$far" -n1 --mem=1000)
check "two fill its memory" booked "$large" "$small"
check "on the same node" on n1 "$large" "$small"
bound=$(book $user_b $((far + 7200)) -n1 --gpus=3 -w n1)
check "one that wants that node, and most of its GPUs" booked "$bound"

check "slurmctld stops" ctld_stop
kill "$(cat "$cluster/run/node-n1.pid")"
sed -i '/^NodeName=n1 /s/RealMemory=4000 Gres=gpu:4/RealMemory=3500 Gres=gpu:2/' \
	"$SLURM_CONF"
cat >"$cluster/etc/gres.conf" <<CONF
NodeName=n1 Name=gpu File=$folder/gpu[0-1]
NodeName=n2 Name=gpu File=$folder/gpu[0-3]
CONF
node_start n1 -N n1
check "and comes back with a smaller node" ctld_start
check "who asked last has another node" wait_for 40 on n2 "${jobs[@]:2}"
check "who asked first is where it was" on n1 "${jobs[@]:0:2}"
check "so it is with memory" wait_for 10 on n2 "$small"
check "of which who asked first has what is left" on n1 "$large"
check "who can have no other node is told" wait_for 20 contract_says "$bound" \
	'(a lack of gpu|would not start the job) on n1'
check "and has it still" booked "$bound"
check "nothing more is booked there than there is" declined \
	"$(book $user_b "$t" -n1 --gpus=1 -w n1)"
check "the journal decides the same again" decides_the_same 3

for j in "${jobs[@]}"; do
	check "each begins on its second" starts_at "$j" "$t"
done
ran_on() {
	[ "$(field "$1" NodeList)" = "$2" ] ||
		{ scontrol -d show job "$1"; return 1; }
}
check "where it is now" ran_on "${jobs[3]}" n2

check "slurmctld stops again" ctld_stop
kill "$(cat "$cluster/run/node-n1.pid")"
sed -i '/^NodeName=n1 /s/Gres=gpu:2/Gres=gpu:4/' "$SLURM_CONF"
echo "NodeName=n[1-2] Name=gpu File=$folder/gpu[0-3]" \
	>"$cluster/etc/gres.conf"
node_start n1 -N n1
check "the node gets its GPUs back" ctld_start
fits() {
	contract_says "$bound" 'nothing is in the way any more' ||
		! contract_says "$bound" 'in the way'
}
check "and nothing is in the way any more" wait_for 40 fits
three=$(book $user_a "$far" -n1 --gpus=4 -w n1)
check "all of them can be booked" wait_for 10 booked "$three"
