/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps when booked licenses are needed, so that regular jobs leave them. Only bookings count here,
 * not what Slurm has given out. */
#include "plugins/ctld/book/book.h"

#include <stdlib.h>

#include "common/base/array.h"
#include "plugins/ctld/book/state.h"

static int by_key_and_time(const void *a, const void *b)
{
	const struct rspb_licenses_step *x = a, *y = b;

	return x->key != y->key ? rspb_array_by_u64(&x->key, &y->key)
				: rspb_array_by_i64(&x->at, &y->at);
}

/* RET the first step of a key that is not before a time. */
static size_t first(uint64_t key, int64_t at)
{
	const struct rspb_licenses_step step = { .key = key, .at = at };

	return rspb_array_place(&step, rspb_licenses->steps, rspb_licenses->n, sizeof(step),
				by_key_and_time);
}

/* Add a change at a time, in sorted order. Steps that cancel each other are removed, so that
 * the list does not grow for ever. Without memory the change is not counted, and the booked job
 * may have to wait for its licenses. */
static void add(uint64_t key, int64_t at, int64_t change)
{
	const struct rspb_licenses_step step = { key, at, change };
	size_t i = first(key, at);

	if (i < rspb_licenses->n && rspb_licenses->steps[i].key == key &&
	    rspb_licenses->steps[i].at == at) {
		rspb_licenses->steps[i].change += change;
		if (!rspb_licenses->steps[i].change)
			rspb_array_remove(rspb_licenses->steps, &rspb_licenses->n,
					  &rspb_licenses->steps[i], sizeof(step));
		return;
	}
	rspb_array_insert(&rspb_licenses->steps, &rspb_licenses->room, &rspb_licenses->n, i, &step,
			  sizeof(step));
}

/* Count a booking (sign 1), or take it out again (-1). Once a job runs, Slurm itself knows its
 * licenses, so only bookings that have not begun count. A job that is requeued is booked again
 * (watch/requeued.c). */
static void count(const struct rspb_booking *b, int sign)
{
	if (!b || b->state != RSPB_BOOKED)
		return;
	for (uint32_t p = 0; p < b->n_grants; p++) {
		const struct rspb_part *part = &b->request->parts[p];

		for (uint32_t q = 0; q < part->n_quotas; q++) {
			const struct rspb_quota *quota = &part->quotas[q];

			if (!rspb_quota_of_license(quota))
				continue;
			add(quota->key, b->start, sign * quota->use);
			add(quota->key, b->end, -sign * quota->use);
		}
	}
}

/* Count the bookings that a record changes, as the ledger has them at this moment. An advance
 * of time changes none. */
static void count_all(const struct rspb_ledger *ledger, const struct rspb_record *record, int sign)
{
	uint64_t id = record->booking ? record->booking->request->id : record->id;

	if (record->kind == RSPB_REC_ADVANCE)
		return;
	if (record->kind != RSPB_REC_MOVE)
		count(rspb_ledger_find(ledger, id), sign);
	for (size_t i = 0; i < record->n_bookings; i++)
		count(rspb_ledger_find(ledger, record->bookings[i]->request->id), sign);
}

void rspb_licenses_forget(const struct rspb_ledger *ledger, const struct rspb_record *record)
{
	count_all(ledger, record, -1);
}

void rspb_licenses_learn(const struct rspb_ledger *ledger, const struct rspb_record *record)
{
	count_all(ledger, record, 1);
}

void rspb_licenses_reset(const struct rspb_ledger *ledger)
{
	free(rspb_licenses->steps);
	rspb_licenses->steps = NULL;
	rspb_licenses->n = rspb_licenses->room = 0;
	for (size_t i = 0; ledger && i < rspb_ledger_count(ledger); i++)
		count(rspb_ledger_at(ledger, i), 1);
}

int64_t rspb_licenses_peak(uint64_t key, int64_t start, int64_t end)
{
	int64_t sum = 0, most = 0;

	for (size_t i = first(key, INT64_MIN);
	     i < rspb_licenses->n && rspb_licenses->steps[i].key == key &&
	     rspb_licenses->steps[i].at < end;
	     i++) {
		/* A license is needed from a step up to the next. The sum counts only if that
		 * stretch meets the window. */
		sum += rspb_licenses->steps[i].change;
		/* The step that holds at the start began before it. */
		if (i + 1 < rspb_licenses->n && rspb_licenses->steps[i + 1].key == key &&
		    rspb_licenses->steps[i + 1].at <= start)
			continue;
		if (sum > most)
			most = sum;
	}
	return most;
}

bool rspb_licenses_any(void)
{
	return rspb_licenses->n;
}
