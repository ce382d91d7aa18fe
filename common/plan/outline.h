/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plan for bookings that may move, in numbers of nodes alone. It costs a few passes over steps
 * where a plan on nodes costs a search for each booking, so that most tries which lead to nothing
 * end here, and a plan on nodes touches only the bookings that have to move. Free nodes that are
 * not the same ones throughout count as free: a plan on nodes may still fail.
 *
 * Source: this project; doc/policies.md.
 */
#ifndef RSPB_PLAN_OUTLINE_H
#define RSPB_PLAN_OUTLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/nodeset.h"
#include "common/calendar/ladder.h"
#include "common/calendar/profile.h"

/* A booking that may move, or a newcomer. */
struct rspb_outlined {
	int64_t nodes;
	int64_t ready, last;	 /* its earliest and its latest start */
	int64_t duration, takes; /* takes: and the time to clean up */
	int64_t start, until;	 /* its nodes are booked over it now; not of a newcomer */
	int64_t next;		 /* set: its start by the outline */
	bool first;		 /* others go around it */
	bool away;		 /* set: it has to move */
	size_t of;		 /* for the caller, as the order of jobs changes */
};

/* A zeroed one is empty. */
struct rspb_outline {
	struct rspb_outlined *jobs; /* owned, in the order in which they are placed */
	size_t n, room;
	struct rspb_outlined *kept; /* owned: the jobs as another order has them */
	size_t kept_room;
	struct rspb_ladder free;  /* without them */
	struct rspb_ladder trial; /* with them */
};

void rspb_outline_fini(struct rspb_outline *outline);
/* RET 0, -1: out of memory. */
int rspb_outline_add(struct rspb_outline *outline, const struct rspb_outlined *job);
/*
 * Read how many of these nodes (NULL: of all) are free by a profile that has the jobs, from the
 * earliest start to the latest end of the jobs and of the newcomer (NULL: none). RET 0, -1 with
 * err.
 */
int rspb_outline_read(struct rspb_outline *outline, const struct rspb_profile *profile,
		      const struct rspb_nodeset *among, const struct rspb_outlined *newcomer,
		      struct rspb_err *err);
/*
 * Place the newcomer at its earliest start, as if no job were there that is not `first`. Jobs that
 * it leaves alone stay, and the others get their earliest starts. A job that has none is `first`
 * then, and all are placed again, up to `repairs` times. RET 1: at most `most` jobs are away, and
 * their delays are at most `patience`, in 1/100 of their durations; 0: no such plan; -1: out of
 * memory.
 */
int rspb_outline_admit(struct rspb_outline *outline, const struct rspb_outlined *newcomer,
		       size_t most, int64_t patience, int64_t repairs);
/*
 * Place each job at its earliest start, in the order of their latest starts or of their durations,
 * whichever delays them less; `repairs` as above. RET 1 with the sum of delays, which is below 0;
 * 0: no such plan; -1: out of memory.
 */
int rspb_outline_advance(struct rspb_outline *outline, int64_t repairs, int64_t *delays);

#endif
