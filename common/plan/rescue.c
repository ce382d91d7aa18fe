/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A booking that has not started and cannot stay where it is, because a node
 * failed or was taken: replaced from what is free, else degraded within its
 * benefit function, else moved within its window, else less valuable bookings
 * give way. One that could begin sooner, as something has come free, moves
 * within its window, too, as it is and at nobody's cost. One that had less for an
 * outage gets that back at its start, as far as it is free.
 *
 * Source: this project; doc/policies.md.
 */
#include "common/plan/schedule.h"

#include <stdlib.h>

/* --- nodes that replace those that a part of different sizes has lost. Such a part may have no
 * other nodes than its own, as its amounts are said for each; a stand-in gives what a lost node
 * gave --- */

enum { STAND_INS_MOST = 32 }; /* nodes among which the planner chooses */

/* RET the most that a part takes of something on any of these nodes. */
static int64_t most_of(const struct rspb_part *part, uint64_t key, int64_t usual,
		       const struct rspb_nodeset *nodes)
{
	int64_t most = 0;

	RSPB_NODESET_EACH (n, nodes) {
		int64_t amount = rspb_part_takes(part, key, usual, n);

		if (amount > most)
			most = amount;
	}
	return most;
}

/* Let a part take of every node the most that it takes of any of these. Kinds that most nodes do
 * not give, which are types of a node with several, are not asked of others. */
static void take_most(struct rspb_part *part, const struct rspb_nodeset *nodes)
{
	part->share = most_of(part, RSPB_ROOM_CORES, part->share, nodes);
	for (uint32_t q = 0; q < part->n_quotas; q++) {
		struct rspb_quota *quota = &part->quotas[q];

		/* An amount of 0 is a type that only some nodes give. */
		if (quota->per_node)
			quota->per_node = most_of(part, quota->key, quota->per_node, nodes);
	}
	rspb_part_even(part);
}

/* Leave of a set the nodes that can give what a part takes, over all of the window of a booking.
 * RET 0, -1: out of memory. */
static int leave_able(const struct rspb_ledger *ledger, const struct rspb_part *part,
		      const struct rspb_booking *was, struct rspb_nodeset *set)
{
	struct rspb_nodeset *able = rspb_nodeset_create(set->width);
	struct rspb_profile *calendar = rspb_ledger_for_part(ledger, part, set);
	/* Only the rest of the time slot counts. */
	int64_t now = rspb_ledger_now(ledger), start = was->start > now ? was->start : now;
	int rc = able && calendar && !rspb_profile_free_over(calendar, start, was->end, able, NULL)
			 ? 0
			 : -1;

	if (!rc)
		rspb_nodeset_and(set, able);
	rspb_profile_destroy(calendar);
	rspb_nodeset_destroy(able);
	return rc;
}

/* Leave the lightest nodes of a set. */
static void leave_lightest(const struct rspb_ledger *ledger, struct rspb_nodeset *set)
{
	const uint32_t *weights = rspb_ledger_marks(ledger).weights;

	for (uint32_t count = rspb_nodeset_count(set); count > STAND_INS_MOST; count--) {
		uint32_t heaviest = UINT32_MAX;

		RSPB_NODESET_EACH (n, set)
			if (heaviest == UINT32_MAX || (weights && weights[n] > weights[heaviest]))
				heaviest = n;
		/* Heavy nodes go first, of equals the lowest number. */
		rspb_nodeset_remove(set, heaviest);
	}
}

/* Add what a part takes of one node as another one does, where that is not the usual amount. */
static int add_node(struct rspb_part *part, const struct rspb_part *from, uint32_t n)
{
	const struct rspb_odd cores = { n, RSPB_ROOM_CORES, from->share };
	int rc = rspb_part_add_odd(part, cores, part->share);

	for (uint32_t q = 0; q < part->n_quotas && !rc; q++) {
		const struct rspb_odd odd = { n, part->quotas[q].key, from->quotas[q].per_node };

		if (odd.amount > 0)
			rc = rspb_part_add_odd(part, odd, part->quotas[q].per_node);
	}
	return rc;
}

/* Let a part have these of its nodes, and these others, which give what `most` takes. */
static int widen(struct rspb_part *part, const struct rspb_part *most,
		 const struct rspb_nodeset *kept, const struct rspb_nodeset *others)
{
	struct rspb_odd *odd = part->odd;
	uint32_t n_odd = part->n_odd, i = 0;
	int rc = 0;

	part->odd = NULL;
	part->n_odd = 0;
	/* Nodes come by rising number, as rspb_part_add_odd() wants it. */
	for (uint32_t n = 0; n < kept->width && !rc; n++) {
		if (rspb_nodeset_has(others, n))
			rc = add_node(part, most, n);
		for (; i < n_odd && odd[i].node == n; i++)
			if (rspb_nodeset_has(kept, n) && !rc)
				rc = rspb_part_add_odd(part, odd[i], 0);
	}
	free(odd);
	rspb_nodeset_copy(part->eligible, kept);
	rspb_nodeset_or(part->eligible, others);
	if (rc || rspb_nodeset_empty(kept))
		return rc;
	/* The nodes that it keeps are named, so that no stand-in replaces one of them. */
	rspb_nodeset_destroy(part->fixed);
	part->fixed = rspb_nodeset_clone(kept);
	return part->fixed ? 0 : -1;
}

/* Offer part i stand-ins for the nodes that it cannot keep, if there are any and it names none
 * of them. RET 0, -1: out of memory. */
static int replace(const struct rspb_ledger *ledger, const struct rspb_booking *was, uint32_t i,
		   const struct rspb_nodeset *may, struct rspb_request *request)
{
	struct rspb_request *probe = rspb_request_clone(request);
	struct rspb_nodeset *kept = rspb_nodeset_clone(was->grants[i].nodes);
	struct rspb_nodeset *lost = rspb_nodeset_clone(was->grants[i].nodes);
	struct rspb_nodeset *others = rspb_nodeset_clone(may);
	struct rspb_part *part = &request->parts[i];
	int rc = probe && kept && lost && others && part->eligible
			 ? leave_able(ledger, part, was, kept)
			 : -1;

	if (!rc)
		rspb_nodeset_minus(lost, kept);
	if (!rc && !rspb_nodeset_empty(lost) &&
	    (!part->fixed || rspb_nodeset_within(part->fixed, kept))) {
		/* A stand-in has to give the most that any lost node gave, because it may
		 * replace each of them. */
		take_most(&probe->parts[i], lost);
		rspb_nodeset_minus(others, was->grants[i].nodes);
		rc = leave_able(ledger, &probe->parts[i], was, others);
		if (!rc)
			leave_lightest(ledger, others);
		if (!rc)
			rc = widen(part, &probe->parts[i], kept, others);
	}
	rspb_request_destroy(probe);
	rspb_nodeset_destroy(kept);
	rspb_nodeset_destroy(lost);
	rspb_nodeset_destroy(others);
	return rc;
}

/*
 * Let parts of a request have other nodes in place of those of the booking that cannot give their
 * amounts at its start: all others that it keeps, and of others (others[i] of part i, NULL: none)
 * the lightest that have the most of what is lost. ledger: without that booking. A part that has
 * lost nothing, or a node that it names, stays as it is. RET 0, or -1 with err.
 */
static int offer_stand_ins(const struct rspb_ledger *ledger, const struct rspb_booking *was,
			   struct rspb_nodeset *const *others, struct rspb_request *request,
			   struct rspb_err *err)
{
	int rc = 0;

	for (uint32_t i = 0; i < request->n_parts && i < was->n_grants && !rc; i++)
		if (others[i])
			rc = replace(ledger, was, i, others[i], request);
	return rc ? rspb_fail(err, "out of memory") : 0;
}

/* Take over from such a part what it takes of the nodes that were granted, which are then all that
 * it may have. RET 0, -1: out of memory. */
static int settle_stand_ins(struct rspb_part *part, const struct rspb_part *offered,
			    const struct rspb_nodeset *granted)
{
	int rc = 0;

	rspb_part_even(part);
	for (uint32_t i = 0; i < offered->n_odd && !rc; i++)
		if (rspb_nodeset_has(granted, offered->odd[i].node))
			rc = rspb_part_add_odd(part, offered->odd[i], 0);
	if (part->eligible)
		rspb_nodeset_copy(part->eligible, granted);
	return rc;
}

static const char *const texts[RSPB_N_RESCUED] = {
	[RSPB_RESCUED_NOT] = "no place for it",
	[RSPB_RESCUED_REPLACED] = "other nodes",
	[RSPB_RESCUED_SURPLUS] = "other nodes, into which other bookings had grown",
	[RSPB_RESCUED_SLOWER] = "slower nodes, for as long as it takes there",
	[RSPB_RESCUED_DEGRADED] = "less than before",
	[RSPB_RESCUED_MOVED] = "another start",
	[RSPB_RESCUED_PART] = "other nodes, where others have less now",
	[RSPB_RESCUED_WHOLE] = "other nodes, in place of other bookings",
	[RSPB_RESCUED_SOONER] = "an earlier start",
	[RSPB_RESCUED_RESTORED] = "more of what it had before an outage",
};

const char *rspb_rescued_text(enum rspb_rescued how)
{
	return texts[how];
}

/* A way to place the booking. */
struct way {
	const struct rspb_policy *policy;
	struct rspb_rescue *rescue; /* `how` is set */
	const struct rspb_booking *was;
	bool less;    /* than it has, down to its least */
	bool anywhen; /* within its window */
	bool slower;  /* on nodes slower than it was reckoned for */
	bool more;    /* than it has, up to what it had before an outage */
};

/* The plan is to give each part what it has, or less. RET 0 or -1 with err. */
static int begin(struct rspb_plan *plan, const struct way *way, struct rspb_request *request,
		 struct rspb_err *err)
{
	int rc = rspb_plan_begin_again(plan, request, way->was, false, err);

	for (uint32_t i = 0; !rc && way->less && i < plan->n; i++) {
		/* The owner accepts as much less as the benefit function says. */
		int64_t least = rspb_part_least(request, i);

		if (least < plan->pieces[i].floor)
			plan->pieces[i].floor = least;
	}
	for (uint32_t i = 0; !rc && way->more && i < plan->n; i++) {
		struct rspb_piece *piece = &plan->pieces[i];
		int64_t all = rspb_grant_promised(&way->was->grants[i]) +
			      rspb_booking_missing(way->was, i);

		if (piece->aim < all)
			piece->aim = piece->goal = all;
	}
	return rc;
}

/* Place what begin() has set up: at the booked start, or at any start of the window from
 * `earliest` on. RET as rspb_search(). */
static int place_plan(struct rspb_plan *plan, const struct way *way, struct rspb_request *request,
		      struct rspb_err *err)
{
	int64_t now = way->rescue->earliest, sooner = way->rescue->sooner;

	if (!way->anywhen)
		return rspb_plan_try(plan, way->was->start, err);
	if (sooner && request->deadline > sooner + request->duration)
		request->deadline = sooner + request->duration;
	/* The window begins as before: a benefit in time says by that which start is the last. */
	return rspb_search(plan, now, err);
}

/* Each lower speed, from the highest on, for as long as that takes: within its window, or,
 * where its start was all that was asked for, from there on. */
static int place_slower(struct rspb_plan *plan, const struct way *way, struct rspb_request *request,
			struct rspb_err *err)
{
	const struct rspb_ledger *ledger = plan->ledger;
	int64_t ready = request->ready, deadline = request->deadline;
	uint32_t speed = request->speed;
	int rc = 0;

	/* The length must follow from the speed alone, so the request has one form, which is
	 * booked in full. */
	if (!speed || request->n_forms != 1 || request->shortest)
		return 0;
	while (!rc && (speed = rspb_form_slower(ledger, speed))) {
		request->speed = speed;
		request->ready = ready;
		request->duration = rspb_form_length(request, request->forms[0].duration, speed);
		request->deadline = request->punctual ? ready + request->duration : deadline;
		/* Even slower nodes take longer still. */
		if (!way->anywhen && way->was->start + request->duration > request->deadline)
			break;
		rc = begin(plan, way, request, err);
		if (!rc)
			rc = place_plan(plan, way, request, err);
	}
	return rc;
}

static bool has_more(const struct rspb_booking *new, const struct rspb_booking *was)
{
	for (uint32_t i = 0; i < new->n_grants; i++)
		if (rspb_grant_units(&new->grants[i]) > rspb_grant_promised(&was->grants[i]))
			return true;
	return false;
}

/* The part of a booking that comes back is promised again. */
static void promise_more(struct rspb_booking *new, const struct rspb_booking *was)
{
	for (uint32_t i = 0; i < new->n_grants; i++) {
		const struct rspb_grant *old = &was->grants[i];
		int64_t units = rspb_grant_units(&new->grants[i]);
		int64_t promised = rspb_grant_promised(old) + rspb_booking_missing(was, i);

		new->grants[i].promise = promised < units ? promised : 0;
		rspb_grant_keep_outage(&new->grants[i], old);
	}
}

/* Let parts of different sizes ask for the nodes that they were granted. RET 0, or -1 with err. */
static int settle(struct rspb_booking *new, struct rspb_nodeset *const *others,
		  const struct rspb_request *planned, struct rspb_err *err)
{
	for (uint32_t i = 0; i < new->n_grants; i++)
		if (others[i] && settle_stand_ins(&new->request->parts[i], &planned->parts[i],
						  new->grants[i].nodes))
			return rspb_fail(err, "out of memory");
	return 0;
}

/* Enter the new place into `work`. RET 1; 0: the ledger refuses it, or it has no more than
 * before although it should; -1 with err. */
static int change(struct rspb_ledger *work, const struct way *way, struct rspb_plan *plan,
		  struct rspb_err *err)
{
	struct rspb_booking *new = rspb_booking_clone(way->was);
	struct rspb_record record = { .kind = RSPB_REC_CHANGE,
				      .time = rspb_ledger_now(work),
				      .booking = new };
	int rc;

	if (!new)
		return rspb_fail(err, "out of memory");
	/* On slower nodes the request itself is longer. */
	if (way->slower) {
		new->request->speed = plan->request->speed;
		new->request->duration = plan->request->duration;
		new->request->deadline = plan->request->deadline;
	}
	rc = rspb_plan_grant(plan, new, err);
	if (!rc && way->rescue->others)
		rc = settle(new, way->rescue->others, plan->request, err);
	if (!rc && way->more && !has_more(new, way->was)) {
		rspb_booking_destroy(new);
		return 0;
	}
	if (!rc) {
		if (way->more)
			promise_more(new, way->was);
		else
			rspb_booking_keep_promise(new, way->was);
		rc = rspb_ledger_apply(work, &record, NULL) ? 0 : 1;
	}
	rspb_booking_destroy(new);
	return rc;
}

/* Plan on a copy without the booking itself, which may stay in part. */
static int place(struct rspb_ledger *work, void *arg, struct rspb_err *err)
{
	const struct way *way = arg;
	struct rspb_record cancel = { .kind = RSPB_REC_EVENT,
				      .time = rspb_ledger_now(work),
				      .id = way->rescue->id,
				      .event = RSPB_EV_CANCEL };
	struct rspb_ledger *empty = rspb_ledger_clone(work);
	struct rspb_request *request = rspb_request_clone(way->was->request);
	struct rspb_plan plan;
	int rc = -1;

	/* Each try is a plan, so the caller may see to more urgent work before it. */
	if (way->policy->breathe)
		way->policy->breathe();
	if (!empty || !request)
		rspb_fail(err, "out of memory");
	else if (!rspb_ledger_apply(empty, &cancel, err) &&
		 !rspb_plan_init(&plan, empty, way->policy, err)) {
		rc = way->rescue->others
			     ? offer_stand_ins(empty, way->was, way->rescue->others, request, err)
			     : 0;
		if (!rc && !way->slower)
			rc = begin(&plan, way, request, err);
		if (!rc)
			rc = way->slower ? place_slower(&plan, way, request, err)
					 : place_plan(&plan, way, request, err);
		if (rc == 1)
			rc = change(work, way, &plan, err);
		rspb_plan_fini(&plan);
	}
	rspb_request_destroy(request);
	rspb_ledger_destroy(empty);
	return rc;
}

/* Where it may go: all nodes that one of its parts may have. */
static struct rspb_nodeset *may_have(const struct rspb_booking *b)
{
	uint32_t width = b->grants[0].nodes->width;
	struct rspb_nodeset *set = rspb_nodeset_create(width);

	for (uint32_t i = 0; set && i < b->n_grants; i++) {
		const struct rspb_part *part = &b->request->parts[i];

		if (rspb_part_all_fixed(part))
			rspb_nodeset_or(set, part->fixed);
		else if (part->eligible)
			rspb_nodeset_or(set, part->eligible);
		else
			rspb_nodeset_fill(set);
	}
	return set;
}

struct helpers {
	struct rspb_nodeset *wanted; /* owned */
	struct rspb_yielder *list;   /* owned */
	size_t n;
};

static void helpers_fini(struct helpers *helpers)
{
	free(helpers->list);
	rspb_nodeset_destroy(helpers->wanted);
}

/* Find the bookings that could give room in the booked time slot. RET 0, or -1 with err and
 * nothing to free. */
static int helpers_init(struct helpers *helpers, const struct rspb_ledger *ledger,
			const struct rspb_booking *was, struct rspb_err *err)
{
	struct rspb_yield_query query = { .start = was->start,
					  .end = was->end,
					  .except = was->request->id,
					  .priority = was->request->priority };
	int64_t n;

	*helpers = (struct helpers){ .wanted = may_have(was) };
	if (!helpers->wanted)
		return rspb_fail(err, "out of memory");
	query.nodes = helpers->wanted;
	n = rspb_yield_find(ledger, &query, &helpers->list, err);
	if (n < 0) {
		helpers_fini(helpers);
		return -1;
	}
	helpers->n = (size_t) n;
	return 0;
}

static int try(struct rspb_ledger *ledger, const struct helpers *helpers, struct way *way,
	       struct rspb_err *err)
{
	return rspb_yield_try(ledger, helpers->list, helpers->n, helpers->wanted, place, way, err);
}

/* Let everybody give what they can, but not more than `level`. */
static void ask_all(struct helpers *helpers, enum rspb_yield level)
{
	for (size_t i = 0; i < helpers->n; i++)
		helpers->list[i].level = helpers->list[i].most < level ? helpers->list[i].most
								       : level;
}

/* Whether it would do; the ledger stays as it is. */
static int would_do(const struct rspb_ledger *ledger, const struct helpers *helpers,
		    struct way *way, struct rspb_err *err)
{
	/* The try changes the ledger if it succeeds, so it gets a copy. */
	struct rspb_ledger *copy = rspb_ledger_clone(ledger);
	int rc = copy ? try(copy, helpers, way, err) : rspb_fail(err, "out of memory");

	rspb_ledger_destroy(copy);
	return rc;
}

/* Each step costs a plan, so no more bookings than that are raised one by one. */
enum { MOST_STEPS = 64 };

/* Raise the helpers to `level` one after the other, the least valuable first, until the booking
 * fits; then lower those that are not needed, the most valuable first. */
static int raise(struct rspb_ledger *ledger, struct helpers *helpers, struct way *way,
		 enum rspb_yield level, struct rspb_err *err)
{
	struct rspb_yielder *list = helpers->list;
	size_t n = helpers->n < MOST_STEPS ? helpers->n : MOST_STEPS;
	int rc = 0;

	for (size_t i = 0; i < n && !rc; i++) {
		if (list[i].most < level)
			continue;
		list[i].level = level;
		rc = would_do(ledger, helpers, way, err);
	}
	for (size_t i = n; i-- > 0 && rc == 1;) {
		enum rspb_yield before = list[i].level;
		int good;

		if (before != level)
			continue;
		/* The booking may fit without this one by now. */
		list[i].level = RSPB_YIELD_NONE;
		good = would_do(ledger, helpers, way, err);
		if (good < 0)
			rc = -1;
		else if (!good)
			list[i].level = before;
	}
	return rc == 1 ? try(ledger, helpers, way, err) : rc;
}

/* The ways, in the order in which they are tried. */
static const struct step {
	enum rspb_rescued how;
	bool less, anywhen, slower;
	bool same;		/* good enough for rescue->same */
	enum rspb_yield all;	/* what all others give; WHOLE: as before */
	enum rspb_yield raised; /* one after the other goes on to that */
} steps[] = {
	{ RSPB_RESCUED_REPLACED, .same = true },
	{ RSPB_RESCUED_SURPLUS, .same = true, .all = RSPB_YIELD_SURPLUS },
	{ RSPB_RESCUED_SLOWER, .slower = true },
	{ RSPB_RESCUED_DEGRADED, .less = true, .all = RSPB_YIELD_SURPLUS },
	{ RSPB_RESCUED_MOVED, .anywhen = true },
	{ RSPB_RESCUED_SLOWER, .slower = true, .anywhen = true },
	{ RSPB_RESCUED_MOVED, .less = true, .anywhen = true },
	{ RSPB_RESCUED_PART, .less = true, .all = RSPB_YIELD_SURPLUS, .raised = RSPB_YIELD_PART },
	{ RSPB_RESCUED_WHOLE, .less = true, .all = RSPB_YIELD_WHOLE, .raised = RSPB_YIELD_WHOLE },
};

/* Whether a step can find what those before it did not. */
static bool worth(const struct step *step, const struct way *way, const struct helpers *helpers)
{
	const struct rspb_rescue *rescue = way->rescue;

	if (step->slower && !way->was->request->speed)
		return false;
	/* If nobody can give anything, this step is the same as the one before. */
	if (step->how == RSPB_RESCUED_SURPLUS &&
	    (!helpers->n || rescue->yield < RSPB_YIELD_SURPLUS))
		return false;
	return rescue->yield >= step->raised && (step->same || !rescue->same);
}

static int run(struct rspb_ledger *ledger, struct way *way, struct rspb_err *err)
{
	enum rspb_yield most = way->rescue->yield;
	struct helpers helpers;
	int rc = 0;

	if (helpers_init(&helpers, ledger, way->was, err))
		return -1;
	for (size_t i = 0; !rc && i < sizeof(steps) / sizeof(steps[0]); i++) {
		const struct step *step = &steps[i];

		if (!worth(step, way, &helpers))
			continue;
		/* The last step goes on from what the step before it has left. */
		if (step->all != RSPB_YIELD_WHOLE)
			ask_all(&helpers, step->all < most ? step->all : most);
		way->less = step->less;
		way->anywhen = step->anywhen;
		way->slower = step->slower;
		rc = step->raised ? raise(ledger, &helpers, way, step->raised, err)
				  : try(ledger, &helpers, way, err);
		if (rc)
			way->rescue->how = step->how;
	}
	helpers_fini(&helpers);
	return rc;
}

int rspb_rescue_booking(struct rspb_ledger *ledger, const struct rspb_policy *policy,
			struct rspb_rescue *rescue, struct rspb_err *err)
{
	struct rspb_policy own = *policy;
	struct rspb_booking *was;
	struct way way = { .policy = &own, .rescue = rescue };
	int rc;

	rescue->how = RSPB_RESCUED_NOT;
	way.was = rspb_ledger_find(ledger, rescue->id);
	if (!way.was || way.was->state != RSPB_BOOKED)
		return rspb_fail(err, "no booking waits that could be placed "
				      "anew");
	/* The ledger's own booking is gone once a try has changed it. */
	was = rspb_booking_clone(way.was);
	if (!was)
		return rspb_fail(err, "out of memory");
	way.was = was;
	own.degrade = rspb_degrade_find("share-out");
	/* A booking that could stay leaves as much free as a new one; a booking in need leaves
	 * nothing. */
	if (!rescue->sooner && !rescue->restore)
		own.headroom = own.long_headroom = 0;
	own.crowd_prompt = false;
	/* With such a policy a search has one start only, which cannot be kept. */
	if (own.when->prefers.fixed)
		own.when = rspb_when_find("ff");
	if (rescue->restore || rescue->sooner) {
		/* Nobody gives anything, so the place is looked for on the ledger as it is: at its
		 * start, or at any other. */
		way.more = rescue->restore;
		way.anywhen = !rescue->restore;
		rc = place(ledger, &way, err);
		if (rc == 1)
			rescue->how = rescue->restore ? RSPB_RESCUED_RESTORED : RSPB_RESCUED_SOONER;
	} else {
		rc = run(ledger, &way, err);
	}
	rspb_booking_destroy(was);
	return rc;
}
