/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Workload models: a name, parameters with defaults, and one function that
 * runs one policy on one seeded workload. One row of sim_models each.
 */
#ifndef RSPB_SIM_MODELS_MODEL_H
#define RSPB_SIM_MODELS_MODEL_H

#include <stdint.h>

#include "common/base/err.h"
#include "common/policy/policy.h"
#include "contrib/sim/replay/metrics.h"
#include "contrib/sim/replay/workload.h"
#include "contrib/sim/report/params.h"

struct sim_model {
	const char *name;
	const char *help;
	const struct sim_param *params; /* ended by name NULL */
	const char *presets;		/* looked at unless told otherwise, by commas */
	/* Is there a policy of that name? RET 0 or -1 with err. */
	int (*known)(const char *preset, struct rspb_err *err);
	/* Run once; the same seed gives the same workload for every preset. policy is what a
	 * configuration file says, NULL: preset counts. */
	int (*run)(const struct sim_params *params, uint64_t seed, const char *preset,
		   const struct rspb_policy *policy, struct sim_metrics *metrics,
		   struct rspb_err *err);
	/* Its workload of one seed, appended; NULL: it has no requests that
	 * come one after another. */
	int (*workload)(const struct sim_params *params, uint64_t seed,
			struct sim_workload *workload, struct rspb_err *err);
};
extern const struct sim_model sim_models[]; /* ended by name NULL */
const struct sim_model *sim_model_find(const char *name);
/* As sim_params_set(). */
int sim_model_set(const struct sim_model *model, struct sim_params *params, const char *assignment,
		  struct rspb_err *err);
extern const struct sim_param sim_lublin_params[], sim_min_params[], sim_fair_params[],
	sim_vrc_params[], sim_tarr_params[], sim_mmc_params[], sim_graph_params[],
	sim_parts_params[];
int sim_lublin_run(const struct sim_params *params, uint64_t seed, const char *preset,
		   const struct rspb_policy *policy, struct sim_metrics *metrics,
		   struct rspb_err *err);
int sim_lublin_workload(const struct sim_params *params, uint64_t seed,
			struct sim_workload *workload, struct rspb_err *err);
int sim_min_run(const struct sim_params *params, uint64_t seed, const char *preset,
		const struct rspb_policy *policy, struct sim_metrics *metrics,
		struct rspb_err *err);
int sim_fair_run(const struct sim_params *params, uint64_t seed, const char *preset,
		 const struct rspb_policy *policy, struct sim_metrics *metrics,
		 struct rspb_err *err);
int sim_fair_known(const char *preset, struct rspb_err *err);
int sim_vrc_run(const struct sim_params *params, uint64_t seed, const char *preset,
		const struct rspb_policy *policy, struct sim_metrics *metrics,
		struct rspb_err *err);
int sim_vrc_known(const char *preset, struct rspb_err *err);
int sim_tarr_run(const struct sim_params *params, uint64_t seed, const char *preset,
		 const struct rspb_policy *policy, struct sim_metrics *metrics,
		 struct rspb_err *err);
int sim_tarr_known(const char *preset, struct rspb_err *err);
int sim_mmc_run(const struct sim_params *params, uint64_t seed, const char *preset,
		const struct rspb_policy *policy, struct sim_metrics *metrics,
		struct rspb_err *err);
int sim_graph_run(const struct sim_params *params, uint64_t seed, const char *preset,
		  const struct rspb_policy *policy, struct sim_metrics *metrics,
		  struct rspb_err *err);
int sim_parts_run(const struct sim_params *params, uint64_t seed, const char *preset,
		  const struct rspb_policy *policy, struct sim_metrics *metrics,
		  struct rspb_err *err);
int sim_graph_known(const char *preset, struct rspb_err *err);
int sim_mmc_known(const char *preset, struct rspb_err *err);

/* rspb-sim model; argv[0] is its name. RET an exit status. */
int sim_model_main(int argc, char **argv);

#endif
