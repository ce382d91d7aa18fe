/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/simulate.h"

#include <stdlib.h>
#include <string.h>

#include "contrib/sim/jsonl/status.h"
#include "contrib/sim/models/model.h"
#include "contrib/sim/replay/preset.h"
#include "contrib/sim/replay/random.h"
#include "contrib/sim/replay/slack.h"
#include "contrib/sim/replay/swf.h"
#include "contrib/sim/report/options.h"
#include "contrib/sim/report/runs.h"

/* Where requests come from: a model, or a trace with slack added. */
struct source {
	struct sim_options options;
	const struct sim_model *model;
	struct sim_params params;
	struct sim_swf swf;
	uint32_t nodes; /* of a trace, 0: as it says */
	size_t limit;	/* jobs of a trace, 0: all */
	struct sim_slack slack;
};

static int complain(const struct rspb_err *err)
{
	fprintf(stderr, "rspb-sim: %s\n", err->text);
	return SIM_BAD_INPUT;
}

static int run_model(size_t i, struct sim_metrics *metrics, void *arg,
		     struct rspb_err *err)
{
	const struct source *source = arg;
	const struct sim_options *options = &source->options;

	return source->model->run(&source->params,
				  options->seed + i % options->runs,
				  options->presets[i / options->runs],
				  options->conf ? &options->config.policy
						: NULL,
				  metrics, err);
}

static int trace_workload(const struct source *source, uint64_t seed,
			  struct sim_workload *workload, struct rspb_err *err)
{
	struct sim_random random;
	size_t n = source->swf.n;

	sim_random_seed(&random, seed);
	workload->nodes = source->swf.nodes;
	if (source->limit && source->limit < n)
		n = source->limit;
	for (size_t i = 0; i < n; i++) {
		const struct sim_swf_job *job = &source->swf.jobs[i];
		struct sim_job added = { .arrival = job->submit,
					 .duration = job->duration,
					 .nodes = job->nodes };

		sim_slack_apply(&random, &source->slack, job->submit,
				job->duration, &added.ready, &added.deadline);
		if (sim_workload_add(workload, &added, err))
			return -1;
	}
	return 0;
}

static int model_workload(const struct source *source, uint64_t seed,
			  struct sim_workload *workload, struct rspb_err *err)
{
	if (!source->model->workload)
		return sim_options_no_lp(&source->options, source->model->name,
					 err);
	return source->model->workload(&source->params, seed, workload, err);
}

/* Write the workload of the first seed as a linear program instead of running
 * anything; a file that could not be written whole does not stay. */
static int export_lp(const struct source *source,
		     int (*fill)(const struct source *source, uint64_t seed,
				 struct sim_workload *workload,
				 struct rspb_err *err),
		     struct rspb_err *err)
{
	const struct sim_options *options = &source->options;
	struct sim_workload workload = { .n = 0 };
	FILE *out;
	bool bad;
	int rc;

	if (options->runs > 1 || options->n_presets || options->conf)
		return rspb_fail(
			err,
			"--export-lp writes one workload and "
			"runs no policy: no --runs, --preset, --compare or "
			"--conf with it");
	rc = fill(source, options->seed, &workload, err);
	out = rc ? NULL : fopen(options->export_lp, "w");
	if (!rc && !out)
		rc = rspb_fail(err, "%s: it can't be written",
			       options->export_lp);
	if (out) {
		rc = sim_lp_write(&workload, &options->lp, out, err);
		bad = ferror(out);
		if ((fclose(out) || bad) && !rc)
			rc = rspb_fail(err, "%s: it can't be written whole",
				       options->export_lp);
		if (rc)
			remove(options->export_lp);
	}
	sim_workload_fini(&workload);
	return rc;
}

static int run_trace(size_t i, struct sim_metrics *metrics, void *arg,
		     struct rspb_err *err)
{
	const struct source *source = arg;
	const struct sim_options *options = &source->options;
	struct sim_workload workload = { .n = 0 };
	struct rspb_policy policy = options->config.policy;
	int rc = 0;

	if (!options->conf)
		rc = sim_preset_policy(options->presets[i / options->runs],
				       &policy, err);
	if (!rc)
		rc = trace_workload(source, options->seed + i % options->runs,
				    &workload, err);
	if (!rc)
		rc = sim_replay_measure(&workload, &policy, metrics, err);
	sim_workload_fini(&workload);
	return rc;
}

/* Names for the presets that will run; with --conf there is only that one. */
static int choose_presets(struct source *source, const char *fallback,
			  int (*known)(const char *, struct rspb_err *),
			  struct rspb_err *err)
{
	struct sim_options *options = &source->options;

	/* No policy runs then, and whether one was named is looked at there. */
	if (options->export_lp)
		return 0;
	if (options->conf && options->n_presets)
		return rspb_fail(err, "--conf and --preset or --compare "
				      "exclude each other");
	if (options->conf)
		return sim_options_presets(options, options->conf, err);
	if (sim_options_presets(options, fallback, err))
		return -1;
	for (size_t p = 0; p < options->n_presets; p++)
		if (known(options->presets[p], err))
			return -1;
	return 0;
}

static int simulate(struct source *source, const char *title, sim_task_fn fn,
		    struct rspb_err *err)
{
	const struct sim_options *options = &source->options;
	size_t n = options->n_presets * options->runs;
	struct sim_metrics *metrics;
	int rc;

	metrics = sim_pool_run(n, options->jobs, options->quiet, fn, source,
			       err);
	if (!metrics)
		return -1;
	rc = sim_report(options, title, metrics, err);
	sim_pool_free(metrics, n);
	return rc;
}

static void model_usage(FILE *out)
{
	fputs("usage: rspb-sim model MODEL [NAME=VALUE ...] [OPTION ...]\n\n",
	      out);
	sim_options_help(out);
	for (const struct sim_model *model = sim_models; model->name; model++) {
		fprintf(out, "\n%s: %s\n  --compare %s\n", model->name,
			model->help, model->presets);
		for (const struct sim_param *row = model->params; row->name;
		     row++)
			fprintf(out, "  %s=%g  %s\n", row->name, row->fallback,
				row->help);
	}
}

static int prepare_model(struct source *source, struct rspb_err *err)
{
	struct sim_options *options = &source->options;

	if (!options->n_left)
		return rspb_fail(err, "model: which one? lublin, min, fair, "
				      "vrc, tarr or mmc");
	source->model = sim_model_find(options->left[0]);
	if (!source->model)
		return rspb_fail(err,
				 "\"%.60s\" is no model, allowed are "
				 "lublin, min, fair, vrc, tarr, mmc",
				 options->left[0]);
	sim_params_defaults(source->model, &source->params);
	for (size_t i = 1; i < options->n_left; i++)
		if (sim_params_set(source->model, &source->params,
				   options->left[i], err))
			return -1;
	return choose_presets(source, source->model->presets,
			      source->model->known, err);
}

int sim_model_main(int argc, char **argv)
{
	struct source source = { .nodes = 0 };
	struct rspb_err err = { "" };
	int rc = sim_options_parse(&source.options, argc, argv, &err);

	if (!rc && source.options.help) {
		model_usage(stdout);
		sim_options_fini(&source.options);
		return SIM_OK;
	}
	if (!rc)
		rc = prepare_model(&source, &err);
	if (!rc && source.options.export_lp)
		rc = export_lp(&source, model_workload, &err);
	else if (!rc)
		rc = simulate(&source, source.model->help, run_model, &err);
	sim_options_fini(&source.options);
	return rc ? complain(&err) : SIM_OK;
}

/* "nodes=1024" and the like, for a trace. */
static int trace_setting(struct source *source, const char *text,
			 struct rspb_err *err)
{
	static const struct sim_param rows[] = { { "nodes", 0, 1, 1e8, "" },
						 { "limit", 0, 1, 1e9, "" },
						 { "artime", 0, 0, 1000, "" },
						 { "deadline", 0, 0, 1000, "" },
						 { .name = NULL } };
	static const struct sim_model trace = { .name = "trace",
						.params = rows };
	struct sim_params params = {
		.value = { source->nodes, (double) source->limit,
			   source->slack.artime, source->slack.deadline }
	};

	if (sim_params_set(&trace, &params, text, err))
		return -1;
	source->nodes = (uint32_t) params.value[0];
	source->limit = (size_t) params.value[1];
	source->slack.artime = params.value[2];
	source->slack.deadline = params.value[3];
	return 0;
}

static void trace_usage(FILE *out)
{
	fputs("usage: rspb-sim trace FILE.swf[.gz] [NAME=VALUE ...] "
	      "[OPTION ...]\n\n",
	      out);
	sim_options_help(out);
	fputs("  nodes=N     of the machine (as the file says)\n"
	      "  limit=N     only the first jobs (all)\n"
	      "  artime=F    ready up to F durations after submission (3)\n"
	      "  deadline=F  up to F durations later than it must (3)\n",
	      out);
}

static int prepare_trace(struct source *source, struct rspb_err *err)
{
	struct sim_options *options = &source->options;

	source->slack = (struct sim_slack){ 3, 3 };
	if (!options->n_left)
		return rspb_fail(err, "trace: which file? FILE.swf or "
				      "FILE.swf.gz");
	for (size_t i = 1; i < options->n_left; i++)
		if (trace_setting(source, options->left[i], err))
			return -1;
	if (choose_presets(source, "li-pe-worst", sim_preset_known, err) ||
	    sim_swf_read(&source->swf, options->left[0], source->nodes, err))
		return -1;
	if (!options->quiet)
		sim_swf_report(&source->swf, options->left[0], stderr);
	return 0;
}

int sim_trace_main(int argc, char **argv)
{
	struct source source = { .nodes = 0 };
	struct rspb_err err = { "" };
	int rc = sim_options_parse(&source.options, argc, argv, &err);

	if (!rc && source.options.help) {
		trace_usage(stdout);
		sim_options_fini(&source.options);
		return SIM_OK;
	}
	if (!rc)
		rc = prepare_trace(&source, &err);
	if (!rc && source.options.export_lp)
		rc = export_lp(&source, trace_workload, &err);
	else if (!rc)
		rc = simulate(&source, source.options.left[0], run_trace, &err);
	sim_swf_fini(&source.swf);
	sim_options_fini(&source.options);
	return rc ? complain(&err) : SIM_OK;
}
