/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds the ledger anew: first what Slurm has lost, then all jobs and reservations, and the
 * mirror at the end. The work on each is done by the files of kinds/. */
#include "plugins/ctld/watch/watch.h"

#include <stdlib.h>

#include "plugins/compat/abi.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/job.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/kinds/recover.h"
#include "plugins/ctld/kinds/watch.h"
#include "plugins/ctld/mirror/mirror.h"
#include "plugins/ctld/observe/following.h"
#include "plugins/ctld/record/durable.h"

/* Apply a promise of the journal if its job is missing or if it is of a reservation. Jobs
 * that exist are visited later, with their components. RET whether the promise goes. */
static bool redo_one(const struct rspb_promise *promise, int64_t now)
{
	struct rspb_job job;

	if (rspb_promise_number(promise))
		return rspb_operator_redo(promise, now);
	/* A requeued job has another second of submission, and exists. */
	return !rspb_job_find((uint32_t) promise->key, &job) && rspb_lost_keep(promise, now);
}

/* The inputs and the result of making a ledger; owned until the book has it. */
struct making {
	struct rspb_recovery to;
	uint8_t *dedicated;
	int64_t *capacity;
};

static void making_drop(struct making *making)
{
	rspb_ledger_destroy(making->to.ledger);
	free(making->dedicated);
	free(making->capacity);
}

/* Begin a ledger for the nodes as they are now. before: the table of the last ledger, 0: not
 * known. RET 0, or -1: out of memory, or slurmctld is going down. */
static int making_begin(struct making *making, uint64_t before)
{
	struct rspb_recovery *to = &making->to;
	const struct rspb_config *config = to->config;
	struct rspb_nodeset *lent;
	struct rspb_section section;

	if (!rspb_section_enter(&section, RSPB_LOCK_WRITE, "machine"))
		return -1;
	/* Jobs that lose their bookings in the walk need the waiting room. */
	rspb_room_make(to->now);
	to->width = rspb_node_width();
	to->table = rspb_node_fingerprint();
	if (!rspb_capacity_lent(to->width, config, &lent)) {
		making->capacity = rspb_capacity_shares(to->width, config, lent);
		/* Bookings of parts have no other nodes, also as they are read. */
		rspb_book_lend(lent, false);
	}
	to->ledger = rspb_capacity_ledger(to->width, config, to->now);
	making->dedicated = rspb_capacity_beside(to->width, config);
	/* Cores of shares have numbers of the old nodes, and get new ones. */
	if (before && before != to->table)
		to->moved = making->dedicated;
	rspb_section_leave(&section);
	return to->ledger && making->capacity ? 0 : -1;
}

/* Enter all that was promised, whatever the settings say by now. Reservations are read after
 * jobs. The capacity for shares comes last: what was promised stays, though it may be more by
 * now. RET 0, 1: the nodes have changed meanwhile, or -1. */
static int gather(struct making *making, uint64_t before)
{
	struct rspb_recovery *to = &making->to;
	struct rspb_section section;
	int rc = making_begin(making, before);

	if (!rc)
		rc = rspb_jobs_recover(to);
	if (rc)
		return rc;
	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "reservations"))
		return -1;
	rc = rspb_node_fingerprint() != to->table;
	if (!rc) {
		rspb_operator_recover(to);
		rc = rspb_ledger_resize(to->ledger, making->capacity);
	}
	rspb_section_leave(&section);
	return rc;
}

/* Check, before anything of Slurm is changed, that its records have the layout that this
 * plugin was built for. RET 0, or -1 with err. */
static int check_records(struct rspb_err *err)
{
	struct rspb_section section;
	bool good;

	if (!rspb_section_enter(&section, RSPB_LOCK_READ, "recover"))
		return rspb_fail(err, "slurmctld is shutting down");
	good = rspb_abi_records_ok();
	rspb_section_leave(&section);
	return good ? 0 : rspb_fail(err, "bookings stay switched off");
}

/* How often it is begun again if the nodes change meanwhile. */
enum { TRIES = 5 };

int rspb_recover(const struct rspb_config *config, bool fresh, int64_t now, struct rspb_err *err)
{
	struct making making;
	struct rspb_recovery *to = &making.to;
	uint64_t before = rspb_book_table();
	size_t removed;
	int rc = 1;

	rspb_book_reset(NULL, NULL, 0);
	if (check_records(err))
		return -1;
	/* Only a crash or a restart can have separated the journal and Slurm's records. */
	if (fresh)
		rspb_durable_redo(redo_one, now);
	for (int i = 0; i < TRIES && rc > 0; i++) {
		making = (struct making){ .to = { .config = config, .now = now, .fresh = fresh } };
		rc = gather(&making, before);
		if (rc)
			making_drop(&making);
	}
	if (rc)
		return rspb_fail(err, "no ledger: no memory, nodes that change all the time, or "
				      "slurmctld is shutting down");
	free(making.capacity);
	rspb_book_reset(to->ledger, making.dedicated, to->table);
	/* An orphan may hold nodes that a restored reservation needs. */
	removed = rspb_jobs_remove_orphans(now);
	rspb_late_compare(config, fresh, now);
	rspb_log_info("ledger for %u nodes: %zu bookings kept, %zu lost, %zu "
		      "jobs wait, %zu reservations without a job removed",
		      rspb_node_count(), to->booked, to->lost, to->waiting, removed);
	return 0;
}
