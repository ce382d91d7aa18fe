/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rspb offers and accept: asks what could be had, prints it, takes one of them. It
 * computes none. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/text.h"
#include "common/wire/flags.h"
#include "contrib/client/command.h"
#include "contrib/client/output.h"
#include "contrib/client/series.h"
#include "contrib/client/wish.h"

/* The members of a request that an offer does not replace. */
static const struct {
	const char *key, *flag;
} others[] = {
	{ "partition", "--partition" },
	{ "features", "--constraint" },
	{ "nodelist", "--nodelist" },
	{ "exclude", "--exclude" },
	{ "account", "--account" },
	{ "qos", "--qos" },
	{ "tasks", "--ntasks" },
	{ "cpus_task", "--cpus-per-task" },
	{ "licenses", "--licenses" },
	{ "mem", "--mem" },
	{ "mem_cpu", "--mem-per-cpu" },
	{ "gres", "--gres" },
	{ "gpus", "--gpus" },
	{ "gpus_node", "--gpus-per-node" },
	{ "gpus_task", "--gpus-per-task" },
};

static bool is_plain(const char *text)
{
	return !text[strspn(text, "abcdefghijklmnopqrstuvwxyz"
				  "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				  "0123456789_-+=:,.@/%")];
}

/* Print the flags that hold for an offer, too, as they were given. */
static void print_kept(json_object *question)
{
	for (const struct rspb_term *t = rspb_terms; t->name; t++) {
		char key[RSPB_TERM_KEY], text[RSPB_FLAG_TEXT_MAX + 1] = "";
		struct rspb_text printed = rspb_text_over(text, sizeof(text));
		json_object *value = rspb_json_get(question, rspb_term_key(t, key));
		struct rspb_terms flags = { 0 };

		if (!(t->where & RSPB_TERM_KEPT) || !value)
			continue;
		if (rspb_term_is_number(t)) {
			*(int64_t *) ((char *) &flags + t->offset) = json_object_get_int64(value);
			rspb_term_print(t, &flags, &printed);
		} else {
			rspb_text_add(&printed, "%s", json_object_get_string(value));
		}
		printf(is_plain(text) ? " --%s=%s" : " --%s='%s'", t->name, text);
	}
}

/* Print a command that can be pasted: it accepts the offer for a job or booking, or submits it
 * otherwise. */
static void print_command(json_object *question, const char *name, json_object *offer)
{
	char *flags = rspb_output_local(rspb_json_text(offer, "flags"));
	json_object *value;

	if (name) {
		printf("rspb accept %s %s\n", name, rspb_json_text(offer, "offer"));
	} else {
		printf("sbatch --book %s", flags ? flags : "");
		for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
			const char *text;

			/* The offer says this already. */
			if (!json_object_object_get_ex(question, others[i].key, &value) ||
			    json_object_object_get_ex(offer, others[i].key, NULL))
				continue;
			text = json_object_get_string(value);
			printf(is_plain(text) ? " %s=%s" : " %s='%s'", others[i].flag, text);
		}
		print_kept(question);
		printf("\n");
	}
	free(flags);
}

/* The columns that only some sites, and some requests, have. */
static const struct {
	const char *key, *head;
	double unit;
	int digits; /* behind the point */
} extras[] = {
	{ "tasks", "TASKS", 1, 0 },
	{ "price", "NODE-HOURS", 3600, 2 },
	{ "distance", "DISTANCE", 1, 2 },
};
enum { N_EXTRAS = sizeof(extras) / sizeof(extras[0]) };

/* Their heads, by the first offer, or what one offer has of them. */
static void print_extras(json_object *offer, bool head)
{
	for (size_t i = 0; i < N_EXTRAS; i++) {
		if (!json_object_object_get_ex(offer, extras[i].key, NULL))
			continue;
		if (head)
			printf(" %10s", extras[i].head);
		else
			printf(" %10.*f", extras[i].digits,
			       rspb_json_real(offer, extras[i].key) / extras[i].unit);
	}
}

static void print_offers(json_object *question, const char *name, json_object *list)
{
	char start[RSPB_OUTPUT_CELL], end[RSPB_OUTPUT_CELL];

	snprintf(start, sizeof(start), "START (%.20s)",
		 rspb_output_zones(list, "start", "end", end));
	printf("%-19s %-19s %5s %6s %7s", start, "END", "NODES", "SHARE", "BENEFIT");
	print_extras(json_object_array_get_idx(list, 0), true);
	printf("  COMMAND\n");
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		json_object *offer = json_object_array_get_idx(list, i);
		char share[RSPB_OUTPUT_CELL] = "-";

		if (json_object_object_get_ex(offer, "share", NULL))
			snprintf(share, sizeof(share), "%g%%", rspb_json_real(offer, "share"));
		printf("%-19s %-19s %5" PRId64 " %6s %7.2f",
		       rspb_output_time(rspb_json_int(offer, "start"), start),
		       rspb_output_time(rspb_json_int(offer, "end"), end),
		       rspb_json_int(offer, "nodes"), share, rspb_json_real(offer, "benefit"));
		print_extras(offer, false);
		printf("  ");
		print_command(question, name, offer);
	}
}

/* RET RSPB_EXIT_DONE with an answer to be put, and the offers in it, one at least;
 * else it was said why not. */
static int ask_offers(const struct rspb_command *command, json_object *question,
		      json_object **answer, json_object **list)
{
	int rc = rspb_command_ask(command, question, answer);

	if (rc)
		return rc;
	*list = rspb_json_list(*answer, "offers");
	if (*list && json_object_array_length(*list))
		return RSPB_EXIT_DONE;
	if (command->json) {
		rspb_output_json(*answer);
		return RSPB_EXIT_NO;
	}
	fprintf(stderr, "rspb %s: nothing is available within the site's limits and Horizon\n",
		command->argv[0]);
	json_object_put(*answer);
	return RSPB_EXIT_NO;
}

static int tell_offers(const struct rspb_command *command, json_object *question, const char *name)
{
	json_object *answer, *list;
	int rc = ask_offers(command, json_object_get(question), &answer, &list);

	if (!rc && command->json) {
		rspb_output_json(answer);
	} else if (!rc) {
		print_offers(question, name, list);
		json_object_put(answer);
	}
	json_object_put(question);
	return rc;
}

/* "@20261124T110000Z+3600". RET false: it is none, as when no day has that hour. */
static bool read_window(const char *text, int64_t *begin, int64_t *seconds)
{
	char again[sizeof("@20261124T110000Z+")];
	struct tm tm = { 0 };
	const char *end = strptime(text, "@%Y%m%dT%H%M%SZ+", &tm);
	char *rest;
	time_t at;

	if (!end || end - text != sizeof(again) - 1)
		return false;
	*begin = at = timegm(&tm);
	strftime(again, sizeof(again), "@%Y%m%dT%H%M%SZ+", &tm);
	*seconds = strtoll(end, &rest, 10);
	return at > 0 && !strncmp(text, again, sizeof(again) - 1) && *end >= '1' && *end <= '9' &&
	       !*rest;
}

/* "4@20261124T110000Z+3600", "35.5%@...", "@...". RET false: it is none. */
static bool read_offer(const char *text, json_object *question)
{
	const char *at = strchr(text, '@');
	bool share = at && at > text && at[-1] == '%';
	int64_t begin, seconds;
	double amount = 0;
	int len, tasks = 0, more = 0;

	if (!at || !read_window(at, &begin, &seconds) ||
	    (at > text && (sscanf(text, "%12lf%n/%9d%n", &amount, &len, &tasks, &more) < 1 ||
			   text + (more ? more : len) + share != at || tasks < 0 || amount <= 0 ||
			   amount > UINT32_MAX || (!share && amount != (double) (int64_t) amount))))
		return false;
	rspb_json_put_int(question, "begin", begin);
	rspb_json_put_int(question, "duration", seconds);
	if (share)
		rspb_json_put_int(question, "share", (int64_t) (amount * 100 + 0.5));
	else if (at > text)
		rspb_json_put_int(question, "nodes", (int64_t) amount);
	if (tasks)
		rspb_json_put_int(question, "tasks", tasks);
	rspb_json_put_bool(question, "exact", true);
	return true;
}

/* Hold an offer for a job. RET RSPB_EXIT_DONE: it is, until *until; else it was
 * said why not. */
static int hold_it(const struct rspb_command *command, int64_t job, const char *offer, int64_t hold,
		   int64_t *until)
{
	json_object *question = rspb_command_question_job("modify", job);
	json_object *answer, *booking;
	struct rspb_client client;
	int rc;

	if (!read_offer(offer, question)) {
		json_object_put(question);
		return rspb_command_misused(command, "%s is not an offer", offer);
	}
	rspb_json_put_int(question, "hold", hold);
	rc = rspb_command_connect(command, &client);
	if (rc) {
		json_object_put(question);
		return rc;
	}
	rc = rspb_command_ask_on(&client, command, question, &answer);
	if (!rc) {
		json_object_put(answer);
		rc = rspb_request_await(&client, command, &(struct rspb_which){ .job = job },
					&answer, &booking);
	}
	if (!rc) {
		*until = rspb_json_int(booking, "held");
		if (strcmp(rspb_json_text(booking, "state"), "booked")) {
			rspb_command_complain(command, "no offer is held for job %" PRId64 ": %s",
					      job, rspb_json_text(booking, "reason"));
			rc = RSPB_EXIT_NO;
		}
		json_object_put(answer);
	}
	rspb_client_fini(&client);
	return rc;
}

static void print_held(const char *name, const char *offer, int64_t until)
{
	char cell[RSPB_OUTPUT_CELL];

	printf("%s is held until %s; accept it with: rspb accept %s %s\n", offer,
	       rspb_output_moment(until, cell), name, offer);
}

/* The first that there is, and all are told. */
static int hold_first(const struct rspb_command *command, json_object *question, int64_t job,
		      const char *name, int64_t hold)
{
	json_object *answer, *list, *first;
	const char *offer;
	int64_t until = 0;
	int rc = ask_offers(command, json_object_get(question), &answer, &list);

	if (rc) {
		json_object_put(question);
		return rc;
	}
	first = json_object_array_get_idx(list, 0);
	offer = rspb_json_text(first, "offer");
	if (!command->json) {
		print_offers(question, name, list);
		fflush(stdout);
	}
	json_object_put(question);
	rc = hold_it(command, job, offer, hold, &until);
	if (!rc && command->json) {
		rspb_json_put_int(first, "held", until);
		rspb_output_json(answer);
		return rc;
	}
	if (!rc)
		print_held(name, offer, until);
	json_object_put(answer);
	return rc;
}

int rspb_offers_tell(const struct rspb_command *command, int64_t job, int64_t hold)
{
	json_object *question = rspb_command_question_job("offers", job);
	char name[24];

	snprintf(name, sizeof(name), "%" PRId64, job);
	return hold ? hold_first(command, question, job, name, hold)
		    : tell_offers(command, question, name);
}

/* Hold one of the offers that were printed. */
static int hold_named(const struct rspb_command *command, const struct rspb_wish *wish)
{
	json_object *told;
	int64_t until = 0;
	int rc = hold_it(command, wish->which.job, wish->offer, wish->hold, &until);

	if (rc)
		return rc;
	if (!command->json) {
		print_held(wish->name, wish->offer, until);
		return rc;
	}
	told = json_object_new_object();
	rspb_json_put_int(told, "version", 1);
	rspb_json_put_int(told, "job", wish->which.job);
	rspb_json_put_text(told, "offer", wish->offer);
	rspb_json_put_int(told, "held", until);
	rspb_output_json(told);
	return rc;
}

int rspb_command_offers(const struct rspb_command *command)
{
	json_object *question = rspb_command_question("offers");
	struct rspb_wish wish;
	int rc = rspb_wish_take(command, question, &wish);

	if (rc || wish.offer) {
		json_object_put(question);
		return rc ? RSPB_EXIT_USAGE : hold_named(command, &wish);
	}
	if (wish.named)
		rspb_command_add_which(question, &wish.which);
	return wish.hold ? hold_first(command, question, wish.which.job, wish.name, wish.hold)
			 : tell_offers(command, question, wish.name);
}

int rspb_command_accept(const struct rspb_command *command)
{
	json_object *question, *answer;
	struct rspb_which which;
	int rc;

	if (command->argc != 3)
		return rspb_command_misused(command, "give a job and an offer");
	rc = rspb_series_one(command, command->argv[1], &which);
	if (rc)
		return rc;
	question = rspb_command_question_which("modify", &which);
	if (!read_offer(command->argv[2], question)) {
		json_object_put(question);
		return rspb_command_misused(command, "%s is not an offer", command->argv[2]);
	}
	rc = rspb_command_ask(command, question, &answer);
	if (rc)
		return rc;
	json_object_put(answer);
	return rspb_request_wait(command, &which);
}
