/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/request/spread.h"

#include <stdlib.h>

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

/* RET how many of the first places hold the load, at least so many; 0: those up to `most` do
 * not. */
static uint32_t count(const struct rspb_spread_node *places, uint32_t load, uint32_t least,
		      uint32_t most)
{
	uint64_t room = 0;

	for (uint32_t i = 0; i < most && places[i].fits; i++) {
		room += places[i].fits;
		if (room >= load && i + 1 >= least)
			return i + 1;
	}
	return 0;
}

uint32_t rspb_spread(struct rspb_spread_node *places, uint32_t n, uint32_t load, uint32_t least,
		     uint32_t most)
{
	uint32_t chosen, named = 0;

	for (uint32_t i = 0; i < n; i++)
		named += places[i].named;
	least = least > named ? least : named;
	most = most < n ? most : n;
	most = most < load ? most : load;
	if (!least)
		least = 1;
	if (least > most)
		return 0;
	qsort(places, n, sizeof(*places), by_weight);
	chosen = count(places, load, least, most);
	if (!chosen) {
		qsort(places, n, sizeof(*places), by_room);
		chosen = count(places, load, least, most);
	}
	for (uint32_t i = 0; i < chosen; i++) {
		/* The places behind it get one at least. */
		uint32_t left = load - (chosen - i - 1);

		places[i].gets = places[i].fits < left ? places[i].fits : left;
		load -= places[i].gets;
	}
	return chosen;
}
