# SPDX-License-Identifier: GPL-2.0-or-later
bin_PROGRAMS += contrib/sim/rspb-sim

contrib_sim_rspb_sim_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
contrib_sim_rspb_sim_LDADD = contrib/sim/librspbsim.la
contrib_sim_rspb_sim_SOURCES = contrib/sim/main.c

# Everything but main(), for its tests too.
noinst_LTLIBRARIES += contrib/sim/librspbsim.la
contrib_sim_librspbsim_la_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
contrib_sim_librspbsim_la_LIBADD = common/librspbcommon.la $(JSON_C_LIBS) -lm
contrib_sim_librspbsim_la_SOURCES = $(papers_sources) \
	contrib/sim/sim.h \
	contrib/sim/run.c \
	contrib/sim/out.c \
	contrib/sim/lines.c contrib/sim/fields.c contrib/sim/lines.h \
	contrib/sim/qos.c contrib/sim/qos.h \
	contrib/sim/alg_basic.c \
	contrib/sim/alg_thesis.c contrib/sim/alg_li.c \
	contrib/sim/alg_tasks.c \
	contrib/sim/alg_tarr.c \
	contrib/sim/alg_vrc.c \
	contrib/sim/alg_life.c contrib/sim/field_benefit.c \
	contrib/sim/options.c contrib/sim/report.c contrib/sim/options.h \
	contrib/sim/simulate.c \
	contrib/sim/journal.c contrib/sim/journal_replay.c \
	contrib/sim/journal_batch.c contrib/sim/journal_plan.c \
	contrib/sim/journal.h \
	contrib/sim/sums.c contrib/sim/sums.h \
	contrib/sim/lp.c contrib/sim/lp.h \
	contrib/sim/metrics.c contrib/sim/metrics.h \
	contrib/sim/pool_run.c contrib/sim/pool_run.h \
	contrib/sim/svg.c contrib/sim/svg.h \
	contrib/sim/swf.c contrib/sim/swf.h \
	contrib/sim/random.c contrib/sim/random.h \
	contrib/sim/batches.c contrib/sim/batches.h \
	contrib/sim/workload.c contrib/sim/replay.c contrib/sim/workload.h \
	contrib/sim/models.c contrib/sim/model.h \
	contrib/sim/model_lublin.c contrib/sim/model_min.c \
	contrib/sim/model_fair.c contrib/sim/model_vrc.c \
	contrib/sim/model_tarr.c contrib/sim/model_mmc.c \
	contrib/sim/figures.c contrib/sim/figure_table.c \
	contrib/sim/claim_table.c contrib/sim/judge.c \
	contrib/sim/page.c contrib/sim/figures.h

# How far policies are from a bound; needs glpsol.
EXTRA_DIST += contrib/sim/bound

# What only the papers' algorithms need: no plugin reaches it.
papers_sources = \
	contrib/sim/papers/binding.c \
	contrib/sim/papers/binding.h \
	contrib/sim/papers/ect.c \
	contrib/sim/papers/ect.h \
	contrib/sim/papers/fair.c \
	contrib/sim/papers/fair.h \
	contrib/sim/papers/fluid.c \
	contrib/sim/papers/natural.c \
	contrib/sim/papers/natural.h \
	contrib/sim/papers/pool.c \
	contrib/sim/papers/pool.h \
	contrib/sim/papers/qdd.c \
	contrib/sim/papers/qdd.h \
	contrib/sim/papers/queueing.c \
	contrib/sim/papers/queueing.h \
	contrib/sim/papers/rational.c \
	contrib/sim/papers/rational.h \
	contrib/sim/papers/real.c \
	contrib/sim/papers/real.h \
	contrib/sim/papers/stable.c \
	contrib/sim/papers/stable.h \
	contrib/sim/papers/steps.c \
	contrib/sim/papers/steps.h \
	contrib/sim/papers/tarr.c \
	contrib/sim/papers/tarr.h \
	contrib/sim/papers/tasks.c \
	contrib/sim/papers/tasks.h
