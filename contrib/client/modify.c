/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb modify: turns options into a question, and says what has become of it. What may
 * be changed slurmctld decides. */
#include <getopt.h>
#include <inttypes.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "contrib/client/command.h"
#include "contrib/client/output.h"
#include "contrib/client/series.h"
#include "contrib/client/wish.h"
#include "contrib/client/words.h"

static int take_user(json_object *question, struct rspb_err *err)
{
	const struct passwd *entry = getpwnam(optarg);

	if (!entry)
		return rspb_fail(err, "--user=%.80s: there is no such user", optarg);
	rspb_json_put_int(question, "uid", entry->pw_uid);
	return 0;
}

/* Read the time to be added to the length, or taken off. */
static int take_longer(json_object *question, struct rspb_err *err)
{
	int64_t seconds;

	if (rspb_words_limit(optarg + 1, &seconds, err))
		return -1;
	rspb_json_put_int(question, "longer", *optarg == '-' ? -seconds : seconds);
	return 0;
}

/* RET 0, or -1 with err. */
static int take_option(int option, json_object *question, struct rspb_err *err)
{
	if (option == 't' && (*optarg == '+' || *optarg == '-'))
		return take_longer(question, err);
	if (option == 'U')
		return take_user(question, err);
	if (option == 'N')
		return rspb_command_term(option, question, err);
	if (option != 'S')
		return rspb_wish_term(option, question, err);
	if (rspb_command_flag("cpu-share", question, err))
		return -1;
	return json_object_object_get_ex(question, "share_least", NULL)
		       ? rspb_fail(err, "--cpu-share=%.40s: give one share", optarg)
		       : 0;
}

/* Ask for it and print what came of it. Takes over the question. */
static int send_change(const struct rspb_command *command, json_object *question)
{
	json_object *answer;
	char *said;
	int rc = rspb_command_ask(command, question, &answer);

	if (rc)
		return rc;
	if (command->json) {
		rspb_output_json(answer);
		return rc;
	}
	said = rspb_output_local(rspb_json_text(answer, "text"));
	printf("%s\n", said ? said : "");
	free(said);
	json_object_put(answer);
	return rc;
}

static int64_t begin_of(json_object *one)
{
	int64_t start = rspb_json_int(one, "start");

	return start ? start : rspb_json_int(one, "ready");
}

/* The same of one of several; moved: by how much later it is to begin, where the
 * terms name a begin. */
static json_object *question_for(json_object *terms, json_object *one, int64_t moved)
{
	struct rspb_which which = rspb_command_which_of(one);
	json_object *question = NULL;
	int64_t start = begin_of(one);

	json_object_deep_copy(terms, &question, NULL);
	rspb_command_add_which(question, &which);
	if (start && json_object_object_get_ex(terms, "begin", NULL))
		rspb_json_put_int(question, "begin", start + moved);
	return question;
}

/* Each by itself: who cannot have it stays as it is. RET how it ended. */
static int send_each(const struct rspb_command *command, json_object *terms, json_object *list,
		     bool named, int64_t moved)
{
	size_t n = json_object_array_length(list);
	char cell[RSPB_OUTPUT_CELL];
	int rc = RSPB_EXIT_DONE;

	for (size_t i = 0; i < n; i++) {
		json_object *one = json_object_array_get_idx(list, i);
		int ended;

		if (named && !command->json)
			printf("job %s: ", rspb_output_id(one, cell));
		fflush(stdout);
		ended = send_change(command, question_for(terms, one, moved));
		if (ended && named && !command->json)
			printf("as it was\n");
		rc = ended > rc ? ended : rc;
		if (ended == RSPB_EXIT_NO_ANSWER)
			break;
	}
	return rc;
}

/* --- a series --------------------------------------------------------------- */

/* The bookings of a series by state; OTHER is neither of the first two. */
enum part { BOOKED, ACTIVE, OTHER, N_PARTS };

/* The share of what runs can be changed, too. */
static void split(json_object *list, bool shares, json_object *parts[N_PARTS])
{
	for (int i = 0; i < N_PARTS; i++)
		parts[i] = json_object_new_array();
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		json_object *one = json_object_array_get_idx(list, i);
		const char *state = rspb_json_text(one, "state");
		enum part part = !strcmp(state, "booked")  ? BOOKED
				 : strcmp(state, "active") ? OTHER
				 : shares		   ? BOOKED
							   : ACTIVE;

		json_object_array_add(parts[part], json_object_get(one));
	}
}

/* Change all booked ones, or none. */
static int send_together(const struct rspb_command *command, json_object *terms,
			 json_object *booked, int64_t moved)
{
	json_object *question = NULL, *jobs = json_object_new_array();

	json_object_deep_copy(terms, &question, NULL);
	json_object_object_del(question, "begin");
	if (moved)
		rspb_json_put_int(question, "moved", moved);
	for (size_t i = 0; i < json_object_array_length(booked); i++)
		json_object_array_add(jobs, json_object_new_int64(rspb_json_int(
						    json_object_array_get_idx(booked, i), "job")));
	rspb_json_put(question, "jobs", jobs);
	return send_change(command, question);
}

/* The first begins then, the others are moved as far; who waits for a booking asks
 * again, once those that have one are changed. */
static int change_parts(const struct rspb_command *command, json_object *terms,
			json_object *parts[N_PARTS])
{
	json_object *first = json_object_array_get_idx(parts[BOOKED], 0), *begin;
	char cell[RSPB_OUTPUT_CELL];
	int64_t moved = 0;
	int rc = RSPB_EXIT_DONE;

	if (!first)
		first = json_object_array_get_idx(parts[OTHER], 0);
	if (first && json_object_object_get_ex(terms, "begin", &begin))
		moved = json_object_get_int64(begin) - begin_of(first);
	if (json_object_array_length(parts[BOOKED]))
		rc = send_together(command, terms, parts[BOOKED], moved);
	if (rc)
		return rc;
	if (!command->json)
		for (size_t i = 0; i < json_object_array_length(parts[ACTIVE]); i++)
			printf("job %s has begun and is not changed\n",
			       rspb_output_id(json_object_array_get_idx(parts[ACTIVE], i), cell));
	return send_each(command, terms, parts[OTHER], true, moved);
}

static int change_series(const struct rspb_command *command, json_object *terms, json_object *list)
{
	json_object *parts[N_PARTS];
	int rc;

	if (json_object_object_get_ex(terms, "until", NULL))
		return rspb_command_misused(command, "--deadline is for one job, not for a series");
	split(list, json_object_object_get_ex(terms, "share", NULL), parts);
	rc = change_parts(command, terms, parts);
	for (int i = 0; i < N_PARTS; i++)
		json_object_put(parts[i]);
	return rc;
}

static int64_t length_of(json_object *one)
{
	int64_t start = rspb_json_int(one, "start");

	return start ? rspb_json_int(one, "end") - start : rspb_json_int(one, "duration");
}

/* That of one of which only the name is known. RET 0, or the exit status. */
static int ask_length(const struct rspb_command *command, json_object *one, int64_t *length)
{
	struct rspb_which which = rspb_command_which_of(one);
	json_object *answer, *booking;
	int rc = rspb_command_ask(command, rspb_command_question_which("show", &which), &answer);

	if (rc)
		return rc;
	if (json_object_object_get_ex(answer, "booking", &booking))
		*length = length_of(booking);
	json_object_put(answer);
	return 0;
}

/* Turn -t +TIME into the new length of all in the list. RET 0, or the exit status. */
static int lengthen(const struct rspb_command *command, json_object *terms, json_object *list)
{
	json_object *longer;
	json_object *first = json_object_array_get_idx(list, 0);
	int64_t length = length_of(first);
	int rc;

	if (!json_object_object_get_ex(terms, "longer", &longer))
		return 0;
	rc = length ? 0 : ask_length(command, first, &length);
	if (rc)
		return rc;
	for (size_t i = 1; i < json_object_array_length(list); i++)
		if (length_of(json_object_array_get_idx(list, i)) != length)
			return rspb_command_misused(command,
						    "-t: the bookings of the series are not "
						    "equally long; give their new length "
						    "without a sign");
	length += json_object_get_int64(longer);
	if (length <= 0)
		return rspb_command_misused(command, "-t: nothing is left of the booking");
	json_object_object_del(terms, "longer");
	rspb_json_put_int(terms, "duration", length);
	return 0;
}

/* Change one booking, or a series. */
static int send_all(const struct rspb_command *command, json_object *terms, json_object *list)
{
	json_object *one = json_object_array_get_idx(list, 0), *begin;
	int64_t moved = 0;
	int rc = lengthen(command, terms, list);

	if (rc)
		return rc;
	if (json_object_array_length(list) > 1)
		return change_series(command, terms, list);
	if (json_object_object_get_ex(terms, "begin", &begin))
		moved = json_object_get_int64(begin) - begin_of(one);
	return send_each(command, terms, list, false, moved);
}

int rspb_command_modify(const struct rspb_command *command)
{
	static const struct option options[] = { { "nodes", required_argument, NULL, 'N' },
						 { "time", required_argument, NULL, 't' },
						 { "begin", required_argument, NULL, 'b' },
						 { "deadline", required_argument, NULL, 'd' },
						 { "cpu-share", required_argument, NULL, 'S' },
						 { "user", required_argument, NULL, 'U' },
						 { "constraint", required_argument, NULL, 'C' },
						 RSPB_WISH_SIZE,
						 { NULL } };
	json_object *question = rspb_command_question("modify");
	struct rspb_err err = { "see rspb --help" };
	json_object *list;
	int c, rc = 0;

	while (!rc && (c = getopt_long(command->argc, command->argv, "N:t:b:C:n:c:G:", options,
				       NULL)) != -1)
		rc = take_option(c, question, &err);
	if (rc)
		rspb_command_misused(command, "%s", err.text);
	else if (optind + 1 != command->argc || json_object_object_length(question) < 2)
		rc = rspb_command_misused(command, "give one job, and what to change");
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
		return rspb_command_misused(command, "give one job or series");
	rc = rspb_series_find(command, command->argv[1], &list);
	if (rc)
		return rc;
	question = rspb_command_question("release");
	rc = send_each(command, question, list, json_object_array_length(list) > 1, 0);
	json_object_put(question);
	json_object_put(list);
	return rc;
}
