# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A site without MUNGE: AuthType=auth/slurm, of Slurm 23.11 and later, with which
# rspb signs its messages, too.
# Takes 40 s.
# shellcheck source=contrib/quickstart.d/conf.sh
. "$RSPB_TOP/contrib/quickstart.d/conf.sh"
[ -f "$(conf_stock_plugins)/auth_slurm.so" ] ||
	skip_suite "this Slurm has no auth/slurm"
# Slurm's daemons answer for each other at one place on a host.
for socket in /run/slurm/sack.socket /run/slurmctld/sack.socket; do
	[ ! -S "$socket" ] || ! ss -xl 2>/dev/null | grep -qF "$socket" ||
		skip_suite "another Slurm with auth/slurm runs here"
done
cluster_up --nodes 2 || exit 1
PATH=$cluster/rspb/bin:$PATH

node_pids() {
	cat "$cluster"/run/node-n[12].pid
}
dead() {
	! kill -0 "$1" 2>/dev/null
}
nodes_stop() {
	local pid
	for pid in $(node_pids); do
		kill "$pid"
	done
	for pid in $(node_pids); do
		wait_for 20 dead "$pid" || return 1
	done
}
ctld_stop
check "the nodes stop" nodes_stop
sed -i 's|^AuthType=.*|AuthType=auth/slurm|; s|^CredType=.*|CredType=cred/slurm|
	/^AuthInfo=/d' "$cluster/etc/slurm.conf"
dd if=/dev/urandom of="$cluster/etc/slurm.key" bs=1024 count=1 2>/dev/null
chmod 600 "$cluster/etc/slurm.key"
kill "$(<"$cluster/run/munged.pid")" 2>/dev/null
mkdir -p /run/slurm /run/slurmctld
ctld_start
node_start n1 -N n1
node_start n2 -N n2
ready() {
	[ "$(sinfo -h -N -p main -t idle | wc -l)" -eq 2 ] &&
		scontrol show reservation rspb_waiting
}
check "slurmctld and its nodes sign by auth/slurm" wait_for 30 ready

t=$(ahead 30)
one=$(book $user_a "$t" -N1)
other=$(book $user_b "$t" -N1)
check "bookings of two users" booked "$one" "$other"
is_here() {
	as $user_a rspb check | grep "answered in"
}
check "rspb reaches slurmctld" is_here
own() {
	as $user_a rspb show "$one" | grep -q booked &&
		as $user_a rspb list | grep -w "$one"
}
check "its owner sees a booking" own
not_others() {
	local said
	said=$(as $user_b rspb cancel "$one" 2>&1) && { echo "$said"; return 1; }
	[ "$(booking "$one")" = booked ]
}
check "and nobody else cancels it" not_others
longer() {
	as $user_a rspb modify "$one" --time=2 &&
		[ "$(granted "$one" end)" -eq $((t + 120)) ]
}
check "rspb modify does, for its owner" longer
# What munged would sign is nothing here, nor is what somebody makes up.
forged() {
	local port said
	port=$(sed -n 's/^ListenPort=//p' "$cluster/etc/rspb.conf")
	said=$(printf '\0\0\0\101:x.y.z' | timeout 5 \
		bash -c 'exec 3<>/dev/tcp/127.0.0.1/'"$port"'; cat >&3; cat <&3')
	[ -z "$said" ] && is_here
}
check "a made-up signature gets no answer" forged
check "they start on their second" starts_at "$one" "$t"
check "both of them" starts_at "$other" "$t"
as $user_a scancel "$one"
check "nothing is left over" wait_for 30 nothing_left
