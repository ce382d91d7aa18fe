/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb slots: asks when nodes could be had, and prints it. It books nothing. */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/request/request.h"
#include "common/wire/flags.h"
#include "contrib/client/command.h"
#include "contrib/client/output.h"
#include "contrib/client/wish.h"
#include "contrib/client/words.h"

/* RET false: it is wrong, which was said. */
static bool take_option(const struct rspb_command *command, int option, json_object *question)
{
	int64_t number;
	struct rspb_err err;
	int rc;

	switch (option) {
	case '?':
		return false;
	case 'n':
		rc = rspb_words_span(optarg, &number, &err) ? rspb_fail_at(&err, "--next") : 0;
		if (!rc)
			rspb_json_put_int(question, "until", time(NULL) + number);
		break;
	case 'm':
	case 'c':
		rc = rspb_words_count(optarg, &number, &err);
		if (!rc)
			rspb_json_put_int(question, option == 'c' ? "cpus" : "most", number);
		break;
	case 'W':
		rc = rspb_command_flag("work", question, &err);
		break;
	case 'M':
		rc = rspb_wish_term('m', question, &err);
		break;
	case 'G':
	case 'L':
	case 'w':
		rc = rspb_wish_term(option, question, &err);
		break;
	default:
		rc = rspb_command_term(option, question, &err);
	}
	if (rc)
		rspb_command_misused(command, "%s", err.text);
	return !rc;
}

static void print_slots(json_object *answer)
{
	json_object *list = rspb_json_list(answer, "slots");
	char from[RSPB_OUTPUT_CELL], until[RSPB_OUTPUT_CELL], zone[RSPB_OUTPUT_CELL];
	char nodes[RSPB_OUTPUT_CELL];

	snprintf(from, sizeof(from), "FIRST START (%.20s)",
		 rspb_output_zones(list, "from", "until", zone));
	printf("%-19s  %-19s  %s\n", from, "LAST START", "FREE NODES");
	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		json_object *slot = json_object_array_get_idx(list, i);
		int64_t free = rspb_json_int(slot, "free");

		/* The count is missing where users may not see nodes. */
		snprintf(nodes, sizeof(nodes), free ? "%" PRId64 : "-", free);
		printf("%-19s  %-19s  %s\n", rspb_output_time(rspb_json_int(slot, "from"), from),
		       rspb_output_time(rspb_json_int(slot, "until"), until), nodes);
	}
}

/* The same in words, of one node up to all: how far ahead one must ask. */
static void print_leads(json_object *answer)
{
	json_object *list = rspb_json_list(answer, "leads");
	char text[RSPB_OUTPUT_CELL];

	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		json_object *lead = json_object_array_get_idx(list, i), *in;
		int64_t nodes = rspb_json_int(lead, "nodes");

		printf("%s%" PRId64 " node%s ", i ? ", " : "earliest: ", nodes,
		       nodes == 1 ? "" : "s");
		if (!json_object_object_get_ex(lead, "seconds", &in))
			printf("not available");
		else if (!json_object_get_int64(in))
			printf("now");
		else
			printf("in %s", rspb_output_duration(json_object_get_int64(in), text));
	}
	if (list && json_object_array_length(list))
		putchar('\n');
}

static int ask(const struct rspb_command *command, json_object *question)
{
	json_object *answer, *list;
	int rc = rspb_command_ask(command, question, &answer);

	if (rc)
		return rc;
	list = rspb_json_list(answer, "slots");
	if (!list || !json_object_array_length(list))
		rc = RSPB_EXIT_NO;
	if (command->json) {
		rspb_output_json(answer);
		return rc;
	}
	if (rc)
		fprintf(stderr, "rspb slots: no such slot is available within that time\n");
	else
		print_slots(answer);
	print_leads(answer);
	json_object_put(answer);
	return rc;
}

/* Work takes as long as it does on so many nodes. RET 0, or -1 with err. */
static int time_work(json_object *question, struct rspb_err *err)
{
	const char *work = rspb_json_text(question, "work");
	int64_t nodes = rspb_json_int(question, "nodes"), seconds;
	struct rspb_terms flags = { .book = true };

	if (!*work)
		return 0;
	if (!nodes)
		return rspb_fail(err, "--work: -N is needed, too");
	if (rspb_flag_set(&flags, "work", work, err))
		return -1;
	seconds = rspb_moldable_duration(&flags.work, (uint32_t) nodes);
	if (!seconds)
		return rspb_fail(err, "--work: the table has no time for %" PRId64 " nodes", nodes);
	json_object_object_del(question, "work");
	rspb_json_put_int(question, "duration", (seconds + 59) / 60 * 60);
	return 0;
}

int rspb_command_slots(const struct rspb_command *command)
{
	static const struct option options[] = { { "nodes", required_argument, NULL, 'N' },
						 { "time", required_argument, NULL, 't' },
						 { "begin", required_argument, NULL, 'b' },
						 { "next", required_argument, NULL, 'n' },
						 { "most", required_argument, NULL, 'm' },
						 { "partition", required_argument, NULL, 'p' },
						 { "cpus", required_argument, NULL, 'c' },
						 { "mem", required_argument, NULL, 'M' },
						 { "gpus", required_argument, NULL, 'G' },
						 { "constraint", required_argument, NULL, 'C' },
						 { "nodelist", required_argument, NULL, 'w' },
						 { "licenses", required_argument, NULL, 'L' },
						 { "work", required_argument, NULL, 'W' },
						 { NULL } };
	json_object *question = rspb_command_question("slots");
	struct rspb_err err;
	int64_t begin;
	int c;

	while ((c = getopt_long(command->argc, command->argv, "N:t:b:p:C:w:L:", options, NULL)) !=
	       -1)
		if (!take_option(command, c, question)) {
			json_object_put(question);
			return RSPB_EXIT_USAGE;
		}
	begin = rspb_json_int(question, "begin");
	if (begin && begin < time(NULL) - RSPB_BEGIN_PAST_S) {
		json_object_put(question);
		return rspb_command_misused(command, "--begin: it has passed; give a later one");
	}
	if (time_work(question, &err)) {
		json_object_put(question);
		return rspb_command_misused(command, "%s", err.text);
	}
	if (optind == command->argc && json_object_object_get_ex(question, "duration", NULL))
		return ask(command, question);
	json_object_put(question);
	return rspb_command_misused(command, optind < command->argc ? "only options are allowed"
								    : "--time or --work is needed");
}
