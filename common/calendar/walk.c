/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks back through an order. Chunks that reach too short are passed over unread. */
#include "common/calendar/internal.h"

/* RET whether a chunk may have nodes of the walk. Marks may be superfluous, but none is missing. */
static bool meets(const struct rspb_walk *walk, const uint64_t *marks)
{
	const uint64_t *bits = walk->nodes->bits;

	for (uint32_t i = walk->low; i < walk->high; i++)
		if (marks[i] & bits[i])
			return true;
	return false;
}

/* RET how many entries of a slot are in the walk. */
static uint32_t entries_of(const struct rspb_walk *walk, size_t slot)
{
	return slot == walk->upto.slot ? walk->upto.in : walk->order->slots[slot].count;
}

/* Step down to the next slot whose chunk reaches far enough. RET false: none. */
static bool next_slot(struct rspb_walk *walk)
{
	const struct rspb_sorted *order = walk->order;

	while (walk->slot) {
		/* A whole top that reaches too short is passed over at once. */
		if (!(walk->slot % RSPB_TOP) &&
		    order->tops[walk->slot / RSPB_TOP - 1].reach < walk->other_min)
			walk->slot -= RSPB_TOP;
		else if (order->slots[--walk->slot].reach >= walk->other_min)
			return true;
	}
	return false;
}

/* Find the next chunk, and prefetch what is read of it first. */
static void look_ahead(struct rspb_walk *walk)
{
	enum { LINE = 64, LINES = 8 };
	struct rspb_chunk *chunk;
	const char *end;

	walk->more = next_slot(walk);
	if (!walk->more)
		return;
	chunk = walk->order->slots[walk->slot].chunk;
	end = (const char *) (chunk->at + entries_of(walk, walk->slot)) - 1;
	if (walk->nodes)
		__builtin_prefetch(rspb_chunk_marks(chunk) + walk->low);
	/* The walk goes from the last entry to the first, so the end of the chunk comes first. */
	for (int i = 0; i < LINES && end - i * LINE >= (const char *) chunk->at; i++)
		__builtin_prefetch(end - i * LINE);
}

struct rspb_walk rspb_walk_from(const struct rspb_sorted *order, int64_t key_max, int64_t other_min,
				const struct rspb_nodeset *nodes)
{
	struct rspb_place place = rspb_sorted_find(order, key_max, INT64_MAX);
	struct rspb_walk walk = {
		.order = order,
		.other_min = other_min,
		.nodes = nodes,
		.upto = place,
		.high = UINT32_MAX,
		.slot = place.slot,
	};

	/* The chunk of the place has entries before it, which belong to the walk. */
	if (place.in)
		walk.slot++;
	if (nodes) {
		/* Marks are compared only from the first to the last word that the set uses. */
		for (walk.high = nodes->words; walk.high; walk.high--)
			if (nodes->bits[walk.high - 1])
				break;
		while (walk.low < walk.high && !nodes->bits[walk.low])
			walk.low++;
	}
	look_ahead(&walk);
	return walk;
}

/* Step down to the next chunk that can hold an entry. RET false: none. */
static bool next_chunk(struct rspb_walk *walk)
{
	while (walk->more) {
		size_t slot = walk->slot;
		struct rspb_chunk *chunk = walk->order->slots[slot].chunk;

		look_ahead(walk);
		/* The next chunk is on its way from memory while this one is examined. */
		if (walk->nodes && !meets(walk, rspb_chunk_marks(chunk)))
			continue;
		walk->chunk = chunk->at;
		walk->in = entries_of(walk, slot);
		return true;
	}
	return false;
}

const struct rspb_entry *rspb_walk_next(struct rspb_walk *walk)
{
	do {
		while (walk->in) {
			const struct rspb_entry *at = &walk->chunk[--walk->in];

			if (at->other >= walk->other_min)
				return at;
		}
	} while (next_chunk(walk));
	return NULL;
}

/* RET whether an entry's nodes are a run with none of the walk's nodes, as far as one word
 * tells. */
static inline bool elsewhere(const struct rspb_walk *walk, const struct rspb_entry *at)
{
	struct rspb_run run = rspb_entry_run(at);
	uint32_t first = run.first / 64, last = rspb_run_last_word(run);
	bool outside = (first >= walk->high) | (last < walk->low);
	uint64_t bits = walk->nodes->bits[rspb_entry_is_run(at) && !outside ? first : 0];

	return rspb_entry_is_run(at) &
	       (outside | ((first == last) & !(bits & rspb_run_bits(run, first))));
}

/* Put entries that last long enough to `at`, which has room for so many. RET how many. */
static uint32_t next_entries(struct rspb_walk *walk, const struct rspb_entry **at, uint32_t most)
{
	uint32_t count = 0;

	/* Without a branch on what an entry is, since nothing predicts it. */
	do {
		const struct rspb_entry *chunk = walk->chunk;
		uint32_t in = walk->in;

		while (in && count < most) {
			at[count] = &chunk[--in];
			count += at[count]->other >= walk->other_min;
		}
		walk->in = in;
	} while (count < most && next_chunk(walk));
	return count;
}

void rspb_walk_several(struct rspb_walk *walk, struct rspb_several *several)
{
	enum { MOST = sizeof(several->at) / sizeof(several->at[0]) };
	uint32_t found;

	do {
		found = next_entries(walk, several->at, MOST);
		/* The list is compacted in place. If nothing is left of it, the walk continues. */
		several->count = 0;
		for (uint32_t i = 0; i < found; i++) {
			const struct rspb_entry *at = several->at[i];

			several->at[several->count] = at;
			several->count += !walk->nodes || !elsewhere(walk, at);
		}
	} while (found && !several->count);
	for (uint32_t i = 0; i < several->count; i++)
		rspb_gapsets_fetch(walk->order->sets, several->at[i]);
}
