# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Operators' edits of a booking's reservation and of its job: taken over where
# they fit, else undone, and said.
# Takes 60 s.
cat >"$folder/slurm.conf" <<'TEXT'
NodeName=n[1-7] CPUs=4 RealMemory=4000
NodeName=n8 CPUs=4 RealMemory=4000 Feature=gold
PartitionName=main Nodes=ALL Default=YES DefaultTime=10 MaxTime=1-00:00:00
PartitionName=few Nodes=n[7-8] DefaultTime=10 MaxTime=1-00:00:00
PartitionName=shared Nodes=ALL OverSubscribe=FORCE:4 DefaultTime=10
TEXT
echo ReserveAhead=0 >"$folder/rspb.conf"
cluster_up --conf "$folder/slurm.conf" --rspb-conf "$folder/rspb.conf" || exit 1

edit() {
	local j=$1
	shift
	scontrol update reservationname="rspb_$j" "$@" >/dev/null
}
line() {
	scontrol -o show reservation "rspb_$1" 2>/dev/null
}
resv() {
	line "$1" | tr ' ' '\n' | sed -n "s/^$2=//p" | head -n 1
}
resv_is() {
	[ "$(resv "$1" "$2")" = "$3" ] || { line "$1"; return 1; }
}
# A second, and what a busy machine takes.
soon() {
	wait_for 2 "$@"
}
logged() {
	grep -a "rspb: booking $1: .*reservation.*$2" "$cluster/log/slurmctld.log"
}
# undone JOB WHAT: is as it was, and its owner and the log are told.
undone() {
	soon contract_says "$1" "reason=stays as it was booked: .*$2" && logged "$1" "$2"
}

t=$(ahead 55)
# One by one: which nodes each has depends on who is decided with it.
one=$(book $user_a "$t" -N2 --time=5)
booked "$one" >/dev/null
two=$(book $user_b "$t" -N2 --time=2)
booked "$two" >/dev/null
some=$(job $user_a 30 --book --begin="$(slurm_time "$t")" -N1-3 --time=5)
behind=$(book $user_b $((t + 600)) -w n3,n4 --time=5)
check "four bookings" booked "$one" "$two" "$some" "$behind"
check "the first is where it is expected" resv_is "$one" Nodes "n[1-2]"
check "and the second" resv_is "$two" Nodes "n[3-4]"

note "nodes"
edit "$one" nodes=n1,n8
check "other nodes that are free are taken over" soon contract_says "$one" \
	'nodes=2/2 .*reason=changed by an operator'
check "and stay" resv_is "$one" Nodes "n[1,8]"
check "and the log says so" logged "$one" "changed by an operator"
edit "$one" nodes=n1,n3
check "nodes of another booking are given back" undone "$one" "not all free"
check "to the one, too" resv_is "$one" Nodes "n[1,8]"
check "and the other keeps them" resv_is "$two" Nodes "n[3-4]"
named=$(book $user_b $((t + 2000)) -w n5 -N2 --time=5)
check "one names a node" booked "$named"
free=$(resv "$named" Nodes | grep -q 'n\[5-6\]' && echo n7 || echo n6)
edit "$named" nodes="n5,$free"
check "the other node may be another one" soon contract_says "$named" \
	'nodes=2/2 .*reason=changed by an operator'
edit "$named" nodes=n6,n7
check "the named one may not" undone "$named" "names other nodes"
edit "$one" nodecnt=1
check "less than its job can do with is undone" undone "$one" "at least 2 nodes"
edit "$one" nodecnt=3
check "more than it asked for, too" undone "$one" "2 nodes at most"
check "it has its two nodes" resv_is "$one" NodeCnt 2
edit "$some" nodecnt=2
check "a number between is taken over" soon contract_says "$some" \
	'nodes=2/3 .*reason=changed by an operator'
edit "$some" nodecnt=3
check "up, too, wherever Slurm would put it" soon contract_says "$some" \
	'nodes=3/3 .*reason=changed by an operator'
others() {
	! line "$some" | grep -E 'Nodes=[^ ]*n[^ ]*[348]'
}
check "off the nodes of others" others

note "times"
edit "$two" duration=4
check "a longer one that fits is taken over" soon contract_says "$two" \
	'duration=240s .*reason=changed by an operator'
check "its job may take all of it" soon [ "$(field "$two" TimeLimit)" = 00:04:00 ]
edit "$two" duration=20
check "one that reaches into another is undone" undone "$two" "not all free"
check "to the minute" resv_is "$two" Duration 00:04:00
edit "$behind" starttime="$(slurm_time $((t + 900)))"
check "a later start is taken over" soon contract_says "$behind" \
	"start=$(date -u -d @$((t + 900)) +%FT%TZ) .*changed by an operator"
check "and so does its job" [ "$(field "$behind" StartTime)" = \
	"$(slurm_time $((t + 900)))" ]
edit "$behind" starttime="$(slurm_time $((t + 120)))"
check "a start within another is undone" undone "$behind" "not all free"

note "whose it is, and what"
for what in users=$user_b flags=maint flags=daily flags=flex flags=magnetic \
	partition=few burstbuffer=scratch:1; do
	case $what in
	users*) word=Users ;;
	flags*) word=Flags ;;
	partition*) word=PartitionName ;;
	*) word=BurstBuffer ;;
	esac
	before=$(logged "$one" "$word" | wc -l)
	again() {
		[ "$(logged "$one" "$word" | wc -l)" -gt "$before" ]
	}
	if edit "$one" "$what" 2>/dev/null; then
		check "$what is undone" soon again
	else
		check "$what is refused by Slurm itself" \
			resv_is "$one" Users $user_a
	fi
done
check "its owner is told" undone "$one" BurstBuffer
as_made() {
	resv_is "$one" Users $user_a && resv_is "$one" PartitionName "(null)" &&
		line "$one" | grep -q 'Flags=OVERLAP,IGNORE_JOBS,SPEC_NODES,PURGE_COMP' &&
		! line "$one" | grep -E 'MAINT|DAILY|FLEX|MAGNETIC|scratch'
}
check "it is as it was made" as_made
busy() {
	! scontrol delete reservationname="rspb_$one" >/dev/null 2>&1
}
check "while its job waits it cannot be deleted" busy

note "the job"
job_edit() {
	scontrol update jobid="$one" "$@" 2>&1
}
keeps() {
	! job_edit "$@" >/dev/null || { scontrol show job "$one"; return 1; }
}
asks() {
	scontrol -o show job "$one" | tr ' ' '\n' | grep -E \
		'^(NumNodes|NumCPUs|NumTasks|MinMemoryNode|Features|Partition|TimeLimit)='
}
was=$(asks)
as_it_was() {
	[ "$(asks)" = "$was" ] || { asks; return 1; }
}
check "memory that no node of it has" keeps minmemorynode=9000
check "features that they do not have" keeps features=gold
check "more CPUs than they have" keeps numcpus=12
check "a partition that does not have them" keeps partition=few
check "other nodes, but for those of its reservation" keeps numnodes=3
check "more time than it has booked" keeps timelimit=6
check "nothing of that has changed it" as_it_was
check "memory that they have" job_edit minmemorynode=3000
# at times Slurm 24.11 answers "Resource temporarily unavailable", also without us
check "a partition that has them" wait_for 5 job_edit partition=shared
check "and back" wait_for 5 job_edit partition=main
check "less time" job_edit timelimit=2
check "a longer window" edit "$one" duration=6
check "is taken over" soon contract_says "$one" 'duration=360s '
check "and then its job may be as long" job_edit timelimit=6

note "the start"
sleep_until $((t - 1))
edit "$two" nodes=n5,n6
edit "$one" nodes=n3,n1
check "all start on their second" starts_at "$some" "$t" 2500
check "also those that were changed in the last" starts_at "$one" "$t" 2500
check "and the one that took other nodes or stayed" starts_at "$two" "$t" 2500
alone() {
	squeue -h -t R -o %N | xargs -n 1 scontrol show hostnames | sort | uniq -d |
		grep . && return 1
	return 0
}
check "no node has two" alone

note "while it runs"
edit "$some" duration=6
check "a longer window is taken over" soon contract_says "$some" \
	'active .*duration=360s .*reason=changed by an operator'
check "which its job may take" soon [ "$(field "$some" TimeLimit)" = 00:06:00 ]
edit "$some" nodecnt=2
check "its nodes stay" undone "$some" "its job runs on its nodes"
! edit "$some" users=$user_b 2>/dev/null ||
	check "and its user" undone "$some" Users
check "as it was made" resv_is "$some" Users $user_a
check "it ends in peace" wait_for 40 is_state "$some" COMPLETED
