/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Refinement: bookings that were granted their least grow into what is left.
 *
 * Source: Min, figures 5.7 and 5.8 (Co-RSBFR: at once, and moved); growing in
 * place shortly before the start is this project's.
 */
#include "common/plan/schedule.h"

#include <stdlib.h>

/* Put another booking in the place of one; promised: what it grew by is. RET 1, 0:
 * something from outside lies on it. */
static int put(struct rspb_ledger *ledger, struct rspb_booking *new, const struct rspb_booking *old,
	       bool promised)
{
	const struct rspb_record change = { .kind = RSPB_REC_CHANGE,
					    .booking = new,
					    .time = rspb_ledger_now(ledger) };

	/* The new booking was made of the request alone, so it takes over the life of the old
	 * one. */
	new->state = old->state;
	new->decided_at = old->decided_at;
	if (!promised)
		rspb_booking_keep_promise(new, old);
	return rspb_ledger_apply(ledger, &change, NULL) ? 0 : 1;
}

/* Put what the plan says there. RET as above, or -1 with err. */
static int replace(struct rspb_ledger *ledger, struct rspb_plan *plan,
		   const struct rspb_booking *old, bool promised, struct rspb_err *err)
{
	struct rspb_booking *booking = rspb_booking_create(old->request);
	int rc;

	if (!booking)
		return rspb_fail(err, "out of memory");
	rc = rspb_plan_grant(plan, booking, err);
	if (!rc)
		rc = put(ledger, booking, old, promised);
	rspb_booking_destroy(booking);
	return rc;
}

/* Whether it has fewer tasks on its nodes than it asked for. */
static bool has_fewer_tasks(const struct rspb_booking *b)
{
	const struct rspb_part *part = &b->request->parts[0];

	return b->n_grants == 1 && rspb_part_tasks(part) < part->tasks && !b->request->n_forms;
}

/* Plan it once more at its start, on its nodes, with as many tasks as have room there.
 * rest: the ledger without it. RET 1 with the grants in new, 0: no more have, -1 with
 * err. */
static int place_tasks(const struct rspb_ledger *rest, const struct rspb_policy *policy,
		       const struct rspb_booking *b, struct rspb_booking *new, struct rspb_err *err)
{
	struct rspb_part *part = &new->request->parts[0];
	struct rspb_nodeset *eligible = part->eligible;
	struct rspb_nodeset *on = rspb_nodeset_clone(b->grants[0].nodes);
	int64_t ready = new->request->ready, deadline = new->request->deadline;
	struct rspb_plan plan;
	int rc;

	if (!on)
		return rspb_fail(err, "out of memory");
	if (rspb_plan_init(&plan, rest, policy, err)) {
		rspb_nodeset_destroy(on);
		return -1;
	}
	/* The request is narrowed for the plan only. All of it is put back before the booking is
	 * kept. */
	part->eligible = on;
	new->request->ready = b->start;
	new->request->deadline = b->end;
	rc = rspb_tasks_settle(&plan, new->request, b->start, err);
	/* With as many tasks as before nothing is gained. */
	if (!rc && rspb_part_tasks(part) > rspb_part_tasks(&b->request->parts[0])) {
		rc = rspb_plan_begin(&plan, new->request, err);
		if (!rc)
			rc = rspb_plan_try(&plan, b->start, err);
	}
	if (rc == 1 && rspb_plan_grant(&plan, new, err))
		rc = -1;
	part->eligible = eligible;
	new->request->ready = ready;
	new->request->deadline = deadline;
	rspb_plan_fini(&plan);
	rspb_nodeset_destroy(on);
	return rc;
}

/* The growth is promised, as nobody can take tasks away again. RET as rspb_refine_booking(). */
static int refine_tasks(struct rspb_ledger *ledger, const struct rspb_policy *policy,
			const struct rspb_booking *b, struct rspb_err *err)
{
	struct rspb_ledger *rest = rspb_ledger_clone(ledger);
	struct rspb_booking *new = rspb_booking_create(b->request);
	int rc = !rest || !new
			 ? rspb_fail(err, "out of memory")
			 : rspb_ledger_cancel(rest, b->request->id, rspb_ledger_now(ledger), err);

	/* The booking must not be in its own way, so the plan is made without it. */
	if (!rc)
		rc = place_tasks(rest, policy, b, new, err);
	if (rc == 1)
		rc = put(ledger, new, b, true);
	rspb_booking_destroy(new);
	rspb_ledger_destroy(rest);
	return rc;
}

int rspb_refine_booking(struct rspb_ledger *ledger, const struct rspb_policy *policy, uint64_t id,
			bool move, struct rspb_err *err)
{
	const struct rspb_booking *booking = rspb_ledger_find(ledger, id);
	struct rspb_policy growing = *policy;
	struct rspb_plan plan;
	int rc;

	if (!booking || rspb_state_final(booking->state))
		return rspb_fail(err, "there is nothing that could grow");
	/* Grow as far as the benefit function says. */
	growing.degrade = rspb_degrade_find("benefit");
	if (booking->state == RSPB_BOOKED && has_fewer_tasks(booking))
		return refine_tasks(ledger, &growing, booking, err);
	if (rspb_plan_init(&plan, ledger, &growing, err))
		return -1;
	rc = rspb_plan_refine(&plan, booking, move, err);
	if (rc > 0)
		/* Growth within the batch is part of the first answer that the owner gets. */
		rc = replace(ledger, &plan, booking, policy->degrade->refine == RSPB_REFINE_BATCH,
			     err);
	rspb_plan_fini(&plan);
	return rc;
}

/* Which bookings may grow. */
struct growers {
	int64_t now, before; /* those that start in between */
	bool running;	     /* or those that have started, until `before` */
};

static bool has_share(const struct rspb_booking *b)
{
	for (uint32_t i = 0; i < b->n_grants; i++)
		if (b->grants[i].share)
			return true;
	return false;
}

/* A job that runs keeps its whole nodes, so only shares may grow then (rspb_plan_refine()). */
static bool may_grow(const struct rspb_booking *b, const struct growers *who)
{
	if (who->running)
		return b->state == RSPB_ACTIVE && b->end > who->now && has_share(b);
	return b->state == RSPB_BOOKED && b->start >= who->now;
}

/* The ids of bookings in the order they may grow. RET how many, -1. */
static int64_t order_ids(const struct rspb_ledger *ledger, const struct growers *who,
			 uint64_t **ids)
{
	size_t count = rspb_ledger_count(ledger), n = 0;
	const struct rspb_request **list = malloc((count + 1) * sizeof(*list));
	size_t *index = malloc((count + 1) * sizeof(*index));
	bool good;

	*ids = malloc((count + 1) * sizeof(**ids));
	good = list && index && *ids;
	for (size_t i = 0; good && i < count; i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->start >= who->before)
			break;
		if (may_grow(b, who))
			list[n++] = b->request;
	}
	good = good && !rspb_order_sort(rspb_order_named("priority"), list, NULL, index, n);
	/* A booking that grows is another one; only its id stays. */
	for (size_t i = 0; good && i < n; i++)
		(*ids)[i] = list[i]->id;
	free(list);
	free(index);
	return good ? (int64_t) n : -1;
}

static int64_t grow(struct rspb_ledger *ledger, const struct rspb_policy *policy,
		    const struct growers *who, rspb_refine_fn fn, void *arg, struct rspb_err *err)
{
	uint64_t *ids;
	int64_t n = order_ids(ledger, who, &ids), grown = 0;
	int rc = n < 0 ? rspb_fail(err, "out of memory") : 0;

	for (int64_t i = 0; i < n && rc >= 0; i++) {
		rc = rspb_refine_booking(ledger, policy, ids[i], false, err);
		if (rc <= 0)
			continue;
		grown++;
		if (fn)
			/* The booking that grew has replaced the one in the ledger. */
			fn(rspb_ledger_find(ledger, ids[i]), arg);
	}
	free(ids);
	return rc < 0 ? -1 : grown;
}

int64_t rspb_refine_due(struct rspb_ledger *ledger, const struct rspb_policy *policy,
			int64_t before, rspb_refine_fn fn, void *arg, struct rspb_err *err)
{
	const struct growers who = { .now = rspb_ledger_now(ledger), .before = before };

	return grow(ledger, policy, &who, fn, arg, err);
}

int64_t rspb_refine_running(struct rspb_ledger *ledger, const struct rspb_policy *policy,
			    rspb_refine_fn fn, void *arg, struct rspb_err *err)
{
	const struct growers who = { .now = rspb_ledger_now(ledger),
				     .before = INT64_MAX,
				     .running = true };

	return grow(ledger, policy, &who, fn, arg, err);
}

int64_t rspb_refine_all(struct rspb_ledger *ledger, const struct rspb_policy *policy,
			int64_t before, struct rspb_err *err)
{
	int64_t due = rspb_refine_due(ledger, policy, before, NULL, NULL, err);
	int64_t running = due < 0 ? -1 : rspb_refine_running(ledger, policy, NULL, NULL, err);

	return running < 0 ? -1 : due + running;
}
