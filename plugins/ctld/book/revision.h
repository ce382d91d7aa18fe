/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a plan on a copy of the ledger changed of bookings that stand becomes
 * real: one entry in the ledger, then reservations, jobs, contracts and nodes.
 */
#ifndef RSPB_CTLD_BOOK_REVISION_H
#define RSPB_CTLD_BOOK_REVISION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "plugins/ctld/jobs/intake.h"

/* One booking that becomes another. */
struct rspb_settle_item {
	struct rspb_booking *new; /* owned; NULL: it loses its booking */
	struct rspb_ask ask;	  /* its jobs; the request is a copy */
	bool remake;		  /* nodes or times change: so does its
				 * reservation */
	bool lost;		  /* its booking is gone from the ledger */
	char why[RSPB_ERR_TEXT];  /* for log and contract; "": as the
					 * others */
	char said[RSPB_ERR_TEXT]; /* what changes, for the log */
};

struct rspb_settlement {
	size_t n;
	struct rspb_settle_item *items;
	int64_t planned_at;
};

/*
 * Compare the plan with the ledger: all bookings that stand and are others in
 * it. Takes the write lock for a look at their jobs; what cannot be followed
 * (its job is not there any more) is left out. RET 0 or -1 with err.
 */
int rspb_settle_collect(struct rspb_settlement *settlement,
			const struct rspb_ledger *plan, int64_t now,
			struct rspb_err *err);
void rspb_settle_fini(struct rspb_settlement *settlement);

/*
 * Make items [first, first + n) real together, all or none: refused when nodes
 * have been taken since the plan was made. `why` is for the log and for the
 * contracts of those that have no word of their own. Takes the write lock. RET whether it was done.
 */
bool rspb_settle_commit(struct rspb_settlement *settlement, size_t first,
			size_t n, const char *why,
			const struct rspb_config *config);

/* The same for all but the booking of that id, whose turn comes next. */
bool rspb_settle_others(struct rspb_settlement *settlement, uint64_t id,
			const char *why, const struct rspb_config *config);

/* The next number of a booking that is about to change at `now`: what its nodes
 * go by grows with every change, also of several in one second. */
void rspb_settle_number(struct rspb_booking *booking, int64_t now);
/* With the write lock: the contracts of a booking whose shares have changed, the
 * text of its reservations, and, when it runs, its nodes. ids: its components. */
void rspb_settle_share(const struct rspb_booking *booking, const uint32_t *ids,
		       uint32_t n, const struct rspb_config *config);

#endif
