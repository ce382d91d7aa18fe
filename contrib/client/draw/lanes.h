/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shares of a node, drawn above each other where they meet in time. */
#ifndef RSPB_CLIENT_LANES_H
#define RSPB_CLIENT_LANES_H

#include <stddef.h>
#include <stdint.h>

struct rspb_lane {
	uint32_t node;
	int64_t start, end;
	double low, high; /* of the node, 0 to 1 */
};

/* All zero: none yet. */
struct rspb_lanes {
	struct rspb_lane *items; /* owned */
	size_t n, room;
};

/* RET what lies below a part of a node over [start, end), which is there from
 * now on; 0 where there is no room left. */
double rspb_lanes_put(struct rspb_lanes *lanes, uint32_t node, int64_t start, int64_t end,
		      double part);
void rspb_lanes_fini(struct rspb_lanes *lanes);

#endif
