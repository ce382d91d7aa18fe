# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A booking whose job cannot start gives its nodes back after a time, and says
# why; where the site wants it so, it keeps them.
# Where nothing is given back early, its owner may use the rest.
# A window that its owner did not use counts on, or bars from booking.
# Takes 150 s.
printf "%s\n" StartWithin=8s NoShow=forget >"$folder/rspb.conf"
cat >"$folder/slurm.conf" <<'TEXT'
NodeName=n[1-4] CPUs=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
PartitionName=other Nodes=ALL DefaultTime=10 MaxTime=1-00:00:00
TEXT
cluster_up --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" ||
	exit 1

t=$(ahead 15)
held=$(job $user_a 1 --book --begin="$(slurm_time "$t")" --time=5 -N1)
shut=$(job $user_a 1 --book --begin="$(slurm_time "$t")" --time=5 -N1 -p other)
runs=$(job $user_b 1 --book --begin="$(slurm_time "$t")" --time=5 -N2)
check "three are booked, on all nodes" booked "$held" "$shut" "$runs"
check "one is held by an operator" scontrol hold "$held"
check "an operator closes the partition of another" \
	scontrol update partition=other state=down
check "the third starts on its second" starts_at "$runs" "$t"
sleep_until $((t + 2))
check "there is time to let it go" is_booking "$held" booked
check "then the held one gives its nodes back" \
	wait_for 12 is_booking "$held" cancelled
check "and says that it was held" contract_says "$held" "could not start.*$held is held"
check "so does the one in the closed partition" \
	wait_for 12 is_booking "$shut" cancelled
check "and says that it is" contract_says "$shut" 'partition other is DOWN'
now=$(book $user_b "$(ahead 5)" -N2)
check "their nodes can be booked within the old windows" booked "$now"
as $user_b scancel "$now"
as $user_a scancel "$held" "$shut"
scontrol update partition=other state=up

note "where nodes are kept"
echo Unstartable=hold >>"$cluster/etc/rspb.conf"
reconfigure
t=$(ahead 12)
held=$(job $user_a 1 --book --begin="$(slurm_time "$t")" --time=5 -N4)
check "a booking of all nodes" booked "$held"
scontrol hold "$held"
sleep_until $((t + 12))
check "keeps them while its job is held" is_booking "$held" booked
check "and starts when it is let go" scontrol release "$held"
check "in what is left of its window" wait_for 15 began "$held"
as $user_a scancel "$held"

note "windows that their owners do not use"
# fresh SETTING...: these, and little patience with jobs that cannot start.
fresh() {
	{ echo StartWithin=4s; printf '%s\n' "$@"; } >"$cluster/etc/rspb.conf"
	reconfigure
	sleep 1
}
cancelled() {
	wait_for 10 is_booking "$1" cancelled
}
sed -i s/rspb_MaxWaitingPerUser=0/rspb_MaxWaitingPerUser=1/ "$cluster"/etc/*.conf
fresh LateCancel=10m
t=$(ahead 300)
late=$(book $user_a "$t" -N1)
check "a booking" booked "$late"
as $user_a scancel "$late"
check "one that its owner cancels late is cancelled" cancelled "$late"
check "and its record says that it counts" contract_says "$late" 'until .* it counts as booked .NoShow=count'
next=$(job $user_a 1 --book --begin="$(slurm_time "$t")" --time=5 -N1)
check "so no other is booked" wait_for 10 is_booking "$next" declined
check "and why" contract_says "$next" 'MaxWaitingPerUser, NoShow'
other=$(book $user_b "$t" -N1)
check "another user is not concerned" booked "$other"
scancel "$other"
check "what an operator cancels" cancelled "$other"
other=$(book $user_b "$t" -N1)
check "does not count" booked "$other"
check "what an operator gives back" "$cluster/rspb/bin/rspb" giveback "$other"
check "is said to be so" wait_for 10 contract_says "$other" \
	'cancelled .*reason=released by an operator *$'
scancel "$other"
other=$(book $user_b "$t" -N1)
check "and does not count" booked "$other"
as $user_b scancel "$other"
check "one more is cancelled late" cancelled "$other"
sed -i s/rspb_MaxWaitingPerUser=1/rspb_MaxWaitingPerUser=0/ "$cluster"/etc/*.conf
fresh NoShow=bar:12s LateCancel=10m
late=$(book $user_b "$t" -N1)
check "where it bars, what counted before bars nobody" booked "$late"
as $user_b scancel "$late"
check "one is cancelled late" cancelled "$late"
check "its owner is refused at submission" \
	refused "booking $late was not used, so you can book nothing until" \
	as $user_b sbatch --book --begin="$(slurm_time "$t")" --time=5 -N1 \
	-o /dev/null --wrap true
sleep 12
check "for that time" booked "$(book $user_b "$t" -N1)"

note "the rest of a window"
fresh NoShow=forget ReleaseEarly=no
# Nothing changes at its end, which is no second in which all are looked at.
t=$(ahead 12)
t=$((t + (11 - t % 10) % 10))
short=$(job $user_a 1 --book --begin="$(slurm_time "$t")" --time=1 -N3)
held=$(job $user_b 1 --book --begin="$(slurm_time $((t + 26)))" --time=5 -N1)
check "a booking of three nodes, and one beside it" booked "$short" "$held"
scontrol hold "$held"
in_it() {
	as "$1" sbatch --parsable --reservation="rspb_$short" --time=0:30 -N3 \
		-o /dev/null --wrap "sleep 3" 2>&1
}
check "its owner's others cannot have it before it starts" \
	grep 'is only for its own job' <<<"$(in_it $user_a)"
check "its job runs, for a second" wait_for 25 ended "$short"
check "another user cannot have the rest" \
	grep 'is only for its own job' <<<"$(in_it $user_b)"
rest=$(in_it $user_a)
check "its owner can" wait_for 15 is_state "$rest" COMPLETED
check "within the window" [ "$EPOCHSECONDS" -lt $((t + 60)) ]
check "which is still theirs" is_booking "$short" active
sleep_until $((t + 30))
check "the other is given back as soon as StartWithin is over" \
	wait_for 2 is_booking "$held" cancelled
sleep_until $((t + 60))
check "and given back at its end" wait_for 3 is_booking "$short" completed
