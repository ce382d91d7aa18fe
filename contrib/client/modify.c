/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "contrib/client/command.h"
#include "contrib/client/output.h"
#include "contrib/client/words.h"

/* RET 0, or -1 with err. */
static int take(int option, json_object *question, struct rspb_err *err)
{
	int64_t number;

	if (option != 'd')
		return rspb_command_term(option, question, err);
	if (rspb_words_time(optarg, time(NULL), &number, err))
		return -1;
	rspb_command_add(question, "until", number);
	return 0;
}

int rspb_modify_send(const struct rspb_command *command, json_object *question)
{
	json_object *answer;
	int rc = rspb_command_ask(command, question, &answer);

	if (rc)
		return rc;
	if (command->json) {
		rspb_output_json(answer);
		return rc;
	}
	printf("%s\n", rspb_answer_text(answer, "text"));
	json_object_put(answer);
	return rc;
}

int rspb_command_modify(const struct rspb_command *command)
{
	static const struct option options[] = {
		{ "nodes", required_argument, NULL, 'N' },
		{ "time", required_argument, NULL, 't' },
		{ "begin", required_argument, NULL, 'b' },
		{ "deadline", required_argument, NULL, 'd' },
		{ NULL }
	};
	json_object *question = rspb_command_question("modify");
	struct rspb_err err = { "see rspb --help" };
	int64_t job;
	int c, rc = 0;

	while (!rc && (c = getopt_long(command->argc, command->argv,
				       "N:t:b:", options, NULL)) != -1)
		rc = take(c, question, &err);
	if (rc)
		rspb_command_misused(command, "%s", err.text);
	else if (optind + 1 != command->argc ||
		 json_object_object_length(question) < 2)
		rc = rspb_command_misused(
			command, "one job is wanted, and what to change");
	else if (!rspb_command_job(command, command->argv[optind], &job))
		rc = RSPB_EXIT_USAGE;
	if (rc) {
		json_object_put(question);
		return RSPB_EXIT_USAGE;
	}
	rspb_command_add(question, "job", job);
	return rspb_modify_send(command, question);
}

int rspb_command_release(const struct rspb_command *command)
{
	json_object *question = rspb_command_about(command, "release");

	return question ? rspb_modify_send(command, question) : RSPB_EXIT_USAGE;
}
