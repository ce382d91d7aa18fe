/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A plan: one request at one common start, every part with its nodes and its
 * amount. Nothing is booked by it; what doesn't work out is forgotten, which
 * is all the undoing there is.
 *
 * Source: Min, figures 4.2, 5.2, 5.3, 5.5 and 5.6 (shares); whole nodes follow
 * the same rules with nodes for units, on sets that must not meet.
 */
#ifndef RSPB_PLAN_PLAN_H
#define RSPB_PLAN_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/ledger/ledger.h"
#include "common/policy/policy.h"
#include "common/request/booking.h"

/* --- count.c --- */

/* How much counts from a time (seconds) on, until the next step. */
struct rspb_count_step {
	int64_t at, sum;
};

/* A limit of the request. */
struct rspb_count {
	const struct rspb_quota *quota; /* the request's */
	size_t n, room;
	struct rspb_count_step *steps;
};

struct rspb_counts {
	size_t n, room;
	struct rspb_count *items;
	size_t used; /* items in use, of those that are there */
};

/* How far a limit would be passed. */
struct rspb_excess {
	const struct rspb_quota *quota; /* NULL: none */
	int64_t held, own;		/* by others at most, and by itself */
};

/*
 * Count all in the ledger but the request itself, as far as it could matter to
 * it; *counts is zeroed, or was made before. Of `instead`, n bookings, each
 * counts as it is there and not as in the ledger. RET 0, -1: out of memory.
 */
int rspb_counts_make(struct rspb_counts *counts, const struct rspb_ledger *ledger,
		     const struct rspb_request *request, const struct rspb_booking *const *instead,
		     size_t n);
void rspb_counts_fini(struct rspb_counts *counts);

/* RET the first limit that a booking that is, or is to be, in the ledger passes. */
struct rspb_excess rspb_counts_booking(const struct rspb_counts *counts,
				       const struct rspb_ledger *ledger,
				       const struct rspb_booking *booking);
/* The sentence for the user, behind a colon. */
void rspb_excess_print(const struct rspb_excess *excess, struct rspb_text *text);

/* --- plan.c --- */

/* The limits and the nodes of one part in a plan. */
struct rspb_piece {
	const struct rspb_part *part;
	int64_t floor, aim;	    /* the least and the most that is granted */
	int64_t goal;		    /* aim, less what can't be had at this start */
	int64_t units;		    /* granted: nodes, or share per node; 0: none */
	struct rspb_nodeset *may;   /* nodes it may have at this start */
	struct rspb_nodeset *nodes; /* nodes it has */
};

struct rspb_plan {
	const struct rspb_ledger *ledger;
	const struct rspb_policy *policy;
	const struct rspb_request *request;
	const struct rspb_when *when; /* how its start is chosen */
	int64_t start, end;
	int64_t until; /* end, and the time to clean up */
	uint32_t width;

	uint32_t n, size;	   /* pieces in use, and there */
	size_t n_room;		   /* for how many there is memory */
	struct rspb_piece *pieces; /* one per part */
	uint32_t *sequence;	   /* of the pieces: who is looked at first */
	bool has_whole, has_shares;
	int64_t keep;			/* nodes that the request has to leave free */
	bool crowds;			/* it would have to leave more than there can be */
	int64_t keep_share;		/* and of each machine, in 1/10000 */
	struct rspb_counts counts;	/* against the limits of the request */
	struct rspb_excess excess;	/* of the start that was tried last */
	const struct rspb_quota *lacks; /* likewise: not enough of it is free
					 * beside shares; NULL: of all */
	bool unsuited;			/* likewise: the judge would not have what was free, */
	bool exhausted;			/* and is not asked about further starts */
	bool spread;			/* likewise: part->leaves allowed less than was free */
	bool bounded;			/* its nodes are among the fast ones: request->speed */

	struct rspb_nodeset *idle;	/* free over the window, whole */
	struct rspb_nodeset *left;	/* of those, not given to a piece */
	struct rspb_nodeset *shareable; /* where shares may lie */
	struct rspb_nodeset *scratch;
	struct rspb_nodeset *fast; /* where bounded: as fast as it is reckoned for */
	int64_t *room;		   /* share of each machine that nobody has */
	const uint32_t *cores;	   /* units of each, where all shares are cores; NULL */
	int64_t *load;		   /* reserved units x seconds */
};

/*
 * Asked about each plan, once it is placed: RET 1, the nodes of
 * all pieces will do, or are others now that may be had (piece->may) and that no
 * other piece has, no more than before and no fewer than the floor of each; 0: none
 * will at that start; -1 with err. The same plan is judged in the same way.
 */
struct rspb_judge {
	int (*suits)(struct rspb_plan *plan, void *arg, struct rspb_err *err);
	void *arg;
};

/* RET 0, or -1 with err: out of memory. */
int rspb_plan_init(struct rspb_plan *plan, const struct rspb_ledger *ledger,
		   const struct rspb_policy *policy, struct rspb_err *err);
void rspb_plan_fini(struct rspb_plan *plan);

/* Begin a request, which must outlive the plan's use of it. RET 0 or -1. */
int rspb_plan_begin(struct rspb_plan *plan, const struct rspb_request *request,
		    struct rspb_err *err);
/* Leave the fast ones of a set, where they alone will do. */
static inline void rspb_plan_keep_fast(const struct rspb_plan *plan, struct rspb_nodeset *set)
{
	if (plan->bounded)
		rspb_nodeset_and(set, plan->fast);
}
/* The leaves on which a limit of so many for a part counts at the plan's start, NULL: it
 * has none, or for earlier starts alone. */
static inline const uint32_t *rspb_plan_leaves(const struct rspb_plan *plan,
					       const struct rspb_part *part)
{
	int64_t until = plan->request->ready + part->leaves_for;

	return part->leaves && (!part->leaves_for || plan->start <= until)
		       ? rspb_ledger_marks(plan->ledger).leaves
		       : NULL;
}
/* RET 1: every part is placed at that start, 0: it can't be, -1 with err. */
int rspb_plan_try(struct rspb_plan *plan, int64_t start, struct rspb_err *err);

/*
 * Begin the request of a booking, each part with as much as it has, neither more nor
 * less; `stays`: of its own nodes, which the request is narrowed to. It must outlive the
 * plan's use of it, too. RET 0 or -1.
 */
int rspb_plan_begin_again(struct rspb_plan *plan, struct rspb_request *request,
			  const struct rspb_booking *was, bool stays, struct rspb_err *err);
/*
 * Whether a ledger that does not have the booking has room for it just where it is, with
 * limits and what is counted on each node, of which the ledger itself knows nothing.
 * RET 1, 0, -1 with err.
 */
int rspb_plan_there(const struct rspb_ledger *ledger, const struct rspb_policy *policy,
		    const struct rspb_booking *booking, struct rspb_err *err);

/* Sum over the parts of what is granted, and of what would be at most; see
 * rspb_part_add_cpu(). */
int64_t rspb_plan_amount(const struct rspb_plan *plan);
int64_t rspb_plan_wanted(const struct rspb_plan *plan);
/* For a request whose start counts, RET the benefit of the plan as it is placed, and the most that
 * it can have at that start with so many free nodes; 0 for other requests. */
struct rspb_ratio rspb_plan_worth(const struct rspb_plan *plan);
struct rspb_ratio rspb_plan_worth_most(const struct rspb_plan *plan, int64_t start, int64_t free);

/*
 * Take up a booking that is in the ledger and let it grow towards its aim: in
 * place, or, when `move` says so, single machines of floating share parts to
 * where more is free (Min, figure 5.8). RET 1 with the plan placed when it
 * got more, 0 when not, -1 with err.
 */
int rspb_plan_refine(struct rspb_plan *plan, const struct rspb_booking *booking, bool move,
		     struct rspb_err *err);

/* Fill the grants of booking, made for this request, from a plan that was
 * placed. RET 0 or -1 with err. */
int rspb_plan_grant(const struct rspb_plan *plan, struct rspb_booking *booking,
		    struct rspb_err *err);

/* The two kinds of parts; for plan.c. place: RET as rspb_plan_try. grow: RET 0
 * or -1 with err. */
int rspb_plan_place_whole(struct rspb_plan *plan, struct rspb_err *err);
int rspb_plan_place_shares(struct rspb_plan *plan, struct rspb_err *err);
int rspb_plan_grow_whole(struct rspb_plan *plan, struct rspb_err *err);
int rspb_plan_grow_shares(struct rspb_plan *plan, bool move, struct rspb_err *err);
/* Take machines from what a piece of shares may have (piece->may) that have not enough left, beside
 * bookings and the other pieces, of what it takes besides cores. RET false: a fixed one is among
 * them, or out of memory. */
bool rspb_plan_leave_full(struct rspb_plan *plan, struct rspb_piece *piece);
/* Let go what limits do not allow at the start of the plan, down to the floor of
 * each piece. RET whether it is within them; else plan->excess says more. */
bool rspb_plan_within(struct rspb_plan *plan);
/* units, or the least units of equal benefit where the policy trims. */
int64_t rspb_plan_trimmed(const struct rspb_plan *plan, const struct rspb_piece *piece,
			  int64_t units);

/* --- search.c --- */

/* RET the nodes that any whole-node part may have, in set, or NULL: all. */
const struct rspb_nodeset *rspb_search_eligible(const struct rspb_plan *plan,
						struct rspb_nodeset *set);
/* Whether the request of the plan has one start only, `ready` or now. */
bool rspb_search_one_start(const struct rspb_plan *plan, int64_t ready);

/*
 * Look for a start of the request that the plan was begun with, none before
 * now. RET 1 with the plan placed at it, 0 when there is none, -1 with err.
 */
int rspb_search(struct rspb_plan *plan, int64_t now, struct rspb_err *err);

/* The same with the earliest start, for a caller who knows that none before `soonest` can do: where
 * nothing but the time counts, that one is tried at once. */
int rspb_search_from(struct rspb_plan *plan, int64_t now, int64_t soonest, struct rspb_err *err);

/*
 * Look for a start of the request of `booking`, which is in state requested, and
 * book it in the ledger of the plan. RET 1: the ledger holds it, and `booking`
 * says what it got; 0: there is no start, or the ledger refuses it and `why`
 * says so; -1 with err.
 */
int rspb_search_book(struct rspb_plan *plan, struct rspb_ledger *ledger,
		     struct rspb_booking *booking, int64_t now, struct rspb_err *why,
		     struct rspb_err *err);

/* Write one sentence that tells the user why the request of the plan could not be placed, and what
 * is free. Times are UTC. */
void rspb_search_reason(struct rspb_plan *plan, int64_t now, char reason[RSPB_ERR_TEXT]);

/* --- forms.c --- */

/*
 * Let the request have the nodes and the duration of one of its forms: of those that
 * have a place at `now` the one that is over first, thus worth most by any benefit that
 * falls in time, then of the least node-seconds.
 * Where nodes have speeds (rspb_ledger_speed()) each form is tried on the fastest alone,
 * then with slower ones, as long as the slowest of them takes, in whole request->step;
 * of a form alone, which may be a range of nodes, or several parts, more counts before
 * sooner. Where none has a place, or bookings wait without nodes (policy->waiting), it is
 * as it came, on the fastest, or those that its length is meant for. A request without
 * forms stays as it is. RET 0, or -1 with err.
 */
int rspb_form_settle(struct rspb_plan *plan, struct rspb_request *request, int64_t now,
		     struct rspb_err *err);

/*
 * Let the one part of a request, of cores, have fewer tasks where it has no place with all of
 * them: the most that have one, as policy->degrade takes them; where its start is worth
 * something, that which is worth most then. Without a place it is as it came. RET 0, or -1
 * with err.
 */
int rspb_tasks_settle(struct rspb_plan *plan, struct rspb_request *request, int64_t now,
		      struct rspb_err *err);

/* How long a request is, in whole request->step, on nodes of that speed (0: usual ones) that
 * is so long on a usual one. */
int64_t rspb_form_length(const struct rspb_request *request, int64_t standard, uint32_t speed);
/* The next lower speed of a node than that; 0: there is none, or nobody says. */
uint32_t rspb_form_slower(const struct rspb_ledger *ledger, uint32_t than);

#endif
