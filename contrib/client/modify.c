/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>

#include "contrib/client/command.h"
#include "contrib/client/output.h"
#include "contrib/client/series.h"

/* RET 0, or -1 with err. */
static int take(int option, json_object *question, struct rspb_err *err)
{
	if (option != 'S')
		return rspb_command_term(option, question, err);
	if (rspb_command_flag("cpu-share", question, err))
		return -1;
	return json_object_object_get_ex(question, "share_least", NULL)
		       ? rspb_fail(err,
				   "--cpu-share=%.40s: one share is wanted",
				   optarg)
		       : 0;
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

/* Of a series: the first begins then, the others are moved as far. */
static json_object *question_for(json_object *terms, json_object *one,
				 int64_t moved)
{
	struct rspb_which which = rspb_command_which_of(one);
	json_object *question = NULL;

	json_object_deep_copy(terms, &question, NULL);
	rspb_command_add_which(question, &which);
	if (json_object_object_get_ex(terms, "begin", NULL) &&
	    json_object_object_get_ex(one, "start", NULL))
		rspb_command_add(question, "begin",
				 rspb_answer_number(one, "start") + moved);
	return question;
}

/* Each on its own: who cannot have it stays as it is. RET how it ended. */
static int send_all(const struct rspb_command *command, json_object *terms,
		    json_object *list)
{
	size_t n = json_object_array_length(list);
	json_object *first = json_object_array_get_idx(list, 0);
	int64_t moved = rspb_answer_number(terms, "begin") -
			rspb_answer_number(first, "start");
	int rc = RSPB_EXIT_DONE;

	if (n > 1 && json_object_object_get_ex(terms, "until", NULL))
		return rspb_command_misused(command, "a deadline is of one "
						     "job, not of a series");
	for (size_t i = 0; i < n; i++) {
		json_object *one = json_object_array_get_idx(list, i);
		int ended;

		if (n > 1 && !command->json)
			printf("job %" PRId64 ": ",
			       rspb_answer_number(one, "job"));
		fflush(stdout);
		ended = rspb_modify_send(command,
					 question_for(terms, one, moved));
		if (ended && n > 1 && !command->json)
			printf("as it was\n");
		rc = ended > rc ? ended : rc;
		if (ended == RSPB_EXIT_NO_ANSWER)
			break;
	}
	return rc;
}

int rspb_command_modify(const struct rspb_command *command)
{
	static const struct option options[] = {
		{ "nodes", required_argument, NULL, 'N' },
		{ "time", required_argument, NULL, 't' },
		{ "begin", required_argument, NULL, 'b' },
		{ "deadline", required_argument, NULL, 'd' },
		{ "cpu-share", required_argument, NULL, 'S' },
		{ NULL }
	};
	json_object *question = rspb_command_question("modify");
	struct rspb_err err = { "see rspb --help" };
	json_object *list;
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
	if (rc) {
		json_object_put(question);
		return RSPB_EXIT_USAGE;
	}
	rc = rspb_series_find(command, command->argv[optind], &list);
	if (!rc) {
		rc = send_all(command, question, list);
		json_object_put(list);
	}
	json_object_put(question);
	return rc;
}

int rspb_command_release(const struct rspb_command *command)
{
	json_object *question, *list;
	int rc;

	if (command->argc != 2)
		return rspb_command_misused(command, "one job or series is "
						     "wanted");
	rc = rspb_series_find(command, command->argv[1], &list);
	if (rc)
		return rc;
	question = rspb_command_question("release");
	rc = send_all(command, question, list);
	json_object_put(question);
	json_object_put(list);
	return rc;
}
