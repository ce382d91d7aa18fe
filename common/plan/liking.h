/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which start a plan likes. */
#ifndef RSPB_PLAN_LIKING_H
#define RSPB_PLAN_LIKING_H

#include "common/plan/plan.h"

/* RET the nodes that any whole-node part may have, in set, or NULL: all. */
const struct rspb_nodeset *rspb_liking_eligible(const struct rspb_plan *plan,
						struct rspb_nodeset *set);
/* RET how the start of a plan's request is chosen, from second `ready` on; its
 * policy's way, or the earliest, where the request or the policy (calm_first)
 * says so. The set is lost. */
const struct rspb_when *rspb_liking(const struct rspb_plan *plan, int64_t ready,
				    struct rspb_nodeset *set);

#endif
