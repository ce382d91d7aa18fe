/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints what runs have measured, as a table, CSV or JSON. It runs and measures
 * nothing. */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/sim/jsonl/out.h"
#include "contrib/sim/report/options.h"
#include "contrib/sim/report/svg.h"

/* Does a metric say anything for this workload? */
static bool told(const struct sim_options *options, const struct sim_metrics *metrics, int m)
{
	for (size_t i = 0; i < options->n_presets * options->runs; i++)
		if (isfinite(metrics[i].value[m]))
			return true;
	return false;
}

static struct sim_estimate estimate(const struct sim_options *options,
				    const struct sim_metrics *metrics, size_t preset, int m)
{
	return sim_estimate_of(metrics + preset * options->runs, options->runs,
			       (enum sim_metric) m);
}

static void cell(char *text, size_t size, struct sim_estimate e, int digits)
{
	if (!isfinite(e.mean))
		snprintf(text, size, "-");
	else if (isfinite(e.half))
		snprintf(text, size, "%.*f +-%.*f", digits, e.mean, digits, e.half);
	else
		snprintf(text, size, "%.*f", digits, e.mean);
}

/* RET how many rows a preset has: one for its means, or one for each run. */
static size_t rows(const struct sim_options *options)
{
	return options->per_seed ? options->runs : 1;
}

/* The value in a row of a preset. */
static struct sim_estimate row_value(const struct sim_options *options,
				     const struct sim_metrics *metrics, size_t preset, size_t row,
				     int m)
{
	return options->per_seed ? sim_estimate_of(metrics + preset * options->runs + row, 1,
						   (enum sim_metric) m)
				 : estimate(options, metrics, preset, m);
}

/* Print a line per metric and a column per preset, so that names stay readable. */
static void table(const struct sim_options *options, const struct sim_metrics *metrics, size_t row)
{
	char text[64] = "";

	if (options->per_seed)
		snprintf(text, sizeof(text), "seed %" PRIu64, options->seed + row);
	printf("%-24s", text);
	for (size_t p = 0; p < options->n_presets; p++)
		printf(" %20s", options->presets[p]);
	putchar('\n');
	for (int m = 0; m < SIM_METRICS; m++) {
		if (!told(options, metrics, m))
			continue;
		printf("%-24s", sim_metric_rows[m].name);
		for (size_t p = 0; p < options->n_presets; p++) {
			cell(text, sizeof(text), row_value(options, metrics, p, row, m),
			     sim_metric_rows[m].digits);
			printf(" %20s", text);
		}
		putchar('\n');
	}
	if (!options->per_seed && options->runs > 1)
		printf("means of %zu runs, +- half of the 95 %% confidence "
		       "interval\n",
		       (size_t) options->runs);
}

/* Say what the rows of a table are. */
static void explain(const struct sim_options *options, const struct sim_metrics *metrics)
{
	putchar('\n');
	for (int m = 0; m < SIM_METRICS; m++)
		if (told(options, metrics, m))
			printf("%s: %s\n", sim_metric_rows[m].name, sim_metric_rows[m].means);
}

static void csv(const struct sim_options *options, const struct sim_metrics *metrics)
{
	printf("preset,%s", options->per_seed ? "seed" : "runs");
	for (int m = 0; m < SIM_METRICS; m++)
		if (told(options, metrics, m))
			printf(options->per_seed ? ",%s" : ",%s,%s_ci95", sim_metric_rows[m].name,
			       sim_metric_rows[m].name);
	putchar('\n');
	for (size_t i = 0; i < options->n_presets * rows(options); i++) {
		size_t p = i / rows(options), row = i % rows(options);

		printf("%s,%" PRIu64, options->presets[p],
		       options->per_seed ? options->seed + row : options->runs);
		for (int m = 0; m < SIM_METRICS; m++) {
			struct sim_estimate e = row_value(options, metrics, p, row, m);

			if (!told(options, metrics, m))
				continue;
			printf(",%.9g", e.mean);
			if (!options->per_seed)
				putchar(',');
			if (isfinite(e.half))
				printf("%.9g", e.half);
		}
		putchar('\n');
	}
}

static void json(const struct sim_options *options, const struct sim_metrics *metrics)
{
	for (size_t i = 0; i < options->n_presets * rows(options); i++) {
		struct json_object *line = json_object_new_object();
		size_t p = i / rows(options), row = i % rows(options);

		rspb_json_put_text(line, "preset", options->presets[p]);
		if (options->per_seed)
			rspb_json_put_int(line, "seed", (int64_t) (options->seed + row));
		else
			rspb_json_put_int(line, "runs", (int64_t) options->runs);
		for (int m = 0; m < SIM_METRICS; m++) {
			struct sim_estimate e = row_value(options, metrics, p, row, m);
			char name[64];

			if (!told(options, metrics, m))
				continue;
			sim_put_real(line, sim_metric_rows[m].name, e.mean);
			snprintf(name, sizeof(name), "%s_ci95", sim_metric_rows[m].name);
			if (isfinite(e.half))
				sim_put_real(line, name, e.half);
		}
		sim_print(stdout, line);
		putchar('\n');
		json_object_put(line);
	}
}

/* The metrics in a picture: figures of about the same size. */
static const enum sim_metric plotted[] = { SIM_ACCEPTANCE, SIM_WORK,	SIM_BENEFIT,
					   SIM_SLOWDOWN,   SIM_E1,	SIM_E2,
					   SIM_E3,	   SIM_SUCCESS, SIM_EFFICIENCY };
enum { PLOTTED = sizeof(plotted) / sizeof(plotted[0]) };

static int plot(const struct sim_options *options, const char *title,
		const struct sim_metrics *metrics, struct rspb_err *err)
{
	struct sim_estimate y[SIM_PRESETS][PLOTTED];
	struct sim_series series[SIM_PRESETS];
	const char *names[PLOTTED];
	struct sim_chart chart = {
		.title = title,
		.x_label = "",
		.y_label = "value (no unit)",
		.x_names = names,
		.series = series,
		.n_series = options->n_presets,
		.bars = true,
	};
	FILE *out;

	for (int k = 0; k < PLOTTED; k++) {
		if (!told(options, metrics, plotted[k]))
			continue;
		names[chart.n] = sim_metric_rows[plotted[k]].name;
		for (size_t p = 0; p < options->n_presets; p++)
			y[p][chart.n] = estimate(options, metrics, p, plotted[k]);
		chart.n++;
	}
	for (size_t p = 0; p < options->n_presets; p++)
		series[p] = (struct sim_series){ options->presets[p], y[p], NULL };
	out = fopen(options->plot, "w");
	if (!out)
		return rspb_fail(err, "%s: %s", options->plot, strerror(errno));
	sim_svg_chart(out, &chart);
	if (fclose(out))
		return rspb_fail(err, "%s: %s", options->plot, strerror(errno));
	return 0;
}

int sim_report(const struct sim_options *options, const char *title,
	       const struct sim_metrics *metrics, struct rspb_err *err)
{
	if (options->plot && plot(options, title, metrics, err))
		return -1;
	if (options->json)
		json(options, metrics);
	else if (options->csv)
		csv(options, metrics);
	else
		for (size_t row = 0; row < rows(options); row++)
			table(options, metrics, row);
	if (!options->json && !options->csv && !options->quiet)
		explain(options, metrics);
	return fflush(stdout) ? rspb_fail(err, "stdout: %s", strerror(errno)) : 0;
}
