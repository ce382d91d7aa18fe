/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb cancel: finds what is meant, has Slurm cancel it, and prints what is cancelled once
 * the list has it no more. What has no job slurmctld is asked to give back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contrib/client/command.h"
#include "contrib/client/output.h"
#include "contrib/client/series.h"
#include "contrib/client/submit.h"

enum { TRIES = 50, PAUSE_US = 60000 };

/* Whether slurmctld shows no booking of that job any more. */
static bool is_over(struct rspb_client *client, const struct rspb_which *which)
{
	static const char *const over[] = { "cancelled", "terminated", "completed" };
	json_object *answer, *booking = NULL;
	bool is;

	answer = rspb_client_ask(client, rspb_command_question_which("show", which), NULL);
	if (answer)
		json_object_object_get_ex(answer, "booking", &booking);
	is = !booking && answer && !strcmp(rspb_json_text(answer, "error"), "unknown");
	for (int i = 0; i < 3 && booking; i++)
		is |= !strcmp(rspb_json_text(booking, "state"), over[i]);
	json_object_put(answer);
	return is;
}

/* Wait for at most three seconds until each is over, and print it. */
static void print_over(const struct rspb_command *command, json_object *jobs)
{
	struct rspb_client client;
	char id[RSPB_OUTPUT_CELL];

	if (command->json || rspb_command_connect(command, &client))
		return;
	for (size_t i = 0, tries = 0; i < json_object_array_length(jobs); i++) {
		json_object *job = json_object_array_get_idx(jobs, i);
		struct rspb_which which = rspb_command_which_of(job);

		while (!is_over(&client, &which) && tries++ < TRIES)
			usleep(PAUSE_US);
		printf("%s %s\n", rspb_output_id(job, id),
		       tries < TRIES ? "cancelled" : "is being cancelled");
	}
	rspb_client_fini(&client);
}

/* Add what is meant by a word to one of the lists, if it may be seen. An array's last task
 * has the number of all. */
static int add(const struct rspb_command *command, const char *text, json_object *jobs,
	       json_object *named)
{
	json_object *list, *answer;
	int rc = rspb_series_find(command, text, &list);

	if (rc)
		return rc;
	for (size_t i = 0; i < json_object_array_length(list) && !rc; i++) {
		json_object *one = json_object_array_get_idx(list, i);
		struct rspb_which which = rspb_command_which_of(one);

		rc = rspb_command_ask(command, rspb_command_question_which("show", &which),
				      &answer);
		if (rc)
			break;
		json_object_put(answer);
		json_object_array_add(which.name ? named : jobs, json_object_get(one));
	}
	json_object_put(list);
	return rc;
}

/* Give back the bookings without a job. RET the exit code; nothing is done after a refusal. */
static int give_back(const struct rspb_command *command, json_object *named)
{
	int rc = RSPB_EXIT_DONE;

	for (size_t i = 0; i < json_object_array_length(named) && !rc; i++) {
		struct rspb_which which = rspb_command_which_of(
			json_object_array_get_idx(named, i));
		json_object *answer;

		rc = rspb_command_ask(command, rspb_command_question_which("release", &which),
				      &answer);
		if (rc)
			break;
		json_object_put(answer);
		if (!command->json)
			printf("%s cancelled\n", which.name);
	}
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
	json_object *jobs, *named;
	int rc = RSPB_EXIT_DONE;

	if (command->argc < 2)
		return rspb_command_misused(command, "give a job or a series");
	jobs = json_object_new_array();
	named = json_object_new_array();
	for (int i = 1; i < command->argc && !rc; i++)
		rc = add(command, command->argv[i], jobs, named);
	/* If one word is wrong, nothing is cancelled. */
	if (!rc)
		rc = give_back(command, named);
	if (!rc && json_object_array_length(jobs)) {
		rc = run(jobs);
		if (!rc)
			print_over(command, jobs);
	}
	json_object_put(jobs);
	json_object_put(named);
	return rc;
}
