# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Ordinary jobs beside bookings of shares: only where the site says so, only on
# what is left to them, and never at the cost of a share.
# Takes 310 s.
limits="DefaultTime=10 MaxTime=1-00:00:00"
cat >"$folder/slurm.conf" <<CONF
SelectTypeParameters=CR_Core_Memory
DefMemPerNode=300
GresTypes=fpga
NodeName=n1 CPUs=4 RealMemory=4000 Feature=mixed Gres=fpga:2
NodeName=n2 CPUs=4 RealMemory=4000
PartitionName=main Nodes=ALL Default=YES $limits
PartitionName=batch Nodes=ALL OverSubscribe=FORCE:1 $limits
PartitionName=shared Nodes=ALL OverSubscribe=FORCE:16 $limits
CONF
printf '%s\n' DedicatedShare=50 JournalKeep=1d >"$folder/rspb.conf"
echo 'NodeName=n1 Name=fpga Count=2' >"$folder/gres.conf"
cluster_up --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" \
	--gres-conf "$folder/gres.conf" || exit 1

# share PCT START SECONDS [options]: a job with a share of n1; its id.
share() {
	local pct=$1 start=$2 seconds=$3
	shift 3
	job $user_a "$seconds" -p shared -w n1 --book --time=1 \
		--begin="$(slurm_time "$start")" --cpu-share="$pct" "$@"
}

# beside SECONDS [options]: an ordinary job on n1, two of its four cores.
beside() {
	local seconds=$1
	shift
	job $user_b "$seconds" -p batch -w n1 -N1 -n2 --time=2 "$@"
}

runs() {
	wait_for 20 is_state "$1" RUNNING
}

# cores JOB LIST: which it has on n1.
cores() {
	scontrol -d show job "$1" | grep -q "Nodes=n1 CPU_IDs=$2 "
}

# waits JOB: pending, though the scheduler has looked at it.
waits() {
	wait_for 20 looked_at "$1" && is_state "$1" PENDING
}

# after JOB SHARE: it began when that job's script was over.
after() {
	wait_for 100 began "$1" && wait_for 5 ended "$2" &&
		awk -v a="$(<"$out/begin.$1")" \
			-v b="$(cut -d' ' -f2 "$out/ran.$2")" \
			'BEGIN { exit !(a >= b) }'
}

log_has() {
	grep -qE "$1" "$cluster/log/slurmctld.log"
}

# settings LINE...: rspb.conf; the ledger is made anew for them.
settings() {
	local before
	before=$(grep -c 'rspb: ledger for' "$cluster/log/slurmctld.log")
	{
		printf '%s\n' "$@" JournalKeep=1d
		grep ShareStateDir "$cluster/etc/rspb.conf"
	} >"$cluster/etc/rspb.new" && mv "$cluster/etc/rspb.new" \
		"$cluster/etc/rspb.conf"
	scontrol reconfigure
	wait_for 20 ledgers_more_than "$before"
}

ledgers_more_than() {
	[ "$(grep -c 'rspb: ledger for' "$cluster/log/slurmctld.log")" -gt "$1" ]
}

clean() {
	squeue -h -o %A | while read -r j; do scancel "$j"; done
	wait_for 30 nothing_left
}

note "as it is without the setting"
t=$(ahead 15)
s=$(share 40 "$t" 5)
check "a share is booked" booked "$s"
o=$(beside 1)
check "an ordinary job waits" waits "$o"
check "the share starts on its second" starts_at "$s" "$t" 1000
check "the job runs after it" after "$o" "$s"
check "and all is over" wait_for 20 nothing_left
o=$(beside 100)
check "an ordinary job runs" runs "$o"
s=$(share 40 "$(ahead 5)" 1)
check "where it does, no share is to be had" declined "$s"
clean

note "settings"
cp "$cluster/etc/rspb.conf" "$cluster/etc/rspb.good"
wrong() {
	printf '%s\n' "$1" >>"$cluster/etc/rspb.conf"
	scontrol reconfigure >/dev/null 2>&1
	wait_for 10 log_has "$2"
	local rc=$?
	cp "$cluster/etc/rspb.good" "$cluster/etc/rspb.conf"
	return $rc
}
check "a word that is neither yes nor no is refused" wrong 'Colocate=maybe' \
	"rspb.conf:[0-9]+: Colocate=maybe: is neither yes nor no; allowed is yes or no, then any number of FEATURE:yes or FEATURE:no"
check "and a feature without one" wrong 'Colocate=no,mixed' \
	"rspb.conf:[0-9]+: Colocate=no,mixed: has a member that is not FEATURE:yes or FEATURE:no"
check "where nothing would be left, the log says so" settings 'Colocate=yes'
check "in one sentence" wait_for 5 log_has \
	'Colocate has no effect on 2 nodes, because DedicatedShare leaves no core'
check "the nodes of a feature are given free" settings DedicatedShare=50 \
	Colocate=no,mixed:yes

note "a share is booked, ordinary jobs come"
t=$(ahead 35)
s=$(share 40 "$t" 12)
check "a share is booked" booked "$s"
check "its reservation is of the cores that are kept" \
	eval 'scontrol show reservation "rspb_$s" | grep "CoreCnt=2 "'
device=$(beside 1 -n1 --gres=fpga:1)
check "a job that wants a generic resource waits" waits "$device"
# Slurm starts no job past one of its partition that waits, but by backfill
as $user_b scancel "$device"
wait_for 10 gone "$device"
o=$(beside 100 --mem=1500)
check "an ordinary job begins beside it" runs "$o"
check "on the other cores" cores "$o" 0-1
full=$(beside 1 -n1)
check "another one has no core left" waits "$full"
wide=$(beside 1 -n3)
check "one that wants more cores waits" waits "$wide"
alone=$(beside 1 --exclusive)
check "so does an exclusive one" waits "$alone"
usual=$(job $user_b 1 -p main -w n1 -N1 -n1 --time=2)
check "and one of a partition that shares no node" waits "$usual"
when() {
	local at
	at=$(as $user_b sbatch --test-only -p batch -w n1 -N1 --time=2 "$@" \
		job.sh 2>&1 | sed -n 's/.* to start at \([^ ]*\) .*/\1/p')
	date -d "$at" +%s
}
check "--test-only knows that it has to wait" \
	eval '[ "$(when -n3)" -ge $((t + 60)) ]'
check "the share starts on its second" starts_at "$s" "$t" 1000
check "and the ordinary job runs on" running "$o"
as $user_b scancel "$o"
check "what wanted too much comes after the share" after "$wide" "$s"
check "the exclusive one too" after "$alone" "$s"
check "and the other partition's" after "$usual" "$s"
clean

note "an ordinary job runs, a share comes"
o=$(beside 100)
check "an ordinary job runs" runs "$o"
t=$(ahead 25)
s=$(share 50 "$t" 8)
check "a share is booked beside it" booked "$s"
whole=$(book $user_a "$(ahead 4)" -w n1)
check "the whole node is not to be had" declined "$whole"
more=$(share 10 "$t" 1)
check "no more shares than are dedicated" declined "$more"
check "the share starts on its second" starts_at "$s" "$t" 1000
check "the ordinary job runs on" running "$o"
clean
o=$(beside 100 -n3)
check "one with a core too many runs" runs "$o"
s=$(share 20 "$(ahead 4)" 1)
check "and no share is to be had beside it" declined "$s"
clean
o=$(beside 100 -n1 --gres=fpga:1)
check "one with a generic resource runs" runs "$o"
s=$(share 20 "$(ahead 4)" 1)
check "and no share is to be had beside it" declined "$s"
clean
o=$(beside 100 -n1 --mem=2500)
check "one with too much memory runs" runs "$o"
s=$(share 20 "$(ahead 4)" 1)
check "and no share is to be had beside it" declined "$s"
clean

note "memory"
t=$(ahead 25)
s=$(share 20 "$t" 6 --mem=1900)
check "a share with memory is booked" booked "$s"
o=$(beside 100 -n1 --mem=1500)
check "half of the node's memory is for ordinary jobs" runs "$o"
more=$(beside 1 -n1 --mem=1500)
check "not more" waits "$more"
check "the share starts on its second" starts_at "$s" "$t" 1000
check "beside what it may have beside it" running "$o"
clean
s=$(share 20 "$(ahead 25)" 2 --mem=2500)
o=$(beside 40 -n1 --mem=1800)
runs "$o"
check "a share with more memory than is kept waits for the regular job and starts" \
	wait_for 75 began "$s"
ran_once() {
	ended "$o" && [ "$(field "$o" Restarts)" = 0 ]
}
check "the regular job has run to its own end" ran_once
clean

note "where the site does not say so, and whole nodes"
t=$(ahead 25)
s=$(job $user_a 4 -p shared -w n2 --book --time=1 --cpu-share=40 \
	--begin="$(slurm_time "$t")")
check "a share of a node without the feature" booked "$s"
o=$(job $user_b 1 -p batch -w n2 -N1 -n1 --time=2)
check "an ordinary job keeps off" waits "$o"
w=$(book $user_a "$t" -w n1)
check "a whole node is booked" booked "$w"
p=$(beside 1)
check "an ordinary job keeps off" waits "$p"
check "the whole node starts on its second" starts_at "$w" "$t" 1000
check "and the share" starts_at "$s" "$t" 1000
check "the job runs after the share" after "$o" "$s"
check "and after the whole node" after "$p" "$w"
clean

note "another mind, another slurmctld"
t=$(ahead 75)
s=$(share 40 "$t" 4)
check "a share is booked" booked "$s"
o=$(beside 100)
check "an ordinary job begins beside it" runs "$o"
check "an operator makes its reservation longer" scontrol update \
	reservation="rspb_$s" endtime="$(slurm_time $((t + 70)))"
check "and slurmctld is still there" \
	eval 'sleep 0.5; scontrol show reservation "rspb_$s" | grep "CoreCnt=2 "'
check "less is dedicated" settings DedicatedShare=25 Colocate=no,mixed:yes
check "what is booked stands" is_booking "$s" booked
more=$(share 10 "$t" 1)
check "and counts" declined "$more"
less=$(share 25 $((t + 120)) 1)
check "later, there is as much as is dedicated now" booked "$less"
check "nobody is beside shares any more" settings DedicatedShare=25
sleep 5.5	# Slurm saves its state
ctld_stop KILL
check "slurmctld comes back" ctld_start
check "the share starts on its second" starts_at "$s" "$t" 1000
check "the job that was beside it runs on" running "$o"
clean

note "the journal"
check "it tells who was beside" \
	eval 'journals | xargs grep -q "\"block\":{.*\"beside\":true"'
check "and decides the same again" decides_the_same

check "nothing is left" wait_for 20 nothing_left
