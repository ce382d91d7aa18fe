# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Weights of nodes: what is dear stays free while cheaper nodes do, for
# bookings and for ordinary jobs, whatever is booked on it.
# Takes 60 s.
cat >"$folder/slurm.conf" <<'TEXT'
NodeName=n1 Weight=1000 CPUs=4 RealMemory=4000
NodeName=n[2-4] Weight=10 CPUs=4 RealMemory=4000
NodeName=n[5-6] Weight=50 CPUs=4 RealMemory=4000
TEXT
cluster_up --conf "$folder/slurm.conf" || exit 1

t=$(ahead 50)
nodes_of() {
	scontrol show reservation "rspb_$1" -o |
		sed 's/.* Nodes=\([^ ]*\).*/\1/'
}
# on TEXT NODES JOB: what it booked lies on exactly these.
on() {
	check "$1" booked "$3" &&
		check "$1: on $2" grep -x "$2" <<<"$(nodes_of "$3")"
}
one=$(book $user_a "$t" -N1)
on "one node comes from the lightest" n2 "$one"
three=$(book $user_b "$t" -N3)
on "the next ones are of the next weight" 'n\[3-5\]' "$three"
all=$(book $user_a "$((t + 120))" -N6)
on "all are booked when all are needed" 'n\[1-6\]' "$all"
as $user_a scancel "$all"
as $user_b scancel "$three"
as $user_a scancel "$one"
check "they give way" wait_for 10 no_reservations

# A booking on the dear node makes its gap the tightest of all.
dear=$(book $user_a "$t" -N1 -w n1)
on "the dear node can be asked for by name" n1 "$dear"
ran_on() {
	scontrol show job "$1" -o | sed 's/.* NodeList=\([^ ]*\).*/\1/'
}
for ((i = 0; i < 3; i++)); do
	ordinary=$(as $user_b sbatch --parsable -N1 -n1 -t1 --exclusive \
		--wrap 'sleep 60')
	wait_for 20 is_state "$ordinary" RUNNING
	check "ordinary job $((i + 1)) keeps off the dear node" \
		grep -x 'n[2-4]' <<<"$(ran_on "$ordinary")"
done
beside=$(book $user_b "$t" -N1)
on "so does a booking, of the next weight" n5 "$beside"

# Weights may change while slurmctld runs.
check "an operator changes a weight" scontrol update node=n6 weight=1
sleep 1
light=$(book $user_b "$((t + 120))" -N1)
on "decisions know within a second" n6 "$light"
check "what was booked stands" is_booking "$dear" booked
check "and its job starts on its second" starts_at "$dear" "$t"
