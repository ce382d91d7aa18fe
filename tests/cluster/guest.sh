# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A machine of our own, with cgroup v2 and Slurm in it: Debian's cloud kernel,
# emulated by qemu, which asks nothing of this host's kernel and processor, and
# an initramfs made of the programs of this host. It writes what it says to serial lines: the
# kernel to the first, guest-init to the second, what failed to the third.

guest_programs=(bash sh env awk sed grep perl tar gzip
	basename cat chmod chown cp cut date dd dirname expr head id ln ls mkdir
	mktemp mv nproc od printf readlink realpath rm rmdir seq sleep sort stat
	stty tail tee timeout touch tr true uname uniq wc find xargs
	getent pgrep ps kill ip mount umount flock setpriv setsid taskset
	munged slurmctld slurmd slurmstepd sbatch srun scancel scontrol sinfo
	squeue)
guest_perl=(Time::HiRes Socket POSIX)
guest_pid=

# Prints the path of Debian's kernel for virtual machines, fetched if need be;
# nothing of it is installed.
guest_kernel() {
	local into=$build/guest
	if [ ! -f "$into/kernel" ]; then
		rm -rf "$into" && mkdir -p "$into" && cd "$into" &&
			{ guest_kernel_fetch ||
				{ apt-get -q update && guest_kernel_fetch; }; } >&2 &&
			find boot usr -name 'vmlinuz*' -exec mv {} kernel \; &&
			rm -rf boot usr ./*.deb && [ -f kernel ] || return 1
	fi
	echo "$into/kernel"
}

guest_kernel_fetch() {
	local name
	name=$(apt-cache depends --important linux-image-cloud-amd64 |
		sed -n 's/^ *Depends: \(linux-image-[0-9].*\)/\1/p')
	[ -n "$name" ] || { echo "the archive has none"; return 1; }
	# newer Debians have the kernel in a package of its own, in another folder
	! apt-cache show "${name/image/binary}" >/dev/null 2>&1 ||
		name=${name/image/binary}
	mkdir -p boot usr
	apt-get -q -o APT::Sandbox::User=root download "$name" &&
		dpkg-deb --fsys-tarfile "$name"_*.deb |
		tar -xf - --wildcards '*/vmlinuz*'
}

# What needs libraries, and these: one path a line.
guest_closure() {
	printf '%s\n' "$@"
	ldd "$@" 2>/dev/null | grep -oE '(^[[:space:]]|=> )/[^ ]+' |
		grep -oE '/.*' | sort -u
}

# guest_files ROOT
guest_files() {
	local program path files=()
	for program in "${guest_programs[@]}"; do
		path=$(type -P "$program") || { echo "no $program" >&2; return 1; }
		files+=("$path")
	done
	path=$(conf_stock_plugins) || return 1
	mapfile -t -O ${#files[@]} files < <(ls "$path"/*.so
		perl "${guest_perl[@]/#/-M}" -e 'print "$_\n" for
			values %INC, @DynaLoader::dl_shared_objects')
	guest_closure "${files[@]}"
	guest_closure "$1/plugins/bin/rspb" | grep -v "^$1/"
	printf '%s\n' /etc/passwd /etc/group /etc/nsswitch.conf
	find /usr/lib/locale/C.utf8 -type f
}

# guest_image ROOT: the initramfs ROOT.cpio by way of the folder ROOT, with what
# is in it already.
guest_image() {
	local root=$1 d
	mkdir -p "$root"/{dev,proc,sys,run,tmp,etc,usr/{bin,sbin,lib,lib64}} &&
		chmod 1777 "$root/tmp" || return 1
	for d in bin sbin lib lib64; do
		ln -s usr/$d "$root/$d" || return 1
	done
	# under the names they were found by, whatever links lead there; those
	# that a program asks for by /lib are in /usr, too
	guest_files "$root" >"$root.files" &&
		sed -E 's,^/(lib(64)?|s?bin)/,/usr&,' "$root.files" | sort -u |
		xargs cp -L --parents -t "$root" || return 1
	mkdir -p "$root/top/tests" "$root/top/contrib" &&
		cp -r "$RSPB_TOP/tests/cluster" "$root/top/tests/" &&
		cp -r "$RSPB_TOP"/contrib/{quickstart,quickstart.d,rspb-check} \
			"$root/top/contrib/" &&
		cp "$RSPB_TOP/tests/cluster/guest-init" "$root/init" || return 1
	(cd "$root" && find . | cpio --quiet -o -H newc) >"$root.cpio" &&
		rm -rf "$root"
}

# guest_start KERNEL IMAGE FOLDER [WORDS for the kernel]: in the background; sets
# guest_pid. Every instruction takes 8 ns of the machine's time, whatever it
# takes on this host, and what nobody waits for takes none: shares come out the
# same on a busy host, and the one processor makes them compete.
guest_start() {
	nice -n 5 qemu-system-x86_64 -accel tcg -icount shift=3,sleep=off \
		-cpu max -smp 1 -m 1024 -rtc clock=vm \
		-nodefaults -no-user-config -display none -no-reboot \
		-kernel "$1" -initrd "$2" -append "console=ttyS0 quiet panic=-1
			mitigations=off ${*:4}" \
		-serial "file:$3/console.log" -serial "file:$3/said" \
		-serial "file:$3/logs.tar" </dev/null >"$3/qemu.log" 2>&1 &
	guest_pid=$!
}

guest_stop() {
	[ -z "$guest_pid" ] || kill -KILL "$guest_pid" 2>/dev/null
	wait "$guest_pid" 2>/dev/null
	guest_pid=
}
