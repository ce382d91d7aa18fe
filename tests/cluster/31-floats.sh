# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A reservation that floats (TIME_FLOAT) stays ahead of the time, also after the end that it was
# made with.
# Takes 75 s.
cluster_up --nodes 2 || exit 1
scontrol create reservation reservationname=float flags=TIME_FLOAT starttime=now+5 duration=1 \
	nodes=n1 users=root
end=$((EPOCHSECONDS + 66))
is_past() {
	[ "$EPOCHSECONDS" -gt "$end" ]
}
check "its first end has passed" wait_for 70 is_past
t=$(ahead 20)
check "its node cannot be booked for the time ahead" declined \
	"$(book $user_a "$t" -w n1 -N1 --exclusive)"
check "another node can" booked "$(book $user_a "$t" -w n2 -N1 --exclusive)"
