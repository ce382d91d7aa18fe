/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorted entries in chunks of bounded size: an insertion moves at most one
 * chunk, a sweep reads memory in order, and what a chunk can't hold is known
 * without reading it. Nothing is allocated between two reservations.
 */
#include <stdlib.h>
#include <string.h>

#include "common/calendar/internal.h"

/* Entries of a chunk that are passed over at first; tops that are counted. */
enum { STRIDE = 16, FEW = 32 };

const struct rspb_entry rspb_sorted_sentinel = { .key = INT64_MAX,
						 .other = INT64_MAX };

void rspb_sorted_init(struct rspb_sorted *order,
		      const struct rspb_gapsets *sets, uint32_t nodes,
		      size_t *hint)
{
	*order = (struct rspb_sorted){
		.sets = sets,
		.hint = hint,
		.mark_words = sets ? nodes / 64 + (nodes % 64 != 0) : 0,
	};
}

void rspb_sorted_fini(struct rspb_sorted *order)
{
	free(order->slots);
	free(order->tops);
	free(order->pool);
	free(order->spare);
	free(order->marks);
}

static size_t mark_bytes(const struct rspb_sorted *order)
{
	return order->mark_words * sizeof(*order->marks);
}

static size_t tops_of(size_t chunks)
{
	return (chunks + RSPB_TOP - 1) / RSPB_TOP;
}

/* Arrays for `room` chunks; those that grew stay so when one can't. */
static int resize(struct rspb_sorted *order, size_t room)
{
	void *grown;

	if (!(grown = realloc(order->slots, room * sizeof(*order->slots))))
		return -1;
	order->slots = grown;
	if (!(grown = realloc(order->tops,
			      tops_of(room) * sizeof(*order->tops))))
		return -1;
	order->tops = grown;
	if (!(grown = realloc(order->spare, room * sizeof(*order->spare))))
		return -1;
	order->spare = grown;
	if (!(grown = realloc(order->marks, room * mark_bytes(order) + 1)))
		return -1;
	order->marks = grown;
	if (!(grown = realloc(order->pool,
			      room * RSPB_CHUNK * sizeof(*order->pool))))
		return -1;
	order->pool = grown;
	while (order->room < room)
		order->spare[order->spares++] = (uint32_t) order->room++;
	return 0;
}

int rspb_sorted_reserve(struct rspb_sorted *order, size_t entries)
{
	/* Each entry may split a chunk, but halves have to be filled first. */
	size_t splits = order->chunks + entries / (RSPB_CHUNK / 2) + 1;

	if (splits > entries)
		splits = entries;
	if (order->spares > splits)
		return 0;
	return resize(order, order->chunks + splits + 1 + order->room / 4);
}

/* The chunks in use, one behind the other, in as little memory. */
int rspb_sorted_clone(struct rspb_sorted *to, const struct rspb_sorted *from)
{
	size_t bytes = mark_bytes(from);

	if (resize(to, from->chunks + 1))
		return -1;
	to->chunks = from->chunks;
	to->entries = from->entries;
	to->spares = 1;
	to->spare[0] = (uint32_t) from->chunks;
	memcpy(to->tops, from->tops, tops_of(from->chunks) * sizeof(*to->tops));
	for (size_t i = 0; i < from->chunks; i++) {
		to->slots[i] = from->slots[i];
		to->slots[i].chunk = (uint32_t) i;
		memcpy(rspb_sorted_chunk(to, i), rspb_sorted_chunk(from, i),
		       from->slots[i].count * sizeof(*to->pool));
		memcpy((char *) to->marks + i * bytes,
		       (char *) from->marks + from->slots[i].chunk * bytes,
		       bytes);
	}
	return 0;
}

size_t rspb_sorted_bytes(const struct rspb_sorted *order)
{
	return order->room *
		       (sizeof(*order->slots) + sizeof(*order->spare) +
			RSPB_CHUNK * sizeof(*order->pool) + mark_bytes(order)) +
	       tops_of(order->room) * sizeof(*order->tops);
}

static inline bool before(int64_t key, int64_t other, int64_t than_key,
			  int64_t than_other)
{
	return (key < than_key) | ((key == than_key) & (other < than_other));
}

/* The last top that begins before (key, other), or the first; among few by
 * counting, see rspb_chunk_find. */
static size_t find_top(const struct rspb_sorted *order, int64_t key,
		       int64_t other)
{
	const struct rspb_top *top = order->tops;
	size_t n = tops_of(order->chunks), count = 0;

	for (; n > FEW; n -= n / 2)
		top += before(top[n / 2].key, top[n / 2].other, key, other)
			       ? n / 2
			       : 0;
	for (size_t i = 1; i < n; i++)
		count += before(top[i].key, top[i].other, key, other);
	return (size_t) (top - order->tops) + count;
}

static size_t slot_under(const struct rspb_sorted *order, size_t top,
			 int64_t key, int64_t other)
{
	size_t first = top * RSPB_TOP, count = 0;
	const struct rspb_slot *at = order->slots + first;
	size_t stop = order->chunks - first < RSPB_TOP ? order->chunks - first
						       : RSPB_TOP;

	for (size_t i = 1; i < stop; i++)
		count += before(at[i].key, at[i].other, key, other);
	return first + count;
}

/*
 * Counted rather than halved: the entries looked at do not depend on each
 * other, so they come from memory together and mispredict nothing.
 */
uint32_t rspb_chunk_find(const struct rspb_entry *chunk, uint32_t count,
			 int64_t key, int64_t other)
{
	uint32_t in = 0, stop;

	for (uint32_t i = STRIDE; i < count; i += STRIDE)
		in += before(chunk[i].key, chunk[i].other, key, other);
	in *= STRIDE;
	stop = in + STRIDE < count ? in + STRIDE : count;
	chunk += in;
	for (uint32_t i = in; i < stop; i++, chunk++)
		in += before(chunk->key, chunk->other, key, other);
	return in;
}

static struct rspb_place within(const struct rspb_sorted *order, size_t slot,
				int64_t key, int64_t other)
{
	uint32_t in;

	if (slot >= order->chunks)
		return (struct rspb_place){ slot, 0 };
	in = rspb_chunk_find(rspb_sorted_chunk(order, slot),
			     order->slots[slot].count, key, other);
	if (in == order->slots[slot].count)
		return (struct rspb_place){ slot + 1, 0 };
	return (struct rspb_place){ slot, in };
}

/* RET whether a slot is the last that begins before (key, other). */
static inline bool is_slot(const struct rspb_sorted *order, size_t slot,
			   int64_t key, int64_t other)
{
	const struct rspb_slot *at = &order->slots[slot];

	return slot < order->chunks && before(at->key, at->other, key, other) &&
	       (slot + 1 == order->chunks ||
		!before(at[1].key, at[1].other, key, other));
}

struct rspb_place rspb_sorted_find(const struct rspb_sorted *order, int64_t key,
				   int64_t other)
{
	size_t slot = *order->hint;

	if (!is_slot(order, slot, key, other))
		slot = *order->hint = slot_under(order,
						 find_top(order, key, other),
						 key, other);
	return within(order, slot, key, other);
}

static int64_t length_of(const struct rspb_entry *entry)
{
	return entry->other > entry->key ? entry->other - entry->key
					 : entry->key - entry->other;
}

static void mark_patches(const struct rspb_sorted *order, size_t slot,
			 struct rspb_patches nodes)
{
	uint64_t *marks = rspb_sorted_marks(order, slot);

	for (uint32_t i = 0; i < nodes.count; i++)
		marks[nodes.at[i].word / 2] |= (uint64_t) nodes.at[i].bits
					       << (nodes.at[i].word % 2 * 32);
}

/* A chunk's groups have an entry's nodes. */
static void mark(const struct rspb_sorted *order, size_t slot,
		 const struct rspb_entry *entry)
{
	if (rspb_entry_is_run(entry))
		rspb_run_add_to(rspb_entry_run(entry),
				rspb_sorted_marks(order, slot));
	else
		mark_patches(order, slot, rspb_gapsets_of(order->sets, entry));
}

/* Make what the slot says about its chunk true again. */
static void refresh_marks(struct rspb_sorted *order, size_t slot)
{
	const struct rspb_entry *chunk = rspb_sorted_chunk(order, slot);

	if (!order->sets)
		return;
	memset(rspb_sorted_marks(order, slot), 0, mark_bytes(order));
	for (uint32_t i = 0; i < order->slots[slot].count; i++)
		mark(order, slot, &chunk[i]);
	order->slots[slot].stale = 0;
}

/* Make what the top of a slot says true again. */
static void refresh_top(struct rspb_sorted *order, size_t slot)
{
	size_t first = slot - slot % RSPB_TOP;
	const struct rspb_slot *at = &order->slots[first];
	struct rspb_top top = { at->key, at->other, INT64_MIN };

	for (size_t i = first; i < order->chunks && i < first + RSPB_TOP;
	     i++, at++)
		top.reach = at->reach > top.reach ? at->reach : top.reach;
	order->tops[slot / RSPB_TOP] = top;
}

/* The same for those of all slots from one on, which have moved. */
static void refresh_tops(struct rspb_sorted *order, size_t slot)
{
	for (slot -= slot % RSPB_TOP; slot < order->chunks; slot += RSPB_TOP)
		refresh_top(order, slot);
}

static void extend(struct rspb_slot *slot, const struct rspb_entry *entry)
{
	int64_t length = length_of(entry);

	slot->reach = entry->other > slot->reach ? entry->other : slot->reach;
	slot->longest = length > slot->longest ? length : slot->longest;
}

static void refresh(struct rspb_sorted *order, size_t slot)
{
	const struct rspb_entry *chunk = rspb_sorted_chunk(order, slot);
	struct rspb_slot at = order->slots[slot];

	at.key = chunk[0].key;
	at.other = chunk[0].other;
	at.reach = INT64_MIN;
	at.longest = 0;
	for (uint32_t i = 0; i < at.count; i++)
		extend(&at, &chunk[i]);
	order->slots[slot] = at;
}

static void open_slot(struct rspb_sorted *order, size_t slot, uint16_t count)
{
	memmove(order->slots + slot + 1, order->slots + slot,
		(order->chunks - slot) * sizeof(*order->slots));
	order->chunks++;
	order->slots[slot] = (struct rspb_slot){
		.chunk = order->spare[--order->spares],
		.count = count,
	};
}

static void split(struct rspb_sorted *order, size_t slot)
{
	enum { HALF = RSPB_CHUNK / 2 };

	open_slot(order, slot + 1, HALF);
	memcpy(rspb_sorted_chunk(order, slot + 1),
	       rspb_sorted_chunk(order, slot) + RSPB_CHUNK - HALF,
	       HALF * sizeof(*order->pool));
	order->slots[slot].count = RSPB_CHUNK - HALF;
	for (size_t i = slot; i < slot + 2; i++) {
		refresh(order, i);
		refresh_marks(order, i);
	}
	refresh_tops(order, slot);
}

void rspb_sorted_mark(struct rspb_sorted *order, struct rspb_place place,
		      struct rspb_patches nodes)
{
	mark_patches(order, place.slot, nodes);
}

void rspb_sorted_fade(struct rspb_sorted *order, struct rspb_place place)
{
	if (++order->slots[place.slot].stale >= RSPB_CHUNK)
		refresh_marks(order, place.slot);
}

void rspb_sorted_insert(struct rspb_sorted *order, struct rspb_place place,
			struct rspb_entry entry)
{
	struct rspb_slot *slot;
	struct rspb_entry *at;

	if (!order->chunks) {
		open_slot(order, 0, 0);
		refresh_marks(order, 0);
	} else if (!place.in && place.slot) {
		place.slot--;
		place.in = order->slots[place.slot].count;
	}
	if (order->slots[place.slot].count == RSPB_CHUNK) {
		split(order, place.slot);
		if (place.in > order->slots[place.slot].count)
			place.in -= order->slots[place.slot++].count;
	}
	slot = &order->slots[place.slot];
	at = rspb_sorted_chunk(order, place.slot) + place.in;
	memmove(at + 1, at, (slot->count - place.in) * sizeof(*at));
	*at = entry;
	order->entries++;
	if (!slot->count++)
		slot->reach = INT64_MIN;
	extend(slot, &entry);
	if (!place.in) {
		slot->key = entry.key;
		slot->other = entry.other;
		refresh_top(order, place.slot);
	} else if (order->tops[place.slot / RSPB_TOP].reach < entry.other) {
		order->tops[place.slot / RSPB_TOP].reach = entry.other;
	}
	if (order->sets)
		mark(order, place.slot, &entry);
}

void rspb_sorted_erase(struct rspb_sorted *order, struct rspb_place place)
{
	struct rspb_slot *slot = &order->slots[place.slot];
	struct rspb_entry *at = rspb_sorted_at(order, place);
	struct rspb_entry gone = *at;

	order->entries--;
	slot->count--;
	memmove(at, at + 1, (slot->count - place.in) * sizeof(*at));
	if (!slot->count) {
		order->spare[order->spares++] = slot->chunk;
		order->chunks--;
		memmove(slot, slot + 1,
			(order->chunks - place.slot) * sizeof(*slot));
		refresh_tops(order, place.slot);
		return;
	}
	if (!place.in) {
		slot->key = at->key;
		slot->other = at->other;
	}
	if (gone.other == slot->reach || length_of(&gone) == slot->longest)
		refresh(order, place.slot);
	if (!place.in || gone.other == order->tops[place.slot / RSPB_TOP].reach)
		refresh_top(order, place.slot);
	if (order->sets)
		rspb_sorted_fade(order, place);
}

void rspb_sorted_shorten(struct rspb_sorted *order, struct rspb_place place,
			 int64_t other)
{
	struct rspb_slot *slot = &order->slots[place.slot];
	struct rspb_entry *at = rspb_sorted_at(order, place);
	struct rspb_entry old = *at;

	at->other = other;
	if (old.other == slot->reach || length_of(&old) == slot->longest) {
		refresh(order, place.slot);
		refresh_top(order, place.slot);
	}
}
