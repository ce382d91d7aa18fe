/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Declarations that the files of the ledger share; no other file includes them. */
#ifndef RSPB_LEDGER_INTERNAL_H
#define RSPB_LEDGER_INTERNAL_H

#include <stdatomic.h>

#include "common/ledger/entries.h"
#include "common/ledger/ledger.h"

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
int rspb_blocks_use_of(struct rspb_blocks **blocks, const struct rspb_hold *use);
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
/* Take what is left of an entry's [from, until) out again. The entry must not
 * be in the index any more. RET 0, -1: out of memory (then occupancy may be
 * too high, never too low). */
int rspb_ledger_vacate(struct rspb_ledger *ledger, const struct rspb_held *entry, int64_t from,
		       struct rspb_err *err);
/* Put back what vacate() took from an entry, whatever blocks it by now. */
int rspb_ledger_restore(struct rspb_ledger *ledger, const struct rspb_held *entry,
			struct rspb_err *err);

/* Take the other resources that a part needs of its nodes, or give them back. RET 0, or -1 with err
 * and nothing changed. */
int rspb_tables_change(struct rspb_ledger *ledger, const struct rspb_part *part, uint32_t node,
		       int64_t from, int64_t until, bool more, struct rspb_err *err);
/* RET what is taken of one kind, NULL: nothing. */
const struct rspb_shares *rspb_ledger_table(const struct rspb_ledger *ledger, uint64_t key);
/* RET -1: out of memory, and some may be there. */
int rspb_tables_clone(struct rspb_ledger *to, const struct rspb_ledger *from);
int rspb_tables_advance(struct rspb_ledger *ledger, int64_t now, struct rspb_err *err);
void rspb_tables_fini(struct rspb_ledger *ledger);

void rspb_ledger_share_rooms(struct rspb_ledger *to, const struct rspb_ledger *from);
void rspb_ledger_drop_rooms(struct rspb_ledger *ledger);

/* RET 0, or -1 with err: a booking that could not be in the ledger at all. */
int rspb_ledger_check(const struct rspb_ledger *ledger, const struct rspb_booking *booking,
		      struct rspb_err *err);
/* RSPB_REC_MOVE; as rspb_ledger_apply. */
int rspb_ledger_move(struct rspb_ledger *ledger, const struct rspb_record *record,
		     struct rspb_err *err);

#endif
