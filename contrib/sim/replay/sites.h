/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sites with nodes, and links between them: requests for nodes of several sites, and for
 * bandwidth between these, all at one start or not at all (co-reservations with the network as
 * a resource, Min, chapter 1). A link is a resource like a node of which shares are booked: it
 * has a number behind those of the nodes, and its bandwidth as capacity.
 */
#ifndef RSPB_SIM_REPLAY_SITES_H
#define RSPB_SIM_REPLAY_SITES_H

#include "contrib/sim/jsonl/lines.h"
#include "contrib/sim/replay/workload.h"

/* RET whether lines are of sites. */
bool sim_sites_are(const struct sim_lines *lines);
/* Append the requests of lines, at most `limit` (0: all). RET 0, or -1 with err. */
int sim_sites_read(const struct sim_lines *lines, size_t limit, struct sim_workload *workload,
		   struct rspb_err *err);

#endif
