/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Proposes what a batch wants of others. Who is to move is planned in common/plan. */
#include "plugins/ctld/decide/others.h"

#include <stdio.h>

#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/decide/proposal.h"

static bool moves(const struct rspb_proposed *one)
{
	return one->terms && one->terms->start != one->was->start;
}

/* Where the disk fails the newcomer is not booked, and nobody moves for it. */
static void name_moves(struct rspb_proposal *all)
{
	for (size_t i = 0; i < all->n; i++) {
		if (!moves(&all->items[i]))
			continue;
		snprintf(all->items[i].why, sizeof(all->items[i].why),
			 "moved within its window, to let others in");
		all->answered = true;
	}
}

/* Slurm would not have it there, for a reason that will be the same next time. */
static void settle(const struct rspb_proposed *one, int64_t now)
{
	const struct rspb_booking *b = rspb_ledger_find(rspb_book_ledger(),
							one->was->request->id);
	struct rspb_booking *firm = b ? rspb_booking_clone(b) : NULL;
	struct rspb_record change = { .kind = RSPB_REC_CHANGE,
				      .time = now,
				      .booking = firm };
	struct rspb_err err;

	if (!firm)
		return;
	firm->request->moves = 0;
	if (rspb_book_apply(&change, &err))
		rspb_log_error("%s", err.text);
	rspb_booking_destroy(firm);
}

void rspb_others_change(const struct rspb_ledger *basis,
			const struct rspb_config *config, int64_t now)
{
	struct rspb_proposal all = { .config = config,
				     .why = "back to what a newcomer leaves" };
	struct rspb_err err;

	if (rspb_proposal_collect(&all, basis, now, &err))
		rspb_log_error("%s", err.text);
	name_moves(&all);
	if (rspb_propose(&all) == RSPB_PROPOSAL_REFUSED &&
	    all.refused < all.n && moves(&all.items[all.refused]))
		settle(&all.items[all.refused], now);
	rspb_proposal_fini(&all);
}
