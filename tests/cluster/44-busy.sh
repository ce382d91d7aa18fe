# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Each set of sbatch's options as a regular job and as a booking for now, on a mixed machine
# that is partly busy: what starts as a regular job is promised for now and starts as a
# booking. RSPB_BUSY_ONLY=PATTERN tries the sets that match alone, RSPB_BUSY_TABLE=FILE notes
# how each went.
# Takes 830 s.
touch "$folder"/gpu{0..3}
cat >"$folder/slurm.conf" <<'TEXT'
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
Licenses=lic:2
NodeName=DEFAULT Sockets=2 ThreadsPerCore=2
NodeName=c[1-12] CoresPerSocket=8 CPUs=32 RealMemory=64000 Feature=rack1,plain
NodeName=m[1-2] CoresPerSocket=16 CPUs=64 RealMemory=256000 Feature=rack2,fat Weight=10
NodeName=g[1-4] CoresPerSocket=8 CPUs=32 RealMemory=128000 Feature=rack2,gpus Gres=gpu:a100:4 Weight=20
NodeName=h1 CoresPerSocket=8 CPUs=32 RealMemory=128000 Feature=rack2,gpus Gres=gpu:a100:2,gpu:v100:2 Weight=30
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00 DefMemPerCPU=100
PartitionName=gpu Nodes=g[1-4],h1 DefaultTime=10 MaxTime=1-00:00:00 DefMemPerCPU=100
TEXT
cat >"$folder/gres.conf" <<TEXT
NodeName=g[1-4] Name=gpu Type=a100 File=$folder/gpu[0-1] Cores=0-7
NodeName=g[1-4] Name=gpu Type=a100 File=$folder/gpu[2-3] Cores=8-15
NodeName=h1 Name=gpu Type=a100 File=$folder/gpu[0-1] Cores=0-7
NodeName=h1 Name=gpu Type=v100 File=$folder/gpu[2-3] Cores=8-15
TEXT
printf '%s\n' Unit=part >"$folder/rspb.conf"
cluster_up --conf "$folder/slurm.conf" --gres-conf "$folder/gres.conf" \
	--rspb-conf "$folder/rspb.conf" || exit 1

over() {
	[ -z "$(squeue -h -j "$1" 2>/dev/null)" ]
}
# became OPTIONS...: what of it: refused, starts (on so many nodes), declined, later, or waits.
# In $became, $nodes and $why.
became() {
	local id t end
	became=refused nodes='' why=''
	ctld_answers || { why="slurmctld does not answer"; return; }
	id=$(as $user_a sbatch --parsable -o /dev/null --time=2 "$@" job.sh 60 2>"$out/said") ||
		{ why=$(head -n 1 "$out/said"); return; }
	became=waits
	end=$((SECONDS + 12))
	while [ $SECONDS -lt $end ]; do
		! is_state "$id" RUNNING || { became=starts; break; }
		case $(booking "$id") in
		declined) became=declined; break ;;
		booked)
			t=$(granted "$id" start)
			[ "$t" -le $((EPOCHSECONDS + 30)) ] || { became=later; break; }
			;;
		'')
			case $(field "$id" Reason) in
			Resources|ReqNodeNotAvail*) [ $((end - SECONDS)) -gt 8 ] || break ;;
			esac
			;;
		esac
		sleep .1
	done
	nodes="$(field "$id" NumNodes) $(field "$id" NodeList)"
	why="$(field "$id" Reason) $(contract "$id")"
	scancel "$id"
	wait_for 20 over "$id"
}

# dearest NODES: the weight of the dearest of them.
dearest() {
	scontrol -o show node "$1" | sed 's/.* Weight=\([0-9]*\).*/\1/' | sort -n | tail -n 1
}
alike() {
	local booked
	case $plain:$became in
	starts:starts)
		booked=$(sed -n 's/.* nodes=\([0-9]*\)\/.*/\1/p' <<<"$why")
		[ "${nodes%% *}" = "$booked" ] ||
			{ echo "$booked nodes are booked, and it has $nodes"; return 1; }
		[ "$(dearest "${nodes#* }")" -le "$(dearest "${at_plain#* }")" ] ||
			{ echo "on $nodes, which are dearer than $at_plain"; return 1; }
		;;
	waits:waits) false ;;
	refused:refused|waits:*|refused:declined) : ;;
	*) false ;;
	esac || { echo "$plain on $at_plain, booked: $became on $nodes: $why"; return 1; }
}
# both OPTIONS...
both() {
	local plain at_plain said
	became "$@"
	if grep -q 'unrecognized option' "$out/said"; then
		skip "$*: not of this release"
		return
	fi
	plain=$became at_plain=$nodes said=$why
	became --book --begin=now "$@"
	[ -z "${RSPB_BUSY_TABLE:-}" ] ||
		printf '%-46s | %-8s %-14s | %-8s %-14s | %s / %s\n' "$*" "$plain" "$at_plain" \
			"$became" "$nodes" "$said" "$why" >>"$RSPB_BUSY_TABLE"
	check "$state: $*" alike
	[ "$became" != starts ] || check "the line at submission says so: $*" wait_for 20 likely "$@"
}
likely() {
	as $user_a sbatch --time=2 --test-only --book --begin=now "$@" job.sh 60 2>"$out/said"
	grep 'booking likely' "$out/said" || { head -n 1 "$out/said"; return 1; }
}
# try STATE: each set of options of the standard input.
try() {
	local line state=$1
	note "$state"
	while read -r line; do
		[[ $line =~ ${RSPB_BUSY_ONLY:-.} ]] || continue
		eval "both $line"
	done
}

# idle N: so many nodes are.
idle() {
	[ "$(sinfo -h -p main -t idle -o %D)" = "$1" ]
}
check "all nodes are there" wait_for 60 idle 19
# cluster_with_tree WHICH N: another machine of so many nodes, by the files in the suite's folder.
cluster_with_tree() {
	cluster_up --conf "$folder/slurm.conf" --gres-conf "$folder/gres.conf" \
		--rspb-conf "$folder/rspb.conf" || exit 1
	cp "$folder/topology.conf" "$cluster/etc/topology.conf"
	topology_start tree
	check "the $1 slurmctld takes bookings" wait_for 20 \
		scontrol show reservation rspb_waiting
	check "all nodes of the $1 machine are there" wait_for 60 idle "$2"
}
# busy OPTIONS...: a regular job of an hour that runs.
busy() {
	local id
	id=$(job $user_b 3600 --time=60 "$@") && occupants+=("$id") &&
		wait_for 20 is_state "$id" RUNNING
}
occupants=()
check "the large nodes are busy" busy -w 'm[1-2]' -N2 --exclusive
for g in 1 2 3 4; do
	check "a GPU of g$g is taken" busy -w g$g -n1 --gpus=1
done
check "a core of c1 is taken" busy -w c1 -n2 -N1
check "a socket of c2 is taken" busy -w c2 -n16 -N1 --mem=20G

# Slurm would give the first node of GPUs in total as many as it has.
[[ gpus =~ ${RSPB_BUSY_ONLY:-.} ]] && {
	t=$(ahead 15)
	total=$(book $user_a "$t" -w 'g[1-2]' -N2 -n2 --gpus=4)
	check "GPUs in total are booked" booked "$total"
	check "with two of each of two nodes" contract_says "$total" \
		' nodes=2/2 cores=1 .*gres=gpu:a100:2 '
	rest=()
	for g in 1 2; do
		rest+=("$(book $user_a "$t" -w g$g -N1 -n1 --gpus=1)")
	done
	check "so is the last one of each" booked "${rest[@]}"
	for j in "$total" "${rest[@]}"; do
		check "job $j begins at its scheduled start" starts_at "$j" "$t"
	done
	check "the one in total has two of each node" job_shows "$total" 'GRES=gpu:a100:2\('
	scancel "$total" "${rest[@]}"
	for j in "$total" "${rest[@]}"; do
		wait_for 20 over "$j"
	done
}

# A node that fails is replaced by one that gives as much, beside the others.
[[ replaced =~ ${RSPB_BUSY_ONLY:-.} ]] && {
	t=$(ahead 40)
	odd=$(book $user_a "$t" -w c2 -N2 -n20 --hint=nomultithread)
	check "parts of two sizes are booked" booked "$odd"
	lost=$(sed -n 's/.* on=c\[2-\?,\?\([0-9]*\)\].*/c\1/p' <<<"$(contract "$odd")")
	check "one of them is of another node" [ "${lost:-c2}" != c2 ]
	scontrol update nodename="$lost" state=down reason=test
	elsewhere() {
		! contract_says "$odd" "on=[^ ]*\b${lost#c}\b" &&
			contract_says "$odd" ' nodes=2/2 cores=12 odd=c2/cores=8/memory=800 '
	}
	check "the other node is replaced by one with as many cores" wait_for 20 elsewhere
	check "the job begins at its scheduled start" starts_at "$odd" "$t"
	check "with as many CPUs of the new node" job_shows "$odd" ' NumNodes=2 NumCPUs=40 '
	scancel "$odd"
	wait_for 20 over "$odd"
	scontrol update nodename="$lost" state=resume
	is_back() {
		[ "$(sinfo -h -n "$lost" -o %T)" = idle ]
	}
	check "the lost node is back" wait_for 30 is_back
}

# Other numbers of cores of a node outlast a restart.
[[ uneven =~ ${RSPB_BUSY_ONLY:-.} ]] && {
	t=$(ahead 25)
	odd=$(book $user_a "$t" -w c2 -N2 -n20 --hint=nomultithread)
	check "parts of different sizes are booked" booked "$odd"
	check "with the cores that are free of c2" contract_says "$odd" \
		' nodes=2/2 cores=12 odd=c2/cores=8/memory=800 '
	client() {
		as $user_a "$cluster/rspb/bin/rspb" "$@" | tr -s ' '
	}
	check "rspb list shows the range" eval \
		'client list | grep -E "^$odd .* 8-12c .* c\[[0-9,-]+\]$"'
	check "rspb show has what c2 gives" eval \
		'client show "$odd" | grep -E "8 cores, 800 MiB of c2$"'
	check "and what the other node gives" eval \
		'client show "$odd" | grep -E "12 cores, 1200 MiB of c[0-9]+$"'
	check "and so has its JSON" eval 'client show "$odd" --json | tr -d " \n" |
		grep -F "{\"names\":\"c2\",\"nodes\":1,\"cores\":8,\"mem\":800}"'
	check "no more of c2 can be booked" declined "$(book $user_a "$t" -w c2 -N1 -n2)"
	ctld_stop TERM
	ctld_start
	check "slurmctld is there again" wait_for 20 scontrol show reservation rspb_waiting
	check "and has the same sizes" wait_for 20 contract_says "$odd" ' odd=c2/cores=8/memory=800 '
	check "their reservation, too" scontrol show reservation "rspb_$odd"
	check "no more of c2 can be booked now" declined "$(book $user_a "$t" -w c2 -N1 -n2)"
	check "it begins at its scheduled start" starts_at "$odd" "$t"
	check "with 24 CPUs of the other node" job_shows "$odd" \
		' NumNodes=2 NumCPUs=40 .* Nodes=c[0-9]+ CPU_IDs=0-23 '
	scancel "$odd"
	wait_for 20 over "$odd"
}

try "large nodes busy" <<'TEXT'
-n 40 --hint=nomultithread
-n 24 --threads-per-core=1
-n 17 -c 2 --hint=nomultithread
-n 64 -c 2 --mem-per-cpu=2G
-n 48 --threads-per-core=1
--gpus=4
--gpus=6 -n6
-N2 --gpus=6
--gpus=a100:6 --cpus-per-gpu=4
-w c1 -n 31
-N3 -w c1 -n 80
-N2-4 -w c1
-N4 -w c1
-N2-4
-N2-4 -n 40
-n 100
-n 200
-n 300 -C plain
-c 20
-c 20 -n 2
-c 16 --hint=nomultithread
-n 4 -c 16
-n 2 --mem=40G
-N3 --mem=40G
-n 20 --mem-per-cpu=4G
-n 9 --mem-per-cpu=7G
--mem-per-gpu=8G --gpus=5
--gpus=5 --cpus-per-gpu=2
--gpus=7
--gpus=8 -N4
--gpus=a100:14
--gpus-per-task=1 -n 5
--gpus-per-task=a100:2 -n 3
--gpus-per-task=1 -n 4 -c 3
--gpus-per-node=2 -N2
--gpus-per-node=3 -N4
--gres=gpu:a100:2 -N3
--gpus=v100:2
--gpus=v100:1,a100:2
-n 30 --gpus=4
-n 2 --gpus=1 --gres-flags=enforce-binding
--gpus=4 --gres-flags=enforce-binding
--gpus=4 --cpus-per-gpu=4 -p gpu
-n 40 -p gpu
-n 20 -C gpus
-n 70 -C rack2
-N2 -n 50 -C rack1
-n 33 --ntasks-per-node=16
-n 40 --ntasks-per-socket=8
-n 24 --ntasks-per-core=1
-N2 --ntasks-per-node=10
-n 12 --ntasks-per-socket=4 --hint=nomultithread
-n 40 -C 'plain|gpus'
-n 40 -C '[rack1|rack2]'
-w c2 -n 20
-w c1,c2 -n 40
-w c2 -N2 --hint=nomultithread -n 20
-N3 -w g1 --gpus=5
-w g1 --gpus=4
-w c2 -c 4 -n 10
-x c[1-10] -n 60
-n 50 -L lic:1
-n 31
-n 1 -c 30
-n 8 -N2-4 --use-min-nodes
-n 60 -m cyclic
-n 60 -m plane=4
-N2 -n 3 -c 9
-n 5 -c 7 --mem-per-cpu=1500
-n 26 --mem=10G
-n 3 --exclusive
-N2-3 --exclusive
-n 40 --exclusive=user
-n 45 --cores-per-socket=8
-n 36 -B 2:8:1
-n 500
-n 448 -N14-
-N19 -n 40
-N17
-N5 --gpus-per-node=3
--gpus=8 --ntasks-per-gpu=2
--gpus=a100:5 --ntasks-per-gpu=3
-n 8 --ntasks-per-gpu=2
--gpus-per-socket=2 --sockets-per-node=1
--gpus-per-socket=1 --sockets-per-node=2 -N2
--gpus=4 --gpus-per-socket=1 --sockets-per-node=2
--gpus=a100:9 -n 9 --gres-flags=enforce-binding
--gpus=a100:12 -c 2 --hint=nomultithread --gres-flags=enforce-binding
-N1-3 -n 6 --gpus=a100:4 --gres-flags=enforce-binding
-n 6 --gpus-per-node=a100:1 -c 12
TEXT
cluster_down
# The next cluster's jobs have the same numbers.
rm -f "$out"/job-*.out "$out"/begin.*

# Nodes that differ in sockets, threads and GPUs, on switches: other numbers of cores on each.
cat >"$folder/slurm.conf" <<'TEXT'
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
NodeName=a[1-6] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 CPUs=16 RealMemory=32000 Feature=amd
NodeName=b[1-4] Sockets=1 CoresPerSocket=16 ThreadsPerCore=1 CPUs=16 RealMemory=64000 Weight=5
NodeName=f[1-2] Sockets=4 CoresPerSocket=4 ThreadsPerCore=2 CPUs=32 RealMemory=256000 Weight=10
NodeName=g[1-3] Sockets=2 CoresPerSocket=6 ThreadsPerCore=2 CPUs=24 RealMemory=96000 Feature=amd Gres=gpu:a100:4 Weight=20
NodeName=h[1-2] Sockets=2 CoresPerSocket=6 ThreadsPerCore=1 CPUs=12 RealMemory=48000 Gres=gpu:v100:2 Weight=30
NodeName=k1 Sockets=1 CoresPerSocket=8 ThreadsPerCore=2 CPUs=16 RealMemory=48000 Gres=gpu:a100:1,gpu:v100:1 Weight=25
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00 DefMemPerCPU=100
PartitionName=capped Nodes=a[1-6],b[1-4] MaxCPUsPerNode=4 DefaultTime=10 MaxTime=1-00:00:00 DefMemPerCPU=100
PartitionName=two Nodes=ALL MaxNodes=2 DefaultTime=10 MaxTime=1-00:00:00 DefMemPerCPU=100
TEXT
cat >"$folder/gres.conf" <<TEXT
NodeName=g[1-3] Name=gpu Type=a100 File=$folder/gpu[0-1] Cores=0-5
NodeName=g[1-3] Name=gpu Type=a100 File=$folder/gpu[2-3] Cores=6-11
NodeName=h[1-2] Name=gpu Type=v100 File=$folder/gpu[0-1]
NodeName=k1 Name=gpu Type=a100 File=$folder/gpu0
NodeName=k1 Name=gpu Type=v100 File=$folder/gpu1
TEXT
cat >"$folder/topology.conf" <<'TEXT'
SwitchName=s1 Nodes=a[1-4],b1
SwitchName=s2 Nodes=a[5-6],b[2-4],f[1-2]
SwitchName=s3 Nodes=g[1-3],h[1-2],k1
SwitchName=top Switches=s[1-3]
TEXT
cluster_with_tree other 18
check "f1 is busy" busy -w f1 -N1 --exclusive
check "two cores of a4 are taken" busy -w a4 -n4 -N1
check "a socket of a5 is taken" busy -w a5 -n8 -N1 --mem=8G
check "four cores of b1 are taken" busy -w b1 -n4 -N1
check "a GPU and three cores of g1 are taken" busy -w g1 -n1 --gpus=1 -c6
check "three GPUs of g2 are taken" busy -w g2 -n1 --gpus=3
check "a GPU of h1 is taken" busy -w h1 -n1 --gpus=1
check "a core of k1 is taken" busy -w k1 -n1 -N1

# A booking of any GPU on a node with two types has one of a known type.
[[ types =~ ${RSPB_BUSY_ONLY:-.} ]] && {
	t=$(ahead 25)
	any=$(book $user_a "$t" -w k1 -N1 -n1 --gres=gpu:1)
	check "a GPU of any type is booked" booked "$any"
	check "it is of a known type" contract_says "$any" ' odd=k1/gpu:a100=1 '
	ctld_stop TERM
	ctld_start
	check "slurmctld is there once more" wait_for 20 scontrol show reservation rspb_waiting
	check "that type cannot be booked besides" declined \
		"$(book $user_a "$t" -w k1 -N1 -n1 --gres=gpu:a100:1)"
	other=$(book $user_a "$t" -w k1 -N1 -n1 --gres=gpu:v100:1)
	check "the other one can" booked "$other"
	check "none of any type is left" declined "$(book $user_a "$t" -w k1 -N1 -n1 --gres=gpu:1)"
	for j in "$any" "$other"; do
		check "job $j begins at its scheduled start" starts_at "$j" "$t"
	done
	check "with the type that was booked" job_shows "$any" 'GRES=gpu:a100:1'
	check "and so does the other" job_shows "$other" 'GRES=.*gpu:v100:1'
	scancel "$any" "$other"
	for j in "$any" "$other"; do
		wait_for 20 over "$j"
	done
}
try "different nodes" <<'TEXT'
-n 20 -p capped
-n 34 -p capped
-n 40 -p two
-n 50 -c 2 --hint=nomultithread
-n 150
--gpus=v100:4
--gpus=a100:9
--gpus-per-task=a100:1 -n 7
-n 10 --mem=20G
-n 3 -c 5 --mem-per-cpu=5G
-n 10 --mem-per-cpu=8G
-n 20 --threads-per-core=1 -C amd
-n 20 --sockets-per-node=1
-N3 -n 7 -c 3
-n 11 -c 3 --hint=nomultithread
-n 24 -m block
-n 26 --mincpus=13
-n 9 --cores-per-socket=16
--gres=gpu:1 -N6
--gpus-per-node=1 -N6 -n 12
--gpus-per-task=1 -n 6 -N6
--contiguous -n 60
--contiguous -N5
--contiguous -n 24 -w a4
-N3 --ntasks-per-node=7 --gpus-per-node=1
--gpus=6 --mem-per-gpu=10G
--gpus-per-node=1 -N6 --mem-per-gpu=2G
-w k1 --gres=gpu:1 -n 6
-N4 -n 16 --gpus-per-node=1 --ntasks-per-gpu=4
--gpus-per-task=a100:2 -n 3
--gpus-per-task=a100:1 -n 5 -c 3
--gres=gpu:v100:1 -c 3 --gres-flags=enforce-binding
--gres=gpu:v100:1 -n 1 -c 3 --gres-flags=enforce-binding
-N3 -n 3 --gpus=v100:4
-N3 -n 4 --gpus-per-task=v100:1
TEXT
cluster_down
rm -f "$out"/job-*.out "$out"/begin.*

# Nodes whose GPUs are beside cores that are in use.
cat >"$folder/slurm.conf" <<'TEXT'
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
NodeName=c[1-2] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 CPUs=16 RealMemory=64000
NodeName=g[1-4] Sockets=2 CoresPerSocket=8 ThreadsPerCore=1 CPUs=16 RealMemory=64000 Gres=gpu:a100:4
NodeName=h[1-3] Sockets=1 CoresPerSocket=24 ThreadsPerCore=1 CPUs=24 RealMemory=128000 Gres=gpu:h100:2
NodeName=k[1-2] Sockets=2 CoresPerSocket=6 ThreadsPerCore=1 CPUs=12 RealMemory=48000 Gres=gpu:a100:2,gpu:h100:2
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00 DefMemPerCPU=300
TEXT
cat >"$folder/gres.conf" <<TEXT
NodeName=g[1-4] Name=gpu Type=a100 File=$folder/gpu[0-1] Cores=0-7
NodeName=g[1-4] Name=gpu Type=a100 File=$folder/gpu[2-3] Cores=8-15
NodeName=h[1-3] Name=gpu Type=h100 File=$folder/gpu[0-1]
NodeName=k[1-2] Name=gpu Type=a100 File=$folder/gpu[0-1] Cores=0-5
NodeName=k[1-2] Name=gpu Type=h100 File=$folder/gpu[2-3] Cores=6-11
TEXT
cat >"$folder/topology.conf" <<'TEXT'
SwitchName=s1 Nodes=c1,g[1-2]
SwitchName=s2 Nodes=c2,g[3-4]
SwitchName=s3 Nodes=h[1-3],k[1-2]
SwitchName=top Switches=s[1-3]
TEXT
cluster_with_tree GPU 11
check "a GPU and six cores of h1 are taken" busy -w h1 -n1 --gpus=h100:1 -c6
check "20 cores of h2 are taken" busy -w h2 -n20 -N1
check "a GPU of g1 is taken" busy -w g1 -n1 --gpus=a100:1
check "three GPUs of g2 are taken" busy -w g2 -n1 --gpus=3 -c3
check "nine cores of g3 are taken" busy -w g3 -n9 -N1
check "two cores of k1 are taken" busy -w k1 -n2 -N1
check "a GPU of k2 is taken" busy -w k2 -n1 --gpus=a100:1 --mem=16G -N1
try "GPUs beside cores in use" <<'TEXT'
-N2-4 --cpus-per-gpu=3 --gpus=6
--cpus-per-gpu=4 --contiguous --gpus=6 -w k1 --mem=20G
--gpus=a100:6 --cpus-per-gpu=4
--gpus=5 --cpus-per-gpu=2
--gpus=4 --cpus-per-gpu=3 -N2
--gpus-per-node=2 --cpus-per-gpu=2 -N2
-w g1 --ntasks-per-socket=2
-w k1 --ntasks-per-socket=2 -N1
-w g3 --ntasks-per-socket=4 -N1
-N1-2 --gpus-per-node=a100:2
--gres=gpu:a100:1 -N2-3 -n 3
--gpus=4 --gpus-per-socket=1 --sockets-per-node=2
-N2 --gpus=a100:6 -n 4
-n 25 --switches=1 -c 2
--gres-flags=enforce-binding --gpus=5 -n 2 -N1-2
--gres-flags=enforce-binding --gpus=5 --ntasks-per-socket=4
--gpus-per-node=h100:2 --switches=1 -n 4 --ntasks-per-socket=1
--ntasks-per-socket=4 --contiguous -n 20 --switches=1
--contiguous -n 24 --switches=1
-c 4 -n 11 --exclusive
-c 5 -n 7 --exclusive
TEXT
cluster_down
rm -f "$out"/job-*.out "$out"/begin.*

# Nodes that are also in partitions whose jobs share CPUs if they ask for it, or get nodes alone.
cat >"$folder/slurm.conf" <<'TEXT'
SelectTypeParameters=CR_Core_Memory
GresTypes=gpu
NodeName=a[1-4] Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 CPUs=16 RealMemory=32000 Feature=ib
NodeName=s[1-2] Sockets=1 CoresPerSocket=16 ThreadsPerCore=1 CPUs=16 RealMemory=64000 Feature=intel Weight=5
NodeName=u[1-2] Sockets=2 CoresPerSocket=4 ThreadsPerCore=1 CPUs=8 RealMemory=24000 Feature=intel Weight=8
NodeName=x[1-2] Sockets=2 CoresPerSocket=6 ThreadsPerCore=2 CPUs=24 RealMemory=96000 Weight=20
NodeName=y[1-2] Sockets=1 CoresPerSocket=8 ThreadsPerCore=1 CPUs=8 RealMemory=20000 Weight=6
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00 DefMemPerCPU=500
PartitionName=over Nodes=s[1-2] OverSubscribe=YES:2 DefaultTime=10 MaxTime=1-00:00:00 DefMemPerCPU=500
PartitionName=force Nodes=y1 OverSubscribe=FORCE:2 DefaultTime=10 MaxTime=1-00:00:00 DefMemPerCPU=500
PartitionName=once Nodes=y2 OverSubscribe=FORCE:1 DefaultTime=10 MaxTime=1-00:00:00 DefMemPerCPU=500
PartitionName=excl Nodes=u1 OverSubscribe=EXCLUSIVE DefaultTime=10 MaxTime=1-00:00:00
PartitionName=user Nodes=u2 ExclusiveUser=YES DefaultTime=10 MaxTime=1-00:00:00
TEXT
: >"$folder/gres.conf"
cat >"$folder/topology.conf" <<'TEXT'
SwitchName=s1 Nodes=a[1-4],s1
SwitchName=s2 Nodes=s2,u[1-2]
SwitchName=s3 Nodes=x[1-2],y[1-2]
SwitchName=top Switches=s[1-3]
TEXT
cluster_with_tree third 12
check "two cores of a1 are taken" busy -w a1 -n4 -N1
check "four cores of a2 are taken" busy -w a2 -n8 -N1
check "six cores of s1 are taken" busy -w s1 -n6 -N1
check "two cores of u1 are taken" busy -w u1 -n2 -N1
check "two cores of y1 are taken" busy -w y1 -n2 -N1

# What is booked of such a node is nobody else's, and the rest is anybody's.
beside_part() { # PARTITION NODE CORES OPTIONS...
	local t part beside more
	t=$(ahead 40)
	part=$(book $user_a "$t" -w "$2" -n "$3" -N1)
	check "a part of $2 is booked" booked "$part"
	check "with its cores" contract_says "$part" " nodes=1/1 .*cores=$3 "
	beside=$(job $user_b 300 -p "$1" -w "$2" -n 3 --time=10 "${@:4}")
	check "a job of partition $1 runs on the others" wait_for 10 is_state "$beside" RUNNING
	check "before the booking begins" is_state "$part" PENDING
	more=$(job $user_b 300 -p "$1" -w "$2" -n 6 --time=10 "${@:4}")
	check "the booking begins at its scheduled start" starts_at "$part" "$t"
	check "with CPUs of its own" job_shows "$part" " NumNodes=1 NumCPUs=$3 "
	check "the job beside it still runs" is_state "$beside" RUNNING
	check "a job that needs more than is left waits" is_state "$more" PENDING
	scancel "$part" "$beside" "$more"
	wait_for 20 over "$part"
	wait_for 20 over "$beside"
}
[[ parts =~ ${RSPB_BUSY_ONLY:-.} ]] && {
	beside_part over s2 12 --oversubscribe
	beside_part once y2 5
	as $user_a sbatch --book -p force -n1 --time=1 --begin="$(slurm_time "$(ahead 600)")" \
		--cpu-share=30% job.sh >"$out/said" 2>&1
	check "no share is booked of a node that is lent in parts" grep \
		'parts of nodes are booked here instead of shares' "$out/said"
}
try "partitions of several kinds" <<'TEXT'
-n 70
-N6
-N8 -n 40
-n 20 -C intel
-n 30 -C intel
-w s1 -n 10
-w s1 -n 14
-w u1 -n 6
-w u2 -n 12
-x a[1-4] -n 30
-x a[1-4],s2 -n 20
-p over -n 20
-p over -n 9 -w s1
-p over -n 6 --oversubscribe
-p user -n 3
-p user,main -n 3
-n 40 --switches=1
-n 30 --switches=1
-n 90
-w y1 -n 5
-w y2 -n 3
-w y1,y2 -n 12
-p once,main -w y2 -n 3
TEXT
