# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Not a suite of its own: what 11-sees has to see. A slurmctld that dies, after which
# all that asks for nothing finds it.
cluster_up --nodes 1 || exit 1
check "it answers" ctld_answers
kill -SEGV "$(ctld_pid)"
sleep 1
check "nothing is left" nothing_left
check "no job, either" gone 1
