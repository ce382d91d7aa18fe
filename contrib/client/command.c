/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/command.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/base/text.h"
#include "common/wire/flags.h"
#include "common/wire/texts.h"
#include "contrib/client/moment.h"
#include "contrib/client/output.h"
#include "contrib/client/words.h"

/* Most are decided at once, others with the next batch, a few much later. */
enum { POLL_FIRST_MS = 20, POLL_MS = 200, PATIENCE_S = 3600 };

void rspb_command_complain(const struct rspb_command *command, const char *fmt, ...)
{
	char text[4096], *local;
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	local = rspb_output_local(text);
	fprintf(stderr, "rspb %s: %s\n", command->argv[0], local ? local : text);
	free(local);
}

int rspb_command_misused(const struct rspb_command *command, const char *fmt, ...)
{
	va_list ap;

	fprintf(stderr, "rspb %s: ", command->argv[0]);
	va_start(ap, fmt);
	vfprintf(stderr, fmt, ap);
	va_end(ap);
	fprintf(stderr, "; see rspb %s --help\n", command->argv[0]);
	return RSPB_EXIT_USAGE;
}

static bool job_number(const struct rspb_command *command, const char *text, int64_t *job)
{
	if (text && !rspb_text_whole(text, strlen(text), 1, UINT32_MAX, job, NULL))
		return true;
	rspb_command_misused(command, "%s is not a job number", text ? text : "nothing");
	return false;
}

bool rspb_command_which(const struct rspb_command *command, const char *text,
			struct rspb_which *which)
{
	*which = (struct rspb_which){ .name = text };
	if (text && !strncmp(text, RSPB_GROUP_PREFIX, sizeof(RSPB_GROUP_PREFIX) - 1))
		return true;
	which->name = NULL;
	return job_number(command, text, &which->job);
}

struct rspb_which rspb_command_which_of(json_object *booking)
{
	const char *name = rspb_json_text(booking, "reservation");

	return (struct rspb_which){ .job = rspb_json_int(booking, "job"),
				    .name = *name ? name : NULL };
}

json_object *rspb_command_question(const char *op)
{
	json_object *question = json_object_new_object();

	rspb_json_put_text(question, "op", op);
	return question;
}

void rspb_command_add_which(json_object *question, const struct rspb_which *which)
{
	if (which->name)
		rspb_json_put_text(question, "reservation", which->name);
	else
		rspb_json_put_int(question, "job", which->job);
}

json_object *rspb_command_question_which(const char *op, const struct rspb_which *which)
{
	json_object *question = rspb_command_question(op);

	rspb_command_add_which(question, which);
	return question;
}

json_object *rspb_command_question_job(const char *op, int64_t job)
{
	return rspb_command_question_which(op, &(struct rspb_which){ .job = job });
}

int rspb_command_nodes(json_object *question, struct rspb_err *err)
{
	char least[24];
	const char *most = strchr(optarg, '-');
	int64_t number;

	if (most) {
		snprintf(least, sizeof(least), "%.*s", (int) (most - optarg), optarg);
		if (rspb_words_count(least, &number, err))
			return -1;
		rspb_json_put_int(question, "nodes_least", number);
	}
	if (rspb_words_count(most ? most + 1 : optarg, &number, err))
		return -1;
	rspb_json_put_int(question, "nodes", number);
	return 0;
}

int rspb_command_flag(const char *name, json_object *question, struct rspb_err *err)
{
	const struct rspb_term *term = rspb_term_find(name, strlen(name));
	char key[RSPB_TERM_KEY], seconds[32];
	struct rspb_terms flags = { 0 };
	const char *text = optarg;
	int64_t number;

	/* Times without a unit are minutes in this client, as for --time of sbatch. */
	if (!strcmp(term->arginfo, "TIME") && !rspb_words_duration(optarg, &number, NULL)) {
		snprintf(seconds, sizeof(seconds), "%" PRId64 "s", number);
		text = seconds;
	}
	if (rspb_flag_set(&flags, name, text, err))
		return -1;
	rspb_term_key(term, key);
	if (flags.asap)
		rspb_json_put_bool(question, "asap", true);
	else if (rspb_term_is_number(term))
		rspb_json_put_int(question, key, *(const int64_t *) rspb_term_at(term, &flags));
	else if (term->where & (RSPB_TERM_RESERVE | RSPB_TERM_OFFERS))
		rspb_json_put_text(question, key, optarg);
	if (flags.share)
		rspb_json_put_int(question, "share", flags.share);
	if (flags.share_min)
		rspb_json_put_int(question, "share_least", flags.share_min);
	return 0;
}

void rspb_command_options_of(uint8_t door, const struct option *plain,
			     struct option all[RSPB_OPTIONS_MOST])
{
	size_t n = 0;

	for (; plain[n].name; n++)
		all[n] = plain[n];
	for (const struct rspb_term *t = rspb_terms; t->name; t++)
		if (t->where & door)
			all[n++] = (struct option){ t->name, required_argument, NULL,
						    RSPB_OPTION_TERM + (int) (t - rspb_terms) };
	all[n] = (struct option){ NULL };
}

int rspb_command_term(int option, json_object *question, struct rspb_err *err)
{
	const char *key = NULL;
	int64_t number;
	int rc = -1;

	if (option >= RSPB_OPTION_TERM)
		return rspb_command_flag(rspb_terms[option - RSPB_OPTION_TERM].name, question, err);
	switch (option) {
	case 'p':
		rspb_json_put_text(question, "partition", optarg);
		return 0;
	case 'C':
		rspb_json_put_text(question, "features", optarg);
		return 0;
	case 'N':
		key = "nodes";
		rc = rspb_words_count(optarg, &number, err);
		break;
	case 't':
		key = "duration";
		rc = rspb_words_limit(optarg, &number, err);
		break;
	case 'b':
	case 'd':
		key = option == 'b' ? "begin" : "until";
		rc = rspb_moment_parse(optarg, time(NULL), &number, err);
		break;
	}
	if (!rc)
		rspb_json_put_int(question, key, number);
	return rc;
}

bool rspb_command_options(const struct rspb_command *command, const char *letters,
			  const struct option *options,
			  int (*set)(int option, void *wish, struct rspb_err *err), void *wish)
{
	struct rspb_err err;
	int c;

	while ((c = getopt_long(command->argc, command->argv, letters, options, NULL)) != -1) {
		if (c == '?')
			return false;
		if (set(c, wish, &err)) {
			rspb_command_misused(command, "%s", err.text);
			return false;
		}
	}
	if (optind < command->argc)
		rspb_command_misused(command, "unexpected argument %s", command->argv[optind]);
	return optind >= command->argc;
}

int rspb_command_connect(const struct rspb_command *command, struct rspb_client *client)
{
	struct rspb_err err;

	if (!rspb_client_init(client, command->server, &err))
		return RSPB_EXIT_DONE;
	fprintf(stderr, "rspb %s: %s\n", command->argv[0], err.text);
	return RSPB_EXIT_NO_ANSWER;
}

int rspb_command_ask_on(struct rspb_client *client, const struct rspb_command *command,
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
	rspb_command_complain(command, "%s", rspb_json_text(*answer, "text"));
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
	int rc = rspb_command_connect(command, &client);

	if (rc) {
		json_object_put(question);
		return rc;
	}
	rc = rspb_command_ask_on(&client, command, question, answer);
	rspb_client_fini(&client);
	return rc;
}

int rspb_command_read(struct rspb_client *client, const struct rspb_command *command,
		      const struct rspb_command_pages *pages)
{
	int64_t first = 0;

	do {
		json_object *question = rspb_command_question(pages->op);
		json_object *answer;
		int rc;

		rspb_json_put_int(question, "first", first);
		if (pages->fill)
			pages->fill(pages->arg, question);
		rc = rspb_command_ask_on(client, command, question, &answer);
		if (rc)
			return rc;
		pages->take(pages->arg, answer);
		first = rspb_json_int(answer, "next");
		json_object_put(answer);
	} while (first);
	return RSPB_EXIT_DONE;
}

/* --- what has been asked for ------------------------------------------------- */

bool rspb_request_good(json_object *booking)
{
	const char *state = rspb_json_text(booking, "state");

	return strcmp(state, "declined") && strcmp(state, "cancelled");
}

/* Print what a booking has of each of its nodes: ", each with 2 cores, 1 GPU (a100), 2048 MiB". If
 * the nodes may give different amounts, rspb show lists these. */
static void print_each(json_object *booking, const char *id, bool one)
{
	char text[256];
	struct rspb_text words = rspb_text_over(text, sizeof(text));

	if (!one && json_object_object_get_ex(booking, "by_node", NULL)) {
		printf(", each with what rspb show %s lists", id);
		return;
	}
	rspb_cores_add_words(rspb_json_int(booking, "cores"), rspb_json_text(booking, "gres"),
			     rspb_json_int(booking, "mem"), &words);
	if (*text)
		printf("%s%s", one ? " with " : ", each with ", text);
}

bool rspb_request_print(const struct rspb_command *command, json_object *booking)
{
	const char *state = rspb_json_text(booking, "state");
	bool good = rspb_request_good(booking), one;
	char from[RSPB_OUTPUT_CELL], nodes[RSPB_OUTPUT_CELL];
	char which[RSPB_OUTPUT_CELL + 8], id[RSPB_OUTPUT_CELL];

	if (command->json)
		return good;
	rspb_output_id(booking, id);
	snprintf(which, sizeof(which), "%s%s",
		 good || *rspb_json_text(booking, "reservation") ? "" : "job ", id);
	if (!good) {
		rspb_command_complain(command, "%s %s: %s", which, state,
				      rspb_json_text(booking, "reason"));
		return good;
	}
	rspb_output_nodes(booking, nodes);
	one = !strcmp(nodes, "1");
	printf("%s %s from %s on %s node%s %s", which, state,
	       rspb_output_moment(rspb_json_int(booking, "start"), from), nodes, one ? "" : "s",
	       rspb_json_text(booking, "names"));
	print_each(booking, id, one);
	if (*rspb_json_text(booking, "licenses"))
		printf(", with licenses %s", rspb_json_text(booking, "licenses"));
	putchar('\n');
	return good;
}

int rspb_request_await(struct rspb_client *client, const struct rspb_command *command,
		       const struct rspb_which *which, json_object **answer, json_object **booking)
{
	int pause = POLL_FIRST_MS;

	for (int i = 0; i < PATIENCE_S * 1000 / POLL_MS; i++) {
		int rc = rspb_command_ask_on(client, command,
					     rspb_command_question_which("show", which), answer);

		if (rc)
			return rc;
		json_object_object_get_ex(*answer, "booking", booking);
		if (strcmp(rspb_json_text(*booking, "state"), "requested"))
			return RSPB_EXIT_DONE;
		json_object_put(*answer);
		usleep((useconds_t) pause * 1000);
		pause = i < 10 ? pause : POLL_MS;
	}
	return RSPB_EXIT_NO_ANSWER;
}

int rspb_request_tell(const struct rspb_command *command, json_object *answer, json_object *booking)
{
	bool good = rspb_request_print(command, booking);

	if (command->json)
		rspb_output_json(answer);
	else
		json_object_put(answer);
	return good ? RSPB_EXIT_DONE : RSPB_EXIT_NO;
}

int rspb_request_wait(const struct rspb_command *command, const struct rspb_which *which)
{
	struct rspb_client client;
	json_object *answer, *booking;
	int rc = rspb_command_connect(command, &client);

	if (rc)
		return rc;
	rc = rspb_request_await(&client, command, which, &answer, &booking);
	if (!rc)
		rc = rspb_request_tell(command, answer, booking);
	rspb_client_fini(&client);
	return rc;
}
