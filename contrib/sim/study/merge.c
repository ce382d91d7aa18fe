/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The results of a study as tables, and as one page that needs no other file. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/sim/report/svg.h"
#include "contrib/sim/study/study.h"

static struct sim_estimate estimate(const struct study *study, size_t workload, size_t preset,
				    int metric)
{
	return sim_estimate_of(study->metrics +
				       (workload * study->n_presets + preset) * study->seeds,
			       study->seeds, (enum sim_metric) metric);
}

/* Does a metric say anything here? */
static bool told(const struct study *study, int metric)
{
	for (size_t i = 0; i < study_cells(study); i++)
		if (isfinite(study->metrics[i].value[metric]))
			return true;
	return false;
}

static void write_csv(const struct study *study, FILE *out)
{
	fputs("workload,x,preset,metric,mean,ci95,runs\n", out);
	for (size_t w = 0; w < study->n_workloads; w++)
		for (size_t p = 0; p < study->n_presets; p++)
			for (int m = 0; m < SIM_METRICS; m++) {
				struct sim_estimate e = estimate(study, w, p, m);

				if (!isfinite(e.mean))
					continue;
				fprintf(out, "%s,", study->workloads[w].name);
				if (isfinite(study->workloads[w].x))
					fprintf(out, "%.9g", study->workloads[w].x);
				fprintf(out, ",%s,%s,%.9g,", study->presets[p],
					sim_metric_rows[m].name, e.mean);
				if (isfinite(e.half))
					fprintf(out, "%.9g", e.half);
				fprintf(out, ",%zu\n", study->seeds);
			}
}

static void print_cell(FILE *out, struct sim_estimate e, int digits, const char *sign, int width)
{
	char text[64] = "-";

	if (isfinite(e.mean) && isfinite(e.half))
		snprintf(text, sizeof(text), "%.*f %s%.*f", digits, e.mean, sign, digits, e.half);
	else if (isfinite(e.mean))
		snprintf(text, sizeof(text), "%.*f", digits, e.mean);
	fprintf(out, "%*s", width, text);
}

/* RET how many results of a workload and preset are reused. */
static size_t reused(const struct study *study, size_t workload, size_t preset)
{
	size_t n = 0;

	for (size_t i = 0; i < study->seeds; i++)
		n += study->reused[(workload * study->n_presets + preset) * study->seeds + i];
	return n;
}

static void print_reused(const struct study *study)
{
	char text[64];

	printf("%-20s", "results");
	for (size_t p = 0; p < study->n_presets; p++)
		printf(" %18s", study->presets[p]);
	for (size_t w = 0; w < study->n_workloads; w++) {
		printf("\n  %-18s", study->workloads[w].name);
		for (size_t p = 0; p < study->n_presets; p++) {
			size_t n = reused(study, w, p);

			snprintf(text, sizeof(text), "%zu of %zu reused", n, study->seeds);
			printf(" %18s", !n ? "new" : n == study->seeds ? "reused" : text);
		}
	}
	puts("\n");
}

static void print_tables(const struct study *study)
{
	for (int m = 0; m < SIM_METRICS; m++) {
		if (!told(study, m))
			continue;
		printf("%-20s", sim_metric_rows[m].name);
		for (size_t p = 0; p < study->n_presets; p++)
			printf(" %18s", study->presets[p]);
		for (size_t w = 0; w < study->n_workloads; w++) {
			printf("\n  %-18s", study->workloads[w].name);
			for (size_t p = 0; p < study->n_presets; p++)
				print_cell(stdout, estimate(study, w, p, m),
					   sim_metric_rows[m].digits, "+-", 19);
		}
		puts("\n");
	}
}

/* Lines over x where every workload has one, else groups of bars. */
static void draw(const struct study *study, int metric, FILE *out)
{
	static struct sim_estimate y[SIM_PRESETS][STUDY_WORKLOADS];
	struct sim_series series[SIM_PRESETS];
	const char *names[STUDY_WORKLOADS];
	double x[STUDY_WORKLOADS];
	struct sim_chart chart = { .title = sim_metric_rows[metric].name,
				   .x_label = study->x_label,
				   .y_label = sim_metric_rows[metric].label,
				   .x = x,
				   .n = study->n_workloads,
				   .series = series,
				   .n_series = study->n_presets };

	for (size_t w = 0; w < chart.n; w++) {
		names[w] = study->workloads[w].name;
		x[w] = study->workloads[w].x;
		if (!isfinite(x[w]) || (w && x[w] <= x[w - 1]))
			chart.bars = true;
		for (size_t p = 0; p < study->n_presets; p++)
			y[p][w] = estimate(study, w, p, metric);
	}
	chart.bars |= chart.n == 1;
	chart.x_names = chart.bars ? names : NULL;
	for (size_t p = 0; p < study->n_presets; p++)
		series[p] = (struct sim_series){ study->presets[p], y[p], NULL };
	sim_svg_chart(out, &chart);
}

static void table(const struct study *study, int metric, FILE *out)
{
	fputs("<table><tr><th>workload", out);
	for (size_t p = 0; p < study->n_presets; p++) {
		fputs("<th>", out);
		sim_page_text(out, study->presets[p]);
	}
	for (size_t w = 0; w < study->n_workloads; w++) {
		fputs("\n<tr><td>", out);
		sim_page_text(out, study->workloads[w].name);
		for (size_t p = 0; p < study->n_presets; p++) {
			fputs("<td>", out);
			print_cell(out, estimate(study, w, p, metric),
				   sim_metric_rows[metric].digits, "&#177;", 0);
		}
	}
	fputs("\n</table>\n", out);
}

static void write_page(const struct study *study, FILE *out)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\"><meta charset=\"utf-8\">"
	      "<title>",
	      out);
	sim_page_text(out, study->file);
	fputs("</title>\n<meta name=\"viewport\" content=\"width=device-width\">"
	      "\n<style>body{font:16px/1.5 sans-serif;max-width:64em;margin:2em "
	      "auto;padding:0 1em;color:#222}table{border-collapse:collapse}td,"
	      "th{border-top:1px solid #ddd;padding:.3em .8em;text-align:right}"
	      "td:first-child,th:first-child{text-align:left}svg{max-width:100%;"
	      "height:auto}pre{background:#f4f4f4;padding:1em;overflow:auto}"
	      "svg g.p:hover{opacity:.6}</style>\n<h1>",
	      out);
	sim_page_text(out, study->file);
	fprintf(out,
		"</h1>\n<p>%zu workloads, %zu presets, %zu seeds from %lld on; "
		"means with half of their 95 %% confidence interval. Each mark "
		"says what it is where the pointer rests.</p>\n",
		study->n_workloads, study->n_presets, study->seeds, (long long) study->seed);
	for (int m = 0; m < SIM_METRICS; m++) {
		if (!told(study, m))
			continue;
		fputs("<h2>", out);
		sim_page_text(out, sim_metric_rows[m].label);
		fputs("</h2>\n", out);
		draw(study, m, out);
		table(study, m, out);
	}
	fprintf(out, "<h2>The study</h2>\n<p><code>rspb-sim study ");
	sim_page_text(out, study->file);
	fputs("</code></p>\n<pre>", out);
	sim_page_text(out, study->text);
	fputs("</pre>\n</html>\n", out);
}

static int write_in(const struct study *study, const char *name,
		    void (*write)(const struct study *study, FILE *out), struct rspb_err *err)
{
	char path[1024];
	FILE *out;
	bool bad;

	snprintf(path, sizeof(path), "%.900s/%s", study->options->out, name);
	out = fopen(path, "w");
	if (!out)
		return rspb_fail(err, "%s: %s", path, strerror(errno));
	write(study, out);
	bad = ferror(out);
	if (fclose(out) || bad)
		return rspb_fail(err, "%s: could not be written completely", path);
	return 0;
}

int study_merge(struct study *study, struct rspb_err *err)
{
	size_t n = study_cells(study);

	study->metrics = calloc(n, sizeof(*study->metrics));
	if (!study->metrics)
		return rspb_fail(err, "out of memory");
	for (size_t i = 0; i < n; i++)
		if (!study_result(study, i, &study->metrics[i]))
			return rspb_fail(err, "run %zu of %zu has left no result", i + 1, n);
	if (write_in(study, "study.csv", write_csv, err) ||
	    write_in(study, "study.html", write_page, err))
		return -1;
	print_reused(study);
	print_tables(study);
	printf("%s/study.html has the pictures, study.csv the numbers\n", study->options->out);
	return fflush(stdout) ? rspb_fail(err, "stdout: %s", strerror(errno)) : 0;
}
