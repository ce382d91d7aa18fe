# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Bookings without a job for a group: who may ask for whom, what the group does
# with them, what their owner changes, gives back or is given, a kill. Takes 90 s.
has_accounting
cluster_up --nodes 4 || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"
sed -i 's/rspb_Max[A-Za-z]*=[^,]*,//g; s/rspb_Horizon=[^,]*,//' "$SLURM_CONF"
printf '%s\n' ChargePercent=100 LateCancel=60s MaxWaitingPerUser=4 \
	MaxNodes=100% MaxBookedPercent=100% BatchInterval=50ms \
	>"$cluster/etc/rspb.conf"
# shellcheck source=tests/cluster/accounting.sh
. "$RSPB_TOP/tests/cluster/accounting.sh"
uid_a=$(id -u $user_a)
accounts() {
	sacctmgr -i add cluster rspb &&
		sacctmgr -i add account physics teaching &&
		sacctmgr -i add user $user_a account=teaching,physics \
			defaultaccount=physics &&
		sacctmgr -i add user $user_b account=teaching \
			defaultaccount=teaching &&
		sacctmgr -i add coordinator account=teaching names="$user_a"
}
check "accounts, users and a coordinator are made" accounts
check "slurmctld starts with them" ctld_start
wait_for 10 scontrol show reservation rspb_waiting

ask() {
	as "$1" rspb request "${@:2}"
}
resv() {
	scontrol -o show reservation "$1" 2>/dev/null
}
resv_says() {
	resv "$1" | grep -qE -- "$2" || { resv "$1"; return 1; }
}
value() {
	as $user_a rspb --json show "$1" |
		sed -n "s/^ *\"$2\":\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p"
}
is() {
	[ "$(value "$1" "$2")" = "$3" ] || { as $user_a rspb show "$1"; return 1; }
}

note "who may"
t=$(ahead 600)
at=(-N2 -t 10 --begin="$(slurm_time "$t")")
check "a coordinator, for the account" says 0 '^group_1 booked .* 2 nodes' \
	ask $user_a --wait "${at[@]}" --for-accounts=teaching
check "and for a user of it" says 0 '^group_2$' \
	ask $user_a "${at[@]}" --for-users="$user_b" -p main
check "not for another account" says 1 'do not coordinate account physics' \
	ask $user_a "${at[@]}" --for-accounts=physics
check "nor for users without it" says 1 'user root has no account' \
	ask $user_a "${at[@]}" --for-users="$user_b,root"
check "nor who only has the account" says 1 'do not coordinate account teaching' \
	ask $user_b "${at[@]}" --for-accounts=teaching
check "for nobody: not at all" says 1 'name either users or accounts' \
	ask $user_a "${at[@]}" --for-users=
check "more than the site allows: at once" says 1 'Horizon' \
	ask $user_a -N1 -t 10 --begin=2036-01-01 --for-accounts=teaching
check "with a script: 2" says 2 'no job' ask $user_a "${at[@]}" \
	--for-accounts=teaching job.sh
check "it is what was asked for" is group_1 start "$t"
check "for whom" is group_1 accounts teaching
check "Slurm has it so" resv_says group_1 "NodeCnt=2 .*Accounts=teaching"
check "its owner is in the contract" resv_says group_1 "owner=$uid_a"
check "and it is the owner's in the list" grep -q "group_1 *$user_a" \
	<(as $user_a rspb list)

note "what does not fit"
check "the machine is full then: declined, with offers" \
	says 1 'group_3 declined: .*on offer' \
	ask $user_a --wait "${at[@]}" --for-accounts=teaching
check "it is in the list" grep -q 'group_3 .*declined' \
	<(as $user_a rspb list)
check "what it could have instead" says 0 'rspb accept group_3 2@[0-9]{8}T' \
	as $user_a rspb offers group_3
check "is nobody else's to know" says 1 'not yours' as $user_b rspb offers group_3
offer=$(as $user_a rspb --json offers group_3 | jq -r '.offers[0].offer')
check "none is held for it" says 2 'offers of a job' \
	as $user_a rspb offers group_3 --hold
check "it takes one" says 0 'group_3 booked .* 2 nodes' \
	as $user_a rspb accept group_3 "$offer"
check "it asks again" as $user_a rspb modify group_3 -N1 \
	--begin="$(slurm_time $((t + 600)))"
check "and is booked" wait_for 10 is group_3 state booked
check "one node, as asked now" is group_3 nodes 1
check "back it goes" as $user_a rspb cancel group_3
check "and is gone" says 1 'no booking group_3' as $user_a rspb show group_3

note "others"
check "another user does not change it" says 1 'not yours' \
	as $user_b rspb modify group_1 -N1
check "nor give it back" says 1 'not yours' as $user_b rspb release group_1
check "nor cancel it" says 1 'not yours' as $user_b rspb cancel group_1
check "it stands" is group_1 nodes 2

note "changes"
check "longer" says 0 'booked' as $user_a rspb modify group_1 -t 20
check "Slurm, too" resv_says group_1 'Duration=00:20:00'
check "more than fits is refused, with an offer" says 1 . \
	as $user_a rspb modify group_1 -N3
check "and all is as before" is group_1 nodes 2
scontrol update reservationname=group_1 duration=10 >/dev/null
check "an operator's change is taken over" wait_for 5 is group_1 end \
	$((t + 600))
check "the owner stays" resv_says group_1 "owner=$uid_a"

note "handed to another user"
uid_b=$(id -u $user_b)
plain=$(as $user_a sbatch --parsable -A physics --book -N1 -t 1 \
	--begin="$(slurm_time $((t + 7200)))" -o /dev/null --wrap true)
check "not by its owner" says 1 'only an operator can give it' \
	as $user_a rspb modify group_2 --user=$user_b
check "not to nobody" says 2 'no such user' rspb modify group_2 --user=nobody-here
check "not one of a job" wait_for 10 says 1 'only a booking without a job' \
	rspb modify "$plain" --user=$user_b
scancel "$plain"
printf '%s\n' "Rule=few Users=$user_b MaxNodes=1" >>"$cluster/etc/rspb.conf"
reconfigure
check "not to whom the site would not give it" says 1 'MaxNodes' \
	rspb modify group_2 --user=$user_b
check "and it is whose it was" is group_2 uid "$uid_a"
sed -i '/^Rule=few/d' "$cluster/etc/rspb.conf"
reconfigure
check "by an operator" says 0 '^booked from .* on 2 nodes' \
	rspb modify group_2 --user=$user_b
check "it is the other's" resv_says group_2 "NodeCnt=2 .*owner=$uid_b"
check "who changes it" says 0 booked as $user_b rspb modify group_2 -t 9
check "as its owner before does not" says 1 'not yours' \
	as $user_a rspb modify group_2 -t 10
more() {
	local i
	for ((i = 1; i <= $1; i++)); do
		ask $user_a --wait -N1 -t 10 --for-accounts=teaching \
			--begin="$(slurm_time $((t + 3600 * i)))" || return
	done
}
check "four are as many as its owner may have, not five" \
	says 1 'group_6 booked.*|MaxWaitingPerUser' more 4
check "by that limit" says 0 MaxWaitingPerUser as $user_a rspb list
# Their numbers begin anew where reconfiguring is a new start of slurmctld.
mapfile -t rest < <(as $user_a rspb list | awk '$1 ~ /^group_/ && $1 !~ /_[12]$/ { print $1 }')
check "and gives them back" as $user_a rspb cancel "${rest[@]}"

note "a kill"
ctld_stop KILL
check "slurmctld comes back" ctld_start
check "they are booked as before" wait_for 20 is group_1 state booked
check "whose" is group_1 uid "$uid_a"
check "and the group's" resv_says group_2 "Users=$user_b"
check "and whose that was made" resv_says group_2 "owner=$uid_b"
sleep 1
ctld_stop KILL
rm "$cluster"/state/resv_state*
# with accounting it would not from 25.05 on
check "slurmctld comes back without reservations" ctld_start -i
check "they are made again" wait_for 20 is group_2 state booked
check "and what was handed over stays so" resv_says group_2 "owner=$uid_b"
check "in the partition that was asked for" \
	resv_says group_2 "PartitionName=main .*Users=$user_b"
check "and where none was, in none" resv_says group_1 'PartitionName=(\(null\))? '
check "still not another's" says 1 'not yours' \
	as $user_b rspb release group_1

note "the group's jobs"
all_idle() {
	! sinfo -h -N -o %t | grep -vx 'idle\|resv'
}
check "all nodes have answered" wait_for 20 all_idle
t=$(ahead 15)
check "one that begins soon, deadline and range" says 0 \
	'^group_[0-9]+ booked .* 2 (of 3)? ?nodes' ask $user_a --wait -N1-2 -t 1 \
	--begin="$(slurm_time "$t")" --for-accounts=teaching -p main
name=$(as $user_a rspb list | awk '$1 ~ /^group_/ { print $1; exit }')
mine=$(as $user_b sbatch --parsable -A teaching --reservation="$name" -N1 -t 1 \
	-o /dev/null --wrap 'sleep 5')
check "another's job waits in it" is_state "$mine" PENDING
check "one of another account does not get in" says 1 . \
	as $user_a sbatch -A physics --reservation="$name" -N1 -t 1 --wrap true
check "it starts in the window" wait_for 40 is_state "$mine" RUNNING
check "which is active" is "$name" state active
check "it is not given back while it runs" says 1 'jobs are in it' \
	as $user_a rspb release "$name"
scancel "$mine"
wait_for 10 gone "$mine"
check "then it is" wait_for 10 as $user_a rspb release "$name"
# Nothing of it changes at its end but the time, see 33-unused.
t=$(ahead 10)
ask $user_a --wait -N1 -t 5 --begin="$(slurm_time "$t")" --for-accounts=teaching \
	>"$out/another" 2>&1
name=$(sed -n 's/ booked .*//p' "$out/another")
another() {
	is "$name" start "$t" || { cat "$out/another"; return 1; }
}
check "another one" another
sleep_until $((t + 1))
t=$((t + 10)) t=$((t + (11 - t % 10) % 10))
scontrol update reservationname="$name" endtime="$(slurm_time "$t")" >/dev/null
check "an operator shortens it" wait_for 3 is "$name" end "$t"
sleep_until "$t"
check "and it is over then" wait_for 1 eval '! is "$name" state active'
check "and what was used of it is charged" says 0 '"node_seconds_charged":[1-9]' \
	as $user_a rspb --json stats

# Flags+= is not known to all releases.
magnetic() {
	scontrol update reservationname="$name" flags+=magnetic || scontrol update \
		reservationname="$name" flags=overlap,ignore_jobs,spec_nodes,magnetic
}
t=$(ahead 15)
ask $user_a --wait -N2 -t 5 --begin="$(slurm_time "$t")" --for-accounts=teaching \
	>"$out/magnetic" 2>&1
name=$(sed -n 's/ booked .*//p' "$out/magnetic")
check "an operator makes one magnetic" magnetic
check "its owner changes it" says 0 'on 3 nodes' as $user_a rspb modify "$name" -N3
drawn=$(as $user_b sbatch --parsable -A teaching -w "$(value "$name" names)" --exclusive -t 1 \
	-o /dev/null --wrap 'sleep 5')
check "a job of the account needs no --reservation" wait_for 60 is_state "$drawn" RUNNING
check "to be in it" grep " Reservation=$name " <<<"$(scontrol show job "$drawn" -o)"
scancel "$drawn"
wait_for 10 gone "$drawn"
check "it is released" wait_for 10 as $user_a rspb release "$name"

note "copies on disjoint nodes"
t=$(ahead 300)
echo '#!/bin/sh' >"$out/job.sh"
chmod 755 "$out/job.sh"
copies() {
	as $user_a rspb request --wait --begin="$(slurm_time "$t")" -N1 -t 2 "$@"
}
check "three" says 0 booked copies --replicas=3 --wrap true
apart() {
	as $user_a rspb --json list |
		jq -e '[.bookings[] | select(.state == "booked")] |
			any(.components == 3)'
}
check "are one booking" says 0 true apart
scancel -u $user_a
wait_for 20 nothing_left
check "a script is told by --" says 2 'put "--" before the script' \
	copies --replicas=2 "$out/job.sh"
check "more than there are nodes are none" says 1 declined \
	copies --replicas=5 --wrap true
scancel -u $user_a
check "they are over" wait_for 20 no_jobs

note "features"
colours() {
	scontrol update nodename=n[1-2] features=red &&
		scontrol update nodename=n[3-4] features=blue
}
check "two nodes of a kind" colours
t=$(ahead 1800)
two=$(ask $user_a -N2 -t 10 -C red --for-accounts=teaching \
	--begin="$(slurm_time "$t")")
# on NODES FEATURES
on() {
	is "$two" names "$1" && is "$two" state booked &&
		resv_says "$two" "Features=$2 "
}
check "those are booked" wait_for 10 on 'n[1-2]' red
check "others instead" says 0 'on 2 nodes' as $user_a rspb modify "$two" -C blue
check "they are, and Slurm knows" on 'n[3-4]' blue
check "nobody else changes that" says 1 'not yours' \
	as $user_b rspb modify "$two" -C red
check "what no node has is refused" says 1 . as $user_a rspb modify "$two" -C green
check "nor are there three" says 1 . as $user_a rspb modify "$two" -N3
check "it is as it was" on 'n[3-4]' blue
check "any" says 0 'on 2 nodes' as $user_a rspb modify "$two" --constraint=
check "it stays where it is" on 'n[3-4]' '(\(null\))?'
check "and can be more" says 0 'on 3 nodes' as $user_a rspb modify "$two" -N3
check "red ones again" says 0 'on 2 nodes' as $user_a rspb modify "$two" -N2 -C red
ctld_stop KILL
check "slurmctld comes back" ctld_start
colours
check "with what was changed last" wait_for 20 on 'n[1-2]' red
three=$(ask $user_a -N2 -t 10 -C red --for-accounts=teaching \
	--begin="$(slurm_time "$t")")
check "more of them there are not" wait_for 10 is "$three" state declined
check "any will do" as $user_a rspb modify "$three" --constraint=
check "and are booked" wait_for 10 is "$three" names 'n[3-4]'
as $user_a rspb cancel "$two" "$three"

note "jobs that do not name it"
pull=$(ask $user_a -N1 -t 3 --for-accounts=teaching --begin="$(slurm_time "$(ahead 12)")")
check "a booking for now" wait_for 10 is "$pull" state booked
check "an operator makes it magnetic" scontrol update reservationname="$pull" flags+=MAGNETIC
drawn=$(as $user_b sbatch --parsable -o /dev/null -N1 -t 2 -w "$(value "$pull" names)" \
	--wrap 'sleep 100')
check "a job of a member begins in it" wait_for 30 is_state "$drawn" RUNNING
check "which stays as it was booked" is "$pull" state active
drawn_in() {
	scontrol -o show job "$drawn" | grep "Reservation=$pull " ||
		{ scontrol show job "$drawn"; return 1; }
}
check "and Slurm says so" drawn_in
as $user_b scancel "$drawn"
as $user_a rspb cancel "$pull"

note "the booking of a job, for a colleague"
t=$(ahead 3600)
mine=$(as $user_a sbatch --parsable -o /dev/null --book --begin="$(slurm_time "$t")" -t 5 -N4 \
	--wrap true)
check "the machine is booked" booked "$mine"
theirs=$(as $user_b sbatch --parsable -o /dev/null --book --hold --begin="$(slurm_time "$t")" \
	-t 5 -N4 --wrap true)
check "the job of the colleague waits, held" wait_for 10 contract_says "$theirs" ': requested'
as $user_a rspb cancel "$mine"
check "it is released" as $user_b scontrol release "$theirs"
check "and has the nodes" booked "$theirs"
as $user_b rspb cancel "$theirs"

note "several dates"
day=$(($(ahead 86400) / 3600 * 3600))
check "memory needs cores" says 1 'mem needs --cores' ask $user_a -N1 -t 10 --mem=200 \
	--for-accounts=teaching --begin="$(slurm_time "$day")"
check "cores are of a number of nodes" says 1 'fixed number' ask $user_a -N1-2 -t 10 --cores=1 \
	--for-accounts=teaching --begin="$(slurm_time "$day")"
check "a list of devices has no blanks" says 1 'gres=.*KIND' ask $user_a -N1 -t 10 --cores=1 \
	--gres='gpu:1 owner=0' --for-accounts=teaching --begin="$(slurm_time "$day")"
mapfile -t days < <(ask $user_a -N1 -t 10 --for-accounts=teaching --repeat=daily --count=3 \
	--begin="$(slurm_time "$((day + 3600))")")
check "one for each of three days" [ "${#days[@]}" -eq 3 ]
check "the last one is booked" wait_for 10 is "${days[2]}" state booked
check "two days after the first" \
	[ "$(($(value "${days[2]}" start) - $(value "${days[0]}" start)))" -eq 172800 ]
check "dates begin somewhere" says 2 'first start with --begin' ask $user_a -N1 -t 10 \
	--for-accounts=teaching --repeat=daily --count=3
as $user_a rspb cancel "${days[@]}"
