# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What was told outlives slurmctld: killed at once, with older or broken files,
# with a full disk. Takes 120 s.
# what Slurm has of bookings is looked at long before their start
echo ReserveAhead=0 >"$folder/rspb.conf"
cluster_up --nodes 6 --rspb-conf "$folder/rspb.conf" || exit 1
state=$cluster/state
log=$cluster/log/slurmctld.log
echo "BatchInterval=200ms" >>"$cluster/etc/rspb.conf"
scontrol reconfigure

# told JOB: at once, with as few processes between as can be.
told() {
	local n
	for ((n = 0; n < 1500; n++)); do
		case $(scontrol -o show job "$1") in
		*'AdminComment=rspb: booked'*) return 0 ;;
		esac
		sleep 0.01
	done
	return 1
}
kill9() {
	ctld_stop KILL
}
said() {
	grep -a "$1" "$log"
}
# What Slurm's file of jobs says now is kept, and put back behind a kill.
jobs_keep() {
	ctld_stop
	cp "$state/job_state" "$out/job_state"
}
jobs_older() {
	cp "$out/job_state" "$state/job_state"
	rm -f "$state/job_state.old"
}
all() {
	local what=$1 j
	shift
	for j in "$@"; do
		"$what" "$j" || { echo "$what $j"; return 1; }
	done
}
# place JOB: what was promised of it.
place() {
	contract "$1" | sed -n 's/.*\(start=.*duration=[0-9a-z]*\).*/\1/p'
}
has_resv() {
	scontrol -o show reservation "rspb_$1" 2>/dev/null | grep -q Nodes=n
}

note "killed in the moment a booking is read"
t=$(ahead 600)
for round in 1 2; do
	jobs=()
	for n in 1 2 3; do
		jobs+=("$(book $user_a $((t + 120 * n)) -N$n)")
	done
	check "$round: booked" all told "${jobs[@]}"
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
check "one to keep" told "$keep"
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
was=$(resv_place)
kill9
check "slurmctld comes back" ctld_start
resv_same() {
	[ "$was" = "$(resv_place)" ] || resv_place
}
check "the operator's is as it was" wait_for 5 resv_same
check "and still booked" wait_for 5 resv_booked
check "the other one, too" booked "$keep"
scontrol update reservationname=maint duration=20 >/dev/null
resv_changed() {
	local text
	text=$(scontrol -o show reservation maint)
	grep -q 'Duration=00:20:00 ' <<<"$text" &&
		grep -q " end=$(date -u -d @$((t + 8400)) +%FT%TZ) " <<<"$text" ||
		{ echo "$text"; return 1; }
}
check "the operator's is changed" wait_for 5 resv_changed
was=$(resv_place)
kill9
check "slurmctld comes back after that" ctld_start
check "it says the change" wait_for 5 resv_changed
kill9
rm "$state"/resv_state*
check "slurmctld starts without reservations" ctld_start
check "the operator's is made again" wait_for 5 resv_same
check "and is booked" wait_for 5 resv_booked
check "for the same users" eval 'scontrol -o show reservation maint | grep "Users=root "'
check "the other one, too" wait_for 5 has_resv "$keep"

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
cp "$out/resv_state" "$state/resv_state"
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
	"rspb.journal: its last 25 bytes and 1 lines, the first at byte .* kept as it is in $journal.damaged.1$"
check "it is kept as it was" cmp "$out/damaged" "$journal.damaged.1"
check "both stand" booked "$keep"
check "rspb-sim counts them" "$cluster/rspb/bin/rspb-sim" journal "$journal"
ctld_stop
sed -i 1d "$journal"
check "slurmctld starts without its first line" ctld_start
check "that one is missing is told" wait_for 5 said \
	"rspb.journal: its last 0 bytes and 1 lines, the first at byte 0, .* kept as it is in $journal.damaged.2$"
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
check "and says so" wait_for 5 said 'it is of cluster elsewhere, and this is'
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
	told "$again" || return 1
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
	[ $tries -gt 0 ] && told "$j" || return 1
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
check "one that it will not have" told "$lost"
share=$(book $user_a $((t + 18000)) -N1 -p shared -w n1 --cpu-share=60%)
check "and a share" told "$share"
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
check "a smaller one has" told "$small"
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

note "an older file of Slurm's jobs, and requests that were changed since"
declined_all=()
for n in 1 2 3; do
	declined_all+=("$(book $user_a $((t + 24000)) -N6)")
	[ "$n" -gt 1 ] || check "one is booked" told "${declined_all[0]}"
done
first=${declined_all[0]}
declined_all=("${declined_all[@]:1}")
check "the others are declined" all declined "${declined_all[@]}"
jobs_keep
# those that follow the first wait as long
sed -i 's/^BatchInterval=.*/BatchInterval=20s/' "$cluster/etc/rspb.conf"
ctld_start
wait_for 5 scontrol show reservation rspb_waiting
# says_on JOB NODES: booked there, or running.
says_on() {
	contract "$1" | grep -E "rspb: (booked|active) .* on=$2 " || { contract "$1"; return 1; }
}
# asks_again JOB START
asks_again() {
	as $user_a "$cluster/rspb/bin/rspb" modify "$1" --begin="$(slurm_time "$2")"
}
check "one asks again" asks_again "${declined_all[0]}" $((t + 25000))
check "so does another" asks_again "${declined_all[1]}" $((t + 26000))
check "which is not decided" eval 'contract "${declined_all[1]}" | grep "rspb: requested"'
kill9
jobs_older
sed -i 's/^BatchInterval=.*/BatchInterval=200ms/' "$cluster/etc/rspb.conf"
check "slurmctld starts" ctld_start
check "both are booked" booked "${declined_all[@]}"
check "as the one asked last" eval '[ "$(granted "${declined_all[0]}" start)" = $((t + 25000)) ]'
check "and the other" eval '[ "$(granted "${declined_all[1]}" start)" = $((t + 26000)) ]'
as $user_a scancel "$first" "${declined_all[@]}"

note "an older file of Slurm's jobs, and one that runs by now"
first=$(book $user_a $((t + 28000)) -N6)
check "one is booked" told "$first"
runs=$(job $user_a 20 --book --begin="$(slurm_time $((t + 28000)))" --time=2 -w n5)
check "another is declined" declined "$runs"
jobs_keep
ctld_start
wait_for 5 scontrol show reservation rspb_waiting
check "it asks again" asks_again "$runs" "$(ahead 12)"
check "and is booked" booked "$runs"
check "and runs" wait_for 30 began "$runs"
kill9
jobs_older
check "slurmctld starts" ctld_start
check "it is booked where it was" says_on "$runs" n5
check "and runs again" wait_for 20 is_state "$runs" RUNNING
one_at_a_time() {
	[ "$(stepds "$runs" | wc -l)" = 1 ] || stepds "$runs"
}
check "once" one_at_a_time
as $user_a scancel "$first" "$runs"

note "an older file of Slurm's reservations, and a job that runs elsewhere"
t=$(ahead 25)
moved=$(job $user_a 50 --book --begin="$(slurm_time "$t")" --time=2 -N1)
check "one that starts soon" told "$moved"
was_on=$(scontrol -o show reservation "rspb_$moved" | sed -n 's/.* Nodes=\(n[0-9]\) .*/\1/p')
ctld_stop
cp "$state/resv_state" "$out/resv_state"
ctld_start
scontrol update nodename="$was_on" state=drain reason=test
check "it starts" wait_for 40 began "$moved"
on=$(field "$moved" NodeList)
check "on another node" eval '[ -n "$on" ] && [ "$on" != "$was_on" ]'
saved() {
	[ "$state/job_state" -nt "$out/resv_state" ] &&
		grep -aq "rspb: active.*on=$on" "$state/job_state"
}
check "Slurm has saved that it runs" wait_for 10 saved
kill9
cp "$out/resv_state" "$state/resv_state"
rm -f "$state/resv_state.old"
check "slurmctld starts" ctld_start
is_on() {
	scontrol -o show reservation "rspb_$moved" | grep "Nodes=$on "
}
check "its reservation is where it runs" wait_for 5 is_on
scontrol update nodename="$was_on" state=resume
next=$(book $user_b "$(ahead 20)" -N1 -w "$was_on")
check "where it was to be others are booked" booked "$next"
as $user_b scancel "$next"
check "it runs on" is_state "$moved" RUNNING
as $user_a scancel "$moved"
