/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds the ledger anew, in its order: the journal, what Slurm kept, what does not
 * fit. How each is done jobs/ and operators/ know. */
#include "plugins/ctld/watch/recover.h"

#include <stdlib.h>

#include "plugins/compat/abi.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/compat/submit/draft.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/capacity.h"
#include "plugins/ctld/book/kind.h"
#include "plugins/ctld/jobs/recover.h"
#include "plugins/ctld/jobs/redo.h"
#include "plugins/ctld/operators/operator.h"

static void refresh(struct rspb_ledger *ledger, size_t i,
		    const uint8_t *dedicated, int64_t now)
{
	struct rspb_booking *new = rspb_booking_clone(
		rspb_ledger_at(ledger, i));
	struct rspb_record record = {
		.kind = RSPB_REC_CHANGE,
		.time = now,
		.booking = new,
	};
	const struct rspb_kind *kind;
	struct rspb_err err;

	if (!new)
		return;
	kind = rspb_kind_of(new->request);
	if (kind->refresh)
		kind->refresh(new, dedicated);
	if (rspb_ledger_apply(ledger, &record, &err))
		rspb_log_error("%s", err.text);
	rspb_booking_destroy(new);
}

/* dedicated: as of the book, where the nodes have changed; else NULL. */
static void refresh_all(struct rspb_ledger *ledger, const uint8_t *dedicated,
			int64_t now)
{
	struct rspb_section section;
	size_t i = 0;

	while (i < rspb_ledger_count(ledger) &&
	       rspb_section_enter(&section, RSPB_LOCK_WRITE, "eligible")) {
		do {
			refresh(ledger, i++, dedicated, now);
			section.items++;
		} while (i < rspb_ledger_count(ledger) &&
			 !rspb_section_spent(&section));
		rspb_section_leave(&section);
	}
}

/* Put into the ledger what Slurm has kept, as it was promised, whatever the
 * settings say by now. RET 0, or -1: out of memory. */
static int gather(struct rspb_recovery *to, uint8_t **dedicated,
		  struct rspb_nodeset **lent)
{
	int64_t *capacity = NULL;
	int rc = -1;

	if (!rspb_capacity_lent(to->width, to->config, lent))
		capacity = rspb_capacity_shares(to->width, to->config, *lent);
	to->ledger = rspb_capacity_ledger(to->width, to->config, to->now);
	*dedicated = rspb_capacity_beside(to->width, to->config);
	if (to->ledger && capacity) {
		rspb_jobs_recover(to);
		rspb_operator_recover(to);
		rc = rspb_ledger_resize(to->ledger, capacity);
	}
	free(capacity);
	if (rc) {
		rspb_ledger_destroy(to->ledger);
		free(*dedicated);
		rspb_nodeset_destroy(*lent);
	}
	return rc;
}

/* Before anything of Slurm's is changed. */
static int check_records(struct rspb_err *err)
{
	struct rspb_section section;
	bool good;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "recover"))
		return rspb_fail(err, "slurmctld is going down");
	good = rspb_abi_records_ok();
	rspb_section_leave(&section);
	return good ? 0 : rspb_fail(err, "bookings stay switched off");
}

int rspb_recover(const struct rspb_config *config, bool fresh, int64_t now,
		 struct rspb_err *err)
{
	struct rspb_recovery to = { .config = config,
				    .now = now,
				    .fresh = fresh };
	struct rspb_section section;
	struct rspb_nodeset *lent;
	uint8_t *dedicated;
	uint64_t table, before = rspb_book_table();
	int rc;

	rspb_book_reset(NULL, NULL, 0);
	if (check_records(err))
		return -1;
	if (fresh) {
		rspb_jobs_redo(config, now);
		rspb_operator_redo(config, now);
	}
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "recover"))
		return rspb_fail(err, "slurmctld is going down");
	to.width = rspb_node_width();
	table = rspb_node_fingerprint();
	rc = gather(&to, &dedicated, &lent);
	rspb_section_leave(&section);
	if (rc)
		return rspb_fail(err, "no memory for the ledger");
	rspb_jobs_repair(&to);
	refresh_all(to.ledger, before && before != table ? dedicated : NULL,
		    now);
	rspb_log_info("ledger for %u nodes: %zu bookings kept, %zu lost, %zu "
		      "jobs wait, %zu reservations without a job removed",
		      rspb_node_count(), to.booked, to.lost, to.waiting,
		      to.removed);
	rspb_draft_lend(lent);
	rspb_book_lend(lent, false);
	rspb_book_reset(to.ledger, dedicated, table);
	return 0;
}
