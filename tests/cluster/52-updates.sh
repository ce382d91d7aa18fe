# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Owners and operators change jobs with bookings by each field of a message and each word
# of scontrol update, hold and release: slurmctld goes on, and the next one reads what it
# has saved. Takes 200 s.
cluster_up --nodes 6 --wide || exit 1
${CC:-gcc} -O1 -o "$out/message" "$RSPB_TOP/tests/cluster/message.c" -lslurm || exit 1
PATH=$cluster/rspb/bin:$PATH
sed -i 's/rspb_Max[A-Za-z]*=[^,]*,//g' "$SLURM_CONF"
printf '%s\n' MaxWaitingPerUser=100 MaxNodes=100% MaxBookedPercent=100% BatchInterval=50ms \
	>"$cluster/etc/rspb.conf"
reconfigure
mapfile -t fields < <("$out/message" fields)

# ask OPTIONS...: RET the number of a job that is booked for later.
ask() {
	as $user_a sbatch --parsable -o /dev/null --time=5 --book "$@" --wrap 'sleep 60' \
		2>/dev/null
}
# jobs_make: one of each kind, whatever has become of those before.
jobs_make() {
	local begin
	pid=$(ctld_pid)
	scancel -u $user_a >/dev/null 2>&1
	begin=$(slurm_time $((EPOCHSECONDS + 3600)))
	whole=$(ask -N2 --begin="$begin")
	soft=$(ask -N1-3 --begin="$begin" --deadline=now+3hours --benefit=linear:50%)
	part=$(ask -n1 --mem=10 --begin="$begin")
	share=$(ask -p shared -N1 --cpu-share=30% --begin="$begin")
	pair=$(as $user_a sbatch --parsable -o /dev/null --book --time=5 -N1 --begin="$begin" : \
		--book --time=5 -N1 --begin="$begin" job.sh 1 2>/dev/null)
	declined=$(ask -N2 -w n1,n2 --begin="$begin" --licenses=nosuch)
	[ -n "$declined" ] || declined=$(ask -N7 --begin="$begin")
	runs=$(ask -N1)
	jobs=("$whole" "$soft" "$part" "$share" "$pair" "$runs")
	[ -z "$declined" ] || jobs+=("$declined")
	wait_for 10 decided "${jobs[@]}"
	wait_for 20 is_state "$runs" RUNNING
}
decided() {
	local j
	for j; do
		[ -n "$j" ] && contract "$j" | grep -qv 'rspb: requested' || return 1
	done
}
lives() {
	[ "$(ctld_pid)" = "$pid" ] && kill -0 "$pid" && timeout 20 rspb list >"$out/said" 2>&1 ||
		{ cat "$out/said"; tail -n 1 "$cluster/log/slurmctld.log"; return 1; }
}
# reads: the next slurmctld reads what this one has saved.
reads() {
	ctld_stop && ctld_start && wait_for 10 scontrol show reservation rspb_waiting ||
		{ grep -a 'fatal\|error' "$cluster/log/slurmctld.log" | tail -n 3; return 1; }
}

jobs_make
check "jobs of each kind are there" decided "${jobs[@]}"
# sent USER FIELD: its lowest and highest values and some between, to each job; slurmctld
# may take or refuse them.
sent() {
	local j
	for j in "${jobs[@]}"; do
		as "$1" timeout 60 "$out/message" update="$j" sweep="$2" >"$out/said" 2>&1 </dev/null
		grep -q 'are taken' "$out/said" || { echo "job $j, $2: no answer"; return 1; }
	done
	lives
}
n=0
for user in $user_a root; do
	note "each number of a message, by $user"
	for field in "${fields[@]}"; do
		check "$user: slurmctld goes on after each $field" sent "$user" "$field"
		n=$((n + 1))
		[ $((n % 19)) != 0 ] || {
			check "$user: the next one reads it, up to $field" reads
			jobs_make
		}
	done
done
check "the next slurmctld reads all of it" reads

note "words of scontrol"
jobs_make
check "jobs of each kind are there again" decided "${jobs[@]}"
# Each word of scontrol(1), JOBS - SPECIFICATIONS FOR UPDATE COMMAND.
words() {
	cat <<'TEXT'
AccrueTime=now Account=nobody AdminComment=x ArrayTaskThrottle=2 BurstBuffer=x ClusterFeatures=x
Clusters=x Comment=x Comment=cpu-share=10% Contiguous=yes Contiguous=no CoreSpec=1 CPUsPerTask=2
CPUsPerTask=99 Deadline=now+1hour Deadline=now+2days DelayBoot=5 Dependency=afterok:1 Dependency=
EligibleTime=now+1hour EndTime=now+1hour ExcNodeList=n1 ExcNodeList= Extra=x Features=nosuch
Features= Gres=gpu:1 Gres= JobName=x Licenses=x Licenses= MailType=ALL MailUser=x
MinCPUsNode=1 MinCPUsNode=4294967293 MinMemoryCPU=1 MinMemoryNode=1 MinTmpDiskNode=1 Name=x
Nice=2147483645 Nice=-5 Nice= NodeList=n2 NodeList= NumCPUs=1-4 NumCPUs=99 NumNodes=1 NumNodes=1-6
NumNodes=0 NumTasks=1 NumTasks=99 OverSubscribe=yes OverSubscribe=no Partition=shared
Partition=nosuch Partition=main Prefer=x Priority=0 Priority=4294967293 Priority=1 QOS=x Reboot=yes
Reboot=no ReqCores=2 ReqNodes=1-2 ReqProcs=3 ReqSockets=1 ReqThreads=1 Requeue=0 Requeue=1
ReservationName=nosuch ReservationName=rspb_later ReservationName= ResetAccrueTime
SiteFactor=5 StdOut=/dev/null StartTime=now StartTime=now+2hours StartTime=now+1day Switches=1
Switches=1@5 TasksPerNode=2 ThreadSpec=1 TimeLimit=1 TimeLimit=+1 TimeLimit=-1 TimeLimit=UNLIMITED
TimeMin=1 TimeMin=100 UserID=nobody wait-for-switch=5 WCKey=x WorkDir=/tmp
TEXT
}
# scontrolled USER COMMAND... : with each job behind it
scontrolled() {
	local j user=$1
	shift
	for j in "${jobs[@]}" "$pair+1"; do
		as "$user" timeout 20 scontrol "${@//JOB/$j}" >"$out/said" 2>&1 </dev/null
		[ $? -lt 124 ] || { echo "$* of $j: no answer"; return 1; }
	done
	lives
}
for user in $user_a root; do
	note "scontrol by $user"
	for word in $(words); do
		check "$user: slurmctld goes on after $word" scontrolled "$user" update jobid=JOB \
			"$word"
	done
	check "$user: the next one reads what they left" reads
	jobs_make
	for command in "hold" "uhold" "release" "requeue" "requeuehold" "suspend" "resume" "top" \
		"hold" "release" "requeue Incomplete" "notify"; do
		check "$user: slurmctld goes on after scontrol $command" scontrolled "$user" \
			$command JOB
	done
	check "$user: the next one reads what that left" reads
	jobs_make
done

note "what they leave behind"
check "bookings are made as before" decided "${jobs[@]}"
scancel -u $user_a
nothing_left() {
	[ -z "$(squeue -h)" ] && ! scontrol -o show reservation | grep -E 'rspb_[0-9]'
}
check "and nothing is left of them" wait_for 60 nothing_left
