# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Each set of sbatch's options as an ordinary job and as a booking, on an idle cluster: what
# starts in one way does in the other, on as many nodes, or is refused at once.
# Takes 300 s.
cat >"$folder/slurm.conf" <<'TEXT'
GresTypes=gpu,shard,fpga
NodeName=n[1-4] CPUs=8 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=8000 Feature=rack1
NodeName=n[5-6] CPUs=16 CoresPerSocket=8 ThreadsPerCore=2 RealMemory=72000 Feature=rack1,big Weight=9
NodeName=n[7-8] CPUs=8 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=8000 Feature=rack2,fast Gres=gpu:2,shard:4 Weight=5
NodeName=n9 CPUs=8 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=8000 Feature=rack2 Gres=fpga:1 Weight=5
SelectTypeParameters=CR_Core_Memory
AllowSpecResourcesUsage=YES
MCSPlugin=mcs/user
MCSParameters=ondemand,ondemandselect
Licenses=lic:2,other:1
TopologyPlugin=topology/tree
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
PartitionName=side Nodes=n[1-4] DefaultTime=10 MaxTime=30
PartitionName=few Nodes=ALL MaxCPUsPerNode=2 DefaultTime=10 MaxTime=30
PartitionName=shared Nodes=n[1-4] OverSubscribe=YES DefaultTime=10 MaxTime=30
TEXT
touch "$folder"/gpu{0,1}
cat >"$folder/gres.conf" <<TEXT
NodeName=n[7-8] Name=gpu File=$folder/gpu[0-1]
NodeName=n[7-8] Name=shard Count=4
NodeName=n9 Name=fpga Count=1
TEXT
cat >"$folder/topology.conf" <<'TEXT'
SwitchName=s1 Nodes=n[1-4]
SwitchName=s2 Nodes=n[5-9]
SwitchName=top Switches=s[1-2]
TEXT
sed -i '/^TopologyPlugin/d' "$folder/slurm.conf"
cluster_up --conf "$folder/slurm.conf" --gres-conf "$folder/gres.conf" || exit 1
cp "$folder/topology.conf" "$cluster/etc/topology.conf"
topology_start tree
check "slurmctld takes bookings" wait_for 20 scontrol show reservation rspb_waiting
printf '%s\n' n2 n3 >"$out/names"

over() {
	[ -z "$(squeue -h -j "$1" 2>/dev/null)" ]
}
idle() {
	[ "$(sinfo -h -t idle -o %D)" = 9 ]
}
# became OPTIONS...: what of it: refused (said why), starts (on so many nodes), declined,
# or waits. In $became, $nodes and $why.
became() {
	local id
	became=refused nodes='' why=''
	: >"$out/said"
	id=$(as $user_a sbatch --parsable -o job-%j.out --time=2 "$@" job.sh 60 2>"$out/said") ||
		{ why=$(head -n 1 "$out/said"); return; }
	local t limit=${limit:-60}
	became=waits
	for ((t = 0; t < limit; t++)); do
		! began "$id" || { became=starts; break; }
		[ "$(booking "$id")" != declined ] || { became=declined; break; }
		sleep .2
	done
	nodes=$(field "$id" NumNodes)
	case $became in
	declined) why=$(contract "$id") ;;
	waits) why="$(field "$id" Reason) $(contract "$id")" ;;
	esac
	scancel "$id"
	wait_for 20 over "$id" && wait_for 20 idle
}

alike() {
	case $how$plain:$became in
	starts:starts) [ "$at_plain" = "$nodes" ] ;;
	refused:refused|waits:refused|waits:declined|refused:declined) : ;;
	'~'*:starts|'!'*:refused) : ;;
	*) false ;;
	esac || { echo "$plain on $at_plain, booked: $became on $nodes: $why"; return 1; }
}
# both [~|!] OPTIONS...
both() {
	local how='' plain at_plain said
	case $1 in
	'~'|'!') how=$1; shift ;;
	esac
	limit=25 became "$@"
	if grep -qE 'unrecognized option|requires topology|nvalid --exclusive' "$out/said"; then
		skip "$*: not of this release"
		return
	fi
	plain=$became at_plain=$nodes said=$why
	became --book=asap "$@"
	[ -z "${RSPB_OPTIONS_TABLE:-}" ] ||
		printf '%-46s | %-8s %-5s | %-8s %-5s | %s / %s\n' "$*" "$plain" "$at_plain" \
			"$became" "$nodes" "$said" "$why" >>"$RSPB_OPTIONS_TABLE"
	check "$*" alike
}

check "all nodes are there" wait_for 30 idle
# ~: starts as a booking, too, but on another number of nodes, or sooner. !: refused, as
# rspb-flags(7) says.
while read -r line; do
	eval "both ${line/#\~ /\'~\' }"
done <<'TEXT'
-n 8
-n 20
-n 100
-N 2
-N 2-4
~ -N 1-20
-N 20
-n 3 -c 4
-c 16
-c 20
-n 8 --ntasks-per-node=2
-n 8 --ntasks-per-socket=2
~ -n 8 --ntasks-per-core=1
~ -n 32 --hint=nomultithread
-n 4 --hint=compute_bound
-n 2 --hint=memory_bound
-n 8 --hint=multithread
--mem=2000
--mem=70000
--mem=90000
--mem=0
--mem-per-cpu=4G -N2
-n 2 --mem-per-cpu=12G
-N3 --contiguous
-N2 -C rack1
-N2 -C 'rack1|rack2'
-N3 -C '[rack1|rack2]'
-N4 -C '[rack1|rack2]'
-N2 -C 'rack1&big'
-N2 -C '[(rack1&big)|(rack2&fast)]'
! -N3 -C '[rack1*2&rack2*1]'
-N2 -C '(big|fast)&rack2'
-N2 -C 'nosuch'
-N2 -C 'nosuch|big'
--gres=gpu:1
-N2 --gres=gpu:2
-N3 --gres=gpu:1
--gpus=3
-N2 --gpus-per-node=1
-n2 --gpus-per-task=1
--gpus=2 --cpus-per-gpu=2
--gpus=1 --mem-per-gpu=1G
-N1 --gpus-per-socket=1 --sockets-per-node=1
--gres=shard:2
--gres=gpu:1,shard:1
--gres=fpga:1
--gres=none
--tres-per-task=cpu=2 -n2
--gres=gpu:1 --gres-flags=enforce-binding
--gres=gpu:1 --gres-flags=disable-binding
--prefer=big
--prefer='big|fast'
~ --prefer='rack1&fast'
-p main,side
-N6 -p side,main
-N5 -p side
-n 6 -p few
-p nosuch
-w n3
-N4 -w n3
-N2 -w 'n[1-3]'
-w n20
-x 'n[1-6]'
-N4 -x 'n[1-6]'
-x 'n[1-9]'
--nodefile="$out/names"
-N3 --switches=1
~ -N6 --switches=1@0:02
-N6 --switches=2
-N6 --switches=1
--exclusive
--exclusive=user
--exclusive=mcs
! --exclusive=topo
--oversubscribe -p shared
~ -N4 -n8 --spread-job
-n8 -N1-4 --use-min-nodes
-n20 -N1-4 --use-min-nodes
-N2-6 --use-min-nodes
--core-spec=1
--thread-spec=1
--core-spec=1 -n 8
-n4 --threads-per-core=1
-n8 -N1 --threads-per-core=1
-n4 --extra-node-info=1:4:2
-n4 --extra-node-info=1:8
-n4 --extra-node-info=2
-n4 --sockets-per-node=1
-n4 --cores-per-socket=8
-n4 -N2 --distribution=cyclic
-n4 -N2 --distribution=block:cyclic
-n4 -N2 --distribution=plane=2
-n4 -N2 --distribution=pack
-n4 -N2 --distribution=arbitrary -w 'n[1-2]'
-L lic:1
-L lic:3
-L lic:1,other:1
! -L 'lic:1|other:1'
-L nosuch:1
--signal=USR1@10
--signal=B:USR1@60
--time-min=1
--no-kill
--nice=100
--qos=normal
--account=nosuch
--tmp=10
--tmp=10000000
--mincpus=4
--mincpus=10
--mincpus=40
-n 40 -N1 --overcommit
-n 4 -N8
--no-requeue
--wckey=x
--bb=capacity=1G
--mcs-label=x
--profile=none
--cpu-freq=high
--delay-boot=5
--dependency=singleton
--deadline=now+1hour
--segment=2 -N4
--consolidate-segments --segment=2 -N4
--spread-segments --segment=2 -N4
--resv-ports=2
--cluster-constraint=x
--priority=5
--ignore-pbs
--kill-on-invalid-dep=yes
--container=/nosuch
--ntasks=2 --nodes=1-1
--power=level
TEXT
