# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What is recorded decides the same again, whatever happens to cluster and file.
# Takes 65 s.
journal=$folder/journal
echo "JournalFile=$journal" >"$folder/rspb.conf"
echo "DebugLocks=yes" >>"$folder/rspb.conf"
cluster_up --nodes 6 --rspb-conf "$folder/rspb.conf" || exit 1
rspb_conf=$cluster/etc/rspb.conf
sim=$cluster/rspb/bin/rspb-sim

settings() {
	printf '%s\n' "DebugLocks=yes" "$@" >"$rspb_conf"
	reconfigure
}
# same FILE [DECISIONS]: at least so many, all as recorded.
same() {
	local said
	said=$("$sim" journal "$1" 2>"$out/stderr") ||
		{ cat "$out/stderr"; echo "$said"; return 1; }
	grep -q '^[0-9]* decisions, 0 otherwise' <<<"$said" &&
		[ "${said%% *}" -ge "${2:-1}" ] || { echo "$said"; return 1; }
}
# has KIND [FILE]: how many lines of a kind.
has() {
	grep -c "^{\"at\":[0-9]*,\"$1\":{" "${2:-$journal}"
}
logged() {
	grep -cE -- "$1" "$cluster/log/slurmctld.log"
}
share_is() {
	contract "$1" | grep -q "share=$2"
}

note "bookings of all kinds"
scontrol update nodename=n5 availablefeatures=big activefeatures=big
t=$(ahead 600) soon=$(ahead 9)
early=$(book $user_a "$soon" -w n6)
fixed=$(book $user_a "$t" -N2)
window=$(book $user_b "$t" -N3 --deadline="$(slurm_time $((t + 600)))")
soft=$(book $user_b "$t" -N6 --benefit=linear:10%)
stretch=$(book $user_a "$t" -N1-3 --deadline="$(slurm_time $((t + 1200)))")
named=$(book $user_b $((t + 3600)) -w n2)
feature=$(book $user_a $((t + 3600)) -N1 -C big)
share=$(book $user_a $((t + 7200)) -p shared -N2 --cpu-share=30:10%)
pair=$(as $user_b sbatch --parsable -o job-%j.out \
	--book --begin="$(slurm_time $((t + 3600)))" --time=1 -N1 : \
	--book --begin="$(slurm_time $((t + 3600)))" --time=1 -N2 job.sh 1)
check "they are booked" booked "$early" "$fixed" "$window" "$soft" "$stretch" \
	"$named" "$feature" "$share" "$pair"
large=$(book $user_b "$t" -N5)
check "one is declined" declined "$large"
as $user_b scancel "$large" "$named"
as $user_a scontrol update jobid="$share" comment=cpu-share=50%
check "an owner changes a share" wait_for 10 share_is "$share" 50%
scontrol update nodename=n1,n2 state=drain reason=test
moved() {
	[ "$(has move)" -ge 1 ] && [ "$(has change)" -ge 1 ]
}
check "bookings on drained nodes move" wait_for 10 moved
check "which is recorded as decided" [ "$(has rescue)" -ge 1 ]
check "one ends early" wait_for 20 is_booking "$early" completed
scontrol update nodename=n1,n2 state=resume
check "the journal decides the same" same "$journal" 10
check "nobody else can read it" [ "$(stat -c %a "$journal")" = 600 ]
check "the machine line names the nodes" \
	grep -q '"machine":{.*"names":\["n1","n2",' "$journal"

note "what a reader finds"
# An end of a line without its checksum is taken as it is.
unsealed() {
	sed 's/,"crc":"[0-9a-f]*"}$/}/' "$1"
}
unsealed "$journal" | sed '0,/"booking":{\(.*\)"nodes":"[0-9,-]*"/s//"booking":{\1"nodes":"0"/' \
	>"$out/forged"
finds() {
	"$sim" journal "$1" >"$out/said" 2>&1
	[ $? -eq 1 ] && grep -q 'decided otherwise' "$out/said" ||
		{ cat "$out/said"; return 1; }
}
check "a forged decision is found" finds "$out/forged"
unsealed "$journal" |
	sed '0,/\("rescue":{.*"bookings":\)\[.*\]/s//\1[]/' >"$out/forged"
check "one without a request, too" finds "$out/forged"
what_if() {
	"$sim" journal "$journal" --compare co-rspb,li-ff >"$out/said" &&
		grep -q '^acceptance  *0\.[0-9]' "$out/said" &&
		grep -q 'otherwise than recorded by li-ff' "$out/said" ||
		{ cat "$out/said"; return 1; }
}
check "other policies may be asked" what_if

note "restarts"
ctld_stop && ctld_start
again=$(book $user_a "$t" -N1 --deadline="$(slurm_time $((t + 3000)))")
check "after a restart it goes on" booked "$again"
check "with what stands" [ "$(has machine)" -ge 2 ]
# as if it had been killed while it wrote
ctld_stop KILL
printf '{"at":1795278458,"request":{"id":1,"us' >>"$journal"
ctld_start
again=$(book $user_b $((t + 5000)) -N2)
check "after kill -9 and a torn line, too" booked "$again"
check "the journal decides the same" same "$journal" 12

note "settings"
waiting() {
	sed -i "s/rspb_MaxWaitingPerUser=[0-9]*/rspb_MaxWaitingPerUser=$1/" \
		"$SLURM_CONF"
}
waiting 1
settings "JournalFile=$journal"
over=$(book $user_b $((t + 9000)) -N1)
check "a limit is kept" declined "$over"
check "and recorded" [ "$(has refuse)" -ge 1 ]
check "the journal decides the same" same "$journal" 13
waiting 0
settings "Algorithm=li-du-worst"
before=$(wc -l <"$journal")
again=$(book $user_a $((t + 9000)) -N1)
check "a booking while nothing is recorded" booked "$again"
check "is not recorded" [ "$(wc -l <"$journal")" -eq "$before" ]
mv "$journal" "$journal.1"
settings "Algorithm=li-du-worst" "JournalFile=$journal"
again=$(book $user_a $((t + 3000)) -N1 --deadline="$(slurm_time $((t + 20000)))")
check "one by another policy, in another file" booked "$again"
mv "$journal" "$journal.2"
again=$(book $user_a $((t + 12000)) -N1)
check "a booking while the file is moved away" booked "$again"
there() { [ -s "$journal" ]; }
check "a new file is begun" wait_for 10 there
again=$(book $user_a $((t + 13000)) -N1)
check "and gets what comes" booked "$again"
recorded() {
	grep -q "\"book\":{\"request\":{\"id\":$again," "$1"
}
check "also the last one" wait_for 5 recorded "$journal"
same_all() {
	local f
	for f in "$journal" "$journal.1" "$journal.2"; do
		same "$f" || { echo "$f"; return 1; }
	done
}
check "all three decide the same" same_all

note "a file that can't be written"
settings "JournalFile=/dev/full"
again=$(book $user_a $((t + 14000)) -N1)
check "a full disk: bookings go on" booked "$again"
check "the log says so, once" wait_for 5 [ "$(logged 'JournalFile=/dev/full: No space')" -eq 1 ]
settings "JournalFile=$folder/none/journal"
again=$(book $user_a $((t + 15000)) -N1)
check "no such folder: bookings go on" booked "$again"
check "the log says so" [ "$(logged 'JournalFile=.*/none/journal: No such file')" -eq 1 ]
touch "$out/theirs" && chown $user_a "$out/theirs"
ln -s "$out/theirs" "$out/link"
settings "JournalFile=$out/theirs"
wait_for 5 eval '[ "$(logged "belongs to uid")" -eq 1 ]'
settings "JournalFile=$out/link"
wait_for 5 eval '[ "$(logged "symbolic link")" -eq 1 ]'
check "a file of others, a link: the log says so" \
	[ "$(logged 'belongs to uid')$(logged 'symbolic link')" = 11 ]
check "and nothing is in it" [ ! -s "$out/theirs" ]
mkdir "$folder/small"
if mount -t tmpfs -o size=16k tmpfs "$folder/small" 2>/dev/null; then
	settings "JournalFile=$folder/small/journal"
	again=$(book $user_a $((t + 16000)) -N1)
	booked "$again"
	wait_for 5 [ -s "$folder/small/journal" ]
	dd if=/dev/zero of="$folder/small/fill" bs=1k count=64 2>/dev/null
	again=$(book $user_a $((t + 17000)) -N1)
	check "a disk that fills up: bookings go on" booked "$again"
	full() { [ "$(logged 'small/journal: No space')" -ge 1 ]; }
	for n in 18 19 20 21; do
		! full || break
		again=$(book $user_a $((t + n * 1000 + 500)) -N1)
		booked "$again"
		sleep 1
	done
	check "the log says so" wait_for 5 full
	umount_small() { umount "$folder/small"; }
	mount -o remount,size=1m "$folder/small"
	gap() { [ "$(has gap "$folder/small/journal")" -ge 1 ]; }
	check "with room again it goes on, behind a gap" wait_for 12 gap
	again=$(book $user_a $((t + 19000)) -N1)
	booked "$again"
	check "and decides the same" same "$folder/small/journal"
	settings
	sleep 1
	check "nothing holds the file" umount_small
else
	skip "a disk that fills up: no leave to mount here"
fi
check "no lock was held over 5 ms for it" \
	[ "$(grep -c 'error: rspb: locks:.*journal' "$cluster/log/slurmctld.log")" = 0 ]
