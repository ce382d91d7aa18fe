/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starts that are worth trying, and what comes of it: for search.c. */
#ifndef RSPB_PLAN_TRIALS_H
#define RSPB_PLAN_TRIALS_H

#include "common/plan/plan.h"

/* A request with parts that are hard to match must not hold up its batch on a calendar with tens of
 * thousands of starts. */
enum { RSPB_TRIALS_MOST = 2048 };

struct rspb_trial {
	int64_t start;
	struct rspb_ratio worth; /* at most, where the start counts; else 0 */
	int64_t bound;		 /* it can't grant more than that */
	struct rspb_score score;
	int64_t load; /* booked while it runs, where that counts */
};

/* A start of that score, where no more than bound (rspb_part_add_cpu()) can be
 * granted. */
struct rspb_trial rspb_trial_at(const struct rspb_plan *plan, int64_t start, int64_t bound,
				struct rspb_score score);
/*
 * Try them from the best on, which sorts them. A start that grants all that it may
 * ends it; otherwise what is worth most wins, then the largest amount, the better
 * liked start among equals. RET as rspb_plan_try().
 */
int rspb_trials_run(struct rspb_plan *plan, struct rspb_trial *tries, int64_t n,
		    struct rspb_err *err);
/* The same in several turns, each of starts that are no better liked than those of the
 * turn before. */
struct rspb_trials {
	int64_t n;		/* tried so far */
	struct rspb_trial most; /* what was worth most; bound 0: nothing */
};
/* RET 1: one of these grants all that it may, and is in the plan; 0: none; -1 with
 * err. */
int rspb_trials_some(struct rspb_plan *plan, struct rspb_trial *tries, int64_t n,
		     struct rspb_trials *done, struct rspb_err *err);
/* Take what was worth most. RET as rspb_plan_try(). */
int rspb_trials_end(struct rspb_plan *plan, const struct rspb_trials *done, struct rspb_err *err);
/* Fill the load of the best, which are equal so far. RET 0 or -1 with err. */
int rspb_trials_weigh(const struct rspb_plan *plan, struct rspb_trial *tries, int64_t n,
		      struct rspb_err *err);

/* Starts in [from, to] from which on less counts against limits of the request, which
 * the calendar of nodes does not show if there are idle ones beside: where a limit of
 * leaves counts no more, and the ends of what runs without a booking and counts. Of many
 * ends some, the last one among them; in order, each once. RET how many. */
enum { RSPB_LIFTS_MOST = 64 };
int rspb_trials_lifts(const struct rspb_plan *plan, int64_t from, int64_t to,
		      int64_t out[RSPB_LIFTS_MOST]);

#endif
