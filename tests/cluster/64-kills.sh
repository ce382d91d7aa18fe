# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Two minutes of kill -9 at random moments, with power cuts and a disk that
# fails: what users have read stands. RSPB_KILLS: other options of tests/crash/run,
# such as "--minutes 60 --state any".
# Takes 200 s.
command -v python3 >/dev/null || skip_suite "no python3 here"
# how each slurmctld ends is its own doing
# shellcheck disable=SC2086
RSPB_ENDS='' "$RSPB_TOP/tests/crash/run" --dir "$cluster" ${RSPB_KILLS:---minutes 2 --faults} \
	>"$folder/kills.log" 2>&1
rc=$?
while read -r line; do
	case $line in
	"ok "*) ok "${line#ok }" ;;
	"not ok "*) not_ok "${line#not ok }" ;;
	*) note "$line" ;;
	esac
done < <(grep -v '^  kill [0-9]' "$folder/kills.log")
check "it has come to its end" grep -q '^seed .* passed' "$folder/kills.log"
check "and says the same" [ $rc -eq "$(grep -c '^not ok' "$folder/results")" ]
