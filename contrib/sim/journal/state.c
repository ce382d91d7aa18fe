/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the state that all lines of a journal need. */
#include <stdlib.h>
#include <string.h>

#include "contrib/sim/journal/journal.h"
#include "contrib/sim/jsonl/read.h"

int journal_want_machine(const struct journal *journal, const struct sim_record *record,
			 struct rspb_err *err)
{
	if (journal->ledger)
		return 0;
	rspb_fail(err, journal->gaps ? "after a gap the machine must follow"
				     : "the first line must be the machine");
	return sim_at(record, err);
}

void journal_drop_basis(struct journal *journal)
{
	rspb_ledger_destroy(journal->basis);
	journal->basis = NULL;
}

void journal_forget(struct journal *journal)
{
	journal_drop_basis(journal);
	rspb_ledger_destroy(journal->ledger);
	journal->ledger = NULL;
	for (size_t k = 0; k < journal->n_contenders; k++) {
		rspb_ledger_destroy(journal->contenders[k].own);
		journal->contenders[k].own = NULL;
	}
	for (uint32_t i = 0; journal->names && i < journal->nodes; i++)
		free(journal->names[i]);
	free(journal->names);
	journal->names = NULL;
}

struct rspb_booking *journal_read_booking(const struct journal *journal,
					  const struct sim_record *record, struct rspb_err *err)
{
	const char *text = sim_text(record->object);
	struct rspb_booking *booking;

	if (journal_want_machine(journal, record, err))
		return NULL;
	booking = sim_read_booking(text, strlen(text), journal->nodes, err);
	if (!booking)
		sim_at(record, err);
	return booking;
}

int journal_read_bookings(const struct journal *journal, const struct sim_record *record,
			  struct rspb_booking ***list, size_t *n, struct rspb_err *err)
{
	struct json_object *array = sim_array(record, "bookings", err);
	struct sim_record one = *record;
	size_t length;

	*n = 0;
	*list = NULL;
	if (!array || journal_want_machine(journal, record, err))
		return -1;
	length = json_object_array_length(array);
	*list = calloc(length + 1, sizeof(**list));
	if (!*list)
		return rspb_fail(err, "out of memory");
	while (*n < length) {
		one.object = json_object_array_get_idx(array, *n);
		(*list)[*n] = journal_read_booking(journal, &one, err);
		if (!(*list)[*n])
			return -1;
		++*n;
	}
	return 0;
}

int journal_apply(struct journal *journal, const struct sim_record *record,
		  enum rspb_record_kind kind, const struct rspb_booking *booking,
		  struct rspb_err *err)
{
	struct rspb_record change = {
		.kind = kind,
		.time = journal->now,
		.id = booking->request->id,
		.booking = booking,
		.bookings = &booking,
		.n_bookings = 1,
	};

	journal_drop_basis(journal);
	return rspb_ledger_apply(journal->ledger, &change, err) ? sim_at(record, err) : 0;
}
