/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/plan/schedule.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/plan/offers.h"
#include "common/plan/plan.h"
#include "common/plan/refine.h"
#include "common/plan/replan.h"
#include "common/plan/search.h"
#include "common/plan/yield.h"
#include "common/policy/degrade.h"
#include "common/policy/order.h"

/* An offer costs some twenty searches, so a flood of requests that can't be met
 * is answered in full for this many of them only. */
enum { OFFERS_PER_BATCH = 20 };

/* Turn the event into the state it leads to; from requested both may come. */
static void decide(struct rspb_booking *booking, enum rspb_event event,
		   int64_t now)
{
	rspb_state_next(&booking->state, event, NULL);
	booking->decided_at = now;
}

/* Book the placed plan. RET 0; 1 when the ledger refuses it, with reason. */
static int commit(struct rspb_ledger *ledger, struct rspb_plan *plan,
		  int64_t now, struct rspb_booking *booking,
		  struct rspb_err *err)
{
	struct rspb_record record = { .kind = RSPB_REC_BOOK,
				      .time = now,
				      .booking = booking };
	struct rspb_err why;

	if (rspb_plan_grant(plan, booking, err))
		return -1;
	decide(booking, RSPB_EV_ACCEPT, now);
	if (!rspb_ledger_apply(ledger, &record, &why))
		return 0;
	snprintf(booking->reason, sizeof(booking->reason), "%s", why.text);
	return 1;
}

/* Decide one request. RET its booking, or NULL with err. */
static struct rspb_booking *decide_one(struct rspb_ledger *ledger,
				       struct rspb_plan *plan,
				       const struct rspb_request *request,
				       int64_t now, size_t *offers,
				       struct rspb_err *err)
{
	struct rspb_booking *booking = rspb_booking_create(request);
	char reason[RSPB_ERR_TEXT] = "";
	int rc;

	if (!booking) {
		rspb_fail(err, "out of memory");
		return NULL;
	}
	rc = rspb_plan_begin(plan, request, err);
	if (!rc)
		rc = rspb_search(plan, now, err);
	if (rc > 0) {
		rc = commit(ledger, plan, now, booking, err);
		if (!rc)
			return booking;
		memcpy(reason, booking->reason, sizeof(reason));
		rspb_booking_destroy(booking);
		booking = rc > 0 ? rspb_booking_create(request) : NULL;
		if (!booking && rc > 0)
			rc = rspb_fail(err, "out of memory");
	} else if (!rc && plan->policy->patience) {
		rc = rspb_replan(ledger, plan->policy, booking, now, err);
		if (rc > 0)
			return booking;
	}
	if (!rc && !reason[0] && !plan->policy->keep_surplus &&
	    plan->policy->degrade->refine == RSPB_REFINE_LAZY) {
		rc = rspb_yield_newcomer(ledger, plan->policy, booking, now,
					 err);
		if (rc > 0)
			return booking;
	}
	if (!rc && !reason[0]) {
		rspb_search_reason(plan, now, reason);
		if (plan->policy->offer_horizon > 0 && *offers) {
			rc = rspb_offers_add(ledger, plan->policy, request, now,
					     now + plan->policy->offer_horizon,
					     reason, sizeof(reason), err);
			--*offers;
		}
	}
	if (rc < 0) {
		rspb_booking_destroy(booking);
		return NULL;
	}
	decide(booking, RSPB_EV_DECLINE, now);
	memcpy(booking->reason, reason, sizeof(reason));
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
		out[index[i]] = decide_one(ledger, &plan, sorted[i], now,
					   &offers, err);
		if (!out[index[i]])
			rc = -1;
	}
	rspb_plan_fini(&plan);
	return rc;
}

/* Say of each accepted one where it is now: later ones may have moved it. */
static int refresh_all(const struct rspb_ledger *ledger, size_t n,
		       struct rspb_booking **out, struct rspb_err *err)
{
	for (size_t i = 0; i < n; i++) {
		const struct rspb_booking *there;
		struct rspb_booking *copy;

		if (out[i]->state != RSPB_BOOKED)
			continue;
		there = rspb_ledger_find(ledger, out[i]->request->id);
		if (there->start == out[i]->start &&
		    rspb_nodeset_equal(there->grants[0].nodes,
				       out[i]->grants[0].nodes))
			continue;
		copy = rspb_booking_clone(there);
		if (!copy)
			return rspb_fail(err, "out of memory");
		rspb_booking_destroy(out[i]);
		out[i] = copy;
	}
	return 0;
}

/* Let what was accepted grow, in the order it was decided in. */
static int refine_all(struct rspb_ledger *ledger,
		      const struct rspb_policy *policy, const size_t *index,
		      size_t n, struct rspb_booking **out, struct rspb_err *err)
{
	for (size_t i = 0; i < n; i++) {
		struct rspb_booking **booking = &out[index[i]];
		uint64_t id = (*booking)->request->id;
		int rc = 0;

		if ((*booking)->state == RSPB_BOOKED)
			rc = rspb_refine_booking(ledger, policy, id, true, err);
		if (rc < 0)
			return -1;
		if (!rc)
			continue;
		rspb_booking_destroy(*booking);
		*booking = rspb_booking_clone(rspb_ledger_find(ledger, id));
		if (!*booking)
			return rspb_fail(err, "out of memory");
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

int rspb_schedule_batch(struct rspb_ledger *ledger,
			const struct rspb_policy *policy,
			const struct rspb_request *const *requests, size_t n,
			int64_t now, struct rspb_booking **out,
			struct rspb_err *err)
{
	const struct rspb_request **sorted = malloc((n ? n : 1) *
						    sizeof(*sorted));
	size_t *index = malloc((n ? n : 1) * sizeof(*index));
	int rc = check_all(ledger, requests, n, err);

	memset(out, 0, n * sizeof(*out));
	for (size_t i = 0; sorted && i < n; i++)
		sorted[i] = requests[i];
	if (!rc && (!sorted || !index ||
		    rspb_order_sort(policy->order, sorted, index, n)))
		rc = rspb_fail(err, "out of memory");
	if (!rc)
		rc = decide_all(ledger, policy, sorted, index, n, now, out,
				err);
	if (!rc && policy->degrade->refine == RSPB_REFINE_BATCH)
		rc = refine_all(ledger, policy, index, n, out, err);
	if (!rc && policy->patience)
		rc = refresh_all(ledger, n, out, err);
	for (size_t i = 0; rc && i < n; i++) {
		rspb_booking_destroy(out[i]);
		out[i] = NULL;
	}
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
