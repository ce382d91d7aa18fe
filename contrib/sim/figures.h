/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The figures and tables of the papers: what is varied, which policies are
 * run, which results are drawn; and what the papers claim about them.
 */
#ifndef RSPB_SIM_FIGURES_H
#define RSPB_SIM_FIGURES_H

#include <stdbool.h>
#include <stdio.h>

#include "contrib/sim/metrics.h"
#include "contrib/sim/model.h"

enum {
	SIM_FIGURE_POINTS = 16,
	SIM_FIGURE_PRESETS = 8,
	SIM_FIGURE_CHARTS = 3,
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
size_t sim_figure_presets(const struct sim_figure *figure);

/* All runs of one figure: [(point * presets + preset) * runs + run]. */
struct sim_figure_runs {
	const struct sim_figure *figure;
	const struct sim_metrics *metrics; /* NULL: it was not run */
	size_t runs;
};
const struct sim_metrics *sim_figure_cell(const struct sim_figure_runs *f,
					  size_t point, const char *preset);

/* All figures that were run, in the order of sim_figures. */
struct sim_results {
	struct sim_figure_runs *figures;
	size_t n;
	size_t runs;
	uint64_t seed;
};
const struct sim_figure_runs *sim_results_find(const struct sim_results *r,
					       const char *id);

enum sim_verdict { SIM_HOLDS, SIM_PARTLY, SIM_FAILS, SIM_VERDICTS };
struct sim_claim {
	const char *paper, *figure;
	const char *text; /* what is claimed */
	enum sim_claim_kind {
		SIM_ABOVE,  /* a's is above b's by more than `low` */
		SIM_BEST,   /* a's is the highest of all */
		SIM_LEAST,  /* a's is the lowest of all */
		SIM_ALIKE,  /* a and b differ by at most `high` */
		SIM_RATIO,  /* a over b lies between low and high */
		SIM_WITHIN, /* a's lies between low and high */
		SIM_RISES,  /* a's rises along x */
		SIM_LEVEL   /* a's changes along x by at most the part
				 * `high` of its mean */
	} kind;
	enum sim_metric metric;
	const char *a, *b;
	double low, high;
	double from, to;  /* points of x that count; both 0: all */
	const char *note; /* what is to be said beside the numbers */
};
extern const struct sim_claim sim_claims[]; /* ended by paper NULL */
/* Decide a claim from the numbers; text receives them in short. */
enum sim_verdict sim_claim_judge(const struct sim_claim *claim,
				 const struct sim_results *results, char *text,
				 size_t size);
/* The HTML page: claims with verdicts, then all pictures. */
void sim_page_write(FILE *out, const struct sim_results *results);
/* Draw one chart of a figure. */
void sim_figure_draw(FILE *out, const struct sim_figure_runs *f, size_t drawn);

#endif
