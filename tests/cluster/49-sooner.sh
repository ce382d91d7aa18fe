# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# --book=asap behind jobs that end long before their limits: the bookings move forward,
# who asked first, first; their owners are told once, and not near the start.
# Takes 60 s.
box=$folder/notices
mkdir -m 777 "$box"
cat >"$box/tell" <<TEXT
#!/bin/sh
echo "\$1 \$2" >>$box/told
TEXT
chmod 755 "$box/tell"
: >"$box/told"
chmod 666 "$box/told"
printf '%s\n' "NoticeProgram=$box/tell" JournalKeep=1d DebugLocks=yes FirmNotice=5m \
	ReserveAhead=15m \
	>"$folder/rspb.conf"
cluster_up --nodes 4 --rspb-conf "$folder/rspb.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"

# told N PATTERN: so many lines of notices are like it.
told() {
	[ "$(grep -cE -- "$2" "$box/told")" -eq "$1" ] || { cat "$box/told"; return 1; }
}
# within JOB FROM TO: it is to start so many seconds from now.
within() {
	local left=$(($(granted "$1" start) - EPOCHSECONDS))
	[ $left -ge "$2" ] && [ $left -le "$3" ] || { contract "$1"; return 1; }
}
starts_then() {
	[ "$(granted "$1" start)" = "$2" ] || { contract "$1"; return 1; }
}
runs() {
	[ "$(job_state "$1")" = RUNNING ]
}
# The reservation of a booking, not only its contract, begins then.
reserved() {
	[ "$(scontrol -o show reservation "rspb_$1" |
		sed -n 's/.* StartTime=\([^ ]*\).*/\1/p')" = "$(slurm_time "$2")" ]
}

note "behind jobs of 20 hours that end after seconds"
long=$(job $user_b 600 -N4 --exclusive --time=1200)
check "the machine is full" wait_for 10 runs "$long"
first=$(job $user_a 600 --book=asap -N3 --time=10)
check "one is booked" booked "$first"
second=$(job $user_b 1 --book=asap -N4 --time=10)
check "another, too" booked "$second"
pair=$(as $user_a sbatch --parsable -o job-%j.out --book=asap --time=10 -N1 : \
	--book=asap --time=10 -N2 job.sh 1)
check "and a pair of jobs" booked "$pair"
fixed=$(book $user_a "$(ahead 86400)" -N1)
check "and one with a start of its own" booked "$fixed"
fixed_at=$(granted "$fixed" start)
check "all of them behind that" within "$first" 71000 73000
check "as is the second" within "$second" 71000 74000
scancel "$long"
check "the first begins as soon as they have ended" wait_for 20 began "$first"
check "its owner has been told" wait_for 5 told 1 "^moved $first$"
check "the second is to begin behind it" wait_for 10 within "$second" 500 620
check "and so is the pair, with both of its parts" wait_for 10 within "$pair" 500 1300
check "which begin at the same time" starts_then $((pair + 1)) \
	"$(granted "$pair" start)"
check "the contract says why" eval "contract $second |
	grep -q 'reason=an earlier start: nodes became free'"
check "a start that was asked for stays" starts_then "$fixed" "$fixed_at"
check "and its owner hears nothing of it" told 0 "^moved $fixed$"

note "what stands after a crash"
at=$(granted "$second" start)
ctld_stop KILL
ctld_start
check "the new start stands" wait_for 10 starts_then "$second" "$at"
check "for its reservation, too" wait_for 10 reserved "$second" "$at"
check "the first still runs" runs "$first"
as $user_a scancel "$first"
check "it still moves forward when the first is over" wait_for 20 began "$second"
check "about which it was told for each of two moves" wait_for 5 told 2 \
	"^moved $second$"
check "a start that was asked for still stays" starts_then "$fixed" "$fixed_at"
check "the pair begins behind it" wait_for 20 began "$pair"
as $user_a scancel "$fixed"
wait_for 20 nothing_left

note "near its start"
long=$(job $user_b 600 -N4 --exclusive --time=3)
check "the machine is full again" wait_for 10 runs "$long"
soon=$((EPOCHSECONDS + 150))
late=$(job $user_a 1 --book=asap --deadline="$(slurm_time $soon)" -N4 --time=1)
check "a request that would end after its deadline is declined" declined "$late"
as $user_a rspb modify "$late" --time=2 >/dev/null
again() {
	contract "$late" | grep -q ' duration=120s ' && declined "$late"
}
check "asked again for another time, it is declined, too" wait_for 10 again
check "and keeps its deadline" eval "contract $late |
	grep -q ' deadline=$(date -u -d @$soon +%FT%TZ) '"
as $user_a scancel "$late"
near=$(job $user_a 1 --book=asap -N4 --time=1)
check "one is booked behind it, within FirmNotice" booked "$near"
check "in some minutes" within "$near" 60 300
at=$(granted "$near" start)
scancel "$long"
wait_for 10 gone "$long"
sleep 4
check "it stays where it is" starts_then "$near" "$at"
check "and nobody is told" told 0 "^moved $near$"
as $user_a scancel "$near"

note "held by its owner"
long=$(job $user_b 600 -N4 --exclusive --time=1200)
check "the machine is full once more" wait_for 10 runs "$long"
held=$(job $user_a 1 --book=asap -N4 --time=1)
check "one is booked" booked "$held"
at=$(granted "$held" start)
scontrol hold "$held"
scancel "$long"
wait_for 10 gone "$long"
sleep 3
check "it stays while it could not start" starts_then "$held" "$at"
scontrol release "$held"
check "and moves when it can" wait_for 20 began "$held"
wait_for 20 nothing_left
check "the journal decides the same" decides_the_same 5
# shellcheck disable=SC2046
moves() {
	"$cluster/rspb/bin/rspb-sim" journal $(journals) 2>&1 |
		grep -E 'among them ([4-9]|[1-9][0-9]) that'
}
check "also where they moved" moves
