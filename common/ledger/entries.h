/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bookings of a ledger, found by id and walked by start. Entries are
 * immutable once they are in and shared between a ledger and its clones,
 * counted; so a clone costs one pointer and one count per booking, and two
 * threads may each hold a clone.
 */
#ifndef RSPB_LEDGER_ENTRIES_H
#define RSPB_LEDGER_ENTRIES_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include "common/request/booking.h"

struct rspb_held {
	atomic_uint holders;
	struct rspb_booking *booking; /* owned */
	int64_t until; /* occupies [start, until); start when it never did */
	bool whole, shares; /* has parts of that kind */
};

/* RET an entry held once that owns a clone of booking, or NULL. */
struct rspb_held *rspb_held_create(const struct rspb_booking *booking);
void rspb_held_release(struct rspb_held *entry);

struct rspb_entries {
	size_t n, size;
	struct rspb_held **by_id;
	struct rspb_held **by_start; /* by start, then id */
};

/* RET 0, -1: out of memory and to is empty. */
int rspb_entries_clone(struct rspb_entries *to,
		       const struct rspb_entries *from);
void rspb_entries_fini(struct rspb_entries *index);
/* RET NULL when there is none. */
struct rspb_held *rspb_entries_find(const struct rspb_entries *index,
				    uint64_t id);
/* Make room for one more. RET 0, -1: out of memory. */
int rspb_entries_reserve(struct rspb_entries *index);
/* The index takes over the caller's hold; room was reserved, the id is new. */
void rspb_entries_insert(struct rspb_entries *index, struct rspb_held *entry);
/* Take out the entry of an id that is there and give its hold to the caller. */
struct rspb_held *rspb_entries_remove(struct rspb_entries *index, uint64_t id);
/* RET how many entries have a start before `time`: they come first. */
size_t rspb_entries_before(const struct rspb_entries *index, int64_t time);
/* Drop final entries whose window ended before `before` and which hold nothing
 * from `now` on. RET how many. */
size_t rspb_entries_drop(struct rspb_entries *index, int64_t before,
			 int64_t now);

#endif
