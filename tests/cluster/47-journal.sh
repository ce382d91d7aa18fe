# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What is recorded decides the same again, whatever happens to cluster and file.
# Takes 65 s.
state=$cluster/state
journal=$state/rspb.journal
echo JournalKeep=1d >"$folder/rspb.conf"
echo "DebugLocks=yes" >>"$folder/rspb.conf"
cluster_up --nodes 6 --rspb-conf "$folder/rspb.conf" || exit 1
rspb_conf=$cluster/etc/rspb.conf
sim=$cluster/rspb/bin/rspb-sim

settings() {
	printf '%s\n' "DebugLocks=yes" "$@" >"$rspb_conf"
	reconfigure
}
# has KIND: how many lines of a kind.
has() {
	journals | xargs cat | grep -c "^{\"at\":[0-9]*,\"$1\":{"
}
logged() {
	grep -cE -- "$1" "$cluster/log/slurmctld.log"
}
share_is() {
	contract "$1" | grep -q "share=$2"
}

note "bookings of all kinds"
scontrol update nodename=n5 availablefeatures=big activefeatures=big
t=$(ahead 600) soon=$(ahead 20)
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
# Its owner's change of the share is one, too.
moved() {
	[ "$(has move)" -ge 2 ]
}
check "bookings on drained nodes move" wait_for 10 moved
check "which is recorded as decided" [ "$(has rescue)" -ge 1 ]
check "one ends early" wait_for 35 is_booking "$early" completed
scontrol update nodename=n1,n2 state=resume
check "the journal decides the same" decides_the_same 10
check "it is in the file of promises" [ "$(has promise)" -ge 10 ]
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
check "in another file" [ "$(journals | wc -l)" -ge 2 ]
# as if it had been killed while it wrote
ctld_stop KILL
printf '{"at":1795278458,"request":{"id":1,"us' >>"$journal"
ctld_start
again=$(book $user_b $((t + 5000)) -N2)
check "after kill -9 and a torn line, too" booked "$again"
check "the journal decides the same" decides_the_same 12

note "settings"
waiting() {
	sed -i "s/rspb_MaxWaitingPerUser=[0-9]*/rspb_MaxWaitingPerUser=$1/" \
		"$SLURM_CONF"
}
waiting 1
settings JournalKeep=1d
over=$(book $user_b $((t + 9000)) -N1)
check "a limit is kept" declined "$over"
check "and recorded" [ "$(has refuse)" -ge 1 ]
check "the journal decides the same" decides_the_same 13
waiting 0
settings Algorithm=li-du-worst
before=$(has booking)
again=$(book $user_a $((t + 9000)) -N1)
check "a booking while nothing is recorded" booked "$again"
check "is not recorded" [ "$(has booking)" -eq "$before" ]
settings Algorithm=li-du-worst JournalKeep=1d
again=$(book $user_a $((t + 3000)) -N1 --deadline="$(slurm_time $((t + 20000)))")
check "one by another policy" booked "$again"
mv "$journal" "$journal.away"
# What finds that out is refused.
books() {
	again=$(book $user_a $((t + 12000)) -N1)
	wait_for 20 decided "$again"
	booked "$again"
}
check "a booking while the file is moved away" wait_for 10 books
there() { [ -s "$journal" ]; }
check "a new file is begun" there
again=$(book $user_a $((t + 13000)) -N1)
check "and gets what comes" booked "$again"
recorded() {
	grep -q "\"book\":{\"request\":{\"id\":$again," "$journal"
}
check "also the last one" wait_for 5 recorded
# at least the last two: the first one may have been refused, or not
check "all decide the same" decides_the_same 2

note "files of before"
files=$(journals | wc -l)
last=$(journals | head -n 1)
older=$journal-1000000000
cp "$last" "$older"
echo "not ours" >"$journal-copy"
ctld_stop && ctld_start
again=$(book $user_a $((t + 14000)) -N1)
check "slurmctld starts" booked "$again"
gone() { [ ! -e "$older" ]; }
check "one that is old goes" wait_for 5 gone
check "the others stay" [ "$(journals | wc -l)" -gt "$files" ]
check "and what is not ours" [ -s "$journal-copy" ]
check "all decide the same" decides_the_same 3
settings
ctld_stop && ctld_start
again=$(book $user_a $((t + 15000)) -N1)
check "without the setting" booked "$again"
alone() { [ "$(journals)" = "$journal" ]; }
check "none stays" wait_for 5 alone
check "and nothing is recorded" [ "$(has machine)" = 0 ]

note "a file that can't be written"
settings JournalKeep=1d
recorded_one() { [ "$(has machine)" -ge 1 ]; }
check "what is decided is recorded again" wait_for 5 recorded_one
# A folder of that name: it cannot be written anew.
mkdir -p "$journal.new/full"
rm "$journal"
none=$(book $user_a $((t + 16000)) -N1)
check "nothing is booked" declined "$none"
rm -r "$journal.new"
check "with room again it goes on" wait_for 5 there
again=$(book $user_a $((t + 17000)) -N1)
check "and books" booked "$again"
gap() { [ "$(has gap)" -ge 1 ]; }
check "behind a gap" wait_for 5 gap
check "and decides the same" decides_the_same
check "no lock was held over 5 ms for it" \
	[ "$(grep -c 'error: rspb: locks:.*journal' "$cluster/log/slurmctld.log")" = 0 ]
