/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/plan/plan.h"

#include <stdlib.h>

#include "common/base/array.h"

int rspb_plan_init(struct rspb_plan *plan, const struct rspb_ledger *ledger,
		   const struct rspb_policy *policy, struct rspb_err *err)
{
	uint32_t width = rspb_ledger_nodes(ledger);

	*plan = (struct rspb_plan){
		.ledger = ledger,
		.policy = policy,
		.width = width,
		.idle = rspb_nodeset_create(width),
		.left = rspb_nodeset_create(width),
		.shareable = rspb_nodeset_create(width),
		.scratch = rspb_nodeset_create(width),
		.fast = rspb_nodeset_create(width),
	};
	/* Without capacities in the ledger no share can be booked, and both figures per machine
	 * are left out. */
	if (rspb_ledger_shares(ledger)) {
		plan->room = calloc(width, sizeof(int64_t));
		plan->load = calloc(width, sizeof(int64_t));
	}
	if (plan->idle && plan->left && plan->shareable && plan->scratch && plan->fast &&
	    (!rspb_ledger_shares(ledger) || (plan->room && plan->load)))
		return 0;
	rspb_plan_fini(plan);
	return rspb_fail(err, "out of memory");
}

void rspb_plan_fini(struct rspb_plan *plan)
{
	for (uint32_t i = 0; i < plan->size; i++) {
		rspb_nodeset_destroy(plan->pieces[i].may);
		rspb_nodeset_destroy(plan->pieces[i].nodes);
	}
	free(plan->pieces);
	free(plan->sequence);
	rspb_nodeset_destroy(plan->idle);
	rspb_nodeset_destroy(plan->left);
	rspb_nodeset_destroy(plan->shareable);
	rspb_nodeset_destroy(plan->scratch);
	rspb_nodeset_destroy(plan->fast);
	free(plan->room);
	free(plan->load);
	rspb_counts_fini(&plan->counts);
	*plan = (struct rspb_plan){ .width = 0 };
}

/* Have at least n pieces with their sets, which later requests of the batch use again. RET 0,
 * -1: out of memory; `size` counts the pieces that fini() has to free. */
static int reserve(struct rspb_plan *plan, uint32_t n)
{
	/* Both arrays have the same room, which the second call below notes. */
	size_t room = plan->n_room;

	if (rspb_array_grow(&plan->sequence, &room, n, sizeof(uint32_t)) ||
	    rspb_array_grow(&plan->pieces, &plan->n_room, n, sizeof(struct rspb_piece)))
		return -1;
	while (plan->size < n) {
		struct rspb_piece *piece = &plan->pieces[plan->size++];

		piece->may = rspb_nodeset_create(plan->width);
		piece->nodes = rspb_nodeset_create(plan->width);
		if (!piece->may || !piece->nodes)
			return -1;
	}
	return 0;
}

/* Fixed parts in the order they were written, then floating ones by falling
 * minimum, because those are the hardest to place. */
static bool comes_before(const struct rspb_piece *a, const struct rspb_piece *b)
{
	if (a->part->fixed || b->part->fixed)
		return a->part->fixed && !b->part->fixed;
	return a->floor > b->floor;
}

/* Sort by insertion, because parts that are equal must stay in the order in which they were
 * written. */
static void arrange(struct rspb_plan *plan)
{
	for (uint32_t i = 0; i < plan->n; i++) {
		uint32_t at = i;

		while (at &&
		       comes_before(&plan->pieces[i], &plan->pieces[plan->sequence[at - 1]])) {
			plan->sequence[at] = plan->sequence[at - 1];
			at--;
		}
		plan->sequence[at] = i;
	}
}

/* Set how many nodes the request has to leave free, by its priority and length. */
static void set_headroom(struct rspb_plan *plan)
{
	const struct rspb_policy *policy = plan->policy;
	const struct rspb_request *request = plan->request;
	int64_t priority = request->priority < 100 ? request->priority : 100;
	int64_t part = (policy->headroom * (100 - priority) + 99) / 100;

	if (policy->long_duration && request->duration >= policy->long_duration &&
	    part < policy->long_headroom)
		part = policy->long_headroom;
	plan->keep_share = part;
	plan->keep = (rspb_ledger_machine(plan->ledger) * part + 9999) / 10000;
}

/* Which nodes are as fast as the request is reckoned for. */
static void set_fast(struct rspb_plan *plan)
{
	const uint32_t *speeds = rspb_ledger_marks(plan->ledger).speeds;

	plan->bounded = speeds && plan->request->speed;
	if (!plan->bounded)
		return;
	rspb_nodeset_clear(plan->fast);
	for (uint32_t n = 0; n < plan->width; n++)
		if (speeds[n] >= plan->request->speed)
			rspb_nodeset_add(plan->fast, n);
}

int rspb_plan_begin(struct rspb_plan *plan, const struct rspb_request *request,
		    struct rspb_err *err)
{
	const struct rspb_degrade *degrade = plan->policy->degrade;
	int64_t whole = 0, machine = rspb_ledger_machine(plan->ledger);

	if (reserve(plan, request->n_parts))
		return rspb_fail(err, "out of memory");
	if (rspb_counts_make(&plan->counts, plan->ledger, request, NULL, 0))
		return rspb_fail(err, "out of memory");
	/* Forget why the request before this one found no place. */
	plan->excess.quota = NULL;
	plan->lacks = NULL;
	plan->unsuited = plan->exhausted = plan->spread = false;
	plan->request = request;
	set_fast(plan);
	plan->n = request->n_parts;
	plan->has_whole = plan->has_shares = false;
	for (uint32_t i = 0; i < plan->n; i++) {
		struct rspb_piece *piece = &plan->pieces[i];
		int64_t least = rspb_part_least(request, i);
		/* All that is asked may be more than has the full benefit. A part that counts
		 * tasks is settled before, and has one size (rspb_part_units()). */
		int64_t full = degrade->as_asked && !request->parts[i].tasks
				       ? rspb_part_asked(&request->parts[i])
				       : rspb_part_full(request, i);

		piece->part = &request->parts[i];
		piece->floor = rspb_degrade_floor(degrade, least, full);
		piece->aim = rspb_degrade_aim(degrade, least, full);
		piece->goal = piece->aim;
		piece->units = 0;
		if (piece->part->share)
			plan->has_shares = true;
		else
			plan->has_whole = true;
		whole += piece->part->share ? 0 : piece->aim;
	}
	/* Where all shares are cores, those that a node has today bound them, besides the capacity
	 * that the ledger was made with. */
	plan->cores = rspb_request_has_shares(request)
			      ? NULL
			      : rspb_ledger_room(plan->ledger, RSPB_ROOM_CORES);
	arrange(plan);
	set_headroom(plan);
	/* The nodes that must stay free must not keep out a request for nearly all nodes for
	 * good. */
	plan->crowds = plan->keep > machine - whole;
	if (plan->crowds)
		plan->keep = whole < machine ? machine - whole : 0;
	return 0;
}

int rspb_plan_begin_again(struct rspb_plan *plan, struct rspb_request *request,
			  const struct rspb_booking *was, bool stays, struct rspb_err *err)
{
	for (uint32_t i = 0; i < request->n_parts && stays; i++) {
		struct rspb_part *part = &request->parts[i];

		rspb_nodeset_destroy(part->eligible);
		part->eligible = rspb_nodeset_clone(was->grants[i].nodes);
		if (!part->eligible)
			return rspb_fail(err, "out of memory");
	}
	if (rspb_plan_begin(plan, request, err))
		return -1;
	/* A booking that stays keeps its nodes, however fast they are. */
	plan->bounded &= !stays;
	/* With one figure for the least and the most, the plan neither shrinks nor grows it. */
	for (uint32_t i = 0; i < plan->n; i++)
		plan->pieces[i].aim = plan->pieces[i].goal = plan->pieces[i].floor =
			rspb_grant_units(&was->grants[i]);
	return 0;
}

int rspb_plan_there(const struct rspb_ledger *ledger, const struct rspb_policy *policy,
		    const struct rspb_booking *b, struct rspb_err *err)
{
	struct rspb_request *request = rspb_request_clone(b->request);
	struct rspb_plan plan;
	int rc;

	if (!request || rspb_plan_init(&plan, ledger, policy, err)) {
		rspb_request_destroy(request);
		return rspb_fail(err, "out of memory");
	}
	/* The length that counts is the booked one. */
	request->duration = b->end - b->start;
	rc = rspb_plan_begin_again(&plan, request, b, true, err);
	if (!rc)
		rc = rspb_plan_try(&plan, b->start, err);
	rspb_plan_fini(&plan);
	rspb_request_destroy(request);
	return rc;
}

/* Ask the judge about a plan that is placed. The judge may give other nodes, of which limits may
 * count more, so these are checked once more. RET as rspb_plan_try. */
static int judge(struct rspb_plan *plan, struct rspb_err *err)
{
	const struct rspb_judge *judge = plan->policy->judge;
	int64_t before = rspb_plan_amount(plan);
	int rc = judge->suits(plan, judge->arg, err);

	for (uint32_t i = 0; i < plan->n; i++)
		if (!plan->pieces[i].part->share)
			plan->pieces[i].units = rspb_nodeset_count(plan->pieces[i].nodes);
	plan->unsuited = rc != 1 || rspb_plan_amount(plan) < before;
	return rc == 1 ? rspb_plan_within(plan) : rc;
}

int rspb_plan_try(struct rspb_plan *plan, int64_t start, struct rspb_err *err)
{
	int rc = 1;

	/* Later starts are worth nothing. */
	if (plan->request->benefit_time && start > rspb_request_last(plan->request))
		return 0;
	plan->start = start;
	plan->end = start + plan->request->duration;
	plan->until = plan->end + plan->request->clean_up;
	for (uint32_t i = 0; i < plan->n; i++) {
		plan->pieces[i].units = 0;
		rspb_nodeset_clear(plan->pieces[i].nodes);
	}
	/* Whole nodes come first: shares of the same request must not be on them. */
	if (plan->has_whole)
		rc = rspb_plan_place_whole(plan, err);
	if (rc == 1 && plan->has_shares)
		rc = rspb_plan_place_shares(plan, err);
	if (rc == 1 && !rspb_plan_within(plan))
		rc = 0;
	return rc == 1 && plan->policy->judge ? judge(plan, err) : rc;
}

static int64_t sum(const struct rspb_plan *plan, bool granted)
{
	int64_t cpu = 0;

	for (uint32_t i = 0; i < plan->n; i++) {
		const struct rspb_piece *piece = &plan->pieces[i];

		cpu = rspb_part_add_cpu(piece->part, granted ? piece->units : piece->aim, cpu);
	}
	return cpu;
}

int64_t rspb_plan_amount(const struct rspb_plan *plan)
{
	return sum(plan, true);
}

int64_t rspb_plan_wanted(const struct rspb_plan *plan)
{
	return sum(plan, false);
}

/* Mean over the parts, whose units `free` bounds where it is a part of whole nodes
 * alone; granted: as they are. */
static struct rspb_ratio worth(const struct rspb_plan *plan, int64_t start, int64_t free,
			       bool granted)
{
	struct rspb_ratio total = { 0, 1 };

	if (!plan->request->benefit_time)
		return total;
	for (uint32_t i = 0; i < plan->n; i++) {
		const struct rspb_piece *piece = &plan->pieces[i];
		int64_t units = granted ? piece->units : piece->aim;

		if (plan->n == 1 && !piece->part->share && units > free)
			units = free;
		total = rspb_ratio_plus(total, rspb_part_value(plan->request, i, units));
	}
	total = rspb_ratio_over(total, (struct rspb_ratio){ plan->n, 1 });
	return rspb_ratio_times(total, rspb_request_timely(plan->request, start));
}

struct rspb_ratio rspb_plan_worth(const struct rspb_plan *plan)
{
	return worth(plan, plan->start, INT64_MAX, true);
}

struct rspb_ratio rspb_plan_worth_most(const struct rspb_plan *plan, int64_t start, int64_t free)
{
	return worth(plan, start, free, false);
}

int rspb_plan_refine(struct rspb_plan *plan, const struct rspb_booking *booking, bool move,
		     struct rspb_err *err)
{
	int64_t before;

	if (rspb_plan_begin(plan, booking->request, err))
		return -1;
	plan->start = booking->start;
	plan->end = booking->end;
	/* The booking grows within its own nodes, and those have a gap behind it. */
	plan->until = plan->end + plan->request->clean_up;
	for (uint32_t i = 0; i < plan->n; i++) {
		struct rspb_piece *piece = &plan->pieces[i];
		const struct rspb_grant *grant = &booking->grants[i];

		rspb_nodeset_copy(piece->nodes, grant->nodes);
		piece->units = grant->share ? grant->share : rspb_nodeset_count(grant->nodes);
		/* Limits may take growth away again, but nothing that it has. */
		piece->floor = piece->units;
		/* A job that runs keeps its nodes, and gets no others. */
		if (booking->state != RSPB_BOOKED && !grant->share)
			piece->aim = piece->units;
		/* Here the parts come as they were written. */
		plan->sequence[i] = i;
	}
	before = rspb_plan_amount(plan);
	if ((plan->has_whole && rspb_plan_grow_whole(plan, err)) ||
	    (plan->has_shares && rspb_plan_grow_shares(plan, move, err)))
		return -1;
	if (rspb_plan_amount(plan) == before)
		return 0;
	/* Limits may have taken all of the growth. */
	return rspb_plan_within(plan) && rspb_plan_amount(plan) > before;
}

int rspb_plan_grant(const struct rspb_plan *plan, struct rspb_booking *booking,
		    struct rspb_err *err)
{
	if (rspb_booking_grant(booking, plan->width, err))
		return -1;
	booking->start = plan->start;
	booking->end = plan->end;
	for (uint32_t i = 0; i < plan->n; i++) {
		const struct rspb_piece *piece = &plan->pieces[i];
		struct rspb_grant *grant = &booking->grants[i];

		rspb_nodeset_copy(grant->nodes, piece->nodes);
		grant->share = piece->part->share ? piece->units : 0;
		grant->benefit = rspb_part_value(plan->request, i, piece->units);
	}
	rspb_booking_value(booking);
	return 0;
}
