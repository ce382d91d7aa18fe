# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What users want beyond nodes and a time: work in the form that is over first, nodes that
# are preferred, a price.
# Takes 60 s.
cat >"$folder/rspb.conf" <<TEXT
Order=price
ChargePercent=100
Rule=gate Users=$user_b ReqResv=yes
Rule=few Partitions=few MaxNodes=2
TEXT
cluster_up --nodes 6 --rspb-conf "$folder/rspb.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"

part() {
	contract "$1" | grep -oE "(^| )$2=[^ ]*" | cut -d= -f2-
}
is_part() {
	[ "$(part "$1" "$2")" = "$3" ] || { contract "$1"; return 1; }
}
job_says() {
	scontrol -o show job "$1" | grep -qE " $2( |$)" ||
		{ scontrol -o show job "$1"; return 1; }
}

t=$(ahead 1200)
first=$(book $user_a "$t" -N3 --time=20)
check "three of six nodes are booked" booked "$first"
# By hand: 2 h x (1/20 + 19/20 / 3) are 44 minutes, and 63 on two nodes. On more of them
# it would have to wait for the booking, and be over later and dearer.
wish() {
	as $user_b rspb "$@" -N2-6 --work=2h:5% --begin="$(slurm_time "$t")" --price=150%
}
offered() {
	local said
	said=$(wish offers)
	[ "$(sed 1d <<<"$said" | awk '{ print $3 "/" $6 }' | xargs)" = '2/3.15 3/3.30' ] &&
		grep -qE -- '-N2 --time=63 --begin=[^ ]* --price=150%$' <<<"$said" ||
		{ echo "$said"; return 1; }
}
check "it is offered in its forms, the cheapest first" offered
priced() {
	wish --json offers | tr -d ' \n' | grep -oE '"price":[0-9]+' | xargs |
		grep -x 'price:11340 price:11880'
}
check "with what each is charged" priced
slots() {
	as $user_b rspb slots "$@" --work=2h:5% >"$out/slots" ||
		{ cat "$out/slots"; return 1; }
}
check "when so many nodes are free for it is told, too" slots -N3
check "but not where nobody says for how many" says 2 "N is needed" \
	as $user_b rspb slots --work=2h:5%
work=$(book $user_b "$t" -N2-6 --time=2:00:00 --work=2h:5%)
check "work is booked on as many nodes as are free" booked "$work"
check "on three" is_part "$work" nodes 3/3
check "for as long as it takes there" is_part "$work" duration 2640s
check "which is its time limit" job_says "$work" 'TimeLimit=00:44:00'
check "and its number of nodes" job_says "$work" 'NumNodes=3-3'
table=$(book $user_a "$t" -N2-6 --time=2:00:00 --work=2@2h,6@10m \
	--deadline="$(slurm_time $((t + 18000)))")
check "by a table the one that is over first" booked "$table"
check "all six, later" is_part "$table" nodes 6/6
check "and short" job_says "$table" 'TimeLimit=00:10:00'
check "what no form does in time is refused" refused 'not done within' \
	as $user_a sbatch --book --time=10 -N1-2 --work=2h --wrap true
check "and so is work that less would be worth something of" \
	refused '[-]-benefit' as $user_a sbatch --book -N1-2 --work=2h \
	--benefit=linear --wrap true

note "one of several partitions"
u=$((t + 86400))
cat >>"$cluster/etc/slurm.conf" <<'TEXT'
PartitionName=left Nodes=n[1-2] MaxTime=1:00:00
PartitionName=right Nodes=n[3-6] MaxTime=1:00:00
PartitionName=gate Nodes=n[3-6] MaxTime=1:00:00 ReqResv=YES
PartitionName=few Nodes=ALL MaxTime=1-00:00:00
TEXT
reconfigure
few=$(book $user_a $((u + 36000)) -p few -N2-6 --time=2:00:00 --work=2h:5%)
check "work is booked in a form that the site lets be" booked "$few"
check "on no more nodes" is_part "$few" nodes 2/2
as $user_a scancel "$few"
side=$(book $user_a "$u" -p left -N2 --time=20)
check "all of one partition is booked" booked "$side"
other=$(book $user_b "$u" -p left,right -N2 --time=20)
check "who names it and another one is booked" booked "$other"
check "in the other one" job_says "$other" 'Partition=right'
check "its contract says where else it might be" \
	is_part "$other" partitions right,left
held=$(book $user_b $((u + 1200)) -p left,right -N2 --time=20 --hold)
check "of equals it is the first" job_says "$held" 'Partition=left'
front=$(book $user_a $((u + 1200)) -p left -N1 --time=20)
check "another one comes before it is released" booked "$front"
scontrol release "$held"
check "then it is the next" booked "$held"
check "which its job is in" job_says "$held" 'Partition=right'
check "one that all are too small for is refused" refused 'partition left has only 2 nodes' \
	as $user_a sbatch --book --time=10 -N5 -p left,right --wrap true
check "and one of which one is not there" refused 'nosuch: there is no such' \
	as $user_a sbatch --book --time=10 -N1 -p left,nosuch --wrap true
v=$((u + 7200))
pair=$(as $user_a sbatch --parsable -o /dev/null --time=20 --begin="$(slurm_time "$v")" \
	--book -p left,right -N1 : --book -p left,right -N2 job.sh 1)
check "a pair of which both would like the first is booked" booked "$pair"
check "one of them there" job_says "$pair" 'Partition=left'
check "the other, for which there is no room, in the next" job_says $((pair + 1)) \
	'Partition=right'
check "as its contract says" is_part $((pair + 1)) partitions right,left
as $user_a scancel "$pair"
w=$((u + 14400))
most=$(book $user_a "$w" -p right -N3 --time=20)
check "three of the four of one are booked" booked "$most"
pair=$(as $user_a sbatch --parsable -o /dev/null --time=20 --begin="$(slurm_time "$w")" \
	--book -p left,right -N1 : --book -p left,right -N2 job.sh 1)
check "a pair that fits in one way of four is booked" booked "$pair"
check "the first behind its first one" job_says "$pair" 'Partition=right'
check "the second in its first one" job_says $((pair + 1)) 'Partition=left'
as $user_a scancel "$pair" "$most"
rest=$(book $user_a "$u" -p right -N2 --time=20)
check "the rest of it is booked" booked "$rest"
lost=$(book $user_b "$u" -p right,left -N2 --time=20)
check "where none has room it is declined" declined "$lost"
check "for all of them" grep 'last of partitions left,right' <(contract "$lost")
pair=$(as $user_a sbatch --parsable -o /dev/null --time=20 --begin="$(slurm_time "$u")" \
	--book -p right,left -N1 : --book -p left,right -N1 job.sh 1)
check "and so is a pair" declined "$pair"
check "for all that its parts name" grep 'last of the partitions of its components' \
	<(contract "$pair")
as $user_a scancel "$pair"

note "a partition for those with a reservation"
check "nobody books in it" refused "only for operators' reservations .ReqResv=no" \
	as $user_a sbatch --book --time=10 -N1 -p gate --wrap true
within=$(book $user_b $((u + 3600)) -p gate -N1 --time=10)
check "but whom a rule lets" booked "$within"
either=$(book $user_a $((u + 3600)) -p gate,left -N1 --time=10)
check "who names another one, too, is booked there" booked "$either"
check "its job is in that one" job_says "$either" 'Partition=left'

note "a slurmctld that is killed"
ctld_stop KILL
ctld_start
check "the form is kept" wait_for 60 is_part "$work" duration 2640s
check "by the job, too" job_says "$work" 'TimeLimit=00:44:00'
check "and its booking" booked "$work"
check "a job is in the partition that was chosen" job_says "$held" 'Partition=right'
as $user_b scancel "$work" "$held" "$other" "$lost" "$within"
as $user_a scancel "$side" "$front" "$rest" "$either"
as $user_a scancel "$first" "$table"

note "nodes that are preferred"
scontrol update nodename=n5 features=x,y
scontrol update nodename=n2 features=x
far() {
	as $user_a rspb --json offers -N2 -t 20 --begin="$(slurm_time "$t")" \
		--prefer-qos=feature=x,feature=y | grep -E '"distance": ?0\.5'
}
check "an offer says how far they are" far
liked=$(book $user_a "$t" -N2 --time=20 --prefer-qos=feature=x,feature=y)
check "two are booked" booked "$liked"
check "the nearest" is_part "$liked" on 'n[2,5]'
check "half of which lacks one thing" is_part "$liked" distance 500
check "for good" is_part "$liked" binding ''
as $user_a scancel "$liked"
loose=$(book $user_a "$t" -N2 --time=20 --prefer-qos=feature=x,feature=y \
	--deadline="$(slurm_time $((t + 7200)))")
check "with a window two are booked" booked "$loose"
check "bound to them as planned" is_part "$loose" binding provisional
check "and as far from what is liked as is to be expected" is_part "$loose" distance 500
# bound JOB WORD: JSON says how it is bound, and by which agreement.
bound() {
	as $user_a rspb show "$1" --json >"$out/show" &&
		jq -e ".booking | .binding == \"$2\" and .distance == 0.5 and
			.agreement == \"resource\"" "$out/show" >/dev/null ||
		{ cat "$out/show"; return 1; }
}
check "which JSON says, too" bound "$loose" provisional
as $user_a scancel "$loose"
liked=$(book $user_a "$t" -N2 --time=20 --prefer-qos=feature=x,feature=y)
check "at a start that was asked for two are booked" booked "$liked"
check "firmly" bound "$liked" firm
none=$(book $user_a "$t" -N2 --time=20 --prefer-qos=feature=x,feature=y)
check "those that are farther do" booked "$none"
check "farther" is_part "$none" distance 1414

soft=$(book $user_b "$u" -N1 --time=20 '--prefer=x&y')
check "sbatch --prefer is liked as well" booked "$soft"
check "both of two" is_part "$soft" on n5
soft=$(book $user_b "$u" -N1 --time=20 '--prefer=y|x')
check "another one is booked" booked "$soft"
check "one of two" is_part "$soft" on n2
check "what cannot be read is refused" refused 'names with .&. between' \
	as $user_a sbatch --book --time=10 -N1 '--prefer=[x|y]' --wrap true

note "who pays more"
# Two nodes are left, and both come into one batch.
printf 'BatchInterval=40s\n' >>"$cluster/etc/rspb.conf"
reconfigure
# Three requests in an interval are decided at once, each alone. The first one that waits
# begins an interval of its own, in which the next two come.
is_decided_soon() { wait_for 3 decided "$1"; }
for i in 1 2 3 4; do
	filler=$(book $user_a $((t + i * 7200)) -N1)
	is_decided_soon "$filler" || break
	as $user_a scancel "$filler"
done
check "the fourth request in an interval waits, at the latest" is_booking "$filler" requested
cheap=$(book $user_a "$t" -N2 --time=20 --price=50%)
dear=$(book $user_b "$t" -N2 --time=20 --price=200%)
check "the later one, that pays more, is booked" wait_for 90 is_part "$dear" nodes 2/2
check "the other one is not" declined "$cheap"
as $user_a scancel "$filler"
sed -i '/^BatchInterval/d' "$cluster/etc/rspb.conf"
reconfigure
paid=$(job $user_b 1 --book=asap -N1 --time=2 --price=150%)
charged() {
	contract "$paid" | grep -oE 'charged=[0-9]+s' || return 1
}
check "a booking that is over is charged" wait_for 120 charged
check "half as much again" test "$(charged)" = charged=180s
