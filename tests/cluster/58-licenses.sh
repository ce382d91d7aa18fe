# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Licenses count over windows as nodes do: those of bookings, of jobs that run
# into them, and of operators' reservations. Takes 80 s.
cat >"$folder/slurm.conf" <<'TEXT'
Licenses=lic:2,rare:1,last:1
NodeName=n[1-6] CPUs=4
TEXT
echo ReserveAhead=0 >"$folder/rspb.conf"
cluster_up --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" || exit 1
PATH=$cluster/rspb/bin:$PATH

drop() {
	scancel "$@"
	wait_for 10 no_reservations
}

t=$(ahead 600)
note "bookings"
one=$(book $user_a "$t" -L lic:1)
two=$(book $user_b "$t" -L lic:1)
check "two bookings with a license each are booked" booked "$one" "$two"
three=$(book $user_a "$t" -L lic:1)
check "a third one is declined, with nodes idle" declined "$three"
check "the license is named, and what is held" contract_says "$three" \
	'license lic:2, of which 2 are booked or running at the time'
check "an offer is a time at which it may run" contract_says "$three" 'on offer: 1 node'
beside=$(book $user_a "$((t + 30))" -L lic:2)
check "so is one that overlaps in part" declined "$beside"
after=$(book $user_a "$((t + 60))" -L lic:2)
check "one that begins when they end is booked" booked "$after"
other=$(book $user_a "$t" -L rare:1)
check "and one with another license" booked "$other"
none=$(book $user_a "$t")
check "and one without" booked "$none"
# slots LICENSES: the first minute from then on for which there are these.
slots() {
	as $user_b rspb slots -t 1 --begin="$(slurm_time "$t")" -L "$1" --json |
		jq -e --argjson t "$t" '.slots[0].from - $t'
}
slot_is() {
	[ "$(slots "$2")" = "$1" ] || { slots "$2"; return 1; }
}
check "slots are behind the licenses that are booked" wait_for 10 slot_is 120 lic
check "also for both" slot_is 120 lic:2,rare:1
check "behind the other one earlier" slot_is 60 rare
check "and for who wants none at once" slot_is 0 last
check "there are none of one that is not there" \
	refused 'licenses: the site has no nothing, or not as many' \
	as $user_b rspb slots -t 1 -L nothing
check "nor more than there are" refused 'licenses: the site has no lic:3' \
	as $user_b rspb slots -t 1 -L lic:3
two_kinds=$(book $user_a "$((t + 120))" -L lic:2,rare:1)
check "several licenses are booked together" booked "$two_kinds"
lacks=$(book $user_a "$((t + 120))" -L rare:1)
check "and all of them count" declined "$lacks"
# line START TEXT: what sbatch says about one.
line() {
	local said
	said=$(as $user_a sbatch -o /dev/null --book --time=1 \
		--begin="$(slurm_time "$1")" -L lic:1 --wrap true 2>&1)
	grep -E -- "$2" <<<"$said" || { echo "$said"; return 1; }
}
check "the line at submission knows them" line "$t" \
	'unlikely: .*license lic:2'
check "and where there are some, says so" line "$((t + 300))" ' likely: '
# offered BEGIN LICENSES [options]: what could be had without a job, or why not.
offered() {
	as $user_b rspb offers -t 1 --begin="$(slurm_time "$1")" -L "$2" "${@:3}" 2>&1
}
offers_line() {
	offered "$1" "$2" | grep -E -- "sbatch --book .*--licenses=$2"
}
same_time() {
	offered "$1" "$2" --json | jq -e --argjson t "$1" \
		'.offers[0].start == $t' >/dev/null
}
later() {
	offered "$1" "$2" --json | jq -e --argjson t "$1" \
		'[.offers[].start] | length > 0 and min > $t' >/dev/null
}
refused_as() {
	local said
	said=$(offered "$t" "$1") && return 1
	grep -E -- "$2" <<<"$said"
}
check "offers without a job know them: where all are booked, later" later "$t" lic:1
check "where some are left, then" same_time $((t + 400)) lic:2
check "their line to submit names them" offers_line $((t + 400)) lic:2
check "one that there is not is refused" refused_as none:1 \
	'--licenses=none:1: the site has no such license'
check "and more of one than there are" refused_as lic:3 \
	'--licenses=lic:3: '
asked=$(as $user_b rspb request --book -t 1 --begin="$(slurm_time $((t + 400)))" \
	-N1 -L lic:2 -o /dev/null job.sh 1 | grep -oE '[0-9]+' | head -n 1)
check "a request of them is booked" booked "$asked"
check "and so counts" later $((t + 400)) lic:1
scancel --user=$user_a; scancel --user=$user_b
wait_for 10 no_reservations

note "changed"
# as_it_was START: it stands there.
as_it_was() {
	[ "$(granted "$two" start)" = "$1" ] && [ "$(field "$two" TimeLimit)" = 00:01:00 ]
}
# changes_not PATTERN OPTIONS...
changes_not() {
	local said
	said=$(as $user_b rspb modify "$two" "${@:2}" 2>&1) && return 1
	grep -E -- "$1" <<<"$said" || { echo "$said"; return 1; }
}
one=$(book $user_a "$t" -L lic:2 -w n1)
two=$(book $user_b "$((t + 60))" -L lic:1 -w n2)
check "two of them, one behind the other" booked "$one" "$two"
check "its owner cannot move one to where all are booked" changes_not \
	'license lic:2, of which 2 are' --begin="$(slurm_time $((t + 30)))"
check "what is on offer is for that booking" changes_not \
	"on offer: .* rspb accept $two 1@" --begin="$(slurm_time $((t + 30)))"
check "it stands" as_it_was $((t + 60))
scontrol update reservation="rspb_$two" starttime="$(slurm_time $((t + 30)))"
check "nor can an operator, who is told" wait_for 10 contract_says "$two" \
	'stays as it was booked: license lic:2'
check "it stands" as_it_was $((t + 60))
check "elsewhere it may go" as $user_b rspb modify "$two" \
	--begin="$(slurm_time $((t - 60)))"
check "but not be longer" changes_not 'license lic:2' --time=2
check "it stands" as_it_was $((t - 60))
drop "$one" "$two"

note "a booking of several jobs"
het() {
	as $user_a sbatch --parsable -o /dev/null --book --time=1 \
		--begin="$(slurm_time "$t")" -N1 -L "lic:$1" : -N1 -L "lic:$2" \
		--wrap true
}
if one=$(het 1 1 2>"$out/stderr"); then
	check "its parts together have what there is" booked "$one"
	drop "$one"
	two=$(het 2 1)
	check "and no more" declined "$two"
	check "which is said" contract_says "$two" '3 is more than license lic:2 allows'
	drop "$two"
elif grep -q 'license request allowed only on leader job' "$out/stderr"; then
	skip "licenses of a later part: this Slurm lets the first part alone have them"
else
	check "a booking of two parts with a license each is submitted" sh -c "cat $out/stderr; false"
fi

note "what runs"
running=$(as $user_b sbatch --parsable -o /dev/null --time=15 -L rare:1 \
	--wrap 'sleep 600')
check "an ordinary job with a license runs into the window" wait_for 20 \
	is_state "$running" RUNNING
one=$(book $user_a "$t" -L rare:1)
check "a booking of it is declined" declined "$one"
check "for the license" contract_says "$one" 'license rare:1, of which 1 is'
after=$(book $user_a "$((t + 1200))" -L rare:1)
check "one after its time limit is booked" booked "$after"
drop "$running" "$one" "$after"

note "reservations of operators"
resv() {
	scontrol create reservation ReservationName=keep Users=root \
		Flags=LICENSE_ONLY"$1" Licenses=lic:1 Duration=5 \
		StartTime="$(slurm_time "$t")"
}
check "an operator reserves one of two" resv ''
one=$(book $user_a "$t" -L lic:2)
check "both cannot be booked then" declined "$one"
two=$(book $user_a "$t" -L lic:1)
check "the other can" booked "$two"
after=$(book $user_a "$((t + 300))" -L lic:2)
check "and both when the reservation is over" booked "$after"
drop "$one" "$two" "$after"
scontrol delete reservation keep
check "it comes back every day" resv ,DAILY
one=$(book $user_a "$((t + 86400))" -L lic:2)
check "which is seen" declined "$one"
drop "$one"
scontrol delete reservation keep

note "a booked job that ends"
# The agent looks at ended jobs once a second, so three tries make an accident unlikely.
far=$(book $user_a "$(ahead 3600)" -L lic:1)
check "another booking is on file" booked "$far"
for k in 1 2 3; do
	one=$(as $user_a sbatch --parsable -o job-%j.out --book=asap --time=3 -L rare:1 job.sh 170)
	check "a booking with a license begins, $k" wait_for 20 began "$one"
	check "as it is cancelled" as $user_a scancel "$one"
	check "a regular job with another license begins at once" as $user_b \
		salloc -I --no-shell --time=1 -L lic:1
	scancel --user=$user_b
done
drop "$far"

note "ordinary jobs"
t=$(ahead 75)
one=$(as $user_a sbatch --parsable -o /dev/null --book --time=3 \
	--begin="$(slurm_time "$t")" -L rare:1 job.sh 170)
two=$(book $user_a "$((t + 180))" -L lic:1)
check "bookings soon" booked "$one" "$two"
long=$(as $user_b sbatch --parsable -o job-%j.out -L rare:1 --time=15 job.sh 1)
plain=$(as $user_b sbatch --parsable -o job-%j.out --time=15 job.sh 1)
both=$(as $user_b sbatch --parsable -o job-%j.out -L lic:1 --time=15 job.sh 1)
# Behind one that waits for a license Slurm's main scheduler leaves the rest to
# backfill, every 30 s.
check "a job without licenses runs" wait_for 40 began "$plain"
check "one that leaves enough of them, too" wait_for 40 began "$both"
check "one that would run into the booking waits" is_state "$long" PENDING
check "the booking starts on its second" starts_at "$one" "$t"
check "the other waits until it has ended" is_state "$long" PENDING
scontrol requeue "$one"
again() {
	is_state "$one" RUNNING && [ "$(field "$one" Restarts)" = 1 ]
}
check "a booking that is requeued begins again" wait_for 30 again
check "and the other did not get its license meanwhile" is_state "$long" PENDING
in_use() {
	scontrol -o show lic | awk '{
		for (i = 1; i <= NF; i++) { split($i, a, "="); v[a[1]] = a[2] }
		if (v["Used"] > v["Total"]) { print; bad = 1 } }
		END { exit !bad }'
}
not_too_many() {
	! in_use
}
check "no more are in use than there are" not_too_many
as $user_a scancel "$one"
check "then it runs" wait_for 70 began "$long"
drop "$two"

note "fewer of them, afterwards"
t=$(ahead 40)
one=$(book $user_a "$t" -L last:1)
check "a license is booked" booked "$one"
sed -i 's/,last:1/,last:0/' "$SLURM_CONF"
reconfigure
# A license of which there are none does not exist since 26.05, and Slurm holds the job.
check "its owner is told when it is taken away" wait_for 25 contract_says "$one" \
	'it cannot start: (1 is more than license last:0 allows|.*its job requests \(last:1\))'
sleep_until $((t + 2))
check "it does not start then" is_state "$one" PENDING
check "and no more are in use than there are" not_too_many
sed -i 's/,last:0/,last:1/' "$SLURM_CONF"
reconfigure
check "it starts when it is back" wait_for 20 began "$one"
drop "$one"
