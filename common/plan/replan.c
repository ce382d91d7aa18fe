/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/plan/replan.h"

#include <stdlib.h>

#include "common/plan/plan.h"
#include "common/policy/degrade.h"
#include "common/policy/when.h"
#include "common/policy/where.h"

/* One that is placed anew. */
struct mover {
	const struct rspb_booking *was; /* NULL: the new one */
	const struct rspb_request *request;
	uint32_t units, keep;
	struct rspb_booking *becomes; /* owned, but for the new one */
};

struct replan {
	const struct rspb_policy *policy;
	const uint32_t *weights;      /* of the nodes, or NULL; the ledger's */
	struct rspb_profile *profile; /* without those that move */
	struct rspb_nodeset *set;
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
				.units = rspb_nodeset_count(b->grants[0].nodes)
			};
	}
	qsort(replan->movers, replan->n, sizeof(*replan->movers), compare);
	return 0;
}

/* Take everybody who moves out of the profile. */
static int lift(struct replan *replan, struct rspb_err *err)
{
	for (size_t i = 0; i < replan->n; i++) {
		const struct rspb_booking *was = replan->movers[i].was;

		if (was &&
		    rspb_profile_remove(replan->profile, was->start, was->end,
					was->grants[0].nodes, err))
			return -1;
	}
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
	booking->grants[0].benefit = rspb_benefit_value(
		rspb_request_benefit(request, 0), mover->units,
		rspb_part_asked(&request->parts[0]));
	rspb_booking_value(booking);
	return 0;
}

/* Find the earliest start for one. RET 1, 0: none, -1 with err. */
static int drop(struct replan *replan, struct mover *mover,
		struct rspb_err *err)
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
	rc = rspb_profile_search(replan->profile, &query,
				 &rspb_when_find("ff")->prefers, &rect,
				 replan->set, err);
	if (rc <= 0)
		return rc;
	if (rspb_where_keep(replan->policy->where, replan->weights,
			    replan->profile, rect.start,
			    rect.start + query.duration, mover->units,
			    replan->set, err) ||
	    rspb_profile_add(replan->profile, rect.start,
			     rect.start + query.duration, replan->set, err) ||
	    settle(mover, rect.start, replan->set, err))
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

/* Place everybody. RET 1 when all have a place and the delays are borne. */
static int place_all(struct replan *replan, struct rspb_err *err)
{
	int64_t delays = 0;

	if (lift(replan, err))
		return -1;
	for (size_t i = 0; i < replan->n; i++) {
		int rc = drop(replan, &replan->movers[i], err);

		if (rc <= 0)
			return rc;
		delays += delay(&replan->movers[i]);
	}
	return delays <= replan->policy->patience;
}

static bool moved(const struct mover *mover)
{
	return !mover->was || mover->was->start != mover->becomes->start ||
	       !rspb_nodeset_equal(mover->was->grants[0].nodes,
				   mover->becomes->grants[0].nodes);
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
		if (moved(&replan->movers[i]))
			list[record.n_bookings++] = replan->movers[i].becomes;
	if (!rc)
		rc = rspb_ledger_apply(ledger, &record, err);
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
	if (!replan->profile || !replan->set)
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
}

int rspb_replan(struct rspb_ledger *ledger, const struct rspb_policy *policy,
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
	if (rc == 1) {
		struct rspb_booking other = *booking;

		/* The caller's booking becomes what the trial is. */
		*booking = *trial;
		*trial = other;
	}
	replan_fini(&replan);
	rspb_plan_fini(&plan);
	rspb_booking_destroy(trial);
	return rc;
}
