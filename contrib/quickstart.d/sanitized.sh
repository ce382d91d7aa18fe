# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# test with RSPB_SANITIZERS=address,undefined: make check once more in a build with these
# sanitizers, and some suites in which slurmctld loads the plugins of that build.

# Together they go through every room of the controller: bookings from request to end,
# changes, offers, groups, series, parts, shares, operators' requests, every key. One of
# them runs, by the day; with RSPB_SUITES=all each of them.
sanitized_suites=(24-offers 30-lifecycle 34-group 36-series 44-parts 46-renegotiate
	48-parts 52-values 60-restart 80-shares)
sanitized_folder=$build/sanitized

sanitized_build() {
	[ "$sanitized_folder/Makefile" -nt "$top/configure" ] || build_configure \
		"$sanitized_folder" --enable-sanitizers="$RSPB_SANITIZERS" || return 1
	make -C "$sanitized_folder" -j"$(nproc)" &&
		make -C "$sanitized_folder" install DESTDIR="$sanitized_folder/installed"
}

# The long random runs are a twentieth as long: make check has done them in full.
sanitized_check() {
	RSPB_TEST_SHORT=1 make -C "$sanitized_folder" -k -j"$(nproc)" check "$@"
}

test_sanitized() {
	local log=$build/sanitized.log day suites=("${sanitized_suites[@]}")
	day=$(test_day)
	[ "${RSPB_SUITES:-}" = all ] || suites=("${suites[$((day % ${#suites[@]}))]}")
	: >"$log"
	step "building with sanitizers" "$log" sanitized_build || {
		test_failed=$((test_failed + 1))
		test_complain "failed: building with sanitizers: $log"
		return
	}
	test_step "make check with sanitizers" "$log" "$sanitized_folder" sanitized_check
	[ "$RSPB_SANITIZERS" != "${RSPB_SANITIZERS#address}" ] || return 0
	unshare -m true 2>/dev/null || {
		test_skip "slurmctld under sanitizers" "there is no mount namespace"
		return
	}
	RSPB_SANITIZED=$sanitized_folder/installed$build_prefix/lib/slurm-rspb \
		RSPB_PATIENCE=6 test_clusters sanitized "${suites[@]}"
}
