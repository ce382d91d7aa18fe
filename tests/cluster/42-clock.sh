# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The clock is set back by five minutes: what runs began in the future then, and its
# nodes are nobody else's all the same, of a share as much as it has. It is set forward, and
# a booking whose start goes by has the rest of its window. Takes 90 s.
fake=
for dir in /usr/lib/*/faketime /usr/lib/faketime; do
	[ ! -e "$dir/libfaketimeMT.so.1" ] || fake=$dir/libfaketimeMT.so.1
done
[ -n "$fake" ] || skip_suite "no libfaketime here (Debian: apt install faketime)"
cluster_up --nodes 5 || exit 1
export FAKETIME_TIMESTAMP_FILE=$folder/offset FAKETIME_NO_CACHE=1
export FAKETIME_DONT_FAKE_MONOTONIC=1
offset() {
	echo "$1" >"$folder/offset.new" && mv "$folder/offset.new" "$folder/offset"
}
offset +0
daemons() {
	local n
	ctld_stop || return 1
	for n in 1 2 3 4 5; do
		kill "$(cat "$cluster/run/node-n$n.pid")"
	done
	sleep 1
	for n in 1 2 3 4 5; do
		LD_PRELOAD=$fake node_start n$n -N n$n
	done
	LD_PRELOAD=$fake ctld_start
}
all_idle() {
	[ "$(sinfo -h -p main -t idle -o %D)" = 5 ]
}
check "slurmctld and slurmds have a clock of their own" daemons
check "nodes answer" wait_for 40 all_idle
# on NODE OPTIONS: by that clock, which is not that of sbatch.
on() {
	as $user_a sbatch --parsable -o /dev/null -w "$@" 2>/dev/null
}
plain=$(on n1 -t 20 --wrap 'sleep 300')
held=$(on n2 -t 20 --book --wrap 'sleep 300')
# share PCT PROGRAM: of n5.
share() {
	on n5 -p shared -t 20 --book --cpu-share="$1" --wrap "$2"
}
part=$(share 50% 'sleep 300')
check "a job runs" wait_for 20 is_state "$plain" RUNNING
check "a booked one, too" wait_for 20 is_state "$held" RUNNING
check "and one with a share" wait_for 20 is_state "$part" RUNNING

note "set back"
# promised NODE: whether it is, now.
free=n3
others_keep_off() {
	local a b c d e
	a=$(on n1 -t 2 --book --wrap true)
	b=$(on n2 -t 2 --book --wrap true)
	c=$(on $free -t 1 --book --wrap 'sleep 1')
	check "the node of the job is not promised" declined "$a"
	check "nor that of the booked one" declined "$b"
	check "one that is free is" booked "$c"
	check "and runs what it was booked for" wait_for 20 is_booking "$c" completed
	d=$(share 60% true)
	check "of a share no more is promised than it leaves" declined "$d"
	e=$(share 50% 'sleep 1')
	check "which is" booked "$e"
	check "and runs beside it" wait_for 20 is_booking "$e" completed
	as $user_a scancel "$a" "$b" "$d"
}
offset -300
others_keep_off
check "the job runs on" is_state "$plain" RUNNING
check "so does the booked one" is_state "$held" RUNNING

note "killed meanwhile"
ctld_stop KILL
check "slurmctld starts" eval 'LD_PRELOAD=$fake ctld_start'
free=n4
others_keep_off
check "both run on" is_state "$held" RUNNING
check "both" is_state "$plain" RUNNING
check "so does the share" is_state "$part" RUNNING
scancel "$plain" "$held" "$part"

note "set forward over the start of one with a window"
at=$((EPOCHSECONDS - 300))
fixed=$(on n3 -t 1 --book --begin="$(slurm_time $((at + 60)))" --wrap true)
wide=$(on n4 -t 1 --book --begin="$(slurm_time $((at + 60)))" \
	--deadline="$(slurm_time $((at + 1800)))" --wrap true)
check "both are booked" booked "$fixed" "$wide"
check "to start in a minute" [ "$(granted "$wide" start)" -le $((at + 65)) ]
offset -100
check "the one that had a start is given up" wait_for 20 is_booking "$fixed" cancelled
check "the one with a window runs in it" wait_for 40 is_booking "$wide" completed
check "later" [ "$(granted "$wide" start)" -gt $((at + 100)) ]
scancel "$fixed"
check "nothing is left" wait_for 20 nothing_left
