/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/wish.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/base/text.h"
#include "common/wire/flags.h"
#include "contrib/client/words.h"

/* Options whose text goes as it is, or as a number. */
static const struct {
	int option;
	const char *key;
	bool number;
} plain[] = {
	{ 'p', "partition", false }, { 'C', "features", false },
	{ 'w', "nodelist", false },  { 'x', "exclude", false },
	{ 'A', "account", false },   { 'q', "qos", false },
	{ 'n', "tasks", true },	     { 'c', "cpus_task", true },
};
enum { N_PLAIN = sizeof(plain) / sizeof(plain[0]) };

static const struct option options[] = {
	{ "nodes", required_argument, NULL, 'N' },
	{ "time", required_argument, NULL, 't' },
	{ "begin", required_argument, NULL, 'b' },
	{ "deadline", required_argument, NULL, 'd' },
	{ "book", optional_argument, NULL, 'B' },
	{ "benefit", required_argument, NULL, 'V' },
	{ "cpu-share", required_argument, NULL, 'S' },
	{ "partition", required_argument, NULL, 'p' },
	{ "constraint", required_argument, NULL, 'C' },
	{ "nodelist", required_argument, NULL, 'w' },
	{ "exclude", required_argument, NULL, 'x' },
	{ "account", required_argument, NULL, 'A' },
	{ "qos", required_argument, NULL, 'q' },
	{ "ntasks", required_argument, NULL, 'n' },
	{ "cpus-per-task", required_argument, NULL, 'c' },
	{ "hold", optional_argument, NULL, 'h' },
	{ NULL }
};

/* MIN-MAX, or one number. */
static int take_nodes(json_object *question, struct rspb_err *err)
{
	char least[24];
	const char *most = strchr(optarg, '-');
	int64_t number;

	if (most) {
		snprintf(least, sizeof(least), "%.*s", (int) (most - optarg),
			 optarg);
		if (rspb_words_count(least, &number, err))
			return -1;
		rspb_command_add(question, "nodes_least", number);
	}
	if (rspb_words_count(most ? most + 1 : optarg, &number, err))
		return -1;
	rspb_command_add(question, "nodes", number);
	return 0;
}

/* One of --book, --benefit and --cpu-share, by the words that sbatch takes. */
static int take_flag(json_object *question, const char *name,
		     struct rspb_err *err)
{
	struct rspb_flags flags = { 0 };

	if (rspb_flag_set(&flags, name, optarg, err))
		return -1;
	if (flags.asap)
		json_object_object_add(question, "asap",
				       json_object_new_boolean(true));
	if (flags.has_benefit)
		json_object_object_add(question, "benefit",
				       json_object_new_string(optarg));
	if (flags.share)
		rspb_command_add(question, "share", flags.share);
	if (flags.share_min)
		rspb_command_add(question, "share_least", flags.share_min);
	return 0;
}

static int take_plain(int option, json_object *question, struct rspb_err *err)
{
	int64_t number;

	for (int i = 0; i < N_PLAIN; i++) {
		if (plain[i].option != option)
			continue;
		if (!plain[i].number) {
			json_object_object_add(question, plain[i].key,
					       json_object_new_string(optarg));
			return 0;
		}
		if (rspb_words_count(optarg, &number, err))
			return -1;
		rspb_command_add(question, plain[i].key, number);
		return 0;
	}
	return rspb_command_term(option, question, err);
}

/* RET 0, or -1 with err. */
static int take(int option, json_object *question, struct rspb_err *err)
{
	int64_t number;

	switch (option) {
	case 'N':
		return take_nodes(question, err);
	case 'B':
		return take_flag(question, "book", err);
	case 'V':
		return take_flag(question, "benefit", err);
	case 'S':
		return take_flag(question, "cpu-share", err);
	case 'd':
		if (rspb_words_time(optarg, time(NULL), &number, err))
			return -1;
		rspb_command_add(question, "until", number);
		return 0;
	}
	return take_plain(option, question, err);
}

/* As long as the site lets it, where no time is named. */
static int take_hold(int64_t *hold, struct rspb_err *err)
{
	*hold = INT32_MAX;
	return optarg ? rspb_words_duration(optarg, hold, err) : 0;
}

int64_t rspb_wish_take(const struct rspb_command *command,
		       json_object *question, int64_t *hold)
{
	struct rspb_err err = { "see rspb --help" };
	int64_t job = 0;
	bool any;
	int c;

	*hold = 0;
	while ((c = getopt_long(command->argc, command->argv,
				"N:t:b:p:C:w:x:A:q:n:c:", options, NULL)) != -1)
		if (c == 'h' ? take_hold(hold, &err)
			     : take(c, question, &err)) {
			rspb_command_misused(command, "%s", err.text);
			return -1;
		}
	any = json_object_object_length(question) > 1;
	if (any == (optind < command->argc) || optind + 1 < command->argc) {
		rspb_command_misused(command, "one job is wanted, or the "
					      "options of a request");
		return -1;
	}
	if (!any)
		return rspb_command_job(command, command->argv[optind], &job)
			       ? job
			       : -1;
	if (*hold) {
		rspb_command_misused(command,
				     "--hold is for the offers of a "
				     "job; request --offers makes one");
		return -1;
	}
	if (json_object_object_get_ex(question, "duration", NULL))
		return 0;
	rspb_command_misused(command, "--time is needed");
	return -1;
}
