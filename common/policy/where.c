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

/* Move the nodes of the least weight. */
static void take_lightest(const uint32_t *weights, struct rspb_nodeset *from,
			  struct rspb_nodeset *to)
{
	uint32_t least = UINT32_MAX;

	RSPB_NODESET_EACH (n, from)
		least = weights[n] < least ? weights[n] : least;
	rspb_nodeset_clear(to);
	RSPB_NODESET_EACH (n, from)
		if (weights[n] == least)
			rspb_nodeset_add(to, n);
	rspb_nodeset_minus(from, to);
}

static int keep_by_gaps(const struct rspb_where *where, const uint32_t *weights,
			const struct rspb_profile *profile, int64_t start,
			int64_t end, uint32_t want, struct rspb_nodeset *set,
			struct rspb_err *err)
{
	struct rspb_nodeset *rest, *some;
	uint32_t have = 0;
	int rc = 0;

	if (!weights)
		return rspb_profile_keep(profile, start, end, where->gap_cost,
					 want, set, err);
	rest = rspb_nodeset_clone(set);
	some = rspb_nodeset_create(set->width);
	if (!rest || !some)
		rc = rspb_fail(err, "out of memory");
	while (!rc && have < want) {
		take_lightest(weights, rest, some);
		have += rspb_nodeset_count(some);
		if (have <= want)
			continue;
		rspb_nodeset_or(rest, some);
		rc = rspb_profile_keep(profile, start, end, where->gap_cost,
				       rspb_nodeset_count(some) + want - have,
				       some, err);
	}
	/* Of the lighter ones all, of the last some. */
	if (!rc) {
		rspb_nodeset_minus(set, rest);
		rspb_nodeset_or(set, some);
	}
	rspb_nodeset_destroy(rest);
	rspb_nodeset_destroy(some);
	return rc;
}

/* What is booked on them from now on: inside the window nothing is. */
static int keep_by_load(const uint32_t *weights,
			const struct rspb_profile *profile, uint32_t want,
			struct rspb_nodeset *set, struct rspb_err *err)
{
	int64_t *load = malloc(set->width * sizeof(*load));
	int rc = load ? rspb_profile_load(profile, rspb_profile_now(profile),
					  RSPB_TIME_MAX - 1, load, err)
		      : rspb_fail(err, "out of memory");

	if (!rc)
		rc = rspb_pick(set, weights, load, want, false, set, err);
	free(load);
	return rc;
}

int rspb_where_keep(const struct rspb_where *where, const uint32_t *weights,
		    const struct rspb_profile *profile, int64_t start,
		    int64_t end, uint32_t want, struct rspb_nodeset *set,
		    struct rspb_err *err)
{
	int64_t now = rspb_profile_now(profile);

	if (want >= rspb_nodeset_count(set))
		return 0;
	if (where->gap_cost && want)
		/* Of a window that has begun the rest counts. */
		return keep_by_gaps(where, weights, profile,
				    start < now ? now : start, end, want, set,
				    err);
	if (where->wants_load && want)
		return keep_by_load(weights, profile, want, set, err);
	return rspb_pick(set, weights, NULL, want, false, set, err);
}
