/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb cancel: finds what is meant, and has Slurm cancel it. What is given back
 * without a job slurmctld is asked for. */
#include <stdio.h>
#include <stdlib.h>

#include "contrib/client/command.h"
#include "contrib/client/output.h"
#include "contrib/client/series.h"
#include "contrib/client/submit.h"

/* Add what is meant by a word to a list: jobs that may be seen. What has no job is
 * given back at once. An array's last task has the number of all. */
static int add(const struct rspb_command *command, const char *text, json_object *jobs)
{
	json_object *list, *answer;
	int rc = rspb_series_find(command, text, &list);

	if (rc)
		return rc;
	for (size_t i = 0; i < json_object_array_length(list) && !rc; i++) {
		json_object *one = json_object_array_get_idx(list, i);
		struct rspb_which which = rspb_command_which_of(one);

		rc = rspb_command_ask(command,
				      rspb_command_question_which(which.name ? "release" : "show",
								  &which),
				      &answer);
		if (rc)
			break;
		json_object_put(answer);
		if (!which.name)
			json_object_array_add(jobs, json_object_get(one));
	}
	json_object_put(list);
	return rc;
}

static int run(json_object *jobs)
{
	static char program[] = "scancel";
	size_t n = json_object_array_length(jobs);
	char **args = calloc(n + 2, sizeof(*args));
	char(*numbers)[RSPB_OUTPUT_CELL] = calloc(n + 1, sizeof(*numbers));
	int rc = RSPB_EXIT_NO;

	if (args && numbers) {
		args[0] = program;
		for (size_t i = 0; i < n; i++) {
			args[i + 1] = rspb_output_id(json_object_array_get_idx(jobs, i),
						     numbers[i]);
		}
		rc = rspb_submit_run(args, NULL, 0) ? RSPB_EXIT_NO : RSPB_EXIT_DONE;
	}
	free(args);
	free(numbers);
	return rc;
}

int rspb_command_cancel(const struct rspb_command *command)
{
	json_object *jobs;
	int rc = RSPB_EXIT_DONE;

	if (command->argc < 2)
		return rspb_command_misused(command, "a job is wanted");
	jobs = json_object_new_array();
	for (int i = 1; i < command->argc && !rc; i++)
		rc = add(command, command->argv[i], jobs);
	if (!rc && json_object_array_length(jobs))
		rc = run(jobs);
	json_object_put(jobs);
	return rc;
}
