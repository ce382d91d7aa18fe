/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/web/desk.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contrib/client/draw/calendar.h"
#include "contrib/client/output.h"
#include "contrib/client/web/submit_job.h"

enum { RENEW_S = 2, OFFERS_S = 1 };

/* The questions of the page that slurmctld gets. */
static const char *const operations[] = { "list",   "show",    "slots",	 "offers",
					  "modify", "release", "reserve" };

static const struct {
	const char *error;
	unsigned int status;
} statuses[] = {
	{ "bad-request", 400 }, { "denied", 403 },  { "unknown", 404 },	 { "no", 409 },
	{ "changed", 409 },	{ "too-big", 413 }, { "too-many", 429 },
};

static time_t clock_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* --- answers ---------------------------------------------------------------------- */

static unsigned int status_of(json_object *answer)
{
	const char *error = rspb_json_text(answer, "error");

	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		if (!strcmp(error, statuses[i].error))
			return statuses[i].status;
	return rspb_json_bool(answer, "ok") ? 200 : 503;
}

/* RET the text of an answer, which is dropped. */
static char *text_of(json_object *answer, unsigned int *status)
{
	const char *text = json_object_to_json_string_ext(answer,
							  JSON_C_TO_STRING_PLAIN |
								  JSON_C_TO_STRING_NOSLASHESCAPE);
	char *copy = text ? strdup(text) : NULL;

	*status = status_of(answer);
	json_object_put(answer);
	return copy;
}

char *rspb_desk_refuse(const char *error, const char *text, unsigned int *status)
{
	return text_of(rspb_web_refusal(error, text), status);
}

/* --- begin and end ------------------------------------------------------------------ */

int rspb_desk_init(struct rspb_desk *desk, const struct rspb_command *command, struct rspb_err *err)
{
	*desk = (struct rspb_desk){ .command = command };
	pthread_mutex_init(&desk->lock, NULL);
	return rspb_client_init(&desk->client, command->server, err);
}

void rspb_desk_fini(struct rspb_desk *desk)
{
	rspb_client_fini(&desk->client);
	free(desk->calendar);
	free(desk->compared);
	pthread_mutex_destroy(&desk->lock);
}

bool rspb_desk_is_operator(const struct rspb_desk *desk)
{
	return !geteuid() || geteuid() == desk->client.site.slurm_user;
}

/* --- the calendar -------------------------------------------------------------------- */

/* Keep a calendar; the serial changes if anything but the time in it does. */
static void keep(struct rspb_desk *desk, json_object *document)
{
	json_object *time = json_object_get(rspb_json_get(document, "time"));
	char *compared;

	json_object_object_del(document, "time");
	compared = strdup(json_object_to_json_string_ext(document, JSON_C_TO_STRING_PLAIN));
	json_object_object_add(document, "time", time);
	if (compared && (!desk->compared || strcmp(compared, desk->compared)))
		desk->serial++;
	free(desk->compared);
	desk->compared = compared;
	rspb_json_put_int(document, "serial", desk->serial);
	free(desk->calendar);
	desk->calendar = strdup(json_object_to_json_string_ext(document, JSON_C_TO_STRING_PLAIN));
}

static void renew(struct rspb_desk *desk)
{
	json_object *document;

	if (desk->asked && clock_s() - desk->asked < RENEW_S)
		return;
	desk->fresh = !rspb_calendar_read(desk->command, false, &document);
	desk->asked = clock_s();
	if (!desk->fresh)
		return;
	keep(desk, document);
	json_object_put(document);
}

char *rspb_desk_calendar(struct rspb_desk *desk, int64_t since, unsigned int *status)
{
	json_object *answer;
	char *text = NULL;

	*status = 200;
	pthread_mutex_lock(&desk->lock);
	renew(desk);
	if (!desk->fresh) {
		text = rspb_desk_refuse("controller", "slurmctld does not answer", status);
	} else if (since == desk->serial) {
		answer = json_object_new_object();
		rspb_json_put_int(answer, "version", 1);
		rspb_json_put_bool(answer, "ok", true);
		rspb_json_put_bool(answer, "same", true);
		rspb_json_put_int(answer, "serial", desk->serial);
		text = text_of(answer, status);
	} else if (desk->calendar) {
		text = strdup(desk->calendar);
	}
	pthread_mutex_unlock(&desk->lock);
	return text;
}

int64_t rspb_desk_serial(struct rspb_desk *desk)
{
	int64_t serial;

	pthread_mutex_lock(&desk->lock);
	renew(desk);
	serial = desk->fresh ? desk->serial : 0;
	pthread_mutex_unlock(&desk->lock);
	return serial;
}

char *rspb_desk_me(struct rspb_desk *desk, unsigned int *status)
{
	json_object *answer = json_object_new_object();
	char user[RSPB_OUTPUT_CELL], zone[RSPB_OUTPUT_CELL];

	rspb_json_put_int(answer, "version", 1);
	rspb_json_put_bool(answer, "ok", true);
	rspb_json_put_int(answer, "uid", geteuid());
	pthread_mutex_lock(&desk->lock);
	rspb_json_put_text(answer, "user", rspb_output_user(geteuid(), user));
	rspb_json_put_text(answer, "clock", rspb_output_zones(NULL, "", "", zone));
	rspb_json_put_text(answer, "cluster", desk->client.site.cluster);
	pthread_mutex_unlock(&desk->lock);
	rspb_json_put_bool(answer, "operator", rspb_desk_is_operator(desk));
	return text_of(answer, status);
}

/* --- actions ------------------------------------------------------------------------------ */

static bool is_offered(const char *op)
{
	for (size_t i = 0; i < sizeof(operations) / sizeof(operations[0]); i++)
		if (!strcmp(op, operations[i]))
			return true;
	return false;
}

/* Pass a question on. slurmctld holds its write lock while it seeks offers. */
static json_object *ask(struct rspb_desk *desk, json_object *question)
{
	const char *op = rspb_json_text(question, "op");
	json_object *answer;
	struct rspb_err err;

	if (!is_offered(op))
		return rspb_web_refusal("bad-request", "op: this page does not ask that");
	if (!strcmp(op, "offers")) {
		if (desk->offers && clock_s() - desk->offers < OFFERS_S)
			return rspb_web_refusal("too-many", "offers: once a second at most");
		desk->offers = clock_s();
	}
	/* slurmctld closes idle connections; a change must not be sent twice. */
	rspb_client_fini(&desk->client);
	answer = rspb_client_ask(&desk->client, json_object_get(question), &err);
	return answer ? answer : rspb_web_refusal("controller", err.text);
}

static json_object *act(struct rspb_desk *desk, const char *what, json_object *question)
{
	json_object *answer;

	if (!strcmp(what, "submit"))
		return rspb_submit_job(question);
	if (!strcmp(what, "cancel"))
		return rspb_cancel_job(question);
	pthread_mutex_lock(&desk->lock);
	answer = ask(desk, question);
	pthread_mutex_unlock(&desk->lock);
	return answer;
}

char *rspb_desk_act(struct rspb_desk *desk, const char *what, const char *body, size_t size,
		    unsigned int *status)
{
	json_tokener *parser = json_tokener_new();
	json_object *question, *answer;

	if (!parser)
		return NULL;
	question = json_tokener_parse_ex(parser, body, (int) size);
	json_tokener_free(parser);
	if (!json_object_is_type(question, json_type_object)) {
		json_object_put(question);
		return rspb_desk_refuse("bad-request", "the body is not a JSON object", status);
	}
	answer = act(desk, what, question);
	json_object_put(question);
	/* Show at once what has changed. */
	pthread_mutex_lock(&desk->lock);
	desk->asked = 0;
	pthread_mutex_unlock(&desk->lock);
	return text_of(answer, status);
}
