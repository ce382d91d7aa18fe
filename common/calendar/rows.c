/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where rows are kept: chunks, who has them, records in and out. */
#include <stdlib.h>

#include "common/base/array.h"
#include "common/calendar/rows.h"

static size_t chunk_bytes(const struct rspb_rows *rows)
{
	size_t bytes = sizeof(struct rspb_rows_chunk) +
		       ((size_t) RSPB_ROWS + 1) * rows->words *
			       sizeof(uint64_t);

	return (bytes + 63) / 64 * 64;
}

/* A chunk without a record. RET NULL without memory. */
static struct rspb_rows_chunk *chunk_create(const struct rspb_rows *rows)
{
	struct rspb_rows_chunk *chunk = aligned_alloc(64, chunk_bytes(rows));

	if (!chunk)
		return NULL;
	atomic_init(&chunk->users, 1);
	chunk->count = 0;
	chunk->used = 0;
	return chunk;
}

static void chunk_drop(struct rspb_rows_chunk *chunk)
{
	if (chunk && atomic_fetch_sub_explicit(&chunk->users, 1,
					       memory_order_acq_rel) == 1)
		free(chunk);
}

/* No other profile has it, nor can get it but from this one. */
static bool owned(const struct rspb_rows_chunk *chunk)
{
	return atomic_load_explicit(&chunk->users, memory_order_acquire) == 1;
}

struct rspb_place rspb_rows_find(const struct rspb_rows *rows, int64_t time)
{
	const struct rspb_rows_chunk *chunk;
	size_t low = 0, high = rows->count;
	struct rspb_place place;

	while (high - low > 1) {
		size_t mid = low + (high - low) / 2;

		if (rows->entries[mid].time <= time)
			low = mid;
		else
			high = mid;
	}
	place = (struct rspb_place){ low, 0 };
	chunk = rows->entries[low].chunk;
	while (place.in + 1 < chunk->count &&
	       chunk->records[place.in + 1].time <= time)
		place.in++;
	return place;
}

size_t rspb_rows_records(const struct rspb_rows *rows)
{
	size_t records = 0;

	for (size_t i = 0; i < rows->count; i++)
		records += rows->entries[i].chunk->count;
	return records;
}

void rspb_rows_unite(struct rspb_rows *rows, struct rspb_rows_chunk *chunk)
{
	uint64_t *any = rspb_rows_any(rows, chunk);

	memcpy(any, rspb_rows_row(rows, chunk, 0), rows->words * sizeof(*any));
	for (uint32_t i = 1; i < chunk->count; i++)
		rspb_row_or(any, rspb_rows_row(rows, chunk, i), rows->words);
}

/* Put a record at index `in`, its row as it happens to be. RET the row. */
static uint64_t *chunk_put(struct rspb_rows *rows,
			   struct rspb_rows_chunk *chunk, uint32_t in,
			   int64_t time)
{
	uint32_t slot = (uint32_t) __builtin_ctz(~chunk->used);

	memmove(chunk->records + in + 1, chunk->records + in,
		(chunk->count - in) * sizeof(chunk->records[0]));
	chunk->records[in] = (struct rspb_rows_record){ time, slot };
	chunk->used |= UINT32_C(1) << slot;
	chunk->count++;
	return rspb_rows_row(rows, chunk, in);
}

/* Append records from..to-1 of another chunk. */
static void chunk_take(struct rspb_rows *rows, struct rspb_rows_chunk *chunk,
		       const struct rspb_rows_chunk *other, uint32_t from,
		       uint32_t to)
{
	for (; from < to; from++)
		memcpy(chunk_put(rows, chunk, chunk->count,
				 other->records[from].time),
		       rspb_rows_row(rows, other, from),
		       rows->words * sizeof(uint64_t));
}

/* Leave out the records from `in` on. */
static void chunk_cut(struct rspb_rows_chunk *chunk, uint32_t in)
{
	while (chunk->count > in)
		chunk->used &= ~(UINT32_C(1)
				 << chunk->records[--chunk->count].slot);
}

static struct rspb_rows_chunk *chunk_copy(struct rspb_rows *rows,
					  const struct rspb_rows_chunk *from)
{
	struct rspb_rows_chunk *copy = chunk_create(rows);

	if (!copy)
		return NULL;
	chunk_take(rows, copy, from, 0, from->count);
	memcpy(rspb_rows_any(rows, copy), rspb_rows_any(rows, from),
	       rows->words * sizeof(uint64_t));
	return copy;
}

int rspb_rows_reserve(struct rspb_rows *rows, size_t from, size_t to)
{
	if (rspb_array_grow(&rows->entries, &rows->room,
			    rows->count + RSPB_ROWS_SPARES,
			    sizeof(*rows->entries)))
		return -1;
	for (size_t i = 0; i < RSPB_ROWS_SPARES; i++)
		if (!rows->spares[i] && !(rows->spares[i] = chunk_create(rows)))
			return -1;
	for (; from <= to && from < rows->count; from++) {
		struct rspb_rows_entry *entry = &rows->entries[from];
		struct rspb_rows_chunk *copy;

		if (owned(entry->chunk))
			continue;
		copy = chunk_copy(rows, entry->chunk);
		if (!copy)
			return -1;
		chunk_drop(entry->chunk);
		entry->chunk = copy;
	}
	return 0;
}

/* Have an empty chunk at index i: one of the spares. */
static struct rspb_rows_chunk *open_chunk(struct rspb_rows *rows, size_t i)
{
	size_t spare = rows->spares[0] ? 0 : 1;
	struct rspb_rows_chunk *chunk = rows->spares[spare];

	rows->spares[spare] = NULL;
	memmove(rows->entries + i + 1, rows->entries + i,
		(rows->count - i) * sizeof(*rows->entries));
	rows->entries[i].chunk = chunk;
	rows->count++;
	return chunk;
}

static void close_chunks(struct rspb_rows *rows, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++) {
		struct rspb_rows_chunk *chunk = rows->entries[i].chunk;
		struct rspb_rows_chunk **spare = &rows->spares[0];

		while (spare < rows->spares + RSPB_ROWS_SPARES && *spare)
			spare++;
		if (spare < rows->spares + RSPB_ROWS_SPARES && owned(chunk)) {
			chunk_cut(chunk, 0);
			*spare = chunk;
		} else {
			chunk_drop(chunk);
		}
	}
	memmove(rows->entries + from, rows->entries + to,
		(rows->count - to) * sizeof(*rows->entries));
	rows->count -= to - from;
}

/* Make room behind place. RET place, which may have moved. */
static struct rspb_place split(struct rspb_rows *rows, struct rspb_place place)
{
	struct rspb_rows_chunk *chunk = rows->entries[place.slot].chunk;
	struct rspb_rows_chunk *behind = open_chunk(rows, place.slot + 1);
	/* What grows at its end stays full. */
	bool last = place.slot + 2 == rows->count &&
		    place.in + 1 == chunk->count;
	uint32_t half = last ? chunk->count - 1 : chunk->count / 2;

	chunk_take(rows, behind, chunk, half, chunk->count);
	chunk_cut(chunk, half);
	rspb_rows_unite(rows, chunk);
	rspb_rows_unite(rows, behind);
	rows->entries[place.slot + 1].time = behind->records[0].time;
	if (place.in >= half)
		return (struct rspb_place){ place.slot + 1, place.in - half };
	return place;
}

void rspb_rows_insert(struct rspb_rows *rows, struct rspb_place place,
		      int64_t time)
{
	struct rspb_rows_chunk *chunk;
	uint64_t *row;

	if (rows->entries[place.slot].chunk->count == RSPB_ROWS)
		place = split(rows, place);
	chunk = rows->entries[place.slot].chunk;
	row = chunk_put(rows, chunk, place.in + 1, time);
	memcpy(row, rspb_rows_row(rows, chunk, place.in),
	       rows->words * sizeof(*row));
}

/* Two neighbours that fill half a chunk together become one. */
static void join_chunks(struct rspb_rows *rows, size_t i)
{
	struct rspb_rows_chunk *chunk = rows->entries[i].chunk;
	struct rspb_rows_chunk *behind;

	if (i + 1 >= rows->count)
		return;
	behind = rows->entries[i + 1].chunk;
	if (chunk->count + behind->count > RSPB_ROWS / 2 || !owned(chunk))
		return;
	chunk_take(rows, chunk, behind, 0, behind->count);
	rspb_row_or(rspb_rows_any(rows, chunk), rspb_rows_any(rows, behind),
		    rows->words);
	close_chunks(rows, i + 1, i + 2);
}

void rspb_rows_erase(struct rspb_rows *rows, struct rspb_place place)
{
	struct rspb_rows_chunk *chunk = rows->entries[place.slot].chunk;
	uint32_t behind = chunk->count - place.in - 1;

	chunk->used &= ~(UINT32_C(1) << chunk->records[place.in].slot);
	memmove(chunk->records + place.in, chunk->records + place.in + 1,
		behind * sizeof(chunk->records[0]));
	if (!--chunk->count) {
		close_chunks(rows, place.slot, place.slot + 1);
		return;
	}
	rows->entries[place.slot].time = chunk->records[0].time;
	rspb_rows_unite(rows, chunk);
	join_chunks(rows, place.slot);
	if (place.slot)
		join_chunks(rows, place.slot - 1);
}

int rspb_rows_append(struct rspb_rows *rows, int64_t time,
		     const struct rspb_nodeset *booked)
{
	struct rspb_place last;
	uint64_t *row = rspb_rows_temp(rows, RSPB_TEMP_NODES);
	size_t bytes = rows->words * sizeof(*row);

	if (rspb_rows_reserve(rows, rows->count < 2 ? 0 : rows->count - 2,
			      rows->count))
		return -1;
	rspb_rows_from(rows, booked, row);
	last = rspb_rows_find(rows, INT64_MAX);
	if (rspb_rows_time(rows, last) == time && (last.slot || last.in)) {
		rspb_rows_erase(rows, last);
		last = rspb_rows_find(rows, INT64_MAX);
	}
	if (rspb_rows_time(rows, last) < time) {
		if (!memcmp(rspb_rows_at(rows, last), row, bytes))
			return 0;
		rspb_rows_insert(rows, last, time);
		last = rspb_rows_find(rows, INT64_MAX);
	}
	memcpy(rspb_rows_at(rows, last), row, bytes);
	rspb_rows_unite(rows, rows->entries[last.slot].chunk);
	return 0;
}

/* Rows without a chunk. RET NULL without memory. */
static struct rspb_rows *rows_create(uint32_t nodes, size_t room)
{
	struct rspb_rows *rows = calloc(1, sizeof(*rows));

	if (!rows)
		return NULL;
	rows->words = (nodes / (64 * RSPB_LANES) +
		       (nodes % (64 * RSPB_LANES) != 0 || !nodes)) *
		      RSPB_LANES;
	rows->temp = malloc((size_t) RSPB_TEMP_ROWS * rows->words *
			    sizeof(*rows->temp));
	if (rows->temp && !rspb_array_grow(&rows->entries, &rows->room, room,
					   sizeof(*rows->entries)))
		return rows;
	free(rows->temp);
	free(rows);
	return NULL;
}

static int init(struct rspb_profile *profile)
{
	struct rspb_rows *rows = rows_create(profile->nodes, 1);
	struct rspb_rows_chunk *chunk;

	profile->rows = rows;
	if (!rows || !(chunk = chunk_create(rows)))
		return -1;
	rows->entries[0] = (struct rspb_rows_entry){ profile->now, chunk };
	rows->count = 1;
	memset(chunk_put(rows, chunk, 0, profile->now), 0,
	       rows->words * sizeof(uint64_t));
	rspb_rows_unite(rows, chunk);
	return 0;
}

static int clone(struct rspb_profile *to, const struct rspb_profile *from)
{
	const struct rspb_rows *old = from->rows;
	struct rspb_rows *rows = rows_create(to->nodes, old->count);

	to->rows = rows;
	if (!rows)
		return -1;
	for (; rows->count < old->count; rows->count++) {
		rows->entries[rows->count] = old->entries[rows->count];
		atomic_fetch_add_explicit(
			&rows->entries[rows->count].chunk->users, 1,
			memory_order_relaxed);
	}
	return 0;
}

bool rspb_rows_shed(struct rspb_rows *rows, size_t chunks)
{
	for (; rows->count && chunks; chunks--)
		chunk_drop(rows->entries[--rows->count].chunk);
	if (rows->count)
		return false;
	for (size_t i = 0; i < RSPB_ROWS_SPARES; i++)
		free(rows->spares[i]);
	free(rows->entries);
	free(rows->front);
	free(rows->temp);
	free(rows);
	return true;
}

static void fini(struct rspb_profile *profile)
{
	if (profile->rows)
		rspb_rows_shed(profile->rows, SIZE_MAX);
	profile->rows = NULL;
}

static int advance(struct rspb_profile *profile, int64_t now,
		   struct rspb_err *err)
{
	struct rspb_rows *rows = profile->rows;
	struct rspb_place first = rspb_rows_find(rows, now);
	struct rspb_rows_chunk *chunk;

	if (rspb_rows_reserve(rows, first.slot, first.slot))
		return rspb_profile_no_memory(err);
	close_chunks(rows, 0, first.slot);
	chunk = rows->entries[0].chunk;
	for (uint32_t i = 0; i < first.in; i++)
		chunk->used &= ~(UINT32_C(1) << chunk->records[i].slot);
	chunk->count -= first.in;
	memmove(chunk->records, chunk->records + first.in,
		chunk->count * sizeof(chunk->records[0]));
	chunk->records[0].time = rows->entries[0].time = now;
	rspb_rows_unite(rows, chunk);
	join_chunks(rows, 0);
	return 0;
}

static int64_t last(const struct rspb_profile *profile)
{
	const struct rspb_rows *rows = profile->rows;
	const struct rspb_rows_chunk *chunk =
		rows->entries[rows->count - 1].chunk;

	return chunk->records[chunk->count - 1].time;
}

static void stats(const struct rspb_profile *profile,
		  struct rspb_profile_stats *stats)
{
	const struct rspb_rows *rows = profile->rows;
	size_t chunks = rows->count;

	stats->points = rspb_rows_records(rows) - 1;
	stats->groups = stats->points + 1;
	for (size_t i = 0; i < RSPB_ROWS_SPARES; i++)
		chunks += rows->spares[i] != NULL;
	stats->bytes += sizeof(*rows) + rows->room * sizeof(*rows->entries) +
			chunks * chunk_bytes(rows) +
			((size_t) RSPB_TEMP_ROWS * rows->words +
			 rows->front_room) *
				sizeof(uint64_t);
}

const struct rspb_profile_form rspb_profile_rows = {
	.init = init,
	.clone = clone,
	.fini = fini,
	.add = rspb_rows_add,
	.remove = rspb_rows_remove,
	.cover = rspb_rows_cover,
	.advance = advance,
	.last = last,
	.free_over = rspb_rows_free_over,
	.peak = rspb_rows_peak,
	.load = rspb_rows_load,
	.gaps = rspb_rows_gaps,
	.measure = rspb_rows_measure,
	.search = rspb_rows_search,
	.candidates = rspb_rows_candidates,
	.records = rspb_rows_tell,
	.stats = stats,
	.validate = rspb_rows_validate,
};
