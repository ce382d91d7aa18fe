/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A booking that has not started and cannot stay where it is, because a node
 * failed or was taken: replaced from what is free, else degraded within its
 * benefit function, else moved within its window, else less valuable bookings
 * give way. One that could begin sooner, as something has come free, moves
 * within its window, too, as it is and at nobody's cost. One that had less for an
 * outage gets that back at its start, as far as it is free.
 *
 * Source: this project; doc/policies.md.
 */
#ifndef RSPB_PLAN_RESCUE_H
#define RSPB_PLAN_RESCUE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/ledger/ledger.h"
#include "common/plan/yield.h"
#include "common/policy/policy.h"

/* Which way was found, in the order in which they are tried. */
enum rspb_rescued {
	RSPB_RESCUED_NOT,
	RSPB_RESCUED_REPLACED, /* other nodes, the same start and size */
	RSPB_RESCUED_SURPLUS,  /* so, out of what others grew by */
	RSPB_RESCUED_SLOWER,   /* all of it, on slower nodes, for longer */
	RSPB_RESCUED_DEGRADED, /* less, at the same start */
	RSPB_RESCUED_MOVED,    /* another start within its window */
	RSPB_RESCUED_PART,     /* others got less within their functions */
	RSPB_RESCUED_WHOLE,    /* others lost their bookings */
	RSPB_RESCUED_SOONER,   /* an earlier start: it could have stayed */
	RSPB_RESCUED_RESTORED, /* more, at the same start, of what an outage has taken */
	RSPB_N_RESCUED
};
/* "other nodes", "less", ...; a few words for messages. */
const char *rspb_rescued_text(enum rspb_rescued how);

struct rspb_rescue {
	uint64_t id;
	/* The earliest start of one that moves; not before the time of the
	 * ledger. */
	int64_t earliest;
	bool same;	/* neither less, nor another start, nor at the
				 * cost of what was promised to others */
	int64_t sooner; /* it can stay, and moves, with all that it has, to a start
			 * at that second or before alone; 0: it cannot stay */
	bool restore;	/* likewise it can stay, and gets back what an outage has taken */
	/* Nodes for those that a part of different sizes has lost (stand_in.h), for each part;
	 * NULL: none. */
	struct rspb_nodeset *const *others;
	enum rspb_yield yield; /* the most that others are asked for */
	enum rspb_rescued how; /* set: what was done */
};

/*
 * Find the booking a place on a ledger in which all that is in its way is
 * blocked. RET 1: the ledger holds it, and those that gave way; 0: nothing
 * changed, there is none; -1 with err.
 */
int rspb_rescue_booking(struct rspb_ledger *ledger, const struct rspb_policy *policy,
			struct rspb_rescue *rescue, struct rspb_err *err);

#endif
