/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which form of a moldable request is booked (common/request/request.h). */
#include "common/plan/plan.h"

#include <stdlib.h>
#include <string.h>

/* A form on nodes of at least that speed (0: any), so much sooner done. */
struct choice {
	struct rspb_form form;
	uint32_t speed;
};

/* Choices as they are tried, and the best so far. */
struct search {
	struct rspb_plan *plan;
	struct rspb_request *request;
	const struct rspb_part *was; /* its part, as it came */
	int64_t now;
	bool found;
	struct choice best;
	int64_t end, amount; /* of the best */
};

int64_t rspb_form_length(const struct rspb_request *request, int64_t standard, uint32_t at)
{
	/* The duration is rounded up to whole steps on nodes of that speed. The product is taken
	 * before the division, and may need more than 64 bits. */
	int64_t speed = at ? at : RSPB_SPEED_USUAL;
	int64_t step = speed * (request->step ? request->step : 1);

	return (int64_t) (((__int128) standard * RSPB_SPEED_USUAL + step - 1) / step *
			  (step / speed));
}

uint32_t rspb_form_slower(const struct rspb_ledger *ledger, uint32_t than)
{
	/* Without speeds there is no lower one, so callers try one choice only. */
	const uint32_t *speeds = rspb_ledger_marks(ledger).speeds;
	uint32_t next = 0;

	for (uint32_t n = 0; speeds && n < rspb_ledger_nodes(ledger); n++)
		if (speeds[n] < than && speeds[n] > next)
			next = speeds[n];
	return next;
}

/* The request as it is by a choice. */
static void take_choice(const struct search *search, struct choice choice)
{
	struct rspb_request *request = search->request;

	/* A single form may be a range of nodes, which stays as it is. */
	if (request->n_forms > 1 || choice.form.tasks)
		rspb_request_take_form(request, &choice.form, search->was);
	request->duration = rspb_form_length(request, choice.form.duration, choice.speed);
	request->speed = choice.speed;
	/* A request with a single start has to end later if it takes longer. */
	if (request->punctual)
		request->deadline = request->ready + request->duration;
}

/* Whether a choice can have a place at all, so that no search is spent on it. */
static bool possible(const struct rspb_request *request)
{
	for (uint32_t i = 0; i < request->n_parts; i++) {
		const struct rspb_part *part = &request->parts[i];

		if (part->eligible && part->nodes_min > rspb_nodeset_count(part->eligible))
			return false;
	}
	return request->deadline >= request->ready + request->duration;
}

/* RET node-seconds, or task-seconds where tasks are counted. */
static int64_t work_of(struct rspb_form form)
{
	int64_t each = form.tasks ? form.tasks : 1, work;

	return __builtin_mul_overflow(form.duration, form.nodes * each, &work) ? INT64_MAX : work;
}

/* Whether the plan as it is placed is better: more, where that may be had; over sooner;
 * for less. */
static bool better(const struct search *search, struct choice choice)
{
	const struct rspb_plan *plan = search->plan;
	/* Several forms do the same work, so that their amounts say nothing. */
	int64_t amount = search->request->n_forms > 1 ? 0 : rspb_plan_amount(plan);

	if (!search->found || amount != search->amount)
		return !search->found || amount > search->amount;
	return plan->end < search->end ||
	       (plan->end == search->end && work_of(choice.form) < work_of(search->best.form));
}

/* Where a choice would end, if it has a place. RET 0, or -1 with err. */
static int try_choice(struct search *search, struct choice choice, struct rspb_err *err)
{
	struct rspb_plan *plan = search->plan;
	int rc;

	take_choice(search, choice);
	if (!possible(search->request))
		return 0;
	rc = rspb_plan_begin(plan, search->request, err);
	if (!rc)
		rc = rspb_search(plan, search->now, err);
	if (rc <= 0)
		return rc;
	if (!better(search, choice))
		return 0;
	search->found = true;
	search->best = choice;
	search->end = plan->end;
	search->amount = search->request->n_forms > 1 ? 0 : rspb_plan_amount(plan);
	return 0;
}

/* RET the speed of the slowest node that a part names, UINT32_MAX: none is named. */
static uint32_t slowest_named(const struct search *search)
{
	const uint32_t *speeds = rspb_ledger_marks(search->plan->ledger).speeds;
	uint32_t slowest = UINT32_MAX;

	for (uint32_t i = 0; speeds && i < search->request->n_parts; i++) {
		const struct rspb_nodeset *named = search->request->parts[i].fixed;

		for (uint32_t n = named ? rspb_nodeset_next(named, 0) : UINT32_MAX;
		     named && n < named->width; n = rspb_nodeset_next(named, n + 1))
			if (speeds[n] < slowest)
				slowest = speeds[n];
	}
	return slowest;
}

/* A form on the fastest nodes alone, then with slower ones. RET likewise. */
static int try_form(struct search *search, struct rspb_form form, struct rspb_err *err)
{
	const struct rspb_ledger *ledger = search->plan->ledger;
	uint32_t named = slowest_named(search), speed;
	int rc;

	/* Named nodes have to be fast enough, so faster ones than these are not asked for. */
	speed = rspb_form_slower(ledger, named < UINT32_MAX ? named + 1 : named);
	do {
		rc = try_choice(search, (struct choice){ form, speed }, err);
		speed = speed ? rspb_form_slower(ledger, speed) : 0;
	} while (!rc && speed);
	return rc;
}

/* Leave a request that has no place as it came: for the fastest nodes, or, if it takes as long as
 * on a usual node, for nodes that are no slower than that. */
static void keep(const struct search *search, int64_t duration, int64_t deadline)
{
	struct rspb_request *request = search->request;
	const struct rspb_ledger *ledger = search->plan->ledger;
	struct choice as_it_came = search->best;
	bool usual = request->n_forms == 1 && duration == request->forms[0].duration;

	as_it_came.speed = rspb_form_slower(ledger, UINT32_MAX);
	if (usual && as_it_came.speed)
		as_it_came.speed = RSPB_SPEED_USUAL;
	take_choice(search, as_it_came);
	request->duration = duration;
	request->deadline = deadline;
}

/* Find the longest time, shorter than its form, for which there is a place. A request that fits
 * for a time fits for any shorter one, so halving finds it. RET 0, or -1 with err. */
static int try_shorter(struct search *search, struct rspb_err *err)
{
	const struct rspb_request *request = search->request;
	int64_t step = request->step ? request->step : 1;
	int64_t low = (request->shortest + step - 1) / step;
	int64_t high = (request->forms[0].duration - 1) / step + 1;
	struct rspb_form form = request->forms[0];
	struct choice best = search->best;
	bool found = false;

	while (low < high) {
		int64_t half = low + (high - low) / 2;

		form.duration = half * step;
		/* The best of this length is looked for anew. */
		search->found = false;
		if (try_form(search, form, err))
			return -1;
		if (search->found) {
			found = true;
			best = search->best;
			low = half + 1;
		} else {
			high = half;
		}
	}
	search->found = found;
	search->best = best;
	return 0;
}

static int settle(struct search *search, struct rspb_err *err)
{
	const struct rspb_request *request = search->request;
	int64_t duration = request->duration, deadline = request->deadline;
	int rc = 0;

	for (uint32_t i = 0; i < request->n_forms && !rc; i++)
		rc = try_form(search, request->forms[i], err);
	/* Only if no form has a place as it is, a shorter time is tried. */
	if (!rc && !search->found && request->shortest && request->n_forms == 1)
		rc = try_shorter(search, err);
	if (search->found)
		take_choice(search, search->best);
	else
		keep(search, duration, deadline);
	return rc;
}

/* A part that may have fewer tasks, as it is; its quotas are the caller's to free. RET 0,
 * -1 with err. */
static int remember(const struct rspb_part *part, struct rspb_part *was, struct rspb_err *err)
{
	size_t size = part->n_quotas * sizeof(*part->quotas);

	*was = *part;
	rspb_part_set_tasks(was, part->tasks, NULL);
	was->quotas = malloc(size + 1);
	if (!was->quotas)
		return rspb_fail(err, "out of memory");
	if (size)
		memcpy(was->quotas, part->quotas, size);
	/* If the part has fewer tasks now, its quotas have the amounts of these. Restore those
	 * of all tasks. */
	for (uint32_t q = 0; part->fewer && q < was->n_quotas; q++) {
		struct rspb_quota *quota = &was->quotas[q];
		int64_t sum = quota->one + quota->each * ((int64_t) part->tasks - 1);

		if (quota->one)
			quota->per_node = quota->all ? quota->all : sum;
	}
	return 0;
}

int rspb_form_settle(struct rspb_plan *plan, struct rspb_request *request, int64_t now,
		     struct rspb_err *err)
{
	const struct rspb_part *part = &request->parts[0];
	struct rspb_part was;
	struct search search = {
		.plan = plan,
		.request = request,
		.was = &was,
		.now = now,
		.best.form = rspb_request_form(request),
	};
	int rc;

	if (!request->n_forms || plan->policy->waiting)
		return 0;
	search.best.form.nodes = part->nodes;
	if (remember(part, &was, err))
		return -1;
	rc = settle(&search, err);
	free(was.quotas);
	return rc;
}

/* --- fewer tasks ---------------------------------------------------------------- */

/* The numbers of tasks that are tried: the policy's, of those that are worth anything. */
struct tasks {
	int64_t least, aim;
	uint32_t best; /* 0: none has a place */
	struct rspb_ratio worth;
};

/* The most of low to n that are tried: not where fewer would be worth as much. RET less
 * than low: none of them is. */
static int64_t next_tried(const struct rspb_plan *plan, const struct rspb_request *request,
			  const struct tasks *t, int64_t low, int64_t n)
{
	const struct rspb_degrade *degrade = plan->policy->degrade;
	const struct rspb_benefit *benefit = rspb_request_benefit(request, 0);

	while (n >= low &&
	       (degrade->take(n, t->least, t->aim) != n ||
		(n < t->aim && rspb_benefit_trim(benefit, n, request->parts[0].tasks) < n)))
		n--;
	return n;
}

/* The more tasks the better, unless the start is worth something. RET 1: it has a place so,
 * 0: it has none, or -1 with err. */
static int try_tasks(struct rspb_plan *plan, struct rspb_request *request, uint32_t tasks,
		     const struct rspb_part *was, int64_t now, struct tasks *t,
		     struct rspb_err *err)
{
	struct rspb_ratio worth;
	int rc;

	rspb_part_set_tasks(&request->parts[0], tasks, was);
	rc = rspb_plan_begin(plan, request, err);
	if (!rc)
		rc = rspb_search(plan, now, err);
	if (rc <= 0)
		return rc;
	worth = rspb_plan_worth(plan);
	if (!t->best ||
	    (request->benefit_time ? rspb_ratio_compare(worth, t->worth) > 0 : tasks > t->best)) {
		t->best = tasks;
		t->worth = worth;
	}
	return 1;
}

/* Where so many have a place fewer have one, too, so few of the numbers are searched for;
 * where the start is worth something, all of them. */
static int try_all(struct rspb_plan *plan, struct rspb_request *request,
		   const struct rspb_part *was, int64_t now, struct tasks *t, struct rspb_err *err)
{
	int64_t low = t->least, high = t->aim, n = high;
	bool each = request->benefit_time;
	int rc = 0;

	while (low <= high && rc >= 0) {
		int64_t tasks = next_tried(plan, request, t, low, n);

		rc = tasks < low ? 1 : try_tasks(plan, request, (uint32_t) tasks, was, now, t, err);
		if (rc > 0 && !each)
			low = n + 1;
		else
			high = tasks - 1;
		n = each ? high : low + (high - low) / 2;
	}
	return rc < 0 ? -1 : 0;
}

int rspb_tasks_settle(struct rspb_plan *plan, struct rspb_request *request, int64_t now,
		      struct rspb_err *err)
{
	const struct rspb_degrade *degrade = plan->policy->degrade;
	const struct rspb_benefit *benefit = rspb_request_benefit(request, 0);
	struct rspb_part *part = &request->parts[0];
	struct tasks t = { .best = 0 };
	struct rspb_part was;
	int64_t least, full;
	int rc;

	if (!part->tasks || request->n_parts > 1 || request->n_forms)
		return 0;
	if (remember(part, &was, err))
		return -1;
	/* Here the benefit function is one of tasks, not of cores. */
	least = rspb_benefit_min_units(benefit, part->tasks);
	full = rspb_benefit_max_units(benefit, part->tasks);
	if (degrade->as_asked || full < least)
		full = part->tasks;
	t.least = rspb_degrade_floor(degrade, least, full);
	t.aim = rspb_degrade_aim(degrade, least, full);
	rc = try_all(plan, request, &was, now, &t, err);
	rspb_part_set_tasks(part, t.best ? t.best : part->tasks, &was);
	free(was.quotas);
	return rc;
}
