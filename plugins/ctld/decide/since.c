/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks whether what a plan found free is free still, the cheapest way first. It
 * changes nothing. */
#include "plugins/ctld/decide/since.h"

#include <inttypes.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/starts.h"
#include "plugins/ctld/decide/basis.h"

enum { SOON_S = 60 };

void rspb_since_init(struct rspb_since *since, const struct rspb_config *config, int64_t planned_at,
		     struct rspb_seen planned)
{
	*since = (struct rspb_since){
		.config = config,
		.planned_at = planned_at,
		.planned = planned,
	};
}

void rspb_since_again(struct rspb_since *since)
{
	since->again = true;
}

void rspb_since_fini(struct rspb_since *since)
{
	if (since->looked)
		rspb_occupancy_fini(&since->occupancy);
	since->looked = false;
}

static bool each_is(bool (*fn)(const struct rspb_nodeset *set), const struct rspb_booking *booking)
{
	for (uint32_t i = 0; i < booking->n_grants; i++)
		if (!fn(booking->grants[i].nodes))
			return false;
	return true;
}

/* Whether jobs that others have begun since matter to this booking. A node that is being cleaned
 * up, or fails, does not matter to a booking that does not start soon, on nodes that can be counted
 * on. */
static bool starts_tell(const struct rspb_since *since, const struct rspb_booking *booking)
{
	return booking->start >= since->planned_at + SOON_S && each_is(rspb_node_usable, booking);
}

/* Every start or failure changes a node; reservations of others come one by one. The watch handles
 * those that change their windows. */
static bool nothing_new(const struct rspb_since *since, const struct rspb_booking *booking)
{
	const struct rspb_seen is = rspb_basis_seen();

	if (is.others != since->planned.others)
		return false;
	return rspb_ctld_changed(RSPB_CHANGED_NODES) < since->planned_at ||
	       each_is(rspb_node_idle, booking) ||
	       (is.starts == since->planned.starts && starts_tell(since, booking));
}

/* Whether what was seen under the lock that was given up is good still. */
static bool holds(const struct rspb_since *since, const struct rspb_booking *booking)
{
	const struct rspb_seen is = rspb_basis_seen();

	return since->seen.starts == is.starts && since->seen.others == is.others &&
	       starts_tell(since, booking);
}

static bool look_at_occupancy(struct rspb_since *since, const struct rspb_booking *booking)
{
	uint32_t ids[RSPB_STARTS_MOST];
	int n;

	if (since->looked && (!since->again || holds(since, booking)))
		return true;
	rspb_since_fini(since);
	since->again = false;
	since->seen = rspb_basis_seen();
	n = rspb_starts_since(since->planned.starts, ids);
	if (n < 0)
		return false;
	rspb_occupancy_init(&since->occupancy, rspb_ledger_nodes(rspb_book_ledger()),
			    since->planned_at, since->planned_at + since->config->horizon + 1);
	rspb_occupancy_jobs(&since->occupancy, ids, (size_t) n);
	since->looked = !rspb_occupancy_collect(&since->occupancy, NULL);
	if (!since->looked)
		rspb_occupancy_fini(&since->occupancy);
	return since->looked;
}

bool rspb_since_leaves(struct rspb_since *since, const struct rspb_booking *booking)
{
	uint32_t i;

	if (nothing_new(since, booking))
		return true;
	if (!look_at_occupancy(since, booking))
		return false;
	for (i = 0; i < booking->n_grants; i++) {
		const struct rspb_block *block = rspb_occupancy_hit(
			&since->occupancy, booking->start, booking->end, booking->grants[i].nodes,
			booking->grants[i].share && !booking->request->parts[i].whole);

		if (!block)
			continue;
		rspb_log_verbose("job %" PRIu64 ": its nodes were taken while "
				 "it was planned (job %u); trying again",
				 booking->request->id, block->job);
		return false;
	}
	return true;
}
