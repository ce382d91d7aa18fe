/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A figure as a picture and as a table. */
#include <math.h>
#include <stdio.h>

#include "contrib/sim/figures/draw.h"
#include "contrib/sim/figures/theirs.h"
#include "contrib/sim/report/svg.h"

/* Values of one metric, as they are drawn and written. */
static void series_of(const struct sim_figure_runs *f, size_t preset, enum sim_metric metric,
		      struct sim_estimate *y, double *x)
{
	const struct sim_figure *figure = f->figure;
	const char *name = figure->presets[preset];
	double scale = 1;

	if (figure->relative)
		scale = sim_estimate_of(sim_figure_cell(f, 0, figure->presets[0]), f->runs, metric)
				.mean;
	for (size_t i = 0; i < figure->n; i++) {
		const struct sim_metrics *cell = sim_figure_cell(f, i, name);

		y[i] = sim_estimate_of(cell, f->runs, metric);
		y[i].mean /= scale;
		y[i].half /= scale;
		x[i] = figure->x_is_rejections ? sim_estimate_of(cell, f->runs, SIM_REJECTIONS).mean
					       : figure->x[i];
	}
}

/* The curves that the paper states. RET how many. */
static size_t stated(const struct sim_figure *figure, size_t drawn, const struct sim_curve **curves)
{
	const struct sim_theirs *theirs = sim_theirs_find(figure, figure->drawn[drawn].name);
	size_t n = 0;

	*curves = theirs ? theirs->curves : NULL;
	while (theirs && n < SIM_CURVES && theirs->curves[n].name)
		n++;
	return n;
}

void sim_figure_draw(FILE *out, const struct sim_figure_runs *f, size_t drawn)
{
	struct sim_estimate y[SIM_FIGURE_PRESETS + SIM_CURVES][SIM_FIGURE_POINTS];
	double x[SIM_FIGURE_PRESETS][SIM_FIGURE_POINTS];
	struct sim_series series[SIM_FIGURE_PRESETS + SIM_CURVES];
	const struct sim_curve *curves;
	const struct sim_figure *figure = f->figure;
	enum sim_metric metric = figure->drawn[drawn].metric;
	char title[160];
	struct sim_chart chart = {
		.title = title,
		.x_label = figure->x_label,
		.y_label = figure->relative ? "time, relative to the first point of edf"
					    : sim_metric_rows[metric].label,
		.x = figure->x,
		.n = figure->n,
		.series = series,
		.n_series = sim_figure_presets(figure),
	};

	snprintf(title, sizeof(title), "%s-%s: %s", figure->paper, figure->drawn[drawn].name,
		 figure->title);
	for (size_t p = 0; p < chart.n_series; p++) {
		series_of(f, p, metric, y[p], x[p]);
		series[p] = (struct sim_series){ figure->presets[p], y[p], x[p] };
	}
	for (size_t c = stated(figure, drawn, &curves); c-- > 0;) {
		size_t at = chart.n_series++;

		for (size_t i = 0; i < figure->n; i++)
			y[at][i] = (struct sim_estimate){ sim_curve_at(&curves[c], figure, i),
							  NAN };
		series[at] = (struct sim_series){ curves[c].name, y[at], NULL };
	}
	sim_svg_chart(out, &chart);
}

void sim_figure_csv(FILE *out, const struct sim_figure_runs *f, size_t drawn)
{
	struct sim_estimate y[SIM_FIGURE_POINTS];
	double x[SIM_FIGURE_POINTS];
	const struct sim_figure *figure = f->figure;
	enum sim_metric metric = figure->drawn[drawn].metric;
	const struct sim_curve *curves;

	fprintf(out, "x,preset,%s,ci95,runs\n", sim_metric_rows[metric].name);
	for (size_t p = 0; p < sim_figure_presets(figure); p++) {
		series_of(f, p, metric, y, x);
		for (size_t i = 0; i < figure->n; i++) {
			fprintf(out, "%.9g,%s,%.9g,", x[i], figure->presets[p], y[i].mean);
			if (isfinite(y[i].half))
				fprintf(out, "%.9g", y[i].half);
			fprintf(out, ",%zu\n", f->runs);
		}
	}
	for (size_t c = stated(figure, drawn, &curves), p = 0; p < c; p++)
		for (size_t i = 0; i < figure->n; i++)
			fprintf(out, "%.9g,\"%s\",%.9g,,\n", figure->x[i], curves[p].name,
				sim_curve_at(&curves[p], figure, i));
}
