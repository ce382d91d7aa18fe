/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/group.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/client/output.h"
#include "contrib/client/words.h"

bool rspb_group_is(const struct rspb_command *command)
{
	for (int i = 1; i < command->argc; i++)
		if (!strncmp(command->argv[i], "--for-", 6))
			return true;
	return false;
}

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
static int take_option(int option, json_object *question, struct rspb_err *err)
{
	int64_t remind;

	switch (option) {
	case 'u':
		rspb_json_put_text(question, "users", optarg);
		return 0;
	case 'a':
		rspb_json_put_text(question, "accounts", optarg);
		return 0;
	case 'B':
		rspb_json_put_text(question, "benefit", optarg);
		return 0;
	case 'T':
		rspb_json_put_text(question, "benefit_time", optarg);
		return 0;
	case 'm':
		rspb_json_put_text(question, "mail", optarg);
		return 0;
	case 'r':
		if (rspb_words_duration(optarg, &remind, err))
			return -1;
		rspb_json_put_int(question, "remind", remind);
		return 0;
	case 'k':
		return take_book(question, err);
	case 'N':
		return rspb_command_nodes(question, err);
	}
	return rspb_command_term(option, question, err);
}

/* RET false: something is wrong, which was said; *wait: whether until it is
 * decided. */
static bool read_line(const struct rspb_command *command, json_object *question, bool *wait)
{
	static const struct option options[] = { { "for-users", required_argument, NULL, 'u' },
						 { "for-accounts", required_argument, NULL, 'a' },
						 { "nodes", required_argument, NULL, 'N' },
						 { "time", required_argument, NULL, 't' },
						 { "begin", required_argument, NULL, 'b' },
						 { "deadline", required_argument, NULL, 'd' },
						 { "partition", required_argument, NULL, 'p' },
						 { "constraint", required_argument, NULL, 'C' },
						 { "benefit", required_argument, NULL, 'B' },
						 { "benefit-time", required_argument, NULL, 'T' },
						 { "book", optional_argument, NULL, 'k' },
						 { "mail-type", required_argument, NULL, 'm' },
						 { "remind", required_argument, NULL, 'r' },
						 { "wait", no_argument, NULL, 'w' },
						 { NULL } };
	struct rspb_err err;
	int c;

	while ((c = getopt_long(command->argc, command->argv, "N:t:b:p:C:", options, NULL)) != -1) {
		if (c == '?')
			return false;
		if (c == 'w') {
			*wait = true;
		} else if (take_option(c, question, &err)) {
			rspb_command_misused(command, "%s", err.text);
			return false;
		}
	}
	if (optind < command->argc)
		rspb_command_misused(command, "%s: a booking for others has no job",
				     command->argv[optind]);
	else if (!json_object_object_get_ex(question, "nodes", NULL) ||
		 !json_object_object_get_ex(question, "duration", NULL))
		rspb_command_misused(command, "-N and -t are wanted");
	else
		return true;
	return false;
}

int rspb_group_ask(const struct rspb_command *command)
{
	json_object *question = rspb_command_question("reserve"), *answer;
	bool wait = false;
	char *name;
	int rc;

	if (!read_line(command, question, &wait)) {
		json_object_put(question);
		return RSPB_EXIT_USAGE;
	}
	rc = rspb_command_ask(command, question, &answer);
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
