# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The Debian packages needed, and Slurm's source for its internal headers.

packages_run=(munge slurmctld slurmd slurm-client)
packages_build=(libslurm-dev libmunge-dev libjson-c-dev libgmp-dev libical-dev
	libmicrohttpd-dev check gcc libc6-dev make autoconf automake libtool pkg-config dpkg-dev)
# For tests alone, of which some are skipped without.
packages_test=(qemu-system-x86 cpio procps iproute2 perl groff
	mariadb-server-core mariadb-client-core slurmdbd git clang-format
	shellcheck glpk-utils python3 jq faketime
	python3-jsonschema slurmrestd curl mandoc python3-markdown
	chromium chromium-driver firefox-esr nodejs apache2-bin libapache2-mod-passenger)

# In a root of its own: Slurm itself, from the one source that
# RSPB_SLURM_SOURCES names there.
if [ -n "${RSPB_SLURM_OWN:-}" ]; then
	packages_run=(munge)
	packages_build=("${packages_build[@]/libslurm-dev/libmariadb-dev}")
	packages_test=("${packages_test[@]/slurmdbd/perl}")
	packages_test=("${packages_test[@]/slurmrestd/perl}")
fi

# packages_missing NAME...: those that are not installed, a line each.
packages_missing() {
	dpkg-query -W -f '${Package} ${db:Status-Abbrev}\n' "$@" 2>/dev/null |
		awk -v names="$*" '$2 == "ii" { there[$1] = 1 }
			END {
				n = split(names, name, " ")
				for (i = 1; i <= n; i++)
					if (!(name[i] in there))
						print name[i]
			}'
}

# Installing a daemon's package must not start the daemon: a policy-rc.d that
# says no stands in while apt runs, also for one that the host has.
policy_rc=/usr/sbin/policy-rc.d
policy_deny() {
	[ ! -e $policy_rc ] || mv $policy_rc $policy_rc.before-rspb || return 1
	printf '#!/bin/sh\nexit 101\n' >$policy_rc && chmod 755 $policy_rc
}

policy_restore() {
	rm -f $policy_rc
	[ ! -e $policy_rc.before-rspb ] ||
		mv $policy_rc.before-rspb $policy_rc
}

packages_apt() (
	trap policy_restore EXIT
	policy_deny || exit 1
	apt-get -q -y -o DPkg::Lock::Timeout=300 install \
		--no-install-recommends "$@"
)

# Nor may it start at the next boot, when it came with us.
services_disable() {
	local name
	for name in munge slurmctld slurmd slurmdbd slurmrestd; do
		[[ " $* " == *" $name "* ]] || continue
		deb-systemd-helper disable "$name.service" >/dev/null 2>&1
		update-rc.d "$name" disable >/dev/null 2>&1
	done
	return 0
}

# packages_update LOG
packages_update() {
	step "asking the package archive" "$1" apt-get -q -o DPkg::Lock::Timeout=300 update
}

# packages_install LOG [MORE...]
packages_install() {
	local missing log=$1
	mapfile -t missing < <(packages_missing "${packages_run[@]}" \
		"${packages_build[@]}" "${@:2}")
	[ ${#missing[@]} -gt 0 ] || return 0
	command -v apt-get >/dev/null ||
		die "no apt-get here; please install: ${missing[*]}"
	packages_update "$log" || return 1
	step "installing ${missing[*]}" "$log" \
		packages_apt "${missing[@]}" || return 1
	services_disable "${missing[@]}"
}

# slurm_build LOG: where Slurm is not Debian's, into /usr/local, once.
slurm_build() {
	[ -n "${RSPB_SLURM_OWN:-}" ] || return 0
	[ ! -e "$slurm_built" ] || return 0
	step "building Slurm $(meta_version "$RSPB_SLURM_SOURCES"), for minutes" \
		"$1" slurm_make
}

# All but its manual and its own tests.
slurm_built=/usr/local/lib/slurm/built-by-rspb
slurm_make() (
	trap 'rm -rf /var/tmp/rspb-slurm' EXIT
	mkdir -p /var/tmp/rspb-slurm && cd /var/tmp/rspb-slurm &&
		"$RSPB_SLURM_SOURCES/configure" --enable-multiple-slurmd \
			--disable-dependency-tracking --sysconfdir=/etc/slurm \
			CFLAGS=-O1 &&
		make -j"$(nproc)" -C src && make -C src install &&
		make install-pkgincludeHEADERS && ldconfig && : >"$slurm_built"
)

# meta_version FOLDER: of an unpacked source, as 22.05.8.
meta_version() {
	awk '$1 ~ /^(Major|Minor|Micro):/ { v = v "." $2 }
		END { print substr(v, 2) }' "$1/META"
}

# What slurm_version.h of libslurm-dev says, as 22.05.8: its META's spelling.
slurm_version() {
	slurmctld -V | sed 's/^slurm[^ ]* //'
}

# slurm_since 24.05: whether the Slurm installed here is that or later.
slurm_since() {
	printf '%s\n%s\n' "$1" "$(slurm_version)" | sort -C -V
}

# One deb-src line for each archive of the host that offers Slurm.
source_lines() {
	local uris uri release component key
	uris=$(apt-cache madison libslurm-dev |
		awk -F'|' '{ split($3, w, " "); print w[1] }' | sort -u)
	apt-get indextargets --format \
	    '$(REPO_URI) $(RELEASE) $(COMPONENT) $(SIGNED_BY)' \
	    'Created-By: Packages' | sort -u |
	while read -r uri release component key; do
		grep -qxF -e "${uri%/}" -e "$uri" <<<"$uris" || continue
		# a key may also be given in full, which no option can hold
		case $key in
		/*) printf 'deb-src [signed-by=%s] ' "$key" ;;
		*) printf 'deb-src ' ;;
		esac
		printf '%s %s %s\n' "$uri" "$release" "$component"
	done
}

# An apt of our own in CACHE/apt, which knows the one source LINE: the host's
# lists and sources stay as they are.
source_apt() {
	"$1" "${@:3}" -o Dir::Etc::sourcelist="$2/sources.list" \
		-o Dir::Etc::sourceparts="$2/none" \
		-o Dir::State::lists="$2/lists" \
		-o Dir::Cache="$2/cache" -o APT::Sandbox::User=root
}

# source_lists CACHE/apt LINE: make such an apt, and fetch what that source lists.
source_lists() {
	mkdir -p "$1/none" "$1/lists/partial" "$1/cache/archives/partial" &&
		printf '%s\n' "$2" >"$1/sources.list" &&
		source_apt apt-get "$1" -q update
}

# source_try CACHE LINE: the tarball of the version installed here.
source_try() {
	local apt=$1/apt version
	rm -rf "$apt"
	source_lists "$apt" "$2" || return 1
	version=$(source_apt apt-cache "$apt" showsrc slurm-wlm |
		awk -v want="$(slurm_version)-" \
		    '/^Version: / && index($2, want) == 1 { print $2 }' |
		tail -n 1)
	if [ -z "$version" ]; then
		echo "no source of Slurm $(slurm_version) there"
		return 1
	fi
	(cd "$1" && source_apt apt-get "$apt" -q source --download-only \
		"slurm-wlm=$version")
}

# source_pool CACHE: the tarball by its name, of archives whose list of sources
# has forgotten it.
source_pool() {
	local base ending file
	apt-cache madison libslurm-dev |
		awk -F'|' '{ split($3, w, " "); print w[1] }' | sort -u |
	while read -r base; do
		for ending in xz gz bz2; do
			file=slurm-wlm_$(slurm_version).orig.tar.$ending
			/usr/lib/apt/apt-helper download-file \
				"${base%/}/pool/main/s/slurm-wlm/$file" \
				"$1/$file" && return 1
		done
	done
	[ -n "$(find "$1" -maxdepth 1 -name '*.orig.tar.*')" ]
}

source_unpack() {
	mkdir -p "$1/unpack" &&
		tar -C "$1/unpack" -xf "$1"/slurm-wlm_*.orig.tar.* &&
		mv "$1"/unpack/* "$1/slurm" &&
		rm -rf "$1"/{unpack,apt} "$1"/slurm-wlm_*
}

source_download() {
	local cache=$1 line lines
	mapfile -t lines < <(source_lines)
	for line in "${lines[@]}"; do
		source_try "$cache" "$line" || continue
		source_unpack "$cache"
		return
	done
	if source_pool "$cache"; then
		source_unpack "$cache"
		return
	fi
	echo "none of ${#lines[@]} archives gave Slurm's source;" \
		"RSPB_SLURM_SOURCES may name it"
	return 1
}

# source_named VERSION: the unpacked source of it among those that
# RSPB_SLURM_SOURCES names, else the one of its release, 26.05 for 26.05.5.
source_named() {
	local folder folders near=
	IFS=: read -ra folders <<<"${RSPB_SLURM_SOURCES:-}"
	for folder in "${folders[@]}"; do
		case $(meta_version "$folder" 2>/dev/null) in
		"$1") near=$folder; break ;;
		"$(cut -d. -f1,2 <<<"$1")".*) near=${near:-$folder} ;;
		esac
	done
	[ -n "$near" ] && realpath "$near"
}

# Sets slurm_src to an unpacked source tree of the Slurm installed here.
source_find() {
	local cache log=$1
	! slurm_src=$(source_named "$(slurm_version)") || return 0
	cache=$build/slurm-$(slurm_version)
	slurm_src=$cache/slurm
	[ ! -f "$slurm_src/META" ] || return 0
	rm -rf "$cache"
	mkdir -p "$cache" || return 1
	step "fetching Slurm's source for its internal headers" "$log" \
		source_download "$cache"
}

# source_suite SUITE FOLDER LOG: Slurm's source as that Debian has it, in FOLDER/slurm.
source_suite() {
	[ ! -f "$2/slurm/META" ] || return 0
	rm -rf "$2"
	mkdir -p "$2" || return 1
	step "fetching the source of Slurm in Debian $1" "$3" source_suite_fetch "$1" "$2"
}

# The tarball alone, by the list of sources, which is signed and has its SHA-256: a mirror
# may lack the rest of a source package.
source_suite_fetch() {
	local apt=$2/apt mirror folder sum file key=/usr/share/keyrings
	key=$key/debian-archive-keyring.gpg
	mirror=$(release_mirror)
	source_lists "$apt" "deb-src [signed-by=$key] $mirror $1 main" || return 1
	read -r folder sum file < <(source_apt apt-cache "$apt" showsrc slurm-wlm |
		awk '/^Directory:/ { folder = $2 }
			/^Checksums-/ { sha256 = /Sha256/ }
			sha256 && $3 ~ /orig\.tar\.[a-z0-9]*$/ { found = $1 " " $3 }
			/^$/ { print folder, found }
			END { print folder, found }' | grep -m 1 'orig\.tar')
	[ -n "$file" ] || { echo "Debian $1 lists no source of Slurm"; return 1; }
	/usr/lib/apt/apt-helper download-file "${mirror%/}/$folder/$file" "$2/$file" \
		"SHA256:$sum" && source_unpack "$2"
}
