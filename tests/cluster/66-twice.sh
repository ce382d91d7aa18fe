# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Killed again before Slurm has saved all that the start behind the first kill has
# put right: jobs that Slurm's files have in no reservation, or in the waiting
# room; or killed between a job's end and our look at it. Takes 40 s.
# what Slurm has of bookings is looked at long before their start
echo ReserveAhead=0 >"$folder/rspb.conf"
cluster_up --nodes 6 --rspb-conf "$folder/rspb.conf" || exit 1
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

note "an operator's, made again under another number"
number() {
	grep -a '"name":"maint"' "$1" | tail -n 1 | grep -o '"reservation":[0-9]*'
}
resv_booked() {
	scontrol -o show reservation maint | grep 'BurstBuffer=rspb: booked'
}
scontrol create reservation reservationname=maint users=root \
	starttime="$(slurm_time $((t + 7200)))" duration=10 flags=any_nodes \
	burstbuffer="rspb:nodes=6" >/dev/null
check "an operator's is booked" wait_for 5 resv_booked
fourth=$(book $user_b $((t + 9000)) -N1)
check "$fourth is booked, with a number behind it" wait_for 10 booked "$fourth"
lost() {
	cp "$journal" "$out/journal" && scontrol delete reservation maint
}
saved() {
	grep -aq maint "$cluster/state/resv_state" &&
		grep -aq "rspb_$fourth" "$cluster/state/resv_state"
}
check "Slurm has saved both" wait_for 12 saved
how=KILL
check "Slurm has lost the operator's" between lost
check "slurmctld starts" ctld_start
check "it is made again" wait_for 5 resv_booked
anew() {
	[ "$(number "$journal")" != "$(number "$out/journal")" ]
}
check "under another number" wait_for 5 anew

note "killed while the journal was not yet written anew, and then deleted"
ctld_stop
cp "$out/journal" "$journal"
check "slurmctld starts" ctld_start
check "it is there" wait_for 5 resv_booked
# What goes before bookings are read is taken for lost (doc/journal.md).
sleep 1
check "it is deleted" scontrol delete reservation maint
fifth=$(book $user_b $((t + 7200)) -N6)
check "its nodes are booked by somebody else" wait_for 10 booked "$fifth"
was_fifth=$(contract "$fifth")
for how in KILL TERM; do
	ctld_stop $how
	check "$how: slurmctld starts" ctld_start
	check "$how: who has its nodes keeps them" \
		wait_for 5 stands "$fifth" "$was_fifth"
	sleep 1
	check "$how: it does not come back" \
		eval '! scontrol show reservation maint'
done

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

note "over, which nobody of us has seen"
t=$(ahead 6)
ends=$(job $user_a 12 --book --begin="$(slurm_time "$t")" --time=5 -N1)
ended=$(job $user_a 60 --book --begin="$(slurm_time "$t")" --time=5 -N1)
check "two are booked" booked "$ends" "$ended"
runs() {
	is_booking "$ends" active && is_booking "$ended" active
}
check "and run" wait_for 12 runs
over() {
	scancel "$ended" && wait_for 20 is_state "$ends" COMPLETED &&
		wait_for 20 is_state "$ended" CANCELLED
}
check "one ends, the other is cancelled, without us" between over
check "slurmctld starts with us" ctld_start
check "the one is completed" wait_for 5 is_booking "$ends" completed
check "the other terminated" wait_for 5 is_booking "$ended" terminated
check "and says why" eval 'contract "$ended" | grep "its job was cancelled"'
ctld_stop
rm "$cluster/state"/job_state*
check "slurmctld starts, without jobs" ctld_start
check "others are kept" wait_for 5 there "kept_$first"
check "nothing is kept for what was over" \
	eval '! there "kept_$ends" && ! there "kept_$ended"'
