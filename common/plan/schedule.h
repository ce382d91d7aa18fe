/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The meta-request: decide a batch of requests together, as
 * order -> when -> where -> degrade -> commit or undo, whole co-reservations
 * at a time. The simulator and the live agent use this same call.
 *
 * Source: Min, thesis, figures 3.4-3.5 (RSPB) and chapter 4 (Co-RSPB,
 * Co-RSBF, Co-RSBFR); the start by Li et al., section 5.
 */
#ifndef RSPB_PLAN_SCHEDULE_H
#define RSPB_PLAN_SCHEDULE_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/ledger/ledger.h"
#include "common/plan/plan.h"
#include "common/policy/policy.h"
#include "common/request/booking.h"

/* Steps of a policy that only the simulator has (contrib/sim/policy/preset.c). */
struct rspb_steps {
	/* Decide a request in place of rspb_search_book(), with the same arguments and results.
	 * The booking may stay in policy->waiting without grants. NULL: the search decides. */
	int (*decide)(struct rspb_plan *plan, struct rspb_ledger *ledger,
		      struct rspb_booking *booking, int64_t now, struct rspb_err *why,
		      struct rspb_err *err);
	/* RET the booking of that request as it waits, owned by policy->waiting, or NULL. */
	const struct rspb_booking *(*find)(const void *waiting, uint64_t id);
};

/*
 * Decide n requests at `now` on a ledger the caller may throw away (a clone):
 * each accepted one is booked in it, so that later ones see it. A policy that
 * makes room may also move bookings that wait in the ledger.
 * out[i] receives a booking for requests[i], owned by the caller, in state
 * booked (start, end, grants, benefit filled) or declined (reason filled, one
 * sentence a user can act on, with what could be had instead for the first
 * of them when policy->offer_horizon is set; times in UTC). RET 0; -1 with err
 * (out of memory, a request that fails validation) and every out[i] NULL.
 */
int rspb_schedule_batch(struct rspb_ledger *ledger, const struct rspb_policy *policy,
			const struct rspb_request *const *requests, size_t n, int64_t now,
			struct rspb_booking **out, struct rspb_err *err);

/*
 * When the next batch must be decided, given the due time of the running
 * interval and the earliest ready time waiting: early when a start would come
 * before the batch is due (thesis, section 3.3). INT64_MAX: nothing waits.
 */
int64_t rspb_schedule_due(int64_t due, int64_t earliest_ready, int64_t now);

#endif
