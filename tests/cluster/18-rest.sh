# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A portal books by slurmrestd, as an unprivileged user: it asks, reads what is said and
# booked, cancels (doc/recipes.md). Takes 20 s.
PATH=$PATH:/usr/sbin
for program in slurmrestd curl jq; do
	command -v $program >/dev/null ||
		skip_suite "no $program here (Debian: apt install $program)"
done
cluster_up --nodes 4 || exit 1

# Where its parsers have a version of their own (23.11 on), the newest.
api=v0.0.38 plugins=(-s openapi/v0.0.38)
if ! as $user_a slurmrestd -s list 2>&1 | grep -q "openapi/$api"; then
	api=$(as $user_a slurmrestd -d list 2>&1 | grep -o 'v0\.0\.[0-9]*' |
		sort -V | tail -n 1)
	plugins=(-s openapi/slurmctld -d "data_parser/$api")
fi
socket=$out/rest
as $user_a slurmrestd "${plugins[@]}" -a rest_auth/local "unix:$socket" \
	>"$cluster/log/slurmrestd.log" 2>&1 </dev/null &
rest=$!
rest_end() {
	local rc=$?
	pkill -P $rest
	(exit $rc)
	suite_end
}
trap rest_end EXIT

# rest METHOD PATH [BODY]: what it says, in $out/said.
rest() {
	as $user_a curl -s -m 20 --unix-socket "$socket" -X "$1" \
		-H 'Content-Type: application/json' ${3:+-d "$3"} \
		"http://localhost/slurm/$api/$2" >"$out/said"
}
said() {
	jq -re "$1" "$out/said" 2>&1 || { cat "$out/said"; return 1; }
}
answers() {
	rest GET ping && said '.pings[0].hostname'
}
# submit SCRIPT FLAG=VALUE...: the id of the job.
submit() {
	local flags='[]' job='{ "name": "portal", "current_working_directory": "/tmp",
		"standard_output": $out, "time_limit": 2, "nodes": 1,
		"environment": ({ "PATH": "/bin:/usr/bin" } + ($flags |
			map(capture("(?<key>[^=]*)=(?<value>.*)")) | from_entries)) }'
	[ $api = v0.0.38 ] || job='{ "name": "portal", "minimum_nodes": 1,
		"current_working_directory": "/tmp", "standard_output": $out,
		"time_limit": { "set": true, "number": 2 },
		"environment": ["PATH=/bin:/usr/bin"], "spank_environment": $flags }'
	flags=$(printf '_SLURM_SPANK_OPTION_rspb_%s\n' "${@:2}" |
		jq -R . | jq -s .)
	rest POST job/submit "$(jq -n --arg script "$1" --arg out "$out/portal" \
		--argjson flags "$flags" '{ "script": $script, "job": '"$job"' }')"
	said '.job_id'
}

check "slurmrestd answers" wait_for 10 answers
j=$(submit $'#!/bin/sh\ntrue' book=asap remind=1h)
check "a job with --book is taken" said '.job_id'
check "it is booked" booked "$j"
rest GET "job/$j"
check "which the portal reads" grep '^rspb: \(booked\|active\|completed\) .*remind=3600s' \
	<(said '.jobs[0].admin_comment')
check "it runs to its end" wait_for 20 is_booking "$j" completed

# Slurm 22.05's says no more of it than the code.
submit $'#!/bin/sh\ntrue' book=soon >/dev/null
check "a value that is none is refused" \
	grep -E 'Operation cancell?ed|reservation is invalid|book=soon' "$out/said"
submit $'#!/bin/sh\ntrue' benefit=linear >/dev/null
check "and so is one without --book" \
	grep -E 'Operation cancell?ed|reservation is invalid|needs --book' "$out/said"

j=$(submit $'#!/bin/sh\nenv | grep -c SPANK_OPTION; sleep 100' book=asap)
check "the line that sbatch prints comes along" \
	grep -o 'rspb: booking likely: ' <(said '.job_submit_user_msg')
check "another one runs" wait_for 10 is_state "$j" RUNNING
check "which does not inherit them" wait_for 5 grep -x 0 "$out/portal"
rest DELETE "job/$j"
check "the portal cancels it" wait_for 15 gone "$j"
check "nothing is left of it" wait_for 10 no_reservations
