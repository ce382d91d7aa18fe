# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of node sets, profile, start policies and share table.
EXTRA_DIST += tests/unit/runner.h tests/unit/conf/settings.h tests/naive/cases

# The published structures, never tuned: oracle of the random tests and
# denominator of the benchmark.
check_LTLIBRARIES += tests/naive/libnaive.la
tests_naive_libnaive_la_SOURCES = \
	tests/naive/differ.c tests/naive/differ.h \
	tests/naive/differ_pair.c tests/naive/differ_pair.h \
	tests/naive/differ_program.c \
	tests/naive/list.c tests/naive/list.h tests/naive/list_search.c \
	tests/naive/rng.h \
	tests/naive/slots.c tests/naive/slots.h \
	tests/naive/steps.c tests/naive/steps.h

# Checks of what lies behind the engine's headers, and its measures.
check_LTLIBRARIES += tests/validate/libvalidate.la
tests_validate_libvalidate_la_SOURCES = \
	tests/validate/calendar.c tests/validate/ledger.c \
	tests/validate/shares.c tests/validate/validate.h
tested = tests/validate/libvalidate.la common/librspbcommon.la

random_tests = \
	tests/unit/calendar/random_profile \
	tests/unit/calendar/random_profile_small \
	tests/unit/calendar/random_shares \
	tests/unit/calendar/random_shares_small
check_PROGRAMS += $(random_tests)
TESTS += $(random_tests)

# The same with chunks of a few entries, so that they split all the time.
tests_unit_calendar_random_profile_small_SOURCES = \
	tests/unit/calendar/random_profile.c tests/validate/calendar.c \
	$(calendar_sources)
tests_unit_calendar_random_profile_small_CPPFLAGS = $(AM_CPPFLAGS) \
	-DRSPB_CHUNK=6
tests_unit_calendar_random_profile_small_LDADD = \
	tests/naive/libnaive.la $(tested) -lm
tests_unit_calendar_random_shares_small_SOURCES = \
	tests/unit/calendar/random_shares.c tests/validate/shares.c \
	$(shares_sources)
tests_unit_calendar_random_shares_small_CPPFLAGS = $(AM_CPPFLAGS) \
	-DRSPB_SHARE_EVENTS=5
tests_unit_calendar_random_shares_small_LDADD = \
	tests/naive/libnaive.la $(tested) -lm
tests_unit_calendar_random_profile_LDADD = \
	tests/naive/libnaive.la $(tested) -lm

tests_unit_calendar_random_shares_LDADD = \
	tests/naive/libnaive.la $(tested) -lm

# The long form: a million operations a structure. make check-random SEED=7
SEED = 1
check-random: tests/unit/calendar/random_profile$(EXEEXT) \
		tests/unit/calendar/random_shares$(EXEEXT)
	tests/unit/calendar/random_profile --ops 1000000 --seed $(SEED) --no-validate
	tests/unit/calendar/random_shares --ops 1000000 --seed $(SEED) --no-validate
.PHONY: check-random

if HAVE_CHECK
engine_tests = \
	tests/unit/base/check_nodeset \
	tests/unit/calendar/check_ladder \
	tests/unit/calendar/check_profile \
	tests/unit/calendar/check_profile_large \
	tests/unit/calendar/check_profile_copies \
	tests/unit/calendar/check_profile_memory \
	tests/unit/calendar/check_shares \
	tests/unit/policy/check_when
check_PROGRAMS += $(engine_tests)
TESTS += $(engine_tests)

engine_check_cflags = $(AM_CFLAGS) $(CHECK_CFLAGS)
engine_check_ldadd = $(tested) $(CHECK_LIBS)

tests_unit_base_check_nodeset_CFLAGS = $(engine_check_cflags)
tests_unit_base_check_nodeset_LDADD = $(engine_check_ldadd)
tests_unit_calendar_check_profile_large_CFLAGS = $(engine_check_cflags)
tests_unit_calendar_check_profile_large_LDADD = $(engine_check_ldadd)
tests_unit_calendar_check_ladder_CFLAGS = $(engine_check_cflags)
tests_unit_calendar_check_ladder_LDADD = $(engine_check_ldadd)
tests_unit_calendar_check_profile_CFLAGS = $(engine_check_cflags)
tests_unit_calendar_check_profile_LDADD = $(engine_check_ldadd)
tests_unit_calendar_check_profile_copies_CFLAGS = $(engine_check_cflags)
tests_unit_calendar_check_profile_copies_LDADD = $(engine_check_ldadd)
tests_unit_calendar_check_profile_memory_CFLAGS = $(engine_check_cflags)
tests_unit_calendar_check_profile_memory_LDADD = $(engine_check_ldadd)
tests_unit_calendar_check_profile_memory_LDFLAGS = -Wl,--wrap=malloc \
	-Wl,--wrap=calloc -Wl,--wrap=realloc -Wl,--wrap=aligned_alloc
tests_unit_calendar_check_shares_CFLAGS = $(engine_check_cflags)
tests_unit_calendar_check_shares_LDADD = $(engine_check_ldadd)
tests_unit_policy_check_when_CFLAGS = $(engine_check_cflags)
tests_unit_policy_check_when_LDADD = $(engine_check_ldadd)
endif
