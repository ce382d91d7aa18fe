# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Nodes in blocks (topology/block, Slurm 24.05 and later): a job of --segment has segments
# that lie within one, and nobody is promised a block for himself.
# Takes 30 s.
# shellcheck source=contrib/quickstart.d/conf.sh
. "$RSPB_TOP/contrib/quickstart.d/conf.sh"
[ -f "$(conf_stock_plugins)/topology_block.so" ] ||
	skip_suite "this Slurm has no topology/block"
cluster_up --nodes 8 || exit 1
cat >"$cluster/etc/topology.conf" <<'TEXT'
BlockName=b1 Nodes=n[1-4]
BlockName=b2 Nodes=n[5-8]
BlockSizes=4
TEXT
topology_start block
check "slurmctld has blocks" grep -q b1 <<<"$(scontrol show topology)"
check "and takes bookings" wait_for 20 scontrol show reservation rspb_waiting

t=$(ahead 3600)
on() {
	contract "$1" | grep -qE "on=$2( |$)" || { contract "$1"; return 1; }
}

note "--segment"
one=$(book $user_a "$t" -N3 -w 'n[1-3]') other=$(book $user_a "$t" -w n5)
check "what leaves a node of one block and three of the other" booked "$one" "$other"
pairs=$(book $user_b "$t" -N4 --segment=2)
check "two pairs within blocks are not to be had then" declined "$pairs"
as $user_b scancel "$pairs"
single=$(book $user_b "$t" -N2 --segment=2)
check "one is" booked "$single"
check "in the block that has it" on "$single" 'n\[[6-8][-,][6-8]\]'
as $user_a scancel "$one" "$other"
as $user_b scancel "$single"
one=$(book $user_a "$t" -N2 -w 'n[1-2]') other=$(book $user_a "$t" -N2 -w 'n[5-6]')
check "what leaves two nodes of each" booked "$one" "$other"
apart=$(book $user_b "$t" -N4)
check "are no place for four that are to be in one block" declined "$apart"
as $user_b scancel "$apart"
pairs=$(book $user_b "$t" -N4 --segment=2)
check "two pairs are" booked "$pairs"
check "one in each block" on "$pairs" 'n\[3-4,7-8\]'
as $user_a scancel "$one" "$other"
as $user_b scancel "$pairs"
t=$(ahead 20)
pairs=$(book $user_b "$t" -N4 --segment=2)
check "soon, too" booked "$pairs"
check "and it starts on its second" starts_at "$pairs" "$t"

note "--exclusive=topo"
check "nobody is promised a whole block" refused 'exclusive=topo: .* --nodelist' \
	as $user_a sbatch --book --time=1 -N1 --exclusive=topo --wrap true
cat >>"$cluster/etc/slurm.conf" <<'TEXT'
PartitionName=alone Nodes=ALL MaxTime=1:00:00 ExclusiveTopo=YES
TEXT
reconfigure
check "nor in a partition that gives whole blocks" refused 'alone gives its jobs whole blocks' \
	as $user_a sbatch --book --time=1 -N1 -p alone --wrap true
