/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/ledger/entries.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"

struct rspb_held *rspb_held_create(const struct rspb_booking *booking)
{
	struct rspb_held *entry = calloc(1, sizeof(*entry));

	if (!entry)
		return NULL;
	entry->booking = rspb_booking_clone(booking);
	if (!entry->booking) {
		free(entry);
		return NULL;
	}
	atomic_init(&entry->holders, 1);
	entry->until = booking->end;
	for (uint32_t i = 0; i < booking->n_grants; i++) {
		entry->shares |= booking->grants[i].share > 0;
		entry->whole |= booking->grants[i].share == 0;
	}
	return entry;
}

void rspb_held_release(struct rspb_held *entry)
{
	if (!entry || atomic_fetch_sub(&entry->holders, 1) != 1)
		return;
	rspb_booking_destroy(entry->booking);
	free(entry);
}

/* RET where the first entry stands that is not before (start, id). */
static size_t place_by_start(const struct rspb_entries *index, int64_t start,
			     uint64_t id)
{
	size_t low = 0, high = index->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct rspb_booking *b = index->by_start[middle]->booking;

		if (b->start < start ||
		    (b->start == start && b->request->id < id))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static size_t place_by_id(const struct rspb_entries *index, uint64_t id)
{
	size_t low = 0, high = index->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (index->by_id[middle]->booking->request->id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void put(struct rspb_held **list, size_t n, size_t at,
		struct rspb_held *entry)
{
	memmove(list + at + 1, list + at, (n - at) * sizeof(*list));
	list[at] = entry;
}

static void take(struct rspb_held **list, size_t n, size_t at)
{
	memmove(list + at, list + at + 1, (n - at - 1) * sizeof(*list));
}

int rspb_entries_clone(struct rspb_entries *to, const struct rspb_entries *from)
{
	*to = (struct rspb_entries){ .n = from->n, .size = from->n + 16 };
	to->by_id = malloc(to->size * sizeof(*to->by_id));
	to->by_start = malloc(to->size * sizeof(*to->by_start));
	if (!to->by_id || !to->by_start) {
		to->n = 0;
		rspb_entries_fini(to);
		return -1;
	}
	for (size_t i = 0; i < from->n; i++) {
		to->by_id[i] = from->by_id[i];
		to->by_start[i] = from->by_start[i];
		atomic_fetch_add_explicit(&to->by_id[i]->holders, 1,
					  memory_order_relaxed);
	}
	return 0;
}

void rspb_entries_fini(struct rspb_entries *index)
{
	for (size_t i = 0; i < index->n; i++)
		rspb_held_release(index->by_id[i]);
	free(index->by_id);
	free(index->by_start);
	*index = (struct rspb_entries){ .n = 0 };
}

struct rspb_held *rspb_entries_find(const struct rspb_entries *index,
				    uint64_t id)
{
	size_t at = place_by_id(index, id);

	if (at == index->n || index->by_id[at]->booking->request->id != id)
		return NULL;
	return index->by_id[at];
}

int rspb_entries_reserve(struct rspb_entries *index)
{
	size_t room = index->size;

	if (rspb_array_grow(&index->by_id, &room, index->n + 1,
			    sizeof(struct rspb_held *)))
		return -1;
	return rspb_array_grow(&index->by_start, &index->size, index->n + 1,
			       sizeof(struct rspb_held *));
}

void rspb_entries_insert(struct rspb_entries *index, struct rspb_held *entry)
{
	uint64_t id = entry->booking->request->id;

	put(index->by_start, index->n,
	    place_by_start(index, entry->booking->start, id), entry);
	put(index->by_id, index->n, place_by_id(index, id), entry);
	index->n++;
}

struct rspb_held *rspb_entries_remove(struct rspb_entries *index, uint64_t id)
{
	size_t at = place_by_id(index, id);
	struct rspb_held *entry = index->by_id[at];

	take(index->by_start, index->n,
	     place_by_start(index, entry->booking->start, id));
	take(index->by_id, index->n, at);
	index->n--;
	return entry;
}

size_t rspb_entries_before(const struct rspb_entries *index, int64_t time)
{
	return place_by_start(index, time, 0);
}

static bool gone(const struct rspb_held *entry, int64_t before, int64_t now)
{
	return rspb_state_final(entry->booking->state) &&
	       entry->booking->end < before && entry->until <= now;
}

size_t rspb_entries_drop(struct rspb_entries *index, int64_t before,
			 int64_t now)
{
	size_t id = 0, start = 0, dropped;

	for (size_t i = 0; i < index->n; i++)
		if (!gone(index->by_start[i], before, now))
			index->by_start[start++] = index->by_start[i];
	for (size_t i = 0; i < index->n; i++) {
		if (gone(index->by_id[i], before, now))
			rspb_held_release(index->by_id[i]);
		else
			index->by_id[id++] = index->by_id[i];
	}
	dropped = index->n - id;
	index->n = id;
	return dropped;
}
