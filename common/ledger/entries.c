/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/ledger/entries.h"

#include <stdbool.h>
#include <stdlib.h>

#include "common/base/array.h"

enum {
	/* A change may have to copy a page of each order, and to split it. */
	SPARE = 4,
	SPARE_MOST = 16,
	NEAR = 4, /* entries that one is compared with */
	AHEAD = 4 /* entries that are fetched before they are asked for */
};

int rspb_entries_clone(struct rspb_entries *to, const struct rspb_entries *from)
{
	*to = (struct rspb_entries){ .n = from->n };
	if (!rspb_sheets_clone(&to->by_id, &from->by_id) &&
	    !rspb_sheets_clone(&to->by_start, &from->by_start))
		return 0;
	rspb_entries_fini(to);
	return -1;
}

void rspb_entries_fini(struct rspb_entries *index)
{
	rspb_sheets_fini(&index->by_id);
	rspb_sheets_fini(&index->by_start);
	while (index->spares.n)
		free(index->spares.list[--index->spares.n]);
	free(index->spares.list);
	*index = (struct rspb_entries){ .n = 0 };
}

struct rspb_held *rspb_entries_from(const struct rspb_entries *index, uint64_t id)
{
	const struct rspb_sheets *pages = &index->by_id;
	struct rspb_sheet_place place = rspb_sheets_entry(pages, NULL, id);

	return place.page == pages->n ? NULL : pages->list[place.page]->items[place.at];
}

struct rspb_held *rspb_entries_find(const struct rspb_entries *index, uint64_t id)
{
	struct rspb_held *entry = rspb_entries_from(index, id);

	return entry && entry->booking->request->id == id ? entry : NULL;
}

struct rspb_held *rspb_entries_at(const struct rspb_entries *index, size_t i)
{
	const struct rspb_sheets *pages = &index->by_start;
	size_t page = rspb_sheets_find(pages, i);
	const struct rspb_sheet *sheet = pages->list[page];
	size_t at = i - pages->first[page];

	/* A caller that asks for one entry asks for the next ones, and each lies elsewhere in
	 * memory. */
	if (at + 2 * AHEAD < sheet->n) {
		__builtin_prefetch(sheet->items[at + 2 * AHEAD]);
		__builtin_prefetch(sheet->items[at + AHEAD]->booking);
	}
	return sheet->items[at];
}

size_t rspb_entries_unshared(const struct rspb_entries *index, const struct rspb_entries *other,
			     size_t i)
{
	const struct rspb_sheets *pages = &index->by_start;
	size_t page;

	if (i >= index->n)
		return index->n;
	page = rspb_sheets_find(pages, i);
	/* Within a page it was asked about its first. */
	if (i > pages->first[page])
		return i;
	while (page < pages->n && rspb_sheets_have(&other->by_start, pages->list[page]))
		page++;
	return page < pages->n ? pages->first[page] : index->n;
}

int rspb_entries_reserve(struct rspb_entries *index, size_t changes)
{
	size_t spare = changes * SPARE;

	if (rspb_sheets_room(&index->by_id, index->by_id.n + changes + 1) ||
	    rspb_sheets_room(&index->by_start, index->by_start.n + changes + 1) ||
	    rspb_array_grow(&index->spares.list, &index->spares.size,
			    spare + SPARE_MOST + index->by_id.n + index->by_start.n,
			    sizeof(*index->spares.list)))
		return -1;
	while (index->spares.n > spare && index->spares.n > SPARE_MOST)
		free(index->spares.list[--index->spares.n]);
	while (index->spares.n < spare) {
		struct rspb_sheet *page = malloc(sizeof(*page));

		if (!page)
			return -1;
		index->spares.list[index->spares.n++] = page;
	}
	return 0;
}

/* Sets of nodes that a part may have are alike, mostly, and a kilobyte on a large
 * machine: an entry that is nobody else's yet shares those of another one. */
static void share_sets(struct rspb_held *entry, const struct rspb_held *other)
{
	struct rspb_request *request = entry->booking->request;
	const struct rspb_request *theirs = other->booking->request;

	for (uint32_t i = 0; i < request->n_parts && i < theirs->n_parts; i++) {
		struct rspb_nodeset **own = &request->parts[i].eligible;
		struct rspb_nodeset *set = theirs->parts[i].eligible;

		if (!*own || !set || *own == set || (*own)->width != set->width ||
		    !rspb_nodeset_equal(*own, set))
			continue;
		rspb_nodeset_destroy(*own);
		*own = rspb_nodeset_share(set);
	}
}

/* With those that came just before it, of as many partitions. */
static void share_near(const struct rspb_entries *index, struct rspb_held *entry)
{
	uint64_t id = entry->booking->request->id;
	struct rspb_sheet_place place = rspb_sheets_place(&index->by_id, NULL, id);

	for (uint32_t n = 0; n < NEAR && n < place.at; n++)
		share_sets(entry, index->by_id.list[place.page]->items[place.at - 1 - n]);
}

void rspb_entries_insert(struct rspb_entries *index, struct rspb_held *entry)
{
	if (atomic_fetch_add(&entry->holders, 1) == 1)
		share_near(index, entry);
	rspb_sheets_put(&index->spares, &index->by_start, &entry->booking->start, entry);
	rspb_sheets_put(&index->spares, &index->by_id, NULL, entry);
	index->n++;
}

struct rspb_held *rspb_entries_remove(struct rspb_entries *index, uint64_t id)
{
	struct rspb_held *entry = rspb_sheets_take(&index->spares, &index->by_id, NULL, id);

	rspb_held_release(
		rspb_sheets_take(&index->spares, &index->by_start, &entry->booking->start, id));
	index->n--;
	return entry;
}

size_t rspb_entries_before(const struct rspb_entries *index, int64_t time)
{
	struct rspb_sheet_place place = rspb_sheets_place(&index->by_start, &time, 0);

	return index->n ? index->by_start.first[place.page] + place.at : 0;
}

static bool gone(const struct rspb_held *entry, int64_t before, int64_t now)
{
	return rspb_state_final(entry->booking->state) && entry->booking->end < before &&
	       entry->until <= now;
}

size_t rspb_entries_drop(struct rspb_entries *index, int64_t before, int64_t now)
{
	uint64_t *ids = malloc((index->n + 1) * sizeof(*ids));
	size_t dropped = 0;

	for (size_t i = 0; ids && i < index->n; i++) {
		const struct rspb_held *entry = rspb_entries_at(index, i);

		if (gone(entry, before, now))
			ids[dropped++] = entry->booking->request->id;
	}
	for (size_t i = 0; i < dropped; i++) {
		if (rspb_entries_reserve(index, 1)) {
			dropped = i;
			break;
		}
		rspb_held_release(rspb_entries_remove(index, ids[i]));
	}
	free(ids);
	return dropped;
}
