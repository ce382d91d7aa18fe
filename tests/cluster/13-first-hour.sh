# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# README's first hour as it stands: eight nodes, the limits that are shipped, a user
# of another zone. What is on offer there is had.
# Takes 45 s.
lifted=
box=$folder/notices
mkdir -m 777 "$box"
printf '#!/bin/sh\n{ cat; echo; } >>%s/told\n' "$box" >"$box/tell"
chmod 755 "$box/tell"
printf 'NoticeProgram=%s/tell\n' "$box" >"$folder/rspb.conf"
cluster_up --nodes 8 --rspb-conf "$folder/rspb.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"
far() {
	as $user_a env TZ=NPT-5:45 "$@"
}
known() {
	far rspb slots -N4 -t 2:00:00 >"$out/slots" 2>&1
}
check "slurmctld knows its nodes" wait_for 20 known
# README's "Six commands", typed in two time zones: what it prints is what is printed.
awk '/^#/ { in_it = $0 == "## Six commands" }
	in_it && /^    / { print substr($0, 5) }' "$RSPB_TOP/README.md" >"$folder/page"
head -n 6 "$folder/page" >"$folder/six"
sed -n '7,$p' "$folder/page" | grep -v '^\$' >"$folder/printed"
# typed ZONE LINE...: what these commands print is added to $out/said.
typed() {
	local line
	for line in "${@:2}"; do
		as $user_a env TZ="$1" bash -ec "$(sed -n "${line}p" "$folder/six")" \
			>>"$out/said" 2>&1 || { cat "$out/said"; return 1; }
	done
}
# In each line of the same form times, zones and the numbers of jobs are the same.
form() {
	sed -E "s/\(as of [0-9]+ s/(as of N s/; s/^(start|end) .*/\1/I; s/CET|NPT|E[SD]T/ZONE/g
		s/[A-Z][a-z]{2} +[0-9]+ [0-9:]+-([A-Z][a-z]{2} +[0-9]+ )?[0-9:]+/TIMES/
		s/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]+/TIME/g; s/@[0-9]{8}T[0-9]{6}Z/@TIME/
		s/(job|accept|offers) [0-9]+/\1 N/" | tr -s ' '
}
# as_printed ZONE: the request of the first command is declined beside the first job.
as_printed() {
	local first second
	: >"$out/said"
	typed "$1" 1 || return 1
	first=$(sed -n 's/^Submitted batch job //p' "$out/said")
	wait_for 10 decided "$first" && sed -i "s/modify [0-9]*/modify $first/
		s/cancel [0-9]*/cancel $first/" "$folder/six" && typed "$1" 2 3 4 5 1 || return 1
	second=$(sed -n 's/^Submitted batch job //p' "$out/said" | tail -n 1)
	wait_for 10 decided "$second" || return 1
	as $user_a env TZ="$1" rspb show "$second" >>"$out/said"
	as $user_a env TZ="$1" rspb offers "$second" >>"$out/said"
	typed "$1" 6 && as $user_a rspb cancel "$second" >>"$out/cancelled" || return 1
	form <"$out/said" >"$folder/real"
	[ "$(wc -l <"$folder/printed")" -eq 7 ] &&
		! form <"$folder/printed" | grep -vxFf "$folder/real" ||
		{ cat "$out/said"; return 1; }
}
free_now() {
	local first
	first=$(far rspb slots -N4 -t 2:00:00 | sed -n '2s/ .*//p')
	[ -n "$first" ] && [ "$(TZ=NPT-5:45 date -d "$first" +%s)" -le $((EPOCHSECONDS + 60)) ]
}
for zone in EST5EDT,M3.2.0,M11.1.0 NPT-5:45; do
	check "${zone:0:3}: README prints what a user sees" as_printed $zone
	check "${zone:0:3}: nothing is left over" wait_for 20 nothing_left
	check "${zone:0:3}: slurmctld knows that" wait_for 20 free_now
	sleep 2 # the line at submission may be as old
done
one=$(far sbatch --parsable --book -N4 -o /dev/null --begin=now+1hour --time=60 \
	--wrap 'srun hostname' 2>"$out/line")
check "half of the nodes are booked" booked "$one"
check "listed by the reader's clock" grep -q 'START (NPT)' <(far rspb list)
check "longer" says 0 '^booked from .* NPT to .* NPT on 4 nodes$' \
	far rspb modify "$one" --time=90
sleep 1
two=$(far sbatch --parsable --book -N4 -o /dev/null --begin=now+1hour --time=60 \
	--wrap 'srun hostname' 2>"$out/line")
check "the line at submission counts what is booked, not itself" \
	grep -q 'unlikely: 4 of the 4 nodes that can be booked' "$out/line"
check "no more than half at a time" declined "$two"
three=$(far sbatch --parsable --book -N4 -o /dev/null --begin=now+1hour --time=60 \
	--wrap true 2>"$out/line")
check "nor is what was planned for it taken for booked" \
	grep -q 'unlikely: 4 of the 4 nodes that can be booked' "$out/line"
far scancel "$three"
check "squeue says where to go on" grep -q "MaxBookedPercent=50%); rspb offers $two lists" \
	<(squeue -h -j "$two" -o %r)
check "so does rspb" says 0 "^offers +rspb offers $two\$" far rspb show "$two"
check "and its list" says 0 "\(4 of the 4 .*; rspb offers $two\)\$" far rspb list
check "and its notice" wait_for 10 grep -q "rspb offers $two lists what is available" \
	"$box/told"
check "which knows its name" says 0 '^name +wrap$' far rspb show "$two"
far rspb offers "$two" >"$out/offers"
check "what is on offer is within the limits" [ "$(value "$one" end)" = \
	"$(date -ud "$(sed -n '2s/.*@\(....\)\(..\)\(..\)T\(..\)\(..\)\(..\)Z.*/\1-\2-\3 \4:\5:\6/p' \
		"$out/offers")" +%s)" ]
# shellcheck disable=SC2046
check "and is had as it is printed" says 0 "$two booked from .* NPT on 4 nodes" \
	far $(sed -n '2s/.*\(rspb accept\)/\1/p' "$out/offers")
check "the calendar shows both" grep -q 'NPT' <(far rspb timeline)
check "cancelled" far rspb cancel "$one"
check "who types a number without a unit is told" says 255 'below 1% with the sign' \
	far sbatch --book --cpu-share=0.3 -t 1 --wrap true
check "starts are by the reader's clock" grep -q '^FIRST START (NPT)' <(far rspb slots -t 10)
check "each command has its help" says 0 '^usage: .*giveback' \
	far rspb release --help
likely() {
	far sbatch -o /dev/null --book -t 5 --wrap true "$@" 2>&1 | grep likely
}
check "nothing is foreseen of what sbatch refuses" [ -z "$(likely -L none:1)" ]
check "nor of what is held" [ -z "$(likely --hold)" ]
check "but of the rest" likely --begin=now+9hours
six=$(far sbatch --parsable --array=1-6 --book -N1 --time=10 --deadline=now+3hours \
	-o /dev/null --wrap 'sleep 1' 2>"$out/line")
in_turn() {
	far rspb --json show "$six" | jq -e '[.bookings[].state] |
		length == 6 and all(. == "booked" or . == "active" or . == "completed")'
}
check "what has a window is put where half are not booked" wait_for 10 in_turn
scancel -u $user_a
check "nothing is left over" wait_for 20 nothing_left
rule=$(sed 's/^MaxBookedPercent=.*//' "$cluster/etc/rspb.conf")
printf '%s\n' "$rule" MaxBookedPercent=25% >"$cluster/etc/rspb.conf"
check "a quarter may be booked" reconfigure
answers() {
	far rspb slots -N1 -t 10 >/dev/null 2>&1
}
check "slurmctld knows its nodes again" wait_for 20 answers
window() {
	far sbatch --parsable --book -o /dev/null --begin=now+1hour --time=60 "$@" \
		--wrap true 2>"$out/line"
}
one=$(window -N2)
check "it is" booked "$one"
two=$(window -N1 --deadline=now+6hours)
check "who has time is likely to be had" grep -q 'likely: ' "$out/line"
check "and is" booked "$two"
check "behind it" [ "$(value "$two" start)" -ge "$(value "$one" end)" ]
three=$(window -N1 --deadline=now+150minutes)
check "who has less is not" declined "$three"
check "for that reason" says 0 '2 of the 2 nodes that can be booked' far rspb show "$three"
printf '%s\n' "$rule" >"$cluster/etc/rspb.conf"
check "half again" reconfigure
check "which it says" wait_for 20 answers
scancel -u $user_a
check "nothing is left over" wait_for 20 nothing_left
# Ordinary jobs are none of what is booked.
for one in 1 2 3 4 5 6; do
	job $user_a 600 --exclusive -N1 -t 60 >/dev/null
done
six_run() {
	[ "$(squeue -h -t R | grep -c .)" = 6 ]
}
check "six nodes are busy" wait_for 20 six_run
check "others' part of the machine is not counted as booked" wait_for 5 \
	likely --test-only --begin=now+2minutes
two=$(far sbatch --parsable --book -N4 -t 5 --begin=now+3minutes -o /dev/null --wrap true)
check "too wide" declined "$two"
check "the list is short, and says where the offers are" says 0 \
	"only 2 are free then; rspb offers $two\)\$" far rspb list
scancel -u $user_a
check "nothing is left over" wait_for 20 nothing_left
# A request that comes alone.
alone() {
	far rspb request --wait -N1 -t 5 --begin=now+5hours -o /dev/null \
		--wrap true >"$out/alone" 2>"$out/complaint"
}
# No more than three in a second are (ALONE_MOST), and some were decided just now.
pause 1.1
check "is decided at once" quick 1 alone
check "and booked" grep -q ' booked from .* on 1 node n' "$out/alone"
# Slurm saves its own state every five seconds, which nobody is to wait for.
eight() {
	local i one
	for i in 1 2 3 4 5 6 7 8; do
		one=$(far sbatch --parsable --book -N1 -t 5 --begin=now+5hours \
			-o /dev/null --wrap true 2>/dev/null) &&
			wait_for 10 booked "$one" || return 1
		scancel "$one"
		pause 0.6
	done
}
# of those from this line of the log on, in ms
slowest() {
	tail -n "+$1" "$cluster/log/slurmctld.log" | awk -F '[][T:.]+' '
		{ ms = (($3 * 60 + $4) * 60 + $5) * 1000 + $6 }
		/submit_batch_job: JobId=/ { split($0, of, /JobId=/); asked[of[2] + 0] = ms }
		/ rspb: job [0-9]+ of .*: booked / {
			split($0, of, /rspb: job | of /)
			if (of[2] in asked && ms - asked[of[2]] > most) most = ms - asked[of[2]]
		}
		END { print most + 0 }'
}
at_once() {
	local us from line
	line=$(wc -l <"$cluster/log/slurmctld.log")
	load_read
	from=("$cpu_waits" "$disk_waits" "$stolen")
	eight || return 1
	us=$(($(slowest "$line") * 1000))
	[ $us -gt 0 ] || return 1
	[ $us -lt 400000 ] || wait_judge "the slowest of eight" 0.4 $us "${from[@]}"
}
pause 1.1
check "so are eight, one after the other" at_once
if rspb request --repeat=daily --count=0 --begin=now 2>&1 | grep -q 'without libical'; then
	skip "a course: rspb was built without libical"
else
	scancel -u $user_a
	check "nothing is left over" wait_for 20 nothing_left
	# course WEEKS
	course() {
		far rspb request --repeat=weekly --count="$1" --series=course -N4 \
			-t 2:00:00 --begin=now+1day -o /dev/null --wrap true
	}
	check "a course of a year is too far, and nothing is asked for" says 1 \
		'SeriesHorizon' course 50
	check "so it is" [ -z "$(squeue -h -u $user_a)" ]
	check "a semester is had as shipped" says 0 '^series course: 15 booked, ' course 15
	check "as one line" [ "$(far rspb list | grep -c .)" = 2 ]
	check "and one waiting booking: there is room for others" says 0 ' booked from ' \
		far rspb request --wait -N1 -t 5 --begin=now+5hours -o /dev/null --wrap true
fi
check "what runs, and which limits" says 0 '^ok    MaxNodes=25%:4 \(default\)' \
	"$cluster/rspb/sbin/rspb-check" --live

note "a site that only looks on"
scancel -u $user_a
check "nothing is left over" wait_for 20 nothing_left
printf '%s\n' Mode=observe GroupBookings=any >>"$cluster/etc/rspb.conf"
check "it reconfigures" reconfigure
check "slurmctld knows its nodes" wait_for 20 known
# observed TEXT OPTIONS...: one line says so, and the job is an ordinary one.
observed() {
	local text=$1 job
	shift
	job=$(far sbatch --parsable -o /dev/null "$@" --wrap 'sleep 300' 2>"$out/line")
	[ -n "$job" ] && [ "$(wc -l <"$out/line")" = 1 ] &&
		grep -qE "rspb: nothing is booked here yet \(Mode=observe\); the job is a regular one; $text" \
			"$out/line" || { cat "$out/line"; return 1; }
	squeue -h -j "$job" -o '%v|%k|%r' | grep -qx '(null)|(null)|.*' &&
		! grep -q AdminComment <(scontrol show job "$job") ||
		{ scontrol show job "$job"; return 1; }
}
check "who books is told what would be" \
	observed 'booking likely: .* NPT on 2 nodes \(as of [0-9]+ s ago\)$' \
	--book -N2 -t 5
runs() {
	squeue -h -u $user_a -t R | grep .
}
check "its job runs" wait_for 10 runs
check "also who would be refused" \
	observed 'would be refused: --book: 8 nodes are more than the 4 .*MaxNodes' \
	--book -N8 -t 5
check "or declined" observed 'booking unlikely: .*MaxAheadPerUser' --book -N4 -t 15:00:00 \
	--begin=now+2hours
check "what is wrong is refused all the same" says 255 'allowed' \
	far sbatch --book=maybe -t 5 --wrap true
reserved() {
	scontrol -o show res | grep -vE '^ReservationName=rspb_(waiting|later) '
}
check "nothing is reserved" [ -z "$(reserved)" ]
check "nor in the calendar" [ "$(rspb --json list --all | jq '.bookings | length')" = 0 ]
check "what is free is still told" says 0 '[0-9]' far rspb slots -N2 -t 1:00:00
check "a group's booking is refused" says 1 'Mode=observe' \
	far rspb request --for-users=$user_b -N1 -t 5 --begin=now+1hour
check "and that it only looks on" says 0 '^ok    Mode=observe \(rspb.conf:[0-9]+\)' \
	"$cluster/rspb/sbin/rspb-check" --live
check "who runs the site sees what would have been" says 0 \
	'observed +3, 1 would be booked \(33 %\); refused: 2 limits' rspb stats
