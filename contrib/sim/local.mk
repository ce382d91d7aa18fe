# SPDX-License-Identifier: GPL-2.0-or-later
# Two programs: rspb-sim, which replays a site's own load, and rspb-sim-papers,
# what only researchers run. Rspb-sim runs the other one for its commands.
bin_PROGRAMS += contrib/sim/rspb-sim contrib/sim/rspb-sim-papers

contrib_sim_rspb_sim_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
contrib_sim_rspb_sim_LDADD = contrib/sim/librspbsim.la
contrib_sim_rspb_sim_SOURCES = contrib/sim/main.c \
	contrib/sim/check.c contrib/sim/check.h \
	contrib/sim/check_read.c contrib/sim/check_read.h \
	contrib/sim/check_draw.c contrib/sim/check_requests.c \
	contrib/sim/conf.c contrib/sim/conf.h \
	contrib/sim/simulate.c contrib/sim/simulate.h

contrib_sim_rspb_sim_papers_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS) $(GMP_CFLAGS)
contrib_sim_rspb_sim_papers_LDADD = contrib/sim/librspbpapers.la
contrib_sim_rspb_sim_papers_SOURCES = contrib/sim/papers_main.c

# For their tests, too. The rooms, each above those that it may include;
# doc/architecture.md.
noinst_LTLIBRARIES += contrib/sim/librspbsim.la contrib/sim/librspbpapers.la
contrib_sim_librspbsim_la_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS)
contrib_sim_librspbsim_la_LIBADD = common/librspbcommon.la $(JSON_C_LIBS) -lm
contrib_sim_librspbsim_la_SOURCES = \
	$(sim_jsonl_sources) \
	$(sim_policy_sources) \
	$(sim_replay_sources) \
	$(sim_report_sources) \
	$(sim_study_sources) \
	$(sim_journal_sources)
contrib_sim_librspbpapers_la_CFLAGS = $(AM_CFLAGS) $(JSON_C_CFLAGS) $(GMP_CFLAGS)
contrib_sim_librspbpapers_la_LIBADD = contrib/sim/librspbsim.la $(GMP_LIBS)
contrib_sim_librspbpapers_la_SOURCES = \
	$(sim_papers_sources) \
	$(sim_alg_sources) \
	$(sim_models_sources) \
	$(sim_figures_sources)

# JSON lines in and out.
sim_jsonl_sources = \
	contrib/sim/jsonl/fields.c \
	contrib/sim/jsonl/fields.h \
	contrib/sim/jsonl/lines.c \
	contrib/sim/jsonl/lines.h \
	contrib/sim/jsonl/out.c \
	contrib/sim/jsonl/out.h \
	contrib/sim/jsonl/read.c \
	contrib/sim/jsonl/read.h \
	contrib/sim/jsonl/status.h \
	plugins/wire/strict.c \
	plugins/wire/strict.h

# Policies that no cluster runs, and what they plan with.
sim_policy_sources = \
	contrib/sim/policy/class_counts.c \
	contrib/sim/policy/class_counts.h \
	contrib/sim/policy/flex.c \
	contrib/sim/policy/flex.h \
	contrib/sim/policy/flex_nodes.c \
	contrib/sim/policy/flex_plan.c \
	contrib/sim/policy/flex_plan.h \
	contrib/sim/policy/preset.c \
	contrib/sim/policy/preset.h \
	contrib/sim/policy/price.c \
	contrib/sim/policy/price.h \
	contrib/sim/policy/steps.h \
	contrib/sim/policy/tide.c \
	contrib/sim/policy/tide.h

# Workloads and traces, decided batch by batch and summed up.
sim_replay_sources = \
	contrib/sim/replay/batches.c \
	contrib/sim/replay/batches.h \
	contrib/sim/replay/downs.c \
	contrib/sim/replay/ends.c \
	contrib/sim/replay/failures.c \
	contrib/sim/replay/failures.h \
	contrib/sim/replay/foresee.c \
	contrib/sim/replay/foresee.h \
	contrib/sim/replay/limits.c \
	contrib/sim/replay/lp.c \
	contrib/sim/replay/lp.h \
	contrib/sim/replay/metrics.c \
	contrib/sim/replay/outside.c \
	contrib/sim/replay/outside.h \
	contrib/sim/replay/outside_internal.h \
	contrib/sim/replay/outside_read.c \
	contrib/sim/replay/outside_write.c \
	contrib/sim/replay/program.c \
	contrib/sim/replay/program.h \
	contrib/sim/replay/metrics.h \
	contrib/sim/replay/packing.c \
	contrib/sim/replay/packing.h \
	contrib/sim/replay/packing_bound.c \
	contrib/sim/replay/random.c \
	contrib/sim/replay/random.h \
	contrib/sim/replay/regular.c \
	contrib/sim/replay/replay.c \
	contrib/sim/replay/replay_internal.h \
	contrib/sim/replay/requests.c \
	contrib/sim/replay/requests.h \
	contrib/sim/replay/sacct.c \
	contrib/sim/replay/sacct_runs.c \
	contrib/sim/replay/sacct_runs.h \
	contrib/sim/replay/sacct_values.c \
	contrib/sim/replay/sacct_values.h \
	contrib/sim/replay/schedule.c \
	contrib/sim/replay/schedule.h \
	contrib/sim/replay/sites.c \
	contrib/sim/replay/sites.h \
	contrib/sim/replay/sizes.c \
	contrib/sim/replay/sizes.h \
	contrib/sim/replay/slack.c \
	contrib/sim/replay/slack.h \
	contrib/sim/replay/state.c \
	contrib/sim/replay/sums.c \
	contrib/sim/replay/sums.h \
	contrib/sim/replay/swf.c \
	contrib/sim/replay/terms.c \
	contrib/sim/replay/terms.h \
	contrib/sim/replay/trace.c \
	contrib/sim/replay/trace.h \
	contrib/sim/replay/trace_fat.c \
	contrib/sim/replay/trace_jobs.c \
	contrib/sim/replay/worth.c \
	contrib/sim/replay/worth.h \
	contrib/sim/replay/workload.c \
	contrib/sim/replay/workload.h

# Options, runs in parallel, and how results are shown.
sim_report_sources = \
	contrib/sim/report/commands.c \
	contrib/sim/report/commands.h \
	contrib/sim/report/contender.c \
	contrib/sim/report/contender.h \
	contrib/sim/report/options.c \
	contrib/sim/report/options.h \
	contrib/sim/report/params.c \
	contrib/sim/report/params.h \
	contrib/sim/report/report.c \
	contrib/sim/report/runs.c \
	contrib/sim/report/runs.h \
	contrib/sim/report/simulate.c \
	contrib/sim/report/simulate.h \
	contrib/sim/report/svg.c \
	contrib/sim/report/svg.h

# Workloads x presets x seeds, each a run of rspb-sim.
sim_study_sources = \
	contrib/sim/study/cells.c \
	contrib/sim/study/merge.c \
	contrib/sim/study/read.c \
	contrib/sim/study/study.c \
	contrib/sim/study/study.h

# Rspb-sim journal: decisions of a controller, decided again.
sim_journal_sources = \
	contrib/sim/journal/apart.c \
	contrib/sim/journal/batch.c \
	contrib/sim/journal/compare.c \
	contrib/sim/journal/decide.c \
	contrib/sim/journal/durable.c \
	contrib/sim/journal/journal.c \
	contrib/sim/journal/journal.h \
	contrib/sim/journal/machine.c \
	contrib/sim/journal/main.c \
	contrib/sim/journal/plan.c \
	contrib/sim/journal/records.c \
	contrib/sim/journal/state.c

# The papers' own algorithms, and exact numbers: neither a plugin nor a site needs them.
sim_papers_sources = \
	contrib/sim/papers/binding.c \
	contrib/sim/papers/binding.h \
	contrib/sim/papers/ect.c \
	contrib/sim/papers/ect.h \
	contrib/sim/papers/fair.c \
	contrib/sim/papers/fair.h \
	contrib/sim/papers/fluid.c \
	contrib/sim/papers/fluid_equal.c \
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
	contrib/sim/papers/tarr.c \
	contrib/sim/papers/tarr.h \
	contrib/sim/papers/tasks.c \
	contrib/sim/papers/tasks.h

# Rspb-sim run: the papers' algorithms over JSON lines.
sim_alg_sources = \
	contrib/sim/alg/alg.h \
	contrib/sim/alg/basic.c \
	contrib/sim/alg/benefit.c \
	contrib/sim/alg/emit.c \
	contrib/sim/alg/li.h \
	contrib/sim/alg/li_read.c \
	contrib/sim/alg/li.c \
	contrib/sim/alg/exact.c \
	contrib/sim/alg/exact.h \
	contrib/sim/alg/life.c \
	contrib/sim/alg/qos.c \
	contrib/sim/alg/qos.h \
	contrib/sim/alg/run.c \
	contrib/sim/alg/tarr.c \
	contrib/sim/alg/tarr.h \
	contrib/sim/alg/tarr_read.c \
	contrib/sim/alg/tasks.c \
	contrib/sim/alg/thesis.c \
	contrib/sim/alg/thesis.h \
	contrib/sim/alg/thesis_read.c \
	contrib/sim/alg/thesis_events.c \
	contrib/sim/alg/vrc.c

# Rspb-sim model: workloads that are drawn.
sim_models_sources = \
	contrib/sim/models/fair.c \
	contrib/sim/models/lublin.c \
	contrib/sim/models/main.c \
	contrib/sim/models/min.c \
	contrib/sim/models/graph.c \
	contrib/sim/models/mmc.c \
	contrib/sim/models/parts.c \
	contrib/sim/models/model.h \
	contrib/sim/models/models.c \
	contrib/sim/models/tarr.c \
	contrib/sim/models/vrc.c

# Rspb-sim figures: the papers' experiments and claims.
sim_figures_sources = \
	contrib/sim/figures/claims.c \
	contrib/sim/figures/claims.h \
	contrib/sim/figures/draw.c \
	contrib/sim/figures/draw.h \
	contrib/sim/figures/experiments.c \
	contrib/sim/figures/examples.c \
	contrib/sim/figures/experiments.h \
	contrib/sim/figures/figures.c \
	contrib/sim/figures/figures.h \
	contrib/sim/figures/judge.c \
	contrib/sim/figures/page.c \
	contrib/sim/figures/page.h \
	contrib/sim/figures/results.c \
	contrib/sim/figures/results.h \
	contrib/sim/figures/theirs.c \
	contrib/sim/figures/theirs.h

# How far policies are from a bound, which needs glpsol, and from one another.
EXTRA_DIST += contrib/sim/bound contrib/sim/paired
# Policies that are programs (doc/policy-programs.md).
EXTRA_DIST += contrib/sim/policies/first_fit.py contrib/sim/policies/leave_room.py
