# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# --release: the same command within a root of the Debian that has that release
# of Slurm, or, where none has, in which Slurm is built from its source. The root
# is made once and kept; this tree, the folder of the build and /tmp are seen in
# it under the names they have outside.

roots=${RSPB_ROOTS:-$build/roots}

# release_suite RELEASE: which Debian, and the name of its root.
release_suite() {
	case $1 in
	22.05) say bookworm bookworm ;;
	24.11) say trixie trixie ;;
	26.05)
		if release_offered forky; then
			say forky forky
		else
			say trixie slurm-26.05
		fi
		;;
	23.02|23.11|24.05|25.05|25.11|26.11) say trixie "slurm-$1" ;;
	*) die "--release $1: 22.05, 24.11 or 26.05, or, with its source in" \
		"RSPB_SLURM_SOURCES, 23.02, 23.11, 24.05, 25.05, 25.11 or 26.11" ;;
	esac
}

release_mirror() {
	apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' \
		2>/dev/null | grep -m 1 '/debian/*$' ||
		say http://deb.debian.org/debian
}

# A Debian that is newer than debootstrap is made as the newest it knows.
release_bootstrap() {
	local script=/usr/share/debootstrap/scripts
	if [ -e "$script/$1" ]; then script=$script/$1; else script=$script/sid; fi
	debootstrap --variant=minbase --include=ca-certificates "$1" \
		"$2.new" "$(release_mirror)" "$script" && mv "$2.new" "$2"
}

# release_offered SUITE: whether the packages of Slurm in that Debian can be fetched. A testing
# Debian may list packages that its mirror no longer has. The first answer is kept, as a root.
release_offered() {
	local apt=$roots/$1.apt key=/usr/share/keyrings/debian-archive-keyring.gpg rc
	[ ! -x "$roots/$1/usr/sbin/slurmctld" ] || return 0
	[ ! -d "$roots/slurm-$release" ] || return 1
	rm -rf "$apt"
	mkdir -p "$apt" || die "$roots: cannot be written"
	(source_lists "$apt" "deb [signed-by=$key] $(release_mirror) $1 main" && cd "$apt" &&
		source_apt apt-get "$apt" -q download slurmctld slurmd slurm-client \
			slurm-wlm-basic-plugins libslurm-dev) >"$roots/$1.log" 2>&1
	rc=$?
	rm -rf "$apt"
	return $rc
}

# release_root SUITE ROOT: made if need be.
release_root() {
	local root=$2
	if [ ! -d "$root" ]; then
		mkdir -p "$roots" && rm -rf "$root.new" ||
			die "$roots: cannot be written"
		if [ -n "$(packages_missing debootstrap)" ]; then
			packages_update "$roots/$1.log" && step "installing debootstrap" \
				"$roots/$1.log" packages_apt debootstrap || exit 1
		fi
		step "making a root of Debian $1" "$roots/$1.log" \
			release_bootstrap "$1" "$root" || exit 1
	fi
	# mirrors of a testing Debian lag behind, and the root is for nothing else
	echo 'Acquire::Check-Valid-Until "false";' \
		>"$root/etc/apt/apt.conf.d/99rspb"
	printf '127.0.0.1 localhost\n127.0.0.1 %s\n' "$(uname -n)" \
		>"$root/etc/hosts"
}

# In a mount namespace of its own, which ends with its last process.
release_enter() {
	local root=$1 bind
	shift
	# a mount of its own, or there could be no other namespace within
	mount --make-rprivate / && mount --bind "$root" "$root" &&
		mount -t proc proc "$root/proc" &&
		mount --rbind /sys "$root/sys" &&
		mount --rbind /dev "$root/dev" || return 1
	for bind in "$top" "$build" /tmp ${RSPB_SLURM_SOURCES:+"$RSPB_SLURM_SOURCES"}; do
		mkdir -p "$root$bind" && mount --bind "$bind" "$root$bind" ||
			return 1
	done
	exec chroot "$root" "$@"
}

# release_lacks COMMAND: no Debian has it; a test without its source is skipped.
release_lacks() {
	[ "$1" = test ] ||
		die "--release $release: no Debian has it, and" \
			"RSPB_SLURM_SOURCES names no source of it" \
			"(DIR:DIR..., each an unpacked one)"
	say "# skipped: RSPB_SLURM_SOURCES names no source of Slurm $release"
	say "0 passed, 0 failed, 1 skipped"
	exit 0
}

# release_run COMMAND OPTIONS...: here, in the root.
release_run() {
	local suite root
	suite=$(release_suite "$release") || exit 1
	root=$roots/${suite#* } suite=${suite% *}
	RSPB_SLURM_SOURCES=$(source_named "$release")
	export RSPB_SLURM_SOURCES
	if [ "${root##*/}" != "$suite" ]; then
		[ -n "$RSPB_SLURM_SOURCES" ] || release_lacks "$1"
		export RSPB_SLURM_OWN=yes
	fi
	mkdir -p "$build/$release"
	release_root "$suite" "$root"
	export -f release_enter
	export top build
	RSPB_RELEASE=$release RSPB_BUILD=$build/$release \
		exec unshare -m bash -c 'release_enter "$@"' x "$root" \
		"$top/contrib/quickstart" "$@"
}

# A command, by default a shell, for which sbatch and the others are those of the
# cluster.
command_run() {
	cluster_running || die "no cluster is up in $dir"
	export SLURM_CONF=$dir/etc/slurm.conf
	[ ${#words[@]} -gt 0 ] || words=("${SHELL:-/bin/bash}")
	exec "${words[@]}"
}
