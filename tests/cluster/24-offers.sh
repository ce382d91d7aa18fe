# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What is on offer is true, by the clock of who reads it, and can be pasted as it is
# printed. A user far away asks; slurmctld has another clock.
# Takes 40 s.
echo HoldFor=1h >"$folder/rspb.conf"
cluster_up --nodes 8 --rspb-conf "$folder/rspb.conf" || exit 1
# shellcheck source=tests/cluster/client.sh
. "$RSPB_TOP/tests/cluster/client.sh"
far="EST5EDT,M3.2.0,M11.1.0"
away() {
	as $user_b env TZ="$far" "$@"
}
# pasted USER...: runs what is read, as it stands there
paste() {
	local line
	read -r line
	# shellcheck disable=SC2086
	away sh -c "$line" </dev/null
}
t=$(ahead 3600)
t=$((t / 60 * 60))
here=$(slurm_time "$t")
there=$(TZ=$far date -d "@$t" +%FT%T)
zone=$(TZ=$far date -d "@$t" +%Z)
shown=$(TZ=$far date -d "@$t" +"%b %e %H:%M")
wrap=(-o /dev/null --wrap "sleep 60")

note "another clock"
check "two nodes are taken by somebody else" booked \
	"$(job $user_a 1 --book -N2 -t 60 --begin="$here")"
other=$(away sbatch --parsable --book -N2 -t 10 --begin="$there" "${wrap[@]}" \
	2>"$out/said")
check "the line at submission is by it" grep -q "likely: $shown-.* $zone on 2" \
	"$out/said"
check "as is the booking" booked "$other"
as $user_b scancel "$other"
none=$(away sbatch --parsable --book -N8 -t 30 --begin="$there" "${wrap[@]}" \
	2>"$out/line")
check "what cannot be is told by it, with flags" \
	grep -qE "^sbatch: .* with -N8 --time=30 --begin=$(TZ=$far date -d @$((t + 3600)) +%FT%T)( |$)" \
	"$out/line"
check "it is declined" declined "$none"
check "in its contract by that clock" grep -qE \
	"reason=.* requested for $there $zone to .*on offer: 8 nodes from [-0-9T:]* $zone: rspb accept $none 8@" \
	<(contract "$none")
check "in squeue in short" grep -qE "then;_rspb_offers_${none}_lists|then; rspb offers $none lists" \
	<(squeue -h -j "$none" -o %r)
check "the client by the reader's" grep -qE "^ready .*|^earliest start +$there $zone$" \
	<(away rspb show "$none")
check "by another reader's, too" grep -qE "^earliest start +$here UTC$" \
	<(TZ=UTC0 rspb show "$none")

note "each is pasted"
before=$(rspb --json show "$none" | grep -E 'nodes_asked|duration|ready|deadline')
offers() {
	away rspb offers "$1" | sed 1d | sed 's/.* \(rspb accept\)/\1/'
}
less=$(offers "$none" | grep ' 6@.*+1800')
all=$(offers "$none" | grep ' 8@' | head -n 1)
check "six now, eight later" [ -n "$less" ] && [ -n "$all" ]
rival=$(job $user_a 1 --book -N4 -t 10 --begin="$here")
check "somebody else is quicker" booked "$rival"
check "that offer is gone" says 1 'declined' paste <<<"$less"
same() {
	local now
	now=$(rspb --json show "$none" | grep -E 'nodes_asked|duration|ready|deadline')
	[ "$now" = "$before" ] || { echo "$before became $now"; return 1; }
}
check "which changes nothing of what is asked for" same
check "nor of the job" [ "$(squeue -h -j "$none" -o '%D %l')" = '8 30:00' ]
check "eight is eight" says 0 "$none booked from .* $zone on 8 nodes" paste <<<"$all"
check "of all nodes" [ "$(value "$none" nodes)" = 8 ]
as $user_b scancel "$none"
old=$(away sbatch --parsable --book -N8 -t 30 --begin="$there" "${wrap[@]}" \
	2>/dev/null)
check "another is declined" declined "$old"
check "what was for a time that is over is refused" says 1 'which has passed' \
	paste <<<"rspb accept $old 4@20260101T090000Z+600"
check "so is what was for no time" says 2 'is not an offer' \
	paste <<<"rspb accept $old 4@20990101T256199Z+600"
check "or for half a node" says 2 'is not an offer' \
	paste <<<"rspb accept $old 4.5@20990101T090000Z+600"
check "and it waits as before" declined "$old"
check "an operator holds its job" scontrol hold "$old"
line=$(offers "$old" | head -n 1)
# The command waits for a decision, which comes when the operator releases the job.
away timeout 3 sh -c "$line" </dev/null >"$out/held-by-operator" 2>&1
kept_back() {
	[ "$(squeue -h -j "$old" -o %Q)" = 0 ] || { squeue -j "$old" -o '%i %Q %r'; return 1; }
}
check "accepting an offer does not release it" kept_back
check "its owner cannot" eval '! as $user_b scontrol release "$old" && kept_back'
check "the operator does" scontrol release "$old"
check "then it is booked" booked "$old"
as $user_b scancel "$old"
away rspb offers -N8 -t 30 --begin="$there" -p main | sed 1d >"$out/offers"
check "without a job they are sbatch's" grep -q \
	' sbatch --book -N8 --time=30 --begin=[-0-9T:]* --partition=main$' "$out/offers"
while read -r line; do
	line=${line#*sbatch}
	# shellcheck disable=SC2086
	b=$(away sbatch --parsable $line "${wrap[@]}" 2>/dev/null)
	check "pasted, it is booked:$line" booked "$b"
	line=${line#*begin=}
	check "then" [ "$(TZ=$far slurm_time "$(value "$b" start)")" = \
		"${line%% *}" ]
	as $user_b scancel "$b"
done <"$out/offers"

note "what Slurm would not start"
small=$(as $user_b sbatch --parsable --book -N3 -n8 -c2 -w n1,n2,n3 -t 10 \
	--begin="$(slurm_time $((t + 90000)))" "${wrap[@]}" 2>/dev/null)
check "16 CPUs on three nodes of four are declined" declined "$small"
not_offered() {
	! as $user_b rspb offers "$small" | grep "rspb accept"
}
check "and not on offer" not_offered
as $user_b scancel "$small"

note "offers that are held, or only told"
o=$(away rspb request --offers -N2 -t 10 --begin="$there" "${wrap[@]}" 2>/dev/null |
	sed -n 's/^job \([0-9]*\):$/\1/p')
check "who only asks is open" grep -qE "^$o .* open " <(away rspb list)
check "in squeue, too" grep -q '^rspb.open:' <(squeue -h -j "$o" -o %r)
away rspb offers "$o" --hold >"$out/held"
until=$(sed -n 's/.* held until [^T]*T\(..:..\):.*/\1/p' "$out/held")
check "then held" grep -qE "^$o .* held until $until " <(away rspb list)
check "and not booked" grep -qE "^state +held until $until$" <(away rspb show "$o")
check "taken, it is" says 0 "$o booked" paste <<<"$(
	sed -n 's/.*accept it with: //p' "$out/held")"
check "for good" grep -qE "^$o .* booked " <(away rspb list)
