/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects nodes that cannot be counted on, and until when. Which bookings that meets it
 * does not look at. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "common/base/times.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/book/occupancy.h"

/* Nodes that are rebooted once their jobs are over are told apart by ends in such steps:
 * there are as many ends as jobs, and a block for each would be too many. */
enum { STEP_S = 600 };

/* The known state of the nodes, good until one of them changes; only the agent's thread uses it. */
static struct {
	struct rspb_nodeset *unusable; /* but for those that are rebooted */
	struct rspb_nodeset *rebooted, *silent;
	int64_t taken; /* second */
} kept;

void rspb_occupancy_nodes_forget(void)
{
	rspb_nodeset_destroy(kept.unusable);
	rspb_nodeset_destroy(kept.rebooted);
	rspb_nodeset_destroy(kept.silent);
	memset(&kept, 0, sizeof(kept));
}

static bool nodes_look(const struct rspb_occupancy *occ)
{
	int64_t now = time(NULL);

	if (kept.taken && kept.unusable->width == occ->width && kept.taken <= now &&
	    rspb_ctld_changed(RSPB_CHANGED_NODES) < kept.taken)
		return true;
	rspb_occupancy_nodes_forget();
	kept.unusable = rspb_nodeset_create(occ->width);
	kept.rebooted = rspb_nodeset_create(occ->width);
	kept.silent = rspb_nodeset_create(occ->width);
	if (!kept.unusable || !kept.rebooted || !kept.silent)
		return false;
	rspb_node_unusable(kept.unusable);
	RSPB_NODESET_EACH (n, kept.unusable)
		if (rspb_node_back(n, now))
			rspb_nodeset_add(kept.rebooted, n);
	rspb_nodeset_minus(kept.unusable, kept.rebooted);
	rspb_node_silent(kept.silent);
	kept.taken = now;
	return true;
}

static struct rspb_block *block_all(struct rspb_occupancy *occ, const struct rspb_nodeset *nodes,
				    int64_t end, const char *what)
{
	struct rspb_block *block = rspb_nodeset_empty(nodes)
					   ? NULL
					   : rspb_occupancy_add(occ, occ->now, end);

	if (block) {
		rspb_nodeset_or(block->nodes, nodes);
		snprintf(block->what, sizeof(block->what), "%s", what);
	}
	return block;
}

/* RET when a node that is rebooted serves again: behind the jobs that it has, as far
 * as those are known. */
static int64_t back_at(const struct rspb_occupancy *occ, uint32_t n)
{
	int64_t back = rspb_node_back(n, occ->now);
	int64_t jobs = occ->until ? occ->until[n] - occ->now : 0;

	if (jobs <= 0)
		return back;
	back += jobs;
	return back + STEP_S - back % STEP_S;
}

static void block_rebooted(struct rspb_occupancy *occ)
{
	size_t first = occ->n;

	RSPB_NODESET_EACH (n, kept.rebooted) {
		int64_t end = rspb_earlier(back_at(occ, n), occ->horizon);
		struct rspb_block *block = NULL;

		for (size_t i = first; i < occ->n && !block; i++)
			if (occ->blocks[i].end == end)
				block = &occ->blocks[i];
		if (!block)
			block = rspb_occupancy_add(occ, occ->now, end);
		if (!block)
			continue;
		rspb_nodeset_add(block->nodes, n);
		snprintf(block->what, sizeof(block->what), "a node that is rebooted");
	}
}

void rspb_occupancy_nodes(struct rspb_occupancy *occ)
{
	struct rspb_block *block;

	if (!nodes_look(occ)) {
		occ->short_of_memory = true;
		return;
	}
	block_all(occ, kept.unusable, occ->horizon, "a node that is down or drained");
	block_rebooted(occ);
	block = block_all(occ, kept.silent, occ->now + RSPB_SILENT_S,
			  "a node that does not answer");
	if (block)
		block->passing = true;
}
