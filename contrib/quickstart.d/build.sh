# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Builds the tree out of tree under build/.

build=${RSPB_BUILD:-$top/build}
build_prefix=/rspb	# below the scratch folder, by DESTDIR

# Whether configure is no older than what it is made from. make would make it
# anew by the very automake that made it, which another Debian lacks.
build_generated() {
	[ -x "$top/configure" ] && [ -z "$(find "$top/configure.ac" \
		"$top/Makefile.am" "$top"/{build-aux/m4,common,contrib} \
		"$top"/{doc,plugins,tests} \( -name '*.m[4k]' -o \
		-name '*.a[cm]' \) -newer "$top/configure" -print -quit)" ]
}

# build_configure FOLDER [options of configure]
build_configure() {
	local patches shell=/bin/sh
	mapfile -t patches < <(build_patches)
	build_generated || "$top/autogen.sh" || return 1
	mkdir -p "$1" && cd "$1" || return 1
	# libtool is a script of the shell that configures, run for each file
	[ ! -x /bin/dash ] || shell=/bin/dash
	CONFIG_SHELL=$shell $shell "$top/configure" \
		--prefix=$build_prefix --libdir=$build_prefix/lib \
		--with-slurm-src="$slurm_src" "${patches[@]}" "${@:2}"
}

# The option that names what the source's headers lack of the Slurm installed.
build_patches() {
	local from patch
	from=$(meta_version "$slurm_src")
	patch=$top/build-aux/slurm-headers/$from-$(slurm_version).patch
	[ ! -f "$patch" ] || say "--with-slurm-header-patches=$patch"
}

# One at a time, when several clusters come up side by side.
build_make() {
	flock "$build/quickstart.lock" make -C "$build/quickstart" -j"$(nproc)" "$@"
}

# All that is needed to run a cluster: packages (and MORE), headers, build.
build_all() {
	local log=$build/quickstart.log patches
	[ -z "${RSPB_INSTALLED:-}" ] || return 0
	mkdir -p "$build" && : >"$log" || die "$build: cannot be written"
	packages_install "$log" "$@" && slurm_build "$log" || exit 1
	source_find "$log" || exit 1
	# who comes while another configures finds it done
	exec 8>"$build/configure.lock" && flock 8 || exit 1
	patches=$(build_patches)
	if [ ! -f "$build/quickstart/Makefile" ] || ! build_generated ||
	   ! grep -qE -- "--with-slurm-src=$slurm_src${patches:+ $patches}\$" \
		"$build/quickstart/config.log"; then
		step "configuring" "$log" build_configure "$build/quickstart" || exit 1
	fi
	exec 8>&-
	step "building" "$log" build_make || exit 1
}

# Into DIR/rspb; plugins in DIR/rspb/lib/slurm-rspb.
build_install() {
	if [ -n "${RSPB_INSTALLED:-}" ]; then
		cp -r "$RSPB_INSTALLED" "$1$build_prefix"
	else
		build_make install DESTDIR="$1"
	fi
}
