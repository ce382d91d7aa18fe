/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RSPB_SIM_FIGURES_DRAW_H
#define RSPB_SIM_FIGURES_DRAW_H

#include <stdio.h>

#include "contrib/sim/figures/results.h"

/* Draw one chart of a figure as SVG; the other writes the same numbers as CSV. */
void sim_figure_draw(FILE *out, const struct sim_figure_runs *f, size_t drawn);
void sim_figure_csv(FILE *out, const struct sim_figure_runs *f, size_t drawn);

#endif
