/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps what shares take of the other resources of their nodes that have a room: memory, generic
 * resources. Each kind has a table of shares, made when some of it is first taken. Rooms bound what
 * is planned, not what is in a table. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/ledger/internal.h"

/* --- the blocks that others occupy, in lists that copies of a ledger share --- */

/* Add a block with nodes of its own. RET -1 without memory, and nothing changed. */
static int append(struct rspb_blocks *blocks, const struct rspb_occupied *like,
		  const struct rspb_nodeset *nodes)
{
	struct rspb_nodeset *copy;

	if (rspb_array_grow(&blocks->items, &blocks->room, blocks->n + 1, sizeof(*blocks->items)))
		return -1;
	copy = rspb_nodeset_clone(nodes);
	if (!copy)
		return -1;
	blocks->items[blocks->n] = *like;
	blocks->items[blocks->n++].nodes = copy;
	return 0;
}

/* RET a list of our own that holds the same, or NULL without memory. */
static struct rspb_blocks *copy_of(const struct rspb_blocks *from)
{
	struct rspb_blocks *copy = calloc(1, sizeof(*copy));

	if (!copy)
		return NULL;
	atomic_init(&copy->users, 1);
	if (from && from->n_uses) {
		copy->uses = malloc(from->n_uses * sizeof(*copy->uses));
		if (!copy->uses) {
			rspb_blocks_drop(copy);
			return NULL;
		}
		memcpy(copy->uses, from->uses, from->n_uses * sizeof(*copy->uses));
		copy->n_uses = copy->uses_room = from->n_uses;
	}
	for (size_t i = 0; i < rspb_blocks_count(from); i++)
		if (append(copy, &from->items[i], from->items[i].nodes)) {
			rspb_blocks_drop(copy);
			return NULL;
		}
	return copy;
}

/* RET the list, to write to. A list that copies of the ledger have, too, is copied first. NULL: out
 * of memory. */
static struct rspb_blocks *own(struct rspb_blocks **blocks)
{
	struct rspb_blocks *own = *blocks;

	/* Acquire: the last other user has read the list for the last time. */
	if (own && atomic_load_explicit(&own->users, memory_order_acquire) <= 1)
		return own;
	own = copy_of(*blocks);
	if (!own)
		return NULL;
	rspb_blocks_drop(*blocks);
	return *blocks = own;
}

int rspb_blocks_add(struct rspb_blocks **blocks, const struct rspb_occupied *like,
		    const struct rspb_nodeset *nodes)
{
	struct rspb_blocks *list = own(blocks);

	return list ? append(list, like, nodes) : -1;
}

/* Note what is used of a node that a block leaves room on, in the same list as the blocks. */
static int add_use(struct rspb_blocks **blocks, const struct rspb_hold *use)
{
	struct rspb_blocks *list = own(blocks);

	if (!list ||
	    rspb_array_grow(&list->uses, &list->uses_room, list->n_uses + 1, sizeof(*list->uses)))
		return -1;
	list->uses[list->n_uses++] = *use;
	return 0;
}

void rspb_blocks_pop(struct rspb_blocks *blocks)
{
	rspb_nodeset_destroy(blocks->items[--blocks->n].nodes);
}

struct rspb_blocks *rspb_blocks_use(struct rspb_blocks *blocks)
{
	if (blocks)
		atomic_fetch_add_explicit(&blocks->users, 1, memory_order_relaxed);
	return blocks;
}

void rspb_blocks_drop(struct rspb_blocks *blocks)
{
	if (!blocks || atomic_fetch_sub_explicit(&blocks->users, 1, memory_order_acq_rel) > 1)
		return;
	while (blocks->n)
		rspb_blocks_pop(blocks);
	free(blocks->items);
	free(blocks->uses);
	free(blocks);
}

/* --- tables --- */

static struct rspb_table *table_of(const struct rspb_ledger *l, uint64_t key)
{
	for (size_t i = 0; i < l->n_tables; i++)
		if (l->tables[i].key == key)
			return &l->tables[i];
	return NULL;
}

/* RET what is taken of one kind, NULL: nothing. */
static const struct rspb_shares *taken_of(const struct rspb_ledger *l, uint64_t key)
{
	const struct rspb_table *table = table_of(l, key);

	return table ? table->taken : NULL;
}

/* Make the table of a kind, with room for anything: what was booked stays booked, also if its node
 * has less by now. RET NULL: out of memory. */
static struct rspb_table *make(struct rspb_ledger *l, uint64_t key)
{
	int64_t *most = malloc((l->nodes + 1) * sizeof(*most));
	struct rspb_table table = { .key = key };

	for (uint32_t n = 0; most && n < l->nodes; n++)
		most[n] = INT32_MAX;
	if (most)
		table.taken = rspb_shares_create(l->nodes, most, 1, l->now);
	free(most);
	if (!table.taken ||
	    rspb_array_grow(&l->tables, &l->size_tables, l->n_tables + 1, sizeof(*l->tables))) {
		rspb_shares_destroy(table.taken);
		return NULL;
	}
	l->tables[l->n_tables] = table;
	return &l->tables[l->n_tables++];
}

int64_t rspb_ledger_takes(const struct rspb_ledger *l, const struct rspb_part *part,
			  const struct rspb_quota *quota, const uint32_t *room, uint32_t node)
{
	int64_t usual = rspb_quota_on(quota, rspb_ledger_room(l, RSPB_ROOM_CPUS), node);
	int64_t amount = rspb_part_takes(part, quota->key, usual, node);

	/* All CPUs of a node come with all of its memory at most. */
	if (amount < room[node] || (!quota->per_cpu && quota->per_node < UINT32_MAX))
		return amount;
	return room[node];
}

/* RET the table of a kind, which is made if need be; NULL: out of memory. */
static struct rspb_table *table_for(struct rspb_ledger *l, uint64_t key)
{
	struct rspb_table *table = table_of(l, key);

	return table ? table : make(l, key);
}

/* Take, or release, what one quota of a part makes up on a node. RET 0, or -1 with err and nothing
 * changed. */
static int change(struct rspb_ledger *l, const struct rspb_part *part,
		  const struct rspb_quota *quota, const uint32_t *room, uint32_t node, int64_t from,
		  int64_t until, bool more, struct rspb_err *err)
{
	int64_t amount = rspb_ledger_takes(l, part, quota, room, node);
	struct rspb_table *table;

	if (amount <= 0)
		return 0;
	if (!more) {
		/* Without a table nothing of the kind was ever taken. */
		table = table_of(l, quota->key);
		return table ? rspb_shares_remove(table->taken, node, from, until, amount, err) : 0;
	}
	table = table_for(l, quota->key);
	return table ? rspb_shares_add(table->taken, node, from, until, amount, err)
		     : rspb_fail(err, "out of memory");
}

int rspb_tables_change(struct rspb_ledger *l, const struct rspb_part *part, uint32_t node,
		       int64_t from, int64_t until, bool more, struct rspb_err *err)
{
	for (uint32_t q = 0; q < part->n_quotas; q++) {
		const struct rspb_quota *quota = &part->quotas[q];
		const uint32_t *room = rspb_ledger_room(l, quota->key);

		/* A quota without a room is counted by limits only, and not on nodes. */
		if (!room || !change(l, part, quota, room, node, from, until, more, err))
			continue;
		/* The amounts of the quotas before this one are given back. A release is not
		 * undone. */
		while (more && q-- > 0) {
			room = rspb_ledger_room(l, part->quotas[q].key);
			if (room)
				change(l, part, &part->quotas[q], room, node, from, until, false,
				       NULL);
		}
		return -1;
	}
	return 0;
}

int rspb_tables_clone(struct rspb_ledger *to, const struct rspb_ledger *from)
{
	for (size_t i = 0; i < from->n_tables; i++) {
		struct rspb_table *table;

		if (rspb_array_grow(&to->tables, &to->size_tables, i + 1, sizeof(*to->tables)))
			return -1;
		table = &to->tables[i];
		table->key = from->tables[i].key;
		table->taken = rspb_shares_clone(from->tables[i].taken);
		if (!table->taken)
			return -1;
		/* Only complete tables are counted, as rspb_tables_fini() destroys all that are. */
		to->n_tables++;
	}
	return 0;
}

int rspb_tables_advance(struct rspb_ledger *l, int64_t now, struct rspb_err *err)
{
	for (size_t i = 0; i < l->n_tables; i++)
		if (rspb_shares_advance(l->tables[i].taken, now, err))
			return -1;
	return 0;
}

void rspb_tables_fini(struct rspb_ledger *l)
{
	for (size_t i = 0; i < l->n_tables; i++)
		rspb_shares_destroy(l->tables[i].taken);
	free(l->tables);
	l->tables = NULL;
	l->n_tables = l->size_tables = 0;
}

int rspb_ledger_taken(const struct rspb_ledger *l, uint64_t key, int64_t start, int64_t end,
		      int64_t *most, struct rspb_err *err)
{
	const struct rspb_table *table = table_of(l, key);

	if (table)
		return rspb_shares_peaks(table->taken, start, end, most, err);
	for (uint32_t n = 0; n < l->nodes; n++)
		most[n] = 0;
	return 0;
}

int64_t rspb_ledger_excess(const struct rspb_ledger *l, uint64_t key, uint32_t node, int64_t at)
{
	/* CPUs are counted by the shares of the ledger, all other kinds by tables. */
	bool cpus = key == RSPB_ROOM_CPUS;
	const struct rspb_shares *taken = cpus ? l->shares : taken_of(l, key);
	const uint32_t *room = cpus ? NULL : rspb_ledger_room(l, key);
	int64_t peak = 0;

	/* Far below 0: of a kind that is not counted there is never too little. */
	if (node >= l->nodes || (cpus ? !l->shares : !room))
		return INT64_MIN / 2;
	if (taken && rspb_shares_peak(taken, node, at, at + 1, &peak, NULL))
		peak = 0;
	return peak - (cpus ? rspb_shares_capacity(taken, node) : room[node]);
}

/* Take an amount of a node over a window, or what is left there. RET 0, -1: out of memory. */
static int use_window(struct rspb_shares *taken, uint32_t node, int64_t start, int64_t end,
		      int64_t amount)
{
	int64_t peak = 0, left;

	/* A window that is empty or out of the range of times has no effect. */
	if (start >= end || rspb_shares_peak(taken, node, start, end, &peak, NULL))
		return 0;
	left = rspb_shares_capacity(taken, node) - peak;
	amount = amount < left ? amount : left;
	return amount > 0 ? rspb_shares_add(taken, node, start, end, amount, NULL) : 0;
}

/* Add an amount of a node over a window. Wherever less is left, the rest of it is taken for that
 * time only. RET 0, -1: out of memory. */
static int use_shares(struct rspb_shares *taken, uint32_t node, int64_t start, int64_t end,
		      int64_t amount)
{
	int64_t level = rspb_shares_capacity(taken, node) - amount, from = start, until;

	/* Each stretch that is found has no room for the whole amount, and the time before it
	 * has. */
	while (start < end && rspb_shares_above(taken, node, level, &from, &until)) {
		if (from >= end)
			break;
		until = until < end ? until : end;
		if (use_window(taken, node, start, from, amount) ||
		    use_window(taken, node, from, until, amount))
			return -1;
		start = from = until;
	}
	return use_window(taken, node, start, end, amount);
}

/* Enter a use on one node, as far as any is left, since a use from outside is a fact. A table holds
 * at most 2^31-1 of a kind. RET 0, -1: out of memory. */
static int use(struct rspb_ledger *l, const struct rspb_hold *hold)
{
	int64_t start = hold->start > l->now ? hold->start : l->now;
	uint32_t node = hold->on - 1;
	struct rspb_table *table;

	if (node >= l->nodes || hold->end <= start)
		return 0;
	/* The use is noted as it was given, because rspb_ledger_through() enters it into other
	 * ledgers. */
	if (add_use(&l->blocks, hold))
		return -1;
	if (hold->amount <= 0 || (hold->key == RSPB_ROOM_CPUS && !l->shares))
		return 0;
	if (hold->key == RSPB_ROOM_CPUS)
		return use_shares(l->shares, node, start, hold->end, hold->amount);
	table = table_for(l, hold->key);
	return table ? use_shares(table->taken, node, start, hold->end, hold->amount) : -1;
}

const struct rspb_hold *rspb_ledger_uses(const struct rspb_ledger *ledger, size_t *n)
{
	*n = ledger->blocks ? ledger->blocks->n_uses : 0;
	return ledger->blocks ? ledger->blocks->uses : NULL;
}

int rspb_ledger_hold(struct rspb_ledger *ledger, const struct rspb_hold *hold)
{
	if (hold->on)
		return use(ledger, hold);
	/* A use of the whole machine counts against limits alone, which read the list. */
	if (rspb_array_grow(&ledger->holds, &ledger->size_holds, ledger->n_holds + 1,
			    sizeof(*ledger->holds)))
		return -1;
	ledger->holds[ledger->n_holds++] = *hold;
	return 0;
}

/* --- rooms, which bound what is planned, and the holds that limits count besides the
 * bookings --- */

/* The rooms of a ledger and of all its copies, which may belong to other threads. */
struct rspb_rooms {
	atomic_uint holders;
	size_t n, size;
	struct rspb_room *items;
};

int rspb_ledger_add_room(struct rspb_ledger *ledger, uint64_t key, const uint32_t *of)
{
	size_t bytes = ledger->nodes * sizeof(*of);
	struct rspb_rooms *rooms = ledger->rooms;
	uint32_t *copy;

	/* All copies of a ledger have this list, so rooms are declared before the first copy is
	 * made. */
	if (!rooms) {
		rooms = ledger->rooms = calloc(1, sizeof(*rooms));
		if (!rooms)
			return -1;
		atomic_init(&rooms->holders, 1);
	}
	if (rspb_array_grow(&rooms->items, &rooms->size, rooms->n + 1, sizeof(*rooms->items)))
		return -1;
	/* The caller frees its own numbers. One byte more, since a machine may have no nodes. */
	copy = malloc(bytes + 1);
	if (!copy)
		return -1;
	memcpy(copy, of, bytes);
	rooms->items[rooms->n++] = (struct rspb_room){ key, copy };
	return 0;
}

const struct rspb_room *rspb_ledger_rooms(const struct rspb_ledger *ledger, size_t *n)
{
	*n = ledger->rooms ? ledger->rooms->n : 0;
	return ledger->rooms ? ledger->rooms->items : NULL;
}

const uint32_t *rspb_ledger_room(const struct rspb_ledger *ledger, uint64_t key)
{
	size_t n;
	const struct rspb_room *rooms = rspb_ledger_rooms(ledger, &n);

	for (size_t i = 0; i < n; i++)
		if (rooms[i].key == key)
			return rooms[i].of;
	return NULL;
}

void rspb_ledger_share_rooms(struct rspb_ledger *to, const struct rspb_ledger *from)
{
	to->rooms = from->rooms;
	/* The other ledger holds the list, so that it cannot go meanwhile. */
	if (to->rooms)
		atomic_fetch_add_explicit(&to->rooms->holders, 1, memory_order_relaxed);
}

void rspb_ledger_drop_rooms(struct rspb_ledger *ledger)
{
	struct rspb_rooms *rooms = ledger->rooms;

	ledger->rooms = NULL;
	if (!rooms || atomic_fetch_sub(&rooms->holders, 1) != 1)
		return;
	for (size_t i = 0; i < rooms->n; i++)
		free(rooms->items[i].of);
	free(rooms->items);
	free(rooms);
}

const struct rspb_hold *rspb_ledger_holds(const struct rspb_ledger *ledger, size_t *n)
{
	*n = ledger->n_holds;
	return ledger->holds;
}

/* --- where and when a part of a node can be had, as a calendar of its own --- */

/* Nodes of one kind, of which a part takes so much. */
struct lane {
	const struct rspb_shares *taken; /* NULL: nothing of it is */
	int64_t room, need;		 /* of the node */
};

/* Cover the time in which so much of a node is taken that the need does not fit. RET 0, -1: out of
 * memory. */
static int cover(struct rspb_profile *profile, struct rspb_nodeset *one, uint32_t n,
		 const struct lane *lane, int64_t now)
{
	int64_t from = now, until;

	if (!lane->taken)
		return 0;
	rspb_nodeset_clear(one);
	rspb_nodeset_add(one, n);
	while (rspb_shares_above(lane->taken, n, lane->room - lane->need, &from, &until)) {
		if (rspb_profile_cover(profile, from, until, one, NULL))
			return -1;
		from = until;
	}
	return 0;
}

/* Find out what one quota takes. RET false: it is not counted on each node. */
static bool lane_of(const struct rspb_ledger *l, const struct rspb_part *part,
		    const struct rspb_quota *quota, uint32_t n, struct lane *lane)
{
	const uint32_t *room = rspb_ledger_room(l, quota->key);

	if (!room)
		return false;
	*lane = (struct lane){ taken_of(l, quota->key), room[n],
			       rspb_ledger_takes(l, part, quota, room, n) };
	return true;
}

/* RET the units of a node for a part. A node that has lost cores has what is booked of it for a
 * capacity, which is no room for others. */
static int64_t units_of(const struct rspb_ledger *l, const struct rspb_part *part, uint32_t n)
{
	const uint32_t *cores = part->whole ? rspb_ledger_room(l, RSPB_ROOM_CORES) : NULL;
	int64_t units = rspb_shares_capacity(l->shares, n);

	return cores && cores[n] < units ? cores[n] : units;
}

/* RET 1: the node can have the part at times, 0: never, -1: out of memory. */
static int add_node(const struct rspb_ledger *l, const struct rspb_part *part, uint32_t n,
		    struct rspb_profile *profile, struct rspb_nodeset *one)
{
	struct lane lane = { l->shares, units_of(l, part, n), rspb_part_on(part, part->share, n) };

	if (lane.need > lane.room)
		return 0;
	if (cover(profile, one, n, &lane, l->now))
		return -1;
	for (uint32_t q = 0; q < part->n_quotas; q++) {
		/* Each kind covers the time in which it does not fit, so that all of them fit in
		 * the rest. */
		if (!lane_of(l, part, &part->quotas[q], n, &lane))
			continue;
		if (lane.need > lane.room)
			return 0;
		if (cover(profile, one, n, &lane, l->now))
			return -1;
	}
	return 1;
}

struct rspb_profile *rspb_ledger_for_part(const struct rspb_ledger *l, const struct rspb_part *part,
					  struct rspb_nodeset *eligible)
{
	/* Nodes that are booked whole, or blocked, have no part to give. Where shares are booked
	 * there may be room, so `all` will not do. */
	struct rspb_profile *profile = rspb_profile_clone(l->whole);
	struct rspb_nodeset *one = rspb_nodeset_create(l->nodes);
	int rc = profile && one ? 0 : -1;

	if (!l->shares)
		rspb_nodeset_clear(eligible);
	for (uint32_t n = 0; n < l->nodes && rc >= 0; n++) {
		if (!rspb_nodeset_has(eligible, n))
			continue;
		rc = add_node(l, part, n, profile, one);
		if (!rc)
			rspb_nodeset_remove(eligible, n);
	}
	rspb_nodeset_destroy(one);
	if (rc >= 0)
		return profile;
	rspb_profile_destroy(profile);
	return NULL;
}
