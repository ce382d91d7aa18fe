/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bookings with parts of nodes that these have no room for any more: all that is
 * taken of such nodes is put into tables of what there is, the oldest first.
 */
#include <stdlib.h>

#include "common/base/array.h"
#include "common/ledger/internal.h"

/* A kind of resource: how much of it each node has, and how much the bookings before take. */
struct lot {
	uint64_t key;
	const uint32_t *room;
	struct rspb_shares *taken; /* owned */
};

/* An amount that the booking under examination has been given so far. */
struct given {
	struct lot *lot;
	uint32_t node;
	int64_t amount;
};

struct look {
	const struct rspb_ledger *ledger;
	struct rspb_nodeset *full; /* owned: where more is taken than there is */
	size_t n_lots;
	struct lot *lots;
	size_t n_given, size_given;
	struct given *given;
	int64_t from, until; /* of the one that is looked at, */
	bool runs;	     /* which has what it has */
};

static void look_fini(struct look *look)
{
	for (size_t i = 0; i < look->n_lots; i++)
		rspb_shares_destroy(look->lots[i].taken);
	free(look->lots);
	free(look->given);
	rspb_nodeset_destroy(look->full);
}

/* Whether an entry has or will have parts of nodes. */
static bool is_part(const struct rspb_held *entry, int64_t now)
{
	return entry->shares && entry->until > now && !rspb_state_final(entry->booking->state);
}

/* RET the nodes of which there are parts; NULL: out of memory. */
static struct rspb_nodeset *parts_of(const struct rspb_ledger *l)
{
	struct rspb_nodeset *set = rspb_nodeset_create(l->nodes);

	for (size_t i = 0; set && i < l->index.n; i++) {
		const struct rspb_held *entry = rspb_entries_at(&l->index, i);
		const struct rspb_booking *b = entry->booking;

		for (uint32_t g = 0; is_part(entry, l->now) && g < b->n_grants; g++)
			if (b->grants[g].share)
				rspb_nodeset_or(set, b->grants[g].nodes);
	}
	return set;
}

/* Fill in the most that is taken of a kind on each node, at any time from now on. */
static int peaks_of(const struct rspb_ledger *l, uint64_t key, int64_t *most)
{
	const int64_t from = l->now, until = RSPB_TIME_MAX - 1;

	return key == RSPB_ROOM_CORES ? rspb_shares_peaks(l->shares, from, until, most, NULL)
				      : rspb_ledger_taken(l, key, from, until, most, NULL);
}

/* Whether a kind is one that parts take. */
static bool counts(const struct rspb_ledger *l, const struct rspb_room *room)
{
	return room->key != RSPB_ROOM_CPUS && (room->key != RSPB_ROOM_CORES || l->shares);
}

/* Reduce look->full, the nodes with parts, to the nodes that have too little of some kind. RET 0,
 * -1: out of memory. */
static int find_full(struct look *look)
{
	const struct rspb_ledger *l = look->ledger;
	int64_t *most = malloc((l->nodes + 1) * sizeof(*most));
	struct rspb_nodeset *full = rspb_nodeset_create(l->nodes);
	size_t n;
	const struct rspb_room *rooms = rspb_ledger_rooms(l, &n);
	int rc = most && full ? 0 : -1;

	/* The peaks show which nodes may lack something, so that bookings on all other nodes need
	 * not be examined. */
	for (size_t r = 0; !rc && r < n; r++) {
		if (!counts(l, &rooms[r]))
			continue;
		rc = peaks_of(l, rooms[r].key, most);
		for (uint32_t k = 0; !rc && k < l->nodes; k++)
			if (most[k] > rooms[r].of[k])
				rspb_nodeset_add(full, k);
	}
	if (!rc)
		rspb_nodeset_and(look->full, full);
	rspb_nodeset_destroy(full);
	free(most);
	return rc;
}

/* Fill in how much there is of each kind. */
static int make_lots(struct look *look)
{
	const struct rspb_ledger *l = look->ledger;
	int64_t *most = malloc((l->nodes + 1) * sizeof(*most));
	size_t n;
	const struct rspb_room *rooms = rspb_ledger_rooms(l, &n);
	bool all;

	look->lots = calloc(n + 1, sizeof(*look->lots));
	all = most && look->lots;
	for (size_t r = 0; all && r < n; r++) {
		struct lot *lot = &look->lots[look->n_lots];

		if (!counts(l, &rooms[r]))
			continue;
		/* The bookings must fit into what there is now, not into what there was. */
		for (uint32_t k = 0; k < l->nodes; k++)
			most[k] = rooms[r].of[k];
		*lot = (struct lot){ rooms[r].key, rooms[r].of,
				     rspb_shares_create(l->nodes, most, 1, l->now) };
		all = lot->taken;
		look->n_lots += all;
	}
	free(most);
	return all ? 0 : -1;
}

static struct lot *lot_of(struct look *look, uint64_t key)
{
	for (size_t i = 0; i < look->n_lots; i++)
		if (look->lots[i].key == key)
			return &look->lots[i];
	return NULL;
}

/* RET 0; 1: there is no room for it; -1: out of memory. */
static int give(struct look *look, struct lot *lot, uint32_t node, int64_t amount)
{
	int64_t peak, left;

	if (amount <= 0)
		return 0;
	if (rspb_shares_peak(lot->taken, node, look->from, look->until, &peak, NULL) ||
	    rspb_array_grow(&look->given, &look->size_given, look->n_given + 1,
			    sizeof(*look->given)))
		return -1;
	left = rspb_shares_capacity(lot->taken, node) - peak;
	/* A job that runs keeps what it has. It is given what is left, and is never listed. */
	if (amount > left && !look->runs)
		return 1;
	amount = amount < left ? amount : left;
	if (amount <= 0)
		return 0;
	/* With this list take_back() can undo what one booking was given. */
	look->given[look->n_given] = (struct given){ lot, node, amount };
	if (rspb_shares_add(lot->taken, node, look->from, look->until, amount, NULL))
		return -1;
	look->n_given++;
	return 0;
}

static void take_back(struct look *look)
{
	while (look->n_given) {
		const struct given *given = &look->given[--look->n_given];

		rspb_shares_remove(given->lot->taken, given->node, look->from, look->until,
				   given->amount, NULL);
	}
}

/* RET as give(); *what: the name of the kind that is missing. */
static int give_node(struct look *look, const struct rspb_part *part, int64_t share, uint32_t node,
		     const char **what)
{
	/* A part that is a share of time has no cores of its own. */
	struct lot *cores = part->whole ? lot_of(look, RSPB_ROOM_CORES) : NULL;
	int rc = cores ? give(look, cores, node, share) : 0;

	/* The kind that was tried last is the one that is missing. */
	*what = "cores";
	for (uint32_t q = 0; q < part->n_quotas && !rc; q++) {
		struct lot *lot = lot_of(look, part->quotas[q].key);

		*what = part->quotas[q].name;
		if (lot)
			rc = give(look, lot, node,
				  rspb_ledger_takes(look->ledger, part, &part->quotas[q], lot->room,
						    node));
	}
	return rc;
}

/* RET 0; 1 with *out: where there is no room for it; -1: out of memory. */
static int give_all(struct look *look, const struct rspb_held *entry, struct rspb_overfull *out)
{
	const struct rspb_booking *b = entry->booking;
	int rc = 0;

	out->id = b->request->id;
	look->n_given = 0;
	look->runs = b->state >= RSPB_ACTIVE;
	look->until = entry->until;
	look->from = b->start > look->ledger->now ? b->start : look->ledger->now;
	for (uint32_t g = 0; g < b->n_grants && !rc; g++) {
		if (!b->grants[g].share)
			continue;
		RSPB_NODESET_EACH (n, b->grants[g].nodes) {
			if (rc || !rspb_nodeset_has(look->full, n))
				continue;
			rc = give_node(look, &b->request->parts[g],
				       rspb_part_on(&b->request->parts[g], b->grants[g].share, n),
				       n, &out->what);
			out->node = n;
		}
	}
	/* A booking that lacks something leaves its part to the bookings after it. */
	if (rc)
		take_back(look);
	return rc;
}

/* Order the bookings: running ones first, as they keep what they have, then by the time of the
 * request. */
static int by_age(const void *left, const void *right)
{
	const struct rspb_booking *a = (*(struct rspb_held *const *) left)->booking;
	const struct rspb_booking *b = (*(struct rspb_held *const *) right)->booking;
	bool a_runs = a->state >= RSPB_ACTIVE, b_runs = b->state >= RSPB_ACTIVE;

	if (a_runs != b_runs)
		return a_runs ? -1 : 1;
	if (a->request->arrival != b->request->arrival)
		return a->request->arrival < b->request->arrival ? -1 : 1;
	return a->request->id < b->request->id ? -1 : 1;
}

/* Whether an entry has a part of a node that may lack something. */
static bool touches(const struct look *look, const struct rspb_held *entry)
{
	const struct rspb_booking *b = entry->booking;

	for (uint32_t g = 0; g < b->n_grants; g++)
		if (b->grants[g].share && !rspb_nodeset_disjoint(b->grants[g].nodes, look->full))
			return true;
	return false;
}

/* RET how many have parts there, into list, by age. */
static size_t gather(const struct look *look, struct rspb_held **list)
{
	const struct rspb_ledger *l = look->ledger;
	size_t n = 0;

	for (size_t i = 0; i < l->index.n; i++) {
		struct rspb_held *entry = rspb_entries_at(&l->index, i);

		if (is_part(entry, l->now) && touches(look, entry))
			list[n++] = entry;
	}
	qsort(list, n, sizeof(struct rspb_held *), by_age);
	return n;
}

/* Give all their parts, the oldest first, and list those that get less than they need. RET how
 * many, -1: out of memory. */
static int64_t judge(struct look *look, struct rspb_overfull **out)
{
	size_t bytes = (look->ledger->index.n + 1) * sizeof(struct rspb_held *);
	struct rspb_held **list = malloc(bytes);
	size_t room = 0, n = 0, all;
	int rc = 0;

	if (!list)
		return -1;
	all = gather(look, list);
	for (size_t i = 0; i < all && rc >= 0; i++) {
		if (rspb_array_grow(out, &room, n + 1, sizeof(**out)))
			rc = -1;
		else
			rc = give_all(look, list[i], &(*out)[n]);
		n += rc > 0;
	}
	free(list);
	if (rc < 0)
		return -1;
	if (n)
		qsort(*out, n, sizeof(**out), rspb_array_by_u64);
	return (int64_t) n;
}

int64_t rspb_ledger_overfull(const struct rspb_ledger *l, struct rspb_overfull **out)
{
	struct look look = { .ledger = l, .full = parts_of(l) };
	int64_t n = -1;

	*out = NULL;
	/* As long as no node has lost anything, this ends after the peaks. */
	if (look.full && rspb_nodeset_empty(look.full))
		n = 0;
	else if (look.full && !find_full(&look))
		n = rspb_nodeset_empty(look.full) ? 0 : make_lots(&look) ? -1 : judge(&look, out);
	look_fini(&look);
	if (n <= 0) {
		free(*out);
		*out = NULL;
	}
	return n;
}
