/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps regular jobs off nodes where too few would be left at the notice that Bookable says. It
 * knows no bookings. */
#include "plugins/select/place.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/occupancy.h"

enum {
	PART = 20,	   /* looks take a part of the time at most */
	FORGET_S = 180,	   /* who waits is asked about more often than that */
	CHANGED_S = 5,	   /* other changes than starts and ends are seen so often */
	NO_END = INT32_MAX /* s from now on: a job without a limit */
};

/* The first of the jobs that were kept off for their number of nodes. Other jobs take nothing of
 * what it is to have when its turn comes. */
struct waiter {
	uint32_t id, nodes;
	int64_t at;    /* when there will be as many, if none come besides */
	int64_t asked; /* about it, last */
};

/* Only a holder of the write lock of jobs uses these. Slurm asks about no job without it. */
static struct {
	uint32_t width;
	int64_t *until;	 /* of each node: the end of its last ordinary job */
	int64_t *sorted; /* the same, the last first */
	bool in_order;	 /* as it is now */
	struct rspb_nodeset *scratch;
	uint32_t usable; /* nodes in service */
	int64_t next_us; /* no look before */
	int64_t looked;	 /* second of the last */
	struct waiter first;
} all;

/* Whether a job has lost its nodes since the last look. True at first, so that the first question
 * looks. */
static atomic_bool ended = true;

void rspb_bookable_ended(void)
{
	atomic_store_explicit(&ended, true, memory_order_relaxed);
}

/* The table is made again by the next question, for as many nodes as there are then. */
void rspb_bookable_forget(void)
{
	free(all.until);
	free(all.sorted);
	rspb_nodeset_destroy(all.scratch);
	all.until = all.sorted = NULL;
	all.scratch = NULL;
	all.width = 0;
	all.first.id = 0;
}

/* --- who is where, and for how long ------------------------------------------ */

/* Nodes on which a job is to run until some time. Only the last end on each node counts. */
static void note(const struct rspb_nodeset *nodes, int64_t end)
{
	for (uint32_t n = rspb_nodeset_next(nodes, 0); n < all.width;
	     n = rspb_nodeset_next(nodes, n + 1))
		if (all.until[n] < end)
			all.until[n] = end;
	all.in_order = false;
}

/* Add a running job. A job in a reservation, ours or another, is left out: other jobs do not get
 * its nodes. */
static int add_job(const struct rspb_job *job, void *arg)
{
	int64_t now = *(int64_t *) arg;

	if (job->completing || job->reservation)
		return 0;
	rspb_nodeset_clear(all.scratch);
	rspb_job_nodes(job, RSPB_JOB_HOLDS, all.scratch);
	note(all.scratch, job->limit ? job->end : now + NO_END);
	return 0;
}

/* Make room for as many nodes as Slurm has now. RET false: out of memory, and nothing is known. */
static bool resize(uint32_t width)
{
	if (all.width == width)
		return true;
	rspb_bookable_forget();
	all.until = calloc(width + 1, sizeof(*all.until));
	all.sorted = calloc(width + 1, sizeof(*all.sorted));
	all.scratch = rspb_nodeset_create(width);
	if (!all.until || !all.sorted || !all.scratch)
		return false;
	all.width = width;
	all.next_us = all.looked = 0;
	return true;
}

/* Look at all running jobs, for ends and for limits that have changed; starts are noted when they
 * are asked about. The walk holds the locks of Slurm, so that it takes up at most 1/PART of the
 * time. */
static void look_at_jobs(int64_t now)
{
	int64_t began = rspb_section_clock_us();
	bool changed = now >= all.looked + CHANGED_S &&
		       rspb_ctld_changed(RSPB_CHANGED_ANY) >= all.looked;

	if (all.looked && (began < all.next_us ||
			   !(atomic_load_explicit(&ended, memory_order_relaxed) || changed)))
		return;
	/* Clear the mark first: a job that ends after this sets it again. */
	atomic_store_explicit(&ended, false, memory_order_relaxed);
	memset(all.until, 0, all.width * sizeof(*all.until));
	rspb_placed_each(add_job, &now);
	rspb_nodeset_clear(all.scratch);
	rspb_node_add(RSPB_NODES_UNUSABLE, all.scratch);
	all.usable = rspb_node_count();
	all.usable -= rspb_nodeset_count(all.scratch) < all.usable ? rspb_nodeset_count(all.scratch)
								   : all.usable;
	all.looked = now;
	all.in_order = false;
	all.next_us = rspb_section_clock_us();
	all.next_us += (all.next_us - began) * PART;
}

/* RET how many nodes still have a regular job at some time; set, if not NULL: these nodes. */
static uint32_t taken(int64_t then, struct rspb_nodeset *set)
{
	uint32_t count = 0;

	if (set)
		rspb_nodeset_clear(set);
	for (uint32_t n = 0; n < all.width; n++) {
		if (all.until[n] <= then)
			continue;
		count++;
		if (set)
			rspb_nodeset_add(set, n);
	}
	return count;
}

static int last_first(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x < *y) - (*x > *y);
}

/* RET when at most so many nodes will have a regular job, if none begins before. */
static int64_t taken_by(uint32_t count)
{
	if (!all.in_order) {
		memcpy(all.sorted, all.until, all.width * sizeof(*all.until));
		qsort(all.sorted, all.width, sizeof(*all.sorted), last_first);
		all.in_order = true;
	}
	return count < all.width ? all.sorted[count] : 0;
}

/* --- one question -------------------------------------------------------------- */

struct question {
	const struct rspb_select_call *call;
	int64_t now, notice;
	int64_t end;			       /* when the job would be over, begun now */
	uint32_t most;			       /* that may be taken */
	uint32_t room;			       /* that it may take */
	struct rspb_nodeset *offered, *beside; /* where it takes none: others do */
	struct rspb_nodeset *chosen;
};

/* Whether the first job still waits, and has at least the priority of this one. A job about which
 * Slurm has not asked for FORGET_S no longer counts. */
static bool waits_before(const struct question *q)
{
	const struct waiter *first = &all.first;
	struct rspb_job job;

	return first->id && first->id != rspb_select_call_leader(q->call) &&
	       first->asked + FORGET_S > q->now && rspb_job_find(first->id, &job) &&
	       job.phase == RSPB_JOB_PENDING && job.priority &&
	       job.priority >= rspb_select_call_priority(q->call);
}

static uint32_t minus(uint32_t a, uint32_t b)
{
	return a > b ? a - b : 0;
}

/* Find how many more nodes the job may take, if it still runs after the notice. */
static void find_room(struct question *q)
{
	uint32_t room;

	q->room = minus(q->most, taken(q->now + q->notice, q->beside));
	/* A job that is over by then does not delay the first one. */
	if (!waits_before(q) || q->end <= all.first.at + q->notice)
		return;
	room = minus(minus(q->most, all.first.nodes), taken(all.first.at + q->notice, q->beside));
	if (room < q->room)
		q->room = room;
}

/* RET when the job can begin, as far as the number of nodes counts. */
static int64_t turn_of(const struct question *q, uint32_t nodes)
{
	int64_t at = taken_by(minus(q->most, nodes)) - q->notice;

	if (waits_before(q) && at <= all.first.at)
		at = all.first.at + 1;
	return at > q->now ? at : q->now + 1;
}

/* The job that comes first keeps the nodes that it waits for. */
static void wait_for_turn(const struct question *q)
{
	uint32_t id = rspb_select_call_leader(q->call);

	if (waits_before(q))
		return;
	all.first = (struct waiter){
		.id = id,
		.nodes = q->call->min_nodes,
		.at = turn_of(q, q->call->min_nodes),
		.asked = q->now,
	};
}

/* Reduce the nodes chosen to those that no long job has yet. RET how many there are. */
static uint32_t newly_taken(struct question *q)
{
	rspb_select_call_take(q->call, q->chosen);
	rspb_nodeset_minus(q->chosen, q->beside);
	return rspb_nodeset_count(q->chosen);
}

/* Ask for a start now. If the answer takes too many new nodes, ask again with only so many of
 * them. Nodes that have long jobs anyway stay in the question. */
static int ask_now(struct question *q, int (*ask)(const struct rspb_select_call *call))
{
	int rc;

	rspb_nodeset_copy(q->chosen, q->offered);
	rspb_nodeset_and(q->chosen, q->beside);
	if (rspb_nodeset_count(q->chosen) + q->room < q->call->min_nodes)
		return ESLURM_NODES_BUSY;
	if (!q->room)
		rspb_select_call_put(q->call, q->chosen);
	rc = ask(q->call);
	if (rc != SLURM_SUCCESS || newly_taken(q) <= q->room)
		return rc;
	rspb_nodeset_keep_lowest(q->chosen, q->room);
	rspb_nodeset_and(q->offered, q->beside);
	rspb_nodeset_or(q->offered, q->chosen);
	rspb_select_call_put(q->call, q->offered);
	return ask(q->call);
}

/* Ask for the earliest start. An answer that takes too many nodes is put off to the time when the
 * number allows it. Slurm then plans with that start. */
static int ask_when(struct question *q, int (*ask)(const struct rspb_select_call *call))
{
	int rc = ask(q->call);
	int64_t turn;
	uint32_t new;

	if (rc != SLURM_SUCCESS)
		return rc;
	new = newly_taken(q);
	if (new <= q->room && rspb_select_call_start(q->call) <= q->now)
		return rc;
	turn = turn_of(q, new < q->most ? new : q->most);
	if (new > q->room && rspb_select_call_start(q->call) < turn) {
		wait_for_turn(q);
		rspb_select_call_set_start(q->call, turn);
	}
	return rc;
}

static int answer(struct question *q, int (*ask)(const struct rspb_select_call *call))
{
	bool run = rspb_select_call_run_now(q->call);
	uint32_t id = rspb_select_call_leader(q->call);
	int rc;

	find_room(q);
	rspb_select_call_take(q->call, q->offered);
	if (!run && !rspb_select_call_now_only(q->call))
		return ask_when(q, ask);
	rc = ask_now(q, ask);
	/* The job is noted at once, because other questions follow before it runs. If the start
	 * fails after all, a later look removes it. */
	if (rc == SLURM_SUCCESS && run) {
		rspb_select_call_take(q->call, q->chosen);
		note(q->chosen, q->end);
		if (all.first.id == id)
			all.first.id = 0;
	} else if (q->room < q->call->min_nodes) {
		wait_for_turn(q);
	}
	return rc;
}

/* Prepare the question. RET whether it counts: there is memory, and the job fits into what long
 * jobs may have at all. A job that needs more would wait for ever, and is therefore not kept
 * off. */
static bool begin(struct question *q, uint32_t percent)
{
	uint32_t width = rspb_select_call_width(q->call);

	if (!resize(width))
		return false;
	look_at_jobs(q->now);
	q->most = all.usable - (all.usable * percent + 99) / 100;
	q->offered = rspb_nodeset_create(width);
	q->beside = rspb_nodeset_create(width);
	q->chosen = rspb_nodeset_create(width);
	return q->offered && q->beside && q->chosen && q->call->min_nodes <= q->most;
}

int rspb_bookable_ask(const struct rspb_select_call *call, int64_t now,
		      int (*ask)(const struct rspb_select_call *call))
{
	const struct rspb_config *config = rspb_settings_get();
	int64_t limit = rspb_select_call_limit(call);
	struct question q = { .call = call,
			      .now = now,
			      .notice = config->bookable_notice,
			      .end = now + (limit < 0 ? NO_END : limit) };
	int rc;

	/* Only questions about the start of a long job without a reservation count. */
	if (!config->bookable || q.end <= now + q.notice || rspb_select_call_reservation(call) ||
	    !(rspb_select_call_run_now(call) || rspb_select_call_will_run(call)))
		return ask(call);
	rc = begin(&q, config->bookable) ? answer(&q, ask) : ask(call);
	rspb_nodeset_destroy(q.offered);
	rspb_nodeset_destroy(q.beside);
	rspb_nodeset_destroy(q.chosen);
	return rc;
}
