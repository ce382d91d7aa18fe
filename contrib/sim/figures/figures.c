/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb-sim figures: run the papers' experiments, draw them, judge claims. */
#include "contrib/sim/figures/figures.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "contrib/sim/figures/claims.h"
#include "contrib/sim/figures/draw.h"
#include "contrib/sim/figures/page.h"
#include "contrib/sim/figures/results.h"
#include "contrib/sim/figures/theirs.h"
#include "contrib/sim/jsonl/status.h"
#include "contrib/sim/models/model.h"
#include "contrib/sim/report/options.h"
#include "contrib/sim/report/runs.h"

/* Where each figure's runs begin in the one list of runs. */
struct plan {
	const struct sim_options *options;
	const struct sim_figure *figures[64];
	size_t first[64];
	size_t n, runs;
};

static size_t figure_size(const struct sim_figure *figure, size_t runs)
{
	return figure->n * sim_figure_presets(figure) * runs;
}

/* Whether a paper shows it, maybe one that shows what another does. */
static bool of_paper(const struct sim_figure *figure, const char *paper)
{
	bool any = !strcmp(figure->paper, paper);

	for (const struct sim_theirs *t = sim_theirs; t->paper; t++)
		any |= !strcmp(t->paper, paper) && !strcmp(t->figure, figure->id);
	return any;
}

static void plan_make(struct plan *plan, const struct sim_options *options)
{
	*plan = (struct plan){ .options = options };
	for (const struct sim_figure *row = sim_figures; row->paper; row++) {
		if (options->paper && !of_paper(row, options->paper))
			continue;
		assert(plan->n < sizeof(plan->first) / sizeof(size_t));
		plan->figures[plan->n] = row;
		plan->first[plan->n++] = plan->runs;
		plan->runs += figure_size(row, options->runs);
	}
}

static int set_number(const struct sim_model *model, struct sim_params *params, const char *name,
		      double value, struct rspb_err *err)
{
	char text[80];

	snprintf(text, sizeof(text), "%s=%.9g", name, value);
	return sim_model_set(model, params, text, err);
}

static int run_cell(const struct sim_figure *figure, size_t point, const char *preset,
		    uint64_t seed, struct sim_metrics *metrics, struct rspb_err *err)
{
	const struct sim_model *model = sim_model_find(figure->model);
	struct sim_params params;

	sim_params_defaults(model->params, &params);
	for (int i = 0; i < SIM_FIGURE_FIXED && figure->fixed[i]; i++)
		if (sim_model_set(model, &params, figure->fixed[i], err))
			return -1;
	for (int i = 0; i < SIM_FIGURE_SWEEPS && figure->sweep[i].param; i++)
		if (set_number(model, &params, figure->sweep[i].param,
			       figure->sweep[i].scale * figure->x[point] + figure->sweep[i].offset,
			       err))
			return -1;
	return model->run(&params, seed, preset, NULL, metrics, err);
}

static int run_one(size_t i, struct sim_metrics *metrics, void *arg, struct rspb_err *err)
{
	const struct plan *plan = arg;
	size_t at = plan->n - 1, presets, runs = plan->options->runs;

	while (plan->first[at] > i)
		at--;
	i -= plan->first[at];
	presets = sim_figure_presets(plan->figures[at]);
	if (run_cell(plan->figures[at], i / runs / presets,
		     plan->figures[at]->presets[i / runs % presets], plan->options->seed + i % runs,
		     metrics, err))
		return rspb_fail_at(err, "figure %s", plan->figures[at]->id);
	return 0;
}

static FILE *open_in(const char *folder, const char *name, const char *ending, struct rspb_err *err)
{
	char path[1024];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s%s", folder, name, ending);
	out = fopen(path, "w");
	if (!out)
		rspb_fail(err, "%s: %s", path, strerror(errno));
	return out;
}

static int close_it(FILE *out, const char *name, struct rspb_err *err)
{
	bool bad = ferror(out);

	if (fclose(out) || bad)
		return rspb_fail(err, "%s cannot be written: %s", name, strerror(errno));
	return 0;
}

static int write_figure(const struct sim_figure_runs *f, const char *folder, struct rspb_err *err)
{
	const struct sim_figure *figure = f->figure;
	char name[100];
	FILE *out;

	for (size_t d = 0; d < SIM_FIGURE_CHARTS && figure->drawn[d].name; d++) {
		snprintf(name, sizeof(name), "%s-%s", figure->paper, figure->drawn[d].name);
		out = open_in(folder, name, ".svg", err);
		if (!out)
			return -1;
		sim_figure_draw(out, f, d);
		if (close_it(out, name, err))
			return -1;
		out = open_in(folder, name, ".csv", err);
		if (!out)
			return -1;
		sim_figure_csv(out, f, d);
		if (close_it(out, name, err))
			return -1;
	}
	return 0;
}

static int write_all(const struct sim_results *results, const char *folder, struct rspb_err *err)
{
	FILE *out;

	for (size_t i = 0; i < results->n; i++)
		if (write_figure(&results->figures[i], folder, err))
			return -1;
	out = open_in(folder, "claims", ".html", err);
	if (!out)
		return -1;
	sim_page_write(out, results);
	return close_it(out, "claims.html", err);
}

/* The claims in short, for the terminal. */
static void list_claims(const struct sim_results *results)
{
	enum sim_verdict verdict;
	char text[256];

	for (const struct sim_claim *c = sim_claims; c->paper; c++) {
		if (!sim_results_find(results, c->figure))
			continue;
		verdict = sim_claim_judge(c, results, text, sizeof(text));
		printf("%-13s  %s: %s\n", sim_verdict_names[verdict], c->paper, c->text);
		if (c->decides && verdict != SIM_HOLDS)
			printf("%-13s  what decides: %s\n", "", c->decides);
	}
}

static int run_plan(struct plan *plan, struct rspb_err *err)
{
	const struct sim_options *options = plan->options;
	struct sim_figure_runs figures[64];
	struct sim_results results = {
		.figures = figures,
		.n = plan->n,
		.runs = options->runs,
		.seed = options->seed,
		.paper = options->paper,
	};
	struct sim_metrics *metrics;
	int rc;

	/* First, so that nobody waits for runs that cannot be kept. */
	if (mkdir(options->out, 0777) && errno != EEXIST)
		return rspb_fail(err, "%s: %s", options->out, strerror(errno));
	metrics = sim_pool_run(plan->runs, options->jobs, options->quiet, run_one, plan, err);
	if (!metrics)
		return -1;
	for (size_t i = 0; i < plan->n; i++)
		figures[i] = (struct sim_figure_runs){ plan->figures[i], metrics + plan->first[i],
						       options->runs };
	rc = write_all(&results, options->out, err);
	if (!rc) {
		list_claims(&results);
		printf("%s/claims.html has the numbers and the pictures\n", options->out);
	}
	sim_pool_free(metrics, plan->runs);
	return rc;
}

static int prepare(struct sim_options *options, int argc, char **argv, struct rspb_err *err)
{
	if (sim_options_parse(options, SIM_FIGURES, argc, argv, err))
		return -1;
	if (options->help)
		return 0;
	if (options->n_left)
		return rspb_fail(err,
				 "figures: \"%.60s\" is not allowed, it "
				 "takes only options",
				 options->left[0]);
	if (options->all && options->paper)
		return rspb_fail(err, "figures: --all and --paper exclude each "
				      "other");
	if (!options->out)
		return rspb_fail(err, "figures: --out DIR says where to");
	return 0;
}

int sim_figures_main(int argc, char **argv)
{
	struct sim_options options;
	struct rspb_err err = { "" };
	struct plan plan;
	int rc = prepare(&options, argc, argv, &err);

	if (!rc && options.help) {
		puts("usage: rspb-sim figures --out DIR [OPTION ...]\n\n"
		     "Repeats the experiments of the papers, and writes each figure "
		     "and table as SVG and\nCSV. DIR/claims.html compares the "
		     "papers' claims with these numbers.\n");
		sim_options_help(SIM_FIGURES, stdout);
		return SIM_OK;
	}
	if (!rc) {
		plan_make(&plan, &options);
		rc = plan.n ? run_plan(&plan, &err)
			    : rspb_fail(&err,
					"--paper: \"%.20s\" is not allowed; "
					"allowed are 000, 001, 002, 003, 004, "
					"ours",
					options.paper);
	}
	sim_options_fini(&options);
	if (rc)
		fprintf(stderr, "rspb-sim: %s\n", err.text);
	return rc ? SIM_BAD_INPUT : SIM_OK;
}
