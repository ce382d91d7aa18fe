# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The simulation is honest: scenarios of tests/simulated go as they do there, each change of
# state of jobs and reservations within seconds. RSPB_SCENARIOS names others than these.
# Takes 210 s.
# shellcheck source=tests/cluster/scenario.sh
. "$RSPB_TOP/tests/cluster/scenario.sh"

scenarios_compare starts cancelled full soon waits drained
