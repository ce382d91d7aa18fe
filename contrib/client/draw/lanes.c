/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/draw/lanes.h"

#include <stdbool.h>
#include <stdlib.h>

#include "common/base/array.h"

#define TINY 1e-9

static bool meet(const struct rspb_lane *a, const struct rspb_lane *b)
{
	return a->node == b->node && a->start < b->end && b->start < a->end &&
	       a->low < b->high - TINY && b->low < a->high - TINY;
}

double rspb_lanes_put(struct rspb_lanes *lanes, uint32_t node, int64_t start, int64_t end,
		      double part)
{
	struct rspb_lane new = { node, start, end, 0, part };

	/* Each time above one more; begin anew, as another may be there. */
	for (size_t i = 0; i < lanes->n; i++) {
		if (!meet(&lanes->items[i], &new))
			continue;
		new.low = lanes->items[i].high;
		new.high = new.low + part;
		i = (size_t) -1;
	}
	if (new.high > 1 + 1e-6)
		new.low = 0;
	new.high = new.low + part;
	if (!rspb_array_grow(&lanes->items, &lanes->room, lanes->n + 1, sizeof(*lanes->items)))
		lanes->items[lanes->n++] = new;
	return new.low;
}

void rspb_lanes_fini(struct rspb_lanes *lanes)
{
	free(lanes->items);
	*lanes = (struct rspb_lanes){ 0 };
}
