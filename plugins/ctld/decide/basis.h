/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the ledger on which a plan is made. */
#ifndef RSPB_CTLD_DECIDE_BASIS_H
#define RSPB_CTLD_DECIDE_BASIS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "common/request/booking.h"
#include "plugins/ctld/book/occupancy.h"

/* Make a basis in two steps, if several plans are made one after the other. look takes the read
 * lock. RET false: not possible at the moment, nothing to free. of: RET the basis, NULL without
 * memory. */
bool rspb_basis_look(struct rspb_occupancy *occupancy, const struct rspb_config *config,
		     int64_t now);
struct rspb_ledger *rspb_basis_of(const struct rspb_occupancy *occupancy);
/* RET a copy of the ledger to plan on as of now (seconds), with all that stands
 * in the way; the caller destroys it. NULL: not possible at the moment. Takes
 * the read lock. */
struct rspb_ledger *rspb_basis_make(const struct rspb_config *config, int64_t now);

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
/* Whether nothing has come to the nodes of a booking within its window. */
bool rspb_since_leaves(struct rspb_since *since, const struct rspb_booking *booking);

/* Collects the jobs without a booking that count against the limits of requests. */

/* Whether a request has limits at all; of others nothing would be added. */
bool rspb_holds_wanted(const struct rspb_request *request);
/* Add to a ledger that is planned on what runs at `now` (seconds) and counts
 * together with one of these n requests. Takes the read lock if it is needed.
 * RET 0, -1: out of memory, or slurmctld goes down. */
int rspb_holds_add(struct rspb_ledger *basis, const struct rspb_request *const *requests, size_t n,
		   int64_t now);

#endif
