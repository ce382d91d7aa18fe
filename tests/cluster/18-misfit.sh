# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Plugins that were built for another Slurm: by its number, or with a job's record
# that has other fields, or that meet another selection. They say so, book nothing,
# and all else is stock Slurm.
# Takes 75 s.
made=${RSPB_BUILD:-$RSPB_TOP/build}/quickstart
[ -f "$made/Makefile" ] && command -v make >/dev/null ||
	skip_suite "the plugins were not built here, where they could be built wrong"
b=$folder/build
headers=$b/slurm-headers
src=$(sed -n 's/^SLURM_SRC = //p' "$made/Makefile")
version=$(sed -n 's/^SLURM_VERSION_STRING = //p' "$made/Makefile")
number=${version%%-*} # of a candidate, too: 26.11.0-0rc1
next=${number%.*}.$((${number##*.} + 1))

# made_with OBJECTS [VARIABLE=...]: the plugins, those objects (a pattern of grep)
# compiled anew.
made_with() {
	find "$b/plugins" -name '*.lo' | grep -E "$1" | xargs rm -f
	rm -f "$b"/plugins/*.la
	make -C "$b" SLURM_CPPFLAGS="-I$headers -isystem $src" "${@:2}" \
		plugins/{librspb,sched_backfill,select_cons_tres}.la \
		plugins/{job_submit_rspb,spank_rspb}.la >"$folder/make.log" 2>&1 ||
		{ tail -n 20 "$folder/make.log"; return 1; }
	rm -rf "$folder/inst"
	mkdir -p "$folder/inst/lib/slurm-rspb" &&
		cp "$b"/plugins/.libs/*.so "$folder/inst/lib/slurm-rspb"
}
starts() {
	RSPB_INSTALLED=$folder/inst cluster_up --nodes 2
}
logged() {
	grep -aE -- "$1" "$cluster/log/slurmctld.log"
}
finds() {
	local said
	said=$("$RSPB_TOP/contrib/rspb-check" --conf --slurm-conf "$SLURM_CONF")
	grep "^fail .* built for Slurm $next, and this host has $version:" \
		<<<"$said" || { echo "$said"; return 1; }
}
# What a user has of a slurmctld without bookings.
is_stock() {
	local j
	j=$(job $user_a 1)
	check "$1: an ordinary job runs" wait_for 20 ended "$j"
	scontrol create reservation reservationname=r starttime=now+1hour \
		duration=10 nodes=n1 users=$user_b >/dev/null
	check "$1: so does Slurm's own reservation" \
		scontrol show reservation r
	check "$1: slurmctld goes on over scontrol reconfigure" goes_on
	j=$(job $user_a 1 --book --time=1) 2>"$out/said"
	sleep 2
	check "$1: nothing is booked" no_reservations
	[ -z "$j" ] || check "$1: it is an ordinary job" wait_for 20 ended "$j"
	check "$1: and goes on" ctld_answers
	cluster_down
}
goes_on() {
	scontrol reconfigure && wait_for 10 ctld_answers
}

note "another number"
cp -r --preserve=timestamps "$made" "$b" && mkdir -p "$headers/slurm" || exit 1
cat >"$headers/slurm/slurm_version.h" <<C
#pragma once
#include_next <slurm/slurm_version.h>
enum { THE_RIGHT_ONE = SLURM_VERSION_NUMBER };
#undef SLURM_VERSION_NUMBER
#define SLURM_VERSION_NUMBER (THE_RIGHT_ONE + 1)
C
check "they are built" made_with \
	'abi|wrap|/(sched|select|job_submit)/' SLURM_VERSION_STRING="$next"
starts || exit 1
ok "slurmctld starts"
check "and says what is wrong" logged \
	"rspb: job_submit_rspb.so: it was built for Slurm $next, and this is $number;"
check "rspb-check finds it" finds
is_stock "another number"

note "other fields"
rm "$headers/slurm/slurm_version.h"
for h in src/common/job_record.h src/slurmctld/slurmctld.h; do
	grep -qs '^struct job_record {' "$src/$h" || continue
	mkdir -p "$headers/${h%/*}"
	sed 's/^struct job_record {/&\n\tuint64_t of_another_slurm;/' \
		"$src/$h" >"$headers/$h"
done
# Who reads these headers; nothing else of it can be other.
readers() {
	grep -rlE 'src/(common/job_record|slurmctld/slurmctld)\.h' \
		--include='*.Plo' "$b/plugins" |
		sed 's,/\.deps/,/,; s,Plo$,lo,' | paste -sd '|'
}
check "they are built so" made_with "$(readers)"
starts || exit 1
ok "slurmctld starts with them"
is_job() {
	logged "rspb: .*a job record has [0-9]+ bytes in this slurmctld, but [0-9]+"
}
before=$(job $user_a 1)
check "and says what is wrong, at the latest with a job" wait_for 20 is_job
check "that job runs" wait_for 20 ended "$before"
is_stock "other fields"

note "another selection"
# shellcheck source=contrib/quickstart.d/conf.sh
. "$RSPB_TOP/contrib/quickstart.d/conf.sh"
if [ ! -f "$(conf_stock_plugins)/select_linear.so" ]; then
	skip "this Slurm has no select/linear"
	exit 0
fi
rm -rf "$folder/inst"
cat >"$folder/linear.conf" <<'TEXT'
SelectType=select/linear
SelectTypeParameters=CR_Memory
TEXT
cluster_up --nodes 2 --conf "$folder/linear.conf" || exit 1
ok "slurmctld starts with select/linear"
check "and says what is wrong" logged \
	"rspb: sched_backfill.so: SelectType=select/linear: bookings need SelectType=select/cons_tres"
refuses() {
	local said
	said=$(as $user_a sbatch --book --time=1 job.sh 2>&1) && return 1
	grep -- '--book: this slurmctld accepts no bookings' <<<"$said"
}
check "--book is refused" refuses
is_stock "another selection"
