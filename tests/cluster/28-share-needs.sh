# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Shares on one node are promised together only when what they need besides
# fits there, too: memory and generic resources. Takes 75 s.
cat >"$folder/slurm.conf" <<'CONF'
SelectTypeParameters=CR_Core_Memory
DefMemPerNode=300
GresTypes=fpga
NodeName=n1 CPUs=4 RealMemory=8000 Gres=fpga:2
NodeName=n2 CPUs=4 RealMemory=8000
NodeName=n3 CPUs=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=60
PartitionName=shared Nodes=ALL OverSubscribe=FORCE:16 DefaultTime=10 MaxTime=60
PartitionName=own Nodes=ALL OverSubscribe=FORCE:16 ExclusiveUser=YES MaxTime=60
CONF
echo 'NodeName=n1 Name=fpga Count=2' >"$folder/gres.conf"
cluster_up --conf "$folder/slurm.conf" --gres-conf "$folder/gres.conf" || exit 1

# share USER PCT START [options]: its id.
lasts=3
share() {
	local user=$1 pct=$2 start=$3
	shift 3
	job "$user" $lasts -p shared --book --time=1 --begin="$(slurm_time "$start")" \
		--cpu-share="$pct" "$@"
}
never() {
	check "$1" refused "$2" as $user_a sbatch --book --time=1 \
		--begin="$(slurm_time "$t")" --cpu-share=20 "${@:3}" --wrap true
}

note "memory"
t=$(ahead 600)
a=$(share $user_a 20 "$t" -w n3 --mem=3000)
b=$(share $user_b 20 "$t" -w n3 --mem=900)
c=$(share $user_a 20 "$t" -w n3 --mem=900)
check "two shares whose memory fits are booked" booked "$a" "$b"
check "a third one whose memory does not is declined" declined "$c"
check "and told why" contract_says "$c" 'memory'
d=$(share $user_a 20 "$((t + 60))" -w n3 --mem=0)
e=$(share $user_a 20 "$((t + 60))" -w n3 --mem=100)
check "one that takes all memory is booked" booked "$d"
check "nobody is booked beside it" declined "$e"
f=$(share $user_b 20 "$t" -N1 -x n1 --mem=3000)
check "one that may be on another node is booked there" booked "$f"
check "which is n2" contract_says "$f" ' on=n2( |$)'
g=$(share $user_a 20 "$((t + 120))" -w n3 --mem-per-cpu=700)
h=$(share $user_b 20 "$((t + 120))" -w n3 --mem=1500)
check "memory for each CPU is booked" booked "$g"
check "and counts for each CPU of the node" declined "$h"
scancel "$a" "$b" "$c" "$d" "$e" "$f" "$g" "$h"
wait_for 10 no_reservations

note "tasks"
never "more than a named node has CPUs are refused" 'n1 has too few CPUs' \
	-p shared -n5 -w n1
never "so are those that want several" 'n1 has too few' -p shared -n3 -c2 -w n1
a=$(share $user_a 20 "$t" -n4 -c2 -w n1,n2)
b=$(share $user_b 20 "$t" -n5 -O -w n1)
check "as many as they have are booked, or beside each other" booked "$a" "$b"
scancel "$a" "$b"
wait_for 10 no_reservations

note "generic resources"
a=$(share $user_a 20 "$t" -w n1 --mem=100 --gres=fpga:1)
b=$(share $user_b 20 "$t" -w n1 --mem=100 --gres=fpga:1)
c=$(share $user_b 20 "$t" -w n1 --mem=100)
d=$(share $user_a 20 "$t" -w n1 --mem=100)
check "a share that asks for devices takes its node's" booked "$a"
check "so another that does is declined" declined "$b"
check "and told why" contract_says "$b" 'not enough generic resources'
check "who asks for none has room" booked "$c" "$d"
scancel "$a" "$b" "$c" "$d"
wait_for 10 no_reservations

note "nodes for oneself"
never "--exclusive contradicts a share" 'cannot be combined with --exclusive' \
	-p shared --exclusive
never "--exclusive=user, too" 'cannot be combined with --exclusive' \
	-p shared --exclusive=user
never "and so does a partition of that kind" 'own .*one user' -p own

note "they start"
t=$(ahead 20) lasts=55
a=$(share $user_a 20 "$t" -w n2 --mem=3900)
b=$(share $user_b 20 "$t" -w n2 --mem=3900)
c=$(share $user_a 50 "$t" -w n1 --mem=100)
d=$(share $user_b 25 "$t" -w n1 --mem=100)
e=$(share $user_a 20 "$t" -w n1 --mem=100 --gres=fpga:1)
check "two shares that fit are booked" booked "$a" "$b"
check "and three where nodes have devices" booked "$c" "$d" "$e"
check "the first starts on its second" starts_at "$a" "$t"
check "and so does the other" starts_at "$b" "$t"
check "and those beside devices" starts_at "$c" "$t"
check "without these" starts_at "$d" "$t"
check "or with" starts_at "$e" "$t"

counts() {
	counts_as "$c" cpu=2 billing=2 && counts_as "$d" cpu=1 billing=1 && counts_as "$e" cpu=1
}
devices() {
	scontrol -d show node n1 | grep -q "GresUsed=fpga:$1"
}
check "each is billed its share of the CPUs" counts
check "devices are the one's that asked for them" devices 2
as $user_a scancel "$e"
check "and free when it has ended" wait_for 15 devices 0
# Else Slurm's file may have it running still.
ended=$EPOCHSECONDS
saved() {
	[ "$(stat -c %Y "$cluster/state/job_state")" -gt "$ended" ]
}
wait_for 15 saved >/dev/null
ctld_stop KILL
ctld_start
check "slurmctld killed counts as before" wait_for 20 counts
check "nor does who asked for none have devices" devices 0
as $user_b scancel "$c" "$d"
as $user_a scancel "$a" "$c"
as $user_b scancel "$b" "$d"
check "nothing is left" wait_for 30 nothing_left
check "Slurm counts no CPU twice" \
	bash -c '! grep -E "underflow|overallocated|underallocated" "$1"' _ \
	"$cluster/log/slurmctld.log"
