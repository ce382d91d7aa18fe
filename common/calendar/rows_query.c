/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What rows answer about one window or one start. */
#include "common/calendar/rows.h"

void rspb_rows_base(const struct rspb_profile *profile,
		    const struct rspb_nodeset *eligible, uint64_t *base)
{
	const struct rspb_rows *rows = profile->rows;

	memset(base, 0xff, rows->words * sizeof(*base));
	for (uint32_t i = 0; i < profile->nodes / 64; i++)
		base[i] = eligible ? ~eligible->bits[i] : 0;
	if (profile->nodes % 64)
		base[profile->nodes / 64] =
			eligible ? ~eligible->bits[profile->nodes / 64]
				 : UINT64_MAX << profile->nodes % 64;
}

/* Add to `to` all that is booked somewhere within [start, end). */
static void add_booked(const struct rspb_rows *rows, int64_t start, int64_t end,
		       uint64_t *to)
{
	struct rspb_place at = rspb_rows_find(rows, start);

	for (; rspb_rows_time(rows, at) < end; at.slot++, at.in = 0) {
		const struct rspb_rows_chunk *chunk =
			rows->entries[at.slot].chunk;

		if (!at.in && chunk->records[chunk->count - 1].time < end) {
			rspb_row_or(to, rspb_rows_any(rows, chunk),
				    rows->words);
			continue;
		}
		for (; at.in < chunk->count && chunk->records[at.in].time < end;
		     at.in++)
			rspb_row_or(to, rspb_rows_row(rows, chunk, at.in),
				    rows->words);
	}
}

RSPB_WIDE int64_t rspb_rows_right(const struct rspb_rows *rows,
				  struct rspb_place place,
				  const uint64_t *free_nodes)
{
	size_t words = rows->words;

	for (; place.slot < rows->count; place.slot++, place.in = 0) {
		const struct rspb_rows_chunk *chunk =
			rows->entries[place.slot].chunk;

		if (!place.in && !rspb_row_meets(rspb_rows_any(rows, chunk),
						 free_nodes, words))
			continue;
		for (; place.in < chunk->count; place.in++)
			if (rspb_row_meets(rspb_rows_row(rows, chunk, place.in),
					   free_nodes, words))
				return chunk->records[place.in].time;
	}
	return RSPB_TIME_MAX;
}

RSPB_WIDE int64_t rspb_rows_left(const struct rspb_rows *rows,
				 struct rspb_place place,
				 const uint64_t *free_nodes)
{
	const struct rspb_rows_chunk *chunk = rows->entries[place.slot].chunk;
	int64_t begin = chunk->records[place.in].time;
	size_t words = rows->words;

	for (;;) {
		while (place.in) {
			if (rspb_row_meets(rspb_rows_row(rows, chunk,
							 place.in - 1),
					   free_nodes, words))
				return begin;
			begin = chunk->records[--place.in].time;
		}
		for (;;) {
			if (!place.slot)
				return begin;
			chunk = rows->entries[--place.slot].chunk;
			if (rspb_row_meets(rspb_rows_any(rows, chunk),
					   free_nodes, words))
				break;
			begin = chunk->records[0].time;
		}
		place.in = chunk->count;
	}
}

/* Write a row's nodes into a set; a row may hold more bits than that. */
static void to_set(const uint64_t *row, struct rspb_nodeset *set)
{
	memcpy(set->bits, row, set->words * sizeof(*row));
}

void rspb_rows_free_over(const struct rspb_profile *profile, int64_t start,
			 int64_t end, struct rspb_nodeset *out)
{
	const struct rspb_rows *rows = profile->rows;
	uint64_t *booked = rspb_rows_temp(rows, RSPB_TEMP_FREE);

	rspb_rows_base(profile, NULL, booked);
	add_booked(rows, start, end, booked);
	rspb_row_neither(booked, booked, booked, booked, rows->words);
	to_set(booked, out);
}

void rspb_rows_peak(const struct rspb_profile *profile, int64_t start,
		    int64_t end, uint32_t *most, uint32_t *fewest)
{
	const struct rspb_rows *rows = profile->rows;
	struct rspb_place at = rspb_rows_find(rows, start);

	*most = 0;
	*fewest = UINT32_MAX;
	for (; rspb_rows_time(rows, at) < end; at = rspb_rows_next(rows, at)) {
		uint32_t n = rspb_row_count(rspb_rows_at(rows, at),
					    rows->words);

		*most = n > *most ? n : *most;
		*fewest = n < *fewest ? n : *fewest;
	}
}

/* Add amount to the figure of each node in bits, 64 nodes from n on. Sums
 * wrap on the way; the last one does not. */
static void add_each(int64_t *figures, uint32_t n, uint64_t bits,
		     uint64_t amount)
{
	for (; bits; bits &= bits - 1) {
		int64_t *at = figures + n + __builtin_ctzll(bits);

		*at = (int64_t) ((uint64_t) *at + amount);
	}
}

/* Take off the time at which a node is booked, add that of its release. */
void rspb_rows_load(const struct rspb_profile *profile, int64_t start,
		    int64_t end, int64_t *per_node)
{
	const struct rspb_rows *rows = profile->rows;
	uint64_t *before = rspb_rows_temp(rows, RSPB_TEMP_FREE);
	struct rspb_place at = rspb_rows_find(rows, start);
	uint32_t words = (uint32_t) (((size_t) profile->nodes + 63) / 64);

	memset(per_node, 0, profile->nodes * sizeof(*per_node));
	memset(before, 0, words * sizeof(*before));
	for (;; at = rspb_rows_next(rows, at)) {
		int64_t time = rspb_rows_time(rows, at);
		const uint64_t *row;

		if (time >= end)
			break;
		row = rspb_rows_at(rows, at);
		time = time > start ? time : start;
		for (uint32_t i = 0; i < words; i++) {
			add_each(per_node, i * 64, row[i] & ~before[i],
				 -(uint64_t) time);
			add_each(per_node, i * 64, before[i] & ~row[i],
				 (uint64_t) time);
			before[i] = row[i];
		}
	}
	for (uint32_t i = 0; i < words; i++)
		add_each(per_node, i * 64, before[i], (uint64_t) end);
}

/* Let the nodes of row that are in rest have this figure, and leave rest. */
static void settle(const struct rspb_rows *rows, uint64_t *rest,
		   const uint64_t *row, int64_t *figures, int64_t figure)
{
	for (uint32_t i = 0; i < rows->words; i++) {
		uint64_t bits = rest[i] & (row ? row[i] : UINT64_MAX);

		rest[i] &= ~bits;
		for (; bits; bits &= bits - 1)
			figures[i * 64 + (uint32_t) __builtin_ctzll(bits)] =
				figure;
	}
}

/* The right ends of gaps: walk until each node of rest has been met. */
static void right_gaps(const struct rspb_rows *rows, struct rspb_place at,
		       uint64_t *rest, int64_t *right)
{
	for (; at.slot < rows->count && !rspb_row_empty(rest, rows->words);
	     at.slot++, at.in = 0) {
		const struct rspb_rows_chunk *chunk =
			rows->entries[at.slot].chunk;

		if (!rspb_row_meets(rspb_rows_any(rows, chunk), rest,
				    rows->words))
			continue;
		for (; at.in < chunk->count; at.in++)
			settle(rows, rest, rspb_rows_row(rows, chunk, at.in),
			       right, chunk->records[at.in].time);
	}
	settle(rows, rest, NULL, right, RSPB_TIME_MAX);
}

/* The left ones, from the records before place. */
static void left_gaps(const struct rspb_profile *profile, struct rspb_place at,
		      uint64_t *rest, int64_t *left)
{
	const struct rspb_rows *rows = profile->rows;
	int64_t begin = rspb_rows_time(rows, at);

	while ((at.slot || at.in) && !rspb_row_empty(rest, rows->words)) {
		const struct rspb_rows_chunk *chunk;

		if (!at.in)
			at.in = rows->entries[--at.slot].chunk->count;
		chunk = rows->entries[at.slot].chunk;
		if (!rspb_row_meets(rspb_rows_any(rows, chunk), rest,
				    rows->words)) {
			at.in = 0;
			begin = chunk->records[0].time;
			continue;
		}
		while (at.in) {
			settle(rows, rest, rspb_rows_row(rows, chunk, --at.in),
			       left, begin);
			begin = chunk->records[at.in].time;
		}
	}
	settle(rows, rest, NULL, left, profile->now);
}

int rspb_rows_gaps(const struct rspb_profile *profile, int64_t start,
		   int64_t end, const struct rspb_nodeset *free_nodes,
		   int64_t *left, int64_t *right, struct rspb_err *err)
{
	const struct rspb_rows *rows = profile->rows;
	uint64_t *nodes = rspb_rows_temp(rows, RSPB_TEMP_NODES);
	uint64_t *booked = rspb_rows_temp(rows, RSPB_TEMP_FREE);
	struct rspb_place behind;

	rspb_rows_from(rows, free_nodes, nodes);
	memset(booked, 0, rows->words * sizeof(*booked));
	add_booked(rows, start, end, booked);
	if (rspb_row_meets(booked, nodes, rows->words))
		return rspb_profile_no_gap(start, end, err);
	behind = rspb_rows_find(rows, end);
	if (rspb_rows_time(rows, behind) < end)
		behind = rspb_rows_next(rows, behind);
	right_gaps(rows, behind, nodes, right);
	rspb_rows_from(rows, free_nodes, nodes);
	left_gaps(profile, rspb_rows_find(rows, start), nodes, left);
	return 0;
}

void rspb_rows_measure(const struct rspb_profile *profile,
		       const struct rspb_query *query, int64_t start,
		       struct rspb_rect *rect, struct rspb_nodeset *set)
{
	const struct rspb_rows *rows = profile->rows;
	uint64_t *nodes = rspb_rows_temp(rows, RSPB_TEMP_FREE);
	int64_t end = start + query->duration;
	struct rspb_place behind = rspb_rows_find(rows, end);

	if (rspb_rows_time(rows, behind) < end)
		behind = rspb_rows_next(rows, behind);
	rspb_rows_base(profile, query->eligible, nodes);
	add_booked(rows, start, end, nodes);
	*rect = (struct rspb_rect){
		.start = start,
		.free = rspb_row_neither(nodes, nodes, nodes, nodes,
					 rows->words),
	};
	rect->left = rspb_rows_left(rows, rspb_rows_find(rows, start), nodes);
	rect->right = rspb_rows_right(rows, behind, nodes);
	if (set)
		to_set(nodes, set);
}

int rspb_rows_tell(const struct rspb_profile *profile,
		   rspb_profile_record_fn fn, void *arg)
{
	const struct rspb_rows *rows = profile->rows;
	struct rspb_nodeset *booked = profile->scratch->rest;
	struct rspb_place at = { 0, 0 };
	int rc = 0;

	/* Nothing booked now is no record. */
	if (rspb_row_empty(rspb_rows_at(rows, at), rows->words))
		at = rspb_rows_next(rows, at);
	for (; !rc && at.slot < rows->count; at = rspb_rows_next(rows, at)) {
		to_set(rspb_rows_at(rows, at), booked);
		rc = fn(rspb_rows_time(rows, at), booked, arg);
	}
	return rc;
}
