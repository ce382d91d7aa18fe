# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Bookable=50%/2m: long ordinary jobs leave half of the nodes, by count, to those that
# end within the notice and to bookings; nobody starves.
# Takes 60 s.
printf '%s\n' Bookable=50%/2m >"$folder/rspb.conf"
lifted+=,bf_interval=2,sched_interval=4
cluster_up --nodes 6 --rspb-conf "$folder/rspb.conf" || exit 1

# long N [OPTIONS]: an ordinary job of ten minutes on N whole nodes.
long() {
	job $user_a 500 --time=10 --exclusive -N"$1" "${@:2}"
}
runs() {
	is_state "$1" RUNNING
}
waits() {
	is_state "$1" PENDING || { squeue; return 1; }
}
# How many of the nodes no job has.
idle() {
	[ "$(sinfo -h -t idle -o %D)" = "$1" ] || { sinfo; return 1; }
}

note "half of the nodes"
one=$(long 1)
two=$(long 2)
PATH=$cluster/rspb/bin:$PATH
check "long jobs have half of the nodes" wait_for 10 runs "$two"
check "both of them" runs "$one"
three=$(long 1)
soon=$(job $user_b 3 --time=1 --exclusive -N2)
check "one that ends within the notice has others" wait_for 15 began "$soon"
check "the next long one waits" waits "$three"
check "for its turn, not for nodes" wait_for 10 idle 3
lead() {
	rspb slots -t 5 | grep -xE -- "$1" || { rspb slots -t 5; return 1; }
}
check "how far ahead one must ask is told" wait_for 20 lead \
	'earliest: 1 node now, 3 nodes now, 6 nodes in 00:(0[789]|1[01]):..'
check "also for Prometheus" eval 'rspb metrics |
	grep -E "^rspb_lead_seconds.nodes=.6.. [456][0-9][0-9]$"'
booked=$(book $user_b "$(ahead 180)" -N3)
check "all that is left is booked at that notice" booked "$booked"
scancel "$one"
check "it begins when a long one has ended" wait_for 15 runs "$three"
sleep 5
check "the rest stays free" idle 3
as $user_b scancel "$booked"

note "nobody starves"
wide=$(long 3)
later=$(long 1)
sleep 3
check "one that needs half of them waits" waits "$wide"
scancel "$three"
wait_for 10 gone "$three"
sleep 6
check "who comes later does not go before it" waits "$later"
scancel "$two"
check "it begins when there are as many" wait_for 20 runs "$wide"
check "and the later one waits behind it" waits "$later"
scancel "$later"
all=$(long 4)
scancel "$wide"
check "one that needs more than half is not kept off" wait_for 15 runs "$all"
scancel "$all"

note "what stands after a restart"
one=$(long 3)
check "half of the nodes run for long" wait_for 15 runs "$one"
ctld_stop
ctld_start
two=$(long 1)
sleep 8
check "the next one waits also then" waits "$two"
echo >"$cluster/etc/rspb.conf"
reconfigure
check "and not when the key is gone" wait_for 20 runs "$two"
scancel "$one" "$two"
