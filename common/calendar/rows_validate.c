/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every invariant of the rows, checked without trusting any. */
#include <inttypes.h>

#include "common/calendar/rows.h"

static int check_slots(const struct rspb_rows_chunk *chunk, size_t i,
		       struct rspb_err *err)
{
	uint32_t used = 0;

	if (!chunk->count || chunk->count > RSPB_ROWS)
		return rspb_fail(err, "chunk %zu holds %" PRIu32 " records", i,
				 chunk->count);
	for (uint32_t n = 0; n < chunk->count; n++) {
		if (chunk->records[n].slot >= RSPB_ROWS ||
		    used >> chunk->records[n].slot & 1)
			return rspb_fail(err,
					 "chunk %zu has two records in "
					 "one row, or none",
					 i);
		used |= UINT32_C(1) << chunk->records[n].slot;
	}
	if (used != chunk->used)
		return rspb_fail(err, "chunk %zu miscounts its rows", i);
	return 0;
}

/* The row lies within the machine and differs from the one before. */
static int check_row(const struct rspb_profile *profile, struct rspb_place at,
		     struct rspb_err *err)
{
	const struct rspb_rows *rows = profile->rows;
	const uint64_t *row = rspb_rows_at(rows, at);
	uint64_t *beyond = rspb_rows_temp(rows, RSPB_TEMP_BASE);
	int64_t time = rspb_rows_time(rows, at);
	struct rspb_place before;

	rspb_rows_base(profile, NULL, beyond);
	if (rspb_row_meets(row, beyond, rows->words))
		return rspb_fail(
			err, "a node beyond the width is booked at %" PRId64,
			time);
	if (!at.slot && !at.in)
		return time == profile->now
			       ? 0
			       : rspb_fail(err,
					   "the first record lies at %" PRId64
					   ", not at now",
					   time);
	before = rspb_rows_prev(rows, at);
	if (rspb_rows_time(rows, before) >= time)
		return rspb_fail(err,
				 "the record at %" PRId64 " is out of order",
				 time);
	if (!memcmp(row, rspb_rows_at(rows, before),
		    rows->words * sizeof(*row)))
		return rspb_fail(err,
				 "nothing changes at the record at %" PRId64,
				 time);
	return 0;
}

static int check_chunk(const struct rspb_profile *profile, size_t i,
		       struct rspb_err *err)
{
	const struct rspb_rows *rows = profile->rows;
	const struct rspb_rows_entry *entry = &rows->entries[i];
	const struct rspb_rows_chunk *chunk = entry->chunk;
	uint64_t *any = rspb_rows_temp(rows, RSPB_TEMP_FREE);

	if (!atomic_load_explicit(&chunk->users, memory_order_relaxed))
		return rspb_fail(err, "chunk %zu has no user", i);
	if (check_slots(chunk, i, err))
		return -1;
	if (entry->time != chunk->records[0].time)
		return rspb_fail(err, "chunk %zu does not begin as said", i);
	memset(any, 0, rows->words * sizeof(*any));
	for (uint32_t n = 0; n < chunk->count; n++) {
		if (check_row(profile, (struct rspb_place){ i, n }, err))
			return -1;
		rspb_row_or(any, rspb_rows_row(rows, chunk, n), rows->words);
	}
	if (memcmp(any, rspb_rows_any(rows, chunk), rows->words * sizeof(*any)))
		return rspb_fail(err, "chunk %zu is not the union of its rows",
				 i);
	return 0;
}

int rspb_rows_validate(const struct rspb_profile *profile, struct rspb_err *err)
{
	const struct rspb_rows *rows = profile->rows;

	if (!rows->count)
		return rspb_fail(err, "there is no record at now");
	for (size_t i = 0; i < rows->count; i++)
		if (check_chunk(profile, i, err))
			return -1;
	if (!rspb_row_empty(rspb_rows_at(rows, rspb_rows_find(rows, INT64_MAX)),
			    rows->words))
		return rspb_fail(err, "nodes are booked without an end");
	return 0;
}
