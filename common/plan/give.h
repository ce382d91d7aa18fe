/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes one booking smaller in place, or gives it back what it gave. yield.c decides which booking
 * does so and for whom. */
#ifndef RSPB_PLAN_GIVE_H
#define RSPB_PLAN_GIVE_H

#include "common/plan/yield.h"

/* Whether giving way to that level (not WHOLE) makes the booking smaller. */
bool rspb_give_possible(const struct rspb_booking *booking, enum rspb_yield level);
/* Let a booking give way in the ledger; of whole nodes, those in `wanted` (NULL:
 * any) first. RET 1; 0: it had nothing to give; -1 with err. */
int rspb_give(struct rspb_ledger *ledger, uint64_t id, enum rspb_yield level,
	      const struct rspb_nodeset *wanted, struct rspb_err *err);
/* Let it grow back towards what it was, where nobody is now. One that has
 * been cancelled stays so. RET 1: it grew, 0, -1 with err. */
int rspb_give_back(struct rspb_ledger *ledger, const struct rspb_booking *was,
		   struct rspb_err *err);

#endif
