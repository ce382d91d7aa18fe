/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nodes that replace those that a part of different sizes has lost. Such a part may have no other
 * nodes than its own, as its amounts are said for each; a stand-in gives what a lost node gave.
 */
#ifndef RSPB_PLAN_STAND_IN_H
#define RSPB_PLAN_STAND_IN_H

#include "common/base/err.h"
#include "common/ledger/ledger.h"
#include "common/request/booking.h"

/*
 * Let parts of a request have other nodes in place of those of the booking that cannot give their
 * amounts at its start: all others that it keeps, and of others (others[i] of part i, NULL: none)
 * the lightest that have the most of what is lost. ledger: without that booking. A part that has
 * lost nothing, or a node that it names, stays as it is. RET 0, or -1 with err.
 */
int rspb_stand_in_offer(const struct rspb_ledger *ledger, const struct rspb_booking *was,
			struct rspb_nodeset *const *others, struct rspb_request *request,
			struct rspb_err *err);
/* Take over from such a part what it takes of the nodes that were granted, which are then all that
 * it may have. RET 0, -1: out of memory. */
int rspb_stand_in_settle(struct rspb_part *part, const struct rspb_part *offered,
			 const struct rspb_nodeset *granted);

#endif
