# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The commands of doc/recipes.md and README.md, as they are printed there, each recipe in
# one shell of a user who has its scripts at hand; those for an operator as root.
# Takes 30 s.
command -v jq >/dev/null || skip_suite "no jq here (Debian: apt install jq)"
printf 'GroupBookings=any\nReserveAhead=0\n' >"$folder/rspb.conf"
cluster_up --nodes 8 --wide --rspb-conf "$folder/rspb.conf" || exit 1
PATH=$cluster/rspb/bin:$PATH
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"
for name in course exercise fetch crunch report demo analyse; do
	printf '#!/bin/sh\ntrue\n' >"$out/$name.sh"
	chmod 755 "$out/$name.sh"
done
known() {
	rspb slots -N8 -t 1 >"$out/slots" 2>&1
}
check "slurmctld knows its nodes" wait_for 20 known

# commands HEADING: all that the section prints as commands, with the function of the page.
commands() {
	printf 'set -e\n'
	sed -n 's/^    \(at() .*\)/\1/p' "$RSPB_TOP/doc/recipes.md"
	awk -v heading="## $1" '/^#/ { in_it = $0 == heading }
		in_it && /^    / { print substr($0, 5) }' "$RSPB_TOP/doc/recipes.md"
}
# recipe USER HEADING: what its commands print is in $out/said.
recipe() {
	local user=$1
	commands "$2" >"$folder/commands"
	[ "$(wc -l <"$folder/commands")" -gt 2 ] || { echo "no such recipe: $2"; return 1; }
	# The page's own names of participants are no users of this host.
	sed -i "s/^participants=bob,cleo\$/participants=$user_a,$user_b/" "$folder/commands"
	if [ "$user" = root ]; then
		bash "$folder/commands" >"$out/said" 2>&1
	else
		as "$user" bash -c "$(cat "$folder/commands")" >"$out/said" 2>&1
	fi || { cat "$out/said"; return 1; }
}
# said COUNT PATTERN: in so many lines.
said() {
	[ "$(grep -cE -- "$2" "$out/said")" -eq "$1" ] || { cat "$out/said"; return 1; }
}
# slot JOB NAME: "HH:MM HH:MM" of the job of that name.
slot() {
	as $user_a squeue -h --me -n "$1" -o %A | while read -r id; do
		date -d "@$(value "$id" start)" +%H:%M
		date -d "@$(value "$id" end)" +%H:%M
	done | paste -sd' '
}
slot_is() {
	[ "$(slot "$1")" = "$2" ] || { echo "$1: $(slot "$1")"; return 1; }
}

note "README"
# The first commands of README's "Six commands", for the first job of a new cluster.
six_commands() {
	awk '/^#/ { in_it = $0 == "## Six commands" }
		in_it && /^    / { print substr($0, 5); some = 1; next }
		in_it && some { exit }' "$RSPB_TOP/README.md" >"$folder/commands"
	[ "$(wc -l <"$folder/commands")" -eq 6 ] || { cat "$folder/commands"; return 1; }
	# A user reads the answer of the first one before typing the second.
	{
		as $user_a bash -ec "$(head -n 1 "$folder/commands")" && wait_for 10 decided 1 &&
			as $user_a bash -ec "$(tail -n +2 "$folder/commands")"
	} >"$out/said" 2>&1 || {
		cat "$out/said"
		return 1
	}
}
check "README's six commands run" six_commands
check "the second one prints what is available" said 1 '^FIRST START'
check "the fourth one makes the booking longer" said 1 '^booked from .* on 4 nodes(, each with .*)?$'
no_first() { [ -z "$(as $user_a squeue -h --me)" ]; }
check "the last one cancels it" wait_for 10 no_first

note "a course"
check "the commands for a course run" recipe $user_a "A course, every Tuesday from ten to twelve"
check "each of its dates is booked on four nodes" \
	said 1 '^series course: 15 booked, .*T10:00:00 .*on 4 nodes each'
check "all of its dates change together" said 1 '^15 bookings are changed$'
no_course() { [ -z "$(as $user_a squeue -h --me -n course)" ]; }
check "all of its dates are released" wait_for 20 no_course

note "participants"
check "the commands for participants run" \
	recipe $user_b "A course whose participants submit their own jobs"
check "four dates are booked for them" said 4 '^group_[0-9]+ booked from .* on 4 nodes'
mapfile -t groups < <(sed -n 's/^\(group_[0-9]*\) booked.*/\1/p' "$out/said")
for name in "${groups[@]}"; do
	as $user_b rspb cancel "$name" >/dev/null
done

note "a pipeline"
check "the commands for a pipeline run" recipe $user_a "A nightly pipeline"
check "its first job has moved" wait_for 20 slot_is fetch "03:00 03:30"
check "the second job has moved along" wait_for 20 slot_is crunch "03:30 05:30"
check "the third job has moved along" wait_for 20 slot_is report "05:30 05:45"

note "beamtime"
check "the commands for beamtime run" recipe $user_a "Beamtime"
check "three shifts are booked" said 1 '^series beam: 3 booked, .*T08:00:00 .*on 2 nodes each'
check "all shifts get a node more" said 1 '^3 bookings are changed$'
check "the second shift is shorter" said 1 '^booked from .*T08:00:00 .* to .*T14:00:00 '
# The demo on Thursday may be on one of these days.
as $user_a scancel --name=beam
no_beam() { [ -z "$(as $user_a squeue -h --me -n beam)" ]; }
check "its jobs are cancelled" wait_for 20 no_beam

note "a demo"
check "the commands for a demo run" recipe $user_a "A demo on Thursday"
check "the demo is booked at two o'clock" wait_for 20 slot_is demo "14:00 15:00"

note "maintenance"
check "the commands for maintenance run" recipe root "Maintenance"
check "nothing is left of it" eval '! scontrol show reservation power'

note "squeue --json"
check "the commands for squeue --json run" recipe $user_a "squeue --json"
check "they print bookings" said 1 'demo.*booked start='
check "they print one job as an object" said 1 '^  "start": "'

note "other pages"
# page FILE PATTERN: its lines of commands with the pattern, without their indentation.
page() {
	sed -n 's/^    \(.*'"$2"'.*\)/\1/p' "$RSPB_TOP/doc/$1"
}
share=$(as $user_a sbatch --parsable --book --cpu-share=35% -p shared -N1 -t 10 -o /dev/null \
	--begin=now+2hours --wrap true)
check "a share is booked" booked "$share"
# cpu-shares.md asks for job 123.
share_changes() {
	page cpu-shares.md '\(JobId=\|modify \)123' | sed "s/123/$share/" >"$folder/commands"
	[ "$(wc -l <"$folder/commands")" -eq 2 ] &&
		as $user_a bash -ec "$(cat "$folder/commands")" >"$out/said" 2>&1 ||
		{ cat "$folder/commands" "$out/said"; return 1; }
}
check "the commands that change a share run" share_changes
check "it is half of each node" wait_for 10 contract_says "$share" 'share=50%'
# protocol.md: a question about a job that asks for no booking.
example() {
	page protocol.md '"error":"unknown"' | sed 's/^ *//; s/, \.\.\."}$//; s/job [0-9]*/job 99999/' \
		>"$out/printed"
	as $user_a rspb send <<<'{"op":"show","job":99999}' >"$out/said"
	[ -s "$out/printed" ] && grep -qF "$(cat "$out/printed")" "$out/said" ||
		{ cat "$out/printed" "$out/said"; return 1; }
}
check "protocol.md prints an answer as it comes" example
# calendar.md: the ways to see it that end by themselves.
drawn() {
	local n=0 command
	grep -oE '`rspb [^`]*timeline[^`]*`' "$RSPB_TOP/doc/calendar.md" | tr -d '`' | sort -u |
		grep -v -e --serve -e --anonymous >"$folder/commands"
	while read -r command; do
		n=$((n + 1))
		as $user_a bash -ec "${command//FILE/$out/drawn.$n}" </dev/null >"$out/drawn" 2>&1 ||
			{ echo "$command"; cat "$out/drawn"; return 1; }
	done <"$folder/commands"
	[ $n -eq 4 ] && grep -q '<svg' "$out"/drawn.* && grep -qi '<!doctype html' "$out"/drawn.*
}
check "calendar.md's commands draw it" drawn
as $user_a scancel -u $user_a
