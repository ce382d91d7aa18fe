# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# CPU shares on cgroup v2: Slurm in user-mode-linux, whose one CPU is fought
# for. Its kernel counts in ticks of 10 ms, so within three points.
uml=$(command -v linux.uml) || {
	ok "skipped: no user-mode-linux here (Debian: apt install user-mode-linux)"
	exit 0
}
# Its kernel can't save the registers of every CPU there is.
printf '#!/bin/sh\necho yes >%q\n' "$folder/boots" >"$folder/tiny"
chmod 755 "$folder" "$folder/tiny"
timeout 60 "$uml" mem=128M rootfstype=hostfs rootflags=/ rw quiet con=null \
	init="$folder/tiny" >"$folder/tiny.log" 2>&1 </dev/null
[ -s "$folder/boots" ] || {
	ok "skipped: user-mode-linux does not run on this host's CPU and kernel"
	exit 0
}
inside=$RSPB_TOP/tests/cluster/uml-shares
# builds and installs the plugins, and gives a slurm.conf to start from
cluster_up --nodes 1 || exit 1
cluster_down_keep() {
	mkdir -p "$folder/uml"
	cp -r "$cluster/rspb" "$folder/uml/"
	cp "$cluster/etc/slurm.conf" "$folder/uml/slurm.conf.v1"
	cluster_down
}
cluster_down_keep
cp "$RSPB_TOP/tests/cluster/burn.pl" "$RSPB_TOP/contrib/rspb-check" \
	"$folder/uml/"
printf '#!/bin/sh\nexec %q %q >%q 2>&1 </dev/null\n' "$inside" "$folder/uml" \
	"$folder/uml/said" >"$folder/uml/init"
chmod 755 "$folder/uml/init" && chmod -R go+rX "$folder"

note "booting; the tests inside take two minutes, on a busy host four"
timeout 420 "$uml" mem=768M rootfstype=hostfs rootflags=/ rw quiet \
	cgroup_no_v1=all con=null init="$folder/uml/init" \
	>"$folder/uml/boot.log" 2>&1 </dev/null
cp "$folder/uml/said" "$folder/uml.log"
while IFS= read -r line; do
	case $line in
	"ok "*) ok "${line#ok }" ;;
	"not ok "*) not_ok "${line#not ok }" ;;
	esac
done <"$folder/uml/said"
check "the system inside came to its end" grep -x finished "$folder/uml/said"
