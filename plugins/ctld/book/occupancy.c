/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects what is in the way of bookings and is no booking, as blocks of nodes and holds of
 * licenses. occupancy_jobs.c, occupancy_nodes.c and occupancy_resv.c add them. It plans nothing. */
#include "plugins/ctld/book/occupancy.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "plugins/ctld/book/book.h"

void rspb_occupancy_init(struct rspb_occupancy *occ, uint32_t width, int64_t now, int64_t horizon)
{
	*occ = (struct rspb_occupancy){
		.width = width,
		.now = now,
		.horizon = horizon,
		.dedicated = rspb_book_dedicated(),
		.lent = rspb_book_lent(),
	};
	occ->until = calloc(width, sizeof(*occ->until));
	occ->short_of_memory = !occ->until;
	if (occ->lent && occ->lent->width != width)
		occ->lent = NULL;
	if (occ->dedicated)
		occ->memory = calloc(width, sizeof(*occ->memory));
}

void rspb_occupancy_fini(struct rspb_occupancy *occ)
{
	size_t i;

	for (i = 0; i < occ->n; i++)
		rspb_nodeset_destroy(occ->blocks[i].nodes);
	free(occ->blocks);
	free(occ->holds);
	free(occ->memory);
	free(occ->until);
	*occ = (struct rspb_occupancy){ 0 };
}

struct rspb_block *rspb_occupancy_add(struct rspb_occupancy *occ, int64_t start, int64_t end)
{
	struct rspb_block *block;

	if (start < occ->now)
		start = occ->now;
	if (end > occ->horizon)
		end = occ->horizon;
	if (start >= end)
		return NULL;
	if (rspb_array_grow(&occ->blocks, &occ->room, occ->n + 1, sizeof(*block))) {
		occ->short_of_memory = true;
		return NULL;
	}
	block = &occ->blocks[occ->n];
	*block = (struct rspb_block){
		.start = start,
		.end = end,
		.nodes = rspb_nodeset_create(occ->width),
	};
	if (!block->nodes) {
		occ->short_of_memory = true;
		return NULL;
	}
	occ->n++;
	return block;
}

void rspb_occupancy_hold(struct rspb_occupancy *occ, int64_t start, int64_t end,
			 const struct rspb_quotas *quotas, uint32_t on, uint32_t owner)
{
	struct rspb_hold hold = {
		.on = on,
		.owner = owner,
		.start = start > occ->now ? start : occ->now,
		.end = end < occ->horizon ? end : occ->horizon,
	};

	occ->short_of_memory |= quotas->short_of_memory;
	for (size_t i = 0; i < quotas->n && hold.start < hold.end; i++) {
		if (rspb_array_grow(&occ->holds, &occ->holds_room, occ->n_holds + 1,
				    sizeof(*occ->holds))) {
			occ->short_of_memory = true;
			return;
		}
		hold.key = quotas->items[i].key;
		hold.amount = quotas->items[i].use;
		occ->holds[occ->n_holds++] = hold;
	}
}

void rspb_occupancy_beside(struct rspb_occupancy *occ, struct rspb_block *block,
			   const struct rspb_nodeset *room)
{
	struct rspb_block all = *block, *beside;

	if (rspb_nodeset_empty(room))
		return;
	rspb_nodeset_minus(all.nodes, room);
	/* block may lie elsewhere from here on */
	beside = rspb_occupancy_add(occ, all.start, all.end);
	if (!beside)
		return;
	beside->job = all.job;
	beside->kind = all.kind;
	beside->goes_on = all.goes_on;
	beside->stays = all.stays;
	beside->beside = true;
	memcpy(beside->what, all.what, sizeof(beside->what));
	rspb_nodeset_or(beside->nodes, room);
}

const struct rspb_block *rspb_occupancy_hit(const struct rspb_occupancy *occ, int64_t start,
					    int64_t end, const struct rspb_nodeset *nodes,
					    bool share)
{
	size_t i;

	for (i = 0; i < occ->n; i++) {
		const struct rspb_block *block = &occ->blocks[i];

		if (!(share && block->beside) && block->start < end && block->end > start &&
		    !rspb_nodeset_disjoint(block->nodes, nodes))
			return block;
	}
	return NULL;
}
