/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The start of one request: the one the policy likes best among those at which
 * all of it fits, else the one at which most of it does.
 *
 * Source: Li et al., sections 4.3 and 5, over the nodes of all parts together.
 */
#ifndef RSPB_PLAN_SEARCH_H
#define RSPB_PLAN_SEARCH_H

#include "common/plan/plan.h"

/* RET the nodes that any whole-node part may have, in set, or NULL: all. */
const struct rspb_nodeset *rspb_search_eligible(const struct rspb_plan *plan,
						struct rspb_nodeset *set);
/* Whether the request of the plan has one start only, `ready` or now. */
bool rspb_search_one_start(const struct rspb_plan *plan, int64_t ready);

/*
 * Look for a start of the request that the plan was begun with, none before
 * now. RET 1 with the plan placed at it, 0 when there is none, -1 with err.
 */
int rspb_search(struct rspb_plan *plan, int64_t now, struct rspb_err *err);

/* The same with the earliest start, for a caller who knows that none before `soonest` can do: where
 * nothing but the time counts, that one is tried at once. */
int rspb_search_from(struct rspb_plan *plan, int64_t now, int64_t soonest, struct rspb_err *err);

/*
 * Look for a start of the request of `booking`, which is in state requested, and
 * book it in the ledger of the plan. RET 1: the ledger holds it, and `booking`
 * says what it got; 0: there is no start, or the ledger refuses it and `why`
 * says so; -1 with err.
 */
int rspb_search_book(struct rspb_plan *plan, struct rspb_ledger *ledger,
		     struct rspb_booking *booking, int64_t now, struct rspb_err *why,
		     struct rspb_err *err);

/* Write one sentence that tells the user why the request of the plan could not be placed, and what
 * is free. Times are UTC. */
void rspb_search_reason(struct rspb_plan *plan, int64_t now, char reason[RSPB_ERR_TEXT]);

#endif
