/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The representation behind common/calendar/profile.h, for its own files only.
 *
 * No booked sets are kept. Each node's time is a chain of free gaps; all nodes
 * that share one gap [begin, end) make a group. A start s of a request of
 * length d can use exactly the groups with begin <= s and end >= s + d, so two
 * orders of the groups, by begin and by end, answer every question by sweeping
 * figures; node bits are touched for the one answer that is given back.
 * doc/performance.md draws it.
 */
#ifndef RSPB_CALENDAR_INTERNAL_H
#define RSPB_CALENDAR_INTERNAL_H

#include "common/calendar/pages.h"
#include "common/calendar/profile.h"
#include "common/calendar/sets.h"

/* Entries in a chunk; tests make it small, so that chunks split early. */
#ifndef RSPB_CHUNK
#define RSPB_CHUNK 128
#endif

/* A chunk with room for fewer entries than this is tight: it may have to be split at once. */
enum { RSPB_TIGHT = RSPB_CHUNK < 16 ? 1 : RSPB_CHUNK / 16 };

/* Slots of a top. */
enum { RSPB_TOP = 16 };

/* Entries in a row; behind them, in the order by begin, marks: a bit set that
 * holds at least all nodes of these groups. */
struct rspb_chunk {
	struct rspb_page page;
	struct rspb_entry at[RSPB_CHUNK];
};

/* Where a chunk lies, and what need not be looked up in it. */
struct rspb_slot {
	int64_t key, other; /* of its first entry */
	int64_t reach;	    /* largest `other` */
	int64_t longest;    /* largest distance of key and other */
	struct rspb_chunk *chunk;
	uint16_t count; /* entries, never 0 */
	uint16_t stale; /* changes since marks were made afresh */
};

/* The summary of some slots in a row, so that few lines of memory lead to any slot. */
struct rspb_top {
	int64_t key, other; /* of the first */
	int64_t reach;	    /* largest */
};

/*
 * Where keys were found last: a slot, and the place in it. A change looks up its own start and end,
 * and those of the gaps that it meets, several times each.
 */
enum { RSPB_HINT_BITS = 8, RSPB_HINT_IN_BITS = 16 };

struct rspb_hints {
	_Atomic uint64_t at[1 << RSPB_HINT_BITS];
};

/* Entries sorted by (key, other), in chunks that split when full. */
struct rspb_sorted {
	struct rspb_slot *slots;
	struct rspb_top *tops; /* one for RSPB_TOP slots each */
	size_t chunks, entries;
	size_t tight;			 /* chunks */
	size_t room, top_room;		 /* for slots, for tops */
	struct rspb_pages pages;	 /* chunks */
	const struct rspb_gapsets *sets; /* NULL: no marks are wanted */
	struct rspb_hints *hints;
	uint32_t mark_words;
};

/* A place in an order; slot == order->chunks: behind the last. */
struct rspb_place {
	size_t slot;
	uint32_t in;
};

/* A gap and those of its nodes that a change is about. */
struct rspb_touched {
	int64_t begin, end;
	uint32_t first, count; /* patches, in the scratch pool */
	uint32_t size;	       /* nodes */
	uint32_t next;	       /* of a chain, see change.c */
};

/* The nodes of a gap that carry one label, as patches. */
struct rspb_labelled {
	uint32_t first;	      /* of its room */
	uint32_t count, size; /* patches and nodes, 0 between two changes */
};

struct rspb_edge {
	int64_t begin, end;
};

/*
 * The starts that gaps allow a request: a gap comes in at its begin and goes
 * out behind the last start that ends within it. Both are *moments*: 2 t for
 * the second t itself, 2 t + 1 for what lies just behind it, so that a gap can
 * be used at the moments in <= m < out. Arrays, since most are read alone.
 */
struct rspb_spans {
	int64_t *in, *out;
	uint32_t *weight; /* eligible nodes */
	size_t count;
	void *at; /* holds the arrays */
	size_t room;
};

/* Bytes of a span; spans at either end that can never be used. */
enum { RSPB_SPAN_BYTES = 20, RSPB_SPAN_PAD = 4 };

/* Memory of one call, kept for the next one. */
struct rspb_scratch {
	struct rspb_nodeset *rest;
	struct rspb_nodeset *none; /* empty between two calls */
	uint64_t *none_words;	   /* a bit for each patch of none that has nodes */
	uint32_t *labels;	   /* one a node */
	struct rspb_patch *spread; /* eight for each word, see sets */
	struct rspb_patch *patches;
	size_t patch_count, patch_room;
	struct rspb_touched *touched;
	size_t touched_count, touched_room;
	size_t met_count;	      /* patches of the whole groups of these gaps */
	struct rspb_labelled *pieces; /* one a label */
	uint32_t *found;	      /* labels */
	size_t piece_room, found_room;
	struct rspb_edge *stack;
	size_t stack_room;
	struct rspb_spans ups, downs;
	int64_t *far; /* of edges.c */
	size_t far_room;
};

/* The index that copies of a profile share until one of them is changed, which then gets an index
 * of its own; chunks and sets go on being common. */
struct rspb_index {
	atomic_uint users;	    /* profiles */
	atomic_bool shared;	    /* another index has pages of this one */
	struct rspb_hints hints[3]; /* of the orders */
	struct rspb_gapsets sets;
	struct rspb_sorted begins;
	struct rspb_sorted ends;
	struct rspb_sorted records; /* times after now */
};

struct rspb_profile {
	uint32_t nodes;
	int64_t now;
	struct rspb_index *index;
	struct rspb_scratch *scratch;
};

/* --- orders (sorted.c, sorted_edit.c) --- */

/* Sets, which are the index's, are wanted for marks; so are the hints, which
 * change with look-ups. */
void rspb_sorted_init(struct rspb_sorted *order, const struct rspb_gapsets *sets, uint32_t nodes,
		      struct rspb_hints *hints);
/* Let an order that was just made have the same chunks. RET -1 without memory.
 */
int rspb_sorted_share(struct rspb_sorted *to, const struct rspb_sorted *from);
void rspb_sorted_fini(struct rspb_sorted *order);
/* Room for so many entries more, and for copies of so many chunks. RET -1
 * without memory. */
int rspb_sorted_reserve(struct rspb_sorted *order, size_t entries, size_t changes);
/* RET how many of a chunk's entries lie before (key, other). */
uint32_t rspb_chunk_find(const struct rspb_entry *chunk, uint32_t count, int64_t key,
			 int64_t other);
/* RET the place of the first entry >= (key, other). */
struct rspb_place rspb_sorted_find(const struct rspb_sorted *order, int64_t key, int64_t other);
/* Prefetch the chunk that it is in. */
void rspb_sorted_fetch(const struct rspb_sorted *order, int64_t key, int64_t other);
void rspb_sorted_insert(struct rspb_sorted *order, struct rspb_place place,
			struct rspb_entry entry);
void rspb_sorted_erase(struct rspb_sorted *order, struct rspb_place place);
/* Lower an entry's other without a change of its rank (not the first's). */
void rspb_sorted_shorten(struct rspb_sorted *order, struct rspb_place place, int64_t other);
/* The group at place has got these nodes, or lost some. */
void rspb_sorted_mark(struct rspb_sorted *order, struct rspb_place place,
		      struct rspb_patches nodes);
void rspb_sorted_fade(struct rspb_sorted *order, struct rspb_place place);

/* RET the entry at place, to be written to where its rank allows. */
struct rspb_entry *rspb_sorted_edit(struct rspb_sorted *order, struct rspb_place place);

static inline bool rspb_slot_is_tight(const struct rspb_slot *slot)
{
	return RSPB_CHUNK - slot->count < RSPB_TIGHT;
}

static inline const struct rspb_entry *rspb_sorted_chunk(const struct rspb_sorted *order,
							 size_t slot)
{
	return order->slots[slot].chunk->at;
}

static inline uint64_t *rspb_chunk_marks(struct rspb_chunk *chunk)
{
	return (uint64_t *) (chunk + 1);
}

/* RET the entry at place, NULL behind the last. */
static inline const struct rspb_entry *rspb_sorted_at(const struct rspb_sorted *order,
						      struct rspb_place place)
{
	if (place.slot >= order->chunks)
		return NULL;
	return rspb_sorted_chunk(order, place.slot) + place.in;
}

/* Runs through an order; `at` is a sentinel at the largest key at its end. */
struct rspb_cursor {
	const struct rspb_sorted *order;
	size_t slot;
	const struct rspb_entry *at, *start, *stop;
};

extern const struct rspb_entry rspb_sorted_sentinel;

static inline void rspb_cursor_load(struct rspb_cursor *cursor, size_t slot)
{
	cursor->slot = slot;
	if (slot < cursor->order->chunks) {
		cursor->at = rspb_sorted_chunk(cursor->order, slot);
		cursor->start = cursor->at;
		cursor->stop = cursor->at + cursor->order->slots[slot].count;
	} else {
		cursor->at = &rspb_sorted_sentinel;
		cursor->stop = NULL;
	}
}

static inline struct rspb_cursor rspb_cursor_at(const struct rspb_sorted *order,
						struct rspb_place place)
{
	struct rspb_cursor cursor = { .order = order };

	rspb_cursor_load(&cursor, place.slot);
	if (cursor.stop)
		cursor.at += place.in;
	return cursor;
}

static inline void rspb_cursor_next(struct rspb_cursor *cursor)
{
	if (++cursor->at == cursor->stop)
		rspb_cursor_load(cursor, cursor->slot + 1);
}

/* --- walks (walk.c) --- */

/*
 * Entries with key <= key_max and other >= other_min, by falling key; with
 * nodes only chunks whose marks meet it. Chunks that reach less are skipped.
 */
struct rspb_walk {
	const struct rspb_sorted *order;
	int64_t other_min;
	const struct rspb_nodeset *nodes;
	struct rspb_place upto; /* the first entry with a larger key */
	uint32_t low, high;	/* words of nodes that are not empty */
	size_t slot;		/* one above those not looked at */
	bool more;		/* the next chunk is that of slot, and on its way from memory */
	uint32_t in;		/* entries of the current chunk left */
	const struct rspb_entry *chunk;
};

struct rspb_walk rspb_walk_from(const struct rspb_sorted *order, int64_t key_max, int64_t other_min,
				const struct rspb_nodeset *nodes);
/* RET the next entry, NULL at the end. */
const struct rspb_entry *rspb_walk_next(struct rspb_walk *walk);

/* Some entries of a walk, whose sets are on their way from memory: one after
 * the other each would be waited for. */
struct rspb_several {
	const struct rspb_entry *at[24];
	uint32_t count;
};

/* Put what comes next into several, nothing at the end; runs that have nothing in common with
 * the walk's nodes are passed over, if one word tells. */
void rspb_walk_several(struct rspb_walk *walk, struct rspb_several *several);

/* Entries to work on, while the sets of those after them come from memory. */
struct rspb_stream {
	struct rspb_walk walk;
	struct rspb_several several[2];
	int now;
};

static inline void rspb_stream_begin(struct rspb_stream *stream, struct rspb_walk walk)
{
	stream->walk = walk;
	stream->now = 0;
	rspb_walk_several(&stream->walk, &stream->several[1]);
}

/* RET the next entries, none at the end. */
static inline const struct rspb_several *rspb_stream_next(struct rspb_stream *stream)
{
	rspb_walk_several(&stream->walk, &stream->several[stream->now]);
	stream->now = !stream->now;
	return &stream->several[stream->now];
}

/* --- the index: both orders, the records and the sets (index.c) --- */

/* RET an index with nothing in it, not even free nodes; NULL: no memory. */
struct rspb_index *rspb_index_create(uint32_t nodes);
void rspb_index_drop(struct rspb_index *index);
/* Have an index that no other profile has, before a change. RET -1 without
 * memory, nothing changed. */
int rspb_index_own(struct rspb_profile *profile);
/* Room for a change that takes nodes out of `taken` gaps, whose whole groups have `cut` patches,
 * and gives `given` gaps. RET -1 without memory, nothing changed. */
int rspb_index_reserve(struct rspb_profile *profile, size_t taken, size_t cut, size_t given);
/* Let nodes, of which there are size, have the gap [begin, end). */
void rspb_index_give(struct rspb_profile *profile, int64_t begin, int64_t end,
		     struct rspb_patches nodes, uint32_t size);
/* Take those of nodes that have a gap, which are gap->size, out of it. */
void rspb_index_take(struct rspb_profile *profile, const struct rspb_touched *gap,
		     const struct rspb_nodeset *nodes);
/* Let them have a gap that ends at `end` instead, earlier than it did. */
void rspb_index_shorten(struct rspb_profile *profile, const struct rspb_touched *gap, int64_t end,
			const struct rspb_nodeset *nodes);
/* RET whether a node of nodes is free anywhere within [start, end). */
bool rspb_index_free_within(const struct rspb_profile *profile, int64_t start, int64_t end,
			    const struct rspb_nodeset *nodes);
/* At time so many more nodes become free, or cease to be. */
void rspb_index_record(struct rspb_profile *profile, int64_t time, int64_t freed, int64_t booked);
/*
 * Put into scratch->touched each gap with begin <= begin_max and
 * end >= end_min that has nodes of `nodes`. With `once`, where every node can
 * have one such gap only, the walk ends when all are found.
 * RET nodes found, -1 without memory.
 */
int64_t rspb_index_collect(const struct rspb_profile *profile, int64_t begin_max, int64_t end_min,
			   const struct rspb_nodeset *nodes, bool once);
/* Add the part of a gap's group within nodes to scratch->touched. RET its
 * size, -1 without memory. */
int64_t rspb_index_touch(const struct rspb_profile *profile, int64_t begin, int64_t end,
			 const struct rspb_entry *group, const struct rspb_nodeset *nodes);
struct rspb_patches rspb_touched_nodes(const struct rspb_scratch *scratch,
				       const struct rspb_touched *gap);

/* --- gaps long enough for a request (spans.c) --- */

struct rspb_gather {
	const struct rspb_profile *profile;
	const struct rspb_query *query;
	int64_t first, last; /* starts */
};

/*
 * Fill scratch->ups with those that can be used at the first start or come in
 * up to the last, by their begin, and scratch->downs with those that go out
 * from the first to the last, by their end. Those in front and behind can never
 * be used, and come and go after all others.
 * RET how many ups are in at the first start, -1 without memory.
 */
int64_t rspb_spans_gather(const struct rspb_gather *gather);
/* --- one start (measure.c) --- */

/* Fill rect and set; RSPB_TIME_MAX when it is open. */
void rspb_rect_measure(const struct rspb_profile *profile, const struct rspb_query *query,
		       int64_t start, struct rspb_rect *rect, struct rspb_nodeset *set);
/* Give a rectangle that is open the end that the query wants. */
void rspb_rect_close(const struct rspb_profile *profile, const struct rspb_query *query,
		     struct rspb_rect *rect);

/* --- what every call checks (check.c) --- */

int rspb_profile_check_window(int64_t start, int64_t end, struct rspb_err *err);
int rspb_profile_check_width(const struct rspb_profile *profile, const struct rspb_nodeset *set,
			     struct rspb_err *err);
int rspb_profile_check_query(const struct rspb_profile *profile, const struct rspb_query *query,
			     struct rspb_err *err);
int rspb_profile_no_memory(struct rspb_err *err);
int rspb_profile_not_free(int64_t start, int64_t end, const char *only, struct rspb_err *err);

#endif
