/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/start/launch.h"
#include "plugins/ctld/base/settings.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/array.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/report.h"
#include "plugins/ctld/base/saver.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/operators/operator.h"
#include "plugins/ctld/shares/message.h"
#include "plugins/ctld/shares/spare.h"
#include "plugins/ctld/start/attempts.h"
#include "plugins/ctld/start/orphan.h"
#include "plugins/ctld/watch/rescue.h"

/* Ordinary jobs whose limit is over are ended this long ahead already, so that
 * their nodes are clean at the start. */
enum { CLEAR_AHEAD_MS = 2000, CLEAR_EVERY_MS = 250 };
/* A booking of shares starts beside ordinary jobs that leave room for it; when
 * Slurm will not have it so (no memory is left), they go after so long. */
enum { BESIDE_S = 2 };

/* A job on the nodes of a booking that is not its own. */
struct squatter {
	uint32_t id;
	int64_t end;
	bool completing, booked;
	struct rspb_nodeset *nodes; /* owned */
};

/* Why a booking could not start, as far as its nodes are to blame. */
enum ill {
	WELL,
	SILENT, /* one does not answer */
	LOST	/* one is down or drained */
};

struct round {
	int64_t now;  /* seconds */
	enum ill ill; /* of the last one that was tried in vain */
	struct rspb_nodeset *wanted; /* nodes of all that is due */
	struct rspb_nodeset *scratch;
	size_t n, room;
	struct squatter *squatters;
};

void rspb_launch_reset(void)
{
	rspb_attempts_reset();
}

/* The second has begun when time() says so, too: its clock is coarser, and
 * Slurm asks that one whether a reservation has started. */
static void await_second(int64_t second)
{
	const struct timespec step = { .tv_nsec = 200000 };
	int i;

	for (i = 0; i < 100 && time(NULL) < second; i++)
		nanosleep(&step, NULL);
}

static bool due(const struct rspb_booking *b, int64_t now_ms, int64_t ahead_ms)
{
	return b->state == RSPB_BOOKED &&
	       b->start * 1000 <= now_ms + ahead_ms && b->end * 1000 > now_ms;
}

static bool shares(const struct rspb_booking *b)
{
	uint32_t i;

	for (i = 0; i < b->n_grants; i++)
		if (b->grants[i].share)
			return true;
	return false;
}

static bool on_nodes_of(const struct rspb_booking *b,
			const struct rspb_nodeset *nodes)
{
	uint32_t i;

	for (i = 0; i < b->n_grants; i++)
		if (!rspb_nodeset_disjoint(b->grants[i].nodes, nodes))
			return true;
	return false;
}

static int squatter_look(const struct rspb_job *job, void *arg)
{
	struct round *round = arg;
	const struct rspb_booking *own;
	int64_t end = job->end, until;
	struct squatter *new;

	if (job->phase != RSPB_JOB_RUNNING && !job->completing)
		return 0;
	rspb_nodeset_clear(round->scratch);
	rspb_job_nodes(job, round->scratch);
	if (rspb_nodeset_disjoint(round->scratch, round->wanted))
		return 0;
	if (rspb_array_grow(&round->squatters, &round->room, round->n + 1,
			    sizeof(*round->squatters)))
		return 1;
	own = rspb_door_find(job->reservation_id);
	/* Slurm's scheduler may be quicker within the very second. */
	if (own && own->state == RSPB_BOOKED && own->start <= round->now)
		return 0;
	until = rspb_door_end(job->reservation_id);
	end = until < end ? until : end;
	if (!own)
		own = rspb_ledger_find(rspb_book_ledger(), job->leader);
	new = &round->squatters[round->n];
	*new = (struct squatter){
		.id = job->id,
		.end = end,
		.completing = job->completing,
		.booked = own && own->state == RSPB_ACTIVE &&
			  own->end > round->now,
		.nodes = rspb_nodeset_clone(round->scratch),
	};
	round->n += new->nodes != NULL;
	return 0;
}

static void round_fini(struct round *round)
{
	size_t i;

	for (i = 0; i < round->n; i++)
		rspb_nodeset_destroy(round->squatters[i].nodes);
	free(round->squatters);
	rspb_nodeset_destroy(round->wanted);
	rspb_nodeset_destroy(round->scratch);
}

/* RET false: nothing is due within ahead_ms, or no memory. */
static bool round_init(struct round *round, int64_t now_ms, int64_t ahead_ms)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	uint32_t width = rspb_ledger_nodes(ledger), g;
	size_t i;

	*round = (struct round){
		.now = now_ms / 1000,
		.wanted = rspb_nodeset_create(width),
		.scratch = rspb_nodeset_create(width),
	};
	for (i = 0; round->wanted && i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->start * 1000 > now_ms + ahead_ms)
			break;
		for (g = 0; due(b, now_ms, ahead_ms) && g < b->n_grants; g++)
			rspb_nodeset_or(round->wanted, b->grants[g].nodes);
	}
	if (!round->scratch || !round->wanted ||
	    rspb_nodeset_empty(round->wanted)) {
		round_fini(round);
		return false;
	}
	return true;
}

/* Whether those that leave room for it may stay. */
static bool patient(const struct rspb_booking *b, const struct round *round)
{
	const struct rspb_attempt *attempt = rspb_attempt_find(b->request->id);

	return !attempt || !attempt->refused ||
	       round->now < b->start + BESIDE_S;
}

/*
 * End ordinary jobs in the way of a booking: before its start only those that
 * have used up their time. RET whether anything is (or just was) there.
 */
static bool clear_way(const struct rspb_booking *b, struct round *round,
		      bool started)
{
	bool found = false, beside = shares(b);
	struct rspb_err err;
	size_t i;
	int rc;

	for (i = 0; i < round->n; i++) {
		struct squatter *s = &round->squatters[i];

		if (!on_nodes_of(b, s->nodes) || (beside && s->booked) ||
		    (beside && !s->completing && patient(b, round) &&
		     rspb_spare(b, s->id)))
			continue;
		found = true;
		if (s->completing || s->booked ||
		    (!started && s->end > round->now))
			continue;
		rspb_log_info("job %u is in the way of booking %" PRIu64 ": %s",
			      s->id, b->request->id,
			      s->end <= round->now ? "its time is over, ended"
						   : "requeued or ended");
		rc = s->end <= round->now ? rspb_job_time_out(s->id, &err)
					  : rspb_job_evict(s->id, &err);
		if (rc)
			rspb_log_error("%s", err.text);
		s->completing = true;
	}
	return found;
}

static void in_vain(const struct rspb_booking *b, const char *why)
{
	uint32_t count = rspb_attempt_count(b->request->id);

	/* 1, 2, 4, 8, ... */
	if (!(count & (count - 1)))
		rspb_log_info("booking %" PRIu64 " cannot start yet (attempt "
			      "%u): %s",
			      b->request->id, count, why);
}

/* Wants at least the read lock. */
static enum ill nodes_of(const struct rspb_booking *b, struct round *round)
{
	rspb_nodeset_clear(round->scratch);
	rspb_node_unusable(round->scratch);
	if (on_nodes_of(b, round->scratch))
		return LOST;
	rspb_nodeset_clear(round->scratch);
	rspb_node_silent(round->scratch);
	return on_nodes_of(b, round->scratch) ? SILENT : WELL;
}

/* Slurm's own scheduler may be quicker within the very second, when the nodes
 * have just been cleared. */
static bool runs_already(const uint32_t *ids, uint32_t n)
{
	struct rspb_job job;
	uint32_t i;

	for (i = 0; i < n; i++)
		if (!rspb_job_find(ids[i], &job) ||
		    job.phase != RSPB_JOB_RUNNING)
			return false;
	return n > 0;
}

/* RET whether the jobs of the booking run now. */
static bool get_running(const struct rspb_booking *b, struct round *round,
			const uint32_t *ids, uint32_t n)
{
	struct rspb_config config;
	struct rspb_err err;

	if (runs_already(ids, n))
		return true;
	if (!rspb_orphan_gone(b, ids, n, round->now, &err)) {
		in_vain(b, err.text);
		return false;
	}
	if (clear_way(b, round, true)) {
		in_vain(b, "its nodes are still being cleared");
		return false;
	}
	if (rspb_job_start(ids, n, b->end, &err)) {
		in_vain(b, err.text);
		round->ill = nodes_of(b, round);
		rspb_attempt_refused(b->request->id, round->ill == WELL);
		return false;
	}
	rspb_settings_get(&config);
	rspb_grant_send(b, ids, n, &config);
	return true;
}

/* A booking without a job of its own: Slurm starts what waits in it. */
static bool open_window(const struct rspb_booking *b, struct round *round)
{
	if (clear_way(b, round, true)) {
		in_vain(b, "its nodes are still being cleared");
		return false;
	}
	rspb_attempt_forget(b->request->id);
	rspb_door_start(b->request->id, round->now);
	return true;
}

static bool start_one(const struct rspb_booking *b, struct round *round)
{
	uint32_t ids[RSPB_MAX_PARTS], n, i;
	uint64_t id = b->request->id;
	struct rspb_job leader;
	struct rspb_err err;

	if (rspb_door_is(id))
		return open_window(b, round);
	if (!rspb_job_find(id, &leader))
		return false;
	n = rspb_job_components(&leader, ids, RSPB_MAX_PARTS);
	if (n > RSPB_MAX_PARTS)
		return false;
	if (!get_running(b, round, ids, n))
		return false;
	rspb_attempt_forget(id);
	rspb_orphan_forget(id);
	if (rspb_book_event(id, RSPB_EV_START, round->now, NULL, &err))
		rspb_log_error("booking %" PRIu64 ": %s", id, err.text);
	for (i = 0; i < n; i++)
		rspb_report_state(ids[i], RSPB_ACTIVE, NULL);
	rspb_log_info("booking %" PRIu64 " started", id);
	return true;
}

/* RET the id of the next booking that is due and not yet in tried[], 0: none.
 * The ledger may have changed in between, so it is searched each time. */
static uint64_t next_due(int64_t now_ms, const uint64_t *tried, size_t n_tried)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	size_t i, k;

	for (i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->start * 1000 > now_ms)
			break;
		if (!due(b, now_ms, 0))
			continue;
		for (k = 0; k < n_tried && tried[k] != b->request->id; k++)
			;
		if (k == n_tried)
			return b->request->id;
	}
	return 0;
}

enum { TRIES = 4096 };

/* Others would take long: after 1, 2, 4, 8, ... attempts. */
static void note_ill(struct rspb_ill *ones, uint64_t id, enum ill ill)
{
	const struct rspb_attempt *attempt = rspb_attempt_find(id);

	if (ill == WELL || ones->n == RSPB_ILL_MOST || !attempt ||
	    (attempt->count & (attempt->count - 1)))
		return;
	ones->items[ones->n].id = id;
	ones->items[ones->n++].silent = ill == SILENT;
}

/* RET whether it is worth another pass at once. */
static bool start_due(int64_t now_ms)
{
	struct rspb_ill ill = { 0 };
	static uint64_t tried[TRIES];
	struct rspb_section section;
	struct round round;
	size_t n = 0;
	uint64_t id = next_due(now_ms, tried, n);
	bool started = false;

	while (id && n < TRIES) {
		await_second(now_ms / 1000);
		if (!round_init(&round, now_ms, 0))
			return false;
		if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "launch")) {
			round_fini(&round);
			return false;
		}
		rspb_job_each(squatter_look, &round);
		do {
			tried[n++] = id;
			round.ill = WELL;
			if (start_one(rspb_ledger_find(rspb_book_ledger(), id),
				      &round))
				started = true;
			else
				note_ill(&ill, id, round.ill);
			section.items++;
			id = next_due(now_ms, tried, n);
		} while (id && n < TRIES && !rspb_section_spent(&section));
		rspb_section_leave(&section);
		round_fini(&round);
	}
	/* A start that a crash makes forgotten is run twice. Not before all
	 * have started, as saving takes a lock that starting needs. */
	if (started)
		rspb_saver_request();
	return rspb_rescue_ill(&ill, now_ms / 1000);
}

static void clear_ahead(int64_t now_ms)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	struct rspb_section section;
	struct round round;
	size_t i;

	if (!round_init(&round, now_ms, CLEAR_AHEAD_MS))
		return;
	if (rspb_section_enter(&section, RSPB_LOCK_WRITE, "clear")) {
		rspb_job_each(squatter_look, &round);
		for (i = 0; i < rspb_ledger_count(ledger); i++) {
			const struct rspb_booking *b = rspb_ledger_at(ledger,
								      i);

			if (due(b, now_ms, CLEAR_AHEAD_MS))
				clear_way(b, &round, false);
		}
		rspb_section_leave(&section);
	}
	round_fini(&round);
}

static int64_t retry_at(int64_t now_ms, int64_t start)
{
	int64_t late = now_ms - start * 1000;

	return now_ms + (late < 1000 ? 20 : late < 10000 ? 100 : 1000);
}

int64_t rspb_launch_due(int64_t now_ms)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	int64_t next = INT64_MAX, at;
	bool soon = false;
	size_t i;

	if (next_due(now_ms, NULL, 0) && start_due(now_ms))
		start_due(now_ms);
	for (i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->state != RSPB_BOOKED || b->end * 1000 <= now_ms)
			continue;
		at = b->start * 1000;
		if (at <= now_ms) {
			at = retry_at(now_ms, b->start);
		} else if (at <= now_ms + CLEAR_AHEAD_MS) {
			soon = true;
			if (at > now_ms + CLEAR_EVERY_MS)
				at = now_ms + CLEAR_EVERY_MS;
		} else {
			at -= CLEAR_AHEAD_MS;
		}
		if (at < next)
			next = at;
		if (b->start * 1000 > now_ms + CLEAR_AHEAD_MS)
			break;
	}
	if (soon)
		clear_ahead(now_ms);
	return next;
}
