# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Every door refuses a begin that has passed, and arrays where one job is meant. A refused
# call changes nothing. sbatch's own --wait holds nobody up.
# Takes 40 s.
printf '%s\n' HoldFor=5m GroupBookings=any >"$folder/rspb.conf"
cluster_up --nodes 8 --rspb-conf "$folder/rspb.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"
wrap=(-o /dev/null --wrap "sleep 60")
libical() {
	! as $user_a rspb request --repeat=daily --count=1 --begin=now-1day --wrap true 2>&1 |
		grep -q 'without libical'
}
no_job_of_a() {
	! squeue -h -u $user_a -t all -o '%i %T' | grep -v CANCELLED
}

note "what Slurm itself refuses"
scontrol create partition=operators nodes=ALL rootonly=yes maxtime=60 >"$out/said"
check "neighbours that are named are called likely" wait_for 30 says 0 likely \
	as $user_a sbatch --test-only --book -N2 -t 5 --contiguous -w n1,n2 "${wrap[@]}"
# silent PATTERN COMMAND...: Slurm refuses it so, and nobody has said before that it is likely.
silent() {
	says 1 "$1" "${@:2}" && ! "${@:2}" 2>&1 | grep likely
}
# Slurm 24.11 and later accept such a job, which then never starts.
gap=(-N2 -t 5 --contiguous -w 'n1,n3' "${wrap[@]}")
unlikely() {
	as $user_a sbatch --book "${gap[@]}" >"$out/said" 2>&1
	! grep likely: "$out/said" | grep -v unlikely: || return 1
	as $user_a scancel -u $user_a
}
if as $user_a sbatch --hold "${gap[@]}" >"$out/said" 2>&1; then
	as $user_a scancel -u $user_a
	check "neighbours with a gap are not" unlikely
else
	check "neighbours with a gap are not" silent 'Node count' \
		as $user_a sbatch --book "${gap[@]}"
fi
check "nor is a partition of root" silent 'access|permission' \
	as $user_a sbatch --book -N1 -t 5 -p operators "${wrap[@]}"
scontrol delete partition=operators

note "a begin that has passed"
t=$(ahead 7200)
past=$(slurm_time $((EPOCHSECONDS - 3600)))
passed="--begin: $past(.*) has passed; give a later time \(at most 5 minutes ago"
check "sbatch refuses it" says 1 "error: $passed" \
	as $user_a sbatch --book -N1 -t 5 --begin="$past" "${wrap[@]}"
check "with a time limit that reaches beyond now, too" says 1 "$passed" \
	as $user_a sbatch --book -N1 -t 120 --begin="$past" "${wrap[@]}"
check "srun refuses it" says 1 "$passed" \
	as $user_a srun --book -N1 -t 5 --begin="$past" true
check "salloc refuses it" says 1 "$passed" \
	as $user_a salloc --book -N1 -t 5 --begin="$past" true
check "sbatch --test-only refuses it" says 1 "$passed" \
	as $user_a sbatch --test-only --book -N1 -t 5 --begin="$past" "${wrap[@]}"
check "one component of several is enough" says 1 "$passed" \
	as $user_a sbatch --book -N1 -t 5 --begin="$past" : --book -N1 "${wrap[@]}"
check "rspb request refuses it" says 1 "$passed" \
	as $user_a rspb request --wait -N1 -t 5 --begin="$past" "${wrap[@]}"
check "rspb request --offers refuses it" says 1 "$passed" \
	as $user_a rspb request --offers -N1 -t 5 --begin="$past" "${wrap[@]}"
check "rspb request --clusters refuses it" says 1 "$passed" \
	as $user_a rspb request --clusters="$SLURM_CONF" -N1 -t 5 --begin="$past" "${wrap[@]}"
check "a booking for others is refused, too" says 1 "$passed" \
	as $user_a rspb request --wait --for-users=$user_b -N1 -t 5 --begin="$past"
check "rspb offers refuses it" says 1 "$passed" \
	as $user_a rspb offers -N1 -t 5 --begin="$past"
check "no job was made" no_job_of_a
j=$(as $user_a sbatch --parsable --book -N1 -t 120 --begin="$(slurm_time "$t")" "${wrap[@]}" \
	2>"$out/said")
check "a job in two hours is booked" booked "$j"
check "rspb modify refuses it" says 1 "$passed" as $user_a rspb modify "$j" --begin="$past"
check "the booking is as it was" [ "$(value "$j" start)" = "$t" ]
g=$(as $user_a rspb --json request --wait --for-users=$user_b -N1 -t 120 \
	--begin="$(slurm_time "$t")" | jq -r .booking.reservation)
check "a booking for others in two hours is booked" [ "$(value "$g" state)" = booked ]
check "rspb modify refuses it there" says 1 "$passed" as $user_a rspb modify "$g" --begin="$past"
d=$(as $user_a sbatch --parsable --book -N8 -t 5 --begin="$(slurm_time "$t")" "${wrap[@]}" \
	2>"$out/said")
check "another is declined" declined "$d"
check "rspb modify refuses it of what is declined" says 1 "$passed" \
	as $user_a rspb modify "$d" --begin="$past"
check "which stays declined" is_booking "$d" declined
now=$(as $user_a sbatch --parsable --book -N1 -t 5 --begin="$(slurm_time \
	$((EPOCHSECONDS - 120)))" "${wrap[@]}" 2>"$out/said")
check "two minutes ago is accepted" booked "$now"
check "a booking moved to a minute ago begins now" says 0 booked \
	as $user_a rspb modify "$j" --begin="$(slurm_time $((EPOCHSECONDS - 60)))"
check "its job starts" wait_for 10 is_state "$j" RUNNING
for command in cancel giveback 'modify --time=2'; do
	# shellcheck disable=SC2086
	check "rspb $command of an empty word is refused" says 2 '' \
		as $user_a rspb ${command%% *} '' ${command#"${command%% *}"}
done
check "one wrong word, and nothing is cancelled" says 1 999999 \
	as $user_a rspb cancel "$j" 999999
check "nor by an empty one" is_state "$j" RUNNING
as $user_a rspb cancel "$g" >"$out/said"
scancel -u $user_a

note "a series that began before today"
if libical; then
	week=$((7 * 86400))
	first=$((t - 2 * week))
	series() {
		as $user_a rspb "$@" -N1 -t 5 --begin="$(slurm_time $first)" "${wrap[@]}"
	}
	series --json request --repeat=weekly --count=4 >"$out/series" 2>"$out/why"
	check "dates that have passed are left out, and it says so" \
		grep -E "^rspb request: 2 of 4 dates have passed and are left out: $(slurm_time \
			$first) .* to $(slurm_time $((first + week))) " "$out/why"
	check "the others are booked" jq -e --argjson t "$t" --argjson week $week \
		'.asked == 2 and .booked == 2 and [.bookings[].start] == [$t, $t + $week]' \
		"$out/series"
	check "a series with past dates alone is refused" says 2 \
		'all 2 dates have passed, the last one was' series request --repeat=weekly --count=2
	scancel -u $user_a
else
	skip "recurring bookings: rspb was built without libical"
fi

note "job arrays"
check "nothing is left over" wait_for 20 nothing_left
tasks=(--array=1-3 -N4 -t 5 --begin="$(slurm_time "$t")" "${wrap[@]}")
# all_gone: no job of the array's owner waits.
all_gone() {
	[ -z "$(squeue -h -u $user_a)" ]
}
if libical; then
	as $user_a rspb request --repeat=daily --count=2 --series=days "${tasks[@]}" \
		>"$out/series" 2>"$out/why"
	rc=$?
	check "a series of arrays ends with 1 if a task is declined" [ $rc = 1 ]
	check "each task is reported" [ "$(cat "$out/series" "$out/why" | grep -cE \
		'[0-9]_[123] (booked|declined)')" = 6 ]
	check "and how many are booked" grep '4 of 6 are booked' "$out/why"
	check "as JSON shows" jq -e '[.bookings[].state] | sort == ["booked", "booked",
		"booked", "booked", "declined", "declined"]' <(as $user_a rspb --json show days)
	scancel -u $user_a
	check "that is cancelled" wait_for 10 all_gone
	as $user_a rspb request --repeat=daily --count=2 --all-or-none "${tasks[@]}" \
		>"$out/series" 2>"$out/why"
	rc=$?
	check "all or none ends with 1" [ $rc = 1 ]
	check "and says that none is booked" grep 'so none is booked: 2 jobs were cancelled' "$out/why"
	check "none of the tasks is left" wait_for 10 all_gone
	check "a series of arrays that fit is booked" says 0 'series ' as $user_a rspb request \
		--repeat=daily --count=2 --all-or-none --array=1-2 "${tasks[@]:1}"
	check "each of its tasks" [ "$(as $user_a rspb --json list | jq \
		'[.bookings[] | select(.state == "booked")] | length')" = 4 ]
	scancel -u $user_a
fi
check "--clusters refuses an array" says 1 'array=1-3: --book=offers is for one job' \
	as $user_a rspb request --clusters="$SLURM_CONF" "${tasks[@]}"
check "--offers refuses an array" says 1 'array=1-3: --book=offers is for one job' \
	as $user_a rspb request --offers "${tasks[@]}"
check "no job is left of either" wait_for 10 all_gone
a=$(as $user_a sbatch --parsable --book --array=1-3 -N8 -t 5 --begin="$(slurm_time "$t")" \
	"${wrap[@]}" 2>"$out/said")
one_booked() {
	[ "$(as $user_a rspb --json show "$a" | jq -c '[.bookings[].state] | sort')" = \
		'["booked","declined","declined"]' ]
}
check "one of three tasks is booked" wait_for 10 one_booked
several="$a is an array of 3 tasks; name one of them, as ${a}_"
check "rspb offers asks which task is meant" says 2 "$several" as $user_a rspb offers "$a"
check "rspb accept, too" says 2 "$several" as $user_a rspb accept "$a" 8@20990101T090000Z+300
last=$(as $user_a rspb --json show "$a" | jq -r '[.bookings[] |
	select(.state == "declined") | .task][-1]')
check "a declined task names itself in what can be pasted" grep -F "rspb accept $last " \
	<(as $user_a rspb show "$last")
as $user_a rspb offers "$last" >"$out/offers"
paste=$(sed -n 's/.*  \(rspb accept .*\)/\1/p' "$out/offers" | head -n 1)
check "as do its offers" grep "^rspb accept $last " <<<"$paste"
# shellcheck disable=SC2086
check "pasted, that task is booked" says 0 "^$last booked" as $user_a $paste
two_booked() {
	[ "$(as $user_a rspb --json show "$a" | jq -c '[.bookings[].state] | sort')" = \
		'["booked","booked","declined"]' ]
}
check "and the others are as they were" two_booked
check "an operator gives back all booked tasks by the array's number" [ "$(rspb giveback "$a" \
	2>"$out/why" | grep -c 'stays in the queue as a regular job')" = 2 ]
check "none is booked any more" [ "$(rspb --json list --all | jq \
	'[.bookings[] | select(.state == "booked")] | length')" = 0 ]
scancel -u $user_a

note "one bad member among good ones"
scontrol create partitionname=short nodes=ALL maxtime=60 state=up
# as_is JOB: all that a change could have changed, of the job and of its request.
as_is() {
	local what="TimeLimit|NumNodes|NumCPUs|NumTasks|Features|Deadline|EligibleTime|StartTime"
	what+="|Priority|ReqNodeList|TRES|OverSubscribe|MinMemoryNode"
	scontrol -o show job "$1" | grep -oE " ($what)=[^ ]*"
	rspb --json show "$1" | jq -c '.booking |
		[.state, .start, .end, .nodes, .nodes_asked, .duration, .ready, .deadline, .share]'
}
# refuses WHAT JOB OPTIONS...: with all of them, which changes nothing.
refuses() {
	local what=$1 job=$2 before said
	shift 2
	before=$(as_is "$job")
	said=$(as $user_a rspb modify "$job" "$@" 2>&1) && {
		not_ok "$what: modify $* is refused"
		echo "  # $said"
		return
	}
	check "$what: modify $* changes nothing" diff <(echo "$before") <(as_is "$job")
}
# bad_members WHAT JOB: each once, with three good ones.
bad_members() {
	local begin end
	begin=$(slurm_time $((t + 600)))
	end=$(slurm_time $((t + 7200)))
	refuses "$1" "$2" --time=11 -N2 --begin="$begin" --constraint=nosuch
	refuses "$1" "$2" --time=11 -N2 --begin="$begin" --cpu-share=50
	refuses "$1" "$2" --time=11 -N2 --begin="$begin" --user=$user_b
	refuses "$1" "$2" --time=11 -N2 --begin="$begin" --deadline="$begin"
	refuses "$1" "$2" --time=11 -N2 --begin="$past" --deadline="$end"
	refuses "$1" "$2" --time=61 -N2 --begin="$begin" --deadline="$end"
	refuses "$1" "$2" --time=11 --begin="$begin" --deadline="$end" --mem=1T
}
# job_for OPTIONS: in two hours
job_for() {
	as $user_a sbatch --parsable --book -p short -t 10 --begin="$(slurm_time "$t")" "$@" \
		"${wrap[@]}" 2>"$out/said"
}
wall=$(as $user_b sbatch --parsable --book -N5 -t 60 --begin="$(slurm_time "$t")" "${wrap[@]}" \
	2>"$out/said")
check "five of eight nodes are booked" booked "$wall"
d=$(job_for -N4 -n8)
check "a job of four nodes is declined" declined "$d"
bad_members "declined" "$d"
h=$(as $user_a sbatch --parsable --book -p short -t 10 --begin="$(slurm_time "$t")" -N2 : \
	--book -p short -N2 "${wrap[@]}" 2>"$out/said")
check "so is one with two components" declined "$h"
refuses "components" "$h" --time=11 --begin="$(slurm_time $((t + 600)))" --constraint=nosuch
second=$((h + 1))
before=$(as_is "$second")
refuses "components" "$h" --time=61 --begin="$(slurm_time $((t + 600)))"
refuses "components" "$h" --time=11 -N1
check "nor is the second component changed" diff <(echo "$before") <(as_is "$second")
b=$(job_for -N2 -n4)
check "a job of two nodes is booked" booked "$b"
bad_members "booked" "$b"
before=$(as_is "$b")
update() {
	as $user_a scontrol update JobId="$b" TimeLimit=11 NumNodes=1 "$@"
	sleep 2
}
update Deadline="$(slurm_time $((t + 300)))" >"$out/said" 2>&1
check "scontrol update with a deadline that is too early changes nothing" \
	diff <(echo "$before") <(as_is "$b")
update Features=nosuch >"$out/said" 2>&1
check "nor with features that no node has" diff <(echo "$before") <(as_is "$b")
group=$(as $user_a rspb --json request --wait --for-users=$user_b -p short -N1 -t 10 \
	--begin="$(slurm_time "$t")" | jq -r .booking.reservation)
# group_is: what its owner and Slurm say of it
group_is() {
	scontrol -o show reservation "$group"
	rspb --json show "$group" | jq -c '.booking | del(.seconds_left)'
}
before=$(group_is)
refused_by() {
	! "$@"
}
for bad in --constraint=nosuch --begin="$past" -N20 --time=0 --user=nosuch; do
	check "booked for others: $bad is refused" refused_by as $user_a rspb modify "$group" \
		--time=11 --deadline="$(slurm_time $((t + 7200)))" $bad
	check "and changes nothing" diff <(echo "$before") <(group_is)
done
as $user_a rspb cancel "$group" >"$out/said"
scancel -u $user_a
scancel -u $user_b

note "what lists and reasons say"
check "a booking for others keeps its name when it is over" eval \
	'rspb list --all --ended | grep -E "^$group .* cancelled "'
check "as JSON, too" jq -e --arg g "$group" \
	'.bookings | any(.reservation == $g and .state == "cancelled")' \
	<(rspb --json list --all --ended)
scontrol update nodename=n3 state=down reason=test
n=$(job_for -N2 -w n2,n3)
check "a job that names a node that is down is declined" declined "$n"
check "which is the reason" contract_says "$n" '2 named nodes .*: 1 of them is down or drained'
scontrol update nodename=n3 state=resume
scancel -u $user_a
check "slots of more nodes than there are say so" says 1 'partition main has only 8 nodes' \
	as $user_a rspb slots -N9 -t 5
check "a time without a unit is refused" says 2 'next: 7: the unit is missing; write 7d, 7h or 7m' \
	as $user_a rspb slots -N1 -t 5 --next=7
# once what was cancelled holds nothing any more
earliest() {
	as $user_a rspb slots -N1 -t 5 |
		grep -x 'earliest: 1 node now, 2 nodes now, 4 nodes now, 8 nodes not available'
}
in_two_hours() {
	as $user_a rspb --json slots -N1 -t 5 --begin=now+2hours |
		jq -e '[.leads[] | .seconds // empty] | length == 3 and all(. > 7000 and . < 7300)'
}
check "the earliest starts are within the limits" wait_for 10 earliest
check "and not before the begin" wait_for 10 in_two_hours
# In a zone whose clock changes in 20 days
month=$(date -d '+20 days' +%-m) day=$(date -d '+20 days' +%-j)
changes="AAA0BBB,$((day - 1)),$((day + 60 > 364 ? day - 60 : day + 60))"
with_zone() {
	as $user_a env TZ="$changes" "$@"
}
early=$(with_zone sbatch --parsable --book -N1 -t 5 --begin=now+2hours "${wrap[@]}" 2>"$out/said")
late=$(with_zone sbatch --parsable --book -N1 -t 5 --begin=now+25days "${wrap[@]}" 2>"$out/said")
check "one is booked before and one after the clock changes" booked "$early" "$late"
check "the head of the list names both clocks" grep -E '^JOB .* START \(AAA,BBB\) ' \
	<(with_zone rspb list)
check "the head of the slots before that one alone" grep '^FIRST START (AAA) ' \
	<(with_zone rspb slots -N1 -t 5 --most=1 --next=1d)
scancel -u $user_a
if libical; then
	last=$(date -d "@$((t + 2 * 86400))" +%F)
	for until in --until="$last" --repeat="FREQ=DAILY;UNTIL=${last//-/}"; do
		repeat=(--repeat=daily "$until")
		[[ $until == --until* ]] || repeat=("$until")
		as $user_a rspb --json request "${repeat[@]}" -N1 -t 5 \
			--begin="$(slurm_time "$t")" "${wrap[@]}" >"$out/series" 2>"$out/why"
		check "$until has that day, too" jq -e '.booked == 3' "$out/series"
		scancel -u $user_a
	done
fi

note "sbatch's own --wait"
mkdir -p "$cluster/work"
printf '#!/bin/sh\n#SBATCH --wait\ntrue\n' >"$cluster/work/waits.sh"
# soon COMMAND...: it ends with success within 20 s, which a job in two hours does not.
soon() {
	as $user_a timeout 20 "$@" || { echo "status $?"; return 1; }
}
first=(-N1 -t 1 -o /dev/null --begin="$(slurm_time "$t")")
check "SBATCH_WAIT does not hold a request" \
	soon env SBATCH_WAIT=1 rspb request "${first[@]}" --wrap true
check "nor one that waits for the decision" \
	soon env SBATCH_WAIT=1 rspb request --wait "${first[@]}" --wrap true
check "nor does a line of its script" \
	soon rspb request --wait "${first[@]}" "$cluster/work/waits.sh"
check "-W waits for the decision alone" says 0 'booked from' \
	soon rspb request -W "${first[@]}" --wrap true
check "-W behind the script is the script's" says 0 '^[0-9]*$' \
	soon rspb request "${first[@]}" "$cluster/work/waits.sh" -W
if libical; then
	check "a series is submitted in whole" says 0 '^series ' soon env SBATCH_WAIT=1 rspb \
		request --repeat=daily --count=3 "${first[@]}" "$cluster/work/waits.sh"
fi
check "offers are told at once" says 0 'rspb accept' \
	soon env SBATCH_WAIT=1 rspb request --offers "${first[@]}" "$cluster/work/waits.sh"
check "one of several clusters is found at once" says 0 'booked from' soon env SBATCH_WAIT=1 \
	rspb request --clusters="$SLURM_CONF" -W "${first[@]}" "$cluster/work/waits.sh"
scancel -u $user_a
check "nothing is left at the end" wait_for 20 nothing_left
