/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/calendar/pages.h"

#include <stdlib.h>
#include <string.h>

/*
 * Spare pages that are kept beyond what was asked for. The largest number that was asked for
 * counts, and shrinks by one in so many with each SLOWLY calls: a change of many gaps is seldom
 * the only one, and allocating anew would take longer than the change.
 */
enum { KEPT = 32, PART = 16, SLOWLY = 64 };

static struct rspb_page *pop(struct rspb_pages *pages)
{
	struct rspb_page *page = pages->spare;

	pages->spare = page->next;
	pages->spares--;
	return page;
}

int rspb_pages_reserve(struct rspb_pages *pages, size_t count)
{
	/* Let the largest number shrink from time to time, or a single large change would keep its
	 * pages for ever. */
	if (++pages->calls % SLOWLY == 0)
		pages->most -= pages->most / PART + (pages->most > 0);
	if (pages->most < count)
		pages->most = count;
	while (pages->spares > pages->most + KEPT)
		free(pop(pages));
	while (pages->spares < count) {
		struct rspb_page *page = malloc(pages->size);

		if (!page)
			return -1;
		page->next = pages->spare;
		pages->spare = page;
		pages->spares++;
	}
	return 0;
}

void rspb_pages_fini(struct rspb_pages *pages)
{
	while (pages->spares)
		free(pop(pages));
}

struct rspb_page *rspb_pages_take(struct rspb_pages *pages)
{
	/* Callers reserve all pages that a change may need, so there is one. */
	struct rspb_page *page = pop(pages);

	atomic_init(&page->users, 1);
	return page;
}

struct rspb_page *rspb_pages_copy(struct rspb_pages *pages, struct rspb_page *page)
{
	struct rspb_page *own;

	/* Acquire: the user that dropped the page has read it for the last time before this one
	 * writes to it. */
	if (atomic_load_explicit(&page->users, memory_order_acquire) == 1)
		return page;
	own = rspb_pages_take(pages);
	memcpy(own + 1, page + 1, pages->size - sizeof(*page));
	rspb_page_drop(page);
	return own;
}

void rspb_page_share(struct rspb_page *page)
{
	/* The caller has a user already, so that the page cannot be freed meanwhile. */
	atomic_fetch_add_explicit(&page->users, 1, memory_order_relaxed);
}

void rspb_page_drop(struct rspb_page *page)
{
	/* The page is freed and does not become a spare one: the spare pages of its index may
	 * belong to another thread. */
	if (atomic_fetch_sub_explicit(&page->users, 1, memory_order_acq_rel) == 1)
		free(page);
}
