/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/group.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/wire/flags.h"
#include "contrib/client/moment.h"
#include "contrib/client/output.h"
#include "contrib/client/repeat.h"
#include "contrib/client/wish.h"
#include "contrib/client/words.h"

bool rspb_group_is(const struct rspb_command *command)
{
	for (int i = 1; i < command->argc; i++)
		if (!strncmp(command->argv[i], "--for-", 6))
			return true;
	return false;
}

/* The options that are no part of the question. */
struct line {
	bool wait; /* until it is decided */
	struct rspb_repeat repeat;
};

static int take_book(json_object *question, struct rspb_err *err)
{
	if (!optarg || !*optarg)
		return 0;
	if (strcmp(optarg, "asap"))
		return rspb_fail(err,
				 "--book=%s: allowed are --book and "
				 "--book=asap",
				 optarg);
	rspb_json_put_bool(question, "asap", true);
	return 0;
}

/* RET 0, or -1 with err. */
static int take_option(int option, json_object *question, struct line *line, struct rspb_err *err)
{
	int64_t number;

	switch (option) {
	case 'w':
		line->wait = true;
		return 0;
	case 'R':
		line->repeat.rule = optarg;
		return 0;
	case '#':
		return rspb_words_count(optarg, &line->repeat.count, err);
	case 'U':
		return rspb_moment_until(optarg, &line->repeat.until, err);
	case 'c':
		if (rspb_words_count(optarg, &number, err))
			return -1;
		rspb_json_put_int(question, "cores", number);
		return 0;
	case 'M':
		return rspb_wish_term('m', question, err);
	case 'g':
		rspb_json_put_text(question, "gres", optarg);
		return 0;
	case 'u':
		rspb_json_put_text(question, "users", optarg);
		return 0;
	case 'a':
		rspb_json_put_text(question, "accounts", optarg);
		return 0;
	case 'm':
		rspb_json_put_text(question, "mail", optarg);
		return 0;
	case 'k':
		return take_book(question, err);
	case 'N':
		return rspb_command_nodes(question, err);
	}
	return rspb_command_term(option, question, err);
}

/* RET false: something is wrong, which was said. */
static bool read_line(const struct rspb_command *command, json_object *question, struct line *line)
{
	static const struct option plain[] = { { "for-users", required_argument, NULL, 'u' },
					       { "for-accounts", required_argument, NULL, 'a' },
					       { "nodes", required_argument, NULL, 'N' },
					       { "time", required_argument, NULL, 't' },
					       { "begin", required_argument, NULL, 'b' },
					       { "deadline", required_argument, NULL, 'd' },
					       { "partition", required_argument, NULL, 'p' },
					       { "constraint", required_argument, NULL, 'C' },
					       { "book", optional_argument, NULL, 'k' },
					       { "mail-type", required_argument, NULL, 'm' },
					       { "wait", no_argument, NULL, 'w' },
					       { "repeat", required_argument, NULL, 'R' },
					       { "count", required_argument, NULL, '#' },
					       { "until", required_argument, NULL, 'U' },
					       { "cores", required_argument, NULL, 'c' },
					       { "mem", required_argument, NULL, 'M' },
					       { "gres", required_argument, NULL, 'g' },
					       { NULL } };
	struct option options[RSPB_OPTIONS_MOST];
	struct rspb_err err;
	int c;

	rspb_command_options_of(RSPB_TERM_RESERVE, plain, options);
	while ((c = getopt_long(command->argc, command->argv, "N:t:b:p:C:", options, NULL)) != -1) {
		if (c == '?')
			return false;
		if (take_option(c, question, line, &err)) {
			rspb_command_misused(command, "%s", err.text);
			return false;
		}
	}
	if (optind < command->argc)
		rspb_command_misused(command, "%s: a booking for others has no job",
				     command->argv[optind]);
	else if (!json_object_object_get_ex(question, "nodes", NULL) ||
		 !json_object_object_get_ex(question, "duration", NULL))
		rspb_command_misused(command, "-N and -t are required");
	else if (line->repeat.rule && !rspb_json_int(question, "begin"))
		rspb_command_misused(command, "--repeat: give the first start with --begin");
	else
		return true;
	return false;
}

/* Ask for one. RET how it ended; the question is used up. */
static int ask_one(const struct rspb_command *command, json_object *question, bool wait)
{
	json_object *answer;
	char *name;
	int rc = rspb_command_ask(command, question, &answer);

	if (rc)
		return rc;
	name = strdup(rspb_json_text(answer, "reservation"));
	if (wait && name)
		rc = rspb_request_wait(command, &(struct rspb_which){ .name = name });
	else if (command->json)
		rspb_output_json(json_object_get(answer));
	else
		printf("%s\n", rspb_json_text(answer, "reservation"));
	free(name);
	json_object_put(answer);
	return rc;
}

/* Ask for one booking for each date; each is decided by itself. RET the worst of how they ended. */
static int ask_each(const struct rspb_command *command, json_object *question, struct line *line)
{
	int64_t starts[RSPB_REPEAT_MOST];
	struct rspb_err err;
	int n, rc = RSPB_EXIT_DONE;

	line->repeat.begin = rspb_json_int(question, "begin");
	line->repeat.deadline = rspb_json_int(question, "until");
	n = rspb_repeat_starts(&line->repeat, starts, &err);
	if (n < 0)
		return rspb_command_misused(command, "%s", err.text);
	for (int i = 0; i < n && rc != RSPB_EXIT_NO_ANSWER; i++) {
		json_object *one = NULL;
		int ended;

		json_object_deep_copy(question, &one, NULL);
		rspb_json_put_int(one, "begin", starts[i]);
		if (line->repeat.deadline)
			rspb_json_put_int(one, "until",
					  rspb_repeat_deadline(&line->repeat, starts[i]));
		ended = ask_one(command, one, line->wait);
		rc = ended > rc ? ended : rc;
	}
	return rc;
}

int rspb_group_ask(const struct rspb_command *command)
{
	json_object *question = rspb_command_question("reserve");
	struct line line = { .wait = false };
	int rc = RSPB_EXIT_USAGE;

	if (!read_line(command, question, &line)) {
		json_object_put(question);
	} else if (line.repeat.rule) {
		rc = ask_each(command, question, &line);
		json_object_put(question);
	} else {
		rc = ask_one(command, question, line.wait);
	}
	return rc;
}
