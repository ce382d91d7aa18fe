# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# That a suite sees a slurmctld that has died.
# Takes 40 s.
mkdir "$folder/inner"
RSPB_PATIENCE=1 RSPB_LOG_DIR=$folder/inner/kept bash "$RSPB_TOP/tests/cluster/lib.sh" \
	unseen "$folder/inner" >"$out/said" 2>&1
says() {
	grep -E "$1" "$out/said" || { cat "$out/said"; return 1; }
}
check "it runs" says '^ok unseen: it answers'
check "what ended by a signal fails it" says \
	'^not ok unseen: slurmctld, process [0-9]*, ended with status 139'
check "nothing left is not seen where nobody answers" says \
	'^not ok unseen: nothing is left'
check "nor is a job gone" says '^not ok unseen: no job, either'
check "its logs are kept" test -s "$folder/inner/kept/unseen/log/slurmctld.log"

note "one that ends as it should"
cluster_up --nodes 1 || exit 1
check "it ends" ctld_stop
check "it begins again" ctld_start
check "it is killed, on purpose" ctld_stop KILL
check "and begins again" ctld_start
check "nothing is left" wait_for 10 nothing_left
