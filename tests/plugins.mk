# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of what the plugins in slurmctld stand on.
if HAVE_CHECK
check_PROGRAMS += tests/unit/policy/check_pick
TESTS += tests/unit/policy/check_pick
tests_unit_policy_check_pick_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
tests_unit_policy_check_pick_LDADD = common/librspbcommon.la $(CHECK_LIBS)
endif

dist_check_SCRIPTS += tests/rules/plugin-files tests/rules/imports \
	tests/rules/releases
if BUILD_PLUGINS
TESTS += tests/rules/plugin-files tests/rules/imports \
	tests/rules/releases
endif
