/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/where.h"

#include <stdlib.h>

#include "common/base/names.h"
#include "common/policy/weight.h"

/* From the free gap [left, right) around [start, end) to a cost. */
typedef int64_t (*gap_cost_fn)(int64_t before, int64_t after);

static int64_t gap_length(int64_t before, int64_t after)
{
	return before + after;
}

static int64_t gap_shortness(int64_t before, int64_t after)
{
	return -(before + after);
}

/* Abutting a booking on either side costs nothing. */
static int64_t gap_nearest(int64_t before, int64_t after)
{
	return before < after ? before : after;
}

static int gap_costs(const struct rspb_profile *profile, int64_t start,
		     int64_t end, const struct rspb_nodeset *free_nodes,
		     int64_t *cost, gap_cost_fn cost_of, struct rspb_err *err)
{
	int64_t *right = malloc(free_nodes->width * sizeof(*right));
	int64_t now = rspb_profile_now(profile);
	int rc;

	if (!right)
		return rspb_fail(err, "out of memory");
	/* Of a window that has begun the rest counts. */
	start = start < now ? now : start;
	rc = rspb_profile_gaps(profile, start, end, free_nodes, cost, right,
			       err);
	for (uint32_t n = rspb_nodeset_next(free_nodes, 0);
	     !rc && n < free_nodes->width;
	     n = rspb_nodeset_next(free_nodes, n + 1)) {
		int64_t left = cost[n] < now ? now : cost[n];

		cost[n] = cost_of(start - left, right[n] - end);
	}
	free(right);
	return rc;
}

static int cost_best(const struct rspb_profile *profile, int64_t start,
		     int64_t end, const struct rspb_nodeset *free_nodes,
		     int64_t *cost, struct rspb_err *err)
{
	return gap_costs(profile, start, end, free_nodes, cost, gap_length,
			 err);
}

static int cost_worst(const struct rspb_profile *profile, int64_t start,
		      int64_t end, const struct rspb_nodeset *free_nodes,
		      int64_t *cost, struct rspb_err *err)
{
	return gap_costs(profile, start, end, free_nodes, cost, gap_shortness,
			 err);
}

static int cost_gap(const struct rspb_profile *profile, int64_t start,
		    int64_t end, const struct rspb_nodeset *free_nodes,
		    int64_t *cost, struct rspb_err *err)
{
	return gap_costs(profile, start, end, free_nodes, cost, gap_nearest,
			 err);
}

/* Nothing is booked on them inside the window, so all that is booked on them
 * from now on counts. */
static int cost_load(const struct rspb_profile *profile, int64_t start,
		     int64_t end, const struct rspb_nodeset *free_nodes,
		     int64_t *cost, struct rspb_err *err)
{
	(void) start;
	(void) end;
	(void) free_nodes;
	return rspb_profile_load(profile, rspb_profile_now(profile),
				 RSPB_TIME_MAX - 1, cost, err);
}

static int64_t share_tight(int64_t room, int64_t load)
{
	(void) load;
	return room;
}

static int64_t share_roomy(int64_t room, int64_t load)
{
	(void) load;
	return -room;
}

static int64_t share_load(int64_t room, int64_t load)
{
	(void) room;
	return load;
}

const struct rspb_where rspb_wheres[] = {
	{ "lowest", "first", "lowest index", "Li et al., section 4.3", NULL,
	  NULL, false },
	{ "best", "best-fit",
	  "tightest free gap around the window; least free share that fits",
	  "Min, figure 5.2, lines 10-15; this project for whole nodes",
	  cost_best, share_tight, false },
	{ "worst", "roomiest", "widest free gap; most free share",
	  "this project", cost_worst, share_roomy, false },
	{ "gap", NULL,
	  "nearest to a booking before or behind it; least free share",
	  "this project", cost_gap, share_tight, false },
	{ "least-load", "avgload", "least average load",
	  "Min, figure 4.2, line 38", cost_load, share_load, true },
	{ NULL, NULL, NULL, NULL, NULL, NULL, false }
};

const struct rspb_where *rspb_where_find(const char *name)
{
	return rspb_names_find(rspb_wheres, sizeof(rspb_wheres[0]), name);
}

struct costed {
	int64_t cost;
	uint32_t node;
};

static bool cheaper(struct costed a, struct costed b)
{
	return a.cost != b.cost ? a.cost < b.cost : a.node < b.node;
}

static void swap(struct costed *a, struct costed *b)
{
	struct costed other = *a;

	*a = *b;
	*b = other;
}

/* Bring the `want` cheapest of list[n] to its front, in any order: Hoare's
 * quickselect; 0 < want < n, and no two entries are alike. */
static void select_cheapest(struct costed *list, size_t n, size_t want)
{
	while (n > 1) {
		struct costed pivot = list[n / 2];
		size_t i = 0, k = n - 1;

		for (;; i++, k--) {
			while (cheaper(list[i], pivot))
				i++;
			while (cheaper(pivot, list[k]))
				k--;
			if (i >= k)
				break;
			swap(&list[i], &list[k]);
		}
		/* The pivot stands at i, or the halves meet before it. */
		k = i + !cheaper(pivot, list[i]);
		if (want < i) {
			n = i;
		} else if (want > k) {
			list += k;
			want -= k;
			n -= k;
		} else {
			return;
		}
	}
}

/* Keep the cheapest `want` of the set by costs that are known. */
static void keep_cheapest(struct costed *list, const int64_t *cost,
			  uint32_t want, struct rspb_nodeset *set)
{
	uint32_t n = 0;

	for (uint32_t i = rspb_nodeset_next(set, 0); i < set->width;
	     i = rspb_nodeset_next(set, i + 1))
		list[n++] = (struct costed){ cost[i], i };
	if (want && want < n)
		select_cheapest(list, n, want);
	rspb_nodeset_clear(set);
	for (uint32_t i = 0; i < want && i < n; i++)
		rspb_nodeset_add(set, list[i].node);
}

/* Among nodes of one weight. */
static int keep_among(const struct rspb_where *where,
		      const struct rspb_profile *profile, int64_t start,
		      int64_t end, uint32_t want, struct rspb_nodeset *set,
		      struct rspb_err *err)
{
	uint32_t have = rspb_nodeset_count(set);
	struct costed *list;
	int64_t *cost;
	int rc;

	if (want >= have)
		return 0;
	if (!where->node_costs) {
		rspb_nodeset_keep_lowest(set, want);
		return 0;
	}
	list = malloc(have * sizeof(*list));
	cost = malloc(set->width * sizeof(*cost));
	rc = list && cost
		     ? where->node_costs(profile, start, end, set, cost, err)
		     : rspb_fail(err, "out of memory");
	if (!rc)
		keep_cheapest(list, cost, want, set);
	free(list);
	free(cost);
	return rc;
}

int rspb_where_keep(const struct rspb_where *where, const uint32_t *weights,
		    const struct rspb_profile *profile, int64_t start,
		    int64_t end, uint32_t want, struct rspb_nodeset *set,
		    struct rspb_err *err)
{
	struct rspb_nodeset *sure = NULL, *among;
	int rc;

	if (!weights || !want || want >= rspb_nodeset_count(set))
		return keep_among(where, profile, start, end, want, set, err);
	among = rspb_nodeset_clone(set);
	if (!among)
		return rspb_fail(err, "out of memory");
	rc = rspb_weight_split(weights, want, among, &sure, err);
	if (!rc)
		rc = keep_among(where, profile, start, end,
				want - rspb_nodeset_count(sure), among, err);
	if (!rc) {
		rspb_nodeset_copy(set, sure);
		rspb_nodeset_or(set, among);
	}
	rspb_nodeset_destroy(sure);
	rspb_nodeset_destroy(among);
	return rc;
}
