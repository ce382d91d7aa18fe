/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints what runs have measured, as a table, CSV or JSON. It runs and measures
 * nothing. */
#include <errno.h>
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

/* One row per metric, one column per preset: names stay readable. */
static void table(const struct sim_options *options, const struct sim_metrics *metrics)
{
	char text[64];

	printf("%-24s", "");
	for (size_t p = 0; p < options->n_presets; p++)
		printf(" %20s", options->presets[p]);
	putchar('\n');
	for (int m = 0; m < SIM_METRICS; m++) {
		if (!told(options, metrics, m))
			continue;
		printf("%-24s", sim_metric_rows[m].name);
		for (size_t p = 0; p < options->n_presets; p++) {
			cell(text, sizeof(text), estimate(options, metrics, p, m),
			     sim_metric_rows[m].digits);
			printf(" %20s", text);
		}
		putchar('\n');
	}
	if (options->runs > 1)
		printf("means of %zu runs, +- half of the 95 %% confidence "
		       "interval\n",
		       (size_t) options->runs);
}

static void csv(const struct sim_options *options, const struct sim_metrics *metrics)
{
	printf("preset,runs");
	for (int m = 0; m < SIM_METRICS; m++)
		if (told(options, metrics, m))
			printf(",%s,%s_ci95", sim_metric_rows[m].name, sim_metric_rows[m].name);
	putchar('\n');
	for (size_t p = 0; p < options->n_presets; p++) {
		printf("%s,%zu", options->presets[p], (size_t) options->runs);
		for (int m = 0; m < SIM_METRICS; m++) {
			struct sim_estimate e = estimate(options, metrics, p, m);

			if (!told(options, metrics, m))
				continue;
			printf(",%.9g,", e.mean);
			if (isfinite(e.half))
				printf("%.9g", e.half);
		}
		putchar('\n');
	}
}

static void json(const struct sim_options *options, const struct sim_metrics *metrics)
{
	for (size_t p = 0; p < options->n_presets; p++) {
		struct json_object *line = json_object_new_object();

		rspb_json_put_text(line, "preset", options->presets[p]);
		rspb_json_put_int(line, "runs", (int64_t) options->runs);
		for (int m = 0; m < SIM_METRICS; m++) {
			struct sim_estimate e = estimate(options, metrics, p, m);
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

/* What a picture shows: figures of about the same size. */
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
		table(options, metrics);
	return fflush(stdout) ? rspb_fail(err, "stdout: %s", strerror(errno)) : 0;
}
