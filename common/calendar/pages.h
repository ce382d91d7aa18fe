/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Memory in pages that copies share: who changes a page that others have makes
 * one of his own first. Users are counted atomically, so that holders of a page
 * may share it, own it and give it back in threads of their own; a page is
 * written to by its only user alone.
 */
#ifndef RSPB_CALENDAR_PAGES_H
#define RSPB_CALENDAR_PAGES_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

/* The begin of every page; what it holds lies behind. */
struct rspb_page {
	atomic_uint users;
	struct rspb_page *next; /* of the spare ones */
};

/* Pages of one size, and those at hand. */
struct rspb_pages {
	size_t size;		   /* bytes of each, struct rspb_page included */
	const atomic_bool *shared; /* whether another has pages of these */
	struct rspb_page *spare;
	size_t spares;
	size_t most;  /* asked for at a time, of late */
	size_t calls; /* that asked */
};

/* Have so many spare ones, and not many more than were wanted of late. RET -1 without memory. */
int rspb_pages_reserve(struct rspb_pages *pages, size_t count);
/* Give the spare ones back. */
void rspb_pages_fini(struct rspb_pages *pages);
/* RET a spare page with one user. These never fail within what was reserved. */
struct rspb_page *rspb_pages_take(struct rspb_pages *pages);
/* RET the page, for its only user to write to, or a copy that takes its place. */
struct rspb_page *rspb_pages_copy(struct rspb_pages *pages, struct rspb_page *page);
/* The same; the page itself, often not at hand, is not read if no page is shared. */
static inline struct rspb_page *rspb_pages_own(struct rspb_pages *pages, struct rspb_page *page)
{
	if (!atomic_load_explicit(pages->shared, memory_order_relaxed))
		return page;
	return rspb_pages_copy(pages, page);
}
/* Add a user of the page, or take one away. */
void rspb_page_share(struct rspb_page *page);
void rspb_page_drop(struct rspb_page *page);

#endif
