# SPDX-License-Identifier: GPL-2.0-or-later
# spank_rspb.so: runs in sbatch, salloc, srun, slurmd and slurmstepd. Named by
# its file, the common library gives only the members that are used, so that
# none of these programs has to load json-c.
plugin_LTLIBRARIES += plugins/spank_rspb.la

plugins_spank_rspb_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugins_spank_rspb_la_LDFLAGS = -module -avoid-version -shared -pthread \
	-Wl,common/.libs/librspbcommon.a \
	-Wl,--version-script=$(top_srcdir)/plugins/spank/spank.map
plugins_spank_rspb_la_DEPENDENCIES = common/librspbcommon.la \
	$(top_srcdir)/plugins/spank/spank.map
plugins_spank_rspb_la_SOURCES = \
	plugins/compat/controller.c plugins/compat/controller.h \
	plugins/spank/channel.c \
	plugins/spank/files.c \
	plugins/spank/message.c \
	plugins/spank/node.c plugins/spank/node.h \
	plugins/spank/plugin.c \
	plugins/spank/reporter.c \
	plugins/spank/settings.c \
	plugins/spank/state.c \
	plugins/spank/submit.c plugins/spank/submit.h \
	plugins/spank/tree.c plugins/spank/tree.h \
	plugins/spank/usage.c \
	plugins/spank/weight.c

