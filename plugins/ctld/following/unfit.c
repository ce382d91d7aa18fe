/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Remembers which bookings have a node that does not suit their jobs any more. Who finds
 * out is recheck.c, who helps watch/threat.c. */
#include "plugins/ctld/following/unfit.h"

#include <stdlib.h>

#include "common/base/array.h"

static struct {
	size_t n, room;
	struct rspb_overfull *items;
	uint64_t mark;
} unfit;

static struct rspb_overfull *row_of(uint64_t id)
{
	for (size_t i = 0; i < unfit.n; i++)
		if (unfit.items[i].id == id)
			return &unfit.items[i];
	return NULL;
}

bool rspb_unfit_note(uint64_t id, uint32_t node)
{
	struct rspb_overfull *row = row_of(id);

	if (row ? row->node == node : node == RSPB_UNFIT_NONE)
		return false;
	unfit.mark++;
	if (node == RSPB_UNFIT_NONE) {
		*row = unfit.items[--unfit.n];
		return true;
	}
	if (!row && !rspb_array_grow(&unfit.items, &unfit.room, unfit.n + 1,
				     sizeof(*unfit.items)))
		row = &unfit.items[unfit.n++];
	if (row)
		*row = (struct rspb_overfull){ id, node,
					       "what its job asks for" };
	return true;
}

uint64_t rspb_unfit_mark(void)
{
	return unfit.mark;
}

const struct rspb_overfull *rspb_unfit_list(size_t *n)
{
	*n = unfit.n;
	return unfit.items;
}

void rspb_unfit_reset(void)
{
	unfit.mark += unfit.n != 0;
	free(unfit.items);
	unfit.items = NULL;
	unfit.n = unfit.room = 0;
}
