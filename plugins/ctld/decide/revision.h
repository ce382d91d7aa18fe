/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a plan on a copy of the ledger changed of bookings that stand becomes
 * real: one entry in the ledger, then reservations, jobs, contracts and nodes.
 */
#ifndef RSPB_CTLD_DECIDE_REVISION_H
#define RSPB_CTLD_DECIDE_REVISION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "plugins/ctld/requests/ask.h"

/* One booking that becomes another. */
struct rspb_revision {
	struct rspb_booking *new; /* owned; NULL: it loses its booking */
	struct rspb_ask ask;	  /* its jobs; the request is a copy */
	bool elsewhere;		  /* its nodes or times change */
	bool lost;		  /* its booking is gone from the ledger */
	char why[RSPB_ERR_TEXT];  /* for log and contract; "": as all */
	char said[RSPB_ERR_TEXT]; /* what changes, for the log */
};

struct rspb_revisions {
	size_t n;
	struct rspb_revision *items;
	int64_t planned_at;
	struct rspb_seen seen; /* by the plan */
};

/*
 * Compare the plan with the ledger: all bookings that stand and are others in
 * it. Takes the read lock for a look at their jobs; what cannot be followed
 * (its job is not there any more) is left out. RET 0 or -1 with err.
 */
int rspb_revisions_collect(struct rspb_revisions *revisions,
			   const struct rspb_ledger *plan, int64_t now,
			   struct rspb_err *err);
void rspb_revisions_fini(struct rspb_revisions *revisions);

/* Into the journal what items [first, first + n) are about to become, and why;
 * commit() does so itself, but not for all of several calls at once. withdraw:
 * what they are still. Both take the read lock and wait for the disk. */
void rspb_revisions_promise(struct rspb_revisions *revisions, size_t first,
			    size_t n, const char *why);
void rspb_revisions_withdraw(const struct rspb_revisions *revisions,
			     size_t first, size_t n);

/*
 * Make items [first, first + n) real together, all or none: refused when nodes
 * have been taken since the plan was made. `why` is for the log and for the
 * contracts of those that have no word of their own. Takes the write lock. RET
 * whether it was done.
 */
bool rspb_revisions_commit(struct rspb_revisions *revisions, size_t first,
			   size_t n, const char *why,
			   const struct rspb_config *config);

/* The same for all but the booking of that id, whose turn comes next. */
bool rspb_revisions_commit_others(struct rspb_revisions *revisions, uint64_t id,
				  const char *why,
				  const struct rspb_config *config);

/* The next number of a booking that is about to change at `now`: what its nodes
 * go by grows with every change, also of several in one second. */
void rspb_revision_number(struct rspb_booking *booking, int64_t now);

#endif
