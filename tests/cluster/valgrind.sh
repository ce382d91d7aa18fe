# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# slurmctld under valgrind with the plugins in it: no error that has a frame of
# ours. Not among the suites that run by default (it wants valgrind):
# tests/cluster/run valgrind; RSPB_VALGRIND=helgrind: and no data race
command -v valgrind >/dev/null ||
	skip_suite "valgrind is missing: apt-get install valgrind"
memcheck=$folder/memcheck.log
case ${RSPB_VALGRIND:-memcheck} in
memcheck)
	valgrind="--leak-check=full --show-leak-kinds=definite"
	all=1 between='^==[0-9]+== *$'
	;;
*)
	valgrind="--tool=$RSPB_VALGRIND"
	all=0 between='^==[0-9]+== -----'
	;;
esac
# Slurm lets go of much only by ending; what it opens, it keeps open for us to
# be told by name.
checked_start() {
	# shellcheck disable=SC2086
	setsid valgrind $valgrind --keep-debuginfo=yes --num-callers=30 \
		--log-file="$memcheck" \
		slurmctld -D -f "$cluster/etc/slurm.conf" \
		>>"$cluster/log/slurmctld.out" 2>&1 </dev/null &
	echo $! >"$cluster/run/slurmctld.pid"
	disown $!
	wait_for 60 ctld_answers
}

# Whether no error of the log has one of our files or functions in its stack. A data
# race is ours where it is met in our code, in anything but a number of Slurm's that
# is read without its locks on purpose: it only says that it is time to look. What
# helgrind has to say of conditions is about the C library itself.
clean() {
	awk -v between="$between" -v all="$all" '
	function judge() {
		if (ours && (race ? met && !spared : all || order))
			print text
		text = ""; at = ours = race = met = spared = order = 0
	}
	$0 ~ between { judge(); next }
	{ text = text "\n" $0 }
	/Command: / { next }
	/lock order .* violated/ { order = 1 }
	/Possible data race/ { race = 1 }
	race && !at && / at 0x/ { at = NR }
	NR == at {
		met = /\(([a-z_]+)\.[ch]:/ && !/: rspb_(ctld_|save_in_charge)/
	}
	/data symbol "(last_[a-z]*_update|slurmctld_[a-z_]*|slurm_conf|node_record_count)"/ {
		spared = race
	}
	/rspb|\((sched_backfill|select_cons_tres|place|reserve|admit|operator|launch|lifecycle|revision|draft[a-z_]*)\.c:/ { ours = 1 }
	END { judge() }' "$memcheck" |
		tee "$folder/ours.log"
	[ ! -s "$folder/ours.log" ]
}

nodes_back() {
	[ "$(sinfo -h -N -o %T | grep -cx idle)" -ge 4 ]
}

printf '%s\n' JournalKeep=1d DedicatedShare=50 Colocate=yes \
	>"$folder/rspb.conf"
printf 'GresTypes=gpu\nNodeName=n[1-4] CPUs=4 RealMemory=4000 Gres=gpu:2\n' >"$folder/slurm.conf"
touch "$folder"/gpu{0,1}
echo "NodeName=n[1-4] Name=gpu File=$folder/gpu[0-1]" >"$folder/gres.conf"
cluster_up --conf "$folder/slurm.conf" --gres-conf "$folder/gres.conf" \
	--rspb-conf "$folder/rspb.conf" || exit 1
check "slurmctld stops" ctld_stop
check "and starts under valgrind" checked_start
# Nodes are known again only when they have answered.
check "all nodes are back" wait_for 60 nodes_back
t=$(ahead 25)
near=$(book $user_a "$t" -w n3,n4)
soft=$(book $user_a $((t + 130)) -N4 --benefit=linear:25%)
fixed=$(book $user_b $((t + 10)) -w n1)
far=$(book $user_b $((t + 7200)) -N4)
no=$(book $user_b $((t + 7200)) -N1)
pair=$(job $user_a 1 --book --begin="$(slurm_time $((t + 3600)))" --time=1 \
	-N1 : -N2)
check "bookings are granted" booked "$near" "$soft" "$fixed" "$far" "$pair"
check "and declined" declined "$no"
gpus=$(book $user_a $((t + 14000)) -N2 --gres=gpu:1 --exclusive)
liked=$(book $user_a $((t + 15000)) -N1 -w n2)
check "bookings with GPUs and with named nodes are granted" booked "$gpus" "$liked"
for i in 1 2 3; do
	for held in "$gpus" "$liked" "$fixed"; do
		scontrol hold "$held"
		scontrol release "$held"
	done
done
sleep 2
check "bookings survive hold and release" booked "$gpus" "$liked"
scancel "$gpus" "$liked"
for flags in "-N9" "-w n9" "--array=1-2%1" "--reservation=x" \
    "--deadline=now+30" "-p nowhere"; do
	# shellcheck disable=SC2086
	check "refused: $flags" refused . as $user_a \
		sbatch --book --time=1 $flags --wrap true
done
for ((i = 1; i < 9; i++)); do
	job $user_b 1 --time=$i -N$((i % 3 + 1))
done >"$out/ordinary"
job $user_b 1 --time=1 -N1 : -N1 >>"$out/ordinary"
check "an operator's reservation" scontrol create reservation \
	Reservation=operators StartTime=now+4hours Duration=10 \
	Users=$user_a NodeCnt=1 Flags=DAILY
# ask NAME MINUTES TAG: an operator's request for a window in five hours
ask() {
	scontrol create reservation reservationname="$1" duration="$2" \
		starttime="$(slurm_time $((t + 18000)))" users=$user_a \
		flags=any_nodes burstbuffer="$3" >/dev/null
}
says() {
	scontrol -o show reservation "$1" | grep -q "BurstBuffer=rspb: $2"
}
ask course 10 "rspb:nodes=2-3,benefit=linear:25%"
ask wrong 10 "rspb:nodes=two"
check "an operator's request is booked" wait_for 20 says course booked
check "and another declined" wait_for 20 says wrong declined
scontrol update reservationname=course duration=20 >/dev/null
check "a change is booked" wait_for 20 says course 'booked.*duration=1200s'
scontrol update reservationname=course nodes=n1,n2 >/dev/null
scontrol update reservationname=course burstbuffer=rspb:nodes=9 >/dev/null
check "another is not" wait_for 20 says course 'booked.*stays as it was'
scontrol delete reservationname=course >/dev/null
check "owners cannot have other features that way" refused . \
	as $user_b scontrol update job="$far" Features=x
check "reconfigure" scontrol reconfigure
check "one starts on its second" starts_at "$near" "$t" 2000
check "another, too" starts_at "$fixed" $((t + 10)) 2000
check "cancelled by the owner" as $user_b scancel "$far"
check "by root" scancel "$pair"
scancel -u $user_a
scancel -u $user_b
check "nothing is left" wait_for 60 nothing_left
scontrol create partitionname=batch nodes=ALL oversubscribe=force:1
beside=$(job $user_b 100 -p batch -w n2 -N1 -n2 --time=5)
check "an ordinary job runs" wait_for 30 is_state "$beside" RUNNING
t=$(ahead 20)
share=$(job $user_a 1 -p shared -w n2 --book --cpu-share=40 --time=1 \
	--begin="$(slurm_time "$t")")
check "a share is booked beside it" booked "$share"
for flags in "-n1" "-n3" "--exclusive" "-n1 --test-only"; do
	# shellcheck disable=SC2086
	job $user_b 1 -p batch -w n2 -N1 --time=2 $flags
done >>"$out/ordinary" 2>&1
check "it starts on its second" starts_at "$share" "$t" 2000
check "and the other job goes on" is_state "$beside" RUNNING
sleep 5
check "slurmctld ends" ctld_stop
check "no error with a frame of ours" clean
check "its journal decides the same" decides_the_same
