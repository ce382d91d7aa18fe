/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/replan.h"

#include <stdlib.h>

#include "common/plan/plan.h"
#include "common/policy/degrade.h"
#include "common/policy/when.h"
#include "common/policy/where.h"

/* One that may move, and where it is at present. */
struct mover {
	const struct rspb_booking *was; /* NULL: the new one */
	const struct rspb_request *request;
	uint32_t units, keep;
	int64_t start, end;
	const struct rspb_nodeset *nodes; /* of the booking */
	struct rspb_booking *becomes;	  /* owned, but for the new one */
	bool out;			  /* it has no place */
};

struct replan {
	const struct rspb_policy *policy;
	const uint32_t *weights;      /* of the nodes, or NULL; the ledger's */
	struct rspb_profile *profile; /* with all that have a place */
	struct rspb_nodeset *set, *calm;
	int64_t now;
	struct mover *movers;
	size_t n;
};

static bool movable(const struct rspb_request *request)
{
	return request->n_parts == 1 && !request->parts[0].share &&
	       !request->parts[0].fixed;
}

static bool waits(const struct rspb_booking *booking, int64_t now)
{
	const struct rspb_request *request = booking->request;

	return booking->state == RSPB_BOOKED && booking->start > now &&
	       movable(request) &&
	       request->deadline > request->ready + request->duration;
}

static int compare(const void *left, const void *right)
{
	const struct rspb_request *a = ((const struct mover *) left)->request;
	const struct rspb_request *b = ((const struct mover *) right)->request;
	int64_t last_a = a->deadline - a->duration;
	int64_t last_b = b->deadline - b->duration;

	if (last_a != last_b)
		return last_a < last_b ? -1 : 1;
	if (a->arrival != b->arrival)
		return a->arrival < b->arrival ? -1 : 1;
	return a->id < b->id ? -1 : a->id > b->id;
}

/* List who moves, in the order they are placed; the new one is among them. */
static int gather(struct replan *replan, const struct rspb_ledger *ledger,
		  struct rspb_booking *booking, const struct rspb_plan *plan)
{
	size_t count = rspb_ledger_count(ledger);

	replan->movers = calloc(count + 1, sizeof(*replan->movers));
	if (!replan->movers)
		return -1;
	replan->movers[replan->n++] = (struct mover){
		.request = booking->request,
		.out = true,
		.becomes = booking,
		.units = (uint32_t) plan->pieces[0].aim,
		.keep = (uint32_t) plan->keep
	};
	for (size_t i = 0; i < count; i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (waits(b, replan->now))
			replan->movers[replan->n++] = (struct mover){
				.was = b,
				.request = b->request,
				.units = rspb_nodeset_count(b->grants[0].nodes),
				.start = b->start,
				.end = b->end,
				.nodes = b->grants[0].nodes,
			};
	}
	qsort(replan->movers, replan->n, sizeof(*replan->movers), compare);
	return 0;
}

/* Write down where a mover is now. */
static int settle(struct mover *mover, int64_t start,
		  const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	struct rspb_booking *booking = mover->was
					       ? rspb_booking_clone(mover->was)
					       : mover->becomes;
	const struct rspb_request *request = mover->request;

	if (!booking)
		return rspb_fail(err, "out of memory");
	mover->becomes = booking;
	if (!mover->was && rspb_booking_grant(booking, nodes->width, err))
		return -1;
	booking->start = start;
	booking->end = start + request->duration;
	rspb_nodeset_copy(booking->grants[0].nodes, nodes);
	mover->start = booking->start;
	mover->end = booking->end;
	mover->nodes = booking->grants[0].nodes;
	mover->out = false;
	booking->grants[0].benefit = rspb_benefit_value(
		rspb_request_benefit(request, 0), mover->units,
		rspb_part_asked(&request->parts[0]));
	rspb_booking_value(booking);
	return 0;
}

/* Find the earliest start for one, and the nodes of it in replan->set. RET 1,
 * 0: none, -1 with err. */
static int find(struct replan *replan, const struct rspb_profile *profile,
		const struct mover *mover, int64_t *start, struct rspb_err *err)
{
	const struct rspb_request *request = mover->request;
	struct rspb_query query = {
		.ready = request->ready > replan->now ? request->ready
						      : replan->now,
		.deadline = request->deadline,
		.duration = request->duration,
		.nodes = mover->units + mover->keep,
		.eligible = request->parts[0].eligible,
		.open_end = replan->policy->open_end,
	};
	struct rspb_rect rect;
	int rc;

	if (query.ready + query.duration > query.deadline)
		return 0;
	rc = rspb_profile_search(profile, &query,
				 &rspb_when_find("ff")->prefers, &rect,
				 replan->set, err);
	*start = rect.start;
	return rc;
}

/* Keep so many nodes of replan->set as the policy likes them. */
static int keep(const struct replan *replan, const struct rspb_profile *profile,
		const struct mover *mover, int64_t start, uint32_t want,
		struct rspb_err *err)
{
	return rspb_where_keep(replan->policy->where, replan->weights, profile,
			       start, start + mover->request->duration, want,
			       replan->set, err);
}

static bool meets(const struct mover *mover, int64_t start, int64_t end)
{
	return mover->start < end && mover->end > start;
}

/* May one take the place of another: the new one that of all, others that of
 * those that must start later than they. */
static bool goes_before(const struct replan *replan, size_t who, size_t other)
{
	const struct mover *mover = &replan->movers[other];

	return mover->was && !mover->out &&
	       (!replan->movers[who].was || other > who) &&
	       meets(mover, replan->movers[who].request->ready,
		     replan->movers[who].request->deadline);
}

/* Keep what one gets of replan->set: first the nodes that nobody has to leave
 * for it, as the policy likes them, then others. */
static int keep_calm(struct replan *replan, const struct rspb_profile *profile,
		     size_t who, int64_t start, struct rspb_err *err)
{
	const struct mover *mover = &replan->movers[who];
	uint32_t calm;

	rspb_nodeset_copy(replan->calm, replan->set);
	for (size_t i = 0; i < replan->n; i++)
		if (goes_before(replan, who, i) &&
		    meets(&replan->movers[i], start,
			  start + mover->request->duration))
			rspb_nodeset_minus(replan->calm,
					   replan->movers[i].nodes);
	calm = rspb_nodeset_count(replan->calm);
	if (calm >= mover->units) {
		rspb_nodeset_copy(replan->set, replan->calm);
		return keep(replan, profile, mover, start, mover->units, err);
	}
	rspb_nodeset_minus(replan->set, replan->calm);
	if (keep(replan, profile, mover, start, mover->units - calm, err))
		return -1;
	rspb_nodeset_or(replan->set, replan->calm);
	return 0;
}

/* Find a place as if those that it may put out were not there. */
static int find_over(struct replan *replan, size_t who, int64_t *start,
		     struct rspb_err *err)
{
	struct rspb_profile *without = rspb_profile_clone(replan->profile);
	int rc = without ? 0 : rspb_fail(err, "out of memory");

	for (size_t i = 0; !rc && i < replan->n; i++)
		if (goes_before(replan, who, i))
			rc = rspb_profile_remove(without,
						 replan->movers[i].start,
						 replan->movers[i].end,
						 replan->movers[i].nodes, err);
	if (!rc)
		rc = find(replan, without, &replan->movers[who], start, err);
	if (rc == 1 && keep_calm(replan, without, who, *start, err))
		rc = -1;
	rspb_profile_destroy(without);
	return rc;
}

/* Put out whoever is on the nodes of replan->set in the way of one. */
static int put_out(struct replan *replan, size_t who, int64_t start,
		   struct rspb_err *err)
{
	int64_t end = start + replan->movers[who].request->duration;

	for (size_t i = 0; i < replan->n; i++) {
		struct mover *other = &replan->movers[i];

		if (!goes_before(replan, who, i) || !meets(other, start, end) ||
		    rspb_nodeset_disjoint(other->nodes, replan->set))
			continue;
		other->out = true;
		if (rspb_profile_remove(replan->profile, other->start,
					other->end, other->nodes, err))
			return -1;
	}
	return 0;
}

/* Give one a place: where there is room, else over others. RET 1, 0, -1. */
static int place(struct replan *replan, size_t who, struct rspb_err *err)
{
	struct mover *mover = &replan->movers[who];
	int64_t start = 0;
	int rc = mover->was ? find(replan, replan->profile, mover, &start, err)
			    : 0;

	if (rc == 1 &&
	    keep(replan, replan->profile, mover, start, mover->units, err))
		return -1;
	if (!rc) {
		rc = find_over(replan, who, &start, err);
		if (rc == 1 && put_out(replan, who, start, err))
			return -1;
	}
	if (rc <= 0)
		return rc;
	if (rspb_profile_add(replan->profile, start,
			     start + mover->request->duration, replan->set,
			     err) ||
	    settle(mover, start, replan->set, err))
		return -1;
	return 1;
}

/* What a mover is later than it was (the new one: than it asked to be), in
 * 1/100 of its duration; earlier is negative. */
static int64_t delay(const struct mover *mover)
{
	int64_t from = mover->was ? mover->was->start : mover->request->ready;

	return (int64_t) ((__int128) (mover->becomes->start - from) * 100 /
			  mover->request->duration);
}

/* Place the new one, and then all that have to leave for it, by latest start.
 * RET 1 when all have a place and the delays are borne. */
static int place_all(struct replan *replan, struct rspb_err *err)
{
	int64_t delays = 0;
	size_t at = 0;

	while (replan->movers[at].was)
		at++;
	for (bool first = true; at < replan->n; at++) {
		int rc;

		if (!replan->movers[at].out)
			continue;
		rc = place(replan, at, err);
		if (rc <= 0)
			return rc;
		delays += delay(&replan->movers[at]);
		/* Whoever it put out may stand before it. */
		if (first)
			at = (size_t) -1;
		first = false;
	}
	return delays <= replan->policy->patience;
}

static int commit(struct replan *replan, struct rspb_ledger *ledger,
		  struct rspb_booking *booking, struct rspb_err *err)
{
	const struct rspb_booking **list = calloc(replan->n, sizeof(*list));
	struct rspb_record record = { .kind = RSPB_REC_MOVE,
				      .time = replan->now,
				      .bookings = list };
	int rc;

	if (!list)
		return rspb_fail(err, "out of memory");
	booking->decided_at = replan->now;
	rc = rspb_state_next(&booking->state, RSPB_EV_ACCEPT, err);
	for (size_t i = 0; i < replan->n; i++)
		if (replan->movers[i].becomes)
			list[record.n_bookings++] = replan->movers[i].becomes;
	if (!rc)
		rc = rspb_counts_allow(ledger, list, record.n_bookings)
			     ? rspb_ledger_apply(ledger, &record, err)
			     : rspb_fail(err, "a limit does not allow it");
	free(list);
	return rc;
}

static int run(struct replan *replan, struct rspb_ledger *ledger,
	       struct rspb_booking *booking, struct rspb_err *err)
{
	int rc;

	replan->profile = rspb_profile_clone(rspb_ledger_profile(ledger));
	replan->weights = rspb_ledger_weights(ledger);
	replan->set = rspb_nodeset_create(rspb_ledger_nodes(ledger));
	replan->calm = rspb_nodeset_create(rspb_ledger_nodes(ledger));
	if (!replan->profile || !replan->set || !replan->calm)
		return rspb_fail(err, "out of memory");
	rc = place_all(replan, err);
	/* What blocks nodes from outside may still be in the way. */
	if (rc == 1 && commit(replan, ledger, booking, err))
		rc = 0;
	return rc;
}

static void replan_fini(struct replan *replan)
{
	for (size_t i = 0; i < replan->n; i++)
		if (replan->movers[i].was)
			rspb_booking_destroy(replan->movers[i].becomes);
	free(replan->movers);
	rspb_profile_destroy(replan->profile);
	rspb_nodeset_destroy(replan->set);
	rspb_nodeset_destroy(replan->calm);
}

int sim_replan(struct rspb_ledger *ledger, const struct rspb_policy *policy,
	       struct rspb_booking *booking, int64_t now, struct rspb_err *err)
{
	struct replan replan = { .policy = policy, .now = now };
	struct rspb_booking *trial;
	struct rspb_plan plan;
	int rc;

	if (!movable(booking->request))
		return 0;
	if (rspb_plan_init(&plan, ledger, policy, err))
		return -1;
	trial = rspb_booking_create(booking->request);
	rc = trial ? rspb_plan_begin(&plan, trial->request, err)
		   : rspb_fail(err, "out of memory");
	/* Nobody makes room for one that leaves no room. */
	if (!rc && !plan.crowds) {
		rc = gather(&replan, ledger, trial, &plan)
			     ? rspb_fail(err, "out of memory")
			     : run(&replan, ledger, trial, err);
	}
	if (rc == 1)
		rspb_booking_swap(booking, trial);
	replan_fini(&replan);
	rspb_plan_fini(&plan);
	rspb_booking_destroy(trial);
	return rc;
}
