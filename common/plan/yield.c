/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bookings that give way, so that another one gets a place: first what they
 * grew by beyond their promise, then what their benefit functions allow, at
 * last all of it; the least valuable first. What is not needed in the end they
 * take back.
 *
 * Source: this project; the order is that of doc/policies.md.
 */
#include "common/plan/schedule.h"

#include <stdlib.h>

/* --- one booking becomes smaller in place, or takes back what it gave --- */

/* RET the units that a part has left when it gives way. */
static int64_t left_of(const struct rspb_booking *b, uint32_t part, enum rspb_yield level)
{
	const struct rspb_grant *grant = &b->grants[part];
	int64_t units = rspb_grant_units(grant);
	int64_t left = rspb_grant_promised(grant);

	/* A job that runs keeps its nodes; one that names them, too. */
	if (!grant->share && (b->state != RSPB_BOOKED || b->request->parts[part].fixed))
		return units;
	/* With PART only the function of its owner protects what was promised. */
	if (level >= RSPB_YIELD_PART && rspb_part_least(b->request, part) < left)
		left = rspb_part_least(b->request, part);
	return left;
}

/* Whether giving way to that level (not WHOLE) makes the booking smaller. */
static bool can_give(const struct rspb_booking *b, enum rspb_yield level)
{
	for (uint32_t i = 0; i < b->n_grants; i++)
		if (left_of(b, i, level) < rspb_grant_units(&b->grants[i]))
			return true;
	return false;
}

/* Keep `units` of the nodes, as few of those that are wanted as possible. RET 0, -1: out of
 * memory. */
static int keep_nodes(struct rspb_nodeset *nodes, uint32_t units, const struct rspb_nodeset *wanted)
{
	struct rspb_nodeset *keep = rspb_nodeset_clone(nodes);
	uint32_t count;

	if (!keep)
		return -1;
	if (wanted)
		rspb_nodeset_minus(keep, wanted);
	count = rspb_nodeset_count(keep);
	if (count < units) {
		rspb_nodeset_minus(nodes, keep);
		rspb_nodeset_keep_lowest(nodes, units - count);
		rspb_nodeset_or(nodes, keep);
	} else {
		rspb_nodeset_copy(nodes, keep);
		rspb_nodeset_keep_lowest(nodes, units);
	}
	rspb_nodeset_destroy(keep);
	return 0;
}

/* Leave a part so many units of what it has. RET 0, -1: out of memory. */
static int resize(struct rspb_grant *grant, int64_t units, const struct rspb_nodeset *wanted)
{
	int64_t promised = rspb_grant_promised(grant);

	if (grant->share)
		grant->share = units;
	else if (keep_nodes(grant->nodes, (uint32_t) units, wanted))
		return -1;
	/* A promise of 0 means that all units are promised. */
	grant->promise = promised < units ? promised : 0;
	return 0;
}

/* Let the ledger have this version of a booking, with the benefit of its new size. RET 0, or -1
 * with err: it is refused. */
static int apply(struct rspb_ledger *ledger, struct rspb_booking *booking, struct rspb_err *err)
{
	struct rspb_record record = { .kind = RSPB_REC_CHANGE,
				      .time = rspb_ledger_now(ledger),
				      .booking = booking };

	rspb_booking_value(booking);
	return rspb_ledger_apply(ledger, &record, err);
}

/* Let a booking give way in the ledger; of whole nodes, those in `wanted` (NULL:
 * any) first. RET 1; 0: it had nothing to give; -1 with err. */
static int give_way(struct rspb_ledger *ledger, uint64_t id, enum rspb_yield level,
		    const struct rspb_nodeset *wanted, struct rspb_err *err)
{
	const struct rspb_booking *b = rspb_ledger_find(ledger, id);
	struct rspb_record cancel = { .kind = RSPB_REC_EVENT,
				      .time = rspb_ledger_now(ledger),
				      .id = id,
				      .event = RSPB_EV_CANCEL };
	struct rspb_booking *less;
	int rc = 0;

	/* A cancelled booking stays in the copy, so that make_so() finds it. */
	if (level == RSPB_YIELD_WHOLE)
		return rspb_ledger_apply(ledger, &cancel, err) ? -1 : 1;
	if (!can_give(b, level))
		return 0;
	less = rspb_booking_clone(b);
	if (!less)
		return rspb_fail(err, "out of memory");
	for (uint32_t i = 0; i < less->n_grants && !rc; i++) {
		int64_t left = left_of(b, i, level);

		if (left < rspb_grant_units(&b->grants[i]))
			rc = resize(&less->grants[i], left, wanted);
	}
	/* The ledger refuses it where something from outside lies on it. That room would be of
	 * no use to others either. */
	if (!rc)
		rc = apply(ledger, less, NULL) ? 0 : 1;
	else
		rspb_fail(err, "out of memory");
	rspb_booking_destroy(less);
	return rc;
}

/* Grow a share back to what it was, as far as it is free on all of its machines. RET 0, or -1
 * with err. */
static int regrow_share(const struct rspb_ledger *ledger, struct rspb_booking *b, uint32_t part,
			const struct rspb_grant *was, struct rspb_err *err)
{
	const struct rspb_shares *shares = rspb_ledger_shares(ledger);
	struct rspb_grant *grant = &b->grants[part];
	int64_t now = rspb_ledger_now(ledger);
	/* The past of a running booking does not matter. */
	int64_t start = b->start > now ? b->start : now;
	int64_t more = was->share - grant->share;

	RSPB_NODESET_EACH (m, grant->nodes) {
		int64_t peak, room;

		if (rspb_shares_peak(shares, m, start, b->end, &peak, err))
			return -1;
		room = rspb_shares_capacity(shares, m) - peak;
		if (room < more)
			more = room;
	}
	if (more > 0)
		grant->share += more;
	return 0;
}

/* Give back the nodes that it had and that are free now. RET 0, or -1 with err. */
static int regrow_nodes(const struct rspb_ledger *ledger, struct rspb_booking *b, uint32_t part,
			const struct rspb_grant *was, struct rspb_err *err)
{
	struct rspb_grant *grant = &b->grants[part];
	struct rspb_nodeset *open = rspb_nodeset_create(was->nodes->width);
	int rc;

	if (!open)
		return rspb_fail(err, "out of memory");
	rc = rspb_profile_free_over(rspb_ledger_profile(ledger), b->start, b->end, open, err);
	if (!rc) {
		rspb_nodeset_and(open, was->nodes);
		rspb_nodeset_or(grant->nodes, open);
	}
	rspb_nodeset_destroy(open);
	return rc;
}

/* Let it grow back towards what it was, where nobody is now. One that has
 * been cancelled stays so. RET 1: it grew, 0, -1 with err. */
static int give_back(struct rspb_ledger *ledger, const struct rspb_booking *was,
		     struct rspb_err *err)
{
	const struct rspb_booking *is = rspb_ledger_find(ledger, was->request->id);
	struct rspb_booking *more;
	int rc = 0;

	/* Bookings that were not changed on the copy are the same in both ledgers. */
	if (is == was || rspb_state_final(is->state))
		return 0;
	more = rspb_booking_clone(is);
	if (!more)
		return rspb_fail(err, "out of memory");
	for (uint32_t i = 0; i < more->n_grants && !rc; i++) {
		const struct rspb_grant *old = &was->grants[i];

		if (rspb_grant_units(old) == rspb_grant_units(&more->grants[i]))
			continue;
		rc = old->share ? regrow_share(ledger, more, i, old, err)
				: regrow_nodes(ledger, more, i, old, err);
		more->grants[i].promise = rspb_grant_promised(old);
	}
	if (!rc)
		/* A refusal leaves it smaller, as it is. */
		rc = apply(ledger, more, NULL) ? 0 : 1;
	rspb_booking_destroy(more);
	return rc;
}

/* The least valuable come first; see rspb_yield_find(). Ids break ties. */
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
	/* Less priority is a reason to lose what was promised. A running job cannot be cancelled
	 * for it. */
	if (b->request->priority < query->priority) {
		if (b->state == RSPB_BOOKED)
			return RSPB_YIELD_WHOLE;
		if (can_give(b, RSPB_YIELD_PART))
			return RSPB_YIELD_PART;
	}
	return can_give(b, RSPB_YIELD_SURPLUS) ? RSPB_YIELD_SURPLUS : RSPB_YIELD_NONE;
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

/* Let all give way on the copy, in the order of the list. A booking with nothing to give is no
 * failure. RET 0, or -1 with err. */
static int give_all(struct rspb_ledger *work, const struct rspb_yielder *list, size_t n,
		    const struct rspb_nodeset *wanted, struct rspb_err *err)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].level > RSPB_YIELD_NONE &&
		    give_way(work, list[i].request->id, list[i].level, wanted, err) < 0)
			return -1;
	return 0;
}

/* Let all take back what was not needed, the most valuable first; `before` has them as they
 * were. RET 0, or -1 with err. */
static int take_back_all(struct rspb_ledger *work, const struct rspb_ledger *before,
			 const struct rspb_yielder *list, size_t n, struct rspb_err *err)
{
	while (n-- > 0)
		if (list[n].level > RSPB_YIELD_NONE &&
		    give_back(work, rspb_ledger_find(before, list[n].request->id), err) < 0)
			return -1;
	return 0;
}

/* Bring the ledger to what the copy has. Cancelled bookings go first, because others are on
 * their nodes. RET 0, or -1 with err; some may be cancelled then. */
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
	/* Nothing reaches the ledger unless the place was found. */
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
					  /* Nobody has less priority than that, so only growth
					   * beyond promises is taken. */
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
					  /* As above: only growth beyond promises. */
					  .priority = INT64_MIN };

	return with_surplus(ledger, &query, place_change, (void *) (uintptr_t) changed, err);
}

/* RET how many bookings with limits or licenses the plan has that are not as in the ledger. */
static size_t count_counted(const struct rspb_ledger *plan, const struct rspb_ledger *ledger)
{
	const struct rspb_booking *b;
	size_t i = 0, n = 0;

	while ((b = rspb_ledger_next_own(plan, ledger, &i)))
		n += !rspb_state_final(b->state) && rspb_request_counted(b->request);
	return n;
}

/* Whether a booking has less in the plan than it had, or another place. An earlier start is
 * gained. */
static bool gave_up(const struct rspb_booking *was, const struct rspb_booking *is)
{
	if (was->state != is->state || is->start < was->start || was->n_grants != is->n_grants)
		return false;
	for (uint32_t i = 0; i < is->n_grants; i++)
		if (rspb_grant_units(&is->grants[i]) < rspb_grant_units(&was->grants[i]))
			return true;
	return !rspb_booking_same_place(was, is);
}

/* Try to give a booking of the plan back what it had. RET 1: it has that now; 0: it has given up
 * nothing, or keeps what it has; -1: others are in the way. */
static int take_back(struct rspb_ledger *plan, const struct rspb_booking *was, bool counted)
{
	const struct rspb_booking *is = rspb_ledger_find(plan, was->request->id);
	const struct rspb_record back = { .kind = RSPB_REC_CHANGE,
					  .time = rspb_ledger_now(plan),
					  .booking = was };

	if (!gave_up(was, is) || (counted && rspb_request_counted(was->request)))
		return 0;
	return rspb_ledger_apply(plan, &back, NULL) ? -1 : 1;
}

/* Bookings rarely have each other's former nodes in longer chains. */
enum { UNDO_PASSES = 8 };

int rspb_yield_undo(struct rspb_ledger *plan, const struct rspb_ledger *ledger,
		    struct rspb_err *err)
{
	const struct rspb_booking **list;
	int64_t n = rspb_ledger_changes(ledger, plan, &list);
	bool counted = n > 0 && count_counted(plan, ledger) > 1, again = n > 0;

	if (n < 0)
		return rspb_fail(err, "out of memory");
	/* The ledger stays as it is, so that its bookings can be kept. */
	for (int64_t i = 0; i < n; i++)
		list[i] = rspb_ledger_find(ledger, list[i]->request->id);
	/* A booking may be on the nodes that another one had, so all are tried again as long as
	 * that helps. The plan refuses what would overlap. */
	for (int pass = 0; again && pass < UNDO_PASSES; pass++) {
		again = false;
		for (int64_t i = 0; i < n; i++) {
			int rc = list[i] ? take_back(plan, list[i], counted) : 0;

			again |= rc > 0;
			if (rc >= 0)
				list[i] = NULL;
		}
	}
	free(list);
	return 0;
}
