/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leaves: the switches (topology/tree) or blocks (topology/block) that nodes are on.
 * leaves[n] is the number of node n's, below the width of the machine; it is NULL
 * where all are alike, and then nothing here is asked. Nodes are taken from as few of
 * them as will do: the smallest that has enough, else the one that has most and then
 * the same for the rest.
 *
 * Source: this project, after what Slurm's topology plugins do.
 */
#include "common/policy/policy.h"

#include <stdlib.h>

uint32_t rspb_leaves_count(const uint32_t *leaves, const struct rspb_nodeset *set)
{
	/* The numbers of leaves are below the width, so arrays over leaves have that size. */
	bool *seen = calloc(set->width + 1, sizeof(*seen));
	uint32_t count = 0;

	if (!seen)
		return 0;
	RSPB_NODESET_EACH (n, set) {
		count += !seen[leaves[n]];
		seen[leaves[n]] = true;
	}
	free(seen);
	return count;
}

void rspb_leaves_rooms(const uint32_t *leaves, const struct rspb_nodeset *set, uint32_t *room)
{
	for (uint32_t i = 0; i < set->width; i++)
		room[i] = 0;
	RSPB_NODESET_EACH (n, set)
		room[leaves[n]]++;
}

uint32_t rspb_leaves_next(const uint32_t *room, uint32_t width, uint32_t want)
{
	uint32_t best = width;

	for (uint32_t i = 0; i < width; i++) {
		if (!room[i])
			continue;
		/* While none has enough, the largest is the best. Among those that have enough it
		 * is the smallest. */
		if (best == width || (room[best] < want ? room[i] > room[best]
							: room[i] >= want && room[i] < room[best]))
			best = i;
	}
	return best;
}

void rspb_leaves_keep(const uint32_t *leaves, uint32_t leaf, struct rspb_nodeset *set)
{
	/* The walk looks up the next node after this one, so that the set may lose nodes
	 * meanwhile. */
	RSPB_NODESET_EACH (n, set)
		if (leaves[n] != leaf)
			rspb_nodeset_remove(set, n);
}

/* Keep those of a set whose leaf is marked. */
static void keep_marked(const uint32_t *leaves, const bool *marked, struct rspb_nodeset *set)
{
	RSPB_NODESET_EACH (n, set)
		if (!marked[leaves[n]])
			rspb_nodeset_remove(set, n);
}

bool rspb_leaves_near(const uint32_t *leaves, const struct rspb_nodeset *near,
		      struct rspb_nodeset *set)
{
	bool *marked = calloc(set->width + 1, sizeof(*marked));

	if (!marked)
		return false;
	RSPB_NODESET_EACH (n, near)
		marked[leaves[n]] = true;
	keep_marked(leaves, marked, set);
	free(marked);
	return true;
}

/* Mark a leaf for so many wanted, and take what it has out of the count. RET how many are wanted of
 * other leaves. */
static uint32_t mark_leaf(uint32_t leaf, uint32_t want, uint32_t *room, bool *marked)
{
	uint32_t takes = room[leaf] < want ? room[leaf] : want;

	marked[leaf] = true;
	room[leaf] = 0;
	return want - takes;
}

bool rspb_leaves_limit(const uint32_t *leaves, uint32_t most, uint32_t want,
		       const struct rspb_nodeset *with, struct rspb_nodeset *set)
{
	uint32_t width = set->width, used = with ? rspb_leaves_count(leaves, with) : 0;
	bool *marked = calloc(width + 1, sizeof(*marked));
	uint32_t *room = calloc(width + 1, sizeof(*room));

	if (!marked || !room) {
		free(marked);
		free(room);
		return false;
	}
	rspb_leaves_rooms(leaves, set, room);
	for (uint32_t n = with ? rspb_nodeset_next(with, 0) : width; n < width;
	     n = rspb_nodeset_next(with, n + 1))
		want = mark_leaf(leaves[n], want, room, marked);
	/* Fewer leaves than allowed are marked if all that is wanted has room on them. */
	for (uint32_t i = used; i < most && want; i++) {
		uint32_t leaf = rspb_leaves_next(room, width, want);

		if (leaf == width)
			break;
		want = mark_leaf(leaf, want, room, marked);
	}
	keep_marked(leaves, marked, set);
	free(marked);
	free(room);
	return true;
}
