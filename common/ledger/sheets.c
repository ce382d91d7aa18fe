/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/ledger/sheets.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/ledger/held.h"

enum { PAGE = RSPB_SHEET };

static void page_release(struct rspb_sheet *page)
{
	if (atomic_fetch_sub(&page->holders, 1) != 1)
		return;
	for (uint32_t i = 0; i < page->n; i++)
		rspb_held_release(page->items[i]);
	free(page);
}

/* Whether an entry stands before one of that start and id. In the order by id,
 * start is the same for all. */
static bool is_before(const struct rspb_held *entry, const int64_t *start, uint64_t id)
{
	const struct rspb_booking *b = entry->booking;

	if (start && b->start != *start)
		return b->start < *start;
	return b->request->id < id;
}

static const struct rspb_held *last_of(const struct rspb_sheets *pages)
{
	const struct rspb_sheet *page = pages->list[pages->n - 1];

	return page->items[page->n - 1];
}

/* RET the place of the first entry that is not before (start, id); it may be
 * behind the last of a page. start NULL: in the order by id. */
struct rspb_sheet_place rspb_sheets_place(const struct rspb_sheets *pages, const int64_t *start,
					  uint64_t id)
{
	size_t low = 0, high = pages->n;
	struct rspb_sheet_place place = { 0, 0 };
	uint32_t from = 0, to;

	/* Most new ones come behind all others. */
	if (high && is_before(last_of(pages), start, id)) {
		place.page = high - 1;
		place.at = pages->list[place.page]->n;
		return place;
	}
	/* The last page whose first one is before. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (is_before(pages->list[middle]->items[0], start, id))
			low = middle + 1;
		else
			high = middle;
	}
	if (!low)
		return place;
	place.page = low - 1;
	to = pages->list[place.page]->n;
	while (from < to) {
		uint32_t middle = from + (to - from) / 2;

		if (is_before(pages->list[place.page]->items[middle], start, id))
			from = middle + 1;
		else
			to = middle;
	}
	place.at = from;
	return place;
}

/* The same, but never behind the last of a page, unless it is behind all. */
struct rspb_sheet_place rspb_sheets_entry(const struct rspb_sheets *pages, const int64_t *start,
					  uint64_t id)
{
	struct rspb_sheet_place place = rspb_sheets_place(pages, start, id);

	if (place.page < pages->n && place.at == pages->list[place.page]->n)
		place = (struct rspb_sheet_place){ place.page + 1, 0 };
	return place;
}

static void count_from(struct rspb_sheets *pages, size_t page)
{
	for (size_t i = page; i < pages->n; i++)
		pages->first[i] = i ? pages->first[i - 1] + pages->list[i - 1]->n : 0;
}

int rspb_sheets_room(struct rspb_sheets *pages, size_t count)
{
	size_t room = pages->size;

	if (rspb_array_grow(&pages->list, &room, count, sizeof(*pages->list)))
		return -1;
	return rspb_array_grow(&pages->first, &pages->size, count, sizeof(*pages->first));
}

void rspb_sheets_fini(struct rspb_sheets *pages)
{
	for (size_t i = 0; i < pages->n; i++)
		page_release(pages->list[i]);
	free(pages->list);
	free(pages->first);
	*pages = (struct rspb_sheets){ .n = 0 };
}

int rspb_sheets_clone(struct rspb_sheets *to, const struct rspb_sheets *from)
{
	*to = (struct rspb_sheets){ .n = 0 };
	if (rspb_sheets_room(to, from->n + 1)) {
		rspb_sheets_fini(to);
		return -1;
	}
	for (size_t i = 0; i < from->n; i++) {
		to->list[i] = from->list[i];
		to->first[i] = from->first[i];
		atomic_fetch_add_explicit(&to->list[i]->holders, 1, memory_order_relaxed);
	}
	to->n = from->n;
	return 0;
}

/* RET the page by start that holds the i-th. */
size_t rspb_sheets_find(const struct rspb_sheets *pages, size_t i)
{
	size_t low = 0, high = pages->n;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (pages->first[middle] <= i)
			low = middle;
		else
			high = middle;
	}
	return low;
}

bool rspb_sheets_have(const struct rspb_sheets *pages, const struct rspb_sheet *page)
{
	const struct rspb_booking *b = page->items[0]->booking;
	struct rspb_sheet_place place = rspb_sheets_entry(pages, &b->start, b->request->id);

	return place.page < pages->n && pages->list[place.page] == page;
}

static struct rspb_sheet *spare_page(struct rspb_spares *spares)
{
	struct rspb_sheet *page = spares->list[--spares->n];

	atomic_init(&page->holders, 1);
	page->n = 0;
	return page;
}

/* Items of one page behind those of another, which holds them, too. */
static void append(struct rspb_sheet *to, const struct rspb_sheet *from)
{
	for (uint32_t i = 0; i < from->n; i++) {
		to->items[to->n++] = from->items[i];
		atomic_fetch_add_explicit(&from->items[i]->holders, 1, memory_order_relaxed);
	}
}

/* RET that page, which is nobody else's from now on. */
static struct rspb_sheet *own(struct rspb_spares *spares, struct rspb_sheets *pages, size_t at)
{
	struct rspb_sheet *page = pages->list[at], *copy;

	if (atomic_load(&page->holders) == 1)
		return page;
	copy = spare_page(spares);
	append(copy, page);
	page_release(page);
	pages->list[at] = copy;
	return copy;
}

static void page_in(struct rspb_sheets *pages, size_t at, struct rspb_sheet *page)
{
	memmove(pages->list + at + 1, pages->list + at, (pages->n - at) * sizeof(*pages->list));
	pages->list[at] = page;
	pages->n++;
}

static void page_out(struct rspb_sheets *pages, size_t at)
{
	pages->n--;
	memmove(pages->list + at, pages->list + at + 1, (pages->n - at) * sizeof(*pages->list));
}

/* Its second half becomes a page of its own. At the end of all, where most new
 * ones come, it is left full. */
static void split(struct rspb_spares *spares, struct rspb_sheets *pages,
		  struct rspb_sheet_place *place)
{
	struct rspb_sheet *page = pages->list[place->page];
	struct rspb_sheet *next = spare_page(spares);
	uint32_t keep = place->page + 1 == pages->n && place->at == PAGE ? PAGE : PAGE / 2;

	next->n = PAGE - keep;
	memcpy(next->items, page->items + keep, next->n * sizeof(*page->items));
	page->n = keep;
	page_in(pages, place->page + 1, next);
	if (place->at < keep || (place->at == keep && next->n))
		return;
	place->page++;
	place->at -= keep;
}

void rspb_sheets_put(struct rspb_spares *spares, struct rspb_sheets *pages, const int64_t *start,
		     struct rspb_held *entry)
{
	uint64_t id = entry->booking->request->id;
	struct rspb_sheet_place place = rspb_sheets_place(pages, start, id), first;
	struct rspb_sheet *page;

	if (!pages->n)
		page_in(pages, 0, spare_page(spares));
	first = place;
	if (own(spares, pages, place.page)->n == PAGE)
		split(spares, pages, &place);
	page = pages->list[place.page];
	memmove(page->items + place.at + 1, page->items + place.at,
		(page->n - place.at) * sizeof(*page->items));
	page->items[place.at] = entry;
	page->n++;
	count_from(pages, first.page);
}

/* A page that is nearly empty takes over the next one. */
static void merge(struct rspb_sheets *pages, size_t at)
{
	struct rspb_sheet *page = pages->list[at], *next;

	if (at + 1 == pages->n || page->n > PAGE / 4)
		return;
	next = pages->list[at + 1];
	if (page->n + next->n > PAGE / 2)
		return;
	append(page, next);
	page_out(pages, at + 1);
	page_release(next);
}

struct rspb_held *rspb_sheets_take(struct rspb_spares *spares, struct rspb_sheets *pages,
				   const int64_t *start, uint64_t id)
{
	struct rspb_sheet_place place = rspb_sheets_entry(pages, start, id);
	struct rspb_sheet *page = own(spares, pages, place.page);
	struct rspb_held *entry = page->items[place.at];

	page->n--;
	memmove(page->items + place.at, page->items + place.at + 1,
		(page->n - place.at) * sizeof(*page->items));
	if (page->n) {
		merge(pages, place.page);
	} else {
		page_out(pages, place.page);
		spares->list[spares->n++] = page;
	}
	count_from(pages, place.page);
	return entry;
}
