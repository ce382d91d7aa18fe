/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/plan/forms.h"

#include "common/plan/search.h"

/* A form on nodes of at least that speed (0: any), so much sooner done. */
struct choice {
	struct rspb_form form;
	uint32_t speed;
};

/* Choices as they are tried, and the best so far. */
struct search {
	struct rspb_plan *plan;
	struct rspb_request *request;
	struct rspb_nodeset
		*eligible; /* of the request as it came, NULL: all */
	int64_t now;
	bool found;
	struct choice best;
	int64_t end; /* of the best */
};

/* Of a node; 0: nobody says. */
static uint32_t speed_of(const struct rspb_plan *plan, uint32_t node)
{
	const uint32_t *speeds = rspb_ledger_marks(plan->ledger).speeds;

	return speeds ? speeds[node] : 0;
}

/* The next lower speed of a node than that; 0: there is none. */
static uint32_t slower(const struct rspb_plan *plan, uint32_t than)
{
	uint32_t next = 0;

	for (uint32_t n = 0; n < plan->width; n++) {
		uint32_t speed = speed_of(plan, n);

		if (speed < than && speed > next)
			next = speed;
	}
	return next;
}

/* RET 0, -1: out of memory. */
static int limit_nodes(const struct search *search, uint32_t speed)
{
	struct rspb_part *part = &search->request->parts[0];
	struct rspb_nodeset *set;

	if (!speed)
		return 0;
	set = rspb_nodeset_create(search->plan->width);
	if (!set)
		return -1;
	for (uint32_t n = 0; n < set->width; n++)
		if (speed_of(search->plan, n) >= speed &&
		    (!search->eligible ||
		     rspb_nodeset_has(search->eligible, n)))
			rspb_nodeset_add(set, n);
	rspb_nodeset_destroy(part->eligible);
	part->eligible = set;
	return 0;
}

/* The request as it is by a choice. RET 0, or -1 with err. */
static int take(const struct search *search, struct choice choice,
		struct rspb_err *err)
{
	struct rspb_request *request = search->request;
	int64_t speed = choice.speed ? choice.speed : RSPB_SPEED_USUAL;

	request->parts[0].nodes = request->parts[0].nodes_min =
		choice.form.nodes;
	request->duration = (int64_t) (((__int128) choice.form.duration *
						RSPB_SPEED_USUAL +
					speed - 1) /
				       speed);
	return limit_nodes(search, choice.speed)
		       ? rspb_fail(err, "out of memory")
		       : 0;
}

static bool possible(const struct rspb_plan *plan,
		     const struct rspb_request *request)
{
	const struct rspb_part *part = &request->parts[0];

	return part->nodes <= (part->eligible
				       ? rspb_nodeset_count(part->eligible)
				       : plan->width) &&
	       request->deadline >= request->ready + request->duration;
}

static int64_t work_of(struct rspb_form form)
{
	int64_t work;

	return __builtin_mul_overflow(form.duration, (int64_t) form.nodes,
				      &work)
		       ? INT64_MAX
		       : work;
}

/* Where a choice would end, if it has a place. RET 0, or -1 with err. */
static int try_choice(struct search *search, struct choice choice,
		      struct rspb_err *err)
{
	struct rspb_plan *plan = search->plan;
	int rc = take(search, choice, err);

	if (rc || !possible(plan, search->request))
		return rc;
	rc = rspb_plan_begin(plan, search->request, err);
	if (!rc)
		rc = rspb_search(plan, search->now, err);
	if (rc <= 0)
		return rc;
	if (search->found &&
	    (plan->end > search->end ||
	     (plan->end == search->end &&
	      work_of(choice.form) >= work_of(search->best.form))))
		return 0;
	search->found = true;
	search->best = choice;
	search->end = plan->end;
	return 0;
}

/* A form on the fastest nodes alone, then with slower ones. RET likewise. */
static int try_form(struct search *search, struct rspb_form form,
		    struct rspb_err *err)
{
	uint32_t speed = slower(search->plan, UINT32_MAX);
	int rc;

	do {
		rc = try_choice(search, (struct choice){ form, speed }, err);
		speed = speed ? slower(search->plan, speed) : 0;
	} while (!rc && speed);
	return rc;
}

int rspb_form_settle(struct rspb_plan *plan, struct rspb_request *request,
		     int64_t now, struct rspb_err *err)
{
	struct search search = {
		.plan = plan,
		.request = request,
		.now = now,
		.best = { { request->parts[0].nodes, request->duration }, 0 },
	};
	int64_t duration = request->duration;
	int rc = 0;

	if (!request->n_forms || plan->policy->flex)
		return 0;
	search.eligible = request->parts[0].eligible;
	request->parts[0].eligible = search.eligible ? rspb_nodeset_clone(
							       search.eligible)
						     : NULL;
	if (search.eligible && !request->parts[0].eligible)
		rc = rspb_fail(err, "out of memory");
	for (uint32_t i = 0; i < request->n_forms && !rc; i++)
		rc = try_form(&search, request->forms[i], err);
	/* As it came, on the fastest nodes: it has no place. */
	if (!search.found)
		search.best.speed = slower(plan, UINT32_MAX);
	if (!rc)
		rc = take(&search, search.best, err);
	if (!search.found)
		request->duration = duration;
	rspb_nodeset_destroy(search.eligible);
	return rc;
}
