# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of the value types, the grammar and the settings.
if HAVE_CHECK
values_tests = \
	tests/unit/check_benefit \
	tests/unit/check_booking \
	tests/unit/check_config \
	tests/unit/check_flags \
	tests/unit/check_request \
	tests/unit/check_text
check_PROGRAMS += $(values_tests)
TESTS += $(values_tests)

values_check_cflags = $(AM_CFLAGS) $(CHECK_CFLAGS)
values_check_ldadd = common/librspbcommon.la $(CHECK_LIBS)

tests_unit_check_benefit_CFLAGS = $(values_check_cflags)
tests_unit_check_benefit_LDADD = $(values_check_ldadd)
tests_unit_check_booking_CFLAGS = $(values_check_cflags)
tests_unit_check_booking_LDADD = $(values_check_ldadd)
tests_unit_check_config_CFLAGS = $(values_check_cflags)
tests_unit_check_config_LDADD = $(values_check_ldadd)
tests_unit_check_flags_CFLAGS = $(values_check_cflags)
tests_unit_check_flags_LDADD = $(values_check_ldadd)
tests_unit_check_request_CFLAGS = $(values_check_cflags)
tests_unit_check_request_LDADD = $(values_check_ldadd)
tests_unit_check_text_CFLAGS = $(values_check_cflags)
tests_unit_check_text_LDADD = $(values_check_ldadd)
endif
