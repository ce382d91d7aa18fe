/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations that the files of the ledger share; no other file includes them. */
#ifndef RSPB_LEDGER_INTERNAL_H
#define RSPB_LEDGER_INTERNAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/ledger/ledger.h"
#include "common/request/booking.h"

/*
 * Entries of a ledger in one order, in pages that copies share until one of them
 * changes. start NULL means the order by id, else it is by start, then id.
 */
struct rspb_held;

enum { RSPB_SHEET = 56 };

/* A user, and a hash of an account: bookings of one owner are found by them among thousands without
 * a look at each. */
struct rspb_owner {
	uint32_t user, account;
};

struct rspb_sheet {
	atomic_uint holders;
	uint32_t n;
	struct rspb_held *items[RSPB_SHEET]; /* held each */
	struct rspb_owner owners[RSPB_SHEET];
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

/* A booking in a ledger: never changed once it is in, and shared, counted,
 * between a ledger and its clones. */
struct rspb_held {
	atomic_uint holders;
	struct rspb_booking *booking; /* owned */
	int64_t until;		      /* occupies [start, until); start when it never did.
			* With the time to clean up, where that could be had */
	bool whole, shares;	      /* has parts of that kind */
	struct rspb_owner owner;
};

/* RET the owner of a request; account 0: it has none. */
struct rspb_owner rspb_owner_of(const struct rspb_request *request);

/* RET an entry held once that owns a clone of booking, or NULL. */
struct rspb_held *rspb_held_create(const struct rspb_booking *booking);
/* RET an entry held once that owns the booking itself; NULL without memory, and the caller has
 * it. */
struct rspb_held *rspb_held_wrap(struct rspb_booking *booking);
void rspb_held_release(struct rspb_held *entry);
/* Whether both hold the same of the same nodes at the same time. */
bool rspb_held_same(const struct rspb_held *a, const struct rspb_held *b);

/*
 * The bookings of a ledger, found by id and walked by start. Entries are
 * immutable once they are in, and shared, counted, between a ledger and its
 * clones; so are the pages of both orders, until one of them changes. So a clone
 * costs a pointer and a count for some fifty bookings, a change a copy of two
 * pages, and two threads may each hold a clone.
 */
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
/* RET the first place by start, from i on, of one of the same user, or that may be of the same
 * account; n when there is none. */
size_t rspb_entries_next_of(const struct rspb_entries *index, struct rspb_owner owner, bool account,
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

/* Occupancy from outside: kept, because it may overlap bookings, whose end
 * must not free it. */
struct rspb_occupied {
	int64_t start, end;
	bool beside;		    /* shares may be booked there */
	uint8_t kind;		    /* as of the caller */
	uint32_t owner;		    /* likewise */
	struct rspb_nodeset *nodes; /* owned */
};

/* All of it, which copies of a ledger share until one gets more; NULL: none. Users
 * are counted atomically, as each copy may belong to a thread of its own. */
struct rspb_blocks {
	atomic_uint users;
	struct rspb_occupied *items;
	size_t n, room;
	struct rspb_hold *uses; /* what they use of nodes that they leave room on */
	size_t n_uses, uses_room;
};

/* Add one like this, with a copy of these nodes. RET -1 without memory. */
int rspb_blocks_add(struct rspb_blocks **blocks, const struct rspb_occupied *like,
		    const struct rspb_nodeset *nodes);
/* Take the one that was added last, just now, out again. */
void rspb_blocks_pop(struct rspb_blocks *blocks);
/* Add a user of the blocks, or take one away. */
struct rspb_blocks *rspb_blocks_use(struct rspb_blocks *blocks);
void rspb_blocks_drop(struct rspb_blocks *blocks);
static inline size_t rspb_blocks_count(const struct rspb_blocks *blocks)
{
	return blocks ? blocks->n : 0;
}

struct rspb_rooms;

/* The amounts taken of one kind that has a room. */
struct rspb_table {
	uint64_t key;
	struct rspb_shares *taken;
};

struct rspb_ledger {
	uint32_t nodes;
	uint32_t machine; /* of them, those that are there */
	int64_t now;
	struct rspb_profile *whole; /* whole-node bookings and blocks */
	struct rspb_profile *all;   /* and nodes with shares, or blocked
					 * beside; NULL: the same as whole,
					 * there never were any */
	struct rspb_shares *shares; /* NULL: no capacity */
	struct rspb_table *tables;
	size_t n_tables, size_tables;
	struct rspb_entries index;
	uint32_t *weights, *leaves, *speeds; /* of each node, NULL: all alike */
	struct rspb_rooms *rooms;	     /* shared by copies; NULL: none */
	struct rspb_hold *holds;
	size_t n_holds, size_holds;
	int64_t longest; /* longest window with shares so far */
	struct rspb_blocks *blocks;
	struct rspb_seen seen;
	struct rspb_nodeset *union_whole, *union_shares; /* scratch */
};

/* Put an entry's [start, until) into the profiles and the shares; what lies
 * before now is left out. Where its time to clean up is taken, until becomes its
 * end. RET 0, or -1 with err and nothing else changed. */
int rspb_ledger_occupy(struct rspb_ledger *ledger, struct rspb_held *entry, struct rspb_err *err);
/* Take what is left of an entry's [from, until) out again. The entry must not be in the index any
 * more. RET 0, -1: out of memory, and some of it may be out already. */
int rspb_ledger_vacate(struct rspb_ledger *ledger, const struct rspb_held *entry, int64_t from,
		       struct rspb_err *err);
/* Put back what vacate() took from an entry, whatever blocks it by now. */
int rspb_ledger_restore(struct rspb_ledger *ledger, const struct rspb_held *entry,
			struct rspb_err *err);

/* Take the other resources that a part needs of its nodes, or give them back. RET 0, or -1 with
 * err. Nothing is taken then, but some may have been given back. */
int rspb_tables_change(struct rspb_ledger *ledger, const struct rspb_part *part, uint32_t node,
		       int64_t from, int64_t until, bool more, struct rspb_err *err);
/* RET -1: out of memory, and some may be there. */
int rspb_tables_clone(struct rspb_ledger *to, const struct rspb_ledger *from);
int rspb_tables_advance(struct rspb_ledger *ledger, int64_t now, struct rspb_err *err);
void rspb_tables_fini(struct rspb_ledger *ledger);

void rspb_ledger_share_rooms(struct rspb_ledger *to, const struct rspb_ledger *from);
void rspb_ledger_drop_rooms(struct rspb_ledger *ledger);

/* RET 0, or -1 with err: a booking that could not be in the ledger at all. */
int rspb_ledger_check(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
		      struct rspb_err *err);

#endif
