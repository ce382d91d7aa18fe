# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of the ledger, the tables of choices and the batch loop.
EXTRA_DIST += tests/unit/plan/events.h tests/unit/plan/mixture.h \
	tests/unit/plan/pair.h tests/unit/plan/records.h tests/unit/plan/requests.h

if HAVE_CHECK
schedule_tests = \
	tests/unit/plan/check_ledger \
	tests/unit/plan/check_ledger_random \
	tests/unit/plan/check_parts \
	tests/unit/ctld/check_suits \
	tests/unit/plan/check_through \
	tests/unit/policy/check_policy \
	tests/unit/plan/check_properties \
	tests/unit/plan/check_yield \
	tests/unit/plan/check_lives \
	tests/unit/plan/check_outline \
	tests/unit/plan/check_shift \
	tests/unit/plan/check_thesis \
	tests/unit/plan/check_offers \
	tests/unit/plan/check_mixed \
	tests/unit/plan/check_speed \
	tests/unit/plan/check_near \
	tests/unit/plan/check_tasks \
	tests/unit/plan/check_schedule \
	tests/unit/plan/check_start
check_PROGRAMS += $(schedule_tests)
TESTS += $(schedule_tests)

schedule_check_ldadd = contrib/sim/librspbpapers.la $(engine_check_ldadd) $(GMP_LIBS)

tests_unit_plan_check_parts_CFLAGS = $(engine_check_cflags)
tests_unit_plan_check_parts_LDADD = $(schedule_check_ldadd)
tests_unit_ctld_check_suits_SOURCES = \
	tests/unit/ctld/check_suits.c plugins/ctld/decide/suits.c
tests_unit_ctld_check_suits_CFLAGS = $(engine_check_cflags)
tests_unit_ctld_check_suits_LDADD = $(schedule_check_ldadd)
tests_unit_plan_check_through_CFLAGS = $(engine_check_cflags)
tests_unit_plan_check_through_LDADD = $(schedule_check_ldadd)
tests_unit_plan_check_ledger_CFLAGS = $(engine_check_cflags)
tests_unit_plan_check_ledger_LDADD = $(schedule_check_ldadd)
tests_unit_policy_check_policy_SOURCES = \
	tests/unit/policy/check_policy.c plugins/ctld/request/turns.c
tests_unit_policy_check_policy_CFLAGS = $(engine_check_cflags)
tests_unit_policy_check_policy_LDADD = $(schedule_check_ldadd)
tests_unit_plan_check_yield_CFLAGS = $(engine_check_cflags)
tests_unit_plan_check_yield_LDADD = $(schedule_check_ldadd)
tests_unit_plan_check_properties_CFLAGS = $(engine_check_cflags)
tests_unit_plan_check_properties_LDADD = $(schedule_check_ldadd)
tests_unit_plan_check_thesis_CFLAGS = $(engine_check_cflags)
tests_unit_plan_check_thesis_LDADD = $(schedule_check_ldadd)
tests_unit_plan_check_offers_CFLAGS = $(engine_check_cflags)
tests_unit_plan_check_offers_LDADD = $(schedule_check_ldadd)
tests_unit_plan_check_near_CFLAGS = $(engine_check_cflags)
tests_unit_plan_check_near_LDADD = $(schedule_check_ldadd)
tests_unit_plan_check_tasks_CFLAGS = $(engine_check_cflags)
tests_unit_plan_check_tasks_LDADD = $(schedule_check_ldadd)
tests_unit_plan_check_mixed_CFLAGS = $(engine_check_cflags)
tests_unit_plan_check_mixed_LDADD = $(schedule_check_ldadd)
tests_unit_plan_check_speed_CFLAGS = $(engine_check_cflags)
tests_unit_plan_check_speed_LDADD = $(schedule_check_ldadd)
tests_unit_plan_check_schedule_CFLAGS = $(engine_check_cflags)
tests_unit_plan_check_schedule_LDADD = $(schedule_check_ldadd)
tests_unit_plan_check_ledger_random_CFLAGS = $(engine_check_cflags)
tests_unit_plan_check_ledger_random_LDADD = $(schedule_check_ldadd)
tests_unit_plan_check_outline_CFLAGS = $(engine_check_cflags)
tests_unit_plan_check_outline_LDADD = $(schedule_check_ldadd)
tests_unit_plan_check_shift_CFLAGS = $(engine_check_cflags)
tests_unit_plan_check_shift_LDADD = $(schedule_check_ldadd)
tests_unit_plan_check_lives_CFLAGS = $(engine_check_cflags)
tests_unit_plan_check_lives_LDADD = $(schedule_check_ldadd)
tests_unit_plan_check_start_CFLAGS = $(engine_check_cflags)
tests_unit_plan_check_start_LDADD = $(schedule_check_ldadd)
endif
