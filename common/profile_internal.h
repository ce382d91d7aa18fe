/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The representation behind common/profile.h, for its own files only.
 *
 * No booked sets are kept. Each node's time is a chain of free gaps; all nodes
 * that share one gap [begin, end) make a group. A start s of a request of
 * length d can use exactly the groups with begin <= s and end >= s + d, so two
 * orders of the groups, by begin and by end, answer every question by sweeping
 * figures; node bits are touched for the one answer that is given back.
 * doc/performance.md draws it.
 */
#ifndef RSPB_COMMON_PROFILE_INTERNAL_H
#define RSPB_COMMON_PROFILE_INTERNAL_H

#include "common/profile_form.h"

/* 32 nodes of a sparse set; bits is never 0. */
struct rspb_patch {
	uint32_t word;		/* nodes 32 word .. 32 word + 31 */
	uint32_t bits;
};

/* A sparse node set: patches by rising word, owned by someone else. */
struct rspb_patches {
	const struct rspb_patch *at;
	uint32_t count;
};

/* The sets of all groups, in one pool of patches. */
struct rspb_gapset {
	uint32_t first;		/* index into the pool; free: the next free */
	uint32_t count;		/* patches in use */
	uint32_t kind;		/* there is room for 1 << kind patches */
};

enum { RSPB_GAPSET_KINDS = 33 };

struct rspb_gapsets {
	struct rspb_gapset *sets;
	size_t used, room;	/* sets ever used, sets there is room for */
	uint32_t free_set;	/* head of the free ones, UINT32_MAX: none */
	size_t frees;
	struct rspb_patch *pool;
	size_t pool_used, pool_room;
	uint32_t free_patch[RSPB_GAPSET_KINDS];	/* heads, UINT32_MAX: none */
};

/*
 * One line of an order. By begin: key is the begin, other the end; by end the
 * other way round; in the order of records key is the time, size the nodes
 * that become free there and group those that cease to be.
 */
struct rspb_entry {
	int64_t key;
	int64_t other;
	uint32_t size;		/* nodes of the group */
	uint32_t group;		/* its set */
};

/* Entries in a chunk; tests make it small, so that chunks split early. */
#ifndef RSPB_CHUNK
#define RSPB_CHUNK 128
#endif

/* Slots of a top. */
enum { RSPB_TOP = 16 };

/* Where a chunk lies, and what need not be looked up in it. */
struct rspb_slot {
	int64_t key, other;	/* of its first entry */
	int64_t reach;		/* largest `other` */
	int64_t longest;	/* largest distance of key and other */
	uint32_t chunk;		/* index into the pool */
	uint16_t count;		/* entries, never 0 */
	uint16_t stale;		/* changes since marks were made afresh */
};

/* What some slots in a row say together: few lines of memory lead to any. */
struct rspb_top {
	int64_t key, other;	/* of the first */
	int64_t reach;		/* largest */
};

/* Entries sorted by (key, other), in chunks that split when full. */
struct rspb_order {
	struct rspb_slot *slots;
	struct rspb_top *tops;	/* one for RSPB_TOP slots each */
	size_t chunks;
	struct rspb_entry *pool;
	size_t room;		/* chunks there is room for, in every array */
	uint32_t *spare;	/* chunks not in use */
	size_t spares;
	/* Per chunk a bit set that holds at least all nodes of its groups;
	 * NULL sets: not wanted. */
	const struct rspb_gapsets *sets;
	uint64_t *marks;
	uint32_t mark_words;
	size_t *hint;		/* the slot found last; the next is near */
};

/* A place in an order; slot == order->chunks: behind the last. */
struct rspb_place {
	size_t slot;
	uint32_t in;
};

/* A gap and those of its nodes that a change is about. */
struct rspb_touched {
	int64_t begin, end;
	uint32_t first, count;	/* patches, in the scratch pool */
	uint32_t size;		/* nodes */
};

struct rspb_candidate {
	int64_t start;
	int64_t left;
	uint32_t free;
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
	uint32_t *weight;	/* eligible nodes */
	size_t count;
	void *at;		/* holds the arrays */
	size_t room;
};

/* Bytes of a span; spans at either end that can never be used. */
enum { RSPB_SPAN_BYTES = 20, RSPB_SPAN_PAD = 4 };

/* Memory of one call, kept for the next one. */
struct rspb_scratch {
	struct rspb_nodeset *rest;
	struct rspb_nodeset *none;	/* empty between two calls */
	uint32_t *labels;	/* one a node */
	size_t hints[3];	/* of the orders */
	struct rspb_patch *patches;
	size_t patch_count, patch_room;
	struct rspb_touched *touched;
	size_t touched_count, touched_room;
	struct rspb_candidate *candidates;
	size_t candidate_room;
	struct rspb_edge *stack;
	size_t stack_room;
	struct rspb_spans ups, downs;
	int64_t *far;		/* of profile_states.c */
	size_t far_room;
	uint32_t *weights;	/* one a group: its eligible nodes */
	size_t weight_room;
};

extern const struct rspb_profile_form rspb_profile_groups;

struct rspb_profile {
	uint32_t nodes;
	int64_t now;
	const struct rspb_profile_form *form;	/* the one that answers */
	const struct rspb_profile_form *making;	/* profile_choice.c, or NULL */
	int64_t made;			/* it holds all up to here */
	uint32_t changes;
	/* What is left of the last one, given back bit by bit. */
	struct rspb_rows *gone_rows;
	struct rspb_remnant gone[RSPB_REMNANTS];
	/* Groups; empty in another form. */
	struct rspb_gapsets sets;
	struct rspb_order begins;
	struct rspb_order ends;
	struct rspb_order records;	/* times after now */
	struct rspb_rows *rows;		/* profile_rows.h; NULL in groups */
	struct rspb_scratch *scratch;
};

/* Grow *array to hold `count` items. RET -1 without memory. */
int rspb_array_grow(void *array, size_t *room, size_t count, size_t size);

/* --- sets of groups (profile_sets.c) --- */

static inline uint32_t rspb_bits_count(uint32_t bits)
{
	bits -= bits >> 1 & 0x55555555;
	bits = (bits & 0x33333333) + (bits >> 2 & 0x33333333);
	bits = (bits + (bits >> 4)) & 0x0f0f0f0f;
	return bits * 0x01010101 >> 24;
}

/* The 32 nodes of a set that a patch's word stands for. */
static inline uint32_t rspb_nodeset_word(const struct rspb_nodeset *set,
					 uint32_t word)
{
	return (uint32_t)(set->bits[word / 2] >> (word % 2 * 32));
}

static inline struct rspb_patches
rspb_gapsets_of(const struct rspb_gapsets *sets, uint32_t group)
{
	const struct rspb_gapset *set = &sets->sets[group];

	return (struct rspb_patches){ sets->pool + set->first, set->count };
}

void rspb_gapsets_init(struct rspb_gapsets *sets);
int rspb_gapsets_clone(struct rspb_gapsets *to,
		       const struct rspb_gapsets *from);
void rspb_gapsets_fini(struct rspb_gapsets *sets);
size_t rspb_gapsets_bytes(const struct rspb_gapsets *sets);
/* Room for so many new sets and patches. RET -1 without memory. */
int rspb_gapsets_reserve(struct rspb_gapsets *sets, size_t groups,
			 size_t patches);
/* The following three never fail within what was reserved. */
uint32_t rspb_gapsets_make(struct rspb_gapsets *sets,
			   struct rspb_patches nodes);
void rspb_gapsets_join(struct rspb_gapsets *sets, uint32_t group,
		       struct rspb_patches nodes);
void rspb_gapsets_cut(struct rspb_gapsets *sets, uint32_t group,
		      struct rspb_patches nodes);
void rspb_gapsets_drop(struct rspb_gapsets *sets, uint32_t group);

/* RET whether a node is in both; a loop that most sets leave at once. */
static inline bool rspb_patches_meet(struct rspb_patches nodes,
				     const struct rspb_nodeset *with)
{
	uint32_t met = 0;

	for (uint32_t i = 0; i < nodes.count && !met; i++)
		met = nodes.at[i].bits & rspb_nodeset_word(with,
							   nodes.at[i].word);
	return met;
}

uint32_t rspb_patches_size(struct rspb_patches nodes);
uint32_t rspb_patches_common(struct rspb_patches nodes,
			     const struct rspb_nodeset *with);
/* to = nodes within `with`; to has room for nodes.count. RET patches. */
uint32_t rspb_patches_within(struct rspb_patches nodes,
			     const struct rspb_nodeset *with,
			     struct rspb_patch *to);
void rspb_patches_add_to(struct rspb_patches nodes, struct rspb_nodeset *set);
void rspb_patches_remove_from(struct rspb_patches nodes,
			      struct rspb_nodeset *set);
/* RET the patches of set; to has room for all its words. */
uint32_t rspb_patches_from(const struct rspb_nodeset *set,
			   struct rspb_patch *to);

/* --- orders (profile_order.c) --- */

/* hint is the caller's, and changes with every look-up. */
void rspb_order_init(struct rspb_order *order,
		     const struct rspb_gapsets *sets, uint32_t nodes,
		     size_t *hint);
/* Copy into an order that was just made. RET -1 without memory. */
int rspb_order_clone(struct rspb_order *to, const struct rspb_order *from);
void rspb_order_fini(struct rspb_order *order);
size_t rspb_order_bytes(const struct rspb_order *order);
/* Room for so many entries more. RET -1 without memory. */
int rspb_order_reserve(struct rspb_order *order, size_t entries);
/* RET how many of a chunk's entries lie before (key, other). */
uint32_t rspb_chunk_find(const struct rspb_entry *chunk, uint32_t count,
			 int64_t key, int64_t other);
/* RET the last slot whose first entry is < (key, other), 0 without any; for
 * what is not near what was looked for before. */
size_t rspb_order_slot(const struct rspb_order *order, int64_t key,
		       int64_t other);
/* RET the place of the first entry >= (key, other), which is in that slot or
 * right behind it. */
struct rspb_place rspb_order_within(const struct rspb_order *order,
				    size_t slot, int64_t key, int64_t other);
/* RET the place of the first entry >= (key, other). */
struct rspb_place rspb_order_find(const struct rspb_order *order, int64_t key,
				  int64_t other);
void rspb_order_insert(struct rspb_order *order, struct rspb_place place,
		       struct rspb_entry entry);
void rspb_order_erase(struct rspb_order *order, struct rspb_place place);
/* Lower an entry's other without a change of its rank (not the first's). */
void rspb_order_shorten(struct rspb_order *order, struct rspb_place place,
			int64_t other);
/* The group at place has got these nodes, or lost some. */
void rspb_order_mark(struct rspb_order *order, struct rspb_place place,
		     struct rspb_patches nodes);
void rspb_order_fade(struct rspb_order *order, struct rspb_place place);

static inline struct rspb_entry *
rspb_order_chunk(const struct rspb_order *order, size_t slot)
{
	return order->pool + (size_t)order->slots[slot].chunk * RSPB_CHUNK;
}

/* RET the entry at place, NULL behind the last. */
static inline struct rspb_entry *rspb_order_at(const struct rspb_order *order,
					       struct rspb_place place)
{
	if (place.slot >= order->chunks)
		return NULL;
	return rspb_order_chunk(order, place.slot) + place.in;
}

/* Runs through an order; `at` is a sentinel at the largest key at its end. */
struct rspb_cursor {
	const struct rspb_order *order;
	size_t slot;
	const struct rspb_entry *at, *start, *stop;
};

extern const struct rspb_entry rspb_order_sentinel, rspb_order_floor;

static inline void rspb_cursor_load(struct rspb_cursor *cursor, size_t slot)
{
	cursor->slot = slot;
	if (slot < cursor->order->chunks) {
		cursor->at = rspb_order_chunk(cursor->order, slot);
		cursor->start = cursor->at;
		cursor->stop = cursor->at + cursor->order->slots[slot].count;
	} else {
		cursor->at = &rspb_order_sentinel;
		cursor->stop = NULL;
	}
}

static inline struct rspb_cursor
rspb_cursor_at(const struct rspb_order *order, struct rspb_place place)
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

/* Step back; `at` is a sentinel at the smallest key before the first. */
static inline void rspb_cursor_prev(struct rspb_cursor *cursor)
{
	if (cursor->at == cursor->start) {
		if (!cursor->slot) {
			cursor->at = &rspb_order_floor;
			return;
		}
		rspb_cursor_load(cursor, cursor->slot - 1);
		cursor->at = cursor->stop;
	}
	cursor->at--;
}

/* A cursor at the entry before place. */
static inline struct rspb_cursor
rspb_cursor_before(const struct rspb_order *order, struct rspb_place place)
{
	struct rspb_cursor cursor = rspb_cursor_at(order, place);

	if (!cursor.stop)
		cursor.at = cursor.start = NULL;
	rspb_cursor_prev(&cursor);
	return cursor;
}

/*
 * Entries with key <= key_max and other >= other_min, by falling key; with
 * nodes only chunks whose marks meet it. Chunks that reach less are skipped.
 */
struct rspb_walk {
	const struct rspb_order *order;
	int64_t key_max, other_min;
	const struct rspb_nodeset *nodes;
	uint32_t low, high;	/* words of nodes that are not empty */
	size_t slot;		/* one above the next to look at */
	uint32_t in;		/* entries of the current chunk left */
	const struct rspb_entry *chunk;
};

struct rspb_walk rspb_walk_from(const struct rspb_order *order,
				int64_t key_max, int64_t other_min,
				const struct rspb_nodeset *nodes);
/* RET the next entry, NULL at the end. */
const struct rspb_entry *rspb_walk_next(struct rspb_walk *walk);

/* Some entries of a walk and their sets, which are on their way from memory:
 * one after the other each would be waited for. */
struct rspb_several {
	const struct rspb_entry *at[16];
	struct rspb_patches nodes[16];
};

/* RET how many come next, 0 at the end. */
uint32_t rspb_walk_several(struct rspb_walk *walk,
			   struct rspb_several *several);

/* --- the index: both orders, the records and the sets (profile_index.c) --- */

/* Room for `gaps` new gaps. RET -1 without memory, nothing changed. */
int rspb_index_reserve(struct rspb_profile *profile, size_t gaps);
/* Let nodes, of which there are size, have the gap [begin, end). */
void rspb_index_give(struct rspb_profile *profile, int64_t begin, int64_t end,
		     struct rspb_patches nodes, uint32_t size);
void rspb_index_take(struct rspb_profile *profile, int64_t begin, int64_t end,
		     struct rspb_patches nodes, uint32_t size);
/* Let a whole gap end at `end` instead, earlier than it did. */
void rspb_index_shorten(struct rspb_profile *profile, int64_t begin,
			int64_t old_end, int64_t end,
			struct rspb_patches nodes, uint32_t size);
/* RET whether a node of nodes is free anywhere within [start, end). */
bool rspb_index_free_within(const struct rspb_profile *profile, int64_t start,
			    int64_t end, const struct rspb_nodeset *nodes);
/* At time so many more nodes become free, or cease to be. */
void rspb_index_record(struct rspb_profile *profile, int64_t time,
		       int64_t freed, int64_t booked);
/*
 * Put into scratch->touched each gap with begin <= begin_max and
 * end >= end_min that has nodes of `nodes`. With `once`, where every node can
 * have one such gap only, the walk ends when all are found.
 * RET nodes found, -1 without memory.
 */
int64_t rspb_index_collect(const struct rspb_profile *profile,
			   int64_t begin_max, int64_t end_min,
			   const struct rspb_nodeset *nodes, bool once);
/* Add the part of group within nodes to scratch->touched. RET its size. */
int64_t rspb_index_touch(const struct rspb_profile *profile, int64_t begin,
			 int64_t end, uint32_t group,
			 const struct rspb_nodeset *nodes);
struct rspb_patches rspb_touched_nodes(const struct rspb_scratch *scratch,
				       size_t i);

/* --- gaps long enough for a request (profile_spans.c) --- */

struct rspb_gather {
	const struct rspb_profile *profile;
	const struct rspb_query *query;
	int64_t first, last;	/* starts */
};

/*
 * Fill scratch->ups with those that can be used at the first start or come in
 * up to the last, by their begin, and scratch->downs with those that go out
 * from the first to the last, by their end. Those in front and behind can never
 * be used, and come and go after all others. scratch->weights is large enough.
 * RET how many ups are in at the first start, -1 without memory.
 */
int64_t rspb_spans_gather(const struct rspb_gather *gather);

/* --- groups as a form (profile_groups.c, _groups_query.c, _search.c) --- */

/* Orders and sets without an entry, which hold no memory. */
void rspb_groups_blank(struct rspb_profile *profile);
void rspb_groups_free_over(const struct rspb_profile *profile, int64_t start,
			   int64_t end, struct rspb_nodeset *out);
void rspb_groups_peak(const struct rspb_profile *profile, int64_t start,
		      int64_t end, uint32_t *most, uint32_t *fewest);
void rspb_groups_load(const struct rspb_profile *profile, int64_t start,
		      int64_t end, int64_t *per_node);
int rspb_groups_gaps(const struct rspb_profile *profile, int64_t start,
		     int64_t end, const struct rspb_nodeset *free_nodes,
		     int64_t *left, int64_t *right, struct rspb_err *err);
void rspb_groups_measure(const struct rspb_profile *profile,
			 const struct rspb_query *query, int64_t start,
			 struct rspb_rect *rect, struct rspb_nodeset *set);
int rspb_groups_search(const struct rspb_profile *profile,
		       const struct rspb_query *query,
		       const struct rspb_when *when, int64_t *start);
int64_t rspb_groups_candidates(const struct rspb_profile *profile,
			       const struct rspb_query *query,
			       struct rspb_rect **rects);
int rspb_groups_records(const struct rspb_profile *profile,
			rspb_profile_record_fn fn, void *arg);
/* The same from time on; the first set is what is booked then, if not none. */
int rspb_groups_records_from(const struct rspb_profile *profile, int64_t time,
			     rspb_profile_record_fn fn, void *arg);
int rspb_groups_validate(const struct rspb_profile *profile,
			 struct rspb_err *err);
/*
 * The start that a policy likes best which has a score and looks at no start;
 * scratch->weights large enough. RET as rspb_groups_search.
 */
int rspb_profile_search_states(const struct rspb_profile *profile,
			       const struct rspb_query *query,
			       const struct rspb_when *when, int64_t *start);

/* --- shared checks and figures --- */

static inline int64_t rspb_profile_last(const struct rspb_profile *profile)
{
	return profile->form->last(profile);
}

/* Earliest and latest start of a query. */
static inline int64_t rspb_query_first(const struct rspb_profile *profile,
				       const struct rspb_query *query)
{
	return query->ready > profile->now ? query->ready : profile->now;
}

static inline int64_t rspb_query_last(const struct rspb_query *query)
{
	return query->deadline - query->duration;
}

size_t rspb_scratch_bytes(const struct rspb_profile *profile);

/* Where a rectangle ends behind which nothing is booked. */
int64_t rspb_profile_open_end(const struct rspb_profile *profile,
			      const struct rspb_query *query, int64_t start);

#endif
