# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# CPU shares on cgroup v2: suite 80-shares once more, in a virtual machine with
# a Debian kernel. RSPB_GUEST_SUITES names other suites for it.
# Takes 240 s.
for program in qemu-system-x86_64 cpio; do
	command -v $program >/dev/null ||
		skip_suite "no $program here (Debian: apt install qemu-system-x86 cpio)"
done
top=$RSPB_TOP ports=${RSPB_PORTS:-20000-32000}
for part in packages build conf; do
	# shellcheck source=/dev/null
	. "$RSPB_TOP/contrib/quickstart.d/$part.sh"
done
# shellcheck source=tests/cluster/guest.sh
. "$RSPB_TOP/tests/cluster/guest.sh"
trap 'guest_stop; suite_end' EXIT

build_all >"$folder/build.log" 2>&1 || { cat "$folder/build.log"; exit 1; }
kernel=$(guest_kernel 2>"$folder/kernel.log") ||
	skip_suite "Debian's linux-image-cloud-amd64 can't be had:" \
		"$(tail -n 1 "$folder/kernel.log")"
mkdir "$folder/root" && build_install "$folder" >>"$folder/build.log" 2>&1 &&
	mv "$folder/rspb" "$folder/root/plugins" &&
	guest_image "$folder/root" || exit 1

says() {
	grep -qx "$1" "$folder/said"
}
# or will never be
is_up() {
	says up || ! kill -0 "$guest_pid" 2>/dev/null
}
began=$SECONDS
guest_start "$kernel" "$folder/root.cpio" "$folder" \
	suites="${RSPB_GUEST_SUITES:-80-shares}"
wait_for 60 is_up
check "qemu's machine comes up" says up || {
	tail -n 5 "$folder/qemu.log" "$folder/console.log"
	exit 1
}
note "a machine was up after $((SECONDS - began)) s"

# What it says, as it comes, until it is off or all patience is at an end.
told=1
relay() {
	local line
	while IFS= read -r line; do
		told=$((told + 1))
		case $line in
		"ok "*) ok "${line#ok *: }" ;;
		"not ok "*) not_ok "${line#not ok }" ;;
		"skip "*) skip "${line#skip *: }" ;;
		finished) ;;
		*) echo "$line" ;;
		esac
	done < <(tail -n +$((told + 1)) "$folder/said")
}
while kill -0 "$guest_pid" 2>/dev/null && [ $((SECONDS - began)) -lt 1200 ]; do
	relay
	sleep 1
done
guest_stop
relay
mkdir -p "$out/guest" && tar -C "$out/guest" -xzf "$folder/logs.tar"
cp "$folder/said" "$folder/said.log"
check "the machine came to its end" says finished
