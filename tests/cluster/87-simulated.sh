# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# The simulation is honest: scenarios of tests/simulated go as they do there, each change of
# state of jobs and reservations within seconds. RSPB_SCENARIOS names others.
# Takes 420 s.
# shellcheck source=tests/cluster/scenario.sh
. "$RSPB_TOP/tests/cluster/scenario.sh"
printf '%s\n' ReserveAhead=300s >"$folder/rspb.conf"
cluster_up --nodes 8 --rspb-conf "$folder/rspb.conf" || exit 1
PATH=$cluster/rspb/bin:$PATH

for scenario in ${RSPB_SCENARIOS:-"$RSPB_TOP"/tests/simulated/scenarios/*.scenario}; do
	name=$(basename "$scenario" .scenario)
	note "$name: $(sed -n '2s/^# //p' "$scenario")"
	check "$name goes as in the simulation" scenario_compare "$scenario"
done
