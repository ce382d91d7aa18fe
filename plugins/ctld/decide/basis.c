/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the copy of the book that a plan is made on, with what is in the way of bookings. It plans
 * nothing on it. Only the agent's thread runs this file. */
#include "plugins/ctld/decide/basis.h"

#include <inttypes.h>

#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"

/* RET the counts of others' reservations and of jobs that got nodes, with at least the read lock. A
 * basis keeps the counts from when it was made (rspb_ledger_seen). Other counts later show that
 * something has come since. */
static struct rspb_seen basis_seen(void)
{
	return (struct rspb_seen){ .others = rspb_ctld_counts().others,
				   .starts = rspb_starts_count() };
}

/* Note the state that tells of later jobs, and the jobs that have nodes; a job that gets nodes
 * while they are listed counts as a later one. RET false: not possible. */
static bool see_placed(struct rspb_occupancy *occupancy)
{
	struct rspb_section section;
	bool inside = true, good;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "placed"))
		return false;
	occupancy->seen = basis_seen();
	good = rspb_node_fingerprint() == rspb_book_table() && !rspb_placed_see(&section, &inside);
	if (inside)
		rspb_section_leave(&section);
	return good && inside;
}

/* Look at some of the jobs, and after the last of them at all else, in a section of its own. No
 * yield point is between two of these: callers hold bookings of the ledger. RET whether the nodes
 * are the same. */
static bool look_on(struct rspb_occupancy *occupancy, const uint32_t *ids, size_t n, size_t *i)
{
	struct rspb_section section;
	bool good;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "occupancy"))
		return false;
	good = rspb_node_fingerprint() == rspb_book_table();
	if (good && *i < n)
		rspb_occupancy_some(occupancy, ids, n, i, &section);
	if (good && *i == n)
		good = !rspb_occupancy_collect(occupancy, NULL);
	section.items = occupancy->n;
	rspb_section_leave(&section);
	return good;
}

/* Slurm may have tens of thousands of jobs, so the lock is released between pieces. A job that
 * starts meanwhile may not be seen here. The counts show it, and the commit looks for it. */
bool rspb_basis_look(struct rspb_occupancy *occupancy, const struct rspb_config *config,
		     int64_t now)
{
	const uint32_t *ids;
	size_t n, i = 0;
	bool good;

	rspb_occupancy_init(occupancy, rspb_ledger_nodes(rspb_book_ledger()), now,
			    now + rspb_rules_farthest(config) + 1);
	good = see_placed(occupancy);
	ids = rspb_placed_ids(&n);
	do
		good = good && look_on(occupancy, ids, n, &i);
	while (good && i < n);
	if (!good)
		rspb_occupancy_fini(occupancy);
	return good;
}

struct rspb_ledger *rspb_basis_of(const struct rspb_occupancy *occupancy)
{
	const struct rspb_record advance = {
		.kind = RSPB_REC_ADVANCE,
		.time = occupancy->now,
	};
	struct rspb_ledger *basis = rspb_ledger_clone(rspb_book_ledger());
	struct rspb_err err;

	/* Bookings that are over by now free their nodes. If the clock went back the ledger refuses
	 * that, and the basis stays at the ledger's own time. */
	if (basis) {
		rspb_ledger_see(basis, occupancy->seen);
		rspb_ledger_apply(basis, &advance, NULL);
	}
	if (basis && rspb_occupancy_block(occupancy, basis, &err)) {
		rspb_log_error("occupancy: %s", err.text);
		rspb_ledger_destroy(basis);
		basis = NULL;
	}
	return basis;
}

struct rspb_ledger *rspb_basis_make(const struct rspb_config *config, int64_t now)
{
	struct rspb_occupancy occupancy;
	struct rspb_ledger *basis;

	if (!rspb_basis_look(&occupancy, config, now))
		return NULL;
	basis = rspb_basis_of(&occupancy);
	rspb_occupancy_fini(&occupancy);
	return basis;
}

/* Asks whether what a plan found free is still free, the cheapest test first. It changes nothing.
 * The lock is held, and each booking of a batch is asked about. */

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

static bool each_is(enum rspb_nodes_all what, const struct rspb_booking *booking)
{
	for (uint32_t i = 0; i < booking->n_grants; i++)
		if (!rspb_nodes_are(what, booking->grants[i].nodes))
			return false;
	return true;
}

/* Whether the count of job starts is enough to tell that the nodes of a booking are still free.
 * That is so if it does not start soon, on nodes that can be counted on. A node that is being
 * cleaned up, or fails, does not matter to it then. */
static bool starts_tell(const struct rspb_since *since, const struct rspb_booking *booking)
{
	return booking->start >= since->planned_at + SOON_S && each_is(RSPB_NODES_USABLE, booking);
}

/* Whether nothing has come to the nodes of a booking since the plan. Every start or failure changes
 * a node, and reservations of others are counted. The watch handles those that change their
 * windows. */
static bool nothing_new(const struct rspb_since *since, const struct rspb_booking *booking)
{
	const struct rspb_seen is = basis_seen();

	if (is.others != since->planned.others)
		return false;
	/* Slurm stamps changes in whole seconds: one in the second of the plan counts as new. */
	return rspb_ctld_changed(RSPB_CHANGED_NODES) < since->planned_at ||
	       each_is(RSPB_NODES_IDLE, booking) ||
	       (is.starts == since->planned.starts && starts_tell(since, booking));
}

/* Whether what was seen before the lock was released still holds for a booking. */
static bool holds(const struct rspb_since *since, const struct rspb_booking *booking)
{
	const struct rspb_seen is = basis_seen();

	return since->seen.starts == is.starts && since->seen.others == is.others &&
	       starts_tell(since, booking);
}

/* Look at what has come since the plan: the jobs that got nodes, and all that is no job. RET false:
 * more jobs have started than are remembered, or memory is short; the booking waits for the next
 * batch. */
static bool look_at_occupancy(struct rspb_since *since, const struct rspb_booking *booking)
{
	uint32_t ids[RSPB_STARTS_MOST];
	int n;

	/* Under one lock a single look is enough for all bookings of a batch. */
	if (since->looked && (!since->again || holds(since, booking)))
		return true;
	rspb_since_fini(since);
	since->again = false;
	since->seen = basis_seen();
	n = rspb_starts_since(since->planned.starts, ids);
	if (n < 0)
		return false;
	rspb_occupancy_init(&since->occupancy, rspb_ledger_nodes(rspb_book_ledger()),
			    since->planned_at,
			    since->planned_at + rspb_rules_farthest(since->config) + 1);
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
		/* The plan was made without a lock, so this is no error. */
		rspb_log_verbose("job %" PRIu64 ": its nodes were taken while "
				 "it was planned (job %u); trying again",
				 booking->request->id, block->job);
		return false;
	}
	return true;
}
