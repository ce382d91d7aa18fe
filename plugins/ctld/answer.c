/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers messages. Reads are answered from a picture that the agent makes now and then, changes
 * by the agent itself. This code runs in the thread of the server and waits for nothing. */
#include "plugins/ctld/agent.h"

#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/wire/json.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/submit/submission.h"
#include "plugins/ctld/base/errand.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/wake.h"
#include "plugins/ctld/controller.h"
#include "plugins/ctld/serve/inquiry.h"
#include "plugins/ctld/serve/owners.h"
#include "plugins/ctld/serve/picture.h"
#include "plugins/ctld/serve/reads.h"
#include "plugins/ctld/serve/server.h"

enum {
	FRESH_US = 250000,    /* how old an answer may be, */
	ASKED_US = 30000,     /* and one to who waits for a decision */
	PATIENCE_US = 500000, /* then an older one will do, */
	PAUSE_US = 50000,     /* where none could be made */
	GIVE_UP_US = 10000000 /* and then none comes any more */
};

/* A question that waits for a picture: the server's line, and when it was parked. */
struct parked {
	struct rspb_link link;
	uint64_t line;
	int64_t since_us;
	bool newest; /* what came after that */
	struct rspb_caller_view who;
	struct rspb_inquiry query;
};

static struct rspb_answer_state *const own = &rspb_controller.answer;

/* --- pictures ---------------------------------------------------------------- */

/* A task to the agent, which comes back with a picture; NULL: none could be made. */
struct order {
	struct rspb_task task; /* first */
	struct rspb_picture *picture;
};

/* The agent runs this. The task goes back to the thread of the server, which owns it from then
 * on. */
static void make_picture(struct rspb_task *task, const struct rspb_config *config, int64_t now)
{
	(void) config;
	((struct order *) task)->picture = rspb_picture_make(now);
	rspb_server_hand(task);
}

/* Ask the agent for a picture, unless it was asked already, or could not make one a moment ago. A
 * burst of questions thus costs one picture. */
static void ask_for_picture(void)
{
	struct order *order;

	if (own->asked_for || rspb_section_clock_us() < own->not_before_us)
		return;
	order = rspb_task_new(sizeof(*order), make_picture, NULL, 0);
	if (!order)
		return;
	own->asked_for = true;
	rspb_task_post(&order->task);
}

static void receive_picture(struct rspb_task *task)
{
	struct rspb_picture *new = ((struct order *) task)->picture;

	rspb_task_end(task);
	own->asked_for = false;
	/* Without a picture the agent is left alone for a moment: it may still be reading what is
	 * booked. */
	own->not_before_us = new ? 0 : rspb_section_clock_us() + PAUSE_US;
	if (!new)
		return;
	rspb_picture_destroy(own->picture);
	own->picture = new;
}

/* --- answers ----------------------------------------------------------------- */

static json_object *begin(const struct rspb_inquiry *query, bool good)
{
	json_object *answer = json_object_new_object();

	rspb_json_put_int(answer, "version", RSPB_PROTOCOL);
	if (query->tag[0])
		rspb_json_put_text(answer, "tag", query->tag);
	rspb_json_put_bool(answer, "ok", good);
	rspb_json_put_int(answer, "now", time(NULL));
	return answer;
}

static char *finish(json_object *answer)
{
	char *text = strdup(
		json_object_to_json_string_ext(answer, JSON_C_TO_STRING_PLAIN |
							       JSON_C_TO_STRING_NOSLASHESCAPE));

	json_object_put(answer);
	return text;
}

/* RET an answer that says no. kind: a word of doc/protocol.md for programs; why: a sentence for
 * people. */
static char *refuse(const struct rspb_inquiry *query, const char *kind, const char *why)
{
	json_object *answer = begin(query, false);

	rspb_json_put_text(answer, "error", kind);
	rspb_json_put_text(answer, "text", why);
	return finish(answer);
}

/* RET the answer to a read, from the picture there is. */
static char *read_now(const struct rspb_inquiry *query, const struct rspb_caller_view *who)
{
	json_object *answer = begin(query, true);
	struct rspb_err err;

	rspb_json_put_int(answer, "as_of", own->picture->at);
	if (!rspb_reads_answer(query, who, own->picture, answer, &err))
		return finish(answer);
	json_object_put(answer);
	return refuse(query, "unknown", err.text);
}

static char *say_hello(const struct rspb_inquiry *query)
{
	json_object *answer = begin(query, true);

	rspb_json_put_text(answer, "server", PACKAGE_VERSION);
	return finish(answer);
}

static const char *or_so(const char *text, const char *otherwise)
{
	return text ? text : otherwise;
}

static char *tell_work(const struct rspb_work *work)
{
	json_object *answer;

	if (!work->done)
		return refuse(&work->inquiry, or_so(work->kind, "no"), work->err.text);
	answer = begin(&work->inquiry, true);
	if (work->said[0])
		rspb_json_put_text(answer, "text", work->said);
	if (work->made[0])
		rspb_json_put_text(answer, "reservation", work->made);
	if (work->result)
		rspb_json_put(answer, "offers", work->result);
	return finish(answer);
}

/* The functions that act, or answer what a picture does not tell. */
static void (*const doers[RSPB_N_ASKS])(struct rspb_work *work, const struct rspb_config *config,
					int64_t now) = {
	[RSPB_ASK_RESERVE] = rspb_reserve_ask,
	[RSPB_ASK_MODIFY] = rspb_change_modify,
	[RSPB_ASK_RELEASE] = rspb_release_booking,
	[RSPB_ASK_OFFERS] = rspb_bargain_offers,
};

/* Hand a change to the agent, whose answer comes through receive(). RET NULL, or the refusal if
 * too many changes wait. */
static char *set_to_work(uint64_t line, const struct rspb_inquiry *inquiry,
			 const struct rspb_caller_view *who)
{
	struct rspb_work work = { .line = line, .who = *who, .inquiry = *inquiry };
	struct rspb_err err;

	/* Slurm counts a minute that is begun as a whole one. */
	work.inquiry.terms.duration += (60 - inquiry->terms.duration % 60) % 60;

	if (!rspb_work_post(&work, doers[inquiry->op], &err))
		return NULL;
	return refuse(inquiry, "not-now", err.text);
}

/* Whether an older picture will do for a question. It will not after a change that its owner was
 * told of, nor for a job that is missing in the picture or waits for a decision. */
static bool takes_older(const struct parked *p)
{
	return own->picture && own->picture->at_us && !p->newest;
}

/* Whether the picture is good enough for a question. After PATIENCE_US an older one will do, so
 * that a busy agent does not keep users waiting. */
static bool can_be_read(const struct parked *p, int64_t now_us)
{
	return own->picture && (own->picture->at_us + (p->newest ? 0 : FRESH_US) > p->since_us ||
				(now_us - p->since_us > PATIENCE_US && takes_older(p)));
}

static void answer_parked(const struct parked *p, int64_t now_us)
{
	const char *why = "slurmctld has just started and has not read its bookings yet; try "
			  "again in a few seconds";
	int64_t began = rspb_worker_cpu_us();
	char *text = can_be_read(p, now_us) ? read_now(&p->query, &p->who)
					    : refuse(&p->query, "not-ready", why);

	rspb_server_used(p->who.uid, rspb_worker_cpu_us() - began);
	rspb_server_answer(p->line, text);
}

/* Find the question whose turn it is, and forget questions whose caller has gone. After GIVE_UP_US
 * a question is answered in any case, with a refusal. RET what points to it, NULL: none, and *due
 * is when there may be one. */
static struct rspb_link **next_parked(int64_t now_us, int64_t *due)
{
	struct rspb_link **best = NULL, **at = &own->parked.first;
	int64_t best_turn = 0;

	*due = INT64_MAX;
	while (*at) {
		struct parked *p = (struct parked *) *at;
		int64_t turn = rspb_server_turn(p->line);
		int64_t again = p->since_us + (takes_older(p) ? PATIENCE_US : GIVE_UP_US);

		if (turn == RSPB_SERVER_GONE) {
			rspb_queue_take_at(&own->parked, at);
			free(p);
			continue;
		}
		if (!can_be_read(p, now_us) && now_us - p->since_us <= GIVE_UP_US) {
			*due = again < *due ? again : *due;
		} else if (!best || turn > best_turn) {
			best = at;
			best_turn = turn;
		}
		at = &p->link.next;
	}
	return best;
}

/* Take what the agent has done, and count its processor time for the user, so that the next turns
 * are fair. */
static void receive(struct rspb_task *task)
{
	struct rspb_work work;

	if (task->run == make_picture) {
		receive_picture(task);
		return;
	}
	rspb_work_take(task, &work);
	/* Make a new picture, so that the next read shows the change. */
	if (work.done && own->picture)
		own->picture->at_us = 0;
	rspb_server_used(work.who.uid, work.used_us);
	rspb_server_answer(work.line, tell_work(&work));
}

/* Answer one question per call. Others whose turn is earlier may come before the next call, which
 * follows at once (0). */
static int64_t woken(int64_t now_us)
{
	struct rspb_link **at;
	struct rspb_task *task;
	int64_t due;

	while ((task = rspb_server_next()))
		receive(task);
	at = next_parked(now_us, &due);
	if (at) {
		struct parked *p = (struct parked *) *at;

		rspb_queue_take_at(&own->parked, at);
		answer_parked(p, now_us);
		free(p);
	}
	if (due != INT64_MAX)
		ask_for_picture();
	if (at)
		return 0;
	return due == INT64_MAX || own->asked_for ? due : own->not_before_us;
}

/* Answer a read at once if the picture is fresh enough, else let it wait for another. RET NULL: it
 * waits. */
static char *park(uint64_t line, const struct rspb_inquiry *query,
		  const struct rspb_caller_view *who)
{
	int64_t now_us = rspb_section_clock_us();
	struct parked *p;

	/* A job that is missing in the picture may just have been submitted. A request that is
	 * undecided in it may just have been booked. */
	bool newest = own->picture && query->op == RSPB_ASK_SHOW &&
		      !rspb_reads_knows(own->picture, query);
	bool waits = own->picture && query->op == RSPB_ASK_SHOW &&
		     rspb_reads_undecided(own->picture, query);

	if (own->picture && !newest && own->picture->at_us + (waits ? ASKED_US : FRESH_US) > now_us)
		return read_now(query, who);
	p = calloc(1, sizeof(*p));
	if (!p)
		return refuse(query, "not-ready", "out of memory");
	*p = (struct parked){
		.line = line,
		.since_us = now_us,
		.newest = newest || waits,
		.who = *who,
		.query = *query,
	};
	rspb_queue_put(&own->parked, &p->link);
	ask_for_picture();
	return NULL;
}

/* Read a message of a user and answer it, or have it answered later (NULL). Slurm's PrivateData
 * decides here what the user may see. */
static char *asked(uint64_t line, uint32_t uid, const char *from, const char *text, size_t len)
{
	const struct rspb_slurm_conf conf = rspb_slurm_conf();
	struct rspb_caller_view who = { .uid = uid };
	struct rspb_inquiry query;
	struct rspb_err err;

	snprintf(who.from, sizeof(who.from), "%s", from);
	if (rspb_inquiry_read(text, len, &query, &err))
		return refuse(&query, "bad-request", err.text);
	if (query.op == RSPB_ASK_PING)
		return say_hello(&query);
	who.privileged = rspb_submission_operator(uid);
	who.sees_all = who.privileged || !conf.hides_bookings;
	who.sees_nodes = who.privileged || !conf.hides_nodes;
	who.sees_partitions = who.privileged || !conf.hides_partitions;
	if (doers[query.op])
		return set_to_work(line, &query, &who);
	return park(line, &query, &who);
}

/* The thread ends: forget the questions, and what the agent has handed over by now. */
static void over(void)
{
	struct rspb_task *task;
	struct rspb_work work;
	struct parked *p;

	while ((p = rspb_queue_take(&own->parked)))
		free(p);
	while ((task = rspb_server_next())) {
		if (task->run == make_picture) {
			receive_picture(task);
			continue;
		}
		rspb_work_take(task, &work);
		json_object_put(work.result);
	}
	rspb_picture_destroy(own->picture);
	own->picture = NULL;
	own->asked_for = false;
}

const struct rspb_server_use rspb_answer_use = { .asked = asked, .woken = woken, .over = over };
