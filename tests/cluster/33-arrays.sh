# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Job arrays with --book: each task is booked by itself, all of them are one series, and
# both Slurm's commands and ours name them by the array. Takes 60 s.
cluster_up --nodes 4 || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"

# array USER TASKS [options]: its number
array() {
	local user=$1 tasks=$2
	shift 2
	as "$user" sbatch --parsable --array="$tasks" --book -N1 -t 1 \
		-o "$out/task.%a" "$@" --wrap "env | grep ^SLURM_ARRAY; sleep 5" \
		2>"$out/why"
}
# tasks ARRAY: the jobs of those that wait or run, by task
tasks() {
	squeue -h -r -j "$1" -o '%K %A' | sort -n | cut -d ' ' -f 2
}
# all_booked ARRAY N
all_booked() {
	local jobs
	mapfile -t jobs < <(tasks "$1")
	[ "${#jobs[@]}" -eq "$2" ] || { squeue -r; return 1; }
	booked "${jobs[@]}"
}
is_divided() {
	[ "$(squeue -h -j "$1" -o %A | sort -u | wc -l)" -eq "$2" ]
}
# all ARRAY MEMBER: of its tasks, as its owner sees them
all() {
	as $user_a rspb --json show "$1" | jq -c "[.bookings[].$2] | sort"
}

note "asked for"
t=$(ahead 3600)
a=$(array $user_a 1-6 --begin="$(slurm_time "$t")" \
	--deadline="$(slurm_time $((t + 120)))")
check "says that it is decided by task" grep -q 'each task .* booked by itself' \
	"$out/why"
check "each has a record of its own" wait_for 10 is_divided "$a" 6
check "and a booking" all_booked "$a" 6
# at T or a minute later, and never more than four of one node each
fits() {
	all "$a" start | jq -e --argjson t "$1" 'all(. == $t or . == $t + 60) and
		(group_by(.) | length == 2 and all(length <= 4))' ||
		{ all "$a" start; return 1; }
}
check "some at once and the others behind, on four nodes" fits "$t"
check "named as squeue does" [ "$(all "$a" task)" = \
	"$(for i in 1 2 3 4 5 6; do echo "\"${a}_$i\""; done | jq -sc .)" ]
check "one series" [ "$(all "$a" series | jq -c unique)" = "[\"array_$a\"]" ]
check "one line in the list" [ "$(as $user_a rspb list | grep -c "^ *array_$a ")" = 1 ]
check "a task is shown by its name" says 0 "^task +${a}_3$" \
	as $user_a rspb show "${a}_3"
check "one that is not there is not" says 1 'nor a series of yours' \
	as $user_a rspb show "${a}_7"
check "but root's too" says 0 "^task +${a}_3$" rspb show "${a}_3"
check "nor somebody else's" says 1 'nor a series of yours' as $user_b rspb show "${a}_3"
late=$(array $user_a 1-6 --begin="$(slurm_time "$t")" \
	--deadline="$(slurm_time $((t + 120)))")
check "another array gets what is left" wait_for 10 is_divided "$late" 6
two_booked() {
	[ "$(all "$late" state)" = \
		'["booked","booked","declined","declined","declined","declined"]' ]
}
check "two of its tasks, the others are declined" wait_for 10 two_booked
as $user_a rspb cancel "$late"
check "cancelled by its number" wait_for 10 is_divided "$late" 0

note "waited for"
# request BEGIN [options]
request() {
	local begin=$1
	shift
	as $user_a rspb "$@" request --wait --array=1-6 -N1 -t 1 -o "$out/task.%a" \
		--begin="$(slurm_time "$begin")" \
		--deadline="$(slurm_time $((begin + 120)))" "$cluster/work/task.sh"
}
mkdir -p "$cluster/work"
printf '#!/bin/sh\ntrue\n' >"$cluster/work/task.sh"
waited=$(request "$t" 2>&1)
rc=$?
check "each task is told" [ "$(grep -c '_[1-6] ' <<<"$waited")" = 6 ]
check "as it is decided" [ "$(grep -c 'booked from' <<<"$waited")" = 2 ]
check "and how many are booked" grep '2 of 6 are booked' <<<"$waited"
check "which is not all" [ "$rc" = 1 ]
as $user_a rspb cancel "$(squeue -h -u $user_a -o %F | sort -n | tail -n 1)"
waited=$(request $((t + 9000)) --json 2>"$out/why")
check "also as JSON" jq -e '.booked == 6 and (.bookings | length) == 6 and
	(.series | startswith("array_"))' <<<"$waited"
as $user_a rspb cancel "$(jq -r '.series | ltrimstr("array_")' <<<"$waited")"

note "how many at a time"
check "is refused" refused "array=1-6%2: booked tasks run when they are booked" \
	as $user_a sbatch --array=1-6%2 --book -N1 -t 1 --wrap true
check "others count the tasks" says 0 . as $user_a sbatch --array=1-2%1 -N1 -t 1 -H \
	--wrap true

note "changed"
check "all by its number" says 0 '^6 bookings are changed' as $user_a rspb modify "$a" \
	--begin="$(slurm_time $((t + 600)))"
check "as far" fits $((t + 600))
check "one alone" says 0 "${a}_2|changed|booked" as $user_a rspb modify "${a}_2" -N2 \
	--begin="$(slurm_time $((t + 6000)))" --deadline="$(slurm_time $((t + 9000)))"
check "and no other" [ "$(all "$a" nodes)" = "[1,1,1,1,1,2]" ]
check "given back, one" says 0 . as $user_a rspb giveback "${a}_5"
left() {
	[ "$(all "$a" state | jq -c 'map(select(. == "booked")) | length')" = "$1" ]
}
check "it alone" wait_for 10 left 5
check "cancelled, the last, which has the array's number" \
	as $user_a rspb cancel "${a}_6"
check "it alone, too" wait_for 10 left 4
check "by Slurm, one" as $user_a scancel "${a}_1"
check "as well" wait_for 10 left 3
ctld_stop KILL
check "slurmctld is killed and comes back" ctld_start
check "with the three" wait_for 10 left 3
check "by their names" says 0 "^task +${a}_3$" as $user_a rspb show "${a}_3"
check "by Slurm, all" as $user_a scancel "$a"
check "nothing is left of it" wait_for 10 is_divided "$a" 0

note "held, and released later"
h=$(array $user_a 1-3 -H --begin="$(slurm_time "$t")")
pause 1
check "one that is held is not decided" [ "$(squeue -h -j "$h" -o %A | wc -l)" = 1 ]
check "its owner lets it go" as $user_a scontrol release "$h"
check "then it is" wait_for 10 is_divided "$h" 3
check "each task" all_booked "$h" 3
ctld_stop KILL
check "slurmctld is killed at once, and comes back" ctld_start
check "all are there" all_booked "$h" 3
as $user_a scancel "$h"

note "started"
s=$(ahead 8)
r=$(array $user_a 3,7,11 --begin="$(slurm_time "$s")")
check "three are booked" all_booked "$r" 3
mapfile -t jobs < <(tasks "$r")
began_at() {
	[ "$(job_state "$1")" = RUNNING ] &&
		[ "$(field "$1" StartTime)" = "$(slurm_time "$s")" ]
}
for job in "${jobs[@]}"; do
	check "starts on its second" wait_for 12 began_at "$job"
done
its_own() {
	grep -q "^SLURM_ARRAY_TASK_ID=7$" "$out/task.7" &&
		grep -q "^SLURM_ARRAY_JOB_ID=$r$" "$out/task.7"
}
check "each knows which it is" wait_for 10 its_own
check "they end" wait_for 20 is_divided "$r" 0

note "many"
t=$(ahead 7200)
m=$(array $user_b 0-499 --begin="$(slurm_time "$t")" \
	--deadline="$(slurm_time $((t + 18000)))")
check "each of 500 has a record" wait_for 20 is_divided "$m" 500
all_of_them() {
	[ "$(as $user_b rspb --json show "$m" |
		jq '[.bookings[] | select(.state == "booked")] | length')" = 500 ]
}
check "and is booked" wait_for 40 all_of_them
check "in one series" says 0 "^ *array_$m .*series of 500" as $user_b rspb list
as $user_b scancel "$m"
check "all go at once" wait_for 30 is_divided "$m" 0
