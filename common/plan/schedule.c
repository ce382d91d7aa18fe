/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/plan/schedule.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/plan/flex.h"
#include "common/plan/offers.h"
#include "common/plan/plan.h"
#include "common/plan/price.h"
#include "common/plan/refine.h"
#include "common/plan/search.h"
#include "common/plan/yield.h"
#include "common/policy/degrade.h"
#include "common/policy/order.h"

/* An offer costs some twenty searches, so a flood of requests that can't be met
 * is answered in full for this many of them only. */
enum { OFFERS_PER_BATCH = 20 };

/* What is tried beside a search. RET 1: it has a place now, 0, -1 with err. */
static int make_room(struct rspb_ledger *ledger,
		     const struct rspb_policy *policy,
		     struct rspb_booking *booking, int64_t now,
		     struct rspb_err *err)
{
	if (policy->keep_surplus || policy->degrade->refine != RSPB_REFINE_LAZY)
		return 0;
	return rspb_yield_newcomer(ledger, policy, booking, now, err);
}

/* Decide one where bookings wait as counts. RET as above. */
static int decide_flex(struct rspb_ledger *ledger,
		       const struct rspb_policy *policy,
		       struct rspb_booking *booking, int64_t now,
		       struct rspb_err *why, struct rspb_err *err)
{
	int rc = rspb_flex_decide(policy->flex, ledger, policy, booking, now,
				  err);

	if (!rc)
		rspb_fail(why, "there is no start within its window at which "
			       "enough nodes are left by those that run and "
			       "wait");
	return rc;
}

/* Decide one by itself. RET as above. */
static int decide_alone(struct rspb_ledger *ledger, struct rspb_plan *plan,
			struct rspb_booking *booking, int64_t now,
			struct rspb_err *why, struct rspb_err *err)
{
	int rc = plan->policy->price ? rspb_price_met(ledger, plan->policy,
						      booking->request, err)
				     : 1;

	if (!rc)
		rspb_fail(why, "its priority is too low for as much as it asks "
			       "for, so much is booked then");
	return rc <= 0 ? rc
		       : rspb_search_book(plan, ledger, booking, now, why, err);
}

/* Why it has no place, and what else could be had. RET 0 or -1 with err. */
static int explain(const struct rspb_ledger *ledger, struct rspb_plan *plan,
		   int64_t now, size_t *offers, char reason[RSPB_ERR_TEXT],
		   struct rspb_err *err)
{
	const struct rspb_policy *policy = plan->policy;

	rspb_search_reason(plan, now, reason);
	if (policy->offer_horizon <= 0 || !*offers)
		return 0;
	--*offers;
	return rspb_offers_add(ledger, policy, plan->request, now,
			       now + policy->offer_horizon, reason,
			       RSPB_ERR_TEXT, err);
}

/* Decide one request. RET its booking, or NULL with err. */
static struct rspb_booking *decide_one(struct rspb_ledger *ledger,
				       struct rspb_plan *plan,
				       const struct rspb_request *request,
				       int64_t now, size_t *offers,
				       struct rspb_err *err)
{
	struct rspb_booking *booking = rspb_booking_create(request);
	struct rspb_err why = { "" };
	int rc = booking ? 0 : rspb_fail(err, "out of memory");

	if (!rc)
		rc = plan->policy->flex ? decide_flex(ledger, plan->policy,
						      booking, now, &why, err)
					: decide_alone(ledger, plan, booking,
						       now, &why, err);

	if (!rc && !why.text[0]) {
		rc = make_room(ledger, plan->policy, booking, now, err);
		if (!rc)
			rc = explain(ledger, plan, now, offers, why.text, err);
	}
	if (rc > 0)
		return booking;
	if (rc < 0) {
		rspb_booking_destroy(booking);
		return NULL;
	}
	rspb_state_next(&booking->state, RSPB_EV_DECLINE, NULL);
	booking->decided_at = now;
	memcpy(booking->reason, why.text, sizeof(booking->reason));
	return booking;
}

static int decide_all(struct rspb_ledger *ledger,
		      const struct rspb_policy *policy,
		      const struct rspb_request **sorted, const size_t *index,
		      size_t n, int64_t now, struct rspb_booking **out,
		      struct rspb_err *err)
{
	size_t offers = OFFERS_PER_BATCH;
	struct rspb_plan plan;
	int rc = rspb_plan_init(&plan, ledger, policy, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < n && !rc; i++) {
		if (policy->breathe)
			policy->breathe();
		out[index[i]] = decide_one(ledger, &plan, sorted[i], now,
					   &offers, err);
		if (!out[index[i]])
			rc = -1;
	}
	rspb_plan_fini(&plan);
	return rc;
}

/* Say of a booking what is said of it now, where it waits or in the ledger. */
static int refresh(const struct rspb_ledger *ledger,
		   const struct rspb_flex *flex, struct rspb_booking **booking,
		   struct rspb_err *err)
{
	uint64_t id = (*booking)->request->id;
	const struct rspb_booking *waits = flex ? rspb_flex_find(flex, id)
						: NULL;
	struct rspb_booking *copy = rspb_booking_clone(
		waits ? waits : rspb_ledger_find(ledger, id));

	if (!copy)
		return rspb_fail(err, "out of memory");
	rspb_booking_destroy(*booking);
	*booking = copy;
	return 0;
}

/* Later ones may have moved those that were accepted. */
static int refresh_all(const struct rspb_ledger *ledger,
		       const struct rspb_flex *flex, size_t n,
		       struct rspb_booking **out, struct rspb_err *err)
{
	for (size_t i = 0; i < n; i++)
		if (out[i]->state == RSPB_BOOKED &&
		    refresh(ledger, flex, &out[i], err))
			return -1;
	return 0;
}

/* Let what was accepted grow, in the order it was decided in. */
static int refine_all(struct rspb_ledger *ledger,
		      const struct rspb_policy *policy, const size_t *index,
		      size_t n, struct rspb_booking **out, struct rspb_err *err)
{
	for (size_t i = 0; i < n; i++) {
		struct rspb_booking **booking = &out[index[i]];
		int rc = 0;

		if ((*booking)->state == RSPB_BOOKED)
			rc = rspb_refine_booking(ledger, policy,
						 (*booking)->request->id, true,
						 err);
		if (rc < 0 || (rc && refresh(ledger, NULL, booking, err)))
			return -1;
	}
	return 0;
}

static int check_all(const struct rspb_ledger *ledger,
		     const struct rspb_request *const *requests, size_t n,
		     struct rspb_err *err)
{
	for (size_t i = 0; i < n; i++)
		if (rspb_request_validate(requests[i],
					  rspb_ledger_nodes(ledger), err))
			return rspb_fail_at(err, "request %" PRIu64,
					    requests[i]->id);
	return 0;
}

/* What the accounts of the requests have in the ledger from now on, for an order in
 * which they take turns. RET what the caller frees, NULL: out of memory. */
static int64_t *held_by(const struct rspb_ledger *ledger,
			const struct rspb_request *const *requests, size_t n,
			int64_t now)
{
	int64_t *held = calloc(n + 1, sizeof(*held));
	size_t *first = calloc(n + 1, sizeof(*first));

	for (size_t i = 0; first && i < n; i++)
		while (!rspb_order_same_account(requests[first[i]],
						requests[i]))
			first[i]++;
	for (size_t k = 0; held && first && k < rspb_ledger_count(ledger);
	     k++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, k);
		size_t i = 0;

		while (i < n &&
		       (first[i] < i ||
			!rspb_order_same_account(requests[i], b->request)))
			i++;
		if (i < n && !rspb_state_final(b->state))
			held[i] += rspb_booking_work(b, now);
	}
	for (size_t i = 0; held && first && i < n; i++)
		held[i] = held[first[i]];
	if (!first) {
		free(held);
		held = NULL;
	}
	free(first);
	return held;
}

int rspb_schedule_batch(struct rspb_ledger *ledger,
			const struct rspb_policy *policy,
			const struct rspb_request *const *requests, size_t n,
			int64_t now, struct rspb_booking **out,
			struct rspb_err *err)
{
	const struct rspb_request **sorted = malloc((n ? n : 1) *
						    sizeof(*sorted));
	size_t *index = malloc((n ? n : 1) * sizeof(*index));
	int64_t *held = policy->order->cost ? held_by(ledger, requests, n, now)
					    : NULL;
	int rc = check_all(ledger, requests, n, err);

	memset(out, 0, n * sizeof(*out));
	for (size_t i = 0; sorted && i < n; i++)
		sorted[i] = requests[i];
	if (!rc && (!sorted || !index || (policy->order->cost && !held) ||
		    rspb_order_sort(policy->order, sorted, held, index, n)))
		rc = rspb_fail(err, "out of memory");
	if (!rc)
		rc = decide_all(ledger, policy, sorted, index, n, now, out,
				err);
	if (!rc && policy->degrade->refine == RSPB_REFINE_BATCH)
		rc = refine_all(ledger, policy, index, n, out, err);
	if (!rc && policy->flex)
		rc = refresh_all(ledger, policy->flex, n, out, err);
	for (size_t i = 0; rc && i < n; i++) {
		rspb_booking_destroy(out[i]);
		out[i] = NULL;
	}
	free(held);
	free(sorted);
	free(index);
	return rc;
}

int64_t rspb_schedule_due(int64_t due, int64_t earliest_ready, int64_t now)
{
	if (earliest_ready == INT64_MAX)
		return INT64_MAX;
	if (earliest_ready < due)
		return now;
	return due > now ? due : now;
}
