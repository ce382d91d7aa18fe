# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Killed again before Slurm has saved all that the start behind the first kill has
# put right: jobs that Slurm's files have in no reservation, or in the waiting
# room. Takes 12 s.
cluster_up --nodes 6 || exit 1
conf=$cluster/etc/slurm.conf
journal=$cluster/state/rspb.journal
cp "$conf" "$out/slurm.conf"

# between COMMAND...: slurmctld is ended, and stock Slurm does that to the files that
# it has left, as Slurm's own saves do it when it is killed between two of them.
between() {
	ctld_stop "${how:-KILL}"
	sed -i -e "s|^PluginDir=$cluster/rspb/lib/slurm-rspb:|PluginDir=|" \
		-e '/^JobSubmitPlugins=/d' -e '/^PlugStackConfig=/d' "$conf"
	mv "$cluster/etc/plugstack.conf" "$out"
	ctld_start && "$@" && ctld_stop
	local rc=$?
	cp "$out/slurm.conf" "$conf"
	mv "$out/plugstack.conf" "$cluster/etc"
	return $rc
}
# put JOB RESERVATION
put() {
	scontrol update jobid="$1" reservationname="$2"
}
tied() {
	scontrol -o show job "$1" | grep " Reservation=rspb_$1 "
}
# Each has come back as it was, in its reservation, and stays there.
stands() {
	booked "$1" && tied "$1" && [ "$(contract "$1")" = "$2" ]
}
t=$(ahead 3600)
first=$(book $user_a "$t" -N2)
second=$(book $user_b $((t + 600)) -N6 --benefit=linear:25%)
third=$(book $user_a $((t + 1200)) -N1)
for j in $first $second $third; do
	check "$j is booked" wait_for 10 booked "$j"
done
was_first=$(contract "$first") was_second=$(contract "$second")

note "saved in the waiting room, behind the reservation that is there"
both() {
	put "$first" rspb_waiting && put "$second" rspb_waiting
}
check "put there" between both
check "slurmctld starts" ctld_start
check "one is put back" wait_for 5 stands "$first" "$was_first"
check "the other, too" wait_for 5 stands "$second" "$was_second"
sleep 2
check "it stays" stands "$first" "$was_first"

note "saved in none, as its reservation was not there when it was read"
check "taken out" between put "$first" ''
check "slurmctld starts" ctld_start
check "it is put back" wait_for 5 stands "$first" "$was_first"
ctld_stop KILL
check "slurmctld starts, killed once more" ctld_start
check "it is still there" wait_for 5 stands "$first" "$was_first"
check "the other, too" stands "$second" "$was_second"

note "taken out by somebody, which is refused while we are there"
gone() {
	contract "$1" | grep "rspb: cancelled.*taken out of its reservation"
}
# For longer than between two heartbeats.
longer() {
	put "$third" '' && perl -pi -e 'chomp; s/,"crc":"\w+"}$//;
		s/"at":\K(\d+)/$1 - 1000/e;
		my $c = 0xffffffff;
		for (unpack "C*", $_) { $c ^= $_;
			$c = $c & 1 ? $c >> 1 ^ 0x82f63b78 : $c >> 1 for 1 .. 8; }
		$_ .= sprintf "\,\"crc\":\"%08x\"}\n", $c ^ 0xffffffff' "$journal"
}
how=TERM
check "taken out without us" between longer
check "slurmctld starts with us" ctld_start
check "that is seen" wait_for 5 gone "$third"
check "the first one stands all the time" stands "$first" "$was_first"
