# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# test with RSPB_SANITIZERS=address,undefined: make check once more in a build with these
# sanitizers, and some suites in which slurmctld loads the plugins of that build.

# Together they go through every room of the controller: bookings from request to end,
# changes, offers, groups, series, parts, shares, operators' requests, every key.
sanitized_suites=(24-offers 30-lifecycle 34-group 36-series 44-parts 46-renegotiate
	48-parts 52-values 60-restart 80-shares)
sanitized_folder=$build/sanitized

sanitized_build() {
	local shell=/bin/sh patches
	mapfile -t patches < <(build_patches)
	[ ! -x /bin/dash ] || shell=/bin/dash
	mkdir -p "$sanitized_folder" && cd "$sanitized_folder" || return 1
	[ Makefile -nt "$top/configure" ] || CONFIG_SHELL=$shell $shell "$top/configure" \
		--prefix=$build_prefix --libdir=$build_prefix/lib \
		--with-slurm-src="$slurm_src" "${patches[@]}" \
		--enable-sanitizers="$RSPB_SANITIZERS" || return 1
	make -j"$(nproc)" && make install DESTDIR="$sanitized_folder/installed"
}

# The long random runs are a twentieth as long: make check has done them in full.
sanitized_check() {
	RSPB_TEST_SHORT=1 make -C "$sanitized_folder" -k -j"$(nproc)" check
}

test_sanitized() {
	local log=$build/sanitized.log before=$test_failed rc=0
	: >"$log"
	step "building with sanitizers" "$log" sanitized_build || {
		test_failed=$((test_failed + 1))
		return
	}
	: >"$log"
	step "make check with sanitizers" "$log" sanitized_check || rc=1
	test_count "$log" "$sanitized_folder"
	[ $rc -eq 0 ] || [ $test_failed -gt "$before" ] ||
		test_failed=$((test_failed + 1))
	[ "$RSPB_SANITIZERS" != "${RSPB_SANITIZERS#address}" ] || return 0
	unshare -m true 2>/dev/null || {
		say "# skipped: slurmctld under sanitizers wants a mount namespace"
		test_skipped=$((test_skipped + 1))
		return
	}
	RSPB_SANITIZED=$sanitized_folder/installed$build_prefix/lib/slurm-rspb \
		RSPB_PATIENCE=6 test_clusters sanitized "${sanitized_suites[@]}"
}
