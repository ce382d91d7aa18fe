/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bookings that wait as counts, and plans for all of them. Only flex*.c includes it. */
#ifndef RSPB_SIM_POLICY_FLEX_PLAN_H
#define RSPB_SIM_POLICY_FLEX_PLAN_H

#include "contrib/sim/policy/class_counts.h"
#include "contrib/sim/policy/flex.h"
#include "contrib/sim/policy/tide.h"

/* A booking that waits, or is to wait. */
struct rspb_late {
	struct rspb_booking *booking; /* owned; it says the start by the plan */
	uint32_t mask;		      /* the classes of its nodes */
	int64_t count, keep;	      /* nodes it wants, and leaves free */
	int64_t ready, last;	      /* its earliest and latest start */
	int64_t duration;	      /* these as in the request */
	bool pinned;		      /* its start stays */
	bool fresh;		      /* it is being decided */
	bool moves;		      /* others moved for it */
	struct rspb_take take, next_take;
	int64_t next; /* its start by the plan that is tried */
};

struct rspb_flex {
	struct rspb_classes classes;
	uint32_t known;		 /* classes of what waits; 0: nothing was read yet */
	struct rspb_heads base;	 /* without those that wait */
	struct rspb_heads plan;	 /* with them */
	struct rspb_heads frame; /* with those whose start stays */
	struct rspb_heads trial; /* with all by a plan that is tried */
	int64_t ahead;		 /* something in the ledger starts up to then */
	bool changed;		 /* the ledger, since base was read */
	/* The waiting bookings in two orders: by the latest start and by the duration. */
	struct rspb_late **urgent, **brief, **tried;
	size_t n, room;
	size_t unsettled; /* accepted since all were placed by duration */
	int64_t effort;	  /* how many may be placed anew; rspb_flex_earn() */
	struct rspb_tide tide;
	bool tidal; /* it is asked */
};

void rspb_late_destroy(struct rspb_late *late);
/* RET whether a comes before b by latest start; by duration. Then the earlier
 * request. */
bool rspb_late_urgent(const struct rspb_late *a, const struct rspb_late *b);
bool rspb_late_brief(const struct rspb_late *a, const struct rspb_late *b);

/* RET the search that this booking needs. */
struct rspb_heads_ask rspb_late_ask(const struct rspb_flex *flex, const struct rspb_policy *policy,
				    const struct rspb_late *late, int64_t now);

/* Let base be what the ledger says, for those that wait and a request of that
 * duration, and the plan that with all who wait. RET 1; 0: there is not room for
 * all of them, and nothing may be decided with it; -1 with err. */
int rspb_flex_read(struct rspb_flex *flex, const struct rspb_ledger *ledger, int64_t duration,
		   struct rspb_err *err);

/*
 * To place all anew takes time by their number. Each decision earns a number of
 * placements, which add up, and who has not earned them leaves the plan as it is:
 * so a decision costs the same on the average however many wait, and at most as
 * many placements as add up. Of the requests of a short queue each earns more than
 * it takes.
 */
void rspb_flex_earn(struct rspb_flex *flex);
/* RET whether all may be placed anew, which is spent then. */
bool rspb_flex_afford(struct rspb_flex *flex);

/*
 * Place all who wait, and the new one, if there is one, anew: each at its
 * earliest start, by latest start, or by duration (`brief`); who finds none goes
 * to the front, and all are placed again, up to `repairs` times. *delays: what
 * they start later than by the plan there is, in 1/100 of their durations,
 * together. RET 1: flex->trial and their next say how; 0: there is no such plan;
 * -1 with err.
 */
int rspb_flex_place(struct rspb_flex *flex, const struct rspb_policy *policy,
		    struct rspb_late *fresh, bool brief, int64_t now, int64_t *delays,
		    struct rspb_err *err);
/* Take the plan that was tried. */
void rspb_flex_accept(struct rspb_flex *flex, struct rspb_late *fresh);

/* Let the new one have the place that it finds when all others move within their
 * windows, as far as the policy's patience goes. RET 1, 0: nothing changed; -1 with
 * err. */
int rspb_flex_among(struct rspb_flex *flex, const struct rspb_policy *policy,
		    struct rspb_late *late, int64_t now, struct rspb_err *err);

/* Decide one that can't wait as a count on nodes, beside those who wait. RET as
 * rspb_flex_decide(). */
int rspb_flex_beside(struct rspb_flex *flex, struct rspb_ledger *ledger,
		     const struct rspb_policy *policy, struct rspb_booking *booking, int64_t now,
		     struct rspb_err *err);

#endif
