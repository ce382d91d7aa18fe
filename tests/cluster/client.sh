# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For suites that ask by rspb: sourced once their cluster is up.
PATH=$cluster/rspb/bin:$PATH
# value JOB MEMBER: of what rspb show says
value() {
	rspb --json show "$1" |
		sed -n "s/^ *\"$2\":\"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}$/\1/p"
}
# by_schema FILE WRONG: each line of FILE is as the protocol's schema says, and WRONG is not.
by_schema() {
	python3 "$RSPB_TOP/tests/cluster/by_schema.py" "$RSPB_TOP/doc/protocol.schema.json" "$2" <"$1"
}
# check_schema COMMAND...: a check that needs Python's jsonschema.
check_schema() {
	if python3 -c 'import jsonschema' 2>/dev/null; then
		check "each answer is as the schema says" "$@"
	else
		skip "no jsonschema for Python here (Debian: python3-jsonschema)"
	fi
}
# says STATUS PATTERN COMMAND...
says() {
	local said rc
	said=$("${@:3}" 2>&1)
	rc=$?
	[ $rc -eq "$1" ] && grep -qE -- "$2" <<<"$said" ||
		{ echo "status $rc: $said"; return 1; }
}
