/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/report/simulate.h"

#include <stdio.h>

#include "contrib/sim/jsonl/status.h"
#include "contrib/sim/replay/trace.h"

int sim_complain(const struct rspb_err *err)
{
	fprintf(stderr, "rspb-sim: %s\n", err->text);
	return SIM_BAD_INPUT;
}

bool sim_exports(const struct sim_source *source)
{
	return source->options.export_lp || source->options.export_swf;
}

/* Write it to the file. RET 0 or -1 with err. */
static int write_workload(const struct sim_options *options, const char *path,
			  const struct sim_workload *workload, struct rspb_err *err)
{
	FILE *out = fopen(path, "w");
	bool bad;
	int rc;

	if (!out)
		return rspb_fail(err, "%s: cannot be written", path);
	rc = options->export_lp ? sim_lp_write(workload, &options->lp, out, err)
				: sim_swf_write(workload, out, err);
	bad = ferror(out);
	if ((fclose(out) || bad) && !rc)
		rc = rspb_fail(err, "%s: could not be written completely", path);
	if (rc)
		remove(path);
	return rc;
}

int sim_export(const struct sim_source *source, sim_fill_fn fill, const void *arg,
	       struct rspb_err *err)
{
	const struct sim_options *options = &source->options;
	const char *path = options->export_lp ? options->export_lp : options->export_swf;
	const char *name = options->export_lp ? "--export-lp" : "--export-swf";
	struct sim_workload workload = { .n = 0 };
	int rc;

	if (options->export_lp && options->export_swf)
		return rspb_fail(err, "--export-lp and --export-swf exclude "
				      "each other");
	if (options->runs > 1 || options->n_presets || options->conf)
		return rspb_fail(err,
				 "%s writes one workload and runs no policy: "
				 "no --runs, --preset, --compare or --conf "
				 "with it",
				 name);
	rc = fill(arg, options->seed, &workload, err);
	if (!rc)
		rc = sim_rigid(&workload, name, err);
	if (!rc)
		rc = write_workload(options, path, &workload, err);
	sim_workload_fini(&workload);
	return rc;
}

int sim_open_schedule(struct sim_source *source, bool can, struct rspb_err *err)
{
	const struct sim_options *options = &source->options;

	source->params.setup.firm = options->firm;
	if (!options->schedule && !options->firm)
		return 0;
	if (!can)
		return rspb_fail(err, "--schedule and --firm are for bookings "
				      "that are decided one by one: trace, "
				      "models lublin and min");
	if (!options->schedule)
		return 0;
	if (sim_exports(source) || options->n_presets * options->runs != 1)
		return rspb_fail(err, "--schedule writes what one policy "
				      "decides in one run: one --preset, no "
				      "--runs");
	source->params.setup.schedule = fopen(options->schedule, "w");
	return source->params.setup.schedule
		       ? 0
		       : rspb_fail(err, "%s: cannot be written", options->schedule);
}

void sim_close_schedule(struct sim_source *source)
{
	if (source->params.setup.schedule)
		fclose(source->params.setup.schedule);
}

int sim_choose_presets(struct sim_source *source, const char *fallback,
		       int (*known)(const char *, struct rspb_err *), struct rspb_err *err)
{
	struct sim_options *options = &source->options;

	/* No policy runs then, and whether one was named is looked at there. */
	if (sim_exports(source))
		return 0;
	if (options->conf && options->n_presets)
		return rspb_fail(err, "--conf excludes --preset, --compare and --policy; "
				      "--compare takes files, too");
	if (sim_options_presets(options, options->conf ? options->conf : fallback, err))
		return -1;
	for (size_t p = 0; p < options->n_presets; p++)
		if (sim_contender_read(&source->contenders[p], options, p, known, err))
			return -1;
	return 0;
}

const struct rspb_policy *sim_run_setup(const struct sim_source *source, size_t p,
					struct sim_setup *setup)
{
	const struct sim_contender *contender = &source->contenders[p];

	*setup = source->params.setup;
	setup->command = contender->command;
	setup->patience = (int64_t) source->options.answer_within;
	return contender->own ? &contender->policy : NULL;
}

void sim_source_fini(struct sim_source *source)
{
	for (size_t p = 0; p < SIM_PRESETS; p++)
		sim_contender_fini(&source->contenders[p]);
	sim_options_fini(&source->options);
}

int sim_simulate(const struct sim_source *source, const char *title, sim_task_fn fn, void *arg,
		 struct rspb_err *err)
{
	const struct sim_options *options = &source->options;
	size_t n = options->n_presets * options->runs;
	struct sim_metrics *metrics;
	int rc;

	metrics = sim_pool_run(n, options->jobs, options->quiet, fn, arg, err);
	if (!metrics)
		return -1;
	rc = sim_report(options, title, metrics, err);
	sim_pool_free(metrics, n);
	return rc;
}
