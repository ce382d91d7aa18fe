/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorted entries in chunks of bounded size: an insertion moves at most one
 * chunk, a sweep reads memory in order, and what a chunk can't hold is known
 * without reading it. Nothing is allocated between two reservations.
 */
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/calendar/internal.h"

/* Entries of a chunk that are passed over at first, and then; tops that are
 * counted. */
enum { WIDE = 32, STRIDE = 8, FEW = 32 };

const struct rspb_entry rspb_sorted_sentinel = { .key = INT64_MAX, .other = INT64_MAX };

void rspb_sorted_init(struct rspb_sorted *order, const struct rspb_gapsets *sets, uint32_t nodes,
		      struct rspb_hints *hints)
{
	*order = (struct rspb_sorted){ .sets = sets, .hints = hints };
	if (sets)
		order->mark_words = nodes / 64 + (nodes % 64 != 0);
	order->pages.size = sizeof(struct rspb_chunk) + order->mark_words * sizeof(uint64_t);
}

void rspb_sorted_fini(struct rspb_sorted *order)
{
	for (size_t i = 0; i < order->chunks; i++)
		rspb_page_drop(&order->slots[i].chunk->page);
	rspb_pages_fini(&order->pages);
	free(order->slots);
	free(order->tops);
}

static size_t tops_of(size_t chunks)
{
	return (chunks + RSPB_TOP - 1) / RSPB_TOP;
}

static int make_room(struct rspb_sorted *order, size_t chunks)
{
	return rspb_array_grow(&order->slots, &order->room, chunks, sizeof(*order->slots)) ||
			       rspb_array_grow(&order->tops, &order->top_room, tops_of(chunks),
					       sizeof(*order->tops))
		       ? -1
		       : 0;
}

int rspb_sorted_reserve(struct rspb_sorted *order, size_t entries, size_t changes)
{
	/* Each entry may split a tight chunk, but others have to be filled first. */
	size_t splits = order->tight + entries / RSPB_TIGHT;

	if (splits > entries)
		splits = entries;
	if (changes > order->chunks + splits)
		changes = order->chunks + splits;
	if (make_room(order, order->chunks + splits + 1))
		return -1;
	return rspb_pages_reserve(&order->pages, splits + 1 + changes);
}

int rspb_sorted_share(struct rspb_sorted *to, const struct rspb_sorted *from)
{
	if (make_room(to, from->chunks + 1))
		return -1;
	to->chunks = from->chunks;
	to->entries = from->entries;
	to->tight = from->tight;
	/* Slots and tops are copied, since a change of any entry writes to them. Hints are found
	 * anew. */
	memcpy(to->slots, from->slots, from->chunks * sizeof(*to->slots));
	memcpy(to->tops, from->tops, tops_of(from->chunks) * sizeof(*to->tops));
	for (size_t i = 0; i < to->chunks; i++)
		rspb_page_share(&to->slots[i].chunk->page);
	return 0;
}

__extension__ typedef unsigned __int128 rank_t;

/* Both as one number, which takes two instructions to compare. */
static inline rank_t rank(int64_t key, int64_t other)
{
	const uint64_t sign = UINT64_C(1) << 63;

	return (rank_t) ((uint64_t) key ^ sign) << 64 | ((uint64_t) other ^ sign);
}

static inline bool before(int64_t key, int64_t other, int64_t than_key, int64_t than_other)
{
	return rank(key, other) < rank(than_key, than_other);
}

/* The last top that begins before (key, other), or the first; among few by
 * counting, see rspb_chunk_find. */
static size_t find_top(const struct rspb_sorted *order, int64_t key, int64_t other)
{
	const struct rspb_top *top = order->tops;
	size_t n = tops_of(order->chunks), count = 0;

	for (; n > FEW; n -= n / 2)
		top += before(top[n / 2].key, top[n / 2].other, key, other) ? n / 2 : 0;
	for (size_t i = 1; i < n; i++)
		count += before(top[i].key, top[i].other, key, other);
	return (size_t) (top - order->tops) + count;
}

/* RET the last slot of a top that begins before (key, other), or the first of that top. */
static size_t slot_under(const struct rspb_sorted *order, size_t top, int64_t key, int64_t other)
{
	size_t first = top * RSPB_TOP, count = 0;
	const struct rspb_slot *at = order->slots + first;
	size_t stop = order->chunks - first < RSPB_TOP ? order->chunks - first : RSPB_TOP;

	for (size_t i = 1; i < stop; i++)
		count += before(at[i].key, at[i].other, key, other);
	return first + count;
}

/* RET how many of the entries at from + step, from + 2 step ... below stop lie
 * before (key, other). */
static inline uint32_t count_before(const struct rspb_entry *chunk, uint32_t from, uint32_t stop,
				    uint32_t step, int64_t key, int64_t other)
{
	uint32_t count = 0;

	for (uint32_t i = from + step; i < stop; i += step)
		count += before(chunk[i].key, chunk[i].other, key, other);
	return count;
}

/*
 * Counted rather than halved: the entries looked at in one pass do not depend
 * on each other, so they come from memory together and mispredict nothing.
 */
uint32_t rspb_chunk_find(const struct rspb_entry *chunk, uint32_t count, int64_t key, int64_t other)
{
	uint32_t in, stop;

	in = WIDE * count_before(chunk, 0, count, WIDE, key, other);
	stop = in + WIDE < count ? in + WIDE : count;
	in += STRIDE * count_before(chunk, in, stop, STRIDE, key, other);
	stop = in + STRIDE < count ? in + STRIDE : count;
	if (in < stop && before(chunk[in].key, chunk[in].other, key, other))
		in += 1 + count_before(chunk, in, stop, 1, key, other);
	return in;
}

/* RET whether a slot is the last that begins before (key, other). */
static bool is_slot(const struct rspb_sorted *order, size_t slot, int64_t key, int64_t other)
{
	const struct rspb_slot *at = &order->slots[slot];

	return slot < order->chunks && before(at->key, at->other, key, other) &&
	       (slot + 1 == order->chunks || !before(at[1].key, at[1].other, key, other));
}

/* RET the hint that a key has. Keys are seconds, often of full minutes, so a hash spreads them. */
static inline _Atomic uint64_t *hint_of(const struct rspb_sorted *order, int64_t key)
{
	uint64_t mixed = (uint64_t) key * UINT64_C(0x9e3779b97f4a7c15);

	return &order->hints->at[mixed >> (64 - RSPB_HINT_BITS)];
}

/*
 * Let `in`, where a key of this hint was last in the slot, be the place of (key, other) if that is
 * close: entries beside it came and went. RET whether it is.
 */
static inline bool find_near(const struct rspb_sorted *order, size_t slot, uint32_t *in,
			     int64_t key, int64_t other)
{
	enum { NEAR = 15 };
	const struct rspb_slot *at = &order->slots[slot];
	const struct rspb_entry *chunk;
	uint32_t from = *in > NEAR / 2 ? *in - NEAR / 2 : 0;

	if (slot >= order->chunks || at->count < NEAR)
		return false;
	if (from + NEAR > at->count)
		from = at->count - NEAR;
	/* Between two entries of one chunk nothing else needs to be looked at. */
	if ((!from || from + NEAR == at->count) && !is_slot(order, slot, key, other))
		return false;
	chunk = at->chunk->at + from;
	if ((from && !before(chunk[-1].key, chunk[-1].other, key, other)) ||
	    (from + NEAR < at->count && before(chunk[NEAR].key, chunk[NEAR].other, key, other)))
		return false;
	*in = from;
	for (uint32_t step = (NEAR + 1) / 2, first = 0; step; step /= 2) {
		const struct rspb_entry *middle = &chunk[first + step - 1];

		first += before(middle->key, middle->other, key, other) ? step : 0;
		*in = from + first;
	}
	return true;
}

/* Remember where a key was found. Threads that share the index overwrite the hints of each other: a
 * hint may be wrong, and each look-up checks it. */
static void follow(_Atomic uint64_t *hint, size_t slot, uint32_t in)
{
	atomic_store_explicit(hint, (uint64_t) slot << RSPB_HINT_IN_BITS | in,
			      memory_order_relaxed);
}

void rspb_sorted_fetch(const struct rspb_sorted *order, int64_t key, int64_t other)
{
	enum { LINE = 3, WORDS = 8 }; /* no line of memory is left out */
	_Atomic uint64_t *hint = hint_of(order, key);
	size_t slot = atomic_load_explicit(hint, memory_order_relaxed) >> RSPB_HINT_IN_BITS;

	if (!is_slot(order, slot, key, other)) {
		slot = slot_under(order, find_top(order, key, other), key, other);
		follow(hint, slot, 0);
	}
	if (slot >= order->chunks)
		return;
	for (uint32_t i = 0; i < order->slots[slot].count; i += LINE)
		__builtin_prefetch(rspb_sorted_chunk(order, slot) + i);
	for (uint32_t i = 0; i < order->mark_words; i += WORDS)
		__builtin_prefetch(rspb_chunk_marks(order->slots[slot].chunk) + i);
}

struct rspb_place rspb_sorted_find(const struct rspb_sorted *order, int64_t key, int64_t other)
{
	_Atomic uint64_t *hint = hint_of(order, key);
	uint64_t told = atomic_load_explicit(hint, memory_order_relaxed);
	size_t slot = told >> RSPB_HINT_IN_BITS;
	uint32_t in = told & ((1 << RSPB_HINT_IN_BITS) - 1);

	/* The hint may be of another key, or from before a change. If it is of no use, the tops
	 * lead to the slot. */
	if (!find_near(order, slot, &in, key, other)) {
		if (!is_slot(order, slot, key, other))
			slot = slot_under(order, find_top(order, key, other), key, other);
		if (slot >= order->chunks)
			return (struct rspb_place){ slot, 0 };
		in = rspb_chunk_find(rspb_sorted_chunk(order, slot), order->slots[slot].count, key,
				     other);
	}
	follow(hint, slot, in);
	/* The place after the last entry of a chunk is the first place of the next chunk. */
	if (in == order->slots[slot].count)
		return (struct rspb_place){ slot + 1, 0 };
	return (struct rspb_place){ slot, in };
}
