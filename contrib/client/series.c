/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/series.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/request/request.h"
#include "common/wire/flags.h"
#include "contrib/client/output.h"
#include "contrib/client/submit.h"

/* The submitted jobs, by start. */
struct asked {
	int n;
	int decided, booked; /* of an array each task counts */
	bool summed;	     /* what is booked gets one line for all */
	int64_t jobs[RSPB_REPEAT_MOST];
	json_object *bookings; /* owned */
};

/* Whether a word is the name of a series, or of a task of an array (12_3): no number,
 * and not that of a booking without a job. */
static bool is_name(const char *text)
{
	return text[strspn(text, "0123456789")] &&
	       strncmp(text, RSPB_GROUP_PREFIX, sizeof(RSPB_GROUP_PREFIX) - 1);
}

/* Whether a word names a task of an array: 12_3. */
static bool is_task(const char *text)
{
	size_t array = strspn(text, "0123456789");

	return array && text[array] == '_' && text[array + 1] &&
	       !text[array + 1 + strspn(text + array + 1, "0123456789")];
}

/* Whether a booking is what is meant by a word: one of a series, a task of an array, or
 * one of the tasks of the array of that number. */
static bool is_meant(json_object *booking, const char *text)
{
	const char *task = rspb_json_text(booking, "task");
	size_t n = strlen(text);

	if (!n)
		return false;
	return !strcmp(rspb_json_text(booking, "series"), text) ||
	       (!strncmp(task, text, n) && (!task[n] || task[n] == '_'));
}

/* Also of others, if all, and what is over, if ended. RET as rspb_series_find: a list of
 * nothing: there is none. */
static int read_meant(const struct rspb_command *command, const char *text, bool others, bool ended,
		      json_object *list)
{
	json_object *all = json_object_new_array();
	int rc = rspb_list_read(command, others, ended, all);

	for (size_t i = 0; i < json_object_array_length(all); i++) {
		json_object *one = json_object_array_get_idx(all, i);

		if (is_meant(one, text))
			json_object_array_add(list, json_object_get(one));
	}
	json_object_put(all);
	return rc;
}

/* Whether a number is that of an array, of whomever's. */
static bool is_array(const struct rspb_command *command, int64_t job)
{
	json_object *answer, *booking = NULL;
	struct rspb_client client;
	bool is = false;

	if (rspb_command_connect(command, &client))
		return false;
	answer = rspb_client_ask(&client, rspb_command_question_job("show", job), NULL);
	rspb_client_fini(&client);
	if (answer && json_object_object_get_ex(answer, "booking", &booking))
		is = *rspb_json_text(booking, "task");
	json_object_put(answer);
	return is;
}

/* Whether the user is root or SlurmUser. */
static bool is_operator(const struct rspb_command *command)
{
	struct rspb_client client;
	bool is = !geteuid();

	if (is || rspb_command_connect(command, &client))
		return is;
	is = geteuid() == client.site.slurm_user;
	rspb_client_fini(&client);
	return is;
}

int rspb_series_find(const struct rspb_command *command, const char *text, json_object **list)
{
	struct rspb_which which;
	json_object *one;
	int rc;

	/* A variable that is not set must not mean all that has no series. */
	if (!*text)
		return rspb_command_misused(command, "give a job or a series, not an empty word");
	*list = json_object_new_array();
	rc = read_meant(command, text, false, false, *list);
	/* root and SlurmUser name tasks of other users' arrays, too. */
	if (!rc && !json_object_array_length(*list) && is_task(text) && is_operator(command))
		rc = read_meant(command, text, true, false, *list);
	if (!rc && json_object_array_length(*list))
		return rc;
	if (!rc && is_name(text)) {
		fprintf(stderr, "rspb %s: %s is neither a job number nor a series of yours\n",
			command->argv[0], text);
		rc = RSPB_EXIT_NO;
	} else if (!rc && !rspb_command_which(command, text, &which)) {
		rc = RSPB_EXIT_USAGE;
	}
	/* An operator means all tasks of another user's array, too. */
	if (!rc && which.job && is_array(command, which.job))
		rc = read_meant(command, text, true, false, *list);
	if (!rc && json_object_array_length(*list))
		return rc;
	if (rc) {
		json_object_put(*list);
		return rc;
	}
	one = json_object_new_object();
	rspb_command_add_which(one, &which);
	json_object_array_add(*list, one);
	return rc;
}

int rspb_series_one(const struct rspb_command *command, const char *text, struct rspb_which *which)
{
	static char found[256]; /* the name of the last one, for the caller */
	const char *task = "";
	json_object *list;
	size_t n;
	int rc = rspb_series_find(command, text, &list);

	if (rc)
		return rc;
	n = json_object_array_length(list);
	*which = rspb_command_which_of(json_object_array_get_idx(list, 0));
	/* The list, which owns the name, is destroyed below. */
	if (which->name) {
		snprintf(found, sizeof(found), "%s", which->name);
		which->name = found;
	}
	if (n > 1 && !is_name(text))
		task = rspb_json_text(json_object_array_get_idx(list, 0), "task");
	if (*task)
		rc = rspb_command_misused(command,
					  "%s is an array of %zu tasks; name one of them, as %s",
					  text, n, task);
	else if (n > 1)
		rc = rspb_command_misused(command, "%s names several jobs; give one", text);
	json_object_put(list);
	return rc;
}

static bool is_taken(json_object *list, const char *name)
{
	for (size_t i = 0; i < json_object_array_length(list); i++)
		if (!strcmp(rspb_json_text(json_object_array_get_idx(list, i), "series"), name))
			return true;
	return false;
}

/* Name the series by its first start, as 20261130T0900; RET as rspb_list_read. */
static int make_name(const struct rspb_command *command, int64_t start, char name[RSPB_SERIES_NAME])
{
	json_object *list = json_object_new_array();
	int rc = rspb_list_read(command, false, false, list), again = 1;
	time_t at = start;
	struct tm tm;
	size_t n;

	n = strftime(name, RSPB_SERIES_NAME, "%Y%m%dT%H%M", localtime_r(&at, &tm));
	while (!rc && is_taken(list, name))
		snprintf(name + n, RSPB_SERIES_NAME - n, "-%d", ++again);
	json_object_put(list);
	return rc;
}

/* Where not all are booked, each that is. */
static void print_booked(const struct rspb_command *command, const struct asked *asked,
			 const char *name)
{
	for (size_t i = 0; asked->summed && i < json_object_array_length(asked->bookings); i++) {
		json_object *one = json_object_array_get_idx(asked->bookings, i);

		if (rspb_request_good(one))
			rspb_request_print(command, one);
	}
	printf("series %s\n", name);
}

static void print_moment(char *to, size_t size, const char *format, int64_t at)
{
	time_t then = at;
	struct tm tm;

	strftime(to, size, format, localtime_r(&then, &tm));
}

/* The last first: where that is too far ahead nothing is asked for. RET whether all
 * could be. */
static bool submit_all(const struct rspb_series *series, const int64_t *starts, int n,
		       struct asked *asked)
{
	char begin[64], deadline[64], name[RSPB_SERIES_NAME + 16];
	int64_t last = 0, job;

	snprintf(name, sizeof(name), "--series=%s", series->name);
	series->args[series->place] = name;
	series->args[series->begin] = begin;
	if (series->deadline)
		series->args[series->deadline] = deadline;
	for (int k = 0; k < n; k++) {
		int i = k ? k - 1 : n - 1;

		print_moment(begin, sizeof(begin), "--begin=%FT%T", starts[i]);
		print_moment(deadline, sizeof(deadline), "--deadline=%FT%T",
			     rspb_repeat_deadline(series->repeat, starts[i]));
		if (rspb_submit(series->args, n > 1, &job)) {
			if (!k || series->all)
				break;
		} else if (k) {
			asked->jobs[asked->n++] = job;
		} else {
			last = job;
		}
	}
	if (last)
		asked->jobs[asked->n++] = last;
	return asked->n == n;
}

/* Count what was decided of one, and say of each that is not booked why. What is booked
 * waits until it is known whether all are. */
static void note_one(const struct rspb_command *command, json_object *booking, struct asked *asked)
{
	if (asked->summed && rspb_request_good(booking))
		asked->booked++;
	else
		asked->booked += rspb_request_print(command, booking);
	asked->decided++;
	json_object_array_add(asked->bookings, json_object_get(booking));
}

/* "series course: 15 booked, 2026-12-01T10:00:00 to 2027-03-09T10:00:00, on 4 nodes each" */
static void print_sum(const struct asked *asked, const char *name)
{
	char first[RSPB_OUTPUT_CELL], last[RSPB_OUTPUT_CELL], nodes[RSPB_OUTPUT_CELL] = "",
							      other[RSPB_OUTPUT_CELL];
	int64_t from = INT64_MAX, to = 0;
	bool alike = true;

	for (size_t i = 0; i < json_object_array_length(asked->bookings); i++) {
		json_object *one = json_object_array_get_idx(asked->bookings, i);
		int64_t start = rspb_json_int(one, "start");

		if (!rspb_request_good(one))
			continue;
		from = start < from ? start : from;
		to = start > to ? start : to;
		rspb_output_nodes(one, other);
		alike &= !*nodes || !strcmp(nodes, other);
		snprintf(nodes, sizeof(nodes), "%s", other);
	}
	printf("series %s: %d booked, %s to %s", name, asked->booked,
	       rspb_output_moment(from, first), rspb_output_moment(to, last));
	if (alike)
		printf(", on %s node%s each", nodes, strcmp(nodes, "1") ? "s" : "");
	printf("; rspb show %s lists them\n", name);
}

/* All tasks of an array, also those that are over already. RET as rspb_request_await. */
static int await_tasks(struct rspb_client *client, const struct rspb_command *command,
		       int64_t array, struct asked *asked)
{
	json_object *list = json_object_new_array(), *answer, *booking;
	char name[24];
	int rc;

	snprintf(name, sizeof(name), "%" PRId64, array);
	rc = read_meant(command, name, false, true, list);
	for (size_t i = 0; i < json_object_array_length(list) && !rc; i++) {
		struct rspb_which which = rspb_command_which_of(json_object_array_get_idx(list, i));

		rc = rspb_request_await(client, command, &which, &answer, &booking);
		if (rc)
			break;
		note_one(command, booking, asked);
		json_object_put(answer);
	}
	json_object_put(list);
	return rc;
}

/* A job, or each task of an array. RET as rspb_request_await. */
static int await_job(struct rspb_client *client, const struct rspb_command *command, int64_t job,
		     struct asked *asked)
{
	json_object *answer, *booking;
	int rc = rspb_request_await(client, command, &(struct rspb_which){ .job = job }, &answer,
				    &booking);

	if (rc)
		return rc;
	/* The one with the array's number, which is parted from the others last. */
	if (*rspb_json_text(booking, "task"))
		rc = await_tasks(client, command, job, asked);
	else
		note_one(command, booking, asked);
	json_object_put(answer);
	return rc;
}

static int await_all(const struct rspb_command *command, struct asked *asked)
{
	struct rspb_client client;
	int rc = rspb_command_connect(command, &client);

	if (rc)
		return rc;
	for (int i = 0; i < asked->n && !rc; i++)
		rc = await_job(&client, command, asked->jobs[i], asked);
	rspb_client_fini(&client);
	return rc;
}

static void cancel_all(const struct rspb_command *command, const struct asked *asked)
{
	char *args[RSPB_REPEAT_MOST + 2] = { NULL };
	char numbers[RSPB_REPEAT_MOST][24];
	static char program[] = "scancel";

	args[0] = program;
	for (int i = 0; i < asked->n; i++) {
		snprintf(numbers[i], sizeof(numbers[i]), "%" PRId64, asked->jobs[i]);
		args[i + 1] = numbers[i];
	}
	if (asked->n && rspb_submit_run(args, NULL, 0))
		fprintf(stderr, "rspb %s: not all could be cancelled again\n", command->argv[0]);
	else
		fprintf(stderr,
			"rspb %s: not all can be booked, so none is booked: %d %s cancelled "
			"again\n",
			command->argv[0], asked->n, asked->n == 1 ? "job was" : "jobs were");
}

static void print_json(const struct asked *asked, const char *name, int n)
{
	json_object *all = json_object_new_object();

	rspb_json_put_int(all, "version", 1);
	rspb_json_put_text(all, "series", name);
	rspb_json_put_int(all, "asked", n);
	rspb_json_put_int(all, "booked", asked->booked);
	rspb_json_put(all, "bookings", json_object_get(asked->bookings));
	rspb_output_json(all);
}

static int some(const struct rspb_command *command, const struct asked *asked, int n)
{
	fprintf(stderr, "rspb %s: %d of %d are booked\n", command->argv[0], asked->booked, n);
	return RSPB_EXIT_NO;
}

/* How many there are: of what was not submitted each is one. */
static int count_all(const struct asked *asked, int n)
{
	return asked->decided + n - asked->n;
}

/* Wait for all. RET how it ended, which was said. */
static int conclude(const struct rspb_command *command, const struct rspb_series *series,
		    struct asked *asked, int n, bool whole)
{
	int rc = whole || !series->all ? await_all(command, asked) : 0;

	if (rc || (asked->n == n && asked->booked == asked->decided))
		return rc;
	if (!series->all)
		return some(command, asked, count_all(asked, n));
	cancel_all(command, asked);
	asked->booked = 0;
	return RSPB_EXIT_NO;
}

/* Leave out the dates that have passed, which is said in one line. RET how many are
 * left, -1 with err: none is. */
static int drop_past(const struct rspb_command *command, int64_t *starts, int n,
		     struct rspb_err *err)
{
	char first[RSPB_OUTPUT_CELL], last[RSPB_OUTPUT_CELL];
	int64_t least = time(NULL) - RSPB_BEGIN_PAST_S;
	int past = 0;

	while (past < n && starts[past] < least)
		past++;
	if (!past)
		return n;
	rspb_output_moment(starts[past - 1], last);
	if (past == n)
		return rspb_fail(err,
				 "--repeat: all %d dates have passed, the last one was %s; give "
				 "a later --begin, --until or a higher --count",
				 n, last);
	fprintf(stderr, "rspb %s: %d of %d dates have passed and are left out: %s",
		command->argv[0], past, n, rspb_output_moment(starts[0], first));
	fprintf(stderr, past > 1 ? " to %s\n" : "\n", last);
	memmove(starts, starts + past, (size_t) (n - past) * sizeof(*starts));
	return n - past;
}

int rspb_series_ask(const struct rspb_command *command, const struct rspb_series *series)
{
	int64_t starts[RSPB_REPEAT_MOST];
	struct rspb_series named = *series;
	char name[RSPB_SERIES_NAME] = "";
	struct asked asked = { 0 };
	struct rspb_err err;
	int n = rspb_repeat_starts(series->repeat, starts, &err), rc;

	if (n > 0)
		n = drop_past(command, starts, n, &err);
	if (n < 0)
		return rspb_command_misused(command, "%s", err.text);
	rc = series->name ? 0 : make_name(command, starts[0], name);
	if (rc)
		return rc;
	if (!named.name)
		named.name = name;
	asked.bookings = json_object_new_array();
	asked.summed = n > 1;
	rc = conclude(command, &named, &asked, n, submit_all(&named, starts, n, &asked));
	if (command->json)
		print_json(&asked, named.name, count_all(&asked, n));
	else if (asked.booked > 1 && asked.booked == asked.decided)
		print_sum(&asked, named.name);
	else if (asked.booked)
		print_booked(command, &asked, named.name);
	json_object_put(asked.bookings);
	return rc;
}

int rspb_series_wait(const struct rspb_command *command, int64_t job)
{
	struct asked asked = { 0 };
	json_object *answer, *booking;
	struct rspb_client client;
	char name[32];
	int rc = rspb_command_connect(command, &client);

	if (rc)
		return rc;
	rc = rspb_request_await(&client, command, &(struct rspb_which){ .job = job }, &answer,
				&booking);
	if (!rc && *rspb_json_text(booking, "task")) {
		json_object_put(answer);
		asked.bookings = json_object_new_array();
		rc = await_tasks(&client, command, job, &asked);
		snprintf(name, sizeof(name), "array_%" PRId64, job);
		if (!rc && command->json)
			print_json(&asked, name, asked.decided);
		if (!rc && asked.booked < asked.decided)
			rc = some(command, &asked, asked.decided);
		json_object_put(asked.bookings);
	} else if (!rc) {
		rc = rspb_request_tell(command, answer, booking);
	}
	rspb_client_fini(&client);
	return rc;
}
