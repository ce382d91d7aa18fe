/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/plan/rescue.h"

#include <stdlib.h>

#include "common/plan/forms.h"
#include "common/plan/plan.h"
#include "common/plan/search.h"
#include "common/plan/stand_in.h"
#include "common/policy/degrade.h"
#include "common/policy/when.h"

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
	const struct rspb_rescue *rescue;
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

static int place_plan(struct rspb_plan *plan, const struct way *way, struct rspb_request *request,
		      struct rspb_err *err)
{
	int64_t now = way->rescue->earliest, sooner = way->rescue->sooner;

	if (!way->anywhen)
		return rspb_plan_try(plan, way->was->start, err);
	if (request->ready < now)
		request->ready = now;
	if (sooner && request->deadline > sooner + request->duration)
		request->deadline = sooner + request->duration;
	if (request->deadline - request->ready < request->duration)
		return 0;
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

	if (!speed || request->n_forms != 1 || request->shortest)
		return 0;
	while (!rc && (speed = rspb_form_slower(ledger, speed))) {
		request->speed = speed;
		request->ready = ready;
		request->duration = rspb_form_length(request, request->forms[0].duration, speed);
		request->deadline = request->punctual ? ready + request->duration : deadline;
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

/* Let parts of different sizes be as they were planned. */
static int settle(struct rspb_booking *new, struct rspb_nodeset *const *others,
		  const struct rspb_request *planned, struct rspb_err *err)
{
	for (uint32_t i = 0; i < new->n_grants; i++)
		if (others[i] && rspb_stand_in_settle(&new->request->parts[i], &planned->parts[i],
						      new->grants[i].nodes))
			return rspb_fail(err, "out of memory");
	return 0;
}

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

	if (way->policy->breathe)
		way->policy->breathe();
	if (!empty || !request)
		rspb_fail(err, "out of memory");
	else if (!rspb_ledger_apply(empty, &cancel, err) &&
		 !rspb_plan_init(&plan, empty, way->policy, err)) {
		rc = way->rescue->others ? rspb_stand_in_offer(empty, way->was, way->rescue->others,
							       request, err)
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

/* Everybody gives what they can, but not more than `level`. */
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
	struct rspb_ledger *copy = rspb_ledger_clone(ledger);
	int rc = copy ? try(copy, helpers, way, err) : rspb_fail(err, "out of memory");

	rspb_ledger_destroy(copy);
	return rc;
}

/* With many of them each step costs a plan. */
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
	if (step->how == RSPB_RESCUED_SURPLUS &&
	    (!helpers->n || rescue->yield < RSPB_YIELD_SURPLUS))
		return false;
	return rescue->yield >= step->raised && (step->same || !rescue->same);
}

static int run(struct rspb_ledger *ledger, struct way *way, enum rspb_rescued *how,
	       struct rspb_err *err)
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
		if (step->all != RSPB_YIELD_WHOLE)
			ask_all(&helpers, step->all < most ? step->all : most);
		way->less = step->less;
		way->anywhen = step->anywhen;
		way->slower = step->slower;
		rc = step->raised ? raise(ledger, &helpers, way, step->raised, err)
				  : try(ledger, &helpers, way, err);
		*how = rc ? step->how : RSPB_RESCUED_NOT;
	}
	helpers_fini(&helpers);
	return rc;
}

static int bring_forward(struct rspb_ledger *ledger, struct way *way, enum rspb_rescued *how,
			 struct rspb_err *err)
{
	int rc;

	way->anywhen = true;
	rc = place(ledger, way, err);
	*how = rc == 1 ? RSPB_RESCUED_SOONER : RSPB_RESCUED_NOT;
	return rc;
}

/* At its start, at nobody's cost. */
static int bring_back(struct rspb_ledger *ledger, struct way *way, enum rspb_rescued *how,
		      struct rspb_err *err)
{
	int rc;

	way->more = true;
	rc = place(ledger, way, err);
	*how = rc == 1 ? RSPB_RESCUED_RESTORED : RSPB_RESCUED_NOT;
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
	was = rspb_booking_clone(way.was);
	if (!was)
		return rspb_fail(err, "out of memory");
	way.was = was;
	own.degrade = rspb_degrade_find("share-out");
	/* A booking that could stay leaves as much free as a new one. */
	if (!rescue->sooner && !rescue->restore)
		own.headroom = own.long_headroom = 0;
	own.crowd_prompt = false;
	/* Its start was asked for, and can't be kept. */
	if (own.when->prefers.fixed)
		own.when = rspb_when_find("ff");
	if (rescue->restore)
		rc = bring_back(ledger, &way, &rescue->how, err);
	else
		rc = rescue->sooner ? bring_forward(ledger, &way, &rescue->how, err)
				    : run(ledger, &way, &rescue->how, err);
	rspb_booking_destroy(was);
	return rc;
}
