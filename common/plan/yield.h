/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bookings that give way, so that another one gets a place: first what they
 * grew by beyond their promise, then what their benefit functions allow, at
 * last all of it; the least valuable first. What is not needed in the end they
 * take back.
 *
 * Source: this project; the order is that of doc/policies.md.
 */
#ifndef RSPB_PLAN_YIELD_H
#define RSPB_PLAN_YIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/ledger/ledger.h"
#include "common/policy/policy.h"
#include "common/request/booking.h"

/* How far a booking gives way. */
enum rspb_yield {
	RSPB_YIELD_NONE,
	RSPB_YIELD_SURPLUS, /* to what it was promised */
	RSPB_YIELD_PART,    /* to the least that is acceptable */
	RSPB_YIELD_WHOLE    /* it is cancelled */
};

/* The question which bookings can give room, and for which one. Bookings that have started give
 * only shares, and are never cancelled; named nodes stay with the booking that named them. */
struct rspb_yield_query {
	int64_t start, end;		  /* when room is wanted */
	const struct rspb_nodeset *nodes; /* where; NULL: anywhere */
	uint64_t except;		  /* whose room it is to be */
	int64_t priority;		  /* only those of less priority give more than
				 * what they grew by */
};

/* A booking that may give way. */
struct rspb_yielder {
	const struct rspb_request *request; /* the ledger's */
	enum rspb_yield most, level;	    /* what it can give; what it gives */
};

/*
 * Find who may give way, the least valuable first: the lowest priority, then
 * the latest arrival, then the highest id; `level` is NONE. *list is malloc'ed.
 * RET how many, -1 with err.
 */
int64_t rspb_yield_find(const struct rspb_ledger *ledger, const struct rspb_yield_query *query,
			struct rspb_yielder **list, struct rspb_err *err);

/* Book or change what is to have the room, in a ledger where others have given
 * way. RET 1 done, 0 there is not enough room, -1 with err. */
typedef int (*rspb_yield_fn)(struct rspb_ledger *ledger, void *arg, struct rspb_err *err);

/*
 * Let list[n] give way to their level on a copy of the ledger (of whole nodes, those in `wanted`
 * first; NULL: any), call `place` there, let them take back what is left over, the most valuable
 * first, and then make it so in the ledger: a cancel of each that lost its booking, and one
 * RSPB_REC_MOVE with all that changed. RET 1; 0 and nothing changed when place() said so; -1 with
 * err.
 */
int rspb_yield_try(struct rspb_ledger *ledger, const struct rspb_yielder *list, size_t n,
		   const struct rspb_nodeset *wanted, rspb_yield_fn place, void *arg,
		   struct rspb_err *err);

/*
 * Book the request of `booking`, which is in state requested, with the help of
 * what others grew by beyond their promise. RET 1: the ledger holds it, and
 * `booking` says what it got; 0: nothing changed; -1 with err.
 */
int rspb_yield_newcomer(struct rspb_ledger *ledger, const struct rspb_policy *policy,
			struct rspb_booking *booking, int64_t now, struct rspb_err *err);

/*
 * Let bookings of a plan, a changed clone of the ledger, take back what they have given up there: a
 * later start than in the ledger, other nodes, less of them. That is what they gave up for trials
 * that were lost, as those that were kept hold what they need. Bookings with limits or licenses
 * stay as they are if the plan has others with such that are new or changed: the ledger does not
 * count them. RET 0, or -1 with err.
 */
int rspb_yield_undo(struct rspb_ledger *plan, const struct rspb_ledger *ledger,
		    struct rspb_err *err);

/* The same as rspb_yield_newcomer() for another version of a booking that stands. */
int rspb_yield_change(struct rspb_ledger *ledger, const struct rspb_booking *changed,
		      struct rspb_err *err);

#endif
