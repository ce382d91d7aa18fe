/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/plan/yield.h"

#include <stdlib.h>

#include "common/plan/give.h"
#include "common/plan/plan.h"
#include "common/plan/search.h"

static int compare(const void *left, const void *right)
{
	const struct rspb_yielder *l = left, *r = right;
	const struct rspb_request *a = l->request, *b = r->request;

	if (a->priority != b->priority)
		return a->priority < b->priority ? -1 : 1;
	if (a->arrival != b->arrival)
		return a->arrival > b->arrival ? -1 : 1;
	return a->id > b->id ? -1 : a->id < b->id;
}

static bool concerns(const struct rspb_booking *b, const struct rspb_yield_query *query)
{
	/* An operator's reservation for others does not give way. */
	if (b->request->user == RSPB_USER_NONE || rspb_state_final(b->state) ||
	    b->request->id == query->except || b->end <= query->start)
		return false;
	for (uint32_t i = 0; i < b->n_grants; i++)
		if (!query->nodes || !rspb_nodeset_disjoint(b->grants[i].nodes, query->nodes))
			return true;
	return false;
}

static enum rspb_yield most_of(const struct rspb_booking *b, const struct rspb_yield_query *query)
{
	if (b->request->priority < query->priority) {
		if (b->state == RSPB_BOOKED)
			return RSPB_YIELD_WHOLE;
		if (rspb_give_possible(b, RSPB_YIELD_PART))
			return RSPB_YIELD_PART;
	}
	return rspb_give_possible(b, RSPB_YIELD_SURPLUS) ? RSPB_YIELD_SURPLUS : RSPB_YIELD_NONE;
}

int64_t rspb_yield_find(const struct rspb_ledger *ledger, const struct rspb_yield_query *query,
			struct rspb_yielder **list, struct rspb_err *err)
{
	size_t count = rspb_ledger_count(ledger), n = 0;

	*list = malloc((count + 1) * sizeof(**list));
	if (!*list)
		return rspb_fail(err, "out of memory");
	for (size_t i = 0; i < count; i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);
		struct rspb_yielder one = { .request = b->request };

		if (b->start >= query->end)
			break;
		if (concerns(b, query))
			one.most = most_of(b, query);
		if (one.most > RSPB_YIELD_NONE)
			(*list)[n++] = one;
	}
	qsort(*list, n, sizeof(**list), compare);
	return (int64_t) n;
}

static int give_all(struct rspb_ledger *work, const struct rspb_yielder *list, size_t n,
		    const struct rspb_nodeset *wanted, struct rspb_err *err)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].level > RSPB_YIELD_NONE &&
		    rspb_give(work, list[i].request->id, list[i].level, wanted, err) < 0)
			return -1;
	return 0;
}

static int take_back_all(struct rspb_ledger *work, const struct rspb_ledger *before,
			 const struct rspb_yielder *list, size_t n, struct rspb_err *err)
{
	while (n-- > 0)
		if (list[n].level > RSPB_YIELD_NONE &&
		    rspb_give_back(work, rspb_ledger_find(before, list[n].request->id), err) < 0)
			return -1;
	return 0;
}

static int make_so(struct rspb_ledger *ledger, const struct rspb_ledger *work, struct rspb_err *err)
{
	size_t count = rspb_ledger_count(work), i = 0;
	const struct rspb_booking **list = malloc((count + 1) * sizeof(*list));
	const struct rspb_booking *b;
	struct rspb_record move = { .kind = RSPB_REC_MOVE,
				    .time = rspb_ledger_now(ledger),
				    .bookings = list };
	int rc = list ? 0 : rspb_fail(err, "out of memory");

	while (!rc && (b = rspb_ledger_next_own(work, ledger, &i))) {
		struct rspb_record cancel = { .kind = RSPB_REC_EVENT,
					      .time = move.time,
					      .id = b->request->id,
					      .event = RSPB_EV_CANCEL,
					      .reason = b->why };

		if (!rspb_state_final(b->state))
			list[move.n_bookings++] = b;
		else
			rc = rspb_ledger_apply(ledger, &cancel, err);
	}
	if (!rc && move.n_bookings)
		rc = rspb_ledger_apply(ledger, &move, err);
	free(list);
	return rc;
}

int rspb_yield_try(struct rspb_ledger *ledger, const struct rspb_yielder *list, size_t n,
		   const struct rspb_nodeset *wanted, rspb_yield_fn place, void *arg,
		   struct rspb_err *err)
{
	struct rspb_ledger *work = rspb_ledger_clone(ledger);
	int rc;

	if (!work)
		return rspb_fail(err, "out of memory");
	rc = give_all(work, list, n, wanted, err);
	if (!rc)
		rc = place(work, arg, err);
	if (rc == 1 && (take_back_all(work, ledger, list, n, err) || make_so(ledger, work, err)))
		rc = -1;
	rspb_ledger_destroy(work);
	return rc;
}

/* Let everybody who grew give that up, and place. */
static int with_surplus(struct rspb_ledger *ledger, const struct rspb_yield_query *query,
			rspb_yield_fn place, void *arg, struct rspb_err *err)
{
	struct rspb_yielder *list;
	int64_t n = rspb_yield_find(ledger, query, &list, err);
	int rc = n < 0 ? -1 : 0;

	for (int64_t i = 0; i < n; i++)
		list[i].level = RSPB_YIELD_SURPLUS;
	if (n > 0)
		rc = rspb_yield_try(ledger, list, (size_t) n, query->nodes, place, arg, err);
	free(list);
	return rc;
}

struct newcomer {
	const struct rspb_policy *policy;
	struct rspb_booking *booking;
	int64_t now;
};

static int place_newcomer(struct rspb_ledger *work, void *arg, struct rspb_err *err)
{
	const struct newcomer *newcomer = arg;
	struct rspb_plan plan;
	int rc = rspb_plan_init(&plan, work, newcomer->policy, err);

	if (!rc) {
		rc = rspb_search_book(&plan, work, newcomer->booking, newcomer->now, NULL, err);
		rspb_plan_fini(&plan);
	}
	return rc;
}

int rspb_yield_newcomer(struct rspb_ledger *ledger, const struct rspb_policy *policy,
			struct rspb_booking *booking, int64_t now, struct rspb_err *err)
{
	const struct rspb_request *request = booking->request;
	struct newcomer newcomer = { policy, booking, now };
	struct rspb_yield_query query = { .start = request->ready,
					  .end = request->deadline + request->clean_up,
					  .except = request->id,
					  .priority = INT64_MIN };

	return with_surplus(ledger, &query, place_newcomer, &newcomer, err);
}

static int place_change(struct rspb_ledger *work, void *arg, struct rspb_err *err)
{
	const struct rspb_booking *changed = arg;
	struct rspb_record record = { .kind = RSPB_REC_CHANGE,
				      .time = rspb_ledger_now(work),
				      .booking = changed };

	return rspb_ledger_apply(work, &record, err) ? 0 : 1;
}

int rspb_yield_change(struct rspb_ledger *ledger, const struct rspb_booking *changed,
		      struct rspb_err *err)
{
	struct rspb_yield_query query = { .start = changed->start,
					  .end = changed->end,
					  .except = changed->request->id,
					  .priority = INT64_MIN };

	return with_surplus(ledger, &query, place_change, (void *) (uintptr_t) changed, err);
}
