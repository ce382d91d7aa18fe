# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Notices by mail and by the site's program: which, to whom, with what, each once,
# also where slurmctld is killed; and a program that hangs holds up nobody.
# Takes 60 s.
box=$folder/notices
mkdir -m 777 "$box"
cat >"$box/mail" <<TEXT
#!/bin/sh
{ printf 'to %s, %s: ' "\$3" "\$2"; tr '\n' ' '; echo; } >>$box/mails
TEXT
cat >"$box/tell" <<TEXT
#!/bin/sh
[ ! -e $box/hang ] || sleep 100
[ "\$1 \$2 \$3" = "\$RSPB_EVENT \$RSPB_JOB\$RSPB_RESERVATION \$RSPB_USER" ] || exit 1
[ "\$(jq -r .event)" = "\$1" ] || exit 1
echo "\$1 \$2 \$3 \$RSPB_ID \$RSPB_NODES" >>$box/told
[ ! -e $box/slow ] || sleep 0.5
[ ! -e $box/fail ] || exit 3
TEXT
chmod 755 "$box/mail" "$box/tell"
: >"$box/mails"
: >"$box/told"
chmod 666 "$box/mails" "$box/told"
cat >"$folder/slurm.conf" <<TEXT
NodeName=n[1-4] CPUs=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
MailProg=$box/mail
TEXT
printf "%s\n" "NoticeProgram=$box/tell" Remind=25s \
	GroupBookings=any HoldFor=1h >"$folder/rspb.conf"
cluster_up --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" ||
	exit 1
PATH=$cluster/rspb/bin:$PATH

# told N PATTERN, mailed N PATTERN: so many lines are like it.
lines() {
	local n
	n=$(grep -cE -- "$3" "$box/$1")
	[ "$n" -eq "$2" ] || { echo "$n like $3:"; tail -n 20 "$box/$1"; return 1; }
}
told() {
	lines told "$@"
}
mailed() {
	lines mails "$@"
}

note "booked, declined, changed"
quiet=$(book $user_b "$(ahead 900)" -N1)
loud=$(book $user_a "$(ahead 900)" -N3 --mail-type=BEGIN --mail-user=me@x)
none=$(book $user_a "$(ahead 900)" -N4 --mail-type=FAIL --mail-user=me@x)
check "two are booked" booked "$quiet" "$loud"
check "one is not" declined "$none"
check "the program hears of all" wait_for 5 told 1 "^booked $quiet $user_b "
check "with how many nodes" wait_for 5 told 1 "^booked $loud $user_a [0-9]+ 3$"
check "and of the declined" wait_for 5 told 1 "^declined $none $user_a "
check "who wants mail has it" wait_for 5 mailed 1 \
	"^to me@x, rspb: job $loud \(job.sh\) is booked: .* on 3 nodes \(n.*\)"
check "with offers where declined" wait_for 5 mailed 1 \
	"^to me@x, rspb: job $none \(job.sh\) was declined.* on offer: "
check "nobody else has any" mailed 2 .
check "fewer nodes" as $user_a rspb modify "$loud" -N2
check "are told as such" wait_for 5 told 1 "^degraded $loud "
check "and mailed" wait_for 5 mailed 1 "job $loud \(job.sh\) gets less"
check "another time" as $user_a rspb modify "$loud" --begin=now+20m
check "too" wait_for 5 told 1 "^moved $loud "
check "what is cancelled" as $user_b scancel "$quiet"
check "is over" wait_for 5 told 1 "^ended $quiet "

note "one's own doing"
o=$(as $user_a rspb request --offers --hold -N1 -t 5 --begin="$(slurm_time "$(ahead 2400)")" \
	--mail-type=ALL --mail-user=own@x -J "$(printf 'two\nlines')" -o /dev/null \
	--wrap true 2>/dev/null | sed -n 's/.* rspb accept \(.*\)/\1/p' | tail -n 1)
check "an offer is held" wait_for 5 mailed 1 \
	"^to own@x, rspb: job ${o% *} \(two.lines\) is held for you: "
check "with the time and the way to take it" mailed 1 \
	"It is held until [-0-9T:]+ [A-Z]+; rspb offers ${o% *} shows how to accept it"
# shellcheck disable=SC2086
check "and accepted" as $user_a rspb accept $o
check "that is told as what it is" wait_for 5 mailed 1 \
	"^to own@x, rspb: job ${o% *} \(two.lines\) is booked: "
check "a change that is no change" as $user_a rspb modify "${o% *}" -t 5
check "given back" as $user_a rspb release "${o% *}"
sleep 2
check "nothing was in danger or declined" mailed 0 '^to own@x.*(danger|declined)'
check "each was told once" wait_for 5 mailed 3 "^to own@x, rspb:"
check "of the booking, and that the job stays" mailed 1 \
	"^to own@x, rspb: the booking of job ${o% *} .* is over, cancelled: .*The job stays in the"
as $user_a scancel "${o% *}"

wall=$(book $user_b "$(ahead 6000)" -N4 -t 5)
check "all nodes are booked" booked "$wall"
vain=$(book $user_a "$(ahead 6000)" -N4 -t 5 --mail-type=ALL --mail-user=vain@x)
check "another is declined" declined "$vain"
check "which is told" wait_for 5 mailed 1 "^to vain@x, rspb: job $vain .* was declined"
accepts_in_vain() {
	! as $user_a rspb accept "$vain" "4@$(date -ud "@$(ahead 6000)" +%Y%m%dT%H%M%SZ)+300"
}
check "an offer that is taken is refused" accepts_in_vain
check "which leaves it declined" declined "$vain"
sleep 2
check "and is not told once more" mailed 1 '^to vain@x'
as $user_a scancel "$vain"
as $user_b scancel "$wall"
wall_says() {
	rspb --json list --all --ended | jq -e --argjson j "$wall" '.bookings[] |
		select(.job == $j) | .reason == "its owner cancelled its job before it started"'
}
check "nor does the list say that it ended" wait_for 5 wall_says

note "a booking without a job"
group() {
	as $user_a rspb request --wait --for-users=$user_b -t 2 \
		--mail-type=ALL --begin="$(slurm_time "$t")" "$@"
}
t=$(ahead 3600)
check "of its own, for another" group -N3 --remind=2990s
check "the program hears of it" wait_for 5 told 1 "^booked group_1 $user_a [0-9]+ 3$"
check "its owner has mail" wait_for 5 mailed 1 \
	"^to $user_a, rspb: group_1 is booked: .* on 3 nodes \(n"
declines() {
	! group -N2 2>/dev/null
}
check "one that does not fit" declines
check "is told, with what could be had" wait_for 5 mailed 1 \
	"^to $user_a, rspb: group_2 was declined.* on offer: "
check "fewer nodes" as $user_a rspb modify group_1 -N2
check "are told" wait_for 5 told 1 "^degraded group_1 "
# which makes the reminder due ten seconds from now
check "another time" as $user_a rspb modify group_1 --begin=now+50m
check "too" wait_for 5 told 1 "^moved group_1 "
check "it is to start soon, by its owner's lead" wait_for 25 mailed 1 \
	"^to $user_a, rspb: group_1 starts soon"
check "given back" as $user_a rspb cancel group_1
check "it is over" wait_for 5 mailed 1 \
	"^to $user_a, rspb: group_1 is over, cancelled.* It had "
check "nothing else was mailed of it" mailed 5 'rspb: group_1 '
as $user_a rspb cancel group_2

note "a reminder"
t=$(ahead 60)
soon=$(book $user_a "$t" -N1 --mail-type=BEGIN --mail-user=me@x)
late=$(book $user_b "$(ahead 15)" -N1)
own=$(book $user_b "$(ahead 130)" -N1 --remind=100s)
check "two are booked" booked "$soon" "$late"
check "one is changed" as $user_b rspb modify "$own" -t 2
check "none too early" told 0 "^reminder ($soon|$late|$own) "
check "comes before the start" wait_for 45 told 1 "^reminder $soon "
check "in time" test $EPOCHSECONDS -ge $((t - 26)) -a $EPOCHSECONDS -lt $((t - 18))
check "by mail, too" wait_for 5 mailed 1 "job $soon \(job.sh\) starts soon"
check "at one's own lead" told 1 "^reminder $own "
check "not to who was booked later than that" told 0 "^reminder $late "

note "each once, also where slurmctld is killed"
cp "$box/told" "$out/before"
touch "$box/hang"
pending=$(book $user_a "$(ahead 1200)" -N1)
check "one is booked while the program hangs" booked "$pending"
busy_answers() {
	local i
	for i in 1 2 3 4 5; do
		squeue >"$out/squeue" || return 1
	done
}
check "slurmctld does not wait for it" quick 2 busy_answers
check "nor does a booking" booked "$(book $user_b "$(ahead 1200)" -N1)"
ctld_stop KILL
rm "$box/hang"
ctld_start
check "what was not delivered comes after the restart" \
	wait_for 15 told 1 "^booked $pending "
doubled() {
	local twice
	twice=$(awk '{ print $4 }' "$box/told" | sort | uniq -d)
	[ -z "$twice" ] || { echo "twice: $twice"; return 1; }
}
check "nothing comes twice" doubled
not_again() {
	local events
	sleep 3
	events=$(head -n "$(wc -l <"$out/before")" "$box/told")
	[ "$events" = "$(cat "$out/before")" ] && told 1 "^booked $loud " &&
		told 1 "^reminder $soon "
}
check "nor what had been told before" not_again

# not_yet JOB: nothing was told of it.
not_yet() {
	told 0 " $1 "
}

note "a clean restart"
# Each takes half a second: one is told while slurmctld ends, others are not yet.
touch "$box/slow"
last=$(for i in 1 2 3 4; do book $user_a "$(ahead $((1800 + 120 * i)))" -N1; done)
check "four are booked" booked $last
ctld_stop
ctld_start
all_told() {
	local job
	for job in $last; do
		told 1 "^booked $job " || return 1
	done
}
check "all are told, each once" wait_for 15 all_told
check "still nothing came twice" doubled
rm "$box/slow"

note "many of one user"
# The program takes half a second for each notice.
touch "$box/slow"
many=$(for i in {1..30}; do book $user_a "$(ahead $((2400 + 60 * i)))" -N2; done)
changed=$(book $user_a "$(ahead 4800)" -N3)
check "31 are booked" booked $many "$changed"
other=$(book $user_b "$(ahead 4800)" -N1)
check "one of another user is, too" booked "$other"
for t in 3 4 5; do
	as $user_a rspb modify "$changed" -t $t
done >"$out/said" 2>&1
as $user_a rspb modify "$changed" -N2 >"$out/said" 2>&1
last=${many##*$'\n'}
as $user_a scancel "$last"
check "that user need not wait for all of the others" \
	wait_for $((12 / RSPB_PATIENCE)) told 1 "^booked $other $user_b "
check "some of which still wait" not_yet "$changed"
rm "$box/slow"
check "one that was changed before it was told is told as it is now" \
	wait_for 20 told 1 "^booked $changed $user_a [0-9]+ 2$"
check "one that was cancelled before is over" wait_for 10 told 1 "^ended $last "
check "each is told once" eval "told 1 ' $changed ' && told 1 ' $last '"
check "nothing came twice here either" doubled

note "a program that fails"
touch "$box/fail"
bad=$(book $user_a "$(ahead 1500)" -N1)
check "keeps nobody from booking" booked "$bad"
check "is in the log" wait_for 5 grep -q \
	'a notice was not delivered: .*ended with status 3' "$cluster/log/slurmctld.log"
sleep 2
check "and is not run again" told 1 "^booked $bad "

note "a series"
rm -f "$box/fail"
week=()
for i in 1 2 3 4; do
	week+=("$(job $user_a 1 --book -N1 --time=5 --series=week --mail-type=ALL \
		--mail-user=me@x --begin="$(slurm_time "$(ahead $((7000 + i * 600)))")")")
done
check "is booked" booked "${week[@]}"
check "in one mail" wait_for 20 mailed 1 "^to me@x, rspb: series week: 4 jobs booked: .*${week[3]}"
check "and one call of the program" told 1 "^booked (${week[0]}|${week[1]}|${week[2]}|${week[3]}) "
check "it is cancelled" as $user_a rspb cancel week
check "in one mail, too" wait_for 20 mailed 1 "^to me@x, rspb: series week: 4 jobs ended: "
check "of one call" told 1 "^ended (${week[0]}|${week[1]}|${week[2]}|${week[3]}) "
