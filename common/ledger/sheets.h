/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Entries of a ledger in one order, in pages that copies share until one of them
 * changes. For common/ledger alone.
 *
 * start NULL means the order by id, else it is by start, then id.
 */
#ifndef RSPB_LEDGER_SHEETS_H
#define RSPB_LEDGER_SHEETS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct rspb_held;

enum { RSPB_SHEET = 56 };

struct rspb_sheet {
	atomic_uint holders;
	uint32_t n;
	struct rspb_held *items[RSPB_SHEET]; /* held each */
};

struct rspb_sheets {
	size_t n, size;
	struct rspb_sheet **list; /* none is empty */
	size_t *first;		  /* how many entries lie before each */
};

/* Pages that are at hand, so that no change can fail: the holder sees to it that
 * there are two for each, and room for one more. */
struct rspb_spares {
	size_t n, size;
	struct rspb_sheet **list;
};

struct rspb_sheet_place {
	size_t page;
	uint32_t at;
};

/* RET 0, -1: out of memory and to is empty. */
int rspb_sheets_clone(struct rspb_sheets *to, const struct rspb_sheets *from);
void rspb_sheets_fini(struct rspb_sheets *pages);
/* Room for so many pages in all. RET 0, -1: out of memory. */
int rspb_sheets_room(struct rspb_sheets *pages, size_t count);

/* RET the place of the first entry that is not before (start, id); it may be
 * behind the last of a page. */
struct rspb_sheet_place rspb_sheets_place(const struct rspb_sheets *pages, const int64_t *start,
					  uint64_t id);
/* The same, but never behind the last of a page, unless it is behind all. */
struct rspb_sheet_place rspb_sheets_entry(const struct rspb_sheets *pages, const int64_t *start,
					  uint64_t id);
/* RET the page that holds the i-th. */
size_t rspb_sheets_find(const struct rspb_sheets *pages, size_t i);
/* Whether the pages, by start, have this very one. */
bool rspb_sheets_have(const struct rspb_sheets *pages, const struct rspb_sheet *page);

/* The pages take over the caller's hold of an entry that is not among them. */
void rspb_sheets_put(struct rspb_spares *spares, struct rspb_sheets *pages, const int64_t *start,
		     struct rspb_held *entry);
/* Take out the one that is there, and give the hold of it to the caller. */
struct rspb_held *rspb_sheets_take(struct rspb_spares *spares, struct rspb_sheets *pages,
				   const int64_t *start, uint64_t id);

#endif
