# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What is refused, and that it leaves nothing; what users may not change.
# Takes 30 s.
cluster_up --nodes 4 || exit 1

# slurmctld looks at features at submission when it has had a job
first=$(job $user_a 0)
check "an ordinary job runs" wait_for 30 gone "$first"

note "bad input: one sentence that names the flag"
soon=$(slurm_time "$(ahead 60)")
wrap=(--wrap true -o /dev/null --time=1)
bad() {
	local what=$1 text=$2
	shift 2
	check "$text" refused "$what" as $user_a sbatch "${wrap[@]}" "$@"
}
bad '--book' "an unknown value of --book" --book=maybe
bad '--benefit' "an unknown shape" --book --benefit=wavy:25%
bad '--benefit' "an unknown unit" --book --benefit=linear:25furlongs
bad '--benefit' "a minimum over 100 %" --book --benefit=linear:250%
bad '--benefit' "points out of order" --book --benefit=60%@0.4,25%@0.8
bad '--benefit' "--benefit without --book" --benefit=linear:25%
bad '--cpu-share' "a share over 100 %" --book --cpu-share=101
bad '--cpu-share' "a share of 0" --book --cpu-share=0
bad '--cpu-share' "a share with two points" --book --cpu-share=35.5.5%
bad '--cpu-share' "a minimum above the share" --book --cpu-share=20:40%
bad '--cpu-share' "an absurd number" \
	--book --cpu-share=99999999999999999999999999
bad '--benefit' "control characters" --book --benefit=$'linear:\033[2J25%'
# longer than one argument may be for a kernel, hence by the script
long_text() {
	{
		echo '#!/bin/sh'
		printf '#SBATCH --book\n#SBATCH --benefit='
		head -c 1000000 /dev/zero | tr '\0' 'x'
		printf '\ntrue\n'
	} >"$out/long.sh"
	refused '--benefit' as $user_a sbatch --time=1 long.sh
}
check "1 MB of text" long_text
bad 'node' "more nodes than there are" --book -N5 --begin="$soon"
bad 'node' "a node that does not exist" --book -w n99 --begin="$soon"
bad 'deadline|--deadline' "a deadline before ready time and duration" \
	--book --begin="$soon" --deadline="$soon"
bad '--array=1-3%2' "how many of a job array run at a time" --book --array=1-3%2
bad '--constraint=gold' "a feature that no node has" --book --constraint=gold
bad '--mem=9437184000M: none of the 4' "more memory than any node has" \
	--book --mem=9000T
bad '--cpus-per-task.*: none of the 4' "more CPUs than any node has" --book -c 999
bad '--nodelist=n\[1,99\]: not all' "a named node that is not there" --book -w n99,n1
bad '--nodelist=n\[1-65536\]: has 65536 names; allowed are 4 times the 4 nodes' \
	"more names than nodes could have" --book -w 'n[1-65536]'
bad '--exclude=n.*: has 300000000 names' "so many that they cannot be written out" \
	--book -x 'n[1-100,1-100,1-100][1-1000][1-1000]'
bad '--constraint=.*: can be met by more than 1024 sets' \
	"features in more ways than that" --book -C "(a|b)$(printf '&(a|b)%.0s' {1..60})"
bad '--nodes=4: partition .* has only 3 ' "more nodes than --exclude leaves" \
	--book -N4 -x n1
scontrol update nodename=n1 activefeatures=fast availablefeatures=fast
bad '--constraint=fast: only 1 of the 4 nodes' "more nodes of a kind than there are" \
	--book -N2 --constraint=fast
check "and nothing of all that is left" nothing_left

note "the first line is true"
t=$(ahead 600)
fast=$(book $user_a "$t" -N1 --constraint=fast)
check "a node of a kind is booked" booked "$fast"
# what users are told is as of the last look, once a second
sleep 3
# told PATTERN [sbatch options]: what is said of a booking that is not made
told() {
	local pattern=$1 line
	shift
	line=$(as $user_b sbatch --test-only --book "${wrap[@]}" \
		--begin="$(slurm_time "$t")" "$@" 2>&1)
	grep -E "(rspb|error): $pattern" <<<"$line" || { echo "$line"; return 1; }
}
check "that nodes of that kind are taken" \
	told 'booking unlikely: .*: the only suitable node is not free then' -N1 --constraint=fast
zone=$(date +%Z)
check "when, by the clock here" told \
	"booking unlikely: 1 node.* for $(slurm_time "$t") $zone to" \
	-N1 --constraint=fast
check "that others are free" told "booking likely: .* $zone on 3 nodes.*as of [0-9]* s ago" -N3
check "a share, of each node" told 'booking likely: .* on 30% of the CPUs of each of 3 nodes' \
	-p shared -N3 --cpu-share=30
as $user_a scancel "$fast"
check "nothing is left of that" wait_for 10 nothing_left

note "questions leave no trace"
as $user_a sbatch --test-only --book -N2 "${wrap[@]}" >/dev/null 2>&1
check "--test-only leaves nothing" nothing_left

note "what users may not change"
t=$(ahead 300)
j=$(book $user_a "$t" -N2)
check "a booking to try it on" booked "$j"
may_not() {
	check "$1" refused . as "$2" scontrol update jobid="$j" "${@:3}"
}
may_not "its owner may not leave its reservation" $user_a reservationname=
may_not "nor with another length" $user_a reservationname= timelimit=10
may_not "its owner may not change its features" $user_a features=x
may_not "another user may not take more time of it" $user_b timelimit=10
may_not "nor more nodes" $user_b numnodes=4
may_not "nor start it earlier" $user_b starttime=now
may_not "its owner may not rewrite the contract" $user_a \
	admincomment="rspb: booked 1-2 nodes=4/4"
may_not "another user may not touch it" $user_b name=x
says_why() {
	scontrol show job "$j" |
		grep 'SystemComment=rspb: refused: .* part of its booking'
}
check "the job says what was refused, and why" says_why
check "another user may not hold it" refused . as $user_b scontrol hold "$j"
check "its owner may" as $user_a scontrol hold "$j"
check "and let it go" as $user_a scontrol release "$j"
before=$(contract "$j")
check "it stands as before" [ "$before" = "$(contract "$j")" ]
intruder=$(job $user_b 1 --time=1 --reservation="rspb_$j" 2>&1)
check "nobody else gets into its reservation" [ -z "${intruder##*error*}" ]
check "an operator may cancel it" scancel "$j"
check "it goes" wait_for 10 nothing_left

note "forged"
as $user_a sbatch --parsable "${wrap[@]}" --book \
	--begin="$(slurm_time "$t")" -N1 \
	--admin-comment="rspb: booked $t-$((t + 60)) nodes=4/4" \
	>"$out/forged" 2>&1
forged_refused() {
	local j
	j=$(grep -xE '[0-9]+' "$out/forged") || return 0
	wait_for 10 decided "$j"
	contract "$j"
	contract "$j" | grep -q 'nodes=1/1'
}
check "a contract of one's own is not believed" forged_refused
scancel -u $user_a
forge_env() {
	local j
	j=$(as $user_a env _SLURM_SPANK_OPTION_rspb_book= \
		sbatch --parsable "${wrap[@]}" -N1)
	wait_for 10 gone "$j" || { scontrol show job "$j"; return 1; }
	[ -z "$(contract "$j")" ]
}
check "a flag from an outer job's environment is not inherited" forge_env
check "nothing is left over" wait_for 20 nothing_left
