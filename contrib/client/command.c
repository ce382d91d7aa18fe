/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/command.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "common/base/text.h"
#include "contrib/client/output.h"

int rspb_command_misused(const struct rspb_command *command, const char *fmt,
			 ...)
{
	va_list ap;

	fprintf(stderr, "rspb %s: ", command->argv[0]);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "; see man rspb\n");
	return RSPB_EXIT_USAGE;
}

bool rspb_command_job(const struct rspb_command *command, const char *text,
		      int64_t *job)
{
	if (text &&
	    !rspb_text_whole(text, strlen(text), 1, UINT32_MAX, job, NULL))
		return true;
	rspb_command_misused(command, "%s is no job's number",
			     text ? text : "nothing");
	return false;
}

json_object *rspb_command_question(const char *op)
{
	json_object *question = json_object_new_object();

	json_object_object_add(question, "op", json_object_new_string(op));
	return question;
}

int rspb_command_ask_on(struct rspb_client *client,
			const struct rspb_command *command,
			json_object *question, json_object **answer)
{
	struct rspb_err err;

	*answer = rspb_client_ask(client, question, &err);
	if (!*answer) {
		fprintf(stderr, "rspb %s: %s\n", command->argv[0], err.text);
		return RSPB_EXIT_NO_ANSWER;
	}
	if (rspb_answer_good(*answer))
		return RSPB_EXIT_DONE;
	fprintf(stderr, "rspb %s: %s\n", command->argv[0],
		rspb_answer_text(*answer, "text"));
	if (command->json)
		rspb_output_json(*answer);
	else
		json_object_put(*answer);
	return RSPB_EXIT_NO;
}

int rspb_command_ask(const struct rspb_command *command, json_object *question,
		     json_object **answer)
{
	struct rspb_client client;
	struct rspb_err err;
	int rc;

	if (rspb_client_init(&client, command->server, &err)) {
		fprintf(stderr, "rspb %s: %s\n", command->argv[0], err.text);
		json_object_put(question);
		return RSPB_EXIT_NO_ANSWER;
	}
	rc = rspb_command_ask_on(&client, command, question, answer);
	rspb_client_fini(&client);
	return rc;
}
