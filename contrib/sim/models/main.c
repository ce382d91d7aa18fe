/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb-sim model: policies on the requests of a model, summed up. */
#include "common/base/text.h"
#include "contrib/sim/jsonl/status.h"
#include "contrib/sim/models/model.h"
#include "contrib/sim/policy/preset.h"
#include "contrib/sim/report/simulate.h"

struct source {
	struct sim_source common;
	const struct sim_model *model;
};

static int run_model(size_t i, struct sim_metrics *metrics, void *arg, struct rspb_err *err)
{
	const struct source *source = arg;
	const struct sim_options *options = &source->common.options;

	size_t p = i / options->runs;
	struct sim_params params = source->common.params;
	const struct rspb_policy *policy = sim_run_setup(&source->common, p, &params.setup);

	return source->model->run(&params, options->seed + i % options->runs, options->presets[p],
				  policy, metrics, err);
}

static int model_workload(const void *arg, uint64_t seed, struct sim_workload *workload,
			  struct rspb_err *err)
{
	const struct source *source = arg;

	if (!source->model->workload)
		return rspb_fail(err,
				 "%s: --export-lp and --export-swf are for jobs on whole nodes, "
				 "which model lublin and trace have",
				 source->model->name);
	return source->model->workload(&source->common.params, seed, workload, err);
}

static void model_usage(FILE *out)
{
	fputs("usage: rspb-sim model MODEL [NAME=VALUE ...] [OPTION ...]\n\n", out);
	sim_options_help(SIM_MODEL, out);
	for (const struct sim_model *model = sim_models; model->name; model++) {
		fprintf(out, "\n%s: %s\n  --compare %s\n", model->name, model->help,
			model->presets);
		for (const struct sim_param *row = model->params; row->name; row++)
			fprintf(out, "  %s=%g  %s\n", row->name, row->fallback, row->help);
	}
	sim_options_help_presets(out);
}

static int prepare_model(struct source *source, struct rspb_err *err)
{
	struct sim_options *options = &source->common.options;

	char names[80];
	struct rspb_text list = rspb_text_over(names, sizeof(names));

	for (const struct sim_model *row = sim_models; row->name; row++)
		rspb_text_add(&list, "%s%s", row == sim_models ? "" : ", ", row->name);
	if (!options->n_left)
		return rspb_fail(err, "model: name one of %s", names);
	source->model = sim_model_find(options->left[0]);
	if (!source->model)
		return rspb_fail(err, "\"%.60s\" is not a model; allowed are %s", options->left[0],
				 names);
	sim_params_defaults(source->model->params, &source->common.params);
	for (size_t i = 1; i < options->n_left; i++)
		if (sim_model_set(source->model, &source->common.params, options->left[i], err))
			return -1;
	return sim_choose_presets(&source->common, source->model->presets, source->model->known,
				  err);
}

int sim_model_main(int argc, char **argv)
{
	static struct source source;
	struct rspb_err err = { "" };
	int rc = sim_options_parse(&source.common.options, SIM_MODEL, argc, argv, &err);

	if (!rc && source.common.options.help) {
		model_usage(stdout);
		sim_source_fini(&source.common);
		return SIM_OK;
	}
	if (!rc)
		rc = prepare_model(&source, &err);
	if (!rc)
		rc = sim_open_schedule(&source.common, source.model->known == sim_preset_known,
				       &err);
	if (!rc && sim_exports(&source.common))
		rc = sim_export(&source.common, model_workload, &source, &err);
	else if (!rc)
		rc = sim_simulate(&source.common, source.model->help, run_model, &source, &err);
	sim_close_schedule(&source.common);
	sim_source_fini(&source.common);
	return rc ? sim_complain(&err) : SIM_OK;
}
