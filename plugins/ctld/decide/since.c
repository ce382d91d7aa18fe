/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/decide/since.h"

#include <inttypes.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/decide/basis.h"

void rspb_since_init(struct rspb_since *since, const struct rspb_config *config,
		     int64_t planned_at)
{
	*since = (struct rspb_since){
		.config = config,
		.planned_at = planned_at,
	};
}

void rspb_since_again(struct rspb_since *since)
{
	if (since->looked)
		rspb_occupancy_fini(&since->occupancy);
	since->looked = false;
}

void rspb_since_fini(struct rspb_since *since)
{
	rspb_since_again(since);
}

static bool all_idle(const struct rspb_booking *booking)
{
	for (uint32_t i = 0; i < booking->n_grants; i++)
		if (!rspb_node_idle(booking->grants[i].nodes))
			return false;
	return true;
}

/* What starts or fails changes a node; reservations of others come one by one.
 * Those that change their windows are the watch's affair. */
static bool nothing_new(const struct rspb_since *since,
			const struct rspb_booking *booking)
{
	if (rspb_resv_others() != rspb_basis_others())
		return false;
	return rspb_ctld_changed(RSPB_CHANGED_NODES) < since->planned_at ||
	       all_idle(booking);
}

static bool look(struct rspb_since *since)
{
	if (since->looked)
		return true;
	rspb_occupancy_init(&since->occupancy,
			    rspb_ledger_nodes(rspb_book_ledger()),
			    since->planned_at,
			    since->planned_at + since->config->horizon + 1);
	since->looked = !rspb_occupancy_collect(&since->occupancy,
						since->planned_at, NULL);
	if (!since->looked)
		rspb_occupancy_fini(&since->occupancy);
	return since->looked;
}

bool rspb_since_leaves(struct rspb_since *since,
		       const struct rspb_booking *booking)
{
	uint32_t i;

	if (nothing_new(since, booking))
		return true;
	if (!look(since))
		return false;
	for (i = 0; i < booking->n_grants; i++) {
		const struct rspb_block *block = rspb_occupancy_hit(
			&since->occupancy, booking->start, booking->end,
			booking->grants[i].nodes, booking->grants[i].share);

		if (!block)
			continue;
		rspb_log_verbose("job %" PRIu64 ": its nodes were taken while "
				 "it was planned (job %u); trying again",
				 booking->request->id, block->job);
		return false;
	}
	return true;
}
