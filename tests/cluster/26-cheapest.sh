# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Cheap nodes first, on a machine of CPU, big-memory and GPU nodes, with and without
# Weight: each request as a regular job of stock Slurm, as a regular job beside bookings
# and without, and as a booking. None of ours takes a dearer node than stock Slurm's does.
# Takes 290 s.
touch "$folder"/gpu{0..1}
nodes_c="NodeName=c[1-5] CPUs=4 RealMemory=4000 Feature=cpu"
nodes_m="NodeName=m[1-2] CPUs=8 RealMemory=16000 Feature=cpu,big"
nodes_g="NodeName=g[1-2] CPUs=8 RealMemory=16000 Gres=gpu:2 Feature=cpu"
echo "NodeName=g[1-2] Name=gpu File=$folder/gpu[0-1]" >"$folder/gres.conf"
# conf NODES...: slurm.conf with these lines, in their order.
conf() {
	{
		echo "SelectTypeParameters=CR_Core_Memory"
		echo "DefMemPerCPU=100"
		echo "GresTypes=gpu"
		printf '%s\n' "$@"
		echo "PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00"
	} >"$folder/slurm.conf"
}
up() {
	cluster_up --conf "$folder/slurm.conf" --gres-conf "$folder/gres.conf" "$@"
}

requests=(
	"-N1" "-n6" "-n10" "-N2 -n8" "-N3 --exclusive" "-N1 --mem=8000"
	"-N2 --mem=8000 --exclusive" "-N1 -n8" "-N1 --gres=gpu:1" "-N1 -C big" "-n4 -c2"
	"-n12 --mem-per-cpu=900" "-N6 --exclusive"
)
# how_many NODES CLASSES: that are of these.
how_many() {
	scontrol show hostnames "$1" | grep -c "^[$2]"
}
# no_dearer MINE STOCKS: no more GPU nodes, and no more of these and big ones.
no_dearer() {
	[ -n "$1" ] && [ "$(how_many "$1" g)" -le "$(how_many "$2" g)" ] &&
		[ "$(how_many "$1" mg)" -le "$(how_many "$2" mg)" ] ||
		{ echo "on $1, stock Slurm's on $2"; return 1; }
}
nodes_of() {
	contract "$1" | sed -n 's/.* on=\([^ ]*\).*/\1/p'
}
# ordinary OPTIONS...: where such a regular job runs, into ran.
ordinary() {
	local job
	# shellcheck disable=SC2086
	job=$(as $user_b sbatch --parsable -o /dev/null -t1 $1 --wrap 'sleep 300')
	ran=
	wait_for 20 is_state "$job" RUNNING && ran=$(field "$job" NodeList)
	as $user_b scancel "$job"
	wait_for 20 all_idle
}
all_idle() {
	! sinfo -h -N -o %t | grep -qv idle
}
field() {
	scontrol show job "$1" -o | grep -oE " $2=[^ ]+" | cut -d= -f2
}

declare -A stocks
# compare TEXT: all requests, under stock Slurm and ours.
compare() {
	local text=$1 request job file=() n
	up --stock || return 1
	for request in "${requests[@]}"; do
		ordinary "$request"
		check "$text: stock Slurm starts $request" [ -n "$ran" ]
		stocks[$request]=$ran
	done
	cluster_down
	up || return 1
	for request in "${requests[@]}"; do
		# shellcheck disable=SC2086
		job=$(book $user_a "$(ahead 3600)" $request)
		check "$text: a booking with $request is granted" booked "$job"
		check "$text: a booking with $request is on no dearer nodes" no_dearer \
			"$(nodes_of "$job")" "${stocks[$request]}"
		as $user_a scancel "$job"
		wait_for 10 no_reservations
	done
	# Their gaps are the tightest of all then.
	for n in g2 m2 c3; do
		file+=("$(book $user_a "$(ahead 900)" -N1 --exclusive -w $n)")
	done
	check "$text: three nodes are booked" booked "${file[@]}"
	for request in "${requests[@]}"; do
		ordinary "$request"
		check "$text: beside bookings a regular job with $request is on no dearer nodes" \
			no_dearer "$ran" "${stocks[$request]}"
	done
	as $user_a scancel "${file[@]}"
	cluster_down
}

conf "$nodes_c" "$nodes_m" "$nodes_g"
compare "without weights"
conf "$nodes_c Weight=1" "$nodes_m Weight=10" "$nodes_g Weight=20"
compare "with weights"

# Where the cheap ones lend no parts, whole ones are booked.
conf "$nodes_c Weight=1" "$nodes_m Weight=10" "$nodes_g Weight=20" \
	"PartitionName=shared Nodes=c[1-5] OverSubscribe=FORCE:2 DefaultTime=10 MaxTime=1-00:00:00"
compare "cheap nodes without parts"

# Slurm takes the lowest numbers, our bookings the cheapest.
conf "$nodes_g" "$nodes_m" "$nodes_c"
up || exit 1
t=$(ahead 3600)
for options in "-N1 c" "-N3 c" "-N1 --mem=8000 m" "-N2 --mem=8000 --exclusive m" \
	"-N1 --gres=gpu:1 g"; do
	# shellcheck disable=SC2086
	job=$(book $user_a "$t" ${options% *})
	check "dear nodes first in the table: ${options% *} is booked" booked "$job"
	check "dear nodes first in the table: ${options% *} is on the nodes ${options##* }" \
		grep -E "^${options##* }" <<<"$(nodes_of "$job")"
	as $user_a scancel "$job"
	wait_for 10 no_reservations
done
# The weight comes before what a node has.
check "an operator lets GPU nodes weigh least" scontrol update node=c[1-5],m[1-2] weight=100
job=
lighter() {
	[ -z "$job" ] || as $user_a scancel "$job"
	job=$(book $user_a "$((t + 120))" -N1)
	booked "$job" && grep -E '^g' <<<"$(nodes_of "$job")"
}
check "a booking is on them then" wait_for 10 lighter
