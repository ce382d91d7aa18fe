# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What does not fit as asked: less, or all or nothing, or a reason.
# Takes 125 s.
cluster_up --nodes 6 || exit 1

t=$(ahead 20)
first=$(book $user_a "$t" -N4)
check "four of six nodes are booked" booked "$first"

soft=$(book $user_b "$t" -N4 --benefit=linear:25%)
check "a soft booking of four gets less" booked "$soft"
granted_nodes() {
	contract "$1" | grep -qE "nodes=$2" || { contract "$1"; return 1; }
}
check "it gets the two that are left" granted_nodes "$soft" 2/4
check "its benefit is said" grep 'benefit=0\.5' <<<"$(contract "$soft")"

hard=$(book $user_a "$t" -N1)
check "a hard booking then finds nothing" declined "$hard"
check "the reason is in the job's record" \
	grep -i 'reason=.' <<<"$(contract "$hard")"
told() {
	squeue -h -j "$hard" -o '%r' | grep -vx None
}
check "squeue shows a reason" told
check "in short, with the command that tells more" \
	grep -E "then; rspb offers $hard lists" <<<"$(told | tr _ ' ')"
pasted=$(contract "$hard" | grep -oE "rspb accept $hard [^ ]+")
check "the contract tells it whole" grep -q "^rspb accept $hard 1@" <<<"$pasted"
check "it is held, not lost" is_state "$hard" PENDING
check "its owner may cancel it" as $user_a scancel "$hard"

note "ranges, and named nodes"
t3=$((t + 600))
one=$(book $user_a "$t3" -N1 -w n4)
range=$(book $user_b "$t3" -N2-4 -x n5,n6)
check "a range of nodes without --benefit is booked" booked "$range"
check "with as many as there are" granted_nodes "$range" 3/4
narrow=$(book $user_b "$t3" -N2-4 -x n5,n6)
check "another one finds too few" declined "$narrow"
as $user_a scancel "$one"
as $user_b scancel "$range" "$narrow"

note "more nodes than there are"
many=$(book $user_b "$t3" -N9 --benefit=linear:25%)
check "nine of six nodes are booked as what there is" booked "$many"
check "all six" granted_nodes "$many" 6/9
check "its benefit is that of six of nine" grep -E 'benefit=(2/3|0\.66)' <<<"$(
	contract "$many")"
as $user_b scancel "$many"
many=$(book $user_b "$t3" -N9 -n18 --benefit=linear:25%)
check "with tasks, too" booked "$many"
check "on all six" granted_nodes "$many" 6/9
check "of which it keeps its part" grep -o 'NumTasks=12 ' <<<"$(
	scontrol -o show job "$many")"
# resized JOB NODES TASKS: the owner asks for so many nodes, and its job has so many tasks then.
resized() {
	as $user_b "$cluster/rspb/bin/rspb" modify "$1" -N"$2" >/dev/null &&
		[ "$(field "$1" NumTasks)" = "$3" ] || { field "$1" NumTasks; return 1; }
}
check "two on each node, if its owner asks for what it has" resized "$many" 6 12
check "and if for fewer" resized "$many" 5 10
as $user_b scancel "$many"
check "without a benefit function they are refused" refused 'nodes' \
	as $user_b sbatch --book --begin="$(slurm_time "$t3")" --time=1 -N9 \
	--wrap true
share() {
	as $user_a sbatch --parsable -o job-%j.out --book -p shared \
		-w n4 --begin="$(slurm_time "$t3")" --time=1 "$@" job.sh 1
}
most=$(share --cpu-share=70%)
rest=$(share --cpu-share=60%:20%)
check "a range of shares is booked" booked "$most" "$rest"
check "with what is left" grep ' share=30% ' <<<"$(contract "$rest")"
as $user_a scancel "$most" "$rest"
t2=$((t + 65))
holder=$(book $user_a "$t2" -w n2)
named=$(book $user_b "$t2" -w n1,n2 --benefit=linear:25%)
check "two named nodes, of which one is booked" booked "$holder" "$named"
check "the one that is left is granted" granted_nodes "$named" 1/2
check "the job no longer asks for the other" [ \
	"$(field "$named" ReqNodeList)" = n1 ]

note "co-reservations, beside these two"
# all that is asked of a heterogeneous job: the options of each component
pair() {
	local user=$1 start
	start=$(slurm_time "$2")
	as "$user" sbatch --parsable -o job-%j.out \
		--book --begin="$start" --time=1 -N"$3" : \
		--book --begin="$start" --time=1 -N"$4" job.sh 2
}
both=$(pair $user_a $t2 2 1)
check "both parts of a pair are granted" booked "$both" "$((both + 1))"
too_much=$(pair $user_b $t2 1 2)
check "a pair of which one part fits is declined" declined "$too_much"
check "and so is its other part" declined "$((too_much + 1))"
as $user_b scancel "$too_much"

check "the first booking starts on its second" starts_at "$first" "$t"
check "the soft one too" starts_at "$soft" "$t"
wide() {
	wait_for 10 ended "$soft" &&
		[ "$(scontrol show hostnames \
			"$(awk '{ print $3 }' "$out/ran.$soft")" | wc -l)" -eq 2 ]
}
check "and sees two nodes" wide
check "a pair starts on its second" starts_at "$both" "$t2"
same_second() {
	local a b
	a=$(field "$both+0" StartTime) b=$(field "$both+1" StartTime)
	[ -n "$a" ] && [ "$a" = "$b" ] || { echo "$a, $b"; return 1; }
}
check "both parts at once" same_second
check "the one with half of its named nodes, too" starts_at "$named" "$t2"

note "amount and time"
t4=$((t3 + 600))
early=$(book $user_a "$t4" -N3)
# Three at once are worth 0.5; six a minute later what half of the time is.
timely() {
	book $user_b "$t4" -N6 --benefit=linear:25% --benefit-time="$1" \
		--deadline="$(slurm_time $((t4 + 180)))"
}
steep=$(timely 80%@0.9,100%@1)
check "less at once, where later is worth nothing" booked "$early" "$steep"
check "is half of it" granted_nodes "$steep" '3/6 benefit=0\.5 asked=linear:25% benefit-time=0\.8@0\.9,1@1 '
as $user_b scancel "$steep"
mild=$(timely 0%@0.8,100%@1)
check "all of it later, where that is worth more" booked "$mild"
check "is not worth all" granted_nodes "$mild" '6/6 benefit=(0\.[89]|[0-9]+/).* benefit-time='
worth() {
	"$cluster/rspb/bin/rspb" show "$mild" --json | jq -e '.booking.benefit | . > 0.8 and . < 0.95'
}
check "but most of it" worth
ctld_stop KILL
ctld_start
check "also when slurmctld has read it again" wait_for 20 worth
as $user_a scancel "$early"
as $user_b scancel "$mild"
check "nothing is left over" wait_for 20 nothing_left
