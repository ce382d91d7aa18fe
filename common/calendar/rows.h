/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rows: the form of a profile for sets of nodes that are scattered. By time,
 * in chunks, the booked set from each record on, as a row of bits; each chunk
 * with the union of its rows. The first record is now, whatever is booked
 * then; nothing is booked at the last. doc/performance.md draws it.
 *
 * Copies of a profile share chunks until one of them changes: a chunk that
 * has more users than one is never written to.
 */
#ifndef RSPB_CALENDAR_ROWS_H
#define RSPB_CALENDAR_ROWS_H

#include <stdatomic.h>

#include "common/calendar/bits.h"
#include "common/calendar/internal.h"

/* Records in a chunk, at most 32; tests make it small. */
#ifndef RSPB_ROWS
#define RSPB_ROWS 32
#endif

struct rspb_rows_record {
	int64_t time;
	uint32_t slot; /* where its row lies */
};

struct rspb_rows_chunk {
	atomic_uint users; /* profiles that hold it */
	uint32_t count;	   /* records, never 0 */
	uint32_t used;	   /* a bit for each slot in use */
	struct rspb_rows_record records[RSPB_ROWS]; /* by rising time */
	/* RSPB_ROWS rows, then the union of those in use. */
	_Alignas(64) uint64_t bits[];
};

/* A chunk, and the time of its first record. */
struct rspb_rows_entry {
	int64_t time;
	struct rspb_rows_chunk *chunk;
};

enum { RSPB_ROWS_SPARES = 2 }; /* as many splits as a change can cause */

/* An estimate of how many groups there would be; profile_choice.c. */
struct rspb_rows_sweep {
	int64_t at; /* records up to here have been looked at */
	uint32_t records;
	uint64_t groups, nodes;
};

struct rspb_rows {
	uint32_t words; /* of a row */
	struct rspb_rows_entry *entries;
	size_t count, room;
	struct rspb_rows_chunk *spares[RSPB_ROWS_SPARES];
	struct rspb_rows_sweep sweep;
	/* Memory of one call, kept for the next one. */
	uint64_t *temp;	   /* RSPB_TEMP_ROWS rows */
	uint64_t *front;   /* of a search */
	size_t front_room; /* words */
};

/* What the rows in `temp` are for. */
enum {
	RSPB_TEMP_NODES, /* those that a call is about */
	RSPB_TEMP_BASE,	 /* that no start can have */
	RSPB_TEMP_FREE,
	RSPB_TEMP_MIDDLE,
	RSPB_TEMP_BACK,
	RSPB_TEMP_PREFIX,
	RSPB_TEMP_SUFFIX, /* as many as a chunk has records */
	RSPB_TEMP_ROWS = RSPB_TEMP_SUFFIX + RSPB_ROWS
};

RSPB_INLINE uint64_t *rspb_rows_temp(const struct rspb_rows *rows, size_t i)
{
	return rows->temp + i * rows->words;
}

extern const struct rspb_profile_form rspb_profile_rows;

/* --- storage (profile_rows.c) --- */

RSPB_INLINE uint64_t *rspb_rows_row(const struct rspb_rows *rows,
				    const struct rspb_rows_chunk *chunk,
				    uint32_t in)
{
	return (uint64_t *) chunk->bits +
	       (size_t) chunk->records[in].slot * rows->words;
}

/* The union of a chunk's rows. */
RSPB_INLINE uint64_t *rspb_rows_any(const struct rspb_rows *rows,
				    const struct rspb_rows_chunk *chunk)
{
	return (uint64_t *) chunk->bits + (size_t) RSPB_ROWS * rows->words;
}

/* The row, and the time, of the record at place. */
RSPB_INLINE uint64_t *rspb_rows_at(const struct rspb_rows *rows,
				   struct rspb_place place)
{
	return rspb_rows_row(rows, rows->entries[place.slot].chunk, place.in);
}

RSPB_INLINE int64_t rspb_rows_time(const struct rspb_rows *rows,
				   struct rspb_place place)
{
	return place.slot == rows->count ? INT64_MAX
					 : rows->entries[place.slot]
						   .chunk->records[place.in]
						   .time;
}

/* The next place; slot == rows->count: behind the last. */
RSPB_INLINE struct rspb_place rspb_rows_next(const struct rspb_rows *rows,
					     struct rspb_place place)
{
	if (++place.in == rows->entries[place.slot].chunk->count) {
		place.slot++;
		place.in = 0;
	}
	return place;
}

/* The place before, which there must be. */
RSPB_INLINE struct rspb_place rspb_rows_prev(const struct rspb_rows *rows,
					     struct rspb_place place)
{
	if (!place.in)
		place.in = rows->entries[--place.slot].chunk->count;
	place.in--;
	return place;
}

/* RET the last record not after time, which must not be before the first. */
struct rspb_place rspb_rows_find(const struct rspb_rows *rows, int64_t time);
size_t rspb_rows_records(const struct rspb_rows *rows);

/*
 * Let this profile alone have the chunks from..to, and have spare chunks for
 * one change. RET -1 without memory, nothing changed that can be seen.
 */
int rspb_rows_reserve(struct rspb_rows *rows, size_t from, size_t to);
/* The following never fail within what was reserved. */
/* A new record behind place, with the same row. */
void rspb_rows_insert(struct rspb_rows *rows, struct rspb_place place,
		      int64_t time);
/* Not the first of all; the chunk's union is made afresh. */
void rspb_rows_erase(struct rspb_rows *rows, struct rspb_place place);
/* Make a chunk's union afresh. */
void rspb_rows_unite(struct rspb_rows *rows, struct rspb_rows_chunk *chunk);

/* Give up so many chunks of rows that nobody uses any more. RET true when all
 * is given back, rows itself, too. */
bool rspb_rows_shed(struct rspb_rows *rows, size_t chunks);
/* A last record with this set instead of an empty one; time not before it.
 * RET -1 without memory, nothing changed. */
int rspb_rows_append(struct rspb_rows *rows, int64_t time,
		     const struct rspb_nodeset *booked);

/* --- changes (profile_rows_change.c) --- */

/* A row with these nodes; to has rows->words. */
void rspb_rows_from(const struct rspb_rows *rows,
		    const struct rspb_nodeset *nodes, uint64_t *to);
int rspb_rows_add(struct rspb_profile *profile, int64_t start, int64_t end,
		  const struct rspb_nodeset *nodes, struct rspb_err *err);
int rspb_rows_remove(struct rspb_profile *profile, int64_t start, int64_t end,
		     const struct rspb_nodeset *nodes, struct rspb_err *err);
int rspb_rows_cover(struct rspb_profile *profile, int64_t start, int64_t end,
		    const struct rspb_nodeset *nodes, struct rspb_err *err);

/* --- questions (profile_rows_query.c, profile_rows_search.c) --- */

/* Mark in base the nodes that no start can have: not eligible, or beyond the
 * profile's width. */
void rspb_rows_base(const struct rspb_profile *profile,
		    const struct rspb_nodeset *eligible, uint64_t *base);
/* The end of the rectangle: the first record from place on that has a node
 * of free_nodes booked, RSPB_TIME_MAX when none has. */
int64_t rspb_rows_right(const struct rspb_rows *rows, struct rspb_place place,
			const uint64_t *free_nodes);
/* Its begin: where the last record before place ends that has one booked. */
int64_t rspb_rows_left(const struct rspb_rows *rows, struct rspb_place place,
		       const uint64_t *free_nodes);
void rspb_rows_free_over(const struct rspb_profile *profile, int64_t start,
			 int64_t end, struct rspb_nodeset *out);
void rspb_rows_peak(const struct rspb_profile *profile, int64_t start,
		    int64_t end, uint32_t *most, uint32_t *fewest);
void rspb_rows_load(const struct rspb_profile *profile, int64_t start,
		    int64_t end, int64_t *per_node);
int rspb_rows_gaps(const struct rspb_profile *profile, int64_t start,
		   int64_t end, const struct rspb_nodeset *free_nodes,
		   int64_t *left, int64_t *right, struct rspb_err *err);
void rspb_rows_measure(const struct rspb_profile *profile,
		       const struct rspb_query *query, int64_t start,
		       struct rspb_rect *rect, struct rspb_nodeset *set);
int rspb_rows_tell(const struct rspb_profile *profile,
		   rspb_profile_record_fn fn, void *arg);
int rspb_rows_search(const struct rspb_profile *profile,
		     const struct rspb_query *query,
		     const struct rspb_when *when, struct rspb_rect *rect,
		     struct rspb_nodeset *set);
int64_t rspb_rows_candidates(const struct rspb_profile *profile,
			     const struct rspb_query *query,
			     struct rspb_rect **rects);
int rspb_rows_validate(const struct rspb_profile *profile,
		       struct rspb_err *err);

#endif
