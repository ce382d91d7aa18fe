/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The entries of a ledger in two orders, their pages, and what an entry is. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/base/hash.h"
#include "common/ledger/internal.h"

struct rspb_owner rspb_owner_of(const struct rspb_request *request)
{
	size_t len;
	const char *account = rspb_request_account_of(request, &len);

	return (struct rspb_owner){
		.user = request->user,
		.account = len ? (uint32_t) rspb_hash(RSPB_HASH_START, account, len) : 0,
	};
}

struct rspb_held *rspb_held_create(const struct rspb_booking *booking)
{
	/* An entry is only read from now on, so its sets may be slim. */
	struct rspb_booking *kept = rspb_booking_keep(booking);
	struct rspb_held *entry = kept ? rspb_held_wrap(kept) : NULL;

	if (!entry)
		rspb_booking_destroy(kept);
	return entry;
}

struct rspb_held *rspb_held_wrap(struct rspb_booking *booking)
{
	struct rspb_held *entry = calloc(1, sizeof(*entry));

	if (!entry)
		return NULL;
	entry->booking = booking;
	atomic_init(&entry->holders, 1);
	for (uint32_t i = 0; i < booking->n_grants; i++) {
		entry->shares |= booking->grants[i].share > 0;
		entry->whole |= booking->grants[i].share == 0;
	}
	entry->owner = rspb_owner_of(booking->request);
	entry->until = booking->end;
	if (entry->whole && !entry->shares)
		entry->until += booking->request->clean_up;
	return entry;
}

void rspb_held_release(struct rspb_held *entry)
{
	if (!entry || atomic_fetch_sub(&entry->holders, 1) != 1)
		return;
	rspb_booking_destroy(entry->booking);
	free(entry);
}

bool rspb_held_same(const struct rspb_held *a, const struct rspb_held *b)
{
	const struct rspb_booking *one = a->booking, *other = b->booking;
	bool same = a->until == b->until && one->start == other->start &&
		    one->n_grants == other->n_grants;

	/* Other resources count with shares alone; whole nodes come with all that they have. */
	for (uint32_t i = 0; same && i < one->n_grants; i++)
		same = one->grants[i].share == other->grants[i].share &&
		       (!one->grants[i].share ||
			(rspb_part_same_quotas(&one->request->parts[i],
					       &other->request->parts[i]) &&
			 rspb_part_same_odd(&one->request->parts[i], &other->request->parts[i]))) &&
		       rspb_nodeset_equal(one->grants[i].nodes, other->grants[i].nodes);
	return same;
}

/* --- pages --- */

enum { PAGE = RSPB_SHEET };

/* Drop one hold of a page. The last holder drops its entries, too. */
static void page_release(struct rspb_sheet *page)
{
	if (atomic_fetch_sub(&page->holders, 1) != 1)
		return;
	for (uint32_t i = 0; i < page->n; i++)
		rspb_held_release(page->items[i]);
	free(page);
}

/* Whether an entry comes before one of that start and id; start NULL: before one of that id. */
static bool is_before(const struct rspb_held *entry, const int64_t *start, uint64_t id)
{
	const struct rspb_booking *b = entry->booking;

	if (start && b->start != *start)
		return b->start < *start;
	return b->request->id < id;
}

/* RET the last entry of an order with pages; no page is empty. */
static const struct rspb_held *last_of(const struct rspb_sheets *pages)
{
	const struct rspb_sheet *page = pages->list[pages->n - 1];

	return page->items[page->n - 1];
}

/* RET the place of the first entry that is not before (start, id); it may be
 * behind the last of a page. start NULL: in the order by id. */
static struct rspb_sheet_place place_of(const struct rspb_sheets *pages, const int64_t *start,
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
	/* The last page whose first entry is before. */
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

/* RET the place as place_of(), but instead of the end of a page the first place of the next one. */
static struct rspb_sheet_place place_of_entry(const struct rspb_sheets *pages, const int64_t *start,
					      uint64_t id)
{
	struct rspb_sheet_place place = place_of(pages, start, id);

	if (place.page < pages->n && place.at == pages->list[place.page]->n)
		place = (struct rspb_sheet_place){ place.page + 1, 0 };
	return place;
}

/* Count anew how many entries are before each page, from one page on. */
static void count_from(struct rspb_sheets *pages, size_t page)
{
	for (size_t i = page; i < pages->n; i++)
		pages->first[i] = i ? pages->first[i - 1] + pages->list[i - 1]->n : 0;
}

/* Room for so many pages in all. RET 0, -1: out of memory. */
static int make_room(struct rspb_sheets *pages, size_t count)
{
	/* The size counts for both arrays, so it grows with the second one. */
	size_t room = pages->size;

	if (rspb_array_grow(&pages->list, &room, count, sizeof(*pages->list)))
		return -1;
	return rspb_array_grow(&pages->first, &pages->size, count, sizeof(*pages->first));
}

/* Release all pages of an order, and leave it empty. */
static void free_sheets(struct rspb_sheets *pages)
{
	for (size_t i = 0; i < pages->n; i++)
		page_release(pages->list[i]);
	free(pages->list);
	free(pages->first);
	*pages = (struct rspb_sheets){ .n = 0 };
}

/* RET 0, -1: out of memory and to is empty. */
static int clone_sheets(struct rspb_sheets *to, const struct rspb_sheets *from)
{
	*to = (struct rspb_sheets){ .n = 0 };
	if (make_room(to, from->n + 1)) {
		free_sheets(to);
		return -1;
	}
	for (size_t i = 0; i < from->n; i++) {
		to->list[i] = from->list[i];
		to->first[i] = from->first[i];
		/* The original holds the page, so that it cannot go meanwhile. */
		atomic_fetch_add_explicit(&to->list[i]->holders, 1, memory_order_relaxed);
	}
	to->n = from->n;
	return 0;
}

/* RET the page by start that holds the i-th. */
static size_t page_of(const struct rspb_sheets *pages, size_t i)
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

/* Whether the pages, by start, have this very one. Pages are compared by address, because a page
 * that was changed is a copy at another address. */
static bool have_page(const struct rspb_sheets *pages, const struct rspb_sheet *page)
{
	const struct rspb_booking *b = page->items[0]->booking;
	struct rspb_sheet_place place = place_of_entry(pages, &b->start, b->request->id);

	return place.page < pages->n && pages->list[place.page] == page;
}

/* RET an empty page; rspb_entries_reserve() has seen to it that there is one. */
static struct rspb_sheet *spare_page(struct rspb_spares *spares)
{
	struct rspb_sheet *page = spares->list[--spares->n];

	atomic_init(&page->holders, 1);
	page->n = 0;
	return page;
}

/* Append the entries of a page to another page, which holds them as well. */
static void append(struct rspb_sheet *to, const struct rspb_sheet *from)
{
	for (uint32_t i = 0; i < from->n; i++) {
		to->owners[to->n] = from->owners[i];
		to->items[to->n++] = from->items[i];
		atomic_fetch_add_explicit(&from->items[i]->holders, 1, memory_order_relaxed);
	}
}

/* RET a page, to write to. A page that a clone of the ledger has is copied first. */
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

/* Put a page into an order, or take it out. The caller counts anew afterwards. */
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

/* Split a full page into halves, and let the place follow its entry. At the end of all, where most
 * new entries come, the page is left full. */
static void split(struct rspb_spares *spares, struct rspb_sheets *pages,
		  struct rspb_sheet_place *place)
{
	struct rspb_sheet *page = pages->list[place->page];
	struct rspb_sheet *next = spare_page(spares);
	uint32_t keep = place->page + 1 == pages->n && place->at == PAGE ? PAGE : PAGE / 2;

	next->n = PAGE - keep;
	memcpy(next->items, page->items + keep, next->n * sizeof(*page->items));
	memcpy(next->owners, page->owners + keep, next->n * sizeof(*page->owners));
	page->n = keep;
	page_in(pages, place->page + 1, next);
	if (place->at < keep || (place->at == keep && next->n))
		return;
	place->page++;
	place->at -= keep;
}

/* Put in an entry that is not there yet. The pages take over the hold of the caller. */
static void put_entry(struct rspb_spares *spares, struct rspb_sheets *pages, const int64_t *start,
		      struct rspb_held *entry)
{
	uint64_t id = entry->booking->request->id;
	struct rspb_sheet_place place = place_of(pages, start, id), first;
	struct rspb_sheet *page;

	if (!pages->n)
		page_in(pages, 0, spare_page(spares));
	/* A split moves the place on, but the counts change from the page before it. */
	first = place;
	if (own(spares, pages, place.page)->n == PAGE)
		split(spares, pages, &place);
	page = pages->list[place.page];
	memmove(page->items + place.at + 1, page->items + place.at,
		(page->n - place.at) * sizeof(*page->items));
	memmove(page->owners + place.at + 1, page->owners + place.at,
		(page->n - place.at) * sizeof(*page->owners));
	page->items[place.at] = entry;
	page->owners[place.at] = entry->owner;
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
	/* A clone may have the next page, too: that page stays as it is, and its entries are held
	 * once more. */
	append(page, next);
	page_out(pages, at + 1);
	page_release(next);
}

/* Take out an entry that is there, and give its hold to the caller. */
static struct rspb_held *take_entry(struct rspb_spares *spares, struct rspb_sheets *pages,
				    const int64_t *start, uint64_t id)
{
	struct rspb_sheet_place place = place_of_entry(pages, start, id);
	struct rspb_sheet *page = own(spares, pages, place.page);
	struct rspb_held *entry = page->items[place.at];

	page->n--;
	memmove(page->items + place.at, page->items + place.at + 1,
		(page->n - place.at) * sizeof(*page->items));
	memmove(page->owners + place.at, page->owners + place.at + 1,
		(page->n - place.at) * sizeof(*page->owners));
	if (page->n) {
		merge(pages, place.page);
	} else {
		/* The page is kept for the next change. The list of spare pages has room for all
		 * pages. */
		page_out(pages, place.page);
		spares->list[spares->n++] = page;
	}
	count_from(pages, place.page);
	return entry;
}

/* --- both orders --- */

enum {
	/* A change may have to copy a page of each order, and to split it. */
	SPARE = 4,
	SPARE_MOST = 16,
	NEAR = 4, /* entries that one is compared with */
	AHEAD = 4 /* entries that are fetched before they are asked for */
};

int rspb_entries_clone(struct rspb_entries *to, const struct rspb_entries *from)
{
	/* Spare pages are not copied: a clone that is only read needs none. */
	*to = (struct rspb_entries){ .n = from->n };
	if (!clone_sheets(&to->by_id, &from->by_id) &&
	    !clone_sheets(&to->by_start, &from->by_start))
		return 0;
	rspb_entries_fini(to);
	return -1;
}

void rspb_entries_fini(struct rspb_entries *index)
{
	free_sheets(&index->by_id);
	free_sheets(&index->by_start);
	while (index->spares.n)
		free(index->spares.list[--index->spares.n]);
	free(index->spares.list);
	*index = (struct rspb_entries){ .n = 0 };
}

struct rspb_held *rspb_entries_from(const struct rspb_entries *index, uint64_t id)
{
	const struct rspb_sheets *pages = &index->by_id;
	struct rspb_sheet_place place = place_of_entry(pages, NULL, id);

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
	size_t page = page_of(pages, i);
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
	page = page_of(pages, i);
	/* The page was not passed over when its first entry was asked about. */
	if (i > pages->first[page])
		return i;
	while (page < pages->n && have_page(&other->by_start, pages->list[page]))
		page++;
	return page < pages->n ? pages->first[page] : index->n;
}

size_t rspb_entries_next_of(const struct rspb_entries *index, struct rspb_owner owner, bool account,
			    size_t i)
{
	const struct rspb_sheets *pages = &index->by_start;
	size_t page, at;

	if (i >= index->n)
		return index->n;
	page = page_of(pages, i);
	for (at = i - pages->first[page]; page < pages->n; page++, at = 0) {
		const struct rspb_sheet *sheet = pages->list[page];

		for (; at < sheet->n; at++)
			if (account ? sheet->owners[at].account == owner.account
				    : sheet->owners[at].user == owner.user)
				return pages->first[page] + at;
	}
	return index->n;
}

int rspb_entries_reserve(struct rspb_entries *index, size_t changes)
{
	size_t spare = changes * SPARE;

	/* Each change may add a page to either order. Each page that becomes empty joins the spare
	 * ones. */
	if (make_room(&index->by_id, index->by_id.n + changes + 1) ||
	    make_room(&index->by_start, index->by_start.n + changes + 1) ||
	    rspb_array_grow(&index->spares.list, &index->spares.size,
			    spare + SPARE_MOST + index->by_id.n + index->by_start.n,
			    sizeof(*index->spares.list)))
		return -1;
	/* A large change, and pages that became empty, leave more spare pages than the next changes
	 * need. */
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

/* The eligible nodes of most requests are alike, and a set takes a kilobyte on a large machine. An
 * entry that no ledger has yet shares equal sets with another one. */
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

/* Share sets with the entries of the ids just before. As many of them are compared as there may be
 * partitions whose requests alternate. */
static void share_near(const struct rspb_entries *index, struct rspb_held *entry)
{
	uint64_t id = entry->booking->request->id;
	struct rspb_sheet_place place = place_of(&index->by_id, NULL, id);

	for (uint32_t n = 0; n < NEAR && n < place.at; n++)
		share_sets(entry, index->by_id.list[place.page]->items[place.at - 1 - n]);
}

void rspb_entries_insert(struct rspb_entries *index, struct rspb_held *entry)
{
	/* Both orders hold the entry. If nobody else does, its sets may still be exchanged for
	 * equal ones. */
	if (atomic_fetch_add(&entry->holders, 1) == 1)
		share_near(index, entry);
	put_entry(&index->spares, &index->by_start, &entry->booking->start, entry);
	put_entry(&index->spares, &index->by_id, NULL, entry);
	index->n++;
}

struct rspb_held *rspb_entries_remove(struct rspb_entries *index, uint64_t id)
{
	struct rspb_held *entry = take_entry(&index->spares, &index->by_id, NULL, id);

	/* Each order held the entry. The hold of one is dropped, and that of the other goes to the
	 * caller. */
	rspb_held_release(take_entry(&index->spares, &index->by_start, &entry->booking->start, id));
	index->n--;
	return entry;
}

size_t rspb_entries_before(const struct rspb_entries *index, int64_t time)
{
	/* With the id 0, entries that start at this very time come after the place. */
	struct rspb_sheet_place place = place_of(&index->by_start, &time, 0);

	return index->n ? index->by_start.first[place.page] + place.at : 0;
}

/* Whether a booking is over, old enough to be forgotten, and holds nothing any more. */
static bool gone(const struct rspb_held *entry, int64_t before, int64_t now)
{
	return rspb_state_final(entry->booking->state) && entry->booking->end < before &&
	       entry->until <= now;
}

size_t rspb_entries_drop(struct rspb_entries *index, int64_t before, int64_t now)
{
	/* Ids are listed first, because each removal moves the places of the others. */
	uint64_t *ids = malloc((index->n + 1) * sizeof(*ids));
	size_t dropped = 0;

	for (size_t i = 0; ids && i < index->n; i++) {
		const struct rspb_held *entry = rspb_entries_at(index, i);

		if (gone(entry, before, now))
			ids[dropped++] = entry->booking->request->id;
	}
	for (size_t i = 0; i < dropped; i++) {
		/* Without memory the rest stays for the next call. */
		if (rspb_entries_reserve(index, 1)) {
			dropped = i;
			break;
		}
		rspb_held_release(rspb_entries_remove(index, ids[i]));
	}
	free(ids);
	return dropped;
}
