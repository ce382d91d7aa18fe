/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What shares on one node need besides, all together: memory, generic
 * resources. */
#ifndef RSPB_PLAN_CROWD_H
#define RSPB_PLAN_CROWD_H

#include "common/plan/plan.h"

/*
 * Add to out the nodes on which there is not room for what a piece of the plan
 * takes there, beside bookings and the other pieces, over the plan's window.
 * RET 0, -1: out of memory. *quota: one that there is not enough of; unchanged
 * when there is of all.
 */
int rspb_crowd_full(const struct rspb_plan *plan,
		    const struct rspb_piece *piece, struct rspb_nodeset *out,
		    const struct rspb_quota **quota);

#endif
