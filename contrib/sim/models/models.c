/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of models, their parameters, and the presets they are run with. */
#include <stdio.h>
#include <string.h>

#include "contrib/sim/models/model.h"
#include "contrib/sim/policy/preset.h"

/* clang-format off */
const struct sim_model sim_models[] = {
	{ "lublin", "rigid jobs with deadlines (Li et al.)",
	  sim_lublin_params,
	  "li-ff,li-pe-best,li-pe-worst,li-du-best,li-du-worst,li-pedu-best,"
	  "li-pedu-worst", sim_preset_known, sim_lublin_run,
	  sim_lublin_workload },
	{ "parts", "parts of fat nodes: cores, memory, GPUs", sim_parts_params,
	  "li-ff,li-pe-worst,live", sim_preset_known, sim_parts_run, NULL },
	{ "min", "co-reservations of CPU shares (Min)", sim_min_params,
	  "co-rspb,co-rsbf,co-rsbfr", sim_preset_known, sim_min_run, NULL },
	{ "fair", "a batch of tasks with deadlines (Varvarigos et al.)",
	  sim_fair_params, "fcfs,edf,sfto,afto", sim_fair_known,
	  sim_fair_run, NULL },
	{ "vrc", "bookings on nodes with local work (Wu and Luo)",
	  sim_vrc_params, "vrc,static", sim_vrc_known, sim_vrc_run, NULL },
	{ "tarr", "one resource far from its users (Varvarigos et al.)",
	  sim_tarr_params, "tarr,standard", sim_tarr_known, sim_tarr_run, NULL },
	{ "graph", "tasks that wait for each other (Varvarigos et al.)",
	  sim_graph_params, "written,longest-path", sim_graph_known,
	  sim_graph_run, NULL },
	{ "mmc", "a pool of servers as a queue (Wu and Luo)", sim_mmc_params,
	  "mmc", sim_mmc_known, sim_mmc_run, NULL },
	{ .name = NULL }
};
/* clang-format on */

const struct sim_model *sim_model_find(const char *name)
{
	const struct sim_model *row = sim_models;

	for (; row->name; row++)
		if (!strcmp(row->name, name))
			return row;
	return NULL;
}

int sim_model_set(const struct sim_model *model, struct sim_params *params, const char *assignment,
		  struct rspb_err *err)
{
	char whose[40];

	snprintf(whose, sizeof(whose), "model %s", model->name);
	return sim_params_set(whose, model->params, params, assignment, err);
}
