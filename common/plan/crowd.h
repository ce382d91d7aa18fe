/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bounds where shares lie: by the other resources that all shares on one node need together
 * (memory, generic resources), and by how many leaves their nodes may be on. */
#ifndef RSPB_PLAN_CROWD_H
#define RSPB_PLAN_CROWD_H

#include "common/plan/plan.h"

/*
 * Add to out the nodes on which there is not room for what a piece of the plan
 * takes there, beside bookings and the other pieces, over the plan's window.
 * RET 0, -1: out of memory. *quota: one that there is not enough of; unchanged
 * when there is of all.
 */
int rspb_crowd_full(const struct rspb_plan *plan, const struct rspb_piece *piece,
		    struct rspb_nodeset *out, const struct rspb_quota **quota);

/*
 * Leave of what a piece of shares may have, besides fixed nodes, those that have room for
 * its aim, or else its floor, on no more leaves than its part says. RET false: out of
 * memory, or they are not enough, which plan->spread says where more leaves would be.
 */
bool rspb_crowd_near(struct rspb_plan *plan, struct rspb_piece *piece);

#endif
