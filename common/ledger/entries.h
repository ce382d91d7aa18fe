/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bookings of a ledger, found by id and walked by start. Entries are
 * immutable once they are in, and shared, counted, between a ledger and its
 * clones; so are the pages of both orders, until one of them changes. So a clone
 * costs a pointer and a count for some fifty bookings, a change a copy of two
 * pages, and two threads may each hold a clone.
 */
#ifndef RSPB_LEDGER_ENTRIES_H
#define RSPB_LEDGER_ENTRIES_H

#include <stddef.h>
#include <stdint.h>

#include "common/ledger/held.h"
#include "common/ledger/sheets.h"

struct rspb_entries {
	size_t n;
	struct rspb_sheets by_id;
	struct rspb_sheets by_start; /* by start, then id */
	struct rspb_spares spares;
};

/* RET 0, -1: out of memory and to is empty. */
int rspb_entries_clone(struct rspb_entries *to, const struct rspb_entries *from);
void rspb_entries_fini(struct rspb_entries *index);
/* RET NULL when there is none. */
struct rspb_held *rspb_entries_find(const struct rspb_entries *index, uint64_t id);
/* The one with the lowest id that is not below `id`; NULL: there is none. */
struct rspb_held *rspb_entries_from(const struct rspb_entries *index, uint64_t id);
/* The i-th by start; i < n. */
struct rspb_held *rspb_entries_at(const struct rspb_entries *index, size_t i);
/* RET the first place by start, from i on, of one that may not be in `other` as
 * well: what whole pages are shared of is passed over; n when there is none. */
size_t rspb_entries_unshared(const struct rspb_entries *index, const struct rspb_entries *other,
			     size_t i);
/* Make room for so many insertions and removals. RET 0, -1: out of memory. */
int rspb_entries_reserve(struct rspb_entries *index, size_t changes);
/* The index takes over the caller's hold; room was reserved, the id is new. */
void rspb_entries_insert(struct rspb_entries *index, struct rspb_held *entry);
/* Take out the entry of an id that is there and give its hold to the caller;
 * room was reserved. */
struct rspb_held *rspb_entries_remove(struct rspb_entries *index, uint64_t id);
/* RET how many entries have a start before `time`: they come first. */
size_t rspb_entries_before(const struct rspb_entries *index, int64_t time);
/* Drop final entries whose window ended before `before` and which hold nothing
 * from `now` on; without memory, none. RET how many. */
size_t rspb_entries_drop(struct rspb_entries *index, int64_t before, int64_t now);

#endif
