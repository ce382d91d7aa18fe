# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For suites that ask by rspb: sourced once their cluster is up.
PATH=$cluster/rspb/bin:$PATH
# value JOB MEMBER: of what rspb show says
value() {
	rspb --json show "$1" |
		sed -n "s/^ *\"$2\":\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p"
}
# says STATUS PATTERN COMMAND...
says() {
	local said rc
	said=$("${@:3}" 2>&1)
	rc=$?
	[ $rc -eq "$1" ] && grep -qE -- "$2" <<<"$said" ||
		{ echo "status $rc: $said"; return 1; }
}
