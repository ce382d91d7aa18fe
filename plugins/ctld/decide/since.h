/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether what was free when a plan was made is free still. Asked with the write
 * lock held, so first that is looked at which tells at once that nothing has
 * changed, and who has started since, and others' reservations, last.
 */
#ifndef RSPB_CTLD_DECIDE_SINCE_H
#define RSPB_CTLD_DECIDE_SINCE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/request/booking.h"
#include "plugins/ctld/book/occupancy.h"

struct rspb_since {
	const struct rspb_config *config;
	int64_t planned_at;
	bool looked;			/* occupancy holds what has come since */
	bool again;			/* and the lock was given up behind that */
	struct rspb_seen planned, seen; /* by the plan, and when looked */
	struct rspb_occupancy occupancy;
};

/* planned_at: the second in which the basis of the plan was made; planned: what that
 * has seen (rspb_ledger_seen). */
void rspb_since_init(struct rspb_since *since, const struct rspb_config *config, int64_t planned_at,
		     struct rspb_seen planned);
/* The lock was given up and taken again. */
void rspb_since_again(struct rspb_since *since);
void rspb_since_fini(struct rspb_since *since);
/* Whether nobody has come to the nodes of a booking within its window. */
bool rspb_since_leaves(struct rspb_since *since, const struct rspb_booking *booking);

#endif
