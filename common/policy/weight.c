/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/weight.h"

#include <stdlib.h>

static int compare(const void *left, const void *right)
{
	const uint32_t *a = left, *b = right;

	return *a < *b ? -1 : *a > *b;
}

/* The weight of the node that is taken last when the lightest go first. */
static int64_t last_weight(const uint32_t *weights, uint32_t want,
			   const struct rspb_nodeset *set)
{
	uint32_t *list = malloc(rspb_nodeset_count(set) * sizeof(*list));
	int64_t last;
	size_t n = 0;

	if (!list)
		return -1;
	for (uint32_t i = rspb_nodeset_next(set, 0); i < set->width;
	     i = rspb_nodeset_next(set, i + 1))
		list[n++] = weights[i];
	qsort(list, n, sizeof(*list), compare);
	last = list[want - 1];
	free(list);
	return last;
}

int rspb_weight_split(const uint32_t *weights, uint32_t want,
		      struct rspb_nodeset *set, struct rspb_nodeset **sure,
		      struct rspb_err *err)
{
	int64_t last = last_weight(weights, want, set);

	*sure = last < 0 ? NULL : rspb_nodeset_create(set->width);
	if (!*sure)
		return rspb_fail(err, "out of memory");
	for (uint32_t i = rspb_nodeset_next(set, 0); i < set->width;
	     i = rspb_nodeset_next(set, i + 1)) {
		if (weights[i] == last)
			continue;
		if (weights[i] < last)
			rspb_nodeset_add(*sure, i);
		rspb_nodeset_remove(set, i);
	}
	return 0;
}
