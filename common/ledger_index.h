/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bookings of a ledger, found by id and walked by start. Entries are
 * immutable once they are in and shared between a ledger and its clones,
 * counted; so a clone costs one pointer and one count per booking, and two
 * threads may each hold a clone.
 */
#ifndef RSPB_COMMON_LEDGER_INDEX_H
#define RSPB_COMMON_LEDGER_INDEX_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "common/booking.h"

struct rspb_entry {
	atomic_uint holders;
	struct rspb_booking *booking;	/* owned */
	int64_t until;	/* occupies [start, until); start when it never did */
	bool whole, shares;	/* has parts of that kind */
};

/* RET an entry held once that owns a clone of booking, or NULL. */
struct rspb_entry *rspb_entry_create(const struct rspb_booking *booking);
void rspb_entry_release(struct rspb_entry *entry);

struct rspb_index {
	size_t n, size;
	struct rspb_entry **by_id;
	struct rspb_entry **by_start;	/* by start, then id */
};

/* RET 0, -1: out of memory and to is empty. */
int rspb_index_clone(struct rspb_index *to, const struct rspb_index *from);
void rspb_index_fini(struct rspb_index *index);
/* RET NULL when there is none. */
struct rspb_entry *rspb_index_find(const struct rspb_index *index,
				   uint64_t id);
/* Make room for one more. RET 0, -1: out of memory. */
int rspb_index_reserve(struct rspb_index *index);
/* The index takes over the caller's hold; room was reserved, the id is new. */
void rspb_index_insert(struct rspb_index *index, struct rspb_entry *entry);
/* Take out the entry of an id that is there and give its hold to the caller. */
struct rspb_entry *rspb_index_remove(struct rspb_index *index, uint64_t id);
/* RET how many entries have a start before `time`: they come first. */
size_t rspb_index_before(const struct rspb_index *index, int64_t time);
/* Drop final entries whose window ended before `before` and which hold nothing
 * from `now` on. RET how many. */
size_t rspb_index_drop(struct rspb_index *index, int64_t before, int64_t now);

#endif
