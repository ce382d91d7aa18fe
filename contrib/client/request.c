/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Submits and cancels by Slurm's own commands. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/wire/flags.h"
#include "contrib/client/command.h"
#include "contrib/client/group.h"
#include "contrib/client/moment.h"
#include "contrib/client/replicas.h"
#include "contrib/client/series.h"
#include "contrib/client/submit.h"
#include "contrib/client/wish.h"
#include "contrib/client/words.h"

enum { HEAD = 4 }; /* words of a line before those that were given */

/* --- the words of a line ----------------------------------------------------- */

/* The words that are ours, and those for sbatch. */
struct line {
	char **args; /* owned; of the command's */
	/* For a series: the places of --begin and --deadline, 0: nowhere. */
	int n, begin, deadline;
	const char *until; /* what the latter says */
	bool has_book, wait, all, offers;
	const char *series; /* NULL: none was named */
	int64_t replicas;   /* 0: it is one */
	int64_t hold;	    /* its first offer, s; 0: not */
	struct rspb_repeat repeat;
};

/* Whether a word is an option of ours, with a value behind '=' or as the next. RET
 * the value, which *i stands at then. */
static const char *value_of(const struct rspb_command *command, const char *name, int *i)
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
static int take_own(const struct rspb_command *command, struct line *line, int *i,
		    struct rspb_err *err)
{
	const char *word = command->argv[*i], *value;

	if (!strcmp(word, "--wait") || rspb_submit_is_wait(command->argv + 1, *i - 1))
		return line->wait = true;
	if (!strcmp(word, "--offers"))
		return true;
	/* sbatch has one of its own, which would keep what is accepted waiting. */
	if (line->offers && !strncmp(word, "--hold", 6) && strchr("=", word[6]))
		return rspb_wish_hold(word[6] ? word + 7 : NULL, &line->hold, err) ? -1 : 1;
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
		return rspb_words_count(value, &line->repeat.count, err) ? -1 : 1;
	if ((value = value_of(command, "--until", i)))
		return rspb_moment_until(value, &line->repeat.until, err) ? -1 : 1;
	return 0;
}

/* The value of an option of sbatch's with a short name (NULL: it has none). */
static const char *sbatch_value(const struct rspb_command *command, const char *name,
				const char *brief, int *i)
{
	const char *word = command->argv[*i], *value;

	value = value_of(command, name, i);
	if (value || !brief || strncmp(word, brief, strlen(brief)))
		return value;
	return word[strlen(brief)] ? word + strlen(brief) : value_of(command, brief, i);
}

/* Take an option of sbatch; in a series each job has its own begin and deadline. */
static int take_other(const struct rspb_command *command, struct line *line, int *i,
		      struct rspb_err *err)
{
	const char *word = command->argv[*i], *value;

	line->has_book |= !strncmp(word, "--book", 6);
	if (line->repeat.rule && !line->begin &&
	    (value = sbatch_value(command, "--begin", "-b", i))) {
		line->begin = line->n++;
		return rspb_moment_parse(value, time(NULL), &line->repeat.begin, err);
	}
	if (line->repeat.rule && !line->deadline &&
	    (value = sbatch_value(command, "--deadline", NULL, i))) {
		line->deadline = line->n++;
		line->until = value;
		return 0;
	}
	line->args[line->n++] = command->argv[*i];
	return 0;
}

/* That of the first: 14:00 is that of the day on which it begins. RET 0, -1 with
 * err. */
static int read_deadline(struct line *line, struct rspb_err *err)
{
	struct rspb_repeat *repeat = &line->repeat;
	int64_t now = time(NULL);

	if (!line->until)
		return 0;
	if (rspb_moment_parse(line->until, now, &repeat->deadline, err) ||
	    (repeat->deadline <= repeat->begin && strncmp(line->until, "now", 3) &&
	     rspb_moment_parse(line->until, repeat->begin, &repeat->deadline, err)))
		return -1;
	if (repeat->deadline > repeat->begin)
		return 0;
	return rspb_fail(err,
			 "--deadline=%.40s: is before --begin; each booking of a series "
			 "keeps the time between them",
			 line->until);
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

/* Make one job with as many components. RET 0, -1 with err. */
static int replicate(struct line *line, struct rspb_err *err)
{
	char **words;

	if (!line->replicas)
		return 0;
	if (line->repeat.rule)
		return rspb_fail(err, "--replicas: cannot be combined with --repeat");
	words = rspb_replicas_of(line->args, line->n, HEAD, line->replicas, err);
	if (!words)
		return -1;
	free(line->args);
	line->args = words;
	return 0;
}

static int read_line(const struct rspb_command *command, struct line *line, struct rspb_err *err)
{
	static char program[] = "sbatch", parsable[] = "--parsable", book[] = "--book",
		    offers[] = "--book=offers";
	int rc = 0;

	*line = (struct line){ .repeat.rule = find_rule(command), .offers = finds_offers(command) };
	line->args = calloc((size_t) command->argc + 6, sizeof(*line->args));
	if (!line->args)
		return rspb_fail(err, "out of memory");
	line->args[line->n++] = program;
	line->args[line->n++] = parsable;
	/* All words after the script belong to it. */
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
		rc = rspb_fail(err, "--offers: cannot be combined with --book or --repeat");
	if (rc >= 0 && line->repeat.rule && !line->begin)
		rc = rspb_fail(err, "--repeat: give the first start with --begin");
	if (rc >= 0)
		rc = read_deadline(line, err);
	return rc < 0 ? -1 : replicate(line, err);
}

/* --- one, or a series --------------------------------------------------------- */

/* Once it is looked at, what a job could have. */
static int print_offers(const struct rspb_command *command, int64_t job, int64_t hold)
{
	json_object *answer, *booking;
	struct rspb_client client;
	int rc = rspb_command_connect(command, &client);

	if (rc)
		return rc;
	rc = rspb_request_await(&client, command, &(struct rspb_which){ .job = job }, &answer,
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
	if (rspb_submit(line->args, false, &job))
		return RSPB_EXIT_NO;
	if (line->offers)
		return print_offers(command, job, line->hold);
	if (line->wait)
		return rspb_series_wait(command, job);
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
		return rspb_command_misused(command, "give a script, as for sbatch");
	if (rspb_group_is(command))
		return rspb_group_ask(command);
	if (read_line(command, &line, &err))
		rc = rspb_command_misused(command, "%s", err.text);
	else if (line.repeat.rule)
		rc = rspb_series_ask(command,
				     &(struct rspb_series){ line.args, line.begin, line.deadline, 3,
							    line.all, line.series, &line.repeat });
	else
		rc = ask_one(command, &line);
	free(line.args);
	return rc;
}
