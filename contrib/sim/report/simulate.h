/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declares what the commands share that run policies on many requests. */
#ifndef RSPB_SIM_REPORT_SIMULATE_H
#define RSPB_SIM_REPORT_SIMULATE_H

#include "contrib/sim/replay/workload.h"
#include "contrib/sim/report/contender.h"
#include "contrib/sim/report/options.h"
#include "contrib/sim/report/params.h"
#include "contrib/sim/report/runs.h"

struct sim_source {
	struct sim_options options;
	struct sim_params params;
	struct sim_contender contenders[SIM_PRESETS]; /* as many as options.n_presets */
};

/* Print the sentence. RET the exit status. */
int sim_complain(const struct rspb_err *err);
/* Names for the presets that will run, `fallback` (by commas) unless others were
 * given; with --conf there is only that one. RET 0 or -1 with err, as in all of
 * these. */
int sim_choose_presets(struct sim_source *source, const char *fallback,
		       int (*known)(const char *, struct rspb_err *), struct rspb_err *err);
/* Set how a run of the p-th policy decides. RET the policy, NULL: that of its name. */
const struct rspb_policy *sim_run_setup(const struct sim_source *source, size_t p,
					struct sim_setup *setup);
void sim_source_fini(struct sim_source *source);
/* Open what --schedule names, for the one run that there is; `can`: its requests
 * are decided one by one. */
int sim_open_schedule(struct sim_source *source, bool can, struct rspb_err *err);
void sim_close_schedule(struct sim_source *source);

/* Append the workload of a seed. */
typedef int (*sim_fill_fn)(const void *arg, uint64_t seed, struct sim_workload *workload,
			   struct rspb_err *err);
/* RET whether --export-lp or --export-swf was given. */
bool sim_exports(const struct sim_source *source);
/* Write the workload of the first seed as they say instead of running anything;
 * a file that could not be written whole does not stay. */
int sim_export(const struct sim_source *source, sim_fill_fn fill, const void *arg,
	       struct rspb_err *err);
/* Run all presets on all seeds, run i of preset p by fn(p * runs + i, ...), and
 * show what came out. */
int sim_simulate(const struct sim_source *source, const char *title, sim_task_fn fn, void *arg,
		 struct rspb_err *err);

#endif
