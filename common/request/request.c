/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/request/request.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"

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

/* Copy size bytes, of which there may be none, to *to. RET likewise. */
static int clone_bytes(void *to, const void *from, size_t size)
{
	void *copy = size ? malloc(size) : NULL;

	if (copy)
		memcpy(copy, from, size);
	memcpy(to, &copy, sizeof(copy));
	return size && !copy ? -1 : 0;
}

static int clone_tiers(struct rspb_part *to, const struct rspb_part *from)
{
	int failed;

	to->tiers = from->n_tiers ? calloc(from->n_tiers, sizeof(*to->tiers))
				  : NULL;
	to->n_tiers = to->tiers ? from->n_tiers : 0;
	failed = to->n_tiers < from->n_tiers;
	for (uint32_t i = 0; i < to->n_tiers; i++) {
		to->tiers[i].distance = from->tiers[i].distance;
		failed |= clone_set(&to->tiers[i].nodes, from->tiers[i].nodes);
	}
	return failed ? -1 : 0;
}

/* All that a part owns. RET likewise; what was not copied is NULL. */
static int clone_part(struct rspb_part *to, const struct rspb_part *from)
{
	int failed;

	*to = *from;
	to->benefit = NULL;
	failed = rspb_benefit_keep(&to->benefit, from->benefit);
	failed |= clone_set(&to->fixed, from->fixed);
	failed |= clone_set(&to->eligible, from->eligible);
	failed |= clone_tiers(to, from);
	failed |= clone_bytes(&to->quotas, from->quotas,
			      from->n_quotas * sizeof(*from->quotas));
	return failed;
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
	copy->labels = copy->name = NULL;
	failed |= rspb_text_keep(&copy->labels, request->labels);
	failed |= rspb_text_keep(&copy->name, request->name);
	failed |= rspb_benefit_keep(&copy->benefit, request->benefit);
	failed |= rspb_benefit_keep(&copy->benefit_time, request->benefit_time);
	failed |= clone_bytes(&copy->forms, request->forms,
			      request->n_forms * sizeof(*request->forms));
	for (uint32_t i = 0; i < request->n_parts; i++)
		failed |= clone_part(&parts[i], &request->parts[i]);
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
		for (uint32_t k = 0; k < request->parts[i].n_tiers; k++)
			rspb_nodeset_destroy(request->parts[i].tiers[k].nodes);
		free(request->parts[i].tiers);
		free(request->parts[i].quotas);
		free(request->parts[i].benefit);
	}
	free(request->parts);
	free(request->benefit);
	free(request->benefit_time);
	free(request->forms);
	free(request->labels);
	free(request->name);
	free(request);
}

int rspb_request_set_forms(struct rspb_request *request,
			   const struct rspb_form *forms, uint32_t n)
{
	struct rspb_form *copy;

	if (clone_bytes(&copy, forms, n * sizeof(*forms)))
		return -1;
	free(request->forms);
	request->forms = copy;
	request->n_forms = n;
	return 0;
}

struct rspb_form rspb_request_form(const struct rspb_request *request)
{
	return request->n_forms ? request->forms[0]
				: (struct rspb_form){ request->parts[0].nodes,
						      request->duration };
}

int64_t rspb_request_price(const struct rspb_request *request)
{
	return request->price ? request->price : RSPB_PRICE_USUAL;
}

uint32_t rspb_part_distance(const struct rspb_part *part,
			    const struct rspb_nodeset *nodes)
{
	uint64_t sum = 0, n = rspb_nodeset_count(nodes);

	for (uint32_t i = 0; i < part->n_tiers; i++)
		RSPB_NODESET_EACH (node, part->tiers[i].nodes)
			if (rspb_nodeset_has(nodes, node))
				sum += part->tiers[i].distance;
	return n ? (uint32_t) (sum / n) : 0;
}

void rspb_request_label(struct rspb_request *request, const char *account,
			const char *qos, const char *partition)
{
	/* What users name comes last: it may be too long for the room. */
	const char *const values[] = { partition, qos, account };
	static const char *const keys[] = { "partition", "qos", "account" };
	char labels[RSPB_REQUEST_LABELS];
	struct rspb_text out = rspb_text_over(labels, sizeof(labels));

	for (int i = 0; i < 3; i++)
		/* Users name accounts, and must not name more by that. */
		if (values[i] && *values[i] && !strpbrk(values[i], ",="))
			rspb_text_add(&out, "%s%s=%s", out.len ? "," : "",
				      keys[i], values[i]);
	rspb_text_keep(&request->labels, labels);
}

static const char series_label[] = "series=";

void rspb_request_series(struct rspb_request *request, const char *series)
{
	const char *had = rspb_text_kept(request->labels);
	char labels[RSPB_REQUEST_LABELS];
	struct rspb_text out = rspb_text_over(labels, sizeof(labels));

	if (!series || !*series)
		return;
	rspb_text_add(&out, "%s%s%s%s", had, *had ? "," : "", series_label,
		      series);
	if (out.len < out.size)
		rspb_text_keep(&request->labels, labels);
}

bool rspb_request_in_series(const struct rspb_request *request)
{
	return strstr(rspb_text_kept(request->labels), series_label);
}

/* RET what stands behind that label, of *len bytes; 0: nothing. */
static const char *label_of(const struct rspb_request *request,
			    const char *label, size_t *len)
{
	const char *at = strstr(rspb_text_kept(request->labels), label);

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

uint64_t rspb_request_nodes(const struct rspb_request *request)
{
	uint64_t nodes = 0;

	for (uint32_t i = 0; i < request->n_parts; i++)
		nodes += request->parts[i].nodes;
	return nodes;
}

const struct rspb_quota *rspb_part_quota(const struct rspb_part *part,
					 uint64_t key)
{
	for (uint32_t q = 0; q < part->n_quotas; q++)
		if (part->quotas[q].key == key)
			return &part->quotas[q];
	return NULL;
}

bool rspb_part_same_quotas(const struct rspb_part *a, const struct rspb_part *b)
{
	return a->n_quotas == b->n_quotas &&
	       (!a->n_quotas || !memcmp(a->quotas, b->quotas,
					a->n_quotas * sizeof(*a->quotas)));
}

int64_t rspb_part_asked(const struct rspb_part *part)
{
	return part->share ? part->share : part->nodes;
}

int64_t rspb_part_units(const struct rspb_part *part)
{
	int64_t units = part->share_one +
			part->share_each * ((int64_t) part->fewer - 1);

	if (!part->fewer || part->fewer >= part->tasks)
		return rspb_part_asked(part);
	units = (units + RSPB_SHARE_CORE - 1) / RSPB_SHARE_CORE *
		RSPB_SHARE_CORE;
	return units < part->share ? units : part->share;
}

void rspb_part_set_tasks(struct rspb_part *part, uint32_t tasks,
			 const struct rspb_quota *was)
{
	part->fewer = tasks < part->tasks ? tasks : 0;
	for (uint32_t q = 0; q < part->n_quotas; q++) {
		struct rspb_quota *quota = &part->quotas[q];
		int64_t less = was[q].one + was[q].each * ((int64_t) tasks - 1);

		*quota = was[q];
		if (part->fewer && was[q].one && less < quota->per_node)
			quota->per_node = less;
	}
}

struct rspb_ratio rspb_part_value(const struct rspb_request *request,
				  uint32_t part, int64_t units)
{
	const struct rspb_part *p = &request->parts[part];
	const struct rspb_benefit *benefit = rspb_request_benefit(request,
								  part);

	return p->tasks
		       ? rspb_benefit_value(benefit,
					    p->fewer ? p->fewer : p->tasks,
					    p->tasks)
		       : rspb_benefit_value(benefit, units, rspb_part_asked(p));
}

int64_t rspb_part_least(const struct rspb_request *request, uint32_t part)
{
	const struct rspb_part *p = &request->parts[part];
	int64_t bound = p->share		  ? p->share_min
			: p->nodes_min < p->nodes ? p->nodes_min
						  : 0;
	int64_t least;

	if (p->tasks)
		return rspb_part_units(p);
	least = rspb_benefit_min_units(rspb_request_benefit(request, part),
				       rspb_part_asked(p));
	return least > bound ? least : bound;
}

int64_t rspb_part_full(const struct rspb_request *request, uint32_t part)
{
	int64_t least = rspb_part_least(request, part);
	int64_t full =
		rspb_benefit_max_units(rspb_request_benefit(request, part),
				       rspb_part_asked(&request->parts[part]));

	return full > least && !request->parts[part].tasks ? full : least;
}

uint32_t rspb_part_cores(const struct rspb_part *part, int64_t units)
{
	return part->whole ? (uint32_t) (units / RSPB_SHARE_CORE) : 0;
}

bool rspb_request_has_cores(const struct rspb_request *request)
{
	for (uint32_t i = 0; i < request->n_parts; i++)
		if (request->parts[i].whole)
			return true;
	return false;
}

void rspb_part_add_units(const struct rspb_part *part, int64_t units,
			 struct rspb_text *out)
{
	uint32_t cores = rspb_part_cores(part, units);

	if (cores)
		rspb_text_add(out, "%" PRIu32 " core%s", cores,
			      cores == 1 ? "" : "s");
	else if (part->share)
		rspb_text_add_percent(out, units);
}

int64_t rspb_part_add_cpu(const struct rspb_part *part, int64_t units,
			  int64_t sum)
{
	int64_t weight = part->share ? part->nodes : RSPB_SHARE_WHOLE;

	if (part->whole)
		units = units * RSPB_SHARE_WHOLE / part->whole;
	if (__builtin_mul_overflow(units, weight, &weight) ||
	    __builtin_add_overflow(sum, weight, &sum))
		return INT64_MAX;
	return sum;
}
