# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# An operator asks for cores of nodes, with memory and GPUs, by the tag of a reservation.
# Takes 160 s.
touch "$folder"/gpu{0..3}
cat >"$folder/slurm.conf" <<CONF
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
GresTypes=gpu
NodeName=n[1-2] CPUs=16 RealMemory=4000 Gres=gpu:4
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
CONF
echo "NodeName=n[1-2] Name=gpu File=$folder/gpu[0-3]" >"$folder/gres.conf"
printf '%s\n' JournalKeep=1d GroupBookings=any >"$folder/rspb.conf"
cluster_up --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" \
	--gres-conf "$folder/gres.conf" || exit 1

# asks NAME START TAG: of an operator, five minutes.
asks() {
	scontrol create reservation "reservation=$1" user=$user_b duration=5 \
		start="$(slurm_time "$2")" flags=any_nodes nodecnt=0 \
		"burstbuffer=rspb:$3" >>"$out/made" 2>&1 ||
		scontrol create reservation "reservation=$1" user=$user_b duration=5 \
			start="$(slurm_time "$2")" flags=any_nodes "burstbuffer=rspb:$3"
}
# said NAME PATTERN: its answer.
said() {
	scontrol -o show reservation "$1" | grep -E "BurstBuffer=rspb: [^=]*$2" ||
		{ scontrol show reservation "$1"; return 1; }
}
cores() {
	scontrol -o show reservation "$1" | grep " CoreCnt=$2 " ||
		{ scontrol show reservation "$1"; return 1; }
}

# On cores that the reservation would name, for longer than it lasts.
ordinary=$(job $user_a 300 -w n1 -n4 --time=10)
check "an ordinary job has four cores of a node" wait_for 20 is_state "$ordinary" \
	RUNNING
# waits JOB...: Slurm has looked at them, and they have not begun.
waits() {
	local j
	for j; do
		wait_for 20 looked_at "$j" && is_state "$j" PENDING || return 1
	done
}

# told OPTIONS...: it is refused, with a sentence.
told() {
	! as $user_b sbatch --reservation=op --time=2 --wrap true "$@" 2>"$out/told" &&
		grep 'reservation=op: the reservation has [0-9]* [a-z]* of each' "$out/told" ||
		{ cat "$out/told"; return 1; }
}

t=$(ahead 90)
check "without a word on memory it has as much as a job" asks plain "$t" "nodes=1,cores=2"
check "of so many cores" wait_for 10 said plain 'booked.* nodes=1/1 cores=2 mem=20 '
scontrol delete reservation=plain >>"$out/made" 2>&1
has='nodes=2/2 cores=8 mem=1024 gres=gpu:2 '
check "an operator asks for cores, memory and GPUs" asks op "$t" \
	"nodes=2,cores=8,mem=1G,gres=gpu:2"
check "they are booked" wait_for 10 said op "booked.* $has"
check "and are what the reservation has" cores op 16
check "there are no more GPUs than it leaves" declined \
	"$(book $user_a "$t" -w n1 -N1 -n1 --gpus=3)"
check "nor more memory" declined "$(book $user_a "$t" -w n1 -n1 --mem=3000)"
three=$(job $user_b 300 -w n2 -n1 --gpus=3 --time=10)
large=$(job $user_b 300 -w n2 -n1 --mem=3000 --time=10)
check "no ordinary job has more than it leaves" waits "$three" "$large"
as $user_b scancel "$three" "$large"
two=$(job $user_b 300 -w n2 -n1 --gpus=2 --mem=2000 --time=10)
check "that one has" wait_for 30 is_state "$two" RUNNING
as $user_b scancel "$two"
wait_for 10 is_state "$two" CANCELLED >/dev/null
four=$(book $user_a "$t" -w n1 -n4 --gpus=2 --mem=1G)
check "the rest of the node can be booked" booked "$four"
check "but no more than it" declined "$(book $user_a "$t" -w n1 -n1)"
eight=$(book $user_a "$t" -w n2 -n8)
check "so it is on the other" booked "$eight"
check "not the node itself" declined "$(book $user_a "$t" -w n2 -N1)"
check "a range has no cores" asks range "$t" "nodes=1-2,cores=8"
check "which is said" wait_for 10 said range 'declined.*fixed number'
check "nor have nodes more than there are" asks large "$t" "nodes=2,cores=17"
check "which is said" wait_for 10 said large 'declined.*cores=17'
check "who is declined is told all that he asked for" said large 'declined.* cores=17 '
check "memory is of cores" asks odd "$t" "nodes=2,mem=1G"
check "which is said" wait_for 10 said odd 'declined.*needs cores='
check "nobody has five GPUs" asks five "$t" "nodes=1,cores=1,gres=gpu:5"
check "which is said" wait_for 10 said five 'declined.* gres=gpu:5 '
theirs=$(job $user_b 90 --reservation=op -N2 -n14 --ntasks-per-node=7 --mem=900 \
	--gpus-per-node=2 --time=2)
saved() {
	[ "$(stat -c %Y "$cluster/state/resv_state")" -gt "$submitted" ] &&
		[ "$(stat -c %Y "$cluster/state/job_state")" -gt "$submitted" ]
}
submitted=$EPOCHSECONDS
wait_for 15 saved >/dev/null
check "slurmctld is killed" ctld_stop KILL
check "and comes back" ctld_start
check "the cores are booked still" wait_for 10 said op "booked.* $has"
check "and reserved" wait_for 10 cores op 16
check "no more is left" declined "$(book $user_a "$t" -w n1 -n1)"
check "a part of the rest begins on its second" starts_at "$four" "$t" 1500
check "and the other" starts_at "$eight" "$t" 1500
check "who has the reservation gets its cores" wait_for 15 is_state "$theirs" RUNNING
third=$(job $user_b 30 --reservation=op -n1 --gpus=1 --time=2)
fat=$(job $user_b 30 --reservation=op -n1 --mem=200 --time=2)
small=$(job $user_b 30 --reservation=op -n1 --mem=100 --time=2)
# behind two that wait it is Slurm's backfill that starts it, every 30 s
check "who can never have a GPU or memory that it does not keep is told" told \
	-n1 --gpus=3
check "or so much memory" told -n1 --mem=1500
check "others in it have the rest of what it has" wait_for 40 is_state "$small" RUNNING
check "those before it have no more GPUs" is_state "$third" PENDING
check "nor more memory than that" is_state "$fat" PENDING
check "the ordinary job runs on" is_state "$ordinary" RUNNING
check "others have what it leaves, no more" eval '
	more=$(job $user_a 5 -w n2 -N1 -n9 --time=1); sleep 3; is_state "$more" PENDING'
check "the journal decides the same again" decides_the_same 4

# The same for a group, by a user.
group() {
	as $user_a "$cluster/rspb/bin/rspb" request --wait -t 5 --for-users=$user_b \
		--begin="$(slurm_time "$(ahead 90000)")" "$@" 2>&1
}
one=$(group -N2 --cores=8 --mem=1G --gres=gpu:3)
check "a group has cores, memory and GPUs of two nodes" \
	grep -E 'booked .* 2 nodes n\[1-2\], each with 8 cores, 3 GPUs, 1024 MiB$' <<<"$one"
check "its answer says it" said "${one%% *}" 'booked.* cores=8 mem=1024 gres=gpu:3 '
check "Slurm has the cores" grep 'CoreCnt=16 ' <<<"$(scontrol -o show reservation "${one%% *}")"
check "its owner makes it longer" grep -E 'booked .* on 8 cores, 3 GPUs, 1024 MiB of each of 2 nodes$' <<<"$(
	as $user_a "$cluster/rspb/bin/rspb" modify "${one%% *}" -t 10 2>&1)"
check "Slurm has the cores still" grep 'Duration=00:10:00 .* CoreCnt=16 ' \
	<<<"$(scontrol -o show reservation "${one%% *}")"
check "no more than one GPU of each is left" grep declined <<<"$(group -N2 --cores=2 --gres=gpu:2)"
check "which a second one has" grep -E 'booked .* 2 nodes' <<<"$(group -N2 --cores=2 --gres=gpu:1)"
# changes NAME OPTIONS...: its owner changes it.
changes() {
	as $user_a "$cluster/rspb/bin/rspb" modify "$@" 2>&1
}
check "it keeps the number of its parts" grep -F 'its times and features can be changed' \
	<<<"$(changes "${one%% *}" -N1)"
check "and what it has of each node" grep -F 'its times and features can be changed' \
	<<<"$(changes "${one%% *}" --gres=gpu:2)"
runs=$(group -N1 --cores=2 --begin=now)
runs=${runs%% *}
check "cores are booked for now" wait_for 10 said "$runs" 'active '
check "they are booked for longer while they are used" grep -E '^booked .* on 2 cores, ' \
	<<<"$(changes "$runs" -t 10)"
ctld_stop TERM
ctld_start
check "slurmctld is back" wait_for 20 scontrol show reservation rspb_waiting
longer() {
	changes "$runs" -t 15 | grep -E '^booked .* on 2 cores, '
}
check "and for longer after a restart" wait_for 20 longer
