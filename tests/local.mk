# SPDX-License-Identifier: GPL-2.0-or-later
include tests/engine.mk
include tests/bench.mk
include tests/schedule.mk
include tests/plugins.mk
include tests/spank.mk
include tests/values.mk
include tests/house.mk
include tests/release.mk
include tests/cluster.mk
include tests/crash.mk
include tests/calendar.mk
include tests/sim.mk
include tests/fuzz.mk
include tests/races.mk
include tests/simulated.mk
