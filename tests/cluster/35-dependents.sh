# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Booked jobs that wait: for their input, and for booked jobs, behind which they are
# placed, with which they move, and whose failure ends them. Takes 45 s.
# what Slurm has of bookings is looked at long before their start
echo ReserveAhead=0 >"$folder/rspb.conf"
cluster_up --nodes 4 --rspb-conf "$folder/rspb.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"
is() {
	[ "$(value "$1" "$2")" = "$3" ] || { rspb show "$1"; return 1; }
}

note "their input"
# staged JOB FIRST LENGTH: begins so many seconds from its submission on, or as soon as it
# was decided, and is so long
staged() {
	local from
	from=$(($(value "$1" start) - $(date -d "$(field "$1" SubmitTime)" +%s)))
	[ $((from - $2)) -ge 0 ] && [ $((from - $2)) -le 10 ] &&
		is "$1" duration "$3" || { contract "$1"; return 1; }
}
one=$(job $user_a 1 --book -N1 --time=10 --stage-in=1h)
two=$(job $user_a 1 --book -N1 --time=10 --stage-in=1h+-5m)
check "two are booked" booked "$one" "$two"
check "it begins when its input is there" staged "$one" 3600 600
check "three deviations before, and is longer by six" staged "$two" 2700 2400
check "so may its job" [ "$(field "$two" TimeLimit)" = 00:40:00 ]
check "what was said of it is in the contract" contract_says "$two" \
	'stage-in=3600s\+-300s'
three=$(job $user_a 1 --book -N1 --time=10 --stage-in=5m+-10m)
check "not before it is asked for" booked "$three"
check "and until then for the lateness alone" staged "$three" 1 2700
four=$(job $user_a 1 --book -N1 --time=10 --stage-in=1m+-10s \
	--begin="$(slurm_time "$(ahead 7200)")")
check "with a later begin it is there by then" booked "$four"
check "and costs nothing" is "$four" duration 600
five=$(job $user_a 1 --book -N1 --time=10 --time-sigma=3m)
check "one whose length varies is booked" booked "$five"
check "three deviations longer" is "$five" duration 1140
check "so may its job, too" [ "$(field "$five" TimeLimit)" = 00:19:00 ]
check "and its contract tells why" contract_says "$five" 'time-sigma=180s'
check "no deadline before that" refused 'deadline' as $user_a sbatch --book -N1 \
	--time=10 --stage-in=1h --deadline=now+30minutes --wrap true
check "none without a booking" refused 'needs --book' as $user_a sbatch -N1 \
	--stage-in=1h --wrap true
check "nor what is no time" refused 'stage-in' as $user_a sbatch --book -N1 \
	--stage-in=soon --wrap true
check "nor a deviation that is none" refused 'deviation' as $user_a sbatch \
	--book -N1 --stage-in=1h+-x --wrap true
scancel "$one" "$two" "$three" "$four" "$five"

note "behind what they wait for"
t=$(ahead 600)
a=$(book $user_a "$t" -N2 --time=10)
check "one is booked" booked "$a"
b=$(job $user_a 1 --book -N1 --time=5 -d "afterok:$a")
check "another that waits for it, too" booked "$b"
check "from its end on" is "$b" start $((t + 600))
c=$(job $user_a 1 --book -N2 --time=5 -d "afterany:$a:$b" \
	--deadline="$(slurm_time $((t + 3600)))")
check "and one that waits for both, with a deadline" booked "$c"
check "from the end of the later" is "$c" start $((t + 900))
both=$(as $user_a sbatch --parsable -o /dev/null --book -N1 --time=5 \
	--begin="$(slurm_time $((t + 7200)))" -d "afterok:$a" --wrap true)
check "a later begin stays" booked "$both"
check "as asked" is "$both" start $((t + 7200))
late=$(job $user_a 1 --book -N1 --time=5 -d "afterok:$a" \
	--deadline="$(slurm_time $((t + 700)))")
check "a deadline before that is declined" declined "$late"
plain=$(as $user_a sbatch --parsable -H --wrap true)
ordinary=$(job $user_a 1 --book -N1 --time=5 -d "afterok:$plain")
check "who waits for an ordinary job is not decided yet" \
	is "$ordinary" state requested
check "which rspb says" grep 'depends on others' <(rspb show "$ordinary")
either=$(job $user_a 1 --book -N1 --time=5 -d "afterok:$a?afterok:$plain")
check "nor who waits for one of two" is "$either" state requested
scancel "$plain"
check "nor when that can never be, but declined" \
	wait_for 30 is "$ordinary" state declined
check "with the reason" contract_says "$ordinary" 'DependencyNeverSatisfied'
check "who waits for one of two goes on waiting" is "$either" state requested
scancel "$ordinary" "$either" "$late"
held=$(as $user_a sbatch --parsable -H -o /dev/null --book -N1 --time=5 \
	--begin="$(slurm_time $((t + 7200)))" --wrap true)
next=$(job $user_a 1 --book -N1 --time=5 -d "afterok:$held")
check "what is not decided is waited for" is "$next" state requested
check "and rspb says what keeps that" grep 'is held' <(rspb show "$held")
scontrol release "$held"
check "until it is" booked "$held" "$next"
check "and then comes behind it" is "$next" start $((t + 7500))

note "behind arrays"
u=$((t + 20000))
array=$(as $user_a sbatch --parsable -o /dev/null --book -N1 --time=5 --array=1-3 \
	--begin="$(slurm_time "$u")" --wrap true)
check "an array is booked" booked "$array"
merge=$(job $user_a 1 --book -N1 --time=5 -d "afterok:$array")
check "and who waits for all of it" booked "$merge"
check "from the end of its tasks on" is "$merge" start $((u + 300))
one=$(job $user_a 1 --book -N1 --time=5 -d "afterany:${array}_2")
check "and who waits for one task" booked "$one"
check "likewise" is "$one" start $((u + 300))
again=$(as $user_a sbatch --parsable -o /dev/null --book -N1 --time=5 --array=1-3 \
	-d "aftercorr:$array" --wrap true)
check "and an array of which each task waits for its like" booked "$again"
check "behind it" eval '[ "$(granted "${again}_1" start)" = $((u + 300)) ]'
check "one task begins later" as $user_a rspb modify "${array}_2" \
	--begin="$(slurm_time $((u + 1000)))"
check "who waits for all moves with it" wait_for 5 is "$merge" start $((u + 1300))
check "so does who waits for that one" wait_for 5 is "$one" start $((u + 1300))
ctld_stop
check "slurmctld comes back" ctld_start
check "one task begins later still" wait_for 20 as $user_a rspb modify "${array}_1" \
	--begin="$(slurm_time $((u + 2000)))"
check "who waits for all moves with that" wait_for 5 is "$merge" start $((u + 2300))
check "who waits for another does not" is "$one" start $((u + 1300))
scancel "$array" "$merge" "$one" "$again"

note "they move"
check "the first is made longer" as $user_a rspb modify "$a" -t 20
check "its dependent moves" wait_for 5 is "$b" start $((t + 1200))
check "for that reason" contract_says "$b" 'reason=moved after a job on which it depends'
check "and so does the next" wait_for 5 is "$c" start $((t + 1500))
check "Slurm's reservation, too" grep -q "StartTime=$(slurm_time $((t + 1200)))" \
	<(scontrol -o show reservation "rspb_$b")
check "who came later anyway does not" is "$both" start $((t + 7200))
check "the first moves by three hours" as $user_a rspb modify "$a" \
	--begin="$(slurm_time $((t + 3600)))"
check "its dependent with it" wait_for 5 is "$b" start $((t + 4800))
check "who had a deadline is told" wait_for 5 contract_says "$c" \
	'reason=a job on which it depends now ends later.*deadline'
check "and keeps what it has" is "$c" start $((t + 1500))

note "over a restart"
ctld_stop
check "slurmctld comes back" ctld_start
check "it is booked as before" wait_for 20 is "$b" start $((t + 4800))
check "the first is made longer once more" wait_for 10 \
	as $user_a rspb modify "$a" -t 30
check "it moves still" wait_for 5 is "$b" start $((t + 5400))

note "when what they wait for ends"
as $user_a scancel "$a"
check "who waits for its success gives up" wait_for 30 is "$b" state cancelled
check "with the reason" contract_says "$b" 'DependencyNeverSatisfied'
check "its job stays with Slurm" is_state "$b" PENDING
scancel "$b"
check "who waits for any end keeps its window" wait_for 10 is "$c" state booked
