# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A backup controller takes over, gives back, and takes over again when the
# primary is killed: bookings stand and start on their second.
#
# Both run on this host: the backup under another host name and with process
# numbers of its own, or it would end the primary, whose pid file it reads.
# Takes 140 s.
if ! unshare --uts --pid --fork --mount --mount-proc true 2>/dev/null; then
	skip_suite "no leave to make namespaces (unshare) here"
fi
if ! getent ahostsv4 "$(uname -n)" | grep -q '^127\.'; then
	skip_suite "this host's name, $(uname -n), does not lead to 127.*," \
		"so two controllers would want one port"
fi
cat >"$folder/slurm.conf" <<TEXT
SlurmctldHost=$(uname -n | cut -d. -f1)(127.0.0.1)
SlurmctldHost=backup(127.0.0.2)
SlurmctldTimeout=10
TEXT
echo JournalKeep=1d >"$folder/rspb.conf"
cluster_up --nodes 6 --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" || exit 1

sed '/127\.0\.0\.2/d' /etc/hosts >"$folder/hosts"
echo '127.0.0.2 backup' >>"$folder/hosts"
backup_start() {
	setsid unshare --uts --pid --fork --kill-child --mount --mount-proc \
		bash -c 'mount --bind "$1" /etc/hosts && hostname backup &&
			exec slurmctld -D -f "$2"' - \
		"$folder/hosts" "$cluster/etc/slurm.conf" \
		>"$cluster/log/backup.out" 2>&1 </dev/null &
	backup=$!
	disown $backup
}
backup_stop() {
	kill -KILL "$backup" 2>/dev/null
	suite_end
}
trap backup_stop EXIT
in_charge() {
	scontrol ping | grep "($1)" | grep -q 'is UP' || return 1
	scontrol show config >/dev/null
}
# the last word of an agent that has read all state
ledgers() {
	grep -c 'rspb: ledger for' "$cluster/log/slurmctld.log"
}
new_ledger() {
	[ "$(ledgers)" -gt "$1" ]
}

backup_start
check "a backup stands by" wait_for 20 in_charge backup
check "whose plugins leave the work to the primary" [ "$(ledgers)" -eq 1 ]

# Slurm's backup of 24.11 and later takes half a minute to step back: it waits for
# the question to be answered, and the answer waits for it.
back=0
[[ $(slurmctld -V) = *' 22.05.'* ]] || back=30
now=$(ahead 0)
one=$(book $user_a $((now + 35)) -N1)
two=$(book $user_b $((now + back + 65)) -N2)
three=$(book $user_a $((now + back + 120)) -N1)
lost=$(book $user_b $((now + back + 80)) -N1)
share=$(as $user_a sbatch --parsable -o job-%j.out --book -p shared \
	--cpu-share=40% -N1 --begin="$(slurm_time $((now + 35)))" --time=2 \
	job.sh $((back + 80)))
lost_share=$(as $user_a sbatch --parsable -o job-%j.out --book -p shared \
	--cpu-share=40% -N1 --begin="$(slurm_time $((now + back + 80)))" --time=1 \
	job.sh 5)
check "bookings with the primary" booked "$one" "$two" "$three" "$share" \
	"$lost" "$lost_share"
sleep 6	# Slurm saves jobs after 5 s

before=$(ledgers)
check "the backup takes over when asked" scontrol takeover 1
check "its agent has the ledger" wait_for 20 new_ledger "$before"
check "the bookings stand" booked "$one" "$two" "$three" "$share" \
	"$lost" "$lost_share"
check "one starts on its second under the backup" \
	starts_at "$one" $((now + 35)) 1000
check "one of a share, too" starts_at "$share" $((now + 35)) 1000
late=$(book $user_b $((now + back + 120)) -N4)
check "the backup decides, too" declined "$late"
as $user_b scancel "$late"

before=$(ledgers)
check "the primary comes back" ctld_start
check "its agent has the ledger again" \
	wait_for $((back + 20)) new_ledger "$before"
check "a running one goes on" is_state "$share" RUNNING
check "the next one starts on its second" \
	starts_at "$two" $((now + back + 65)) 1000

note "killed behind a start that it could not save"
sleep_until $((now + back + 78))
# a folder of that name keeps Slurm from saving jobs
mkdir "$cluster/state/job_state.new"
sleep_until $((now + back + 80))
wait_for 10 began "$lost"
wait_for 10 began "$lost_share"
before=$(ledgers)
check "the primary is killed" ctld_stop KILL
rmdir "$cluster/state/job_state.new"
check "the backup takes over by itself" wait_for 40 new_ledger "$before"
again() {
	[ "$(sed 's/\..*//' "$out/begin.$1")" -ge $((now + back + 85)) ]
}
check "what it does not know starts once more" wait_for 30 again "$lost"
check "also one of a share" wait_for 30 again "$lost_share"
nodes_well() {
	! sinfo -h -N -o '%N %T %E' | grep -E 'drain|down|fail'
}
check "no node is drained" nodes_well
check "the last one starts on its second" \
	starts_at "$three" $((now + back + 120)) 1000

check "nothing is left over" wait_for 40 nothing_left
check "the journal of both decides the same" decides_the_same
