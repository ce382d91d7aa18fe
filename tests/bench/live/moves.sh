# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Bookings that move in their windows for others, all of them reservations of Slurm, whose
# own records are looked at once a second, for tests/bench/live/run.

# moves_row TEXT FIELD HOW LIMIT: one count of those who looked.
moves_row() {
	row "  $1" "$(cut -d' ' -f"$2" "$work/moves")" '' "$3" "$4"
}

# newcomers OF: who comes after job OF.
newcomers() { squeue -h -o %i | awk -v last="$1" '$1 > last'; }

no_newcomers() { [ -z "$(newcomers "$1")" ]; }

# nodes_fail ROUND STATE: LIVE_FAIL of the nodes, others in each round.
nodes_fail() {
	local n=${LIVE_FAIL:-0} first
	[ "$n" -gt 0 ] || return 0
	first=$((($1 * n) % (256 - n) + 1))
	scontrol update nodename="f[$first-$((first + n - 1))]" state="$2" \
		reason=test
}

# Starts of their own in between, and nodes that fail; but for the last round they are
# cancelled and come back, and others do so.
moves_rounds() {
	local round
	for ((round = 1; round <= ${LIVE_ROUNDS:-1}; round++)); do
		[ "$round" = 1 ] || {
			newcomers "$2" | xargs -r scancel
			nodes_fail $((round - 1)) resume
			wait_for 120 no_newcomers "$2" ||
				note "some of round $((round - 1)) stay"
		}
		nodes_fail "$round" down
		next_seed
		client book n="${LIVE_TIGHT:-3000}" processes=2 seed=$seed width=256 \
			from="$1" span=64800 nodes="${LIVE_TIGHT_NODES:-16}" minutes=60 slack=0 user=5 \
			pause="${LIVE_PAUSE:-40}" >/dev/null
		sleep 5
	done
}

part_moves() {
	local live_more=ReserveAhead=0 looker stood last from=$((now + 14400))
	live_up ours 256
	next_seed
	client book n="${LIVE_WINDOWS:-500}" processes=2 seed=$seed width=256 \
		from=$from span=21600 nodes="${LIVE_WINDOW_NODES:-48}" minutes=120 slack=43200 user=5 >/dev/null
	sleep 5
	stood=$(booked)
	last=$(squeue -h -o %i | sort -n | tail -n 1)
	scontrol setdebug debug >/dev/null
	mark
	python3 "$here/moves.py" "$last" >"$work/moves" 2>"$work/moves.wrong" &
	looker=$!
	moves_rounds "$from" "$last"
	kill -TERM $looker
	wait $looker
	head -n 5 "$work/moves.wrong" >&2
	scontrol setdebug info >/dev/null
	row "windows of $stood bookings, others in between: booked" \
		"$(since | grep -c 'rspb: job .*: booked ')" '' - -
	row "  declined" "$(since | grep -c 'rspb: job [0-9]* declined')" '' - -
	row "  moved, by the log" \
		"$(since | grep -c 'moved within its window')" '' least 1
	moves_row "moved, as seen once a second in $(cut -d' ' -f1 "$work/moves") looks" 2 - -
	moves_row "to other nodes at the same start" 3 - -
	moves_row "two on a node in two looks" 4 most 0
	moves_row "reservations that differ from the promise in two looks" 5 most 0
	moves_row "outside of a window" 6 most 0
	moves_row "lost" 7 most 0
	planned >"$work/planned"
	row "  a decision, mean" "$(cut -d' ' -f1 "$work/planned")" ms most 50
	row "  longest, of its batch" "$(cut -d' ' -f2 "$work/planned")" ms - -
	row "  write lock of a change, longest" \
		"$(locks | awk '$4 == "write" && $5 == "change" && $1 > most { most = $1 }
			END { printf "%.1f", most / 1000 }')" ms - -
	live_down
	live_more=
}
