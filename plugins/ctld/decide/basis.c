/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/decide/basis.h"

#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/occupancy.h"

struct rspb_ledger *rspb_basis_make(const struct rspb_config *config,
				    int64_t now)
{
	const struct rspb_ledger *book = rspb_book_ledger();
	struct rspb_occupancy occupancy;
	struct rspb_ledger *basis;
	struct rspb_section section;
	const struct rspb_record advance = {
		.kind = RSPB_REC_ADVANCE,
		.time = now,
	};
	struct rspb_err err;
	bool good;

	rspb_occupancy_init(&occupancy, rspb_ledger_nodes(book), now,
			    now + config->horizon + 1);
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "occupancy"))
		return NULL;
	good = rspb_node_fingerprint() == rspb_book_table() &&
	       !rspb_occupancy_collect(&occupancy, 0, &err);
	section.items = occupancy.n;
	rspb_section_leave(&section);
	basis = good ? rspb_ledger_clone(book) : NULL;
	/* What is over lies in nobody's way. Time may have gone back. */
	if (basis)
		rspb_ledger_apply(basis, &advance, NULL);
	if (basis && rspb_occupancy_block(&occupancy, basis, &err)) {
		rspb_log_error("occupancy: %s", err.text);
		rspb_ledger_destroy(basis);
		basis = NULL;
	}
	rspb_occupancy_fini(&occupancy);
	return basis;
}
