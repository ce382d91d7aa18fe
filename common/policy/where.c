/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where: which nodes or machines at a given start. One row each, with one
 * function for whole nodes and one for shares; both name a cost, the lowest
 * cost is taken first, equal costs by the lowest index.
 */
#include "common/policy/policy.h"

#include <stdlib.h>

#include "common/base/names.h"

/* From the free gap before and behind the window to a cost. */

/* The tightest gap first, so that wide ones remain for other requests. */
static int64_t gap_length(int64_t before, int64_t after)
{
	return before + after;
}

/* The widest gap first. */
static int64_t gap_shortness(int64_t before, int64_t after)
{
	return -(before + after);
}

/* Abutting a booking on either side costs nothing. */
static int64_t gap_nearest(int64_t before, int64_t after)
{
	return before < after ? before : after;
}

/* Machines with little room left come first. */
static int64_t share_tight(int64_t room, int64_t load)
{
	(void) load;
	return room;
}

/* Machines with much room left come first. */
static int64_t share_roomy(int64_t room, int64_t load)
{
	(void) load;
	return -room;
}

/* Machines with little booked on them come first. */
static int64_t share_load(int64_t room, int64_t load)
{
	(void) room;
	return load;
}

/* The last three columns are the cost of a whole node, that of a share, and whether the load
 * counts. */
const struct rspb_where rspb_wheres[] = {
	{ "lowest", "first", "lowest index", "Li et al., section 4.3", NULL, NULL, false },
	{ "best", "best-fit", "tightest free gap around the window; least free share that fits",
	  "Min, figure 5.2, lines 10-15; this project for whole nodes", gap_length, share_tight,
	  false },
	{ "worst", "roomiest", "widest free gap; most free share", "this project", gap_shortness,
	  share_roomy, false },
	{ "gap", NULL, "nearest to a booking before or after it; least free share", "this project",
	  gap_nearest, share_tight, false },
	{ "least-load", "avgload", "least average load", "Min, figure 4.2, line 38", NULL,
	  share_load, true },
	{ NULL, NULL, NULL, NULL, NULL, NULL, false }
};

RSPB_NAMES_FINDER(rspb_where_find, rspb_where, rspb_wheres)

/* The arguments of rspb_where_keep(). */
struct choice {
	const struct rspb_where *where;
	const struct rspb_profile *profile;
	int64_t start, end;
	const uint32_t *leaves;
};

/* Prefer nodes by their bookings from now on; inside the window there are none. */
static int keep_by_load(const struct rspb_profile *profile, uint32_t want, struct rspb_nodeset *set,
			struct rspb_err *err)
{
	/* A window has to end before the range of times does. */
	int64_t *load = malloc(set->width * sizeof(*load));
	int rc = load ? rspb_profile_load(profile, rspb_profile_now(profile), RSPB_TIME_MAX - 1,
					  load, err)
		      : rspb_fail(err, "out of memory");

	if (!rc)
		rc = rspb_pick(set, NULL, load, want, false, set, err);
	free(load);
	return rc;
}

/* Choose among nodes that nothing else tells apart. */
static int keep_alike(const struct choice *by, uint32_t want, struct rspb_nodeset *set,
		      struct rspb_err *err)
{
	int64_t now = rspb_profile_now(by->profile);

	if (want >= rspb_nodeset_count(set))
		return 0;
	if (by->where->gap_cost && want)
		/* Only the rest of a window that has begun counts. */
		return rspb_profile_keep(by->profile, by->start < now ? now : by->start, by->end,
					 by->where->gap_cost, want, set, err);
	if (by->where->wants_load && want)
		return keep_by_load(by->profile, want, set, err);
	/* A row without any cost takes the nodes with the lowest numbers. */
	return rspb_pick(set, NULL, NULL, want, false, set, err);
}

/* Keep of a set the leaf to take nodes from next; of those that do as well, the one
 * with the node that is liked best. room: scratch. */
static int keep_leaf(const struct choice *by, uint32_t want, uint32_t *room,
		     struct rspb_nodeset *set, struct rspb_err *err)
{
	struct rspb_nodeset *one = rspb_nodeset_clone(set);
	uint32_t leaf;
	int rc = one ? 0 : rspb_fail(err, "out of memory");

	if (rc)
		return rc;
	rspb_leaves_rooms(by->leaves, set, room);
	leaf = rspb_leaves_next(room, set->width, want);
	/* Leaves with as much room as the next one do as well, and the node decides among them. */
	RSPB_NODESET_EACH (n, set)
		if (room[by->leaves[n]] != room[leaf])
			rspb_nodeset_remove(one, n);
	rc = keep_alike(by, 1, one, err);
	if (!rc)
		rspb_leaves_keep(by->leaves, by->leaves[rspb_nodeset_next(one, 0)], set);
	rspb_nodeset_destroy(one);
	return rc;
}

/* Choose, out of rest and into set, leaf by leaf. */
static int fill_by_leaves(const struct choice *by, const struct rspb_nodeset *near, uint32_t want,
			  struct rspb_nodeset *rest, struct rspb_nodeset *some,
			  struct rspb_nodeset *set, struct rspb_err *err)
{
	uint32_t *room = calloc(set->width + 1, sizeof(*room));
	int rc = room ? 0 : rspb_fail(err, "out of memory");

	rspb_nodeset_copy(some, rest);
	/* Leaves on which there are nodes already come first. If there is no memory to find them,
	 * nodes are taken from anywhere. */
	if (!rc && (!near || !rspb_leaves_near(by->leaves, near, some)))
		rspb_nodeset_clear(some);
	while (!rc && want) {
		/* In each round the leaf that suits the rest best gives its nodes. */
		if (rspb_nodeset_empty(some)) {
			rspb_nodeset_copy(some, rest);
			rc = keep_leaf(by, want, room, some, err);
		}
		/* A leaf that has too few nodes gives all of them. */
		if (!rc)
			rc = keep_alike(by, want, some, err);
		if (rc)
			break;
		/* These nodes are taken, and the next round is about the others. */
		rspb_nodeset_minus(rest, some);
		rspb_nodeset_or(set, some);
		want -= rspb_nodeset_count(some);
		rspb_nodeset_clear(some);
	}
	free(room);
	return rc;
}

/* Keep nodes of like weight. The set changes only at the end, so that it is unchanged after an
 * error. */
static int keep_by_leaves(const struct choice *by, const struct rspb_nodeset *near, uint32_t want,
			  struct rspb_nodeset *set, struct rspb_err *err)
{
	struct rspb_nodeset *rest, *some, *out;
	int rc;

	if (!by->leaves || want >= rspb_nodeset_count(set))
		return keep_alike(by, want, set, err);
	rest = rspb_nodeset_clone(set);
	some = rspb_nodeset_create(set->width);
	out = rspb_nodeset_create(set->width);
	rc = rest && some && out ? fill_by_leaves(by, near, want, rest, some, out, err)
				 : rspb_fail(err, "out of memory");
	if (!rc)
		rspb_nodeset_copy(set, out);
	rspb_nodeset_destroy(rest);
	rspb_nodeset_destroy(some);
	rspb_nodeset_destroy(out);
	return rc;
}

/* Move the nodes of the least weight from one set to another, which loses its own. */
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

/* Put all nodes of the lighter weights into `lighter`, and some of the last weight, near these. */
static int keep_by_weights(const struct choice *by, const uint32_t *weights,
			   const struct rspb_nodeset *near, uint32_t want, struct rspb_nodeset *set,
			   struct rspb_err *err)
{
	struct rspb_nodeset *rest = rspb_nodeset_clone(set);
	struct rspb_nodeset *some = rspb_nodeset_create(set->width);
	struct rspb_nodeset *lighter = rspb_nodeset_create(set->width);
	struct rspb_nodeset *by_now = rspb_nodeset_create(set->width);
	int rc = rest && some && lighter && by_now ? 0 : rspb_fail(err, "out of memory");

	while (!rc && want) {
		/* No node is taken while a lighter one is left. */
		take_lightest(weights, rest, some);
		/* Nodes that were taken for their lower weight count as near, too. */
		rspb_nodeset_copy(by_now, lighter);
		if (near)
			rspb_nodeset_or(by_now, near);
		rc = keep_by_leaves(by, by_now, want, some, err);
		if (rc)
			break;
		want -= rspb_nodeset_count(some);
		rspb_nodeset_or(lighter, some);
	}
	/* After an error the set is as it was. */
	if (!rc)
		rspb_nodeset_copy(set, lighter);
	rspb_nodeset_destroy(rest);
	rspb_nodeset_destroy(some);
	rspb_nodeset_destroy(lighter);
	rspb_nodeset_destroy(by_now);
	return rc;
}

int rspb_where_keep(const struct rspb_where *where, struct rspb_marks marks,
		    const struct rspb_nodeset *near, const struct rspb_profile *profile,
		    int64_t start, int64_t end, uint32_t want, struct rspb_nodeset *set,
		    struct rspb_err *err)
{
	const struct choice by = { where, profile, start, end, marks.leaves };

	if (want >= rspb_nodeset_count(set))
		return 0;
	/* Weights decide before leaves do, and leaves before the cost of the row. */
	if (marks.weights && want)
		return keep_by_weights(&by, marks.weights, near, want, set, err);
	return keep_by_leaves(&by, near, want, set, err);
}
