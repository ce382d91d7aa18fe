# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A disk that takes seconds for each sync of the journal: who waits for that waits,
# and bookings start on their second all the same. Takes 45 s.
cluster_up --nodes 6 || exit 1
echo "BatchInterval=200ms" >>"$cluster/etc/rspb.conf"
${CC:-gcc} -O1 -shared -fPIC -o "$out/sync.so" \
	"$RSPB_TOP/tests/cluster/slow_sync.c" -ldl || exit 1
echo 0 >"$out/ms"
slow_disk() {
	ctld_stop && LD_PRELOAD=$out/sync.so RSPB_SYNC_MS=$out/ms ctld_start
}
check "slurmctld starts with it" slow_disk
check "requests are taken" \
	wait_for 10 scontrol show reservation rspb_waiting

t=$(ahead 25)
jobs=()
for i in 0 1 2 3 4 5; do
	jobs+=("$(book $user_a $((t + 2 * i)) -N1)")
done
check "six are booked" wait_for 10 booked "${jobs[@]}"

note "four seconds a sync"
echo 4000 >"$out/ms"
began=$EPOCHSECONDS
waits=$(book $user_b $((t + 600)) -N2)
told_before() {
	contract "$waits" | grep -q '^rspb: booked' && [ $EPOCHSECONDS -lt $((began + 4)) ]
}
sleep 2
check "nobody is told before it is on the disk" eval '! told_before'
check "and then is" wait_for 20 booked "$waits"
# somebody else all the time
asked=()
while [ $EPOCHSECONDS -lt $((t + 11)) ]; do
	asked+=("$(book $user_b $((t + 700 + 120 * ${#asked[@]})) -N1)")
	sleep 1
done
for i in 0 1 2 3 4 5; do
	check "the one of second $((2 * i)) starts on it" \
		starts_at "${jobs[i]}" $((t + 2 * i))
done
cancelled=${asked[0]}
check "who asked meanwhile is booked" wait_for 30 booked "$cancelled"
as $user_b scancel "$cancelled"
echo 0 >"$out/ms"
check "all of them are" wait_for 20 booked "${asked[@]:1}"

note "killed behind that"
ctld_stop KILL
check "slurmctld starts" ctld_start
check "what was told stands" booked "$waits" "${asked[@]:1}"
check "what was cancelled stays so" wait_for 5 gone "$cancelled"
