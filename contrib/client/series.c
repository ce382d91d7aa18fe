/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/series.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "contrib/client/output.h"
#include "contrib/client/submit.h"

/* What has been submitted, by start. */
struct asked {
	int n, booked;
	int64_t jobs[RSPB_REPEAT_MOST];
	json_object *bookings; /* owned */
};

/* RET whether all could be. */
static bool submit_all(const struct rspb_series *series, const int64_t *starts,
		       int n, struct asked *asked)
{
	char begin[64];

	series->args[series->begin] = begin;
	for (int i = 0; i < n; i++) {
		time_t at = starts[i];
		struct tm tm;

		strftime(begin, sizeof(begin), "--begin=%FT%T",
			 localtime_r(&at, &tm));
		if (!rspb_submit(series->args, &asked->jobs[asked->n]))
			asked->n++;
		else if (series->all)
			return false;
	}
	return asked->n == n;
}

static int await_all(const struct rspb_command *command, struct asked *asked)
{
	json_object *answer, *booking;
	struct rspb_client client;
	int rc = rspb_command_connect(command, &client);

	if (rc)
		return rc;
	for (int i = 0; i < asked->n && !rc; i++) {
		rc = rspb_request_await(&client, command, asked->jobs[i],
					&answer, &booking);
		if (rc)
			break;
		asked->booked += rspb_request_print(command, booking);
		json_object_array_add(asked->bookings,
				      json_object_get(booking));
		json_object_put(answer);
	}
	rspb_client_fini(&client);
	return rc;
}

static void cancel_all(const struct rspb_command *command,
		       const struct asked *asked)
{
	char *args[RSPB_REPEAT_MOST + 2] = { NULL };
	char numbers[RSPB_REPEAT_MOST][24];
	static char program[] = "scancel";

	args[0] = program;
	for (int i = 0; i < asked->n; i++) {
		snprintf(numbers[i], sizeof(numbers[i]), "%" PRId64,
			 asked->jobs[i]);
		args[i + 1] = numbers[i];
	}
	if (asked->n && rspb_submit_run(args, NULL, 0))
		fprintf(stderr, "rspb %s: not all could be cancelled again\n",
			command->argv[0]);
	else
		fprintf(stderr,
			"rspb %s: not all can be booked, so none is: %d %s "
			"cancelled again\n",
			command->argv[0], asked->n,
			asked->n == 1 ? "job is" : "jobs are");
}

static void print_json(const struct asked *asked, int n)
{
	json_object *all = json_object_new_object();

	json_object_object_add(all, "version", json_object_new_int(1));
	json_object_object_add(all, "asked", json_object_new_int(n));
	json_object_object_add(all, "booked",
			       json_object_new_int(asked->booked));
	json_object_object_add(all, "bookings",
			       json_object_get(asked->bookings));
	rspb_output_json(all);
}

int rspb_series_ask(const struct rspb_command *command,
		    const struct rspb_series *series)
{
	int64_t starts[RSPB_REPEAT_MOST];
	struct asked asked = { 0 };
	struct rspb_err err;
	int n = rspb_repeat_starts(series->repeat, starts, &err), rc = 0;
	bool whole;

	if (n < 0)
		return rspb_command_misused(command, "%s", err.text);
	asked.bookings = json_object_new_array();
	whole = submit_all(series, starts, n, &asked);
	if (whole || !series->all)
		rc = await_all(command, &asked);
	if (!rc && asked.booked < n) {
		rc = RSPB_EXIT_NO;
		if (series->all) {
			cancel_all(command, &asked);
			asked.booked = 0;
		} else {
			fprintf(stderr, "rspb %s: %d of %d are booked\n",
				command->argv[0], asked.booked, n);
		}
	}
	if (command->json)
		print_json(&asked, n);
	json_object_put(asked.bookings);
	return rc;
}
