/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/order.h"

#include <stdlib.h>

#include "common/base/names.h"

static int64_t by_priority(const struct rspb_request *request)
{
	return request->priority;
}

static int64_t by_deadline(const struct rspb_request *request)
{
	return -request->deadline;
}

/* The slack between deadline and ready time that the work itself leaves. */
static int64_t by_laxity(const struct rspb_request *request)
{
	return -(request->deadline - request->ready - request->duration);
}

static int64_t by_minimum(const struct rspb_request *request)
{
	int64_t sum = 0;

	for (uint32_t i = 0; i < request->n_parts; i++)
		sum = rspb_part_add_cpu(&request->parts[i],
					rspb_part_least(request, i), sum);
	return sum;
}

static int64_t by_smallness(const struct rspb_request *request)
{
	int64_t sum = 0, work;

	for (uint32_t i = 0; i < request->n_parts; i++)
		sum = rspb_part_add_cpu(&request->parts[i],
					rspb_part_asked(&request->parts[i]),
					sum);
	if (__builtin_mul_overflow(sum, request->duration, &work))
		work = INT64_MAX;
	return -work;
}

const struct rspb_order rspb_orders[] = {
	{ "arrival", "fcfs", "first come, first served",
	  "Varvarigos et al., section 4.1 (FCFS)", NULL },
	{ "priority", NULL, "highest priority first",
	  "Min, figure 4.2, lines 11-12", by_priority },
	{ "deadline", "edf", "earliest deadline first",
	  "Varvarigos et al., section 4.1 (EDF)", by_deadline },
	{ "laxity", "llf", "least slack before the deadline first",
	  "Varvarigos et al., section 4.1 (least laxity)", by_laxity },
	{ "minimum", NULL, "largest sum of least acceptable amounts first",
	  "Min, figure 5.4, lines 2-4 (best fit decreasing)", by_minimum },
	{ "smallest", NULL, "least work, nodes or shares x time, first",
	  "this project; doc/policies.md", by_smallness },
	{ NULL, NULL, NULL, NULL, NULL }
};

RSPB_NAMES_FINDER(rspb_order_named, rspb_order, rspb_orders)

struct ranked {
	const struct rspb_request *request;
	int64_t key;
	size_t index;
};

static int compare(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->key != b->key)
		return a->key > b->key ? -1 : 1;
	if (a->request->arrival != b->request->arrival)
		return a->request->arrival < b->request->arrival ? -1 : 1;
	if (a->request->id != b->request->id)
		return a->request->id < b->request->id ? -1 : 1;
	return a->index < b->index ? -1 : a->index > b->index;
}

int rspb_order_sort(const struct rspb_order *order,
		    const struct rspb_request **requests, size_t *index,
		    size_t n)
{
	struct ranked *ranked = calloc(n ? n : 1, sizeof(*ranked));

	if (!ranked)
		return -1;
	for (size_t i = 0; i < n; i++)
		ranked[i] = (struct ranked){
			requests[i], order->key ? order->key(requests[i]) : 0, i
		};
	qsort(ranked, n, sizeof(*ranked), compare);
	for (size_t i = 0; i < n; i++) {
		requests[i] = ranked[i].request;
		index[i] = ranked[i].index;
	}
	free(ranked);
	return 0;
}
