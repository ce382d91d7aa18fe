/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives up offers that were held and not accepted. It makes none. */
#include "plugins/ctld/observe/held.h"

#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/observe/finish.h"
#include "plugins/ctld/observe/state.h"

/* AT_ONCE is the number of offers that are given up in one section; the others follow at the next
 * call. */
enum { AT_ONCE = 64, HELD_AT_MOST = 2 /* of one user */ };

static bool is_held(const struct rspb_booking *b)
{
	return b->state == RSPB_BOOKED && b->request->held;
}

int rspb_held_allow(const struct rspb_ask *ask, const struct rspb_asks *asks, int64_t now,
		    struct rspb_err *err)
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	uint32_t user = ask->request->user, has = 0;

	if (!ask->request->held)
		return 0;
	/* A job that waited for another one was not decided until then. */
	if (ask->request->held <= now)
		return rspb_fail(err, "the time for which its offer was to be held passed before "
				      "the request could be decided");
	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		has += is_held(b) && b->request->user == user;
	}
	/* Offers of this batch are not in the ledger yet. */
	for (size_t i = 0; i < asks->n; i++)
		has += asks->items[i].request->held && asks->items[i].request->user == user;
	if (has < HELD_AT_MOST)
		return 0;
	return rspb_fail(err,
			 "%u offers are already held for you, and at most %u can be; accept "
			 "one, or cancel it with rspb cancel",
			 has, HELD_AT_MOST);
}

/* RET how many of them there are, at most AT_ONCE. */
static int find_over(int64_t now, uint64_t ids[AT_ONCE])
{
	const struct rspb_ledger *ledger = rspb_book_ledger();
	int n = 0;

	if (rspb_observe->held.at > now && rspb_observe->held.version == rspb_book_version())
		return 0;
	rspb_observe->held.at = INT64_MAX;
	rspb_observe->held.version = rspb_book_version();
	/* If the list becomes full, the next end is in the past, and the next call looks for the
	 * rest. */
	for (size_t i = 0; i < rspb_ledger_count(ledger) && n < AT_ONCE; i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (!is_held(b))
			continue;
		if (b->request->held <= now)
			ids[n++] = b->request->id;
		if (b->request->held < rspb_observe->held.at)
			rspb_observe->held.at = b->request->held;
	}
	return n;
}

void rspb_held_expire(int64_t now)
{
	struct rspb_section section;
	struct rspb_config config;
	uint64_t ids[AT_ONCE];
	/* A hold ends at least RSPB_HELD_BEFORE_S before the start, so that a look every two
	 * seconds is in time. */
	int n = now % 2 && rspb_book_ledger() ? find_over(now, ids) : 0;

	if (!n || !rspb_section_enter(&section, RSPB_LOCK_WRITE, "held"))
		return;
	config = *rspb_settings_get();
	/* Hold the job, whatever the site says in OnDecline: the offer can still be accepted if it
	 * still fits. */
	config.on_decline = RSPB_DECLINE_HOLD;
	for (int i = 0; i < n && !rspb_section_spent(&section); i++) {
		const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), ids[i]);

		if (b && is_held(b))
			rspb_end_give_up(b, "the held offer was not accepted in time", &config,
					 now);
	}
	rspb_section_leave(&section);
}
