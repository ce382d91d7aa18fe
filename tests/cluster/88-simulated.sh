# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# As 87-simulated, other scenarios.
# Takes 210 s.
# shellcheck source=tests/cluster/scenario.sh
. "$RSPB_TOP/tests/cluster/scenario.sh"

[ -z "${RSPB_SCENARIOS:-}" ] || skip_suite "87-simulated plays what RSPB_SCENARIOS names"
scenarios_compare killed killed-later fewer changed operator released
