# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What was told outlives slurmctld: killed at once, with older or broken files,
# with a full disk. Takes 90 s.
# what Slurm has of bookings is looked at long before their start
echo ReserveAhead=0 >"$folder/rspb.conf"
cluster_up --nodes 6 --rspb-conf "$folder/rspb.conf" || exit 1
# shellcheck source=tests/cluster/durable.sh
. "$RSPB_TOP/tests/cluster/durable.sh"

# place JOB: what was promised of it.
place() {
	contract "$1" | sed -n 's/.*\(start=.*duration=[0-9a-z]*\).*/\1/p'
}

note "killed in the moment a booking is read"
t=$(ahead 600)
for round in 1 2; do
	jobs=()
	for n in 1 2 3; do
		jobs+=("$(book $user_a $((t + 120 * n)) -N$n)")
	done
	check "$round: booked" all told_booked "${jobs[@]}"
	was=$(all place "${jobs[@]}")
	kill9
	check "$round: slurmctld comes back" ctld_start
	check "$round: all stand" booked "${jobs[@]}"
	check "$round: with their reservations" all has_resv "${jobs[@]}"
	[ "$was" = "$(all place "${jobs[@]}")" ] && ok "$round: as they were" ||
		not_ok "$round: $was"
	as $user_a scancel "${jobs[@]}"
	sleep 0.05
	kill9
	check "$round: slurmctld comes back again" ctld_start
	cancelled() {
		[ -z "$(squeue -h -t PD)" ] || { squeue; return 1; }
	}
	check "$round: what was cancelled stays so" wait_for 5 cancelled
	check "$round: nothing is left" wait_for 5 no_reservations
done

note "cancelled requests, declined ones, an operator's"
keep=$(book $user_a $((t + 3600)) -N2)
check "one to keep" told_booked "$keep"
scontrol create reservation reservationname=maint users=root \
	starttime="$(slurm_time $((t + 7200)))" duration=10 flags=any_nodes \
	burstbuffer="rspb:nodes=2" >/dev/null
resv_place() {
	scontrol -o show reservation maint | tr ' ' '\n' |
		grep -E '^(StartTime|EndTime|Nodes)='
}
resv_booked() {
	scontrol -o show reservation maint | grep -q 'BurstBuffer=rspb: booked'
}
check "an operator's" wait_for 5 resv_booked
scontrol create reservation reservationname=spare users=root \
	starttime="$(slurm_time $((t + 7200)))" duration=10 flags=any_nodes \
	burstbuffer="rspb:nodes=1" >/dev/null
spare_booked() {
	scontrol -o show reservation spare | grep -q 'BurstBuffer=rspb: booked'
}
check "another one's" wait_for 5 spare_booked
was=$(resv_place)
kill9
check "slurmctld comes back" ctld_start
resv_same() {
	[ "$was" = "$(resv_place)" ] || { resv_place; return 1; }
}
check "the operator's is as it was" wait_for 5 resv_same
check "and still booked" wait_for 5 resv_booked
check "the other one, too" booked "$keep"
ctld_stop
cp "$state/resv_state" "$out/resv_first"
ctld_start
wait_for 5 scontrol show reservation rspb_waiting
scontrol update reservationname=maint duration=20 >/dev/null
resv_changed() {
	local text
	text=$(scontrol -o show reservation maint)
	grep -q 'Duration=00:20:00 ' <<<"$text" &&
		grep -q " end=$(date -u -d @$((t + 8400)) +%FT%TZ) " <<<"$text" ||
		{ echo "$text"; return 1; }
}
check "the operator's is changed" wait_for 5 resv_changed
resv_number() {
	sed -n 's/.*"reservation":\([0-9]*\),"name":"maint".*/\1/p' "$state/rspb.journal" |
		tail -n 1
}
was=$(resv_place)
kill9
check "slurmctld comes back after that" ctld_start
check "it says the change" wait_for 5 resv_changed
number=$(resv_number)
kill9
rm "$state"/resv_state*
check "slurmctld starts without reservations" ctld_start
check "the operator's is made again" wait_for 5 resv_same
check "and is booked" wait_for 5 resv_booked
check "for the same users" eval 'scontrol -o show reservation maint | grep "Users=root "'
check "the other one, too" wait_for 5 has_resv "$keep"

anew() {
	[ "$(resv_number)" != "$number" ]
}
check "by another number" wait_for 5 anew
scontrol update reservationname=maint duration=30 >/dev/null
noted() {
	tail -n 3 "$state/rspb.journal" | grep '"name":"maint".*duration=1800s'
}
check "it is changed once more" wait_for 5 noted
check "the other operator's is there again" spare_booked
check "and deleted" scontrol delete reservationname=spare
sleep 0.5
was=$(resv_place)
kill9
resv_older "$out/resv_first"
check "slurmctld starts with one from before it was changed and lost" ctld_start
check "the operator's is as it was changed" wait_for 5 resv_same
check "and still booked" wait_for 5 resv_booked
check "what was deleted since does not come back" wait_for 5 not_there spare

ctld_stop
cp "$state/resv_state" "$out/resv_state"
ctld_start
# What goes before bookings are read is taken for lost (doc/journal.md).
sleep 1
check "it can be deleted" wait_for 5 scontrol delete reservationname=maint
sleep 0.2
ctld_stop
ctld_start
kill9
resv_older "$out/resv_state"
check "slurmctld starts with an older file" ctld_start
check "what was deleted stays so" \
	wait_for 5 eval '! scontrol show reservation maint'
check "the other one stands" wait_for 5 has_resv "$keep"

note "a file that is torn, broken, of a newer version"
kill9
journal=$state/rspb.journal
printf '{"at":1,"promise":{"job":' >>"$journal"
sed -i '2s/promise/promisf/' "$journal"
cp "$journal" "$out/damaged"
check "slurmctld starts" ctld_start
check "the torn end is told" wait_for 5 said \
	"rspb.journal: from byte .* on 1 lines and its last 25 bytes cannot be read.* a copy of the file was kept: $journal.damaged.1$"
check "it is kept as it was" cmp "$out/damaged" "$journal.damaged.1"
check "both stand" booked "$keep"
check "rspb-sim counts them" "$cluster/rspb/bin/rspb-sim" journal "$journal"
ctld_stop
sed -i 1d "$journal"
check "slurmctld starts without its first line" ctld_start
check "that one is missing is told" wait_for 5 said \
	"rspb.journal: from byte 0 on 1 lines and its last 0 bytes cannot be read.* a copy of the file was kept: $journal.damaged.2$"
check "both stand" booked "$keep"
ctld_stop
cp "$journal" "$out/journal"
# sealed LINE
sealed() {
	local sum
	sum=$(perl -e 'my $c = 0xffffffff; for (unpack "C*", substr $ARGV[0], 0, -1) {
	$c ^= $_; $c = $c & 1 ? $c >> 1 ^ 0x82f63b78 : $c >> 1 for 1 .. 8; }
	printf "%08x", $c ^ 0xffffffff' "$1")
	echo "${1%?},\"crc\":\"$sum\"}"
}
{
	sealed '{"at":1,"journal":{"version":1,"cluster":"elsewhere"}}'
	tail -n +2 "$out/journal"
} >"$journal"
cp "$journal" "$out/elsewhere"
check "slurmctld starts with another cluster's" ctld_start
check "and says so" wait_for 5 said 'it belongs to cluster elsewhere, and this is'
ctld_stop
check "and it is left alone, too" cmp "$out/elsewhere" "$journal"
sealed '{"at":1,"journal":{"version":2}}' >"$journal"
check "slurmctld starts with a newer one" ctld_start
check "and says so" wait_for 5 said 'version 2; allowed is 1'
check "what Slurm kept stands" booked "$keep"
late=$(book $user_b $((t + 5000)) -N1)
check "nothing new is booked" declined "$late"
check "with that reason" eval 'contract "$late" | grep "version 2"'
as $user_b scancel "$late"
ctld_stop
check "and it is left alone" grep -q '"version":2' "$journal"
cp "$out/journal" "$journal"
ctld_start

note "files that can't be written"
# A folder of that name: Slurm cannot save jobs, we cannot write anew.
refused_for() {
	local j
	j=$(book $user_b $((t + 5000)) -N1)
	# the nodes are waited for, and then Slurm's own thread that saves, for 7 s
	wait_for 20 decided "$j"
	declined "$j" && contract "$j" | grep -q "nothing can be booked now: $1"
	local rc=$?
	as $user_b scancel "$j"
	return $rc
}
mkdir "$state/job_state.new"
check "Slurm's: nothing new is booked" refused_for "Slurm's own state"
rmdir "$state/job_state.new"
again() {
	again=$(book $user_b $((t + 5000)) -N1)
	told_booked "$again" || return 1
	as $user_b scancel "$again"
}
check "with room again it is" again
# in vain once, and then not
moment() {
	local j tries=200 before
	before=$(grep -c "an't save state.*job_state" "$cluster/log/slurmctld.log")
	mkdir "$state/job_state.new"
	j=$(book $user_b $((t + 5000)) -N1)
	until [ "$(grep -c "an't save state.*job_state" "$cluster/log/slurmctld.log")" -gt \
		"$before" ] || [ $((tries--)) -eq 0 ]; do
		pause 0.05
	done
	rmdir "$state/job_state.new"
	[ $tries -gt 0 ] && told_booked "$j" || return 1
	as $user_b scancel "$j"
}
check "where there is none for a moment, that is waited for" moment
mkdir -p "$journal.new/full"
rm "$journal"
check "ours: nothing new is booked" refused_for ".*rspb.journal"
check "what stands goes on" booked "$keep"
rm -r "$journal.new"
check "with room again that is, too" again

note "an older file of Slurm's jobs"
jobs_keep
ctld_start
check "requests are taken again" \
	wait_for 5 scontrol show reservation rspb_waiting
lost=$(book $user_a $((t + 10800)) -N3)
check "one that it will not have" told_booked "$lost"
share=$(book $user_a $((t + 18000)) -N1 -p shared -w n1 --cpu-share=60%)
check "and a share" told_booked "$share"
kill9
jobs_older
check "slurmctld starts" ctld_start
kept() {
	scontrol -o show reservation "kept_$lost" |
		grep -E "NodeCnt=3 .*BurstBuffer=rspb: booked"
}
check "its nodes are kept for its owner" wait_for 5 kept
kept_share() {
	scontrol -o show reservation "kept_$share" |
		grep -E "Nodes=n1 .*BurstBuffer=rspb: booked .* share=60%"
}
check "its share is, too" wait_for 5 kept_share
more() {
	book $user_b $((t + 18000)) -N1 -p shared -w n1 --cpu-share="$1"
}
large=$(more 60%) small=$(more 30%)
check "another one of that size has no room" declined "$large"
check "a smaller one has" told_booked "$small"
as $user_b scancel "$large" "$small"
check "the log says so" wait_for 5 said "job $lost of uid .* lost it; its nodes are kept"
check "its number is not given out again" \
	eval '[ "$(book $user_a $((t + 20000)) -N1)" -gt "$lost" ]'
kill9
check "also once more" ctld_start
check "it is there once" wait_for 5 kept
check "so is the share" wait_for 5 kept_share
scontrol delete reservationname="kept_$lost"
sleep 0.1
kill9
check "slurmctld starts after that was deleted" ctld_start
sleep 2
check "and it is not made again" eval '! kept'
