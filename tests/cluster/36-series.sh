# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Bookings that recur: made, seen, changed as one, all or none, cancelled, kept over
# a kill. Takes 40 s.
cluster_up --nodes 6 || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"
wrap=(-o /dev/null --wrap "sleep 600")
has() {
	[ "$(value "$1" "$2")" = "$3" ] || { rspb show "$1"; return 1; }
}
soon() {
	wait_for 5 "$@"
}

note "what recurs"
series() {
	as $user_a rspb --json request --repeat=daily --begin="$(slurm_time "$t")" \
		-N6 -t 10 "$@" "${wrap[@]}" 2>"$out/why"
}
t=$(ahead 7200)
told=$(series --count=3)
if grep -q 'without libical' "$out/why"; then
	skip "recurring bookings: rspb was built without libical"
else
	series --count=2 --deadline=now+1h >"$out/said"
	check "a deadline before the begin is refused" \
		grep -e '--deadline=now+1h: is before --begin' "$out/why"
	days() {
		jq -e --argjson t "$t" '.booked == 3 and ([.bookings[].start] ==
			[$t, $t + 86400, $t + 172800])' <<<"$told"
	}
	check "three days, at the same time" days
	name=$(jq -r .series <<<"$told")
	# row: what the list says of it
	row() {
		as $user_a rspb list | awk -v s="$name" '$1 == s'
	}
	check "listed as one" grep -qE "booked .*$(slurm_time $((t + 173400))) .*series of 3" \
		<(row)
	check "each when it is shown" says 0 "$(slurm_time $((t + 86400)))" \
		as $user_a rspb show "$name"
	check "nobody else's" says 1 'nor a series of yours' \
		as $user_b rspb cancel "$name"
	check "nor to change" says 1 'nor a series of yours' \
		as $user_b rspb modify "$name" -N1
	# all MEMBER: of the three
	all() {
		as $user_a rspb --json show "$name" | jq -c "[.bookings[].$1]"
	}
	check "changed as one" says 0 '^3 bookings are changed' \
		as $user_a rspb modify "$name" -N2 -t 5
	check "each" [ "$(all nodes)" = "[2,2,2]" ]
	check "longer by as much" says 0 '^3 bookings are changed' \
		as $user_a rspb modify "$name" -t +2
	check "each of them" [ "$(all duration)" = "[420,420,420]" ]
	check "and shorter again" as $user_a rspb modify "$name" -t -2
	check "moved as one" as $user_a rspb modify "$name" \
		--begin="$(slurm_time $((t + 600)))"
	check "as far" [ "$(all start)" = \
		"[$((t + 600)),$((t + 87000)),$((t + 173400))]" ]
	wall=$(as $user_b rspb request -N3 -t 5 --begin="$(slurm_time \
		$((t + 87000)))" "${wrap[@]}" 2>/dev/null)
	booked "$wall" >"$out/said"
	hinders() {
		says 1 "job $(jq -r .bookings[1].job <<<"$told"): .*none of the 3 bookings is changed" \
			as $user_a rspb modify "$name" "$@"
	}
	check "where one cannot have it none has it" hinders -N6
	check "not even moved" hinders -N6 --begin="$(slurm_time $((t + 700)))"
	check "all are as they were" [ "$(all nodes) $(all start)" = \
		"[2,2,2] [$((t + 600)),$((t + 87000)),$((t + 173400))]" ]
	d=$(as $user_a rspb request --series="$name" -N4 -t 5 --begin="$(slurm_time \
		$((t + 87000)))" "${wrap[@]}" 2>/dev/null)
	check "a fourth is declined" declined "$d"
	check "and shown so" soon has "$d" state declined
	as $user_b scancel "$wall"
	check "and asks again when the others are changed" says 0 "job $d: the request was submitted again" \
		as $user_a rspb modify "$name" -N2
	check "with what they have" soon has "$d" nodes 2
	as $user_a scancel "$d"
	check "which is cancelled" soon eval '[ "$(all nodes)" = "[2,2,2]" ]'
	check "each moves to where the next was" says 0 '^3 bookings' \
		as $user_a rspb modify "$name" -N6 --begin="$(slurm_time $((t + 87000)))"
	check "and back" says 0 '^3 bookings' \
		as $user_a rspb modify "$name" --begin="$(slurm_time $((t + 600)))"
	check "fewer again" says 0 '^3 bookings' \
		as $user_a rspb modify "$name" -N5
	ctld_stop KILL
	check "slurmctld starts again" ctld_start
	still() {
		[ "$(all nodes)" = "[5,5,5]" ]
	}
	check "and knows it as one" wait_for 20 still
	check "another series has another name" [ "$(as $user_a rspb --json request \
		--repeat=daily --count=1 --begin="$(slurm_time "$t")" -t 5 \
		"${wrap[@]}" | jq -r .series)" = "$name-2" ]
	many() {
		local said
		said=$(as $user_a rspb request --repeat=daily --count=4 --series=many -N1 -t 5 \
			--begin="$(slurm_time "$t")" "${wrap[@]}" 2>&1)
		[ "$(wc -l <<<"$said")" = 1 ] && grep "^series many: 4 booked, $(slurm_time "$t") .*to $(
			slurm_time $((t + 259200))) .*, on 1 node each; rspb show many" <<<"$said" ||
			{ echo "$said"; return 1; }
	}
	check "one line says that four dates are booked" many
	as $user_a rspb cancel many >"$out/said"
	check "cancelled as one" as $user_a rspb cancel "$name"
	only_other() {
		[ "$(as $user_a rspb list | awk 'NR > 1 { print $1 }')" = "$name-2" ]
	}
	check "all of it, and no other" wait_for 10 only_other
	scancel -u $user_a
	check "nothing is left over" wait_for 20 nothing_left
	told=$(series --count=3)
	told=$(as $user_b rspb request --repeat=daily --count=4 --all-or-none \
		--begin="$(slurm_time $((t + 86400)))" -N6 -t 10 \
		"${wrap[@]}" 2>&1)
	rc=$?
	check "all of four, or none" test $rc = 1
	check "it says which are not" grep -c 'suitable nodes is free then' <<<"$told"
	check "and that none is" grep -F 'so none is booked: 4 jobs were cancelled' \
		<<<"$told"
	none() {
		[ -z "$(squeue -h -u $user_b)" ]
	}
	check "so it is" wait_for 10 none
	check "without an end there is none" says 2 'the rule has no end' \
		as $user_b rspb request --repeat=daily --begin=now+1h "${wrap[@]}"
	scancel -u $user_a
	check "nothing is left over" wait_for 20 nothing_left
fi

note "one that Slurm refuses when others are changed already"
scontrol create partitionname=short nodes=ALL maxtime=10 state=up
t=$(ahead 3600)
# member N OPTIONS: the Nth
member() {
	as $user_a rspb request --wait --series=mixed -N2 -t 5 \
		--begin="$(slurm_time $((t + $1 * 3600)))" "${@:2}" "${wrap[@]}"
}
three() {
	member 0 && member 1 -p short && member 2
}
check "three, one of them where jobs are short" three
refused() {
	says 1 'that its partition, .*none of the 3 bookings is changed' \
		as $user_a rspb modify mixed -t 20 -N3
}
check "longer than that is refused" refused
unchanged() {
	as $user_a rspb --json show mixed |
		jq -e 'all(.bookings[]; .nodes == 2 and .end - .start == 300)'
}
check "and the first is as it was" wait_for 5 unchanged
limits() {
	[ "$(squeue -h -u $user_a -o %l-%D | sort -u)" = 5:00-2 ] ||
		{ squeue -o '%i %l %D'; return 1; }
}
check "as is its job" limits
check "what fits is done" says 0 '^3 bookings' as $user_a rspb modify mixed -t 8
scancel -u $user_a

note "shares"
scancel -u $user_a
t=$(ahead 3600)
# slice USER N OPTIONS: in the Nth hour
slice() {
	as "$1" rspb request --wait -p shared -w n1 -t 5 "${@:3}" \
		--begin="$(slurm_time $((t + $2 * 3600)))" "${wrap[@]}"
}
slices() {
	local i
	for i in 0 1 2; do
		slice $user_a $i --series=slices --cpu-share=30 || return
	done
}
check "three of a node" slices
check "beside one of another" slice $user_b 1 --cpu-share=50
have() {
	as $user_a rspb --json show slices |
		jq -e --argjson share "$1" 'all(.bookings[]; .share == $share)'
}
second() {
	as $user_a rspb --json show slices | jq .bookings[1].job
}
check "more than there is beside that one, for none of them" says 1 \
	"job $(second): .*at most.*none of the 3 bookings is changed" \
	as $user_a rspb modify slices --cpu-share=60
check "each has what it had" have 30
check "less for all" says 0 '^3 bookings are changed' \
	as $user_a rspb modify slices --cpu-share=50
check "each has that" have 50
check "nobody else changes them" says 1 'nor a series of yours' \
	as $user_b rspb modify slices --cpu-share=10
by_message() {
	as $user_b rspb send <<<'{"op":"modify","jobs":['"$(second)"'],"share":1000}'
}
check "nor by a message" says 1 '"ok":false.*(not yours|no booking)' by_message
check "nor with another change beside it" says 1 'none of the 3 bookings is changed' \
	as $user_a rspb modify slices --cpu-share=40 -t 4
ctld_stop KILL
check "slurmctld starts again" ctld_start
check "and knows what they have" wait_for 20 have 50
scancel -u $user_a
scancel -u $user_b

note "what recurs, each by its own deadline"
if grep -q 'without libical' "$out/why"; then
	skip "deadlines of what recurs: rspb was built without libical"
else
	t=$(ahead 9000)
	told=$(series --count=3 --deadline="$(slurm_time $((t + 14400)))")
	check "all are booked" jq -e '.booked == 3' <<<"$told"
	as $user_a rspb cancel "$(jq -r .series <<<"$told")"
fi
