/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the copy of the book that a plan is made on, with what stands in the way. It
 * plans nothing on it. */
#include "plugins/ctld/decide/basis.h"

#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/book/placed.h"
#include "plugins/ctld/book/starts.h"

struct rspb_seen rspb_basis_seen(void)
{
	return (struct rspb_seen){ .others = rspb_resv_others(), .starts = rspb_starts_count() };
}

/* Note the state that tells of later jobs, and the jobs that have nodes; a job that gets nodes
 * while they are listed counts as a later one. RET false: not possible. */
static bool see_placed(struct rspb_occupancy *occupancy)
{
	struct rspb_section section;
	bool inside = true, good;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "placed"))
		return false;
	occupancy->seen = rspb_basis_seen();
	good = rspb_node_fingerprint() == rspb_book_table() && !rspb_placed_see(&section, &inside);
	if (inside)
		rspb_section_leave(&section);
	return good && inside;
}

/* Some of the jobs, and behind them all else. RET whether the nodes are the same.
 * Nothing else is done in between: who asks holds bookings of the ledger. */
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

bool rspb_basis_look(struct rspb_occupancy *occupancy, const struct rspb_config *config,
		     int64_t now)
{
	const uint32_t *ids;
	size_t n, i = 0;
	bool good;

	rspb_occupancy_init(occupancy, rspb_ledger_nodes(rspb_book_ledger()), now,
			    now + config->horizon + 1);
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

	/* A booking that is over is in nobody's way. Time may have gone back. */
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
