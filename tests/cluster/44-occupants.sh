# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# No regular job within its time limit ends for a booked part of a node that Slurm does
# not start beside it, whatever Slurm's reason is.
# Takes 90 s.
touch "$folder"/gpu{0..1}
cat >"$folder/slurm.conf" <<'CONF'
SelectTypeParameters=CR_Core
GresTypes=gpu
NodeName=DEFAULT Sockets=2 CoresPerSocket=4 CPUs=8
NodeName=n[1-5]
NodeName=n6 Gres=gpu:2
NodeName=n[7-8] Features=pair
NodeName=n[9-10] Features=wide
NodeName=n[11-12]
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
PartitionName=capped Nodes=n[1-2] MaxCPUsPerNode=4 DefaultTime=10 MaxTime=1-00:00:00
PartitionName=cut Nodes=n3 DefaultTime=10 MaxTime=1-00:00:00
PartitionName=over Nodes=n[11-12] OverSubscribe=YES:2 DefaultTime=10 MaxTime=1-00:00:00
PartitionName=few Nodes=n12 MaxCPUsPerNode=2 DefaultTime=10 MaxTime=1-00:00:00
CONF
echo "NodeName=n6 Name=gpu File=$folder/gpu[0-1] Cores=0-3" >"$folder/gres.conf"
printf '%s\n' Unit=part MaxBookedPercent=100 >"$folder/rspb.conf"
cluster_up --nodes 12 --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" \
	--gres-conf "$folder/gres.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"

# answered JOB: it is declined, or booked.
answered() {
	booked "$1" || declined "$1"
}

# --- before the bookings --------------------------------------------------------
capped=("$(regular -p capped -w n1 -n4)" "$(regular -p capped -w n2 -n4)")
socket=$(regular -w n3 -n1 -c4)
bound=$(regular -w n6 -n1 -c4)
one_of_pair=$(regular -w n7 -n1 -c4)
check "the regular jobs run" wait_for 30 running "${capped[@]}" "$socket" "$bound" \
	"$one_of_pair"

t=$(ahead 25)
over_cap=$(book $user_a "$t" -p capped -n2 --time=3)
one_each=$(book $user_a "$t" -w n3 -n2 --ntasks-per-socket=1 --time=3)
binding=$(book $user_a "$t" -w n6 -n1 --gpus=1 --gres-flags=enforce-binding --time=3)
later=$(book $user_a "$t" -w n4 -n2 --ntasks-per-socket=1 --time=3)
window=$(book $user_a "$t" -w n5 -n2 --time=3)
pair=$(book $user_a "$t" -C pair -n2 --ntasks-per-socket=1 --time=3)
wide=$(book $user_a "$t" -C wide -N2 --extra-node-info=2:4 --ntasks=2 --time=3)
for j in "$over_cap" "$one_each" "$binding"; do
	check "a part that may not fit beside a regular job is answered" answered "$j"
done
beside_over=$(book $user_a "$t" -w n11 -n1 --time=3)
in_over=$(book $user_a "$t" -p over -w n12 -n1 --time=3)
beside_few=$(book $user_a "$t" -p few -w n12 -n2 --time=3)
check "parts of idle nodes are booked" booked "$later" "$window" "$pair" "$wide" \
	"$beside_over" "$in_over" "$beside_few"
cut=("$(regular -p cut -n1)" "$(book $user_a "$t" -p cut -n1 --time=3)")
check "so is one of a partition with room" booked "${cut[1]}"
at=(--book --begin="$(slurm_time "$t")" --time=3)
parted=$(as $user_a sbatch --parsable -o /dev/null "${at[@]}" -w n1 -n1 : \
	"${at[@]}" -p cut -n1 job.sh 1)
check "and as a component of a heterogeneous job" booked "$parted"
check "beside a regular job" wait_for 15 running "${cut[0]}"
check "which an operator gives a limit that its jobs have used up" \
	scontrol update partitionname=cut maxcpuspernode=1

# --- after them -------------------------------------------------------------------
filler=$(regular -w n4 -n1 -c4)
alone=$(regular -w n5 -n1 --exclusive=user)
sharing=$(regular -p over -w n11 -n1)
beside=$(regular -p over -w n12 -n1)
check "a job of a partition that shares CPUs runs beside a part booked in it" \
	wait_for 8 running "$beside"
check "so does one beside a part of another partition" wait_for 8 running "$sharing"
wait_for 8 running "$filler"
wait_for 8 running "$alone"
check "a part begins beside whose node no other user's job may begin" starts_at "$window" "$t"
check "so does one beside a job of a partition that shares CPUs" \
	starts_at "$beside_over" "$t"
check "and a part booked in such a partition" starts_at "$in_over" "$t"
check "and one whose partition has a MaxCPUsPerNode that other jobs do not count for" \
	starts_at "$beside_few" "$t"
check "and one of two nodes with cores in each socket" starts_at "$wide" "$t"
begins() {
	is_booking "$1" active || is_booking "$1" completed
}
check "one beside which a socket is full begins on another node" wait_for 15 begins "$pair"
sleep_until $((t + 8))
told() {
	contract_says "${cut[1]}" 'reason=it cannot start: Slurm does not start its job beside'
}
check "the owner of a part that waits is told why" wait_for 10 told
check "once" [ "$(grep -c "booking ${cut[1]}: it cannot start: Slurm does not start" "$cluster/log/slurmctld.log")" = 1 ]
# told_once JOB: why it cannot start, and nothing else since.
told_once() {
	[ "$(grep -c "booking $1: it cannot start: Slurm does not start" \
		"$cluster/log/slurmctld.log")" = 1 ] &&
		! grep "booking $1: nothing prevents its start" "$cluster/log/slurmctld.log"
}
check "so is that of a heterogeneous job, whose components are tried and put back" \
	told_once "$parted"
check "no job of a partition whose MaxCPUsPerNode is used up has ended" \
	running "${capped[@]}"
check "nor one that fills a socket" running "$socket"
check "nor one that has the cores of a GPU" running "$bound"
# whole JOB: it runs, or has never begun.
whole() {
	running "$1" || { is_state "$1" PENDING && [ "$(field "$1" Restarts)" = 0 ]; }
}
check "nor one that came later to a socket" whole "$filler"
check "nor one with --exclusive=user" whole "$alone"
check "nor those of a partition that shares CPUs" whole "$sharing"
check "whichever partition booked the part" running "$beside"
check "nor one on the node that another part has left" running "$one_of_pair"
