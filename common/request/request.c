/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/request/request.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "common/base/times.h"

struct rspb_request *rspb_request_create(uint32_t n_parts)
{
	struct rspb_request *request = calloc(1, sizeof(*request));

	if (!request)
		return NULL;
	request->parts = calloc(n_parts ? n_parts : 1, sizeof(*request->parts));
	if (!request->parts) {
		free(request);
		return NULL;
	}
	request->n_parts = n_parts;
	for (uint32_t i = 0; i < n_parts; i++)
		request->parts[i].nodes = request->parts[i].nodes_min = 1;
	return request;
}

/* Copy a set that may be absent. RET 0 or -1: out of memory. */
static int clone_set(struct rspb_nodeset **to, const struct rspb_nodeset *from)
{
	*to = from ? rspb_nodeset_clone(from) : NULL;
	return from && !*to ? -1 : 0;
}

static int clone_quotas(struct rspb_part *to, const struct rspb_part *from)
{
	size_t size = from->n_quotas * sizeof(*from->quotas);

	to->quotas = size ? malloc(size) : NULL;
	if (!size)
		return 0;
	if (!to->quotas)
		return -1;
	memcpy(to->quotas, from->quotas, size);
	return 0;
}

struct rspb_request *rspb_request_clone(const struct rspb_request *request)
{
	struct rspb_request *copy = rspb_request_create(request->n_parts);
	struct rspb_part *parts;
	int failed = 0;

	if (!copy)
		return NULL;
	parts = copy->parts;
	*copy = *request;
	copy->parts = parts;
	copy->benefit = NULL;
	copy->benefit_time = NULL;
	failed |= rspb_benefit_keep(&copy->benefit, request->benefit);
	failed |= rspb_benefit_keep(&copy->benefit_time, request->benefit_time);
	for (uint32_t i = 0; i < request->n_parts; i++) {
		const struct rspb_part *from = &request->parts[i];

		parts[i] = *from;
		parts[i].benefit = NULL;
		failed |= rspb_benefit_keep(&parts[i].benefit, from->benefit);
		failed |= clone_set(&parts[i].fixed, from->fixed);
		failed |= clone_set(&parts[i].eligible, from->eligible);
		failed |= clone_quotas(&parts[i], from);
	}
	if (failed) {
		rspb_request_destroy(copy);
		return NULL;
	}
	return copy;
}

void rspb_request_destroy(struct rspb_request *request)
{
	if (!request)
		return;
	for (uint32_t i = 0; i < request->n_parts; i++) {
		rspb_nodeset_destroy(request->parts[i].fixed);
		rspb_nodeset_destroy(request->parts[i].eligible);
		free(request->parts[i].quotas);
		free(request->parts[i].benefit);
	}
	free(request->parts);
	free(request->benefit);
	free(request->benefit_time);
	free(request);
}

void rspb_request_label(struct rspb_request *request, const char *account,
			const char *qos, const char *partition)
{
	/* What users name comes last: it may be too long for the room. */
	const char *const values[] = { partition, qos, account };
	static const char *const keys[] = { "partition", "qos", "account" };
	struct rspb_text out = rspb_text_over(request->labels,
					      sizeof(request->labels));

	request->labels[0] = '\0';
	for (int i = 0; i < 3; i++)
		/* Users name accounts, and must not name more by that. */
		if (values[i] && *values[i] && !strpbrk(values[i], ",="))
			rspb_text_add(&out, "%s%s=%s", out.len ? "," : "",
				      keys[i], values[i]);
}

static const char series_label[] = "series=";

void rspb_request_series(struct rspb_request *request, const char *series)
{
	size_t at = strlen(request->labels);
	struct rspb_text out = rspb_text_over(request->labels + at,
					      sizeof(request->labels) - at);

	if (!series || !*series)
		return;
	rspb_text_add(&out, "%s%s%s", at ? "," : "", series_label, series);
	if (out.len >= out.size)
		request->labels[at] = '\0';
}

bool rspb_request_in_series(const struct rspb_request *request)
{
	return strstr(request->labels, series_label);
}

/* RET what stands behind that label, of *len bytes; 0: nothing. */
static const char *label_of(const struct rspb_request *request,
			    const char *label, size_t *len)
{
	const char *at = strstr(request->labels, label);

	at = at ? at + strlen(label) : "";
	*len = strcspn(at, ",");
	return at;
}

const char *rspb_request_series_of(const struct rspb_request *request,
				   size_t *len)
{
	return label_of(request, series_label, len);
}

const char *rspb_request_account_of(const struct rspb_request *request,
				    size_t *len)
{
	return label_of(request, "account=", len);
}

const struct rspb_benefit *rspb_request_benefit(
	const struct rspb_request *request, uint32_t part)
{
	const struct rspb_benefit *own = request->parts[part].benefit;

	if (!own)
		own = request->benefit;
	return own ? own : &rspb_benefit_hard;
}

struct rspb_ratio rspb_request_timely(const struct rspb_request *request,
				      int64_t start)
{
	int64_t last = request->deadline - request->duration;

	if (!request->benefit_time)
		return (struct rspb_ratio){ 1, 1 };
	return rspb_benefit_left(request->benefit_time, last - start,
				 last - request->ready);
}

int64_t rspb_request_last(const struct rspb_request *request)
{
	int64_t last = request->deadline - request->duration;
	int64_t slack = last - request->ready;
	struct rspb_ratio least;

	if (!request->benefit_time || slack <= 0)
		return last;
	least = request->benefit_time->points[0].fraction;
	return least.num ? last - rspb_benefit_min_units(request->benefit_time,
							 slack)
			 : last;
}

bool rspb_part_all_fixed(const struct rspb_part *part)
{
	return part->fixed && rspb_nodeset_count(part->fixed) >= part->nodes;
}

int64_t rspb_part_asked(const struct rspb_part *part)
{
	return part->share ? part->share : part->nodes;
}

int64_t rspb_part_least(const struct rspb_request *request, uint32_t part)
{
	const struct rspb_part *p = &request->parts[part];
	int64_t least = rspb_benefit_min_units(rspb_request_benefit(request,
								    part),
					       rspb_part_asked(p));
	int64_t bound = p->share		  ? p->share_min
			: p->nodes_min < p->nodes ? p->nodes_min
						  : 0;

	return least > bound ? least : bound;
}

int64_t rspb_part_full(const struct rspb_request *request, uint32_t part)
{
	int64_t least = rspb_part_least(request, part);
	int64_t full =
		rspb_benefit_max_units(rspb_request_benefit(request, part),
				       rspb_part_asked(&request->parts[part]));

	return full > least ? full : least;
}

int64_t rspb_part_add_cpu(const struct rspb_part *part, int64_t units,
			  int64_t sum)
{
	int64_t weight = part->share ? part->nodes : RSPB_SHARE_WHOLE;

	if (__builtin_mul_overflow(units, weight, &weight) ||
	    __builtin_add_overflow(sum, weight, &sum))
		return INT64_MAX;
	return sum;
}

static int validate_times(const struct rspb_request *r, struct rspb_err *err)
{
	const int64_t low = RSPB_TIME_MIN, high = RSPB_TIME_MAX;

	if (r->duration <= 0 || r->duration >= high)
		return rspb_fail(err,
				 "duration %" PRId64 " must be at least "
				 "1 second",
				 r->duration);
	if (r->ready <= low || r->ready >= high - r->duration)
		return rspb_fail(err, "ready time %" PRId64 " is out of range",
				 r->ready);
	if (r->deadline <= low || r->deadline >= high)
		return rspb_fail(err, "deadline %" PRId64 " is out of range",
				 r->deadline);
	if (r->arrival <= low || r->arrival >= high)
		return rspb_fail(err, "arrival %" PRId64 " is out of range",
				 r->arrival);
	if (r->deadline < r->ready + r->duration)
		return rspb_fail(err,
				 "deadline %" PRId64 " comes before ready "
				 "time %" PRId64 " + duration %" PRId64
				 "; it must be %" PRId64 " or later",
				 r->deadline, r->ready, r->duration,
				 r->ready + r->duration);
	return 0;
}

static int validate_set(const struct rspb_nodeset *set, const char *what,
			uint32_t width, uint32_t needed, struct rspb_err *err)
{
	uint32_t count;

	if (!set)
		return 0;
	if (width && set->width != width)
		return rspb_fail(err,
				 "%s nodes are of a machine of %" PRIu32
				 " nodes, not %" PRIu32,
				 what, set->width, width);
	count = rspb_nodeset_count(set);
	if (count < needed)
		return rspb_fail(err,
				 "%s nodes: %" PRIu32 " where at least %" PRIu32
				 " are asked for",
				 what, count, needed);
	return 0;
}

static int validate_nodes(const struct rspb_part *p, uint32_t width,
			  struct rspb_err *err)
{
	if (!p->nodes || !p->nodes_min)
		return rspb_fail(err, "nodes must be at least 1");
	if (p->nodes_min > p->nodes)
		return rspb_fail(err,
				 "at least %" PRIu32 " nodes is more than "
				 "the %" PRIu32 " asked for",
				 p->nodes_min, p->nodes);
	if (width && p->nodes_min > width)
		return rspb_fail(err,
				 "%" PRIu32 " nodes asked for, and there "
				 "are %" PRIu32,
				 p->nodes_min, width);
	if (p->fixed && rspb_nodeset_count(p->fixed) > p->nodes)
		return rspb_fail(err,
				 "%" PRIu32 " fixed nodes are more than "
				 "the %" PRIu32 " asked for",
				 rspb_nodeset_count(p->fixed), p->nodes);
	if (validate_set(p->fixed, "fixed", width, 1, err) < 0)
		return -1;
	return validate_set(p->eligible, "eligible", width, p->nodes_min, err);
}

static int validate_part(const struct rspb_part *p, uint32_t width,
			 struct rspb_err *err)
{
	if (p->share < 0 || p->share_min < 0)
		return rspb_fail(err, "a share must not be negative");
	if (p->share_min > p->share)
		return rspb_fail(err,
				 "a least share of %" PRId64 " is more "
				 "than the %" PRId64 " asked for",
				 p->share_min, p->share);
	if (validate_nodes(p, width, err) < 0)
		return -1;
	if (p->benefit && rspb_benefit_validate(p->benefit, err) < 0)
		return rspb_fail_at(err, "benefit");
	return 0;
}

int rspb_request_validate(const struct rspb_request *request, uint32_t width,
			  struct rspb_err *err)
{
	if (!request->n_parts || request->n_parts > RSPB_MAX_PARTS)
		return rspb_fail(err, "%" PRIu32 " parts; allowed are 1 to %d",
				 request->n_parts, RSPB_MAX_PARTS);
	if (request->priority < 0)
		return rspb_fail(err,
				 "priority %" PRId64 " must not be "
				 "negative",
				 request->priority);
	if (validate_times(request, err) < 0)
		return -1;
	if (request->benefit &&
	    rspb_benefit_validate(request->benefit, err) < 0)
		return rspb_fail_at(err, "benefit");
	if (request->benefit_time &&
	    rspb_benefit_validate(request->benefit_time, err) < 0)
		return rspb_fail_at(err, "benefit_time");
	for (uint32_t i = 0; i < request->n_parts; i++) {
		if (validate_part(&request->parts[i], width, err) == 0)
			continue;
		return request->n_parts > 1
			       ? rspb_fail_at(err, "part %" PRIu32, i + 1)
			       : -1;
	}
	return 0;
}
