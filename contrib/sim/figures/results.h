/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The numbers of all figures that were run. */
#ifndef RSPB_SIM_FIGURES_RESULTS_H
#define RSPB_SIM_FIGURES_RESULTS_H

#include <stddef.h>
#include <stdint.h>

#include "contrib/sim/figures/experiments.h"
#include "contrib/sim/replay/metrics.h"

/* How many presets a figure compares. */
size_t sim_figure_presets(const struct sim_figure *figure);

/* All runs of one figure: [(point * presets + preset) * runs + run]. */
struct sim_figure_runs {
	const struct sim_figure *figure;
	const struct sim_metrics *metrics; /* NULL: it was not run */
	size_t runs;
};
const struct sim_metrics *sim_figure_cell(const struct sim_figure_runs *f, size_t point,
					  const char *preset);

/* All figures that were run, in the order of sim_figures. */
struct sim_results {
	struct sim_figure_runs *figures;
	size_t n;
	size_t runs;
	uint64_t seed;
	const char *paper; /* that was asked for, NULL: all */
};
const struct sim_figure_runs *sim_results_find(const struct sim_results *r, const char *id);

#endif
