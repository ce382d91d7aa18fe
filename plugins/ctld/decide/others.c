/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Proposes what a batch wants of others. Who is to move is planned in common/plan. */
#include "plugins/ctld/decide/others.h"

#include <stdio.h>

#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/decide/holds.h"
#include "plugins/ctld/decide/proposal.h"

static bool moves(const struct rspb_proposed *one)
{
	return one->terms && one->terms->start != one->was->start;
}

/* Whether it has as much as it had, on other nodes. */
static bool as_much(const struct rspb_proposed *one)
{
	const struct rspb_booking *was = one->was, *is = one->terms;

	if (!is || is->n_grants != was->n_grants)
		return false;
	for (uint32_t i = 0; i < is->n_grants; i++)
		if (rspb_grant_units(&is->grants[i]) != rspb_grant_units(&was->grants[i]))
			return false;
	return true;
}

/* Where the disk fails the newcomer is not booked, and nobody moves for it. */
static void name_moves(struct rspb_proposal *all)
{
	for (size_t i = 0; i < all->n; i++) {
		struct rspb_proposed *one = &all->items[i];

		if (!moves(one) && !as_much(one))
			continue;
		snprintf(one->why, sizeof(one->why), "%s, to make room for another request",
			 moves(one) ? "moved within its window" : "on other nodes");
		all->answered = true;
	}
}

/* Slurm would not have it there, for a reason that will be the same next time. */
static void settle(const struct rspb_proposed *one, int64_t now)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(), one->was->request->id);
	struct rspb_booking *firm = b ? rspb_booking_clone(b) : NULL;
	struct rspb_record change = { .kind = RSPB_REC_CHANGE, .time = now, .booking = firm };
	struct rspb_err err;

	if (!firm)
		return;
	firm->request->moves = 0;
	if (rspb_book_apply(&change, &err))
		rspb_log_error("%s", err.text);
	rspb_booking_destroy(firm);
}

/* Licenses and limits of the newcomers were counted as if all had changed, and the ledger, which
 * refuses what would overlap, does not know them. */
static void drop_counted(const struct rspb_proposal *all, bool unkept, struct rspb_asks *asks,
			 struct rspb_booking **decisions)
{
	for (size_t i = 0; i < asks->n; i++) {
		struct rspb_ask *ask = &asks->items[i];

		if (!decisions[i] || decisions[i]->state != RSPB_BOOKED ||
		    !rspb_holds_wanted(ask->request))
			continue;
		rspb_booking_destroy(decisions[i]);
		decisions[i] = NULL;
		if (!unkept)
			continue;
		ask->refused_for = RSPB_REFUSAL_JOURNAL;
		ask->refusal = all->err;
	}
}

void rspb_others_change(const struct rspb_ledger *basis, const struct rspb_config *config,
			int64_t now, struct rspb_asks *asks, struct rspb_booking **decisions)
{
	struct rspb_proposal all = { .config = config,
				     .why = "reduced to its promise, to make "
					    "room for another request" };
	enum rspb_proposal_end end;
	struct rspb_err err;

	if (rspb_proposal_collect(&all, basis, now, &err))
		rspb_log_error("%s", err.text);
	name_moves(&all);
	end = all.n ? rspb_propose(&all) : RSPB_PROPOSAL_MADE;
	if (end != RSPB_PROPOSAL_MADE)
		drop_counted(&all, end == RSPB_PROPOSAL_UNKEPT, asks, decisions);
	/* Otherwise the same would be planned each time, and the newcomers never answered. */
	if (end == RSPB_PROPOSAL_REFUSED && all.refused < all.n &&
	    (moves(&all.items[all.refused]) || as_much(&all.items[all.refused])))
		settle(&all.items[all.refused], now);
	rspb_proposal_fini(&all);
}
