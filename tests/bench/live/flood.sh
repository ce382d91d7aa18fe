# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154
# Part of run: what a flood of requests costs beside one of ordinary jobs.

# cpu_of WHAT: ms for 2,000 of them on a cluster that has nothing yet
cpu_of() {
	local before folder
	have=2000
	live_up ours 1024
	before=$(cpu_ms)
	client "$1" n=2000 processes=4 seed=5 width=1024 \
		from=$((now + 14400)) span=$span nodes=12 minutes=90 \
		slack=$span user=5 >/dev/null
	[ "$1" = plain ] || wait_for 60 all_booked 2000
	sleep 8
	calc "$(cpu_ms) - $before"
	# Where thousands of files have just been removed, some file systems take
	# long to find room for new ones: that would be the second one's.
	folder=$dir
	keep=yes live_down
	mv "$folder" "$folder-$1"
}

part_flood() {
	local plain book
	cpu_of plain >"$work/plain"
	cpu_of book >"$work/book"
	plain=$(tail -n 1 "$work/plain") book=$(tail -n 1 "$work/book")
	note "CPU of 2000 ordinary jobs $plain ms, of requests $book ms"
	row "2000 requests: CPU over that of ordinary jobs" \
		"$(calc "$book / $plain" 2)" x most 2
}
