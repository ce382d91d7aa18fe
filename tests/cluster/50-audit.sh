# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Audit=yes logs who changed each booking and from where; a report on the CPU time of a
# node counts only if it comes from that node's host or a controller.
# Takes 40 s.
printf '%s\n' Audit=yes >"$folder/rspb.conf"
cluster_up --nodes 4 --rspb-conf "$folder/rspb.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"
uid_a=$(id -u $user_a) uid_b=$(id -u $user_b)
log=$cluster/log/slurmctld.log
# audited PATTERN: a line of the log is this, from its first word on.
audited() {
	grep -qE "rspb: audit: $1" "$log" || { grep -F "rspb: audit:" "$log"; return 1; }
}
# Slurm may name this host as it likes.
here='[A-Za-z0-9.:-]*[A-Za-z0-9]'

note "who booked what"
t=$(ahead 600)
a=$(book $user_a "$t" -N2)
b=$(book $user_b "$t" -N4)
check "one is booked" booked "$a"
check "the other is declined" declined "$b"
check "a booked request names its user and host" wait_for 5 audited \
	"action=book job=$a uid=$uid_a from=$here result=done: [A-Z]"
check "so does a declined one, with the reason" wait_for 5 audited \
	"action=book job=$b uid=$uid_b from=$here result=refused: 4 nodes requested "

note "who changed it"
check "its owner makes it longer" as $user_a rspb modify "$a" --time=20
check "a change by rspb has the address of its connection" wait_for 5 audited \
	"action=modify job=$a uid=$uid_a from=127\.0\.0\.1 result=done: booked from "
others() {
	! as $user_b rspb modify "$a" --time=10
}
check "another user may not" others
check "a refused change is a line, too" wait_for 5 audited \
	"action=modify job=$a uid=$uid_b from=127\.0\.0\.1 result=refused: "
as $user_a scontrol update jobid="$a" reservationname= >"$out/said" 2>&1
check "also one by scontrol" wait_for 5 audited \
	"action=update job=$a uid=$uid_a from=$here result=refused: job $a: "
check "an owner's change by scontrol" as $user_a scontrol update jobid="$a" timelimit=15
# The change before, whose address may match as well, has a line of its own.
changed_twice() {
	[ "$(grep -cE "rspb: audit: action=modify job=$a uid=$uid_a from=$here result=done: booked" \
		"$log")" = 2 ]
}
check "has the host of its credential" wait_for 10 changed_twice
# The scheduled change above is decided by now, so that no line is on its way.
grep -F "rspb: audit:" "$log" >"$out/before"
as $user_a rspb list >"$out/said" && as $user_a rspb show "$a" >"$out/said" &&
	as $user_b rspb offers "$b" >"$out/said" || not_ok "the questions are answered"
same_lines() {
	grep -F "rspb: audit:" "$log" | diff "$out/before" -
}
check "questions leave no line" same_lines

note "who ended it"
check "its owner releases it" as $user_a rspb giveback "$a"
check "which has the address" wait_for 5 audited \
	"action=release job=$a uid=$uid_a from=127\.0\.0\.1 result=done"
c=$(book $user_a "$(ahead 900)" -N1)
check "one more is booked" booked "$c"
check "an operator cancels it" scancel "$c"
check "the line has the operator's number" wait_for 10 audited \
	"action=cancel job=$c uid=0 from=- result=done"

note "reservations"
begin=$(slurm_time "$(ahead 1200)")
check "an operator books" scontrol create reservation reservationname=night \
	starttime="$begin" duration=10 users=$user_a flags=any_nodes \
	burstbuffer=rspb:nodes=2
check "Slurm does not tell who it was" wait_for 10 audited \
	"action=book reservation=night uid=- from=- result=done"
check "it is deleted" scontrol delete reservation night
check "which is a line, too" wait_for 10 audited "action=cancel reservation=number-[0-9]+ "

note "reports"
${CC:-gcc} -o "$out/report" "$RSPB_TOP/tests/cluster/report.c" -lslurm || exit 1
report="rspb-use: node=n1
job=4000000 run=1 ended=1 share=1 ceiling=0 cpus=1 span=1 used=1"
report="$report periods=0 throttled=0 stalled=0"
log_says() {
	grep -F -- "$1" "$log"
}
"$out/report" "$report" >"$out/said"
check "a report from the node's host is looked at" wait_for 5 log_says "no such job"
# Another host with the cluster's key, by its own munged.
munged --origin=192.0.2.1 --foreground --force --socket="$out/elsewhere" \
	--key-file="$cluster/etc/munge.key" --pid-file="$out/elsewhere.pid" \
	--log-file="$out/elsewhere.log" --seed-file="$out/elsewhere.seed" \
	>"$out/elsewhere.out" 2>&1 &
elsewhere=$!
wait_for 10 test -S "$out/elsewhere"
sed "s,^AuthInfo=.*,AuthInfo=socket=$out/elsewhere," "$cluster/etc/slurm.conf" \
	>"$cluster/etc/elsewhere.conf"
from_elsewhere() {
	SLURM_CONF=$cluster/etc/elsewhere.conf "$out/report" "$report"
}
before=$(grep -c "no such job" "$log")
from_elsewhere >"$out/said"
check "from another host it is refused" wait_for 5 log_says \
	"a report for node n1 came from host 192.0.2.1, which is not its NodeName"
same_before() {
	[ "$(grep -c "no such job" "$log")" -eq "$before" ]
}
check "and not looked at" same_before
echo ReportHost=any >>"$cluster/etc/rspb.conf"
check "it reconfigures" reconfigure
looked_at() {
	from_elsewhere >"$out/said"
	! same_before
}
check "with ReportHost=any it counts" wait_for 10 looked_at
kill "$elsewhere"

note "without the key"
sed -i '/^Audit/d' "$cluster/etc/rspb.conf"
check "it reconfigures again" reconfigure
lines=$(grep -c "rspb: audit:" "$log")
d=$(book $user_a "$(ahead 1800)" -N1)
check "a booking" booked "$d"
no_line() {
	[ "$(grep -c "rspb: audit:" "$log")" -eq "$lines" ]
}
check "leaves no line" no_line
