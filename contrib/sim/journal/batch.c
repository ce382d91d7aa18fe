/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A batch of a journal: from its first block to its last decision. */
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "contrib/sim/journal/journal.h"

void journal_batch_fini(struct journal *journal)
{
	for (size_t i = 0; i < journal->n; i++) {
		rspb_request_destroy(journal->requests[i]);
		for (size_t k = 0; journal->decided && k < journal->n_contenders; k++)
			rspb_booking_destroy(journal->contenders[k].decided[i]);
	}
	for (size_t i = 0; i < journal->n_recorded; i++)
		rspb_booking_destroy(journal->recorded[i]);
	journal->n = journal->n_recorded = 0;
	journal->decided = false;
	journal->without = 0;
}

void journal_drop_earlier(struct journal *journal)
{
	while (journal->n_earlier)
		rspb_booking_destroy(journal->earlier[--journal->n_earlier]);
}

/* Some of a batch are decided again in batches of their own before all are booked. */
static int keep(struct journal *journal, struct rspb_err *err)
{
	if (rspb_array_grow(&journal->earlier, &journal->room_earlier,
			    journal->n_earlier + journal->n_recorded, sizeof(*journal->earlier)))
		return rspb_fail(err, "out of memory");
	for (size_t i = 0; i < journal->n_recorded; i++)
		journal->earlier[journal->n_earlier++] = journal->recorded[i];
	journal->n_recorded = 0;
	return 0;
}

int journal_batch_end(struct journal *journal, bool cut, const struct sim_record *record,
		      struct rspb_err *err)
{
	bool whole = journal->n_recorded == journal->n;

	if (!whole && !cut) {
		rspb_fail(err,
			  "%zu of the %zu decisions before it are "
			  "missing",
			  journal->n - journal->n_recorded, journal->n);
		return sim_at(record, err);
	}
	journal->cut += !whole;
	/* A booking that is moved asks for nothing new. */
	for (size_t i = 0; !journal->without && i < journal->n_recorded; i++) {
		sim_sums_add(journal->recorded[i], &journal->sums);
		for (size_t k = 0; k < journal->n_contenders; k++)
			sim_sums_add(journal->contenders[k].decided[i],
				     &journal->contenders[k].sums);
	}
	if (keep(journal, err))
		return -1;
	journal_batch_fini(journal);
	return 0;
}

int journal_want_basis(struct journal *journal, const struct sim_record *record,
		       struct rspb_err *err)
{
	if (journal_want_machine(journal, record, err))
		return -1;
	if (journal->decided && journal_batch_end(journal, false, record, err))
		return -1;
	if (!journal->basis)
		journal->basis = rspb_ledger_clone(journal->ledger);
	return journal->basis ? 0 : rspb_fail(err, "out of memory");
}

static int advance(struct rspb_ledger *ledger, int64_t now, struct rspb_err *err)
{
	struct rspb_record record = { .kind = RSPB_REC_ADVANCE, .time = now };

	/* As a controller whose clock went back. */
	if (now <= rspb_ledger_now(ledger))
		return 0;
	return rspb_ledger_apply(ledger, &record, err);
}

struct rspb_ledger *journal_ground(const struct journal *journal, const struct rspb_ledger *from,
				   struct rspb_err *err)
{
	struct rspb_ledger *ledger = rspb_ledger_clone(from);

	if (!ledger) {
		rspb_fail(err, "out of memory");
	} else if (advance(ledger, journal->now, err) ||
		   (journal->without &&
		    rspb_ledger_cancel(ledger, journal->without, journal->now, err))) {
		rspb_ledger_destroy(ledger);
		ledger = NULL;
	}
	return ledger;
}
