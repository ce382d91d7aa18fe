# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh
# What tests of rspb-sim work with: the program, a folder that goes with them, and
# what counts as a failure: `exit $failed` ends them.
sim=${RSPB_SIM:?the program to test}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
failed=0

fail() {
	echo "FAIL $*"
	failed=1
}
