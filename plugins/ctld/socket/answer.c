/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/socket/answer.h"

#include <json-c/json.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/submission.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/task.h"
#include "plugins/ctld/socket/inquiry.h"
#include "plugins/ctld/socket/picture.h"
#include "plugins/ctld/socket/reads.h"

enum {
	FRESH_US = 250000,    /* how old an answer may be */
	PATIENCE_US = 500000, /* then an older one will do, */
	GIVE_UP_US = 10000000 /* and then none comes any more */
};

/* A question that waits for a picture. */
struct parked {
	struct parked *next;
	uint64_t line;
	int64_t since_us;
	struct rspb_caller_view who;
	struct rspb_inquiry query;
};

/* The server thread's own. */
static struct parked *first, **last = &first;
static struct rspb_picture *picture;
static bool asked_for;

/* A picture on its way from the agent. */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct rspb_picture *arrived;
static bool has_arrived;

/* --- pictures ---------------------------------------------------------------- */

static void hand_over(struct rspb_picture *made)
{
	struct rspb_picture *old;

	pthread_mutex_lock(&mutex);
	old = arrived;
	arrived = made;
	has_arrived = true;
	pthread_mutex_unlock(&mutex);
	rspb_picture_destroy(old);
}

static void take_picture(struct rspb_task *task,
			 const struct rspb_config *config, int64_t now)
{
	(void) config;
	free(task);
	hand_over(rspb_picture_make(now));
	rspb_server_wake();
}

static void no_picture(struct rspb_task *task)
{
	free(task);
}

static void ask_for_picture(void)
{
	struct rspb_task *task = asked_for ? NULL : calloc(1, sizeof(*task));

	if (!task)
		return;
	asked_for = true;
	task->run = take_picture;
	task->drop = no_picture;
	rspb_task_post(task);
}

static void receive_picture(void)
{
	struct rspb_picture *new = NULL;
	bool any;

	pthread_mutex_lock(&mutex);
	any = has_arrived;
	has_arrived = false;
	new = arrived;
	arrived = NULL;
	pthread_mutex_unlock(&mutex);
	if (!any)
		return;
	asked_for = false;
	if (new) {
		rspb_picture_destroy(picture);
		picture = new;
	}
}

/* --- answers ----------------------------------------------------------------- */

static json_object *begin(const struct rspb_inquiry *query, bool good)
{
	json_object *answer = json_object_new_object();

	json_object_object_add(answer, "version",
			       json_object_new_int(RSPB_PROTOCOL));
	if (query->tag[0])
		json_object_object_add(answer, "tag",
				       json_object_new_string(query->tag));
	json_object_object_add(answer, "ok", json_object_new_boolean(good));
	json_object_object_add(answer, "now",
			       json_object_new_int64(time(NULL)));
	return answer;
}

static char *finish(json_object *answer)
{
	char *text = strdup(json_object_to_json_string_ext(
		answer,
		JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE));

	json_object_put(answer);
	return text;
}

static char *refuse(const struct rspb_inquiry *query, const char *kind,
		    const char *why)
{
	json_object *answer = begin(query, false);

	json_object_object_add(answer, "error", json_object_new_string(kind));
	json_object_object_add(answer, "text", json_object_new_string(why));
	return finish(answer);
}

static char *read_now(const struct rspb_inquiry *query,
		      const struct rspb_caller_view *who)
{
	json_object *answer = begin(query, true);
	struct rspb_err err;

	json_object_object_add(answer, "as_of",
			       json_object_new_int64(picture->at));
	if (!rspb_reads_answer(query, who, picture, answer, &err))
		return finish(answer);
	json_object_put(answer);
	return refuse(query, "unknown", err.text);
}

static char *say_hello(const struct rspb_inquiry *query)
{
	json_object *answer = begin(query, true);

	json_object_object_add(answer, "server",
			       json_object_new_string(PACKAGE_VERSION));
	return finish(answer);
}

/* RET false: it waits. */
static bool try_answer(const struct parked *p, int64_t now_us)
{
	int64_t age = now_us - p->since_us;
	const char *why =
		"slurmctld does not know its bookings yet; try again in some "
		"seconds";

	if (picture &&
	    (picture->at_us + FRESH_US > p->since_us || age > PATIENCE_US))
		rspb_server_answer(p->line, read_now(&p->query, &p->who));
	else if (age > GIVE_UP_US)
		rspb_server_answer(p->line,
				   refuse(&p->query, "not-ready", why));
	else
		return false;
	return true;
}

/* Those who came first are answered first. */
static int64_t woken(int64_t now_us)
{
	struct parked *p;

	receive_picture();
	while ((p = first) && try_answer(p, now_us)) {
		first = p->next;
		if (!first)
			last = &first;
		free(p);
	}
	if (!first)
		return INT64_MAX;
	ask_for_picture();
	return picture ? first->since_us + PATIENCE_US
		       : first->since_us + GIVE_UP_US;
}

static char *park(uint64_t line, const struct rspb_inquiry *query,
		  const struct rspb_caller_view *who)
{
	int64_t now_us = rspb_section_clock_us();
	struct parked *p;

	if (picture && picture->at_us + FRESH_US > now_us)
		return read_now(query, who);
	p = calloc(1, sizeof(*p));
	if (!p)
		return refuse(query, "not-ready", "out of memory");
	*p = (struct parked){
		.line = line, .since_us = now_us, .who = *who, .query = *query
	};
	*last = p;
	last = &p->next;
	ask_for_picture();
	return NULL;
}

static char *asked(uint64_t line, uint32_t uid, const char *text, size_t len)
{
	struct rspb_caller_view who = { .uid = uid };
	struct rspb_inquiry query;
	struct rspb_err err;

	if (rspb_inquiry_read(text, len, &query, &err))
		return refuse(&query, "bad-request", err.text);
	if (query.op == RSPB_ASK_PING)
		return say_hello(&query);
	who.operator= rspb_submission_operator(uid);
	who.sees_all = who.operator|| !rspb_ctld_private();
	return park(line, &query, &who);
}

static void over(void)
{
	struct parked *p;

	while ((p = first)) {
		first = p->next;
		free(p);
	}
	last = &first;
	rspb_picture_destroy(picture);
	picture = NULL;
	hand_over(NULL);
	has_arrived = asked_for = false;
}

const struct rspb_server_use rspb_answer_use = { .asked = asked,
						 .woken = woken,
						 .over = over };
