/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/report/options.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/policy.h"

struct option_row {
	const char *name;
	const char *value; /* name of its value, NULL: it is a flag */
	const char *help;
	unsigned takers; /* commands that take it, of enum sim_command */
	size_t at;	 /* of the flag, or of the text where set is NULL */
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
	if (options->n_presets)
		return rspb_fail(err,
				 "--preset and --compare exclude each other");
	return sim_options_presets(options, value, err);
}

static int set_preset(struct sim_options *options, const char *value,
		      struct rspb_err *err)
{
	if (strchr(value, ','))
		return rspb_fail(err,
				 "--preset: \"%.60s\" is not allowed, it is "
				 "one policy; several are for --compare",
				 value);
	return set_presets(options, value, err);
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

static int set_array(struct sim_options *options, const char *value,
		     struct rspb_err *err)
{
	uint64_t parts;

	if (whole("--array", value, 1, 100000, &parts, err))
		return -1;
	options->array = parts;
	return 0;
}

static int set_firm(struct sim_options *options, const char *value,
		    struct rspb_err *err)
{
	uint64_t firm;

	if (whole("--firm", value, 0, 1000000000, &firm, err))
		return -1;
	options->firm = (int64_t) firm;
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

#define AT(member) offsetof(struct sim_options, member), NULL

enum {
	RUNS = SIM_MODEL | SIM_TRACE,
	POLICIES = RUNS | SIM_JOURNAL,
	DRAWS = RUNS | SIM_FIGURES,
	PAGES = SIM_FIGURES | SIM_STUDY,
	ALL = POLICIES | PAGES,
};

static const struct option_row rows[] = {
	{ "preset", "NAME", "the policy to run", POLICIES, 0, set_preset },
	{ "compare", "A,B,...", "several policies on the same workloads",
	  POLICIES, 0, set_presets },
	{ "conf", "FILE", "take the policy from an rspb.conf", POLICIES,
	  AT(conf) },
	{ "apart", NULL, "policies stand by what they have themselves decided",
	  SIM_JOURNAL, AT(apart) },
	{ "seed", "N", "of the first run, the next ones count on (1)", DRAWS, 0,
	  set_seed },
	{ "runs", "N", "runs with different seeds (1; figures: 8)", DRAWS, 0,
	  set_runs },
	{ "jobs", "N", "runs at the same time (one per processor)",
	  DRAWS | SIM_STUDY, 0, set_jobs },
	{ "json", NULL, "results as JSON", POLICIES, AT(json) },
	{ "csv", NULL, "results as CSV", POLICIES, AT(csv) },
	{ "plot", "OUT.svg", "and as a picture", POLICIES, AT(plot) },
	{ "quiet", NULL, "no progress on stderr", ALL, AT(quiet) },
	{ "out", "DIR", "where pages, pictures and results are put", PAGES,
	  AT(out) },
	{ "array", "N", "as a job array of Slurm, in N parts", SIM_STUDY, 0,
	  set_array },
	{ "part", "I/N", "only part I of N, from 0 on, and no page", SIM_STUDY,
	  AT(part) },
	{ "paper", "000|001|002|003|ours", "only the figures of one paper",
	  SIM_FIGURES, AT(paper) },
	{ "all", NULL, "those of all papers, and this project's (the default)",
	  SIM_FIGURES, AT(all) },
	{ "sacct", "FILE", "the jobs that sacct --parsable2 printed", SIM_TRACE,
	  AT(sacct) },
	{ "requests", "FILE", "JSON lines of a machine and requests for it",
	  SIM_TRACE, AT(requests) },
	{ "export-lp", "FILE",
	  "whole nodes: write the linear program that bounds every policy, "
	  "run none",
	  RUNS, AT(export_lp) },
	{ "export-swf", "FILE",
	  "whole nodes: write the jobs in the Standard Workload Format, run "
	  "none",
	  RUNS, AT(export_swf) },
	{ "maximize", "acceptance|work",
	  "what the program is to maximize (acceptance)", RUNS, 0,
	  set_maximize },
	{ "bucket", "SECONDS", "its unit of time (3600)", RUNS, 0, set_bucket },
	{ "schedule", "FILE",
	  "bookings: write what was decided and became of it; rspb-sim check "
	  "FILE looks through it",
	  RUNS, AT(schedule) },
	{ "firm", "SECONDS",
	  "bookings: starts so near do not move any more (0)", RUNS, 0,
	  set_firm },
	{ "help", NULL, "this text", ALL, AT(help) },
	{ .name = NULL }
};

void sim_options_help(enum sim_command command, FILE *out)
{
	char text[64];

	for (const struct option_row *row = rows; row->name; row++) {
		if (!(row->takers & command))
			continue;
		snprintf(text, sizeof(text), "--%s%s%s", row->name,
			 row->value ? " " : "", row->value ? row->value : "");
		fprintf(out, "  %-24s %s\n", text, row->help);
	}
}

void sim_options_help_presets(FILE *out)
{
	fputs("\nPresets:\n", out);
	for (const struct rspb_preset *row = rspb_presets; row->name; row++)
		fprintf(out, "  %-18s %s\n", row->name, row->help);
}

static int set(struct sim_options *options, const struct option_row *row,
	       const char *value, struct rspb_err *err)
{
	char *member = (char *) options + row->at;

	if (row->set)
		return row->set(options, value, err);
	if (row->value)
		memcpy(member, &value, sizeof(value));
	else
		*(bool *) member = true;
	return 0;
}

/* One argument; *used: its value was the next one, given: rows that were. */
static int take_option(struct sim_options *options, enum sim_command command,
		       const char *arg, const char *next, bool *used,
		       unsigned *given, struct rspb_err *err)
{
	size_t length = strcspn(arg, "=");
	const struct option_row *row = rows;
	const char *value = arg[length] ? arg + length + 1 : NULL;

	for (; row->name; row++)
		if (strlen(row->name) == length &&
		    !strncmp(row->name, arg, length) && (row->takers & command))
			break;
	if (!row->name)
		return rspb_fail(err,
				 "--%.60s is no option here, --help lists "
				 "those that are",
				 arg);
	if (*given & 1U << (row - rows))
		return rspb_fail(err, "--%s is given twice", row->name);
	*given |= 1U << (row - rows);
	if (!row->value && value)
		return rspb_fail(err, "--%s takes no value", row->name);
	if (row->value && !value) {
		*used = true;
		value = next;
	}
	if (row->value && (!value || !*value))
		return rspb_fail(err, "--%s needs a value, %s", row->name,
				 row->value);
	return set(options, row, value, err);
}

/* What is no option; of NAME=VALUE each name once. */
static int leave(struct sim_options *options, const char *arg,
		 struct rspb_err *err)
{
	size_t length = strcspn(arg, "=");

	for (size_t i = 0; arg[length] && i < options->n_left; i++)
		if (!strncmp(options->left[i], arg, length + 1))
			return rspb_fail(err, "%.*s is given twice",
					 (int) length, arg);
	if (options->n_left == SIM_LEFT)
		return rspb_fail(err, "more than %d arguments", SIM_LEFT);
	options->left[options->n_left++] = arg;
	return 0;
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
	/* They are gathered as long as on a cluster. */
	options->config.policy.batch_interval =
		options->config.batch_interval_ms / 1000;
	free(text);
	return rc;
}

int sim_options_parse(struct sim_options *options, enum sim_command command,
		      int argc, char **argv, struct rspb_err *err)
{
	unsigned given = 0;

	*options = (struct sim_options){ .seed = 1,
					 .runs = command == SIM_FIGURES ? 8 : 1,
					 .lp.bucket = 3600 };
	for (int i = 1; i < argc; i++) {
		bool used = false;

		if (strncmp(argv[i], "--", 2) || !argv[i][2]) {
			if (leave(options, argv[i], err))
				return -1;
			continue;
		}
		if (take_option(options, command, argv[i] + 2, argv[i + 1],
				&used, &given, err))
			return -1;
		i += used;
	}
	if (options->json && options->csv)
		return rspb_fail(err, "--json and --csv exclude each other");
	if (options->apart && !options->conf && !options->n_presets)
		return rspb_fail(err, "--apart is of policies: --compare, "
				      "--preset or --conf names them");
	return options->conf ? read_conf(options, err) : 0;
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
		for (size_t i = 0; i < options->n_presets; i++)
			if (!strcmp(options->presets[i], name))
				return rspb_fail(err, "%.60s is named twice",
						 name);
		options->presets[options->n_presets++] = name;
	}
	if (!options->n_presets)
		return rspb_fail(err, "\"%.60s\" names no preset", list);
	return 0;
}
