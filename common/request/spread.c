/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A load, tasks or devices, over nodes that have room for different amounts of it. */
#include "common/request/request.h"

#include <stdlib.h>

/* Named nodes first, then large rooms, so that a few nodes hold the load. The order is complete,
 * so the result does not depend on qsort(). */
static int by_room(const void *left, const void *right)
{
	const struct rspb_spread_node *a = left, *b = right;

	if (a->named != b->named)
		return a->named ? -1 : 1;
	if (a->fits != b->fits)
		return a->fits > b->fits ? -1 : 1;
	if (a->weight != b->weight)
		return a->weight < b->weight ? -1 : 1;
	return a->node < b->node ? -1 : a->node > b->node;
}

/* Named nodes first, then light ones, and among nodes of one weight large ones. */
static int by_weight(const void *left, const void *right)
{
	const struct rspb_spread_node *a = left, *b = right;

	if (a->named != b->named)
		return a->named ? -1 : 1;
	/* Nodes without room come last. */
	if (!a->fits != !b->fits)
		return a->fits ? -1 : 1;
	if (a->weight != b->weight)
		return a->weight < b->weight ? -1 : 1;
	return by_room(left, right);
}

static bool is_heavy(const struct rspb_spread_node *place, uint32_t weight)
{
	return !place->named && place->weight > weight;
}

/* RET how many of the first places of up to a weight hold the load, at least so many; 0: those up
 * to `most` do not. */
static uint32_t count(const struct rspb_spread_node *places, uint32_t n, uint32_t weight,
		      uint32_t load, uint32_t least, uint32_t most)
{
	uint64_t room = 0;
	uint32_t taken = 0;

	/* Nodes without room come last, except named ones: such a node ends the count, because
	 * it has to be among them. */
	for (uint32_t i = 0; i < n && taken < most && places[i].fits; i++) {
		if (is_heavy(&places[i], weight))
			continue;
		room += places[i].fits;
		taken++;
		if (room >= load && taken >= least)
			return taken;
	}
	return 0;
}

/* Choose large places of the least weight that is enough, which become the first, in the order that
 * they have. The weight is found by bisection: more places never hold less. RET how many; 0: all
 * places do not hold the load. */
static uint32_t choose_large(struct rspb_spread_node *places, uint32_t n, uint32_t load,
			     uint32_t least, uint32_t most)
{
	uint32_t low = 0, weight = UINT32_MAX, kept = 0;

	qsort(places, n, sizeof(*places), by_room);
	if (!count(places, n, weight, load, least, most))
		return 0;
	while (low < weight) {
		uint32_t half = low + (weight - low) / 2;

		if (count(places, n, half, load, least, most))
			weight = half;
		else
			low = half + 1;
	}
	for (uint32_t i = 0; i < n; i++) {
		struct rspb_spread_node place = places[i];

		if (is_heavy(&place, weight))
			continue;
		places[i] = places[kept];
		places[kept++] = place;
	}
	return count(places, kept, weight, load, least, most);
}

/* Bound the number of nodes by what is there. RET false: there are not enough. */
static bool bound(const struct rspb_spread_node *places, uint32_t n, uint32_t load, uint32_t *least,
		  uint32_t *most)
{
	uint32_t named = 0;

	for (uint32_t i = 0; i < n; i++)
		named += places[i].named;
	/* All named nodes have to be among them, and each node gets at least one of the load. */
	*least = *least > named ? *least : named;
	*most = *most < n ? *most : n;
	*most = *most < load ? *most : load;
	if (!*least)
		*least = 1;
	return *least <= *most;
}

/* As much is kept for each place behind, if it fits: Slurm keeps the threads of a core for each
 * node behind when it gives a node its tasks, and finds too few CPUs if these have fewer. */
enum { KEPT_MOST = 4 };

static uint32_t kept(const struct rspb_spread_node *place, uint32_t each)
{
	return place->fits < each ? place->fits : each;
}

static void give(struct rspb_spread_node *places, uint32_t chosen, uint32_t load)
{
	/* No more is kept for the nodes behind than their part of the load, so that there is
	 * enough for all. */
	uint32_t each = chosen && load / chosen < KEPT_MOST ? load / chosen : KEPT_MOST, behind = 0;

	for (uint32_t i = 0; i < chosen; i++)
		behind += kept(&places[i], each);
	for (uint32_t i = 0; i < chosen; i++) {
		behind -= kept(&places[i], each);
		/* Each node gets as much as it can, without what is kept for those behind. */
		places[i].gets = places[i].fits < load - behind ? places[i].fits : load - behind;
		load -= places[i].gets;
	}
}

uint32_t rspb_spread(struct rspb_spread_node *places, uint32_t n, uint32_t load, uint32_t least,
		     uint32_t most)
{
	uint32_t chosen;

	if (!bound(places, n, load, &least, &most))
		return 0;
	qsort(places, n, sizeof(*places), by_weight);
	chosen = count(places, n, UINT32_MAX, load, least, most);
	/* If the lightest nodes do not hold the load together, large ones are taken. */
	if (!chosen)
		chosen = choose_large(places, n, load, least, most);
	give(places, chosen, load);
	return chosen;
}

/* Places without a gap. */
struct row {
	uint32_t first, count;
	uint64_t room;	  /* of all of them */
	uint64_t weights; /* the sum of theirs */
	uint32_t named;
};

static void extend(struct row *row, const struct rspb_spread_node *place)
{
	row->count++;
	row->room += place->fits;
	row->weights += place->weight;
	row->named += place->named;
}

static void drop_first(struct row *row, const struct rspb_spread_node *place)
{
	row->first++;
	row->count--;
	row->room -= place->fits;
	row->weights -= place->weight;
	row->named -= place->named;
}

/* Whether a row weighs less, or as much with fewer nodes. */
static bool is_better(const struct row *row, const struct row *best)
{
	return !best->count || row->weights < best->weights ||
	       (row->weights == best->weights && row->count < best->count);
}

uint32_t rspb_spread_row(struct rspb_spread_node *places, uint32_t n, uint32_t load, uint32_t least,
			 uint32_t most)
{
	struct row row = { .count = 0 }, best = { .count = 0 };
	uint32_t named = 0;

	for (uint32_t i = 0; i < n; i++)
		named += places[i].named;
	if (!bound(places, n, load, &least, &most))
		return 0;
	/* A row grows at its end and shrinks at its front, so the places are passed over once. */
	for (uint32_t i = 0; i < n; i++) {
		/* A node without room, or a missing number, ends the row. */
		bool joins = places[i].fits && row.count &&
			     places[i].node == places[i - 1].node + 1;

		if (!joins)
			row = (struct row){ .first = i };
		if (!places[i].fits)
			continue;
		extend(&row, &places[i]);
		/* Drop nodes from the front while there are too many, or while the rest holds
		 * the load without a named node being lost. */
		while (row.count > most || (row.count > least && !places[row.first].named &&
					    row.room - places[row.first].fits >= load))
			drop_first(&row, &places[row.first]);
		/* A row must have all of the named nodes, not only some. */
		if (row.room >= load && row.count >= least && row.named == named &&
		    is_better(&row, &best))
			best = row;
	}
	for (uint32_t i = 0; i < best.count; i++) {
		/* The row moves to the front, over nodes that were not chosen. */
		places[i] = places[best.first + i];
		places[i].gets = 0;
	}
	give(places, best.count, load);
	return best.count;
}
