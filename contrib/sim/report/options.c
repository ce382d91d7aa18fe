/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/report/options.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "common/policy/policy.h"
#include "contrib/sim/jsonl/lines.h"
#include "contrib/sim/policy/preset.h"

struct option_row {
	const char *name;
	const char *value; /* name of its value, NULL: it is a flag */
	const char *help;
	unsigned takers; /* commands that take it, of enum sim_command */
	size_t at;	 /* of the flag, number, or text where set is NULL */
	int (*set)(struct sim_options *options, const char *value, struct rspb_err *err);
	uint64_t low, high; /* of a number; high 0: it is none */
};

static int set_number(const struct option_row *row, const char *value, uint64_t *out,
		      struct rspb_err *err)
{
	char *end;
	unsigned long long number;

	errno = 0;
	number = strtoull(value, &end, 10);
	if (end == value || *end || errno || *value == '-' || number < row->low ||
	    number > row->high)
		return rspb_fail(err,
				 "--%s: \"%.60s\" is not allowed, it is a "
				 "whole number from %llu to %llu",
				 row->name, value, (unsigned long long) row->low,
				 (unsigned long long) row->high);
	*out = number;
	return 0;
}

/* Add a policy to the list. RET 0 or -1 with err. */
static int add_policy(struct sim_options *options, const char *name, const char *command,
		      struct rspb_err *err)
{
	if (options->n_presets == SIM_PRESETS)
		return rspb_fail(err, "more than %d presets", SIM_PRESETS);
	for (size_t i = 0; i < options->n_presets; i++)
		if (!strcmp(options->presets[i], name))
			return rspb_fail(err, "%.60s is named twice", name);
	options->commands[options->n_presets] = command;
	options->presets[options->n_presets++] = name;
	return 0;
}

/* Add an entry of a list, "NAME" or "NAME=COMMAND", which is cut there. RET as above. */
static int add_entry(struct sim_options *options, char *entry, struct rspb_err *err)
{
	char *command = strchr(entry, '=');

	if (command)
		*command++ = '\0';
	if (command && (!*command || !*entry))
		return rspb_fail(err, "\"%.60s=%.60s\" is not allowed, a program is NAME=COMMAND",
				 entry, command);
	return add_policy(options, entry, command, err);
}

/* Add the policies of a list by commas. RET as above. */
static int add_list(struct sim_options *options, const char *list, struct rspb_err *err)
{
	size_t before = options->n_presets;
	char *rest, *name;

	options->names = strdup(list);
	if (!options->names)
		return rspb_fail(err, "out of memory");
	for (rest = options->names; (name = strsep(&rest, ","));)
		if (*name && add_entry(options, name, err))
			return -1;
	return options->n_presets > before ? 0 : rspb_fail(err, "\"%.60s\" names no preset", list);
}

static int set_presets(struct sim_options *options, const char *value, struct rspb_err *err)
{
	if (options->names)
		return rspb_fail(err, "--preset and --compare exclude each other");
	return add_list(options, value, err);
}

/* RET how long the name in front of a command is, 0: it has none. */
static size_t name_length(const char *text)
{
	size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "0123456789_-");

	return text[length] == '=' ? length : 0;
}

static int set_policy(struct sim_options *options, const char *value, struct rspb_err *err)
{
	free(options->policy);
	options->policy = strdup(value);
	if (!options->policy)
		return rspb_fail(err, "out of memory");
	return name_length(value) ? add_entry(options, options->policy, err)
				  : add_policy(options, "policy", options->policy, err);
}

static int set_preset(struct sim_options *options, const char *value, struct rspb_err *err)
{
	if (strchr(value, ','))
		return rspb_fail(err,
				 "--preset: \"%.60s\" is not allowed, it "
				 "takes one policy; use --compare for several",
				 value);
	return set_presets(options, value, err);
}

static int set_maximize(struct sim_options *options, const char *value, struct rspb_err *err)
{
	options->lp.work = !strcmp(value, "work");
	if (options->lp.work || !strcmp(value, "acceptance"))
		return 0;
	return rspb_fail(err,
			 "--maximize: \"%.60s\" is not allowed, allowed "
			 "are acceptance, work",
			 value);
}

#define AT(member)     offsetof(struct sim_options, member), NULL, 0, 0
#define NUMBER(member) offsetof(struct sim_options, member), NULL
#define BY(set)	       0, set, 0, 0

enum {
	RUNS = SIM_MODEL | SIM_TRACE,
	POLICIES = RUNS | SIM_JOURNAL,
	DRAWS = RUNS | SIM_FIGURES,
	PAGES = SIM_FIGURES | SIM_STUDY,
	RESULTS = POLICIES | SIM_CHECK,
	ALL = POLICIES | PAGES,
};

static const struct option_row rows[] = {
	{ "preset", "NAME", "the policy to run", POLICIES, BY(set_preset) },
	{ "compare", "A,B,...", "several policies on the same workloads", POLICIES,
	  BY(set_presets) },
	{ "policy", "[NAME=]COMMAND", "a policy that is a program (doc/policy-programs.md)", RUNS,
	  BY(set_policy) },
	{ "answer-within", "SECONDS", "time limit for each answer of that program (60)", RUNS,
	  NUMBER(answer_within), 1, 1000000 },
	{ "conf", "FILE", "take the policy from an rspb.conf; trace: also its limits and rules",
	  POLICIES, AT(conf) },
	{ "apart", NULL, "each policy continues from its own decisions", SIM_JOURNAL, AT(apart) },
	{ "seed", "N", "seed of the first run; each further run adds one (1)", DRAWS, NUMBER(seed),
	  0, UINT64_MAX },
	{ "runs", "N", "number of runs with different seeds (1; figures: 8)", DRAWS, NUMBER(runs),
	  1, 100000 },
	{ "jobs", "N", "number of runs at the same time (one per processor)", DRAWS | SIM_STUDY,
	  NUMBER(jobs), 1, 256 },
	{ "json", NULL, "print the results as JSON", RESULTS, AT(json) },
	{ "csv", NULL, "print the results as CSV", RESULTS, AT(csv) },
	{ "per-seed", NULL, "print the results of each run instead of their means", RUNS,
	  AT(per_seed) },
	{ "per-request", NULL, "print a row for each request (--csv or --json)", SIM_CHECK,
	  AT(per_request) },
	{ "use", NULL, "print the nodes in use over time (--csv or --json)", SIM_CHECK, AT(use) },
	{ "timeline", NULL, "print JSON that rspb timeline --read=FILE draws", SIM_CHECK,
	  AT(timeline) },
	{ "began", "SECONDS", "second 0 in that drawing, in seconds since 1970 (0)", SIM_CHECK,
	  NUMBER(began), 0, UINT32_MAX },
	{ "plot", "OUT.svg", "also draw the results", POLICIES, AT(plot) },
	{ "quiet", NULL, "show no progress on stderr", ALL, AT(quiet) },
	{ "out", "DIR", "directory for pages, pictures and results", PAGES, AT(out) },
	{ "array", "N", "submit the study as a Slurm job array of N parts", SIM_STUDY,
	  NUMBER(array), 1, 100000 },
	{ "part", "I/N", "run only part I of N, counted from 0, and write no page", SIM_STUDY,
	  AT(part) },
	{ "paper", "000|001|002|003|ours", "draw only the figures of one paper", SIM_FIGURES,
	  AT(paper) },
	{ "all", NULL, "draw those of all papers and of this project (default)", SIM_FIGURES,
	  AT(all) },
	{ "sacct", "FILE", "read the jobs that sacct --parsable2 printed", SIM_TRACE, AT(sacct) },
	{ "requests", "FILE", "read a machine and requests for it, as JSON lines", SIM_TRACE,
	  AT(requests) },
	{ "failures", "FILE", "let nodes fail; lines NODE FROM UNTIL, in seconds", SIM_TRACE,
	  AT(failures) },
	{ "export-lp", "FILE",
	  "whole nodes: run no policy, but write a linear program whose optimum "
	  "no policy can exceed",
	  RUNS, AT(export_lp) },
	{ "export-swf", "FILE",
	  "whole nodes: run no policy, but write the jobs in the Standard "
	  "Workload Format",
	  RUNS, AT(export_swf) },
	{ "maximize", "acceptance|work", "what the linear program maximizes (acceptance)", RUNS,
	  BY(set_maximize) },
	{ "bucket", "SECONDS", "unit of time of the linear program (3600)", RUNS, NUMBER(lp.bucket),
	  1, 1000000 },
	{ "schedule", "FILE",
	  "bookings: write each decision and what happened to it, for rspb-sim "
	  "check",
	  RUNS, AT(schedule) },
	{ "firm", "SECONDS", "bookings: do not move bookings that start within this time (0)", RUNS,
	  NUMBER(firm), 0, 1000000000 },
	{ "help", NULL, "print this text", ALL | SIM_CHECK, AT(help) },
	{ .name = NULL }
};

void sim_options_help(enum sim_command command, FILE *out)
{
	char text[64];

	for (const struct option_row *row = rows; row->name; row++) {
		if (!(row->takers & command))
			continue;
		snprintf(text, sizeof(text), "--%s%s%s", row->name, row->value ? " " : "",
			 row->value ? row->value : "");
		fprintf(out, "  %-24s %s\n", text, row->help);
	}
}

void sim_options_help_presets(FILE *out)
{
	fputs("\nPresets:\n", out);
	for (const struct rspb_preset *row = rspb_presets; row->name; row++)
		fprintf(out, "  %-18s %s\n", row->name, sim_preset_find(row->name)->help);
}

static int set(struct sim_options *options, const struct option_row *row, const char *value,
	       struct rspb_err *err)
{
	char *member = (char *) options + row->at;

	if (row->set)
		return row->set(options, value, err);
	if (row->high)
		return set_number(row, value, (uint64_t *) member, err);
	if (row->value)
		memcpy(member, &value, sizeof(value));
	else
		*(bool *) member = true;
	return 0;
}

/* Take one argument; *used: its value was the next one; given: the options given so far. */
static int take_option(struct sim_options *options, enum sim_command command, const char *arg,
		       const char *next, bool *used, uint64_t *given, struct rspb_err *err)
{
	size_t length = strcspn(arg, "=");
	const struct option_row *row = rows;
	const char *value = arg[length] ? arg + length + 1 : NULL;

	for (; row->name; row++)
		if (strlen(row->name) == length && !strncmp(row->name, arg, length) &&
		    (row->takers & command))
			break;
	if (!row->name)
		return rspb_fail(err,
				 "--%.60s is not an option of this command; --help lists "
				 "its options",
				 arg);
	if (*given & UINT64_C(1) << (row - rows))
		return rspb_fail(err, "--%s is given twice", row->name);
	*given |= UINT64_C(1) << (row - rows);
	if (!row->value && value)
		return rspb_fail(err, "--%s takes no value", row->name);
	if (row->value && !value) {
		*used = true;
		value = next;
	}
	if (row->value && (!value || !*value))
		return rspb_fail(err, "--%s needs a value, %s", row->name, row->value);
	return set(options, row, value, err);
}

/* Keep an argument that is no option; each name of NAME=VALUE once. */
static int leave(struct sim_options *options, const char *arg, struct rspb_err *err)
{
	size_t length = strcspn(arg, "=");

	for (size_t i = 0; arg[length] && i < options->n_left; i++)
		if (!strncmp(options->left[i], arg, length + 1))
			return rspb_fail(err, "%.*s is given twice", (int) length, arg);
	if (options->n_left == SIM_LEFT)
		return rspb_fail(err, "more than %d arguments", SIM_LEFT);
	options->left[options->n_left++] = arg;
	return 0;
}

int sim_options_conf(const char *file, struct rspb_config *config, struct rspb_err *err)
{
	char *text;
	size_t length;
	int rc;

	rspb_config_defaults(config);
	config->simulated = sim_presets;
	if (sim_lines_slurp(file, &text, &length, err))
		return -1;
	rc = rspb_config_read(config, text, file, err);
	/* They are gathered as long as on a cluster. */
	config->policy.batch_interval = config->batch_interval_ms / 1000;
	free(text);
	return rc;
}

int sim_options_parse(struct sim_options *options, enum sim_command command, int argc, char **argv,
		      struct rspb_err *err)
{
	uint64_t given = 0;

	*options = (struct sim_options){ .seed = 1,
					 .runs = command == SIM_FIGURES ? 8 : 1,
					 .answer_within = 60,
					 .lp.bucket = 3600 };
	for (int i = 1; i < argc; i++) {
		bool used = false;

		if (strncmp(argv[i], "--", 2) || !argv[i][2]) {
			if (leave(options, argv[i], err))
				return -1;
			continue;
		}
		if (take_option(options, command, argv[i] + 2, argv[i + 1], &used, &given, err))
			return -1;
		i += used;
	}
	if (options->json && options->csv)
		return rspb_fail(err, "--json and --csv exclude each other");
	if (options->apart && !options->conf && !options->n_presets)
		return rspb_fail(err, "--apart needs a policy: --compare, "
				      "--preset or --conf");
	return options->conf ? sim_options_conf(options->conf, &options->config, err) : 0;
}

void sim_options_fini(struct sim_options *options)
{
	free(options->names);
	free(options->policy);
	options->names = options->policy = NULL;
}

int sim_options_presets(struct sim_options *options, const char *list, struct rspb_err *err)
{
	return options->n_presets ? 0 : add_list(options, list, err);
}
