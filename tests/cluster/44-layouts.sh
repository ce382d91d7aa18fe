# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A part of a node is promised with a layout that Slurm can start: its cores are kept off
# regular jobs, and the start takes exactly these.
# Takes 80 s.
touch "$folder"/gpu{0..1}
cat >"$folder/slurm.conf" <<'CONF'
SelectTypeParameters=CR_Core
GresTypes=gpu
NodeName=DEFAULT Sockets=2 CoresPerSocket=4 CPUs=8
NodeName=n[1-5]
NodeName=n[6-7] Gres=gpu:2
NodeName=n[8-9] Features=pair
NodeName=n[10-11] Features=wide
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
PartitionName=capped Nodes=n[1-2] MaxCPUsPerNode=4 DefaultTime=10 MaxTime=1-00:00:00
CONF
echo "NodeName=n[6-7] Name=gpu File=$folder/gpu[0-1] Cores=0-3" >"$folder/gres.conf"
printf '%s\n' Unit=part MaxBookedPercent=100 MaxWaitingPerUser=0 >"$folder/rspb.conf"
cluster_up --nodes 11 --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" \
	--gres-conf "$folder/gres.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"

# cores JOB: those that it has, as Slurm shows them.
cores() {
	scontrol -d show job "$1" | sed -n 's/.* CPU_IDs=\([^ ]*\).*/\1/p' | xargs
}
has_cores() {
	[ "$(cores "$1")" = "$2" ] || { cores "$1"; return 1; }
}

note "what runs already"
capped=$(regular -p capped -w n1 -n4)
socket=$(regular -w n3 -n1 -c4)
bound=$(regular -w n6 -n1 -c4)
pair=$(regular -w n8 -n1 -c4)
check "the regular jobs run" wait_for 30 running "$capped" "$socket" "$bound" "$pair"

note "what is promised"
t=$(ahead 30)
part() {
	book $user_a "$t" --time=3 "$@"
}
over_cap=$(part -p capped -w n1 -n2)
beside_cap=$(part -p capped -n4)
one_each=$(part -w n3 -n2 --ntasks-per-socket=1)
binding=$(part -w n6 -n1 --gpus=1 --gres-flags=enforce-binding)
later=$(part -w n4 -n2 --ntasks-per-socket=1)
binds=$(part -w n7 -n1 --gpus=1 --gres-flags=enforce-binding)
first=$(part -w n5 -n1 -c4)
second=$(part -w n5 -n2 --ntasks-per-socket=1)
moved=$(part -C pair -n2 --ntasks-per-socket=1)
wide=$(part -C wide -N2 --extra-node-info=2:4)
check "a part beyond MaxCPUsPerNode of its partition is declined" declined "$over_cap"
check "and booked where that leaves it CPUs" booked "$beside_cap"
check "one with a task in each socket is declined where a socket is full" declined "$one_each"
check "and booked on another node" booked "$moved"
check "one whose GPU has no free core beside it is declined" declined "$binding"
check "others are booked" booked "$later" "$binds" "$first" "$wide"
check "one that another booking leaves a single socket is declined" declined "$second"

note "who comes later"
max=$(regular -p capped -w n2 -n4)
filler=$(regular -w n4 -n1 -c4)
many=$(regular -w n7 -n6)
check "a regular job gets the cores that are left in the sockets" wait_for 20 running "$filler"
check "as many as there are" wait_for 20 running "$many"

for j in "$beside_cap" "$later" "$binds" "$first" "$moved" "$wide"; do
	check "part $j begins at its scheduled start" starts_at "$j" "$t"
done
check "with a core in each socket" has_cores "$later" 0,4
check "beside its GPU" has_cores "$binds" 0
check "all regular jobs still run" running "$capped" "$socket" "$bound" "$pair" "$filler" "$many"
not_before() {
	! began "$max" || [ "$(delay "$max" "$t")" -ge 0 ]
}
check "but for one that would use up MaxCPUsPerNode, which has not begun before" not_before
