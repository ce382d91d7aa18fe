/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A copy of the book's calendar for threads that are not the agent's. The copy is made on demand
 * and never changed. */
#include "plugins/ctld/book/book.h"

#include "common/calendar/profile.h"
#include "plugins/ctld/book/state.h"

/* A calendar wants what ends before RSPB_TIME_MAX. */
static const int64_t last = RSPB_TIME_MAX - 1;

static bool any_shares(const struct rspb_ledger *ledger)
{
	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		for (uint32_t g = 0; g < b->n_grants; g++)
			if (b->grants[g].share && rspb_booking_held(b))
				return true;
	}
	return false;
}

/* RET the copy of the calendar for this version, NULL: out of memory. A calendar's clone shares
 * its content until either changes, so that a copy for each change is cheap. */
static const struct rspb_profile *view_of(const struct rspb_ledger *ledger, uint64_t version)
{
	if (rspb_book->view.made != version) {
		rspb_profile_destroy(rspb_book->view.profile);
		rspb_book->view.profile = NULL;
	}
	if (!rspb_book->view.profile) {
		rspb_book->view.profile = rspb_profile_clone(rspb_ledger_profile(ledger));
		rspb_book->view.shares = any_shares(ledger);
	}
	rspb_book->view.made = version;
	return rspb_book->view.profile;
}

/* Without memory for the calendar the bookings are walked over, so that regular jobs never run
 * into one. */
static void walk(const struct rspb_ledger *ledger, int64_t start, int64_t end,
		 struct rspb_nodeset *set)
{
	rspb_nodeset_clear(set);
	for (size_t i = 0; i < rspb_ledger_count(ledger); i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->start >= end)
			break;
		if (b->end > start && rspb_booking_held(b))
			rspb_booking_cover(b, set);
	}
}

void rspb_view_booked(const struct rspb_ledger *ledger, uint64_t version, int64_t start,
		      int64_t end, struct rspb_nodeset *set)
{
	const struct rspb_profile *profile = view_of(ledger, version);

	if (end > last)
		end = last;
	if (profile && !rspb_profile_free_over(profile, start, end, set, NULL))
		rspb_nodeset_invert(set);
	else
		walk(ledger, start, end, set);
}

bool rspb_view_shares(const struct rspb_ledger *ledger, uint64_t version)
{
	/* Without a copy nobody knows, and the caller looks itself. */
	return !view_of(ledger, version) || rspb_book->view.shares;
}

bool rspb_view_first(const struct rspb_ledger *ledger, uint64_t version, int64_t from,
		     int64_t seconds, uint32_t nodes, const struct rspb_nodeset *of, int64_t *start)
{
	const struct rspb_preference earliest = { .score = NULL };
	const struct rspb_query query = {
		.ready = from,
		.deadline = last,
		.duration = seconds,
		.nodes = nodes ? nodes : 1,
		.eligible = of,
		.open_end = RSPB_OPEN_INFINITE,
	};
	const struct rspb_profile *profile = view_of(ledger, version);
	struct rspb_nodeset *set = rspb_nodeset_create(of->width);
	struct rspb_rect rect;
	bool found;

	found = profile && set && seconds > 0 &&
		rspb_profile_search(profile, &query, &earliest, &rect, set, NULL) > 0;
	if (found)
		*start = rect.start;
	rspb_nodeset_destroy(set);
	return found;
}
