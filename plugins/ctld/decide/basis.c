/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/decide/basis.h"

#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/occupancy.h"

static int64_t others;

int64_t rspb_basis_others(void)
{
	return others;
}

bool rspb_basis_look(struct rspb_occupancy *occupancy,
		     const struct rspb_config *config, int64_t now)
{
	struct rspb_section section;
	bool good;

	rspb_occupancy_init(occupancy, rspb_ledger_nodes(rspb_book_ledger()),
			    now, now + config->horizon + 1);
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "occupancy")) {
		rspb_occupancy_fini(occupancy);
		return false;
	}
	good = rspb_node_fingerprint() == rspb_book_table() &&
	       !rspb_occupancy_collect(occupancy, 0, NULL);
	section.items = occupancy->n;
	others = rspb_resv_others();
	rspb_section_leave(&section);
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

	/* What is over lies in nobody's way. Time may have gone back. */
	if (basis)
		rspb_ledger_apply(basis, &advance, NULL);
	if (basis && rspb_occupancy_block(occupancy, basis, &err)) {
		rspb_log_error("occupancy: %s", err.text);
		rspb_ledger_destroy(basis);
		basis = NULL;
	}
	return basis;
}

struct rspb_ledger *rspb_basis_make(const struct rspb_config *config,
				    int64_t now)
{
	struct rspb_occupancy occupancy;
	struct rspb_ledger *basis;

	if (!rspb_basis_look(&occupancy, config, now))
		return NULL;
	basis = rspb_basis_of(&occupancy);
	rspb_occupancy_fini(&occupancy);
	return basis;
}
