/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/beyond/sites.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/client/submit.h"

/* Slurm's commands and rspb_client_init() are about that cluster from now on. */
static void choose(const struct rspb_other *other)
{
	setenv(strchr(other->name, '/') ? "SLURM_CONF" : "SLURM_CLUSTERS", other->name, true);
	/* Each of a list is of one kind; a name is of the home cluster's slurmdbd. */
	if (strchr(other->name, '/'))
		unsetenv("SLURM_CLUSTERS");
}

int rspb_other_init(struct rspb_other *other, struct rspb_err *err)
{
	choose(other);
	return rspb_client_init(&other->client, NULL, err) ? rspb_fail_at(err, "%s", other->name)
							   : 0;
}

void rspb_other_fini(struct rspb_other *other)
{
	rspb_client_fini(&other->client);
	free(other->name);
	other->name = NULL;
}

/* RET 0, or -1: out of memory. */
static int read_bids(struct rspb_other_job *job, json_object *list)
{
	size_t n = list ? json_object_array_length(list) : 0;

	job->bids = calloc(n + 1, sizeof(*job->bids));
	if (!job->bids)
		return -1;
	for (; job->n_bids < n; job->n_bids++) {
		json_object *one = json_object_array_get_idx(list, job->n_bids);
		double share = rspb_json_real(one, "share");

		job->bids[job->n_bids] = (struct rspb_bid){
			.start = rspb_json_int(one, "start"),
			.end = rspb_json_int(one, "end"),
			.nodes = rspb_json_int(one, "nodes"),
			.share = (int64_t) (share * 100 + 0.5),
			.benefit = rspb_json_real(one, "benefit"),
		};
	}
	return 0;
}

static int submit(const struct rspb_other *other, char *const *words, int n, int64_t *job)
{
	static char sbatch[] = "sbatch", parsable[] = "--parsable", book[] = "--book=offers";
	char **line = calloc((size_t) n + 4, sizeof(*line));
	int rc = -1, at = 0;

	if (!line)
		return -1;
	line[at++] = sbatch;
	line[at++] = parsable;
	line[at++] = book;
	for (int i = 0; i < n; i++)
		if (!rspb_submit_is_wait(words, i))
			line[at++] = words[i];
	choose(other);
	if (!rspb_submit(line, false, job))
		rc = 0;
	free(line);
	return rc;
}

int rspb_other_open(const struct rspb_command *command, struct rspb_other *other,
		    char *const *words, int n, struct rspb_other_job *job)
{
	json_object *answer, *booking;
	int rc;

	*job = (struct rspb_other_job){ 0 };
	if (submit(other, words, n, &job->job)) {
		fprintf(stderr, "rspb %s: %s does not accept this job\n", command->argv[0],
			other->name);
		return -1;
	}
	rc = rspb_request_await(&other->client, command, &(struct rspb_which){ .job = job->job },
				&answer, &booking);
	if (rc)
		return -1;
	json_object_put(answer);
	if (rspb_command_ask_on(&other->client, command,
				rspb_command_question_job("offers", job->job), &answer))
		return -1;
	rc = read_bids(job, rspb_json_list(answer, "offers"));
	json_object_put(answer);
	return rc;
}

bool rspb_other_take(const struct rspb_command *command, struct rspb_other *other, int64_t job,
		     const struct rspb_bid *bid, int64_t hold, int64_t *until)
{
	json_object *question = rspb_command_question_job("modify", job);
	json_object *answer, *booking;
	bool booked;

	rspb_json_put_int(question, "begin", bid->start);
	rspb_json_put_int(question, "duration", bid->end - bid->start);
	if (bid->share)
		rspb_json_put_int(question, "share", bid->share);
	else if (bid->nodes)
		rspb_json_put_int(question, "nodes", bid->nodes);
	rspb_json_put_bool(question, "exact", true);
	if (hold)
		rspb_json_put_int(question, "hold", hold);
	if (rspb_command_ask_on(&other->client, command, question, &answer))
		return false;
	json_object_put(answer);
	if (rspb_request_await(&other->client, command, &(struct rspb_which){ .job = job }, &answer,
			       &booking))
		return false;
	booked = !strcmp(rspb_json_text(booking, "state"), "booked") ||
		 !strcmp(rspb_json_text(booking, "state"), "active");
	*until = rspb_json_int(booking, "held");
	if (!booked)
		rspb_command_complain(command, "%s, job %" PRId64 ": %s", other->name, job,
				      rspb_json_text(booking, "reason"));
	json_object_put(answer);
	/* A booking that is only held, though it was wanted for good, was not accepted. */
	return booked && (hold || !*until);
}

void rspb_other_cancel(const struct rspb_other *other, struct rspb_other_job *job)
{
	static char scancel[] = "scancel";
	char number[24];
	char *line[] = { scancel, number, NULL };

	if (job->job) {
		snprintf(number, sizeof(number), "%" PRId64, job->job);
		choose(other);
		rspb_submit_run(line, NULL, 0);
	}
	free(job->bids);
	*job = (struct rspb_other_job){ 0 };
}
