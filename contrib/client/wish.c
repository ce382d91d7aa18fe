/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/wish.h"

#include <getopt.h>
#include <string.h>

#include "common/base/text.h"
#include "common/wire/flags.h"
#include "contrib/client/series.h"
#include "contrib/client/words.h"

/* Options whose text goes as it is, or as a number. */
static const struct {
	int option;
	const char *key;
	bool number;
} plain[] = {
	{ 'w', "nodelist", false },  { 'x', "exclude", false },	  { 'A', "account", false },
	{ 'q', "qos", false },	     { 'L', "licenses", false },  { 'n', "tasks", true },
	{ 'c', "cpus_task", true },  { 'R', "gres", false },	  { 'G', "gpus", false },
	{ 'g', "gpus_node", false }, { 'k', "gpus_task", false },
};
enum { N_PLAIN = sizeof(plain) / sizeof(plain[0]) };

static const struct option plain_options[] = { { "nodes", required_argument, NULL, 'N' },
					       { "time", required_argument, NULL, 't' },
					       { "begin", required_argument, NULL, 'b' },
					       { "deadline", required_argument, NULL, 'd' },
					       { "book", optional_argument, NULL, 'B' },
					       { "cpu-share", required_argument, NULL, 'S' },
					       { "partition", required_argument, NULL, 'p' },
					       { "constraint", required_argument, NULL, 'C' },
					       { "nodelist", required_argument, NULL, 'w' },
					       { "exclude", required_argument, NULL, 'x' },
					       { "account", required_argument, NULL, 'A' },
					       { "licenses", required_argument, NULL, 'L' },
					       { "qos", required_argument, NULL, 'q' },
					       RSPB_WISH_SIZE,
					       { "hold", optional_argument, NULL, 'h' },
					       { NULL } };

static int take_plain(int option, json_object *question, struct rspb_err *err)
{
	int64_t number;

	for (int i = 0; i < N_PLAIN; i++) {
		if (plain[i].option != option)
			continue;
		if (!plain[i].number) {
			rspb_json_put_text(question, plain[i].key, optarg);
			return 0;
		}
		if (rspb_words_count(optarg, &number, err))
			return -1;
		rspb_json_put_int(question, plain[i].key, number);
		return 0;
	}
	return rspb_command_term(option, question, err);
}

static int take_size(const char *key, json_object *question, struct rspb_err *err)
{
	int64_t mib;

	if (rspb_text_mib(optarg, strlen(optarg), &mib, NULL))
		return rspb_fail(err, "%s is not a size; give MiB, or a number with K, M, G or T",
				 optarg);
	rspb_json_put_int(question, key, mib);
	return 0;
}

int rspb_wish_term(int option, json_object *question, struct rspb_err *err)
{
	switch (option) {
	case 'N':
		return rspb_command_nodes(question, err);
	case 'B':
		return rspb_command_flag("book", question, err);
	case 'S':
		return rspb_command_flag("cpu-share", question, err);
	case 'm':
		return take_size("mem", question, err);
	case 'M':
		return take_size("mem_cpu", question, err);
	}
	return take_plain(option, question, err);
}

int rspb_wish_hold(const char *text, int64_t *hold, struct rspb_err *err)
{
	*hold = INT32_MAX;
	return text ? rspb_words_duration(text, hold, err) : 0;
}

/* A job or a booking without one, and maybe which of its offers. */
static int take_named(const struct rspb_command *command, struct rspb_wish *wish)
{
	wish->named = true;
	wish->name = command->argv[optind];
	wish->offer = command->argv[optind + 1];
	if (rspb_series_one(command, command->argv[optind], &wish->which))
		return -1;
	if (wish->offer && !wish->hold)
		rspb_command_misused(command, "an offer can be named only with --hold; use "
					      "accept to book it");
	else if (wish->which.name && wish->hold)
		rspb_command_misused(command, "--hold is for the offers of a "
					      "job");
	else
		return 0;
	return -1;
}

int rspb_wish_take(const struct rspb_command *command, json_object *question,
		   struct rspb_wish *wish)
{
	struct option options[RSPB_OPTIONS_MOST];
	struct rspb_err err = { "see rspb --help" };
	bool any;
	int c;

	*wish = (struct rspb_wish){ .named = false };
	rspb_command_options_of(RSPB_TERM_OFFERS, plain_options, options);
	while ((c = getopt_long(command->argc, command->argv, "N:t:b:p:C:w:x:A:q:n:c:L:G:", options,
				NULL)) != -1)
		if (c == 'h' ? rspb_wish_hold(optarg, &wish->hold, &err)
			     : rspb_wish_term(c, question, &err)) {
			rspb_command_misused(command, "%s", err.text);
			return -1;
		}
	any = json_object_object_length(question) > 1;
	if (any == (optind < command->argc) || optind + 2 < command->argc)
		rspb_command_misused(command, "give one job, or the options of a request");
	else if (!any)
		return take_named(command, wish);
	else if (wish->hold)
		rspb_command_misused(command, "--hold is for the offers of a "
					      "job; request --offers --hold makes one");
	else if (!json_object_object_get_ex(question, "duration", NULL) &&
		 !json_object_object_get_ex(question, "work", NULL))
		rspb_command_misused(command, "--time or --work is needed");
	else
		return 0;
	return -1;
}
