/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts bookings at their scheduled start time, and reports those that could not start because of
 * their nodes. The kind of a booking knows how one is started. Only the agent's thread runs this
 * file, so nothing here has a mutex. */
#include "plugins/ctld/start/launch.h"

#include <inttypes.h>
#include <time.h>

#include "common/base/text.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/saver.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/observe/following.h"
#include "plugins/ctld/start/state.h"

/* Regular jobs whose limit is over are ended at once when a booking is to start
 * within KillWait and this, so that their nodes are clean then: Slurm itself
 * looks every half a minute. For one whose limit will not be over by then, another place is
 * looked for now and then. */
enum { CLEAN_UP_MS = 2000, CLEAR_EVERY_MS = 1000, KEPT_EVERY_MS = 10000 };

/* Seconds after which the owner of a late booking is told why it waits: a clean-up is
 * usually shorter. */
enum { TELL_S = 10 };

/* Why a booking could not start, as far as its nodes are to blame. */
enum fault {
	WELL,
	SILENT, /* one does not answer */
	LOST,	/* one is down or drained */
	KEPT	/* a regular job is within its limit */
};

/* The second has begun when time() says so, too: its clock is coarser, and Slurm asks that one
 * whether a reservation has started. After 20 ms the caller goes on in any case. */
static void await_second(int64_t second)
{
	const struct timespec step = { .tv_nsec = 200000 };
	int i;

	for (i = 0; i < 100 && time(NULL) < second; i++)
		nanosleep(&step, NULL);
}

/* RET the second in which a booking that has not started gets its nodes. Kinds that start ahead get
 * them earlier by the time that nodes take to prepare, so that prologs are over at the start. */
static int64_t due_at(const struct rspb_booking *b)
{
	return b->start - (rspb_kind_of(b->request)->ahead ? rspb_gap(RSPB_GAP_PREPARE) : 0);
}

/* Count an attempt that failed. A late booking is tried up to fifty times a second, so only some
 * attempts are logged. RET how many there have been. */
static uint32_t in_vain(const struct rspb_booking *b, const char *why)
{
	uint32_t count = rspb_attempt_count(b->request->id);

	/* 1, 2, 4, 8, ... */
	if (!(count & (count - 1)))
		rspb_log_info("booking %" PRIu64 " cannot start yet (attempt "
			      "%u): %s",
			      b->request->id, count, why);
	return count;
}

/* RET which node is to blame for a failed start. A lost node goes before a silent one, which may
 * still answer. Needs at least the read lock. */
static enum fault nodes_of(const struct rspb_booking *b, struct rspb_occupants *on)
{
	rspb_nodeset_clear(on->scratch);
	rspb_node_add(RSPB_NODES_UNUSABLE, on->scratch);
	if (rspb_occupants_meet(b, on->scratch))
		return LOST;
	rspb_nodeset_clear(on->scratch);
	rspb_node_add(RSPB_NODES_SILENT, on->scratch);
	return rspb_occupants_meet(b, on->scratch) ? SILENT : WELL;
}

/* Tell the owner of a booking that is late though its nodes are up, once. A clean-up may be over
 * soon, so it is told only after TELL_S seconds. Where a regular job keeps the nodes, the second
 * attempt at the start or later is enough. */
static void tell_delay(const struct rspb_booking *b, struct rspb_occupants *on, const char *why,
		       uint32_t attempts)
{
	bool now = on->stays ? on->now >= b->start && attempts > 1 : on->now >= b->start + TELL_S;

	if (now && nodes_of(b, on) == WELL && rspb_attempt_tell(b->request->id))
		rspb_kind_of(b->request)->tell(b->request->id, why);
}

/* Write the reason for the owner: Slurm ends that job by its time limit, and no booking ends it
 * sooner. */
static void say_kept(const struct rspb_occupant *s, struct rspb_err *err)
{
	char until[32];
	struct rspb_text text = rspb_text_over(until, sizeof(until));

	if (s->suspended || s->beside) {
		rspb_fail(err,
			  "job %u is suspended on its nodes within its time limit; the booking has "
			  "them when that job is over",
			  s->id);
		return;
	}
	rspb_text_add_time(&text, s->end);
	rspb_fail(err,
		  "job %u runs on its nodes within its time limit, until %s at the latest; the "
		  "booking has them from then on",
		  s->id, until);
}

/* Start one booking, under the write lock of the caller. RET whether it has started; if not, *fault
 * says whether its nodes are to blame. The booking must not be used after a success, since the
 * ledger has changed. */
static bool start_one(const struct rspb_booking *b, struct rspb_occupants *on, enum fault *fault)
{
	const struct rspb_kind *kind = rspb_kind_of(b->request);
	struct rspb_err err = { "its nodes are still being cleaned up after an earlier job; "
				"it starts when they are free" };
	enum rspb_readiness readiness = kind->ready ? kind->ready(b, on->now, &err) : RSPB_READY;
	uint64_t id = b->request->id;
	bool late;
	int rc;

	*fault = WELL;
	on->stays = NULL;
	/* The job that the booking was made for is gone, so this counts as no attempt. */
	if (readiness == RSPB_READY_NEVER)
		return false;
	/* A job that runs already needs no free nodes: Slurm's own scheduler was quicker, and the
	 * start is only recorded. */
	late = readiness == RSPB_READY_LATER ||
	       (readiness == RSPB_READY && rspb_occupants_clear(on, b, b->start <= on->now));
	if (on->stays)
		say_kept(on->stays, &err);
	/* A reservation begins beside such a job, as Slurm's own do. */
	if (late && !(on->stays && !kind->has_jobs)) {
		if (on->stays)
			*fault = KEPT;
		tell_delay(b, on, err.text, in_vain(b, err.text));
		return false;
	}
	rc = kind->start(b, on->now, &err);
	if (rc) {
		in_vain(b, err.text);
		*fault = nodes_of(b, on);
		/* Slurm's selection has refused it only if the start time has come and its nodes
		 * are up. A limit, a licence or a hold of the job (rc 1) is no such refusal. A
		 * clean-up (rc 2) follows the refusal of a component, which remains known. */
		if (rc != 2)
			rspb_attempt_refused(id, rc < 0 && *fault == WELL && b->start <= on->now);
		return false;
	}
	rspb_attempt_forget(id);
	if (on->stays)
		kind->tell(id, err.text);
	return true;
}

/* RET the id of the next booking that is due and not yet in tried[], 0: none. A start changes the
 * ledger and may move its pointers, so the search begins anew each time. */
static uint64_t next_due(int64_t now_ms, const uint64_t *tried, size_t n_tried)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	int64_t ahead_ms = rspb_gap(RSPB_GAP_PREPARE) * 1000;
	size_t i, k;

	for (i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		/* The ledger has bookings by their start: no later one is due. */
		if (b->start * 1000 > now_ms + ahead_ms)
			break;
		if (!rspb_occupants_due(b, now_ms, ahead_ms) || due_at(b) * 1000 > now_ms)
			continue;
		for (k = 0; k < n_tried && tried[k] != b->request->id; k++)
			;
		if (k == n_tried)
			return b->request->id;
	}
	return 0;
}

enum {
	/* A refusal lasts if it is met so often, half a second; after some ten seconds
	 * a booking may lose something by another place. */
	LASTING_TRIES = 32,
	LONG_TRIES = 128
};

/* Whether Slurm has refused the start of a part of a node for a while. */
static bool is_refused(uint64_t id, const struct rspb_attempt *attempt)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);

	return attempt->refused && attempt->count >= LASTING_TRIES && b &&
	       rspb_request_has_cores(b->request);
}

/* Report a booking whose nodes a regular job keeps beyond its start, so that the agent looks for
 * other nodes. A full list leaves it out. */
static void note_kept(struct rspb_failed *failed, uint64_t id, const struct rspb_occupant *s)
{
	if (failed->n == RSPB_FAILED_MOST)
		return;
	failed->items[failed->n].id = id;
	failed->items[failed->n].silent = failed->items[failed->n].refused = false;
	failed->items[failed->n].job = s->id;
	failed->items[failed->n++].until = s->end;
}

/* Report a booking that could not start because of its nodes. Each report makes the agent plan for
 * other nodes, so only the attempts 1, 2, 4, 8, ... are reported. */
static void note_failed(struct rspb_failed *failed, uint64_t id, enum fault fault,
			const struct rspb_occupant *stays)
{
	const struct rspb_attempt *attempt = rspb_attempt_find(id);

	if (failed->n == RSPB_FAILED_MOST || !attempt || (attempt->count & (attempt->count - 1)) ||
	    (fault == WELL && !is_refused(id, attempt)))
		return;
	if (fault == KEPT) {
		note_kept(failed, id, stays);
		return;
	}
	failed->items[failed->n].job = 0;
	failed->items[failed->n].id = id;
	failed->items[failed->n].refused = fault == WELL;
	failed->items[failed->n++].silent = fault == SILENT ||
					    (fault == WELL && attempt->count < LONG_TRIES);
}

/* Begin the bookings that got their nodes ahead and whose start has come; nothing more is to be
 * checked for them. The ledger stays as it is: they are active already. */
static void begin_held(int64_t now)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	int64_t until = rspb_start->begun ? now : INT64_MAX;
	struct rspb_section section = { .what = NULL };

	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);
		const struct rspb_kind *kind = rspb_kind_of(b->request);

		/* After a restart `until` is open: jobs that have their nodes and begin later are
		 * to go on waiting. */
		if (b->start > until)
			break;
		if (b->state != RSPB_ACTIVE || b->start <= rspb_start->begun || b->end <= now ||
		    !kind->ahead)
			continue;
		await_second(now);
		if (!rspb_section_next(&section, RSPB_LOCK_WRITE, "begin"))
			return;
		/* Nodes have other numbers. The agent builds a new ledger, and all active bookings
		 * are handled again after that. */
		if (!rspb_book_fits())
			break;
		kind->start(b, now, NULL);
	}
	rspb_section_end(&section);
	rspb_start->begun = now;
}

void rspb_launch_start(int64_t now_ms, struct rspb_failed *failed)
{
	uint64_t *tried = rspb_start->tried;
	struct rspb_section section;
	struct rspb_occupants on;
	enum fault fault;
	size_t n = 0;
	uint64_t id = next_due(now_ms, tried, n);
	bool started = false;

	failed->n = 0;
	if (rspb_start->begun < now_ms / 1000)
		begin_held(now_ms / 1000);
	while (id && n < RSPB_LAUNCH_TRIES) {
		/* Wait before the lock is taken, so that nobody waits for the clock under it. */
		await_second(now_ms / 1000);
		if (!rspb_occupants_init(&on, now_ms, rspb_gap(RSPB_GAP_PREPARE) * 1000))
			break;
		if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "launch")) {
			rspb_occupants_fini(&on);
			break;
		}
		if (!rspb_book_fits()) {
			rspb_section_leave(&section);
			rspb_occupants_fini(&on);
			break;
		}
		/* Jobs may have come or gone between two sections, so each section looks anew. */
		rspb_occupants_look(&on);
		do {
			tried[n++] = id;
			if (start_one(rspb_ledger_find(rspb_book_ledger(), id), &on, &fault))
				started = true;
			else
				note_failed(failed, id, fault, on.stays);
			section.items++;
			id = next_due(now_ms, tried, n);
		} while (id && n < RSPB_LAUNCH_TRIES && !rspb_section_spent(&section));
		rspb_section_leave(&section);
		rspb_occupants_fini(&on);
	}
	/* If slurmctld dies before a start is saved, the next one runs the job a second time, so
	 * the save is requested at once. Saving takes a lock that starts need: all starts come
	 * first. */
	if (started)
		rspb_saver_request();
}

/* End what is over on the nodes of bookings that start soon, under the write lock. kept receives
 * the bookings whose nodes regular jobs will keep; NULL: these are not looked for. */
static void clear_due(struct rspb_occupants *on, int64_t now_ms, int64_t ahead_ms,
		      struct rspb_failed *kept)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();

	rspb_occupants_look(on);
	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->start * 1000 > now_ms + ahead_ms)
			break;
		if (!rspb_occupants_due(b, now_ms, ahead_ms))
			continue;
		rspb_occupants_clear(on, b, false);
		/* A booking whose start has come is reported by its failed start instead. */
		if (kept && on->stays && b->start * 1000 > now_ms)
			note_kept(kept, b->request->id, on->stays);
	}
}

/* The same in a write section of its own. Without memory, or at shutdown, nothing is ended; the
 * start itself looks again. */
static void clear_ahead(int64_t now_ms, int64_t ahead_ms, struct rspb_failed *kept)
{
	struct rspb_section section;
	struct rspb_occupants on;
	int64_t next;

	if (!rspb_occupants_init(&on, now_ms, ahead_ms))
		return;
	if (rspb_section_enter(&section, RSPB_LOCK_WRITE, "clear")) {
		if (rspb_book_fits())
			clear_due(&on, now_ms, ahead_ms, kept);
		rspb_section_leave(&section);
	}
	next = rspb_occupants_next(&on);
	rspb_start->looked.next = next == INT64_MAX ? next : next * 1000;
	rspb_occupants_fini(&on);
}

/* Look at the jobs in the way of bookings that start up to `until`, within ahead_ms. That is due if
 * there are other bookings than the last time, or a job has used up its time. RET when to look
 * again, ms. */
static int64_t look_ahead(int64_t until, int64_t now_ms, int64_t ahead_ms,
			  struct rspb_failed *failed)
{
	uint64_t version = rspb_book_version();
	bool first = !rspb_start->looked.at || rspb_start->looked.at > now_ms;
	bool others = until > rspb_start->looked.until || version != rspb_start->looked.version,
	     tell;

	if (!first && !others && now_ms < rspb_start->looked.next)
		return rspb_start->looked.next;
	if (!first && now_ms < rspb_start->looked.at + CLEAR_EVERY_MS)
		return rspb_start->looked.at + CLEAR_EVERY_MS;
	/* Another place was just looked for in vain. */
	tell = first || until > rspb_start->looked.until ||
	       now_ms >= rspb_start->looked.told + KEPT_EVERY_MS;
	if (tell)
		rspb_start->looked.told = now_ms;
	rspb_start->looked.at = now_ms;
	rspb_start->looked.until = until;
	rspb_start->looked.version = version;
	rspb_start->looked.next = INT64_MAX;
	clear_ahead(now_ms, ahead_ms, tell ? failed : NULL);
	return rspb_start->looked.next;
}

/* RET when a booking that could not start is tried again, ms. Most nodes are clean after a moment:
 * there are fifty attempts in the first second, ten in each of the next nine, then one a second. An
 * early attempt that failed is repeated at the start itself. */
static int64_t retry_at(int64_t now_ms, const struct rspb_booking *b)
{
	int64_t start = b->start * 1000;
	bool early = now_ms < start;
	int64_t late = now_ms - (early ? due_at(b) * 1000 : start);
	int64_t at = now_ms + (late < 1000 ? 20 : late < 10000 ? 100 : 1000);

	return early && at > start ? start : at;
}

int64_t rspb_launch_next(int64_t now_ms, struct rspb_failed *failed)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	int64_t ahead = (rspb_slurm_conf().kill_wait + rspb_gap_whole()) * 1000 + CLEAN_UP_MS;
	int64_t next = INT64_MAX, until = 0, at;
	size_t i;

	for (i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		at = b->start * 1000;
		/* A booking that has its nodes already begins at its start, see begin_held(). */
		if (b->state == RSPB_ACTIVE && at > now_ms && at < next)
			next = at;
		if (b->state != RSPB_BOOKED || b->end * 1000 <= now_ms)
			continue;
		/* A late one is tried again. One that starts soon is due when it gets its nodes,
		 * and a later one when the jobs on its nodes are looked at. */
		if (due_at(b) * 1000 <= now_ms)
			at = retry_at(now_ms, b);
		else if (at <= now_ms + ahead)
			at = due_at(b) * 1000;
		else
			at -= ahead;
		if (b->start * 1000 > now_ms && b->start * 1000 <= now_ms + ahead)
			until = b->start;
		if (at < next)
			next = at;
		/* All later bookings are due after this one. */
		if (b->start * 1000 > now_ms + ahead)
			break;
	}
	at = until ? look_ahead(until, now_ms, ahead, failed) : INT64_MAX;
	return at < next ? at : next;
}
