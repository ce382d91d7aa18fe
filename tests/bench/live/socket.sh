# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# Part of run: 1,000 messages of a kind over the socket, at 1,000 bookings, beside
# scontrol create reservation NodeCnt= at as many.

# ms_each NUMBER COMMAND...: ms for each of so many
ms_each() {
	local began=${EPOCHREALTIME/./}
	"${@:2}"
	calc "(${EPOCHREALTIME/./} - $began) / 1000 / $1" 2
}

ninety_minutes() { echo $((now + 200000 + $1 % 48 * 5400)); }

# 63 users, as each may have 16 requests that wait
ask_reserve() {
	local i
	for ((i = 0; i < 1000; i++)); do
		printf '{"op":"reserve","nodes":12,"duration":5400,"begin":%d,"users":"root"}\n' \
			"$(ninety_minutes $i)" >>"$work/ask.$((i / 16))"
	done
}
reserve_all() {
	local user
	for ((user = 0; user < 63; user++)); do
		setpriv --reuid=$((20000 + user)) --regid=20000 --clear-groups \
			"$work/rspb" send <"$work/ask.$user" >"$work/answers.$user" &
	done
	wait
	cat "$work"/answers.* >"$work/answers"
	for ((i = 0; i < 600; i++)); do
		[ "$(grep -c 'rspb: reservation group_.* booked' "$log")" -lt 1000 ] ||
			return
		sleep 0.05
	done
	note "not all are booked after 30 s"
}

# shorter, then longer, of the first 500
ask_modify() {
	local id seconds
	for seconds in 3600 7200; do
		squeue -h -o %i | head -n 500 | while read -r id; do
			echo '{"op":"modify","job":'"$id"',"duration":'$seconds'}'
		done
	done >"$work/ask"
}
modify_all() { "$work/rspb" send <"$work/ask" >"$work/answers"; }

# create_each NUMBER: ms
create_each() {
	local i
	for ((i = 0; i < $1; i++)); do
		echo "create reservation NodeCnt=12 users=root duration=90 starttime=$(
			date -d "@$(ninety_minutes $i)" +%FT%T)"
	done >"$work/ask"
	ms_each "$1" scontrol <"$work/ask" 2>/dev/null | tail -n 1
}

# socket_row WHAT MS STOCK
socket_row() {
	[ "$(grep -c '"ok":true' "$work/answers")" = 1000 ] ||
		note "not all are done: $(grep -m 1 -v '"ok":true' "$work/answers")"
	row "1000 $1 at 1000 present: $2 ms each, times quicker" \
		"$(calc "$3 / $2")" x least 10
}

part_socket() {
	local first all modify reserve
	live_more=GroupBookings=any
	have=0
	live_up ours 10240
	fill 1000
	first=$(create_each 100)
	all=$(create_each 900)
	all=$(calc "($first * 100 + $all * 900) / 1000" 2)
	note "scontrol create reservation NodeCnt=12: $first ms each of 100, $all of 1000"
	live_down
	have=0
	live_up ours 10240
	live_more=
	fill 1000
	cp "${plugins%/lib/*}/bin/rspb" "$work/rspb"
	ask_modify
	modify=$(ms_each 1000 modify_all)
	socket_row modify "$modify" "$first"
	ask_reserve
	reserve=$(ms_each 1000 reserve_all)
	socket_row "reserve, until booked" "$reserve" "$all"
	live_down
}
