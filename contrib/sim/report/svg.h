/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Line charts as SVG: axes with labels and units, a legend, 95 % intervals. */
#ifndef RSPB_SIM_REPORT_SVG_H
#define RSPB_SIM_REPORT_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "contrib/sim/replay/metrics.h"

struct sim_series {
	const char *name;
	const struct sim_estimate *y; /* [n] of the chart */
	const double *x;	      /* its own [n], NULL: the chart's */
};

struct sim_chart {
	const char *title, *x_label, *y_label;
	const double *x;	    /* [n], rising */
	const char *const *x_names; /* instead of numbers, NULL: none */
	size_t n;
	const struct sim_series *series;
	size_t n_series;
	bool bars; /* groups of bars instead of lines */
};

/* Points that are not finite are left out. */
void sim_svg_chart(FILE *out, const struct sim_chart *chart);
/* Write text between the tags of the page around charts, whatever is in it. */
void sim_page_text(FILE *out, const char *s);

#endif
