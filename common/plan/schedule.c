/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/plan/schedule.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* An offer costs some twenty searches, so a flood of requests that cannot be met is answered in
 * full for so many of them only. */
enum { OFFERS_PER_BATCH = 20 };
/* Others move for so many requests of a batch at most, and no more of them move. On a cluster
 * all that a batch moves is checked again under one lock. */
enum { SHIFTS_PER_BATCH = 20, MOVES_PER_BATCH = 16 };

/* How many tries of each kind a batch has left. */
struct effort {
	size_t offers, shifts, moves;
};

/* Moving bookings forward would work against a policy that prefers other starts. */
static bool earliest(const struct rspb_when *when)
{
	return !when->prefers.score && !when->prefers.fixed;
}

/* Try the steps that go beyond a search. RET 1: it has a place now, 0, -1 with err. */
static int make_room(struct rspb_ledger *ledger, const struct rspb_policy *policy,
		     struct rspb_booking *booking, int64_t now, struct effort *effort,
		     struct rspb_err *err)
{
	int rc = 0;

	/* Growth that was not promised is taken back before announced starts change. */
	if (!policy->keep_surplus && policy->degrade->refine == RSPB_REFINE_LAZY)
		rc = rspb_yield_newcomer(ledger, policy, booking, now, err);
	if (rc || !policy->shift || !effort->shifts || !effort->moves)
		return rc;
	effort->shifts--;
	return rspb_shift_newcomer(ledger, policy, booking, now, &effort->moves, err);
}

/* Why it has no place, and what else could be had. RET 0 or -1 with err. */
static int explain(const struct rspb_ledger *ledger, struct rspb_plan *plan, int64_t now,
		   struct effort *effort, char reason[RSPB_ERR_TEXT], struct rspb_err *err)
{
	const struct rspb_policy *policy = plan->policy;

	rspb_search_reason(plan, now, reason);
	if (policy->offer_horizon <= 0 || !effort->offers)
		return 0;
	effort->offers--;
	return rspb_offers_add(ledger, policy, plan->request, now, now + policy->offer_horizon,
			       reason, RSPB_ERR_TEXT, err);
}

/* Decide one request. RET its booking, or NULL with err. */
static struct rspb_booking *decide_one(struct rspb_ledger *ledger, struct rspb_plan *plan,
				       const struct rspb_request *request, int64_t now,
				       struct effort *effort, struct rspb_err *err)
{
	const struct rspb_steps *steps = plan->policy->steps;
	struct rspb_booking *booking = rspb_booking_create(request);
	struct rspb_err why = { "" };
	int rc = booking ? 0 : rspb_fail(err, "out of memory");

	/* The form and the number of tasks are fixed first. All that follows, also the moves of
	 * others, is about that one. */
	if (!rc)
		rc = rspb_form_settle(plan, booking->request, now, err);
	if (!rc)
		rc = rspb_tasks_settle(plan, booking->request, now, err);
	if (!rc)
		rc = (steps && steps->decide ? steps->decide : rspb_search_book)(plan, ledger,
										 booking, now, &why,
										 err);
	/* A ledger that refuses a place that was found has its own reason; then no room is made. */
	if (!rc && !why.text[0]) {
		rc = make_room(ledger, plan->policy, booking, now, effort, err);
		if (!rc)
			rc = explain(ledger, plan, now, effort, why.text, err);
	}
	if (rc > 0)
		return booking;
	if (rc < 0) {
		rspb_booking_destroy(booking);
		return NULL;
	}
	rspb_state_next(&booking->state, RSPB_EV_DECLINE, NULL);
	booking->decided_at = now;
	rspb_booking_say(booking, why.text);
	return booking;
}

static int decide_all(struct rspb_ledger *ledger, const struct rspb_policy *policy,
		      const struct rspb_request **sorted, const size_t *index, size_t n,
		      int64_t now, struct rspb_booking **out, struct rspb_err *err)
{
	struct effort effort = { OFFERS_PER_BATCH, SHIFTS_PER_BATCH, MOVES_PER_BATCH };
	struct rspb_plan plan;
	int rc = rspb_plan_init(&plan, ledger, policy, err);

	if (rc)
		return rc;
	/* The requests are decided in the order of the policy, and each sees what those before
	 * it got. */
	for (size_t i = 0; i < n && !rc; i++) {
		if (policy->breathe)
			policy->breathe();
		out[index[i]] = decide_one(ledger, &plan, sorted[i], now, &effort, err);
		if (!out[index[i]])
			rc = -1;
	}
	rspb_plan_fini(&plan);
	/* Moves that the newcomers of the batch have left may bring bookings forward. */
	if (!rc && policy->forward && policy->shift && earliest(policy->when) && effort.moves)
		rc = rspb_shift_forward(ledger, policy, out, n, now, &effort.moves, err) < 0 ? -1
											     : 0;
	return rc;
}

/* Say of a booking what is said of it now, where it waits or in the ledger. */
static int refresh(const struct rspb_ledger *ledger, const struct rspb_policy *policy,
		   struct rspb_booking **booking, struct rspb_err *err)
{
	uint64_t id = (*booking)->request->id;
	const struct rspb_booking *waits = policy->waiting
						   ? policy->steps->find(policy->waiting, id)
						   : NULL;
	struct rspb_booking *copy = rspb_booking_clone(waits ? waits
							     : rspb_ledger_find(ledger, id));

	if (!copy)
		return rspb_fail(err, "out of memory");
	rspb_booking_destroy(*booking);
	*booking = copy;
	return 0;
}

/* Later decisions may have moved bookings that were accepted before, so all are read again. */
static int refresh_all(const struct rspb_ledger *ledger, const struct rspb_policy *policy, size_t n,
		       struct rspb_booking **out, struct rspb_err *err)
{
	for (size_t i = 0; i < n; i++)
		if (out[i]->state == RSPB_BOOKED && refresh(ledger, policy, &out[i], err))
			return -1;
	return 0;
}

/* Let what was accepted grow, in the order it was decided in. */
static int refine_all(struct rspb_ledger *ledger, const struct rspb_policy *policy,
		      const size_t *index, size_t n, struct rspb_booking **out,
		      struct rspb_err *err)
{
	for (size_t i = 0; i < n; i++) {
		struct rspb_booking **booking = &out[index[i]];
		int rc = 0;

		if ((*booking)->state == RSPB_BOOKED)
			rc = rspb_refine_booking(ledger, policy, (*booking)->request->id, true,
						 err);
		if (rc < 0 || (rc && refresh(ledger, policy, booking, err)))
			return -1;
	}
	return 0;
}

static int check_all(const struct rspb_ledger *ledger, const struct rspb_request *const *requests,
		     size_t n, struct rspb_err *err)
{
	for (size_t i = 0; i < n; i++)
		if (rspb_request_validate(requests[i], rspb_ledger_nodes(ledger), err))
			return rspb_fail_at(err, "request %" PRIu64, requests[i]->id);
	return 0;
}

/* Add what the accounts hold in the ledger from now on. */
static void add_held(const struct rspb_ledger *ledger, struct rspb_accounts *accounts, int64_t now)
{
	for (size_t k = 0; k < rspb_ledger_count(ledger); k++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, k);
		struct rspb_account *account = NULL;

		/* Bookings that are over cost their accounts nothing any more. */
		if (!rspb_state_final(b->state))
			account = rspb_accounts_find(accounts, b->request);
		/* A sum that is too large is as large as can be, and the account comes last. */
		if (account && __builtin_add_overflow(account->cost, rspb_booking_work(b, now),
						      &account->cost))
			account->cost = INT64_MAX;
	}
}

/* RET 0, -1: out of memory. */
static int sort(const struct rspb_ledger *ledger, const struct rspb_order *order,
		const struct rspb_request **requests, size_t *index, size_t n, int64_t now)
{
	struct rspb_accounts accounts;
	int rc;

	if (!order->cost)
		return rspb_order_sort(order, requests, NULL, index, n);
	if (rspb_accounts_init(&accounts, requests, n))
		return -1;
	add_held(ledger, &accounts, now);
	rc = rspb_order_sort(order, requests, &accounts, index, n);
	rspb_accounts_fini(&accounts);
	return rc;
}

int rspb_schedule_batch(struct rspb_ledger *ledger, const struct rspb_policy *policy,
			const struct rspb_request *const *requests, size_t n, int64_t now,
			struct rspb_booking **out, struct rspb_err *err)
{
	const struct rspb_request **sorted = malloc((n ? n : 1) * sizeof(*sorted));
	size_t *index = malloc((n ? n : 1) * sizeof(*index));
	int rc = check_all(ledger, requests, n, err);

	/* The end of the function may destroy all of them, also if a check has failed. */
	memset(out, 0, n * sizeof(*out));
	for (size_t i = 0; sorted && i < n; i++)
		sorted[i] = requests[i];
	if (!rc && (!sorted || !index || sort(ledger, policy->order, sorted, index, n, now)))
		rc = rspb_fail(err, "out of memory");
	if (!rc)
		rc = decide_all(ledger, policy, sorted, index, n, now, out, err);
	if (!rc && policy->degrade->refine == RSPB_REFINE_BATCH)
		rc = refine_all(ledger, policy, index, n, out, err);
	if (!rc && (policy->waiting || policy->shift))
		rc = refresh_all(ledger, policy, n, out, err);
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
	/* A start before the batch is due would be missed. */
	if (earliest_ready < due)
		return now;
	return due > now ? due : now;
}
