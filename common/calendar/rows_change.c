/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes of rows (Li et al., section 4.1: add and delete). */
#include "common/calendar/rows.h"

void rspb_rows_from(const struct rspb_rows *rows,
		    const struct rspb_nodeset *nodes, uint64_t *to)
{
	memset(to, 0, rows->words * sizeof(*to));
	memcpy(to, nodes->bits, nodes->words * sizeof(*to));
}

/* RET whether a node is booked, or with `booked` one is not, somewhere
 * within [start, end). */
static bool clashes(const struct rspb_rows *rows, int64_t start, int64_t end,
		    const uint64_t *nodes, bool booked)
{
	struct rspb_place at = rspb_rows_find(rows, start);

	while (rspb_rows_time(rows, at) < end) {
		const struct rspb_rows_chunk *chunk =
			rows->entries[at.slot].chunk;

		/* A whole chunk without any of the nodes. */
		if (!booked && !at.in &&
		    !rspb_row_meets(rspb_rows_any(rows, chunk), nodes,
				    rows->words)) {
			at.slot++;
			continue;
		}
		for (; at.in < chunk->count && chunk->records[at.in].time < end;
		     at.in++) {
			const uint64_t *row = rspb_rows_row(rows, chunk, at.in);

			if (booked ? !rspb_row_within(nodes, row, rows->words)
				   : rspb_row_meets(nodes, row, rows->words))
				return true;
		}
		at = (struct rspb_place){ at.slot + 1, 0 };
	}
	return false;
}

/* Have a record at time. */
static void cut_at(struct rspb_rows *rows, int64_t time)
{
	struct rspb_place at = rspb_rows_find(rows, time);

	if (rspb_rows_time(rows, at) != time)
		rspb_rows_insert(rows, at, time);
}

/* Drop the record at place when nothing changes there. */
static void join_at(struct rspb_rows *rows, struct rspb_place at)
{
	size_t bytes = rows->words * sizeof(uint64_t);

	if ((at.slot || at.in) &&
	    !memcmp(rspb_rows_at(rows, at),
		    rspb_rows_at(rows, rspb_rows_prev(rows, at)), bytes))
		rspb_rows_erase(rows, at);
}

/* Book the nodes in the records from..to-1 of a chunk, or free them. */
static void change_chunk(struct rspb_rows *rows, struct rspb_rows_chunk *chunk,
			 uint32_t from, uint32_t to, const uint64_t *nodes,
			 bool book)
{
	uint64_t *any = rspb_rows_any(rows, chunk);

	for (uint32_t i = from; i < to; i++) {
		uint64_t *row = rspb_rows_row(rows, chunk, i);

		if (book)
			rspb_row_or(row, nodes, rows->words);
		else
			rspb_row_minus(row, nodes, rows->words);
	}
	if (book)
		rspb_row_or(any, nodes, rows->words);
	else if (to - from == chunk->count)
		rspb_row_minus(any, nodes, rows->words);
	else
		rspb_rows_unite(rows, chunk);
}

/* Book nodes in [start, end), or free them; memory has been reserved. */
static void change(struct rspb_rows *rows, int64_t start, int64_t end,
		   const uint64_t *nodes, bool book)
{
	struct rspb_place at;

	cut_at(rows, start);
	cut_at(rows, end);
	at = rspb_rows_find(rows, start);
	while (rspb_rows_time(rows, at) < end) {
		struct rspb_rows_chunk *chunk = rows->entries[at.slot].chunk;
		uint32_t to = at.in;

		while (to < chunk->count && chunk->records[to].time < end)
			to++;
		change_chunk(rows, chunk, at.in, to, nodes, book);
		at = (struct rspb_place){ at.slot + 1, 0 };
	}
}

/* Room for a change of [start, end), which reaches the record behind it. */
static int reserve(struct rspb_rows *rows, int64_t start, int64_t end)
{
	return rspb_rows_reserve(rows, rspb_rows_find(rows, start).slot,
				 rspb_rows_find(rows, end).slot);
}

int rspb_rows_add(struct rspb_profile *profile, int64_t start, int64_t end,
		  const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	struct rspb_rows *rows = profile->rows;
	uint64_t *row = rspb_rows_temp(rows, RSPB_TEMP_NODES);

	rspb_rows_from(rows, nodes, row);
	if (clashes(rows, start, end, row, false))
		return rspb_profile_not_free(start, end, err);
	if (reserve(rows, start, end))
		return rspb_profile_no_memory(err);
	change(rows, start, end, row, true);
	join_at(rows, rspb_rows_find(rows, end));
	join_at(rows, rspb_rows_find(rows, start));
	return 0;
}

int rspb_rows_remove(struct rspb_profile *profile, int64_t start, int64_t end,
		     const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	struct rspb_rows *rows = profile->rows;
	uint64_t *row = rspb_rows_temp(rows, RSPB_TEMP_NODES);

	rspb_rows_from(rows, nodes, row);
	if (clashes(rows, start, end, row, true))
		return rspb_profile_not_booked(start, end, err);
	if (reserve(rows, start, end))
		return rspb_profile_no_memory(err);
	change(rows, start, end, row, false);
	join_at(rows, rspb_rows_find(rows, end));
	join_at(rows, rspb_rows_find(rows, start));
	return 0;
}

int rspb_rows_cover(struct rspb_profile *profile, int64_t start, int64_t end,
		    const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	struct rspb_rows *rows = profile->rows;
	uint64_t *row = rspb_rows_temp(rows, RSPB_TEMP_NODES);
	int64_t time = end;

	rspb_rows_from(rows, nodes, row);
	if (reserve(rows, start, end))
		return rspb_profile_no_memory(err);
	change(rows, start, end, row, true);
	/* Records inside may have become alike. */
	while (time >= start) {
		struct rspb_place at = rspb_rows_find(rows, time);

		time = rspb_rows_time(rows, at);
		if (time >= start)
			join_at(rows, at);
		time--;
	}
	return 0;
}
