/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Messages as they are, for programs that have no MUNGE of their own. */
#include <stdio.h>
#include <stdlib.h>

#include "contrib/client/command.h"

/* RET how it ended. */
static int pass_on(struct rspb_client *client, const char *line)
{
	json_object *question = json_tokener_parse(line), *answer;
	struct rspb_err err;
	bool good;

	if (!json_object_is_type(question, json_type_object)) {
		fprintf(stderr, "rspb send: not a JSON object: %s", line);
		json_object_put(question);
		return RSPB_EXIT_USAGE;
	}
	answer = rspb_client_ask(client, question, &err);
	if (!answer) {
		fprintf(stderr, "rspb send: %s\n", err.text);
		return RSPB_EXIT_NO_ANSWER;
	}
	puts(json_object_to_json_string_ext(answer, JSON_C_TO_STRING_PLAIN |
							    JSON_C_TO_STRING_NOSLASHESCAPE));
	fflush(stdout);
	good = rspb_answer_good(answer);
	json_object_put(answer);
	return good ? RSPB_EXIT_DONE : RSPB_EXIT_NO;
}

int rspb_command_send(const struct rspb_command *command)
{
	struct rspb_client client;
	int rc = RSPB_EXIT_DONE, one;
	char *line = NULL;
	size_t room = 0;

	if (command->argc > 1)
		return rspb_command_misused(command, "unexpected argument %s", command->argv[1]);
	if (rspb_command_connect(command, &client))
		return RSPB_EXIT_NO_ANSWER;
	while (getline(&line, &room, stdin) > 0) {
		one = pass_on(&client, line);
		rc = one > rc ? one : rc;
	}
	free(line);
	rspb_client_fini(&client);
	return rc;
}
