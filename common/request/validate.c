/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks requests: rspb_request_validate(). */
#include "common/request/request.h"

#include <inttypes.h>

#include "common/base/times.h"

/* Check the times, so that no sum of them in the planner overflows. RET 0, or -1 with err. */
static int validate_times(const struct rspb_request *r, struct rspb_err *err)
{
	const int64_t low = RSPB_TIME_MIN, high = RSPB_TIME_MAX;

	if (r->duration <= 0 || r->duration >= high)
		return rspb_fail(err,
				 "duration %" PRId64 " must be at least "
				 "1 second",
				 r->duration);
	/* ready + duration must be a time, too. */
	if (r->ready <= low || r->ready >= high - r->duration)
		return rspb_fail(err, "ready time %" PRId64 " is out of range", r->ready);
	if (r->deadline <= low || r->deadline >= high)
		return rspb_fail(err, "deadline %" PRId64 " is out of range", r->deadline);
	if (r->arrival <= low || r->arrival >= high)
		return rspb_fail(err, "arrival %" PRId64 " is out of range", r->arrival);
	if (r->deadline < r->ready + r->duration)
		return rspb_fail(err,
				 "deadline %" PRId64 " comes before ready "
				 "time %" PRId64 " + duration %" PRId64 "; it must be %" PRId64
				 " or later",
				 r->deadline, r->ready, r->duration, r->ready + r->duration);
	return 0;
}

/* Check a set of nodes, which may be absent: no operation takes sets of two widths. RET 0, or -1
 * with err. */
static int validate_set(const struct rspb_nodeset *set, const char *what, uint32_t width,
			uint32_t needed, struct rspb_err *err)
{
	uint32_t count;

	if (!set)
		return 0;
	if (width && set->width != width)
		return rspb_fail(err,
				 "%s nodes are of a machine of %" PRIu32 " nodes, not %" PRIu32,
				 what, set->width, width);
	count = rspb_nodeset_count(set);
	if (count < needed)
		return rspb_fail(err,
				 "%s nodes: %" PRIu32 " where at least %" PRIu32 " are asked for",
				 what, count, needed);
	return 0;
}

/* Check the numbers and sets of nodes of a part. RET 0, or -1 with err. */
static int validate_nodes(const struct rspb_part *p, uint32_t width, struct rspb_err *err)
{
	if (!p->nodes || !p->nodes_min)
		return rspb_fail(err, "nodes must be at least 1");
	if (p->nodes_min > p->nodes)
		return rspb_fail(err,
				 "at least %" PRIu32 " nodes is more than "
				 "the %" PRIu32 " asked for",
				 p->nodes_min, p->nodes);
	/* Fewer nodes than asked for may do, so only the least number is compared. */
	if (width && p->nodes_min > width)
		return rspb_fail(err,
				 "%" PRIu32 " nodes asked for, and there "
				 "are %" PRIu32,
				 p->nodes_min, width);
	/* A part has all nodes that it names, so there must not be more of them. */
	if (p->fixed && rspb_nodeset_count(p->fixed) > p->nodes)
		return rspb_fail(err,
				 "%" PRIu32 " fixed nodes are more than "
				 "the %" PRIu32 " asked for",
				 rspb_nodeset_count(p->fixed), p->nodes);
	if (validate_set(p->fixed, "fixed", width, 1, err) < 0)
		return -1;
	return validate_set(p->eligible, "eligible", width, p->nodes_min, err);
}

/* Check the amounts that differ by node, which other code walks in order of the nodes. RET 0, or
 * -1 with err. */
static int validate_odd(const struct rspb_part *p, uint32_t width, struct rspb_err *err)
{
	/* The amounts hold for one size of the part, so it can have neither fewer tasks nor a
	 * smaller share. */
	if (p->n_odd && (!p->whole || p->tasks || p->share_min))
		return rspb_fail(err,
				 "other amounts of some nodes are for a fixed number of cores");
	for (uint32_t i = 0; i < p->n_odd; i++)
		if (p->odd[i].amount <= 0 || (width && p->odd[i].node >= width) ||
		    (i && p->odd[i].node < p->odd[i - 1].node))
			return rspb_fail(err, "other amounts of some nodes are not by rising node, "
					      "or not of the machine");
	return 0;
}

static int validate_part(const struct rspb_part *p, uint32_t width, struct rspb_err *err)
{
	if (p->share < 0 || p->share_min < 0)
		return rspb_fail(err, "a share must not be negative");
	/* A least share of 0 leaves the minimum to the benefit function. */
	if (p->share_min > p->share)
		return rspb_fail(err,
				 "a least share of %" PRId64 " is more "
				 "than the %" PRId64 " asked for",
				 p->share_min, p->share);
	if (validate_nodes(p, width, err) < 0)
		return -1;
	/* Tasks are counted in cores, and the cores of one task are no more than those of all. */
	if (p->tasks && (!p->whole || p->fewer > p->tasks || p->share_one > p->share))
		return rspb_fail(err, "fewer tasks are of a share of cores, and "
				      "no more than all");
	/* A part without a function of its own has that of the request, which is checked once. */
	if (p->benefit && rspb_benefit_validate(p->benefit, err) < 0)
		return rspb_fail_at(err, "benefit");
	return validate_odd(p, width, err);
}

/* Check the forms of a moldable request. RET 0, or -1 with err. */
static int validate_forms(const struct rspb_request *request, struct rspb_err *err)
{
	const struct rspb_part *part = &request->parts[0];
	bool tasks = request->forms[0].tasks;

	/* A single form is only the length on a usual node, so any request may have one. */
	if (request->n_forms > 1 &&
	    (request->n_parts > 1 || (!tasks && (part->share || part->fixed))))
		return rspb_fail(err, "allowed are those of one part, of tasks "
				      "or of whole nodes, none of them named");
	if (request->shortest > request->forms[0].duration)
		return rspb_fail(err, "shortest %" PRId64 " is longer than %" PRId64,
				 request->shortest, request->forms[0].duration);
	for (uint32_t i = 0; i < request->n_forms; i++)
		if (!request->forms[i].nodes || request->forms[i].duration <= 0 ||
		    request->forms[i].duration >= RSPB_TIME_MAX)
			return rspb_fail(err,
					 "[%" PRIu32 "] must be of a node and a "
					 "second at least",
					 i);
	return 0;
}

int rspb_request_validate(const struct rspb_request *request, uint32_t width, struct rspb_err *err)
{
	/* Plans have arrays of RSPB_MAX_PARTS pieces on the stack, so this check comes first. */
	if (!request->n_parts || request->n_parts > RSPB_MAX_PARTS)
		return rspb_fail(err, "%" PRIu32 " parts; allowed are 1 to %d", request->n_parts,
				 RSPB_MAX_PARTS);
	if (request->priority < 0)
		return rspb_fail(err,
				 "priority %" PRId64 " must not be "
				 "negative",
				 request->priority);
	if (validate_times(request, err) < 0)
		return -1;
	if (request->benefit && rspb_benefit_validate(request->benefit, err) < 0)
		return rspb_fail_at(err, "benefit");
	if (request->benefit_time && rspb_benefit_validate(request->benefit_time, err) < 0)
		return rspb_fail_at(err, "benefit_time");
	if (request->n_forms && validate_forms(request, err) < 0)
		return rspb_fail_at(err, "forms");
	for (uint32_t i = 0; i < request->n_parts; i++) {
		if (validate_part(&request->parts[i], width, err) == 0)
			continue;
		/* The number of a part says nothing where there is only one. */
		return request->n_parts > 1 ? rspb_fail_at(err, "part %" PRIu32, i + 1) : -1;
	}
	return 0;
}
