/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Entries in and out of an order; a chunk that copies share is copied first. */
#include <string.h>

#include "common/calendar/internal.h"

static int64_t length_of(const struct rspb_entry *entry)
{
	return entry->other > entry->key ? entry->other - entry->key : entry->key - entry->other;
}

/* RET a slot's chunk, to write to. A chunk that another copy has is copied first, with a page that
 * was reserved. */
static struct rspb_chunk *own(struct rspb_sorted *order, size_t slot)
{
	struct rspb_slot *at = &order->slots[slot];

	at->chunk = (struct rspb_chunk *) rspb_pages_own(&order->pages, &at->chunk->page);
	return at->chunk;
}

struct rspb_entry *rspb_sorted_edit(struct rspb_sorted *order, struct rspb_place place)
{
	return own(order, place.slot)->at + place.in;
}

static void mark_patches(struct rspb_sorted *order, size_t slot, struct rspb_patches nodes)
{
	uint64_t *marks = rspb_chunk_marks(own(order, slot));

	for (uint32_t i = 0; i < nodes.count; i++)
		marks[nodes.at[i].word / 4] |= rspb_patch_wide(nodes.at[i]);
}

/* A chunk's groups have an entry's nodes. */
static void mark(struct rspb_sorted *order, size_t slot, const struct rspb_entry *entry)
{
	if (rspb_entry_is_run(entry))
		rspb_run_add_to(rspb_entry_run(entry), rspb_chunk_marks(own(order, slot)));
	else
		mark_patches(order, slot, rspb_gapsets_row(order->sets, entry));
}

/* Make the marks of a chunk afresh from its groups, so that no superfluous ones are left. Orders
 * without sets have no marks. */
static void refresh_marks(struct rspb_sorted *order, size_t slot)
{
	const struct rspb_entry *chunk;

	if (!order->sets)
		return;
	memset(rspb_chunk_marks(own(order, slot)), 0, order->mark_words * sizeof(uint64_t));
	chunk = rspb_sorted_chunk(order, slot);
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

	for (size_t i = first; i < order->chunks && i < first + RSPB_TOP; i++, at++)
		top.reach = at->reach > top.reach ? at->reach : top.reach;
	order->tops[slot / RSPB_TOP] = top;
}

/* Refresh the tops of all slots from one on, because these slots have moved. */
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

/* Make what a slot says about the entries of its chunk true again. */
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

/* Change the number of entries of a slot. The order counts its tight chunks, because a reservation
 * depends on them. */
static void set_count(struct rspb_sorted *order, struct rspb_slot *slot, uint32_t count)
{
	order->tight -= rspb_slot_is_tight(slot);
	slot->count = (uint16_t) count;
	order->tight += rspb_slot_is_tight(slot);
}

/* Insert a slot with a chunk of its own, whose entries the caller writes. */
static void open_slot(struct rspb_sorted *order, size_t slot, uint32_t count)
{
	memmove(order->slots + slot + 1, order->slots + slot,
		(order->chunks - slot) * sizeof(*order->slots));
	order->chunks++;
	order->slots[slot] = (struct rspb_slot){
		.chunk = (struct rspb_chunk *) rspb_pages_take(&order->pages),
	};
	set_count(order, &order->slots[slot], count);
}

static void split(struct rspb_sorted *order, size_t slot)
{
	enum { HALF = RSPB_CHUNK / 2 };

	open_slot(order, slot + 1, HALF);
	memcpy(order->slots[slot + 1].chunk->at, rspb_sorted_chunk(order, slot) + RSPB_CHUNK - HALF,
	       HALF * sizeof(struct rspb_entry));
	set_count(order, &order->slots[slot], RSPB_CHUNK - HALF);
	for (size_t i = slot; i < slot + 2; i++) {
		refresh(order, i);
		refresh_marks(order, i);
	}
	refresh_tops(order, slot);
}

void rspb_sorted_mark(struct rspb_sorted *order, struct rspb_place place, struct rspb_patches nodes)
{
	mark_patches(order, place.slot, nodes);
}

void rspb_sorted_fade(struct rspb_sorted *order, struct rspb_place place)
{
	if (++order->slots[place.slot].stale >= 4 * RSPB_CHUNK)
		refresh_marks(order, place.slot);
}

void rspb_sorted_insert(struct rspb_sorted *order, struct rspb_place place, struct rspb_entry entry)
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
	/* An entry between two chunks has become the last of the first chunk, so that no slot gets
	 * another key. A full chunk is split. */
	if (order->slots[place.slot].count == RSPB_CHUNK) {
		split(order, place.slot);
		if (place.in > order->slots[place.slot].count)
			place.in -= order->slots[place.slot++].count;
	}
	slot = &order->slots[place.slot];
	at = rspb_sorted_edit(order, place);
	memmove(at + 1, at, (slot->count - place.in) * sizeof(*at));
	*at = entry;
	order->entries++;
	if (!slot->count)
		slot->reach = INT64_MIN;
	set_count(order, slot, slot->count + 1U);
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

/* Take out a slot whose entries are gone. */
static void close_slot(struct rspb_sorted *order, size_t slot)
{
	/* The slot may have been tight: the count of tight chunks has to follow. */
	set_count(order, &order->slots[slot], 0);
	rspb_page_drop(&order->slots[slot].chunk->page);
	order->chunks--;
	memmove(order->slots + slot, order->slots + slot + 1,
		(order->chunks - slot) * sizeof(*order->slots));
	refresh_tops(order, slot);
}

/* Let a slot take over the entries of a neighbour. Its chunk belongs to this copy alone. */
static void merge_slots(struct rspb_sorted *order, size_t slot, size_t from)
{
	struct rspb_slot *to = &order->slots[slot], *gone = &order->slots[from];
	struct rspb_entry *at = to->chunk->at;
	uint32_t count = gone->count;

	if (from < slot) {
		memmove(at + count, at, to->count * sizeof(*at));
		to->key = gone->key;
		to->other = gone->other;
	} else {
		at += to->count;
	}
	memcpy(at, gone->chunk->at, count * sizeof(*at));
	for (uint32_t i = 0; i < order->mark_words; i++)
		rspb_chunk_marks(to->chunk)[i] |= rspb_chunk_marks(gone->chunk)[i];
	to->reach = gone->reach > to->reach ? gone->reach : to->reach;
	to->longest = gone->longest > to->longest ? gone->longest : to->longest;
	to->stale = (uint16_t) (to->stale + gone->stale);
	set_count(order, to, to->count + count);
	close_slot(order, from);
}

/* Merge a slot with few entries with a neighbour, if both together have room for some more. */
static void merge_few(struct rspb_sorted *order, size_t slot)
{
	/* A merged chunk must not be nearly full, or the next insertions would split it again. */
	enum { MOST = RSPB_CHUNK / 8 * 7 };
	uint32_t count = order->slots[slot].count;

	if (count > MOST / 2)
		return;
	if (slot + 1 < order->chunks && count + order->slots[slot + 1].count <= MOST)
		merge_slots(order, slot, slot + 1);
	else if (slot && count + order->slots[slot - 1].count <= MOST)
		merge_slots(order, slot, slot - 1);
}

void rspb_sorted_erase(struct rspb_sorted *order, struct rspb_place place)
{
	struct rspb_slot *slot = &order->slots[place.slot];
	struct rspb_entry *at, gone;

	order->entries--;
	if (slot->count == 1) {
		close_slot(order, place.slot);
		return;
	}
	at = rspb_sorted_edit(order, place);
	gone = *at;
	set_count(order, slot, slot->count - 1U);
	memmove(at, at + 1, (slot->count - place.in) * sizeof(*at));
	if (!place.in) {
		slot->key = at->key;
		slot->other = at->other;
	}
	/* Only an entry that was the largest makes the summary of its slot wrong. */
	if (gone.other == slot->reach || length_of(&gone) == slot->longest)
		refresh(order, place.slot);
	if (!place.in || gone.other == order->tops[place.slot / RSPB_TOP].reach)
		refresh_top(order, place.slot);
	if (order->sets)
		rspb_sorted_fade(order, place);
	merge_few(order, place.slot);
}

void rspb_sorted_shorten(struct rspb_sorted *order, struct rspb_place place, int64_t other)
{
	struct rspb_slot *slot = &order->slots[place.slot];
	struct rspb_entry *at = rspb_sorted_edit(order, place);
	struct rspb_entry old = *at;

	at->other = other;
	/* As with an entry that goes, only the largest one matters. */
	if (old.other == slot->reach || length_of(&old) == slot->longest) {
		refresh(order, place.slot);
		refresh_top(order, place.slot);
	}
}
