/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/report/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct option_row {
	const char *name;
	const char *value; /* name of its value, NULL: it has none */
	const char *help;
	int (*set)(struct sim_options *options, const char *value,
		   struct rspb_err *err);
};

static int whole(const char *name, const char *value, uint64_t low,
		 uint64_t high, uint64_t *out, struct rspb_err *err)
{
	char *end;
	unsigned long long number;

	errno = 0;
	number = strtoull(value, &end, 10);
	if (end == value || *end || errno || *value == '-' || number < low ||
	    number > high)
		return rspb_fail(err,
				 "%s: \"%.60s\" is not allowed, it is a "
				 "whole number from %llu to %llu",
				 name, value, (unsigned long long) low,
				 (unsigned long long) high);
	*out = number;
	return 0;
}

static int set_presets(struct sim_options *options, const char *value,
		       struct rspb_err *err)
{
	free(options->names);
	options->n_presets = 0;
	options->names = NULL;
	return sim_options_presets(options, value, err);
}

static int set_conf(struct sim_options *options, const char *value,
		    struct rspb_err *err)
{
	(void) err;
	options->conf = value;
	return 0;
}

static int set_seed(struct sim_options *options, const char *value,
		    struct rspb_err *err)
{
	return whole("--seed", value, 0, UINT64_MAX, &options->seed, err);
}

static int set_runs(struct sim_options *options, const char *value,
		    struct rspb_err *err)
{
	uint64_t runs;

	if (whole("--runs", value, 1, 100000, &runs, err))
		return -1;
	options->runs = runs;
	return 0;
}

static int set_jobs(struct sim_options *options, const char *value,
		    struct rspb_err *err)
{
	uint64_t jobs;

	if (whole("--jobs", value, 1, 256, &jobs, err))
		return -1;
	options->jobs = (int) jobs;
	return 0;
}

static int set_json(struct sim_options *options, const char *value,
		    struct rspb_err *err)
{
	(void) value;
	(void) err;
	options->json = true;
	return 0;
}

static int set_csv(struct sim_options *options, const char *value,
		   struct rspb_err *err)
{
	(void) value;
	(void) err;
	options->csv = true;
	return 0;
}

static int set_quiet(struct sim_options *options, const char *value,
		     struct rspb_err *err)
{
	(void) value;
	(void) err;
	options->quiet = true;
	return 0;
}

static int set_plot(struct sim_options *options, const char *value,
		    struct rspb_err *err)
{
	(void) err;
	options->plot = value;
	return 0;
}

static int set_out(struct sim_options *options, const char *value,
		   struct rspb_err *err)
{
	(void) err;
	options->out = value;
	return 0;
}

static int set_paper(struct sim_options *options, const char *value,
		     struct rspb_err *err)
{
	(void) err;
	options->paper = value;
	return 0;
}

static int set_export_lp(struct sim_options *options, const char *value,
			 struct rspb_err *err)
{
	(void) err;
	options->export_lp = value;
	return 0;
}

static int set_maximize(struct sim_options *options, const char *value,
			struct rspb_err *err)
{
	options->lp.work = !strcmp(value, "work");
	if (options->lp.work || !strcmp(value, "acceptance"))
		return 0;
	return rspb_fail(err,
			 "--maximize: \"%.60s\" is not allowed, allowed "
			 "are acceptance, work",
			 value);
}

static int set_bucket(struct sim_options *options, const char *value,
		      struct rspb_err *err)
{
	uint64_t bucket;

	if (whole("--bucket", value, 1, 1000000, &bucket, err))
		return -1;
	options->lp.bucket = (int64_t) bucket;
	return 0;
}

static int set_help(struct sim_options *options, const char *value,
		    struct rspb_err *err)
{
	(void) value;
	(void) err;
	options->help = true;
	return 0;
}

static const struct option_row rows[] = {
	{ "preset", "NAME", "the policy to run", set_presets },
	{ "compare", "A,B,...", "several policies on the same workloads",
	  set_presets },
	{ "conf", "FILE", "take the policy from an rspb.conf", set_conf },
	{ "seed", "N", "of the first run, the next ones count on (1)",
	  set_seed },
	{ "runs", "N", "runs with different seeds (1)", set_runs },
	{ "jobs", "N", "runs at the same time (one per processor)", set_jobs },
	{ "json", NULL, "results as JSON", set_json },
	{ "csv", NULL, "results as CSV", set_csv },
	{ "plot", "OUT.svg", "and as a picture", set_plot },
	{ "quiet", NULL, "no progress on stderr", set_quiet },
	{ "out", "DIR", "figures: where they are put", set_out },
	{ "paper", "000|001|002|003", "figures: only those of one paper",
	  set_paper },
	{ "export-lp", "FILE",
	  "model lublin, trace: write the linear program "
	  "that bounds every policy, run none",
	  set_export_lp },
	{ "maximize", "acceptance|work",
	  "what the program is to maximize "
	  "(acceptance)",
	  set_maximize },
	{ "bucket", "SECONDS", "its unit of time (3600)", set_bucket },
	{ "help", NULL, "this text", set_help },
	{ .name = NULL }
};

void sim_options_help(FILE *out)
{
	char text[64];

	for (const struct option_row *row = rows; row->name; row++) {
		snprintf(text, sizeof(text), "--%s%s%s", row->name,
			 row->value ? " " : "", row->value ? row->value : "");
		fprintf(out, "  %-24s %s\n", text, row->help);
	}
}

/* One argument; *used: its value was the next one. */
static int take(struct sim_options *options, const char *arg, const char *next,
		bool *used, struct rspb_err *err)
{
	size_t length = strcspn(arg, "=");
	const struct option_row *row = rows;
	const char *value = arg[length] ? arg + length + 1 : NULL;

	for (; row->name; row++)
		if (strlen(row->name) == length &&
		    !strncmp(row->name, arg, length))
			break;
	if (!row->name)
		return rspb_fail(err,
				 "--%.60s is no option, --help lists "
				 "all",
				 arg);
	if (!row->value && value)
		return rspb_fail(err, "--%s takes no value", row->name);
	if (row->value && !value) {
		*used = true;
		value = next;
	}
	if (row->value && (!value || !*value))
		return rspb_fail(err, "--%s needs a value, %s", row->name,
				 row->value);
	return row->set(options, value, err);
}

static int read_conf(struct sim_options *options, struct rspb_err *err)
{
	FILE *in = fopen(options->conf, "r");
	char *text;
	size_t got;
	int rc;

	if (!in)
		return rspb_fail(err, "%s: %s", options->conf, strerror(errno));
	enum { LARGEST = 1 << 20 };
	text = calloc(1, LARGEST + 1);
	got = text ? fread(text, 1, LARGEST, in) : 0;
	fclose(in);
	if (!text)
		return rspb_fail(err, "out of memory");
	text[got] = 0;
	rspb_config_defaults(&options->config);
	rc = rspb_config_read(&options->config, text, options->conf, err);
	free(text);
	return rc;
}

int sim_options_parse(struct sim_options *options, int argc, char **argv,
		      struct rspb_err *err)
{
	*options = (struct sim_options){ .seed = 1,
					 .runs = 1,
					 .lp.bucket = 3600 };
	for (int i = 1; i < argc; i++) {
		bool used = false;

		if (!strncmp(argv[i], "--", 2) && argv[i][2]) {
			if (take(options, argv[i] + 2, argv[i + 1], &used, err))
				return -1;
			i += used;
		} else if (options->n_left < SIM_LEFT) {
			options->left[options->n_left++] = argv[i];
		} else {
			return rspb_fail(err, "more than %d arguments",
					 SIM_LEFT);
		}
	}
	if (options->json && options->csv)
		return rspb_fail(err, "--json and --csv exclude each other");
	return options->conf ? read_conf(options, err) : 0;
}

int sim_options_no_lp(const struct sim_options *options, const char *command,
		      struct rspb_err *err)
{
	if (!options->export_lp)
		return 0;
	return rspb_fail(err,
			 "%s: --export-lp is for jobs on whole nodes, "
			 "which model lublin and trace have",
			 command);
}

void sim_options_fini(struct sim_options *options)
{
	free(options->names);
	options->names = NULL;
}

int sim_options_presets(struct sim_options *options, const char *list,
			struct rspb_err *err)
{
	char *rest, *name;

	if (options->n_presets)
		return 0;
	options->names = strdup(list);
	if (!options->names)
		return rspb_fail(err, "out of memory");
	for (rest = options->names; (name = strsep(&rest, ","));) {
		if (!*name)
			continue;
		if (options->n_presets == SIM_PRESETS)
			return rspb_fail(err, "more than %d presets",
					 SIM_PRESETS);
		options->presets[options->n_presets++] = name;
	}
	if (!options->n_presets)
		return rspb_fail(err, "\"%.60s\" names no preset", list);
	return 0;
}
