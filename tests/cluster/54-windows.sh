# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A booking with a deadline is promised its window: its start moves in it for others, until
# it is firm; its owner is told once. Takes 220 s.
box=$folder/notices
mkdir -m 777 "$box"
cat >"$box/tell" <<TEXT
#!/bin/sh
echo "\$1 \$2" >>$box/told
TEXT
chmod 755 "$box/tell"
: >"$box/told"
chmod 666 "$box/told"
printf '%s\n' "NoticeProgram=$box/tell" JournalKeep=1d DebugLocks=yes \
	FirmNotice=60s "Rule=firm Users=$user_b FirmNotice=3650d" \
	>"$folder/rspb.conf"
cluster_up --nodes 4 --rspb-conf "$folder/rspb.conf" || exit 1

PATH=$cluster/rspb/bin:$PATH

# window USER FROM UNTIL ARGS: one that may begin so many seconds from now, and has to
# have ended then.
window() {
	local user=$1 from to
	from=$(slurm_time "$(ahead "$2")") to=$(slurm_time "$(ahead "$3")")
	shift 3
	as "$user" sbatch --parsable -o /dev/null --book --begin="$from" \
		--deadline="$to" "$@" job.sh 1
}
told() {
	[ "$(grep -cE -- "$2" "$box/told")" -eq "$1" ] || { cat "$box/told"; return 1; }
}
starts_then() {
	[ "$(granted "$1" start)" = "$2" ] || { contract "$1"; return 1; }
}
# moved JOB OLD FROM TO: it has another start, in a window.
moved() {
	local at
	at=$(granted "$1" start)
	[ "$at" != "$2" ] && [ "$at" -ge "$3" ] && [ "$at" -le "$4" ] ||
		{ contract "$1"; return 1; }
}
# In Slurm's own records.
reserved() {
	[ "$(scontrol -o show reservation "rspb_$1" |
		sed -n 's/.* StartTime=\([^ ]*\).*/\1/p')" = "$(slurm_time "$2")" ]
}
says() {
	contract "$1" | grep -q -- "$2" || { contract "$1"; return 1; }
}

note "far ahead"
now=$EPOCHSECONDS
wide=$(window $user_a 3600 14400 -N4 -t 30)
check "a booking with a window is booked" booked "$wide"
at=$(granted "$wide" start)
check "its contract says from when on its start is firm" says "$wide" \
	"binding=provisional firm-from=$(date -u -d "@$((at - 60))" +%FT%TZ)"
likely() {
	as $user_b sbatch --book --test-only --begin="$(slurm_time $((at + 600)))" -N2 -t 20 \
		--wrap true 2>&1 | tee "$out/likely" | grep 'likely: ' || { cat "$out/likely"; return 1; }
}
check "one with a start of its own would get its place" likely
tight=$(book $user_b $((at + 600)) -N2 -t 20)
check "and does" booked "$tight"
check "when it was asked for" starts_then "$tight" $((at + 600))
check "the first moves within its window" moved "$wide" "$at" $((now + 3600)) \
	$((now + 14400 - 1800))
check "and the contract says why" says "$wide" \
	"reason=moved within its window, to make room for another request"
check "Slurm tells the new start" [ "$(squeue -h --start -j "$wide" -o %S)" \
	= "$(slurm_time "$(granted "$wide" start)")" ]
check "rspb list marks it" eval "as $user_a rspb list | grep '^$wide .*booked~'"
check "rspb shows from when on it is firm" eval \
	"as $user_a rspb show $wide | grep 'start fixed from'"
check "its owner has not been told" told 0 "^moved $wide$"
new=$(granted "$wide" start)
ctld_stop KILL
ctld_start
check "the new start stands after a crash" wait_for 10 starts_then "$wide" "$new"
check "and so does the other booking" is_booking "$tight" booked
long=$(job $user_b 300 -N1 -t $(((new - EPOCHSECONDS) / 60 + 10)))
sleep 3
check "no ordinary job is let into it" [ "$(job_state "$long")" = PENDING ]
scancel "$long"
third=$(book $user_b $((new + 60)) -N1 -t 10)
check "it moves again, after the crash" booked "$third"
check "and stays in its window" moved "$wide" "$new" $((now + 3600)) \
	$((now + 14400 - 1800))
scancel "$wide" "$tight" "$third"
wait_for 20 nothing_left

note "a request that is declined in the end"
wide=$(window $user_a 3600 14400 -N2 -x n2,n4 -t 30)
check "one on two nodes that do not touch" booked "$wide"
at=$(granted "$wide" start)
block=$(book $user_b "$at" -N2 -w n2,n4 -t 30)
check "and one on the other two" booked "$block"
tight=$(book $user_b "$at" -N2 --contiguous -t 20)
check "one that could start on none of these pairs is declined" declined "$tight"
check "and nobody has moved for it" starts_then "$wide" "$at"
tight=$(book $user_b "$at" -N2 -t 20)
check "one that could is booked" booked "$tight"
check "and the first has moved for it" moved "$wide" "$at" "$at" $((at + 14400))
scancel -u $user_a
scancel -u $user_b
wait_for 20 nothing_left

note "who does not move"
for how in "$user_a --firm" "$user_a --firm=5h" "$user_b"; do
	# shellcheck disable=SC2086
	set -- $how
	user=$1
	shift
	firm=$(window "$user" 3600 14400 -N4 -t 30 "$@")
	check "with '$how' it is booked" booked "$firm"
	at=$(granted "$firm" start)
	tight=$(book $user_b $((at + 600)) -N2 -t 20)
	check "another is declined" declined "$tight"
	check "it stays" starts_then "$firm" "$at"
	scancel "$firm" "$tight"
done
note "who cannot move"
row=$(window $user_a 3600 14400 -N2 --contiguous -t 30)
check "a booking of neighbours is booked" booked "$row"
at=$(granted "$row" start)
named=$(book $user_b "$at" -N1 -w n2 -t 20)
answered() {
	booked "$1" || declined "$1"
}
check "one that wants a node of it is answered" answered "$named"
check "Slurm would not start it with a gap, so it stays" starts_then "$row" "$at"
scancel "$row" "$named"

note "what its owner does"
now=$EPOCHSECONDS
wide=$(window $user_a 3600 14400 -N4 -t 30)
check "one is booked" booked "$wide"
at=$(granted "$wide" start)
check "is held" scontrol hold "$wide"
tight=$(book $user_b $((at + 600)) -N2 -t 20)
check "another is booked" booked "$tight"
check "and it moves all the same" moved "$wide" "$at" $((now + 3600)) $((now + 14400 - 1800))
check "is released" scontrol release "$wide"
check "and stands" is_booking "$wide" booked
check "is to be longer" as $user_a scontrol update jobid="$wide" timelimit=40
check "and is" wait_for 5 says "$wide" duration=2400s
check "it gets a start of its own" as $user_a rspb modify "$wide" --begin=now+3hours
check "which is firm" eval "! says $wide firm-from="
scancel "$wide" "$tight"
check "what is no time is refused" refused "allowed are 1s to 3650d" \
	window $user_a 3600 14400 -N1 -t 5 --firm=0s

note "near"
now=$EPOCHSECONDS
near=$(window $user_a 120 600 -N4 -t 2)
check "one begins in minutes" booked "$near"
at=$(granted "$near" start)
check "it has a reservation" wait_for 5 reserved "$near" "$at"
tight=$(book $user_b $((at + 5)) -N4 -t 1)
check "another takes its place" booked "$tight"
check "it moves" moved "$near" "$at" $((now + 120)) $((now + 480))
new=$(granted "$near" start)
check "with its reservation" wait_for 5 reserved "$near" "$new"
check "its owner hears nothing yet" told 0 "^(moved|firm) $near$"
check "a minute before its start it is firm, and told" wait_for \
	$((new - EPOCHSECONDS)) told 1 "^firm $near$"
late=$(book $user_b $((new + 5)) -N1 -t 1)
check "then nobody else gets its place" declined "$late"
check "it starts on the second" wait_for $((new - EPOCHSECONDS + 20)) starts_at \
	"$near" "$new"
check "who took its place has had it" is_booking "$tight" completed
check "it was told once" told 1 "^(moved|firm) $near$"
scancel "$late"
wait_for 60 nothing_left

note "parts of nodes, and several at once"
now=$EPOCHSECONDS
pair=$(as $user_a sbatch --parsable -o /dev/null --book -N1 -t 5 \
	--begin="$(slurm_time "$(ahead 3600)")" \
	--deadline="$(slurm_time "$(ahead 7200)")" : \
	--book -N2 -t 5 job.sh 1)
check "a pair with a window is booked" booked "$pair"
at=$(granted "$pair" start)
tight=$(book $user_b "$at" -N4 -t 5)
check "another wants all nodes then" booked "$tight"
check "the pair moves together" moved "$pair" "$at" $((now + 3600)) $((now + 6900))
check "both of it" starts_then $((pair + 1)) "$(granted "$pair" start)"
scancel "$pair" "$tight"
wait_for 20 nothing_left
check "the journal decides the same" decides_the_same 10
