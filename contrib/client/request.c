/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm's own commands do: submit and cancel. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/base/text.h"
#include "common/wire/flags.h"
#include "contrib/client/command.h"
#include "contrib/client/group.h"
#include "contrib/client/moment.h"
#include "contrib/client/output.h"
#include "contrib/client/replicas.h"
#include "contrib/client/series.h"
#include "contrib/client/submit.h"
#include "contrib/client/wish.h"
#include "contrib/client/words.h"

enum { POLL_MS = 200, PATIENCE_S = 3600 };
enum { HEAD = 4 }; /* words of a line before those that were given */

bool rspb_request_print(const struct rspb_command *command,
			json_object *booking)
{
	const char *state = rspb_answer_text(booking, "state");
	bool good = strcmp(state, "declined") && strcmp(state, "cancelled");
	char from[RSPB_OUTPUT_CELL], nodes[RSPB_OUTPUT_CELL];
	const char *name = rspb_answer_text(booking, "reservation");
	char which[RSPB_OUTPUT_CELL];

	if (command->json)
		return good;
	snprintf(which, sizeof(which), "%.47s", name);
	if (!*name)
		snprintf(which, sizeof(which), "%s%" PRId64, good ? "" : "job ",
			 rspb_answer_number(booking, "job"));
	if (good)
		printf("%s %s from %s on %s nodes %s\n", which, state,
		       rspb_output_time(rspb_answer_number(booking, "start"),
					from),
		       rspb_output_nodes(booking, nodes),
		       rspb_answer_text(booking, "names"));
	else
		fprintf(stderr, "rspb %s: %s %s: %s\n", command->argv[0], which,
			state, rspb_answer_text(booking, "reason"));
	return good;
}

int rspb_request_await(struct rspb_client *client,
		       const struct rspb_command *command,
		       const struct rspb_which *which, json_object **answer,
		       json_object **booking)
{
	for (int i = 0; i < PATIENCE_S * 1000 / POLL_MS; i++) {
		int rc = rspb_command_ask_on(client, command,
					     rspb_command_question_which("show",
									 which),
					     answer);

		if (rc)
			return rc;
		json_object_object_get_ex(*answer, "booking", booking);
		if (strcmp(rspb_answer_text(*booking, "state"), "requested"))
			return RSPB_EXIT_DONE;
		json_object_put(*answer);
		usleep(POLL_MS * 1000);
	}
	return RSPB_EXIT_NO_ANSWER;
}

int rspb_request_wait(const struct rspb_command *command,
		      const struct rspb_which *which)
{
	struct rspb_client client;
	json_object *answer, *booking;
	int rc = rspb_command_connect(command, &client);

	if (rc)
		return rc;
	rc = rspb_request_await(&client, command, which, &answer, &booking);
	if (!rc && !rspb_request_print(command, booking))
		rc = RSPB_EXIT_NO;
	if (rc != RSPB_EXIT_NO_ANSWER && command->json)
		rspb_output_json(answer);
	else if (rc != RSPB_EXIT_NO_ANSWER)
		json_object_put(answer);
	rspb_client_fini(&client);
	return rc;
}

/* --- the words of a line ----------------------------------------------------- */

/* Those that are ours, and what sbatch gets. */
struct line {
	char **args;  /* owned; of the command's */
	int n, begin; /* where --begin stands, 0: nowhere */
	bool has_book, wait, all, offers;
	const char *series; /* NULL: none was named */
	int64_t replicas;   /* 0: it is one */
	int64_t hold;	    /* its first offer, s; 0: not */
	struct rspb_repeat repeat;
};

/* Whether a word is an option of ours, with a value behind '=' or as the next. RET
 * the value, which *i stands at then. */
static const char *value_of(const struct rspb_command *command,
			    const char *name, int *i)
{
	const char *word = command->argv[*i];
	size_t len = strlen(name);

	if (strncmp(word, name, len) || (word[len] && word[len] != '='))
		return NULL;
	if (word[len])
		return word + len + 1;
	return *i + 1 < command->argc ? command->argv[++*i] : "";
}

/* RET 1: it is one of ours; 0: it is not; -1 with err. */
static int take_own(const struct rspb_command *command, struct line *line,
		    int *i, struct rspb_err *err)
{
	const char *word = command->argv[*i], *value;

	if (!strcmp(word, "--wait"))
		return line->wait = true;
	if (!strcmp(word, "--offers"))
		return true;
	/* sbatch has one of its own, which would keep what is accepted waiting. */
	if (line->offers && !strncmp(word, "--hold", 6) && strchr("=", word[6]))
		return rspb_wish_hold(word[6] ? word + 7 : NULL, &line->hold,
				      err)
			       ? -1
			       : 1;
	if ((value = value_of(command, "--series", i))) {
		line->series = value;
		return 1;
	}
	if ((value = value_of(command, "--replicas", i)))
		return rspb_words_count(value, &line->replicas, err) ? -1 : 1;
	if (!line->repeat.rule)
		return 0;
	if (!strcmp(command->argv[*i], "--all-or-none"))
		return line->all = true;
	if (value_of(command, "--repeat", i))
		return 1;
	if ((value = value_of(command, "--count", i)))
		return rspb_words_count(value, &line->repeat.count, err) ? -1
									 : 1;
	if ((value = value_of(command, "--until", i)))
		return rspb_moment_parse(value, time(NULL), &line->repeat.until,
					 err)
			       ? -1
			       : 1;
	return 0;
}

/* One of sbatch's, which may be its begin. */
static int take_other(const struct rspb_command *command, struct line *line,
		      int *i, struct rspb_err *err)
{
	int at = *i;
	const char *begin = NULL;

	line->has_book |= !strncmp(command->argv[at], "--book", 6);
	if (line->repeat.rule && !line->begin) {
		begin = value_of(command, "--begin", i);
		if (!begin && !strncmp(command->argv[at], "-b", 2))
			begin = command->argv[at][2]
					? command->argv[at] + 2
					: value_of(command, "-b", i);
	}
	if (!begin) {
		line->args[line->n++] = command->argv[at];
		return 0;
	}
	line->begin = line->n++;
	return rspb_moment_parse(begin, time(NULL), &line->repeat.begin, err);
}

static bool finds_offers(const struct rspb_command *command)
{
	for (int i = 1; i < command->argc; i++)
		if (!strcmp(command->argv[i], "--offers"))
			return true;
	return false;
}

static const char *find_rule(const struct rspb_command *command)
{
	const char *value = NULL;

	for (int i = 1; i < command->argc && !value; i++)
		value = value_of(command, "--repeat", &i);
	return value;
}

/* One job with as many components. RET 0, -1 with err. */
static int replicate(struct line *line, struct rspb_err *err)
{
	char **words;

	if (!line->replicas)
		return 0;
	if (line->repeat.rule)
		return rspb_fail(err, "--replicas: is about one request, "
				      "without --repeat");
	words = rspb_replicas_of(line->args, line->n, HEAD, line->replicas,
				 err);
	if (!words)
		return -1;
	free(line->args);
	line->args = words;
	return 0;
}

static int read_line(const struct rspb_command *command, struct line *line,
		     struct rspb_err *err)
{
	static char program[] = "sbatch", parsable[] = "--parsable",
		    book[] = "--book", offers[] = "--book=offers";
	int rc = 0;

	*line = (struct line){ .repeat.rule = find_rule(command),
			       .offers = finds_offers(command) };
	line->args = calloc((size_t) command->argc + 6, sizeof(*line->args));
	if (!line->args)
		return rspb_fail(err, "out of memory");
	line->args[line->n++] = program;
	line->args[line->n++] = parsable;
	/* Behind the script all is the script's. */
	line->args[line->n++] = book;
	line->args[line->n++] = parsable; /* the place of --series */
	for (int i = 1; i < command->argc && rc >= 0; i++) {
		rc = take_own(command, line, &i, err);
		if (!rc)
			rc = take_other(command, line, &i, err);
	}
	if (rc >= 0 && line->has_book)
		line->args[2] = parsable;
	if (rc >= 0 && line->offers)
		line->args[2] = offers;
	if (rc >= 0 && line->offers && (line->has_book || line->repeat.rule))
		rc = rspb_fail(err, "--offers: is about one request, without "
				    "--book and --repeat");
	if (rc >= 0 && line->repeat.rule && !line->begin)
		rc = rspb_fail(err, "--repeat: of what begins when? Give "
				    "--begin");
	return rc < 0 ? -1 : replicate(line, err);
}

/* --- one, or a series --------------------------------------------------------- */

/* Once it is looked at, what a job could have. */
static int print_offers(const struct rspb_command *command, int64_t job,
			int64_t hold)
{
	json_object *answer, *booking;
	struct rspb_client client;
	int rc = rspb_command_connect(command, &client);

	if (rc)
		return rc;
	rc = rspb_request_await(&client, command,
				&(struct rspb_which){ .job = job }, &answer,
				&booking);
	rspb_client_fini(&client);
	if (rc)
		return rc;
	json_object_put(answer);
	if (!command->json)
		printf("job %" PRId64 ":\n", job);
	return rspb_offers_tell(command, job, hold);
}

static int ask_one(const struct rspb_command *command, struct line *line)
{
	char series[RSPB_SERIES_NAME + 16];
	int64_t job;

	if (line->series) {
		snprintf(series, sizeof(series), "--series=%s", line->series);
		line->args[3] = series;
	}
	if (rspb_submit(line->args, &job))
		return RSPB_EXIT_NO;
	if (line->offers)
		return print_offers(command, job, line->hold);
	if (line->wait)
		return rspb_request_wait(command,
					 &(struct rspb_which){ .job = job });
	if (command->json)
		printf("{ \"version\":1, \"job\":%" PRId64 " }\n", job);
	else
		printf("%" PRId64 "\n", job);
	return RSPB_EXIT_DONE;
}

int rspb_command_request(const struct rspb_command *command)
{
	struct rspb_err err;
	struct line line;
	int rc;

	if (command->argc < 2)
		return rspb_command_misused(command, "what sbatch takes is "
						     "wanted");
	if (rspb_group_is(command))
		return rspb_group_ask(command);
	if (read_line(command, &line, &err))
		rc = rspb_command_misused(command, "%s", err.text);
	else if (line.repeat.rule)
		rc = rspb_series_ask(command,
				     &(struct rspb_series){
					     line.args, line.begin, 3, line.all,
					     line.series, &line.repeat });
	else
		rc = ask_one(command, &line);
	free(line.args);
	return rc;
}
