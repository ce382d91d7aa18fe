# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of node sets, profile, start policies and share table.
EXTRA_DIST += tests/unit/runner.h

if HAVE_CHECK
engine_tests = \
	tests/unit/check_nodeset \
	tests/unit/check_profile \
	tests/unit/check_shares \
	tests/unit/check_when
check_PROGRAMS += $(engine_tests)
TESTS += $(engine_tests)

engine_check_cflags = $(AM_CFLAGS) $(CHECK_CFLAGS)
engine_check_ldadd = common/librspbcommon.la $(CHECK_LIBS)

tests_unit_check_nodeset_CFLAGS = $(engine_check_cflags)
tests_unit_check_nodeset_LDADD = $(engine_check_ldadd)
tests_unit_check_profile_CFLAGS = $(engine_check_cflags)
tests_unit_check_profile_LDADD = $(engine_check_ldadd)
tests_unit_check_shares_CFLAGS = $(engine_check_cflags)
tests_unit_check_shares_LDADD = $(engine_check_ldadd)
tests_unit_check_when_CFLAGS = $(engine_check_cflags)
tests_unit_check_when_LDADD = $(engine_check_ldadd)
endif
