/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds what each paper says of its figures, and the numbers that it states. */
#ifndef RSPB_SIM_FIGURES_THEIRS_H
#define RSPB_SIM_FIGURES_THEIRS_H

#include <stdbool.h>
#include <stdio.h>

#include "contrib/sim/figures/experiments.h"

enum { SIM_CURVES = 3, SIM_ANSWERS = 4 };

/* Numbers that a paper states, at the points of the figure's x; of: by its formula. */
struct sim_curve {
	const char *name; /* NULL: no more */
	double (*of)(double x);
	double y[SIM_FIGURE_POINTS];
};

/* A figure with results, which a chart of an experiment reproduces. */
struct sim_theirs {
	const char *paper, *label; /* "002", "figure 2" */
	const char *figure;	   /* the experiment's id */
	const char *drawn;	   /* its chart, "2" */
	const char *says;	   /* of its curves */
	struct sim_curve curves[SIM_CURVES];
};
extern const struct sim_theirs sim_theirs[]; /* ended by paper NULL */

/* A figure that shows one case, or none of whose numbers vary: it is worked. */
struct sim_example {
	const char *paper, *label, *says;
	const char *algorithm;		  /* of rspb-sim run */
	const char *input;		  /* its JSON lines */
	const char *answers[SIM_ANSWERS]; /* all are to come out */
};
extern const struct sim_example sim_examples[]; /* ended by paper NULL */

/* Work it; what came out lands in text (owned by the caller, NULL: out of memory). RET
 * whether it is what the paper has. */
bool sim_example_run(const struct sim_example *example, char **text);

/* The entry of a chart, NULL: no paper has it. */
const struct sim_theirs *sim_theirs_find(const struct sim_figure *figure, const char *drawn);
double sim_curve_at(const struct sim_curve *curve, const struct sim_figure *figure, size_t point);

#endif
