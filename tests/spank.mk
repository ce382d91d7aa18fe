# SPDX-License-Identifier: GPL-2.0-or-later
# The node's side of CPU shares, which needs no Slurm.
dist_check_SCRIPTS += tests/unit/spank/rspb-check
TESTS += tests/unit/spank/rspb-check
if HAVE_CHECK
spank_tests = \
	tests/unit/wire/check_share_env \
	tests/unit/wire/check_share_use \
	tests/unit/spank/check_balance \
	tests/unit/spank/check_node \
	tests/unit/spank/check_tree \
	tests/unit/spank/check_usage
check_PROGRAMS += $(spank_tests)
TESTS += $(spank_tests)
tests_unit_wire_check_share_env_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
tests_unit_wire_check_share_env_LDADD = common/librspbcommon.la $(CHECK_LIBS)
tests_unit_wire_check_share_use_SOURCES = tests/unit/wire/check_share_use.c \
	plugins/ctld/kinds/use_table.c
tests_unit_wire_check_share_use_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
tests_unit_wire_check_share_use_LDADD = common/librspbcommon.la $(CHECK_LIBS)
tests_unit_spank_check_node_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
tests_unit_spank_check_node_LDADD = common/librspbcommon.la $(CHECK_LIBS)
node_side = \
	plugins/spank/files.c plugins/spank/message.c plugins/spank/node.c \
	plugins/spank/settings.c plugins/spank/state.c \
	plugins/spank/tree.c \
	plugins/spank/usage.c \
	plugins/spank/weight.c
tests_unit_spank_check_node_SOURCES = tests/unit/spank/check_node.c \
	tests/unit/spank/node_folders.h $(node_side)
tests_unit_spank_check_tree_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
tests_unit_spank_check_tree_LDADD = common/librspbcommon.la $(CHECK_LIBS)
tests_unit_spank_check_tree_SOURCES = tests/unit/spank/check_tree.c $(node_side)
tests_unit_spank_check_balance_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
tests_unit_spank_check_balance_LDADD = common/librspbcommon.la $(CHECK_LIBS)
tests_unit_spank_check_balance_SOURCES = tests/unit/spank/check_balance.c \
	tests/unit/spank/node_folders.h $(node_side)
tests_unit_spank_check_usage_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS)
tests_unit_spank_check_usage_LDADD = common/librspbcommon.la $(CHECK_LIBS)
tests_unit_spank_check_usage_SOURCES = tests/unit/spank/check_usage.c $(node_side)

# reporter.c includes a header of Slurm's.
if BUILD_PLUGINS
check_PROGRAMS += tests/unit/spank/check_channel
TESTS += tests/unit/spank/check_channel
tests_unit_spank_check_channel_CPPFLAGS = $(PLUGIN_CPPFLAGS)
tests_unit_spank_check_channel_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS) -pthread
tests_unit_spank_check_channel_LDADD = common/librspbcommon.la $(CHECK_LIBS)
tests_unit_spank_check_channel_SOURCES = tests/unit/spank/check_channel.c \
	plugins/spank/channel.c plugins/spank/files.c
check_PROGRAMS += tests/unit/spank/check_reporter
TESTS += tests/unit/spank/check_reporter
tests_unit_spank_check_reporter_CPPFLAGS = $(PLUGIN_CPPFLAGS)
tests_unit_spank_check_reporter_CFLAGS = $(AM_CFLAGS) $(CHECK_CFLAGS) -pthread
tests_unit_spank_check_reporter_LDADD = common/librspbcommon.la $(CHECK_LIBS)
tests_unit_spank_check_reporter_SOURCES = tests/unit/spank/check_reporter.c \
	tests/unit/spank/node_folders.h plugins/spank/reporter.c $(node_side)
endif
endif
