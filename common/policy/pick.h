/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The first of a set of nodes: by weight, as Slurm's Weight=, so that what is
 * rare or dear stays free; then by a cost; then by index.
 */
#ifndef RSPB_POLICY_PICK_H
#define RSPB_POLICY_PICK_H

#include <stdbool.h>

#include "common/base/err.h"
#include "common/base/nodeset.h"

/*
 * out = the first `want` nodes of `from` (all, when there are fewer); with
 * `ties` also those of the weight and cost of the last. weights[n], cost[n]: of
 * node n, as arrays of from->width (NULL: all alike). out has from's width and
 * may be `from`. RET 0, or -1 with err and `from` unchanged: out of memory.
 *
 * Where work of no fixed place may go, with the ends of the nodes' gaps for
 * costs: nodes that will be needed soonest are taken, and those that stay free
 * for long remain together as large rectangles for bookings to come.
 */
int rspb_pick(const struct rspb_nodeset *from, const uint32_t *weights, const int64_t *cost,
	      uint32_t want, bool ties, struct rspb_nodeset *out, struct rspb_err *err);

#endif
