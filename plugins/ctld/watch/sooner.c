/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives bookings back what an outage has taken from them, and moves bookings with --book=asap
 * forward if nodes came free. All others stay as they are. */
#include "plugins/ctld/watch/watch.h"

#include <stdlib.h>

#include "common/base/array.h"
#include "common/base/times.h"
#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/decide/batch.h"
#include "plugins/ctld/observe/following.h"
#include "plugins/ctld/request/ask.h"
#include "plugins/ctld/watch/state.h"

enum {
	SLICE_US = 30000, /* of work, until others have their turn */
	PART = 20,	  /* a look takes a part of the time at most */
	PAUSE_MS = 1000,  /* between two looks at all of them */
	AGAIN_MS = 60000, /* one that Slurm or the site would not have there */
	AHEAD_S = 2,	  /* between now and a start */
	LEAST_S = 60,	  /* what is gained less than that is not worth a word */
};

/* RET how many seconds before its start a booking stays, as its owner was told. */
static int64_t firm_of(const struct rspb_booking *b, const struct rspb_config *config)
{
	struct rspb_config space;

	return rspb_limits_settings(config, b->request, &space)->firm_notice;
}

/* RET the least gain for which a booking moves. */
static int64_t least_gain(int64_t firm)
{
	return firm > LEAST_S ? firm : LEAST_S;
}

/* RET the earliest start of a move: when the nodes can be prepared, and not before the
 * request's own ready time. */
static int64_t earliest(const struct rspb_booking *b, int64_t now)
{
	return rspb_request_first(b->request, now + AHEAD_S + rspb_gap(RSPB_GAP_PREPARE));
}

/* Whether a booking may move forward. A start that was announced as final stays, and so does
 * a booking that is in trouble or was refused just now. */
static bool may_move(const struct rspb_booking *b, const struct rspb_config *config, int64_t now_ms)
{
	const struct rspb_request *r = b->request;
	int64_t now = now_ms / 1000, firm;

	if (b->state != RSPB_BOOKED || !r->asap || r->held)
		return false;
	firm = firm_of(b, config);
	return b->start > now + firm && b->start - least_gain(firm) >= earliest(b, now) &&
	       rspb_kind_of(r)->has_jobs && !rspb_doubt_says(r->id) && !rspb_trouble_find(r->id) &&
	       !rspb_resting_has(&rspb_sooner->refused, r->id, now_ms);
}

/* RET since when it is without what an outage has taken, INT64_MAX: it has all. */
static int64_t missing_since(const struct rspb_booking *b)
{
	int64_t since = INT64_MAX;

	for (uint32_t i = 0; i < b->n_grants; i++)
		if (rspb_booking_missing(b, i))
			since = rspb_earlier(since, b->grants[i].outage);
	return since;
}

/* Whether a booking may get back what it lost. Its start must be far enough that the
 * additional nodes can still be prepared. */
static bool may_regain(const struct rspb_booking *b, int64_t now_ms)
{
	const struct rspb_request *r = b->request;

	return b->state == RSPB_BOOKED && !r->held && missing_since(b) != INT64_MAX &&
	       b->start > now_ms / 1000 + AHEAD_S + rspb_gap(RSPB_GAP_PREPARE) &&
	       !rspb_doubt_says(r->id) && !rspb_trouble_find(r->id) &&
	       !rspb_resting_has(&rspb_sooner->refused, r->id, now_ms);
}

/* Whether more may be free than at the last look. */
static bool came_free(void)
{
	return rspb_sooner->again || !rspb_sooner->looked ||
	       rspb_book_freed() != rspb_sooner->looked_over ||
	       rspb_ctld_changed(RSPB_CHANGED_ANY) >= rspb_sooner->looked;
}

/* Order for qsort(): the longest outage first, then the earliest request. The id decides a
 * tie, so that the order is always the same. */
static int by_turn(const void *a, const void *b)
{
	const struct rspb_sooner_wish *x = a, *y = b;

	if (x->outage != y->outage)
		return x->outage < y->outage ? -1 : 1;
	if (x->arrival != y->arrival)
		return x->arrival < y->arrival ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

static void add_wish(const struct rspb_sooner_wish *wish)
{
	if (!rspb_array_grow(&rspb_sooner->list, &rspb_sooner->room, rspb_sooner->n + 1,
			     sizeof(*rspb_sooner->list)))
		rspb_sooner->list[rspb_sooner->n++] = *wish;
}

/* Jobs that are without a booking since an outage are in the same order. */
static void add_losers(int64_t now)
{
	struct rspb_loser *losers;
	size_t n = rspb_comeback_find(&losers, now);

	for (size_t i = 0; i < n; i++)
		add_wish(&(struct rspb_sooner_wish){
			.outage = losers[i].outage, .id = losers[i].id, .given_up = true });
	free(losers);
}

/* Begin a look: note ids of all bookings that want something. Changes from here on are for
 * the next look, so the marks are taken first. */
static void begin(const struct rspb_config *config, int64_t now_ms)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();

	rspb_sooner->looked = now_ms / 1000;
	rspb_sooner->looked_over = rspb_book_freed();
	rspb_sooner->again = rspb_sooner->moved = rspb_sooner->waits = false;
	rspb_sooner->n = rspb_sooner->next = 0;
	rspb_sooner->spent = 0;
	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		struct rspb_sooner_wish wish = { .outage = missing_since(b),
						 .arrival = b->request->arrival,
						 .id = b->request->id };

		if (may_regain(b, now_ms) || may_move(b, config, now_ms))
			add_wish(&wish);
	}
	if (rspb_comeback_due(rspb_sooner->looked))
		add_losers(rspb_sooner->looked);
	if (rspb_sooner->n)
		qsort(rspb_sooner->list, rspb_sooner->n, sizeof(*rspb_sooner->list), by_turn);
}

/* Move a booking forward if it still may: something may have come in its way, or have moved
 * it, since the look began. RET as rspb_rescue_sooner(). */
static int move(struct rspb_rescues *rescues, uint64_t id, const struct rspb_config *config,
		int64_t now_ms)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);

	if (!b || !may_move(b, config, now_ms))
		return 0;
	return rspb_rescue_sooner(rescues, id, earliest(b, now_ms / 1000),
				  b->start - least_gain(firm_of(b, config)));
}

static int regain(struct rspb_rescues *rescues, uint64_t id, int64_t now_ms)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), id);

	if (!b || !may_regain(b, now_ms))
		return 0;
	if (!rspb_threat_comes_first(b))
		return rspb_rescue_restore(rescues, id);
	/* A booking in trouble has the first claim to what came free. This one is tried
	 * later. */
	rspb_sooner->waits = true;
	return 0;
}

/* Try one that lost its place; the others behind one that asks again wait until it is
 * decided. */
static void try_loser(uint32_t id, const struct rspb_config *config, int64_t now)
{
	enum rspb_comeback result = rspb_comeback_try(id, config, now);

	rspb_sooner->waits |= result != RSPB_COMEBACK_NOT;
	if (result == RSPB_COMEBACK_ASKS)
		rspb_sooner->next = rspb_sooner->n;
}

static void try(struct rspb_rescues *rescues, uint64_t id, const struct rspb_config *config,
		int64_t now_ms)
{
	int rc = regain(rescues, id, now_ms);

	if (!rc)
		rc = move(rescues, id, config, now_ms);
	rspb_sooner->moved |= rc > 0;
	if (rc < 0)
		rspb_resting_add(&rspb_sooner->refused, id, now_ms + AGAIN_MS);
}

/* Try some of the wishes, for SLICE_US. The ledger may change at each yield point, so that
 * each wish is looked up by its id again. */
static void go_on(const struct rspb_config *config, int64_t now_ms, int64_t began)
{
	struct rspb_rescues rescues;

	rspb_rescues_begin(&rescues, config, now_ms / 1000);
	do {
		const struct rspb_sooner_wish wish = rspb_sooner->list[rspb_sooner->next++];

		if (wish.given_up)
			try_loser((uint32_t) wish.id, config, now_ms / 1000);
		else
			try(&rescues, wish.id, config, now_ms);
		rspb_breathe();
		rspb_sooner->spent = rspb_section_clock_us() - began;
	} while (rspb_sooner->next < rspb_sooner->n && rspb_sooner->spent < SLICE_US);
	rspb_rescues_end(&rescues);
	rspb_comeback_end();
}

/* Whether a look is worth while. */
static bool is_due(int64_t now)
{
	return rspb_comeback_due(now) || (!rspb_book_idle() && came_free());
}

int64_t rspb_sooner_run(const struct rspb_config *config, int64_t now_ms)
{
	bool over = rspb_sooner->next == rspb_sooner->n;
	int64_t began = rspb_section_clock_us();

	if (over && !is_due(now_ms / 1000))
		return INT64_MAX;
	if (now_ms < rspb_sooner->resume_at)
		return rspb_sooner->resume_at;
	/* After a start of slurmctld much seems taken that is not. */
	if (over && (rspb_silent_wait(now_ms) || rspb_comeback_undecided(now_ms / 1000)))
		return now_ms + PAUSE_MS;
	if (over)
		begin(config, now_ms);
	if (rspb_sooner->n)
		go_on(config, now_ms, began);
	/* The pause after a turn leaves most of the agent's time to decisions and starts. */
	rspb_sooner->resume_at = now_ms + rspb_sooner->spent * (PART + 1) / 1000;
	if (rspb_sooner->next < rspb_sooner->n)
		return rspb_sooner->resume_at;
	if (rspb_sooner->resume_at < now_ms + PAUSE_MS)
		rspb_sooner->resume_at = now_ms + PAUSE_MS;
	rspb_sooner->again = rspb_sooner->moved || rspb_sooner->waits;
	return rspb_sooner->again ? rspb_sooner->resume_at : INT64_MAX;
}
