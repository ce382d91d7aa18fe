# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A node that does not answer a slurmctld that has just started holds up those alone
# who cannot do without it, for half a minute. Takes 75 s.
cluster_up --nodes 3 || exit 1
check "requests are taken" \
	wait_for 10 scontrol show reservation rspb_waiting
kill -STOP "$(cat "$cluster/run/node-n3.pid")"
check "slurmctld is killed" ctld_stop KILL
began=$EPOCHSECONDS
check "and comes back" ctld_start
check "requests are taken again" \
	wait_for 10 scontrol show reservation rspb_waiting
t=$(ahead 45)
two=$(book $user_a "$t" -N2)
three=$(book $user_b $((t + 5)) -N3)
named=$(book $user_a $((t + 60)) -w n3)
later=$(book $user_b $((t + 600)) -N3)
for j in $two $later; do
	check "$j does without it and is booked" wait_for 8 is_booking "$j" booked
done
says_why() {
	contract "$1" | grep 'rspb: requested .*reason=slurmctld has just started and waits, for up to 30 s, until n3 has answered'
}
[ $EPOCHSECONDS -lt $((began + 25)) ] && ok "it is not for its time that it was decided" ||
	not_ok "it took $((EPOCHSECONDS - began)) s"
check "who needs it waits and is told why" wait_for 5 says_why "$three"
check "then that is decided, too" wait_for 40 decided "$three"
check "it has no room" declined "$three"
kill -CONT "$(cat "$cluster/run/node-n3.pid")"
check "who named it has an answer" wait_for 10 decided "$named"

note "who begins the sooner the sooner they answer"
scancel -u $user_a
scancel -u $user_b
check "nothing is left over" wait_for 20 nothing_left
kill -STOP "$(cat "$cluster/run/node-n3.pid")"
check "slurmctld is killed once more" ctld_stop KILL
check "and comes back once more" ctld_start
check "requests are taken once more" \
	wait_for 10 scontrol show reservation rspb_waiting
asap=$(job $user_b 5 --book=asap --time=1 -N3)
check "who wants all as soon as may be waits, too" wait_for 8 says_why "$asap"
kill -CONT "$(cat "$cluster/run/node-n3.pid")"
check "and begins when they are there, not a minute later" wait_for 30 began "$asap"
