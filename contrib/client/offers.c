/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "contrib/client/command.h"
#include "contrib/client/output.h"
#include "contrib/client/wish.h"

static void print_offers(json_object *list)
{
	char start[RSPB_OUTPUT_CELL], end[RSPB_OUTPUT_CELL];

	printf("%-26s %-19s %-19s %5s %6s %7s  %s\n", "OFFER", "START", "END",
	       "NODES", "SHARE", "BENEFIT", "FLAGS");
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		json_object *offer = json_object_array_get_idx(list, i);
		char share[RSPB_OUTPUT_CELL] = "-";

		if (json_object_object_get_ex(offer, "share", NULL))
			snprintf(share, sizeof(share), "%g%%",
				 rspb_answer_decimal(offer, "share"));
		printf("%-26s %-19s %-19s %5" PRId64 " %6s %7.2f  %s\n",
		       rspb_answer_text(offer, "offer"),
		       rspb_output_time(rspb_answer_number(offer, "start"),
					start),
		       rspb_output_time(rspb_answer_number(offer, "end"), end),
		       rspb_answer_number(offer, "nodes"), share,
		       rspb_answer_decimal(offer, "benefit"),
		       rspb_answer_text(offer, "flags"));
	}
}

int rspb_offers_print(const struct rspb_command *command, json_object *question)
{
	json_object *answer, *list;
	int rc = rspb_command_ask(command, question, &answer);

	if (rc)
		return rc;
	list = rspb_answer_list(answer, "offers");
	rc = list && json_object_array_length(list) ? RSPB_EXIT_DONE
						    : RSPB_EXIT_NO;
	if (command->json) {
		rspb_output_json(answer);
		return rc;
	}
	if (rc)
		fprintf(stderr,
			"rspb %s: nothing can be had within the site's "
			"Horizon\n",
			command->argv[0]);
	else
		print_offers(list);
	json_object_put(answer);
	return rc;
}

int rspb_command_offers(const struct rspb_command *command)
{
	json_object *question = rspb_command_question("offers");
	int64_t job = rspb_wish_take(command, question);

	if (job < 0) {
		json_object_put(question);
		return RSPB_EXIT_USAGE;
	}
	if (job)
		rspb_command_add(question, "job", job);
	return rspb_offers_print(command, question);
}

/* "4@20261124T110000Z+3600", "35.5%@...", "@...". RET false: it is none. */
static bool read_offer(const char *text, json_object *question)
{
	int year, month, day, hour, minute, second, len = -1;
	long long seconds;
	double amount = 0;
	const char *at = strchr(text, '@');
	bool share = at && at > text && at[-1] == '%';
	struct tm tm = { 0 };

	if (!at ||
	    sscanf(at, "@%4d%2d%2dT%2d%2d%2dZ+%9lld%n", &year, &month, &day,
		   &hour, &minute, &second, &seconds, &len) != 7 ||
	    at[len] ||
	    (at > text && (sscanf(text, "%12lf%n", &amount, &len) != 1 ||
			   text + len + share != at || amount <= 0)))
		return false;
	tm.tm_year = year - 1900;
	tm.tm_mon = month - 1;
	tm.tm_mday = day;
	tm.tm_hour = hour;
	tm.tm_min = minute;
	tm.tm_sec = second;
	rspb_command_add(question, "begin", timegm(&tm));
	rspb_command_add(question, "duration", seconds);
	if (share)
		rspb_command_add(question, "share",
				 (int64_t) (amount * 100 + 0.5));
	else if (at > text)
		rspb_command_add(question, "nodes", (int64_t) amount);
	json_object_object_add(question, "exact",
			       json_object_new_boolean(true));
	return true;
}

int rspb_command_accept(const struct rspb_command *command)
{
	json_object *question, *answer;
	int64_t job;
	int rc;

	if (command->argc != 3)
		return rspb_command_misused(command, "a job and an offer are "
						     "wanted");
	if (!rspb_command_job(command, command->argv[1], &job))
		return RSPB_EXIT_USAGE;
	question = rspb_command_question_job("modify", job);
	if (!read_offer(command->argv[2], question)) {
		json_object_put(question);
		return rspb_command_misused(command, "%s is no offer",
					    command->argv[2]);
	}
	rc = rspb_command_ask(command, question, &answer);
	if (rc)
		return rc;
	json_object_put(answer);
	return rspb_request_wait(command, &(struct rspb_which){ .job = job });
}
