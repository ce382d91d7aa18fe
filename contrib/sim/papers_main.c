/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb-sim-papers: the commands of rspb-sim for research. */
#include <stddef.h>

#include "contrib/sim/alg/alg.h"
#include "contrib/sim/figures/figures.h"
#include "contrib/sim/models/model.h"
#include "contrib/sim/report/commands.h"

int main(int argc, char **argv)
{
	static const struct sim_row rows[] = {
		{ "model", "run policies on a workload model", sim_model_main },
		{ "run", "decide JSON lines by one algorithm of the papers", sim_run_main },
		{ "figures", "repeat the figures, tables and claims of the papers",
		  sim_figures_main },
		{ .name = NULL }
	};
	static const struct sim_program program = { "rspb-sim-papers", rows, NULL };

	return sim_program_main(&program, argc, argv);
}
