# SPDX-License-Identifier: GPL-2.0-or-later
# Tests of what the plugins in slurmctld stand on.
if HAVE_CHECK
check_PROGRAMS += tests/unit/policy/check_pick
TESTS += tests/unit/policy/check_pick
tests_unit_policy_check_pick_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
tests_unit_policy_check_pick_LDADD = common/librspbcommon.la $(CHECK_LIBS)
endif

if HAVE_CHECK
if BUILD_PLUGINS
check_PROGRAMS += tests/unit/compat/check_draft
TESTS += tests/unit/compat/check_draft
endif
tests_unit_compat_check_draft_CPPFLAGS = $(PLUGIN_CPPFLAGS)
tests_unit_compat_check_draft_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
tests_unit_compat_check_draft_LDADD = common/librspbcommon.la $(CHECK_LIBS)
tests_unit_compat_check_draft_SOURCES = tests/unit/compat/check_draft.c \
	tests/unit/compat/handed.c tests/unit/compat/handed.h \
	plugins/compat/submit/draft.c plugins/compat/submit/draft_submission.c
if BUILD_PLUGINS
check_PROGRAMS += tests/unit/compat/check_bits
TESTS += tests/unit/compat/check_bits
endif
tests_unit_compat_check_bits_CPPFLAGS = $(PLUGIN_CPPFLAGS)
tests_unit_compat_check_bits_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
tests_unit_compat_check_bits_LDADD = common/librspbcommon.la -lslurm $(CHECK_LIBS)
tests_unit_compat_check_bits_SOURCES = tests/unit/compat/check_bits.c \
	tests/unit/compat/slurm_bits.c tests/unit/compat/slurm_bits.h \
	plugins/compat/bits.c
if BUILD_PLUGINS
check_PROGRAMS += tests/unit/compat/check_members
TESTS += tests/unit/compat/check_members
endif
tests_unit_compat_check_members_CPPFLAGS = $(PLUGIN_CPPFLAGS)
tests_unit_compat_check_members_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
tests_unit_compat_check_members_LDADD = common/librspbcommon.la -lslurm $(CHECK_LIBS)
tests_unit_compat_check_members_SOURCES = tests/unit/compat/check_members.c \
	tests/unit/compat/slurm_members.c plugins/compat/limit/members.c
if BUILD_PLUGINS
check_PROGRAMS += tests/unit/compat/check_state_limits
TESTS += tests/unit/compat/check_state_limits
endif
tests_unit_compat_check_state_limits_CPPFLAGS = $(PLUGIN_CPPFLAGS)
tests_unit_compat_check_state_limits_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
tests_unit_compat_check_state_limits_LDADD = common/librspbcommon.la $(CHECK_LIBS)
tests_unit_compat_check_state_limits_SOURCES = tests/unit/compat/check_state_limits.c \
	plugins/compat/submit/state_limits.c
endif

dist_check_SCRIPTS += tests/rules/plugin-files tests/rules/imports tests/rules/imports-list
if BUILD_PLUGINS
TESTS += tests/rules/plugin-files tests/rules/imports tests/rules/imports-list
endif
