/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/where.h"

#include <stdlib.h>

#include "common/base/names.h"
#include "common/policy/pick.h"

/* From the free gap before and behind the window to a cost. */

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
	  gap_length, share_tight, false },
	{ "worst", "roomiest", "widest free gap; most free share",
	  "this project", gap_shortness, share_roomy, false },
	{ "gap", NULL,
	  "nearest to a booking before or behind it; least free share",
	  "this project", gap_nearest, share_tight, false },
	{ "least-load", "avgload", "least average load",
	  "Min, figure 4.2, line 38", NULL, share_load, true },
	{ NULL, NULL, NULL, NULL, NULL, NULL, false }
};

RSPB_NAMES_FINDER(rspb_where_find, rspb_where, rspb_wheres)

static int gap_costs(const struct rspb_profile *profile, int64_t start,
		     int64_t end, const struct rspb_nodeset *free_nodes,
		     int64_t *cost,
		     int64_t (*cost_of)(int64_t before, int64_t after),
		     struct rspb_err *err)
{
	int64_t *right = malloc(free_nodes->width * sizeof(*right));
	int64_t now = rspb_profile_now(profile);

	if (!right)
		return rspb_fail(err, "out of memory");
	/* Of a window that has begun the rest counts. */
	start = start < now ? now : start;
	if (rspb_profile_gaps(profile, start, end, free_nodes, cost, right,
			      err)) {
		free(right);
		return -1;
	}
	RSPB_NODESET_EACH (n, free_nodes)
		cost[n] = cost_of(start - (cost[n] < now ? now : cost[n]),
				  right[n] - end);
	free(right);
	return 0;
}

int rspb_where_costs(const struct rspb_where *where,
		     const struct rspb_profile *profile, int64_t start,
		     int64_t end, const struct rspb_nodeset *free_nodes,
		     int64_t *cost, struct rspb_err *err)
{
	if (where->gap_cost)
		return gap_costs(profile, start, end, free_nodes, cost,
				 where->gap_cost, err);
	/* Nothing is booked on them inside the window, so all that is booked
	 * on them from now on counts. */
	return rspb_profile_load(profile, rspb_profile_now(profile),
				 RSPB_TIME_MAX - 1, cost, err);
}

int rspb_where_keep(const struct rspb_where *where, const uint32_t *weights,
		    const struct rspb_profile *profile, int64_t start,
		    int64_t end, uint32_t want, struct rspb_nodeset *set,
		    struct rspb_err *err)
{
	bool costs = where->gap_cost || where->wants_load;
	int64_t *cost = NULL;
	int rc = 0;

	if (want >= rspb_nodeset_count(set))
		return 0;
	if (costs && want) {
		cost = malloc(set->width * sizeof(*cost));
		rc = cost ? rspb_where_costs(where, profile, start, end, set,
					     cost, err)
			  : rspb_fail(err, "out of memory");
	}
	if (!rc)
		rc = rspb_pick(set, weights, cost, want, false, set, err);
	free(cost);
	return rc;
}
