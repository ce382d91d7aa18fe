/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/wish.h"

#include <getopt.h>

#include "contrib/client/words.h"

/* Options whose text goes as it is, or as a number. */
static const struct {
	int option;
	const char *key;
	bool number;
} plain[] = {
	{ 'w', "nodelist", false }, { 'x', "exclude", false },
	{ 'A', "account", false },  { 'q', "qos", false },
	{ 'n', "tasks", true },	    { 'c', "cpus_task", true },
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

static int take_plain(int option, json_object *question, struct rspb_err *err)
{
	int64_t number;

	for (int i = 0; i < N_PLAIN; i++) {
		if (plain[i].option != option)
			continue;
		if (!plain[i].number) {
			rspb_command_add_text(question, plain[i].key, optarg);
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
	switch (option) {
	case 'N':
		return rspb_command_nodes(question, err);
	case 'B':
		return rspb_command_flag("book", question, err);
	case 'V':
		return rspb_command_flag("benefit", question, err);
	case 'S':
		return rspb_command_flag("cpu-share", question, err);
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
