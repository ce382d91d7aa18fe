# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# How many parts of four nodes with 128 cores and 8 GPUs can be booked for one hour, and
# of what stock Slurm's reservations of cores would have had.
# Takes 60 s.
touch "$folder"/gpu{0..7}
cat >"$folder/slurm.conf" <<CONF
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=10
GresTypes=gpu
NodeName=n[1-4] CPUs=128 RealMemory=64000 Gres=gpu:8
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
CONF
echo "NodeName=n[1-4] Name=gpu File=$folder/gpu[0-7]" >"$folder/gres.conf"
up=(cluster_up --conf "$folder/slurm.conf" --gres-conf "$folder/gres.conf")
"${up[@]}" || exit 1

hour=$(ahead 7200)
# asks N OPTIONS...: so many bookings alike for that hour.
asks() {
	local n=$1 i
	shift
	jobs=()
	for ((i = 0; i < n; i++)); do
		jobs+=("$(book $user_a "$hour" --time=60 "$@" 2>>"$out/said")")
	done
}
# granted N: so many of them are booked, the others declined.
granted() {
	local j n=0
	for j in "${jobs[@]}"; do
		wait_for 10 decided "$j" || return 1
		! is_booking "$j" booked || n=$((n + 1))
	done
	[ $n -eq "$1" ] || { echo "$n are booked"; return 1; }
}
away() {
	as $user_a scancel "${jobs[@]}"
	wait_for 20 no_reservations
}

asks 65 -n8
check "of 65 bookings of 8 cores 64 are granted" granted 64
away
asks 40 -n8
check "of 40 all" granted 40
away
asks 33 -n8 --gpus=1
check "of 33 of 8 cores and a GPU 32" granted 32
away
# Slurm gives these a CPU for all of their tasks on a node, from 24.05 on one for each task.
case $(scontrol -V) in *" 22."* | *" 23."*) many=8 ;; *) many=4 ;; esac
asks 8 -N1 -n100 --overcommit
check "of 8 bookings of 100 tasks that share CPUs $many" granted $many
away
cluster_down

# reserves WHAT...: how many of 65 reservations of that it has for the hour, into n.
reserves() {
	local i
	n=0
	for ((i = 0; i < 65; i++)); do
		scontrol create reservation "reservation=r$i" user=root duration=60 \
			starttime="$(slurm_time "$hour")" partitionname=main nodecnt=1 \
			"$@" >>"$out/reserved" 2>&1 && n=$((n + 1))
	done
	for ((i = 0; i < 65; i++)); do
		scontrol delete "reservationname=r$i" >>"$out/reserved" 2>&1
	done
	note "stock Slurm: $n reservations of $*"
}
"${up[@]}" --stock || exit 1
reserves corecnt=8
check "it has 64 reservations of 8 cores" [ $n -eq 64 ]
# Not all releases have reservations of GPUs.
reserves tres=cpu=8,gres/gpu=1
check "and no more of them with a GPU" [ $n -le 32 ]
