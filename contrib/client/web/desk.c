/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/web/desk.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contrib/client/draw/calendar.h"
#include "contrib/client/output.h"
#include "contrib/client/web/changes.h"
#include "contrib/client/web/submit_job.h"

enum { RENEW_MS = 2000, UNDECIDED_MS = 150, OFFERS_MS = 1000 };

/* The questions of the page that slurmctld gets. */
static const char *const operations[] = { "list",   "show",    "slots",	  "offers",
					  "modify", "release", "reserve", "limits" };

static const struct {
	const char *error;
	unsigned int status;
} statuses[] = {
	{ "bad-request", 400 }, { "denied", 403 },  { "unknown", 404 },	 { "no", 409 },
	{ "changed", 409 },	{ "too-big", 413 }, { "too-many", 429 },
};

static int64_t clock_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
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

int rspb_desk_init(struct rspb_desk *desk, const struct rspb_command *command,
		   const struct rspb_desk_view *view, struct rspb_err *err)
{
	*desk = (struct rspb_desk){ .command = command, .view = *view, .client = { .fd = -1 } };
	pthread_mutex_init(&desk->lock, NULL);
	/* A page of an earlier server has no serial of this one. */
	desk->serial = (int64_t) time(NULL) * 1000;
	desk->accounts = view->readonly ? json_object_new_array() : rspb_web_accounts();
	return view->file ? 0 : rspb_client_init(&desk->client, command->server, err);
}

void rspb_desk_fini(struct rspb_desk *desk)
{
	rspb_client_fini(&desk->client);
	free(desk->calendar);
	free(desk->changes);
	json_object_put(desk->document);
	json_object_put(desk->own);
	json_object_put(desk->accounts);
	for (size_t i = 0; i < RSPB_DESK_EVENTS; i++)
		free(desk->events[i].text);
	pthread_mutex_destroy(&desk->lock);
}

bool rspb_desk_is_operator(const struct rspb_desk *desk)
{
	return !desk->view.readonly && (!geteuid() || geteuid() == desk->client.site.slurm_user);
}

/* --- the calendar -------------------------------------------------------------------- */

static char *copy_text(json_object *object)
{
	return object ? strdup(json_object_to_json_string_ext(
				object, JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE))
		      : NULL;
}

/* Keep a calendar, which is taken over; the serial changes if anything but the time in it does. */
static void keep(struct rspb_desk *desk, json_object *document)
{
	json_object *changes;

	desk->seen = rspb_json_int(document, "seen");
	desk->ahead = rspb_json_int(document, "time") - (int64_t) time(NULL);
	json_object_object_del(document, "seen");
	json_object_object_del(document, "time");
	if (desk->document && json_object_equal(desk->document, document)) {
		json_object_put(document);
		return;
	}
	changes = desk->document ? rspb_changes_make(desk->document, document) : NULL;
	json_object_put(desk->document);
	free(desk->calendar);
	free(desk->changes);
	desk->document = document;
	desk->calendar = copy_text(document);
	desk->changes = copy_text(changes);
	desk->serial++;
	json_object_put(changes);
}

/* RET a text of the calendar with its time, which passes also if nothing else changes. */
static char *text_now(const struct rspb_desk *desk, const char *text, const char *more)
{
	char *answer;

	/* The text begins with "{", and has a member. */
	return asprintf(&answer, "{\"time\":%lld,\"serial\":%lld,%s%s",
			(long long) (time(NULL) + desk->ahead), (long long) desk->serial, more,
			text + 1) < 0
		       ? NULL
		       : answer;
}

/* Whether slurmctld still has the calendar that is kept; false, too, if it does not
 * answer, which desk->fresh then says. */
static bool is_same(struct rspb_desk *desk)
{
	json_object *question, *answer;
	bool same;

	if (!desk->seen || !desk->calendar || desk->view.file)
		return false;
	question = rspb_command_question("calendar");
	rspb_json_put_int(question, "seen", desk->seen);
	rspb_client_fini(&desk->client);
	answer = rspb_client_ask(&desk->client, question, NULL);
	same = answer && rspb_json_bool(answer, "same");
	desk->fresh = answer;
	json_object_put(answer);
	return same;
}

static int read_calendar(const struct rspb_desk *desk, json_object **document)
{
	const struct rspb_desk_view *view = &desk->view;

	return view->file ? rspb_calendar_load(desk->command, view->file, view->anonymous, document)
			  : rspb_calendar_read(desk->command, view->anonymous, document);
}

static void renew_calendar(struct rspb_desk *desk)
{
	json_object *document;

	if (desk->asked && clock_ms() - desk->asked < RENEW_MS)
		return;
	desk->asked = clock_ms();
	if (desk->fresh && (is_same(desk) || !desk->fresh))
		return;
	desk->fresh = !read_calendar(desk, &document);
	if (desk->fresh)
		keep(desk, document);
}

/* --- the user's own bookings ------------------------------------------------------------ */

static bool is_one(json_object *a, json_object *b)
{
	return rspb_json_int(a, "job") == rspb_json_int(b, "job") &&
	       !strcmp(rspb_json_text(a, "reservation"), rspb_json_text(b, "reservation"));
}

static json_object *find_in(json_object *list, json_object *booking)
{
	for (size_t i = 0; list && i < json_object_array_length(list); i++) {
		json_object *one = json_object_array_get_idx(list, i);

		if (is_one(one, booking))
			return one;
	}
	return NULL;
}

static void add_event(struct rspb_desk *desk, json_object *booking)
{
	struct rspb_desk_event *event = &desk->events[++desk->last_event % RSPB_DESK_EVENTS];

	free(event->text);
	event->number = desk->last_event;
	event->text = strdup(
		json_object_to_json_string_ext(booking, JSON_C_TO_STRING_PLAIN |
								JSON_C_TO_STRING_NOSLASHESCAPE));
}

/* A booking that is in no list any more is over. */
static void add_gone(struct rspb_desk *desk, json_object *old)
{
	json_object *gone = NULL;

	if (json_object_deep_copy(old, &gone, NULL))
		return;
	rspb_json_put_text(gone, "state", "gone");
	add_event(desk, gone);
	json_object_put(gone);
}

/* Keep a new list; each booking that is another one than before is an event. */
static void take_own(struct rspb_desk *desk, json_object *list)
{
	json_object *had = desk->own;

	desk->undecided = false;
	for (size_t i = 0; i < json_object_array_length(list); i++) {
		json_object *one = json_object_array_get_idx(list, i), *old = find_in(had, one);

		desk->undecided |= !strcmp(rspb_json_text(one, "state"), "requested");
		if (had && (!old || !json_object_equal(one, old)))
			add_event(desk, one);
	}
	for (size_t i = 0; had && i < json_object_array_length(had); i++) {
		json_object *old = json_object_array_get_idx(had, i);

		if (!find_in(list, old))
			add_gone(desk, old);
	}
	json_object_put(had);
	desk->own = list;
}

/* Read them with the client that is there: to look for slurmctld anew takes long when it
 * does not run. RET 0, -1: it does not answer. */
static int read_own(struct rspb_desk *desk, json_object *list)
{
	int64_t first = 0;

	do {
		json_object *question = rspb_command_question("list"), *answer;

		rspb_json_put_bool(question, "ended", true);
		rspb_json_put_int(question, "first", first);
		rspb_client_fini(&desk->client);
		answer = rspb_client_ask(&desk->client, question, NULL);
		if (!answer || !rspb_answer_good(answer)) {
			json_object_put(answer);
			return -1;
		}
		rspb_answer_append(answer, "bookings", list);
		first = rspb_json_int(answer, "next");
		json_object_put(answer);
	} while (first);
	return 0;
}

static void renew_own(struct rspb_desk *desk)
{
	uint64_t before = desk->last_event;
	json_object *list;

	if (desk->own_asked &&
	    clock_ms() - desk->own_asked < (desk->undecided ? UNDECIDED_MS : RENEW_MS))
		return;
	desk->own_asked = clock_ms();
	list = json_object_new_array();
	if (read_own(desk, list)) {
		json_object_put(list);
		desk->fresh = false;
		desk->asked = clock_ms();
		return;
	}
	take_own(desk, list);
	/* The calendar shows it, too. */
	if (desk->last_event != before)
		desk->asked = 0;
}

static void renew(struct rspb_desk *desk)
{
	if (!desk->view.readonly)
		renew_own(desk);
	renew_calendar(desk);
}

uint64_t rspb_desk_last_event(struct rspb_desk *desk)
{
	uint64_t last;

	pthread_mutex_lock(&desk->lock);
	last = desk->last_event;
	pthread_mutex_unlock(&desk->lock);
	return last;
}

char *rspb_desk_next_event(struct rspb_desk *desk, uint64_t *number)
{
	char *text = NULL;

	pthread_mutex_lock(&desk->lock);
	for (uint64_t n = *number + 1; !text && n <= desk->last_event; n++) {
		const struct rspb_desk_event *event = &desk->events[n % RSPB_DESK_EVENTS];

		if (event->number != n || !event->text)
			continue;
		*number = n;
		text = strdup(event->text);
	}
	pthread_mutex_unlock(&desk->lock);
	return text;
}

/* --- answers about the calendar --------------------------------------------------------- */

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
	} else if (since == desk->serial - 1 && desk->changes) {
		text = text_now(desk, desk->changes, "\"changes\":true,");
	} else if (desk->calendar) {
		text = text_now(desk, desk->calendar, "");
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
	rspb_json_put_bool(answer, "readonly", desk->view.readonly);
	pthread_mutex_lock(&desk->lock);
	if (!desk->view.anonymous) {
		rspb_json_put_int(answer, "uid", geteuid());
		rspb_json_put_text(answer, "user", rspb_output_user(geteuid(), user));
	}
	rspb_json_put_text(answer, "clock", rspb_output_zones(NULL, "", "", zone));
	rspb_json_put_text(answer, "cluster", desk->client.site.cluster);
	pthread_mutex_unlock(&desk->lock);
	rspb_json_put_bool(answer, "operator", rspb_desk_is_operator(desk));
	rspb_json_put(answer, "accounts", json_object_get(desk->accounts));
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
		return rspb_web_refusal("bad-request", "op: not allowed over HTTP");
	if (!strcmp(op, "offers")) {
		if (desk->offers && clock_ms() - desk->offers < OFFERS_MS)
			return rspb_web_refusal("too-many", "offers: once a second at most");
		desk->offers = clock_ms();
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
	if (!strcmp(what, "regular"))
		return rspb_release_job(question);
	pthread_mutex_lock(&desk->lock);
	answer = ask(desk, question);
	pthread_mutex_unlock(&desk->lock);
	return answer;
}

char *rspb_desk_act(struct rspb_desk *desk, const char *what, const char *body, size_t size,
		    unsigned int *status)
{
	json_tokener *parser;
	json_object *question, *answer;

	if (desk->view.readonly)
		return rspb_desk_refuse("denied", "this calendar can only be read", status);
	parser = json_tokener_new();
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
	desk->asked = desk->own_asked = 0;
	pthread_mutex_unlock(&desk->lock);
	return text_of(answer, status);
}
