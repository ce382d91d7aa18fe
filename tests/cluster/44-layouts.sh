# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A part of a node is promised with a layout that Slurm can start: its cores are kept off
# regular jobs, and the start takes exactly these.
# Takes 95 s.
touch "$folder"/gpu{0..1}
cat >"$folder/slurm.conf" <<'CONF'
SelectTypeParameters=CR_Core
GresTypes=gpu
NodeName=DEFAULT Sockets=2 CoresPerSocket=4 CPUs=8
NodeName=n[1-5]
NodeName=n[6-7] Gres=gpu:2
NodeName=n[8-9] Features=pair
NodeName=n[10-11] Features=wide
NodeName=n[12-13] Gres=gpu:2 Features=each
NodeName=n[14-15] Gres=gpu:2 Features=odd
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
PartitionName=capped Nodes=n[1-2] MaxCPUsPerNode=4 DefaultTime=10 MaxTime=1-00:00:00
CONF
cat >"$folder/gres.conf" <<CONF
NodeName=n[6-7] Name=gpu File=$folder/gpu[0-1] Cores=0-3
NodeName=n[12-15] Name=gpu File=$folder/gpu0 Cores=0-3
NodeName=n[12-15] Name=gpu File=$folder/gpu1 Cores=4-7
CONF
printf '%s\n' Unit=part MaxBookedPercent=100 MaxWaitingPerUser=0 >"$folder/rspb.conf"
cluster_up --nodes 15 --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" \
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
each=$(regular -w n12 -n1)
check "the regular jobs run" wait_for 30 running "$capped" "$socket" "$bound" "$pair" "$each"

note "what a declined part is offered"
# offered JOB: the numbers of nodes that its reason offers, if it offers any, and offers lists.
offered() {
	contract "$1" | grep -o "rspb accept $1 [0-9]*@" | sed 's/.* \(.*\)@/\1/' | sort -un |
		xargs >"$out/told"
	as $user_a rspb --json offers "$1" | jq -r '.offers[].nodes' | sort -un | xargs
}
is_offered() {
	local got
	got=$(offered "$1")
	[ "$got" = "$2" ] && grep -qxE "($2)?" "$out/told" ||
		{ echo "told $(cat "$out/told"), offered $got"; return 1; }
}
t=$(ahead 30)
two=$(book $user_a "$t" --time=3 -p capped -N2 -n8)
three=$(book $user_a "$t" --time=3 -p capped -n9)
check "parts beyond MaxCPUsPerNode of one node are declined" declined "$two"
check "tasks beyond that of all nodes are declined" declined "$three"
check "both nodes later, or one of them, are offered where these would start" is_offered "$two" "1 2"
check "one node alone where two never would" is_offered "$three" 1
word=$(as $user_a rspb --json offers "$three" | jq -r '.offers[0].offer')
check "what is offered can be accepted" as $user_a rspb accept "$three" "$word"
as $user_a scancel "$two" "$three"

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
total=$(part -C each --gpus=2 --gres-flags=enforce-binding)
three=$(part -C odd -N2 --gpus=3)
last=$(part -C odd -N1 -n1 --gpus=1)
named=$(book $user_a $((t + 600)) -w n12 -n2 -c3 --gres=gpu:1 --gres-flags=enforce-binding)
check "a part beyond MaxCPUsPerNode of its partition is declined" declined "$over_cap"
check "and booked where that leaves it CPUs" booked "$beside_cap"
check "one with a task in each socket is declined where a socket is full" declined "$one_each"
check "and booked on another node" booked "$moved"
check "one whose GPU has no free core beside it is declined" declined "$binding"
check "others are booked" booked "$later" "$binds" "$first" "$wide"
check "GPUs in total, beside the cores of one socket of each node, are booked" booked "$total"
check "one on each node" contract_says "$total" ' nodes=2/2 cores=1 gres=gpu:1 '
check "three GPUs on two nodes are booked" booked "$three"
check "and leave the fourth one to others" booked "$last"
check "a second node comes to the named one, if its sockets hold one task each" \
	contract_says "$named" ' nodes=2/2 cores=3 gres=gpu:1 '
scancel "$named"
check "one that another booking leaves a single socket is declined" declined "$second"

note "what begins long after"
far=$(ahead 90000)
capped_far=$(book $user_a "$far" --time=30 -p capped -w n2 -n3)
over_far=$(book $user_a "$far" --time=30 -p capped -w n2 -n3)
socket_far=$(book $user_a "$far" --time=30 -w n5 -n4 --ntasks-per-socket=4)
each_far=$(book $user_a "$far" --time=30 -w n5 -n2 --ntasks-per-socket=1)
any_far=$(book $user_a "$far" --time=30 -w n5 -n3)
check "parts are booked as those that begin soon" booked "$capped_far" "$socket_far"
check "no two of them beyond MaxCPUsPerNode" declined "$over_far"
check "nor with layouts that cannot both start" declined "$each_far"
check "one that takes any cores is booked beside one with a layout" booked "$any_far"
later() {
	[ "$(squeue -h -j "$any_far" -o %v)" = rspb_later ]
}
check "and has its reservation later" later
as $user_a scancel "$capped_far" "$over_far" "$socket_far" "$each_far" "$any_far"

note "who comes later"
max=$(regular -p capped -w n2 -n4)
filler=$(regular -w n4 -n1 -c4)
many=$(regular -w n7 -n6)
check "a regular job gets the cores that are left in the sockets" wait_for 20 running "$filler"
check "as many as there are" wait_for 20 running "$many"

for j in "$beside_cap" "$later" "$binds" "$first" "$moved" "$wide" "$total" "$three" "$last"; do
	check "part $j begins at its scheduled start" starts_at "$j" "$t"
done
check "with a core in each socket" has_cores "$later" 0,4
check "beside its GPU" has_cores "$binds" 0
check "with a GPU of each node" job_shows "$total" 'Nodes=n12 .* GRES=gpu:1\(.*Nodes=n13 .* GRES=gpu:1\('
check "with two GPUs of one node" job_shows "$three" 'GRES=gpu:2\('
check "and one of the other" job_shows "$three" 'GRES=gpu:1\('
check "all regular jobs still run" running "$capped" "$socket" "$bound" "$pair" "$filler" "$many"
not_before() {
	! began "$max" || [ "$(delay "$max" "$t")" -ge 0 ]
}
check "but for one that would use up MaxCPUsPerNode, which has not begun before" not_before
