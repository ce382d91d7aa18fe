/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The figures and tables of the papers: what is varied, which policies are
 * run, which results are drawn.
 */
#ifndef RSPB_SIM_FIGURES_EXPERIMENTS_H
#define RSPB_SIM_FIGURES_EXPERIMENTS_H

#include <stdbool.h>
#include <stddef.h>

#include "contrib/sim/replay/metrics.h"

enum {
	SIM_FIGURE_POINTS = 16,
	SIM_FIGURE_PRESETS = 8,
	SIM_FIGURE_CHARTS = 4,
	SIM_FIGURE_FIXED = 8,
	SIM_FIGURE_SWEEPS = 2
};

/* A parameter that follows the point on the x axis: scale * x + offset. */
struct sim_sweep {
	const char *param;
	double scale, offset;
};

struct sim_drawn {
	enum sim_metric metric;
	const char *name; /* the paper's number for it, "5.9a" */
};

struct sim_figure {
	const char *paper; /* "000" */
	const char *id;	   /* of the whole, for claims */
	const char *title;
	const char *model;
	const char *fixed[SIM_FIGURE_FIXED]; /* "time=100000" */
	struct sim_sweep sweep[SIM_FIGURE_SWEEPS];
	const char *x_label;
	double x[SIM_FIGURE_POINTS];
	size_t n;
	const char *presets[SIM_FIGURE_PRESETS];
	struct sim_drawn drawn[SIM_FIGURE_CHARTS];
	bool x_is_rejections; /* drawn over rejections, not over x */
	bool relative;	      /* to the first preset at the first point */
};
extern const struct sim_figure sim_figures[]; /* ended by paper NULL */

#endif
