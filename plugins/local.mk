# SPDX-License-Identifier: GPL-2.0-or-later
# Built only when configure was given Slurm's internal headers.
# slurm-config/ stands in for the config.h of a configured Slurm tree.
PLUGIN_CPPFLAGS = -I$(top_srcdir) \
	-I$(top_srcdir)/plugins/compat/slurm-config $(SLURM_CPPFLAGS) \
	$(SLURM_FEATURES) -DSLURM_VERSION_STRING='"$(SLURM_VERSION_STRING)"'

# Symbols of slurmctld are looked up when first called: clients load the
# select plugin too, and have none of them. Never -z now.
PLUGIN_LAZY = -Wl,-z,lazy

# One private library for all plugins in slurmctld, so that there is one
# ledger. All plugins come out in one folder, which serves as a PluginDir
# also before it is installed.
plugin_LTLIBRARIES = plugins/librspb.la

plugins_librspb_la_CPPFLAGS = $(PLUGIN_CPPFLAGS) $(JSON_C_CFLAGS)
plugins_librspb_la_LDFLAGS = -avoid-version -shared $(PLUGIN_LAZY) \
	-Wl,--version-script=$(top_srcdir)/plugins/librspb.map
plugins_librspb_la_LIBADD = common/librspbcommon.la $(JSON_C_LIBS) \
	$(MUNGE_LIBS)
EXTRA_plugins_librspb_la_DEPENDENCIES = $(top_srcdir)/plugins/librspb.map
plugins_librspb_la_SOURCES = \
	plugins/compat/abi.c plugins/compat/abi.h \
	plugins/compat/clock.h \
	plugins/compat/load/auth.c plugins/compat/load/auth.h \
	plugins/compat/submit/draft.c plugins/compat/submit/draft.h \
	plugins/compat/submit/draft_internal.h \
	plugins/compat/submit/draft_submission.c \
	plugins/compat/preempt/preempt.c plugins/compat/preempt/preempt.h \
	plugins/compat/plugin.h \
	plugins/compat/release/conn.h \
	plugins/compat/release/headers.h plugins/compat/release/job_test.h \
	plugins/compat/release/jobs.h \
	plugins/compat/release/licenses.h plugins/compat/release/preempt.h \
	plugins/compat/release/resv.h \
	plugins/compat/release/topology.h \
	plugins/compat/select_call.c plugins/compat/select_call.h \
	plugins/compat/select_ops.h \
	plugins/compat/slurm.h \
	plugins/compat/slurm-config/config.h \
	plugins/compat/submit/state_limits.c \
	plugins/compat/submit/submission.c plugins/compat/submit/submission.h \
	plugins/compat/submit/submission_change.c \
	plugins/compat/wrap.c plugins/compat/wrap.h \
	plugins/compat/bits.c plugins/compat/bits.h \
	plugins/compat/colocate.c plugins/compat/colocate.h \
	plugins/compat/colocate_call.h \
	plugins/compat/parts/cores.c plugins/compat/parts/cores.h \
	plugins/compat/parts/cores_call.c plugins/compat/parts/cores_call.h \
	plugins/compat/parts/cores_had.c \
	plugins/compat/parts/devices.c plugins/compat/parts/devices.h \
	plugins/compat/parts/layout.c \
	plugins/compat/parts/needs.c plugins/compat/parts/needs.h \
	plugins/compat/parts/share.c plugins/compat/parts/share.h \
	plugins/compat/parts/spared.c plugins/compat/parts/spared.h \
	plugins/compat/parts/parts.h plugins/compat/parts/placed.h \
	plugins/compat/ctld.c plugins/compat/ctld.h \
	plugins/compat/job.c plugins/compat/job.h \
	plugins/compat/job_gres.c plugins/compat/job_try.c \
	plugins/compat/job_pick.c plugins/compat/job_pick.h \
	plugins/compat/limit/license.c \
	plugins/compat/limit/members.c plugins/compat/limit/members.h \
	plugins/compat/limit/quota.c plugins/compat/limit/quota.h \
	plugins/compat/limit/room.c \
	plugins/compat/job_constraint.c \
	plugins/compat/node.c plugins/compat/node.h \
	plugins/compat/node_kind.c \
	plugins/compat/node_send.c \
	plugins/compat/node_rank.c \
	plugins/compat/node_sizes.c \
	plugins/compat/resv.c plugins/compat/resv.h \
	plugins/compat/resv_edit.c plugins/compat/resv_internal.h \
	plugins/compat/job_edit.c \
	plugins/compat/job_run.c plugins/compat/job_update.h \
	plugins/compat/job_clear.c plugins/compat/job_edit.h \
	plugins/compat/save.c plugins/compat/save.h

# What the broker and its clients share; no Slurm in it.
plugins_librspb_la_SOURCES += \
	plugins/wire/credential.c plugins/wire/credential.h \
	plugins/wire/frame.c plugins/wire/frame.h \
	plugins/wire/strict.c plugins/wire/strict.h

include plugins/ctld/local.mk

# Linked by file name instead of by its .la, so that libtool adds no search
# path of its own: it lies beside the plugins wherever they are put.
PLUGIN_LDFLAGS = -module -avoid-version -shared $(PLUGIN_LAZY) \
	-Wl,--no-as-needed,plugins/.libs/librspb.so \
	-Wl,-rpath,'$$ORIGIN' -Wl,--enable-new-dtags -Wl,-Bsymbolic \
	-Wl,--version-script=$(top_srcdir)/plugins/plugin.map
PLUGIN_DEPS = plugins/librspb.la $(top_srcdir)/plugins/plugin.map

plugin_LTLIBRARIES += plugins/sched_backfill.la
plugins_sched_backfill_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugins_sched_backfill_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_sched_backfill_la_DEPENDENCIES = $(PLUGIN_DEPS)
plugins_sched_backfill_la_SOURCES = plugins/sched/sched_backfill.c

plugin_LTLIBRARIES += plugins/select_cons_tres.la
plugins_select_cons_tres_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugins_select_cons_tres_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_select_cons_tres_la_DEPENDENCIES = $(PLUGIN_DEPS)
plugins_select_cons_tres_la_SOURCES = \
	plugins/select/select_cons_tres.c \
	plugins/select/bookable.c \
	plugins/select/place.c plugins/select/place.h

plugin_LTLIBRARIES += plugins/job_submit_rspb.la
plugins_job_submit_rspb_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugins_job_submit_rspb_la_LDFLAGS = $(PLUGIN_LDFLAGS)
plugins_job_submit_rspb_la_DEPENDENCIES = $(PLUGIN_DEPS)
plugins_job_submit_rspb_la_SOURCES = \
	plugins/job_submit/job_submit_rspb.c \
	plugins/job_submit/admit.c plugins/job_submit/admit.h

include plugins/spank/local.mk

# For rspb(1) where AuthType is not MUNGE: no plugin of Slurm's, which the client
# opens behind libslurmfull.so.
plugin_LTLIBRARIES += plugins/rspb_auth.la
plugins_rspb_auth_la_CPPFLAGS = $(PLUGIN_CPPFLAGS)
plugins_rspb_auth_la_LDFLAGS = -module -avoid-version -shared $(PLUGIN_LAZY) \
	-Wl,common/.libs/librspbcommon.a \
	-Wl,--version-script=$(top_srcdir)/plugins/rspb_auth.map
plugins_rspb_auth_la_DEPENDENCIES = common/librspbcommon.la \
	$(top_srcdir)/plugins/rspb_auth.map
plugins_rspb_auth_la_SOURCES = plugins/compat/load/auth.c plugins/compat/load/auth.h

# What would end slurmctld at the first call does not get built.
all-local: plugins/imports.ok
CLEANFILES += plugins/imports.ok
plugins/imports.ok: $(plugin_LTLIBRARIES) $(srcdir)/tests/rules/imports
	$(AM_V_GEN)SLURMCTLD='$(SLURMCTLD)' SLURM_SRC='$(SLURM_SRC)' \
		$(srcdir)/tests/rules/imports || test $$? -eq 77
	$(AM_V_at)touch $@

# Slurm tries to load whatever carries a plugin's name; only .so files go in.
install-data-hook:
	cd "$(DESTDIR)$(plugindir)" && \
	for la in $(plugin_LTLIBRARIES); do rm -f "$${la##*/}"; done

uninstall-hook:
	cd "$(DESTDIR)$(plugindir)" && \
	for la in $(plugin_LTLIBRARIES); do \
		so=$${la##*/}; rm -f "$${so%.la}.so"; done
