/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/ledger/internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct rspb_ledger *rspb_ledger_create(uint32_t nodes, const int64_t *capacity, int64_t now)
{
	struct rspb_ledger *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->nodes = l->machine = nodes;
	l->now = now;
	l->whole = rspb_profile_create(nodes, now);
	/* Shares are booked to the second, hence the granularity of 1. */
	l->shares = capacity ? rspb_shares_create(nodes, capacity, 1, now) : NULL;
	l->union_whole = rspb_nodeset_create(nodes);
	l->union_shares = rspb_nodeset_create(nodes);
	if (!l->whole || (capacity && !l->shares) || !l->union_whole || !l->union_shares) {
		rspb_ledger_destroy(l);
		return NULL;
	}
	return l;
}

void rspb_ledger_block_name(struct rspb_ledger *ledger, uint8_t kind, uint32_t owner)
{
	size_t n = rspb_blocks_count(ledger->blocks);

	if (!n)
		return;
	ledger->blocks->items[n - 1].kind = kind;
	ledger->blocks->items[n - 1].owner = owner;
}

uint8_t rspb_ledger_block_kind(const struct rspb_ledger *ledger, size_t i)
{
	return ledger->blocks->items[i].kind;
}

uint32_t rspb_ledger_block_owner(const struct rspb_ledger *ledger, size_t i)
{
	return ledger->blocks->items[i].owner;
}

/* Copy a number of each node into *to; NULL if all nodes have the usual number, so that callers can
 * skip the comparison. RET -1: out of memory, and nothing changed. */
static int mark(const struct rspb_ledger *ledger, const uint32_t *numbers, uint32_t usual,
		uint32_t **to)
{
	size_t size = ledger->nodes * sizeof(*numbers);
	uint32_t *copy = NULL;
	bool differ = false;

	for (uint32_t i = 0; numbers && i < ledger->nodes; i++)
		differ |= numbers[i] != usual;
	if (differ && !(copy = malloc(size)))
		return -1;
	if (differ)
		memcpy(copy, numbers, size);
	free(*to);
	*to = copy;
	return 0;
}

int rspb_ledger_weigh(struct rspb_ledger *ledger, const uint32_t *weights)
{
	return mark(ledger, weights, weights ? weights[0] : 0, &ledger->weights);
}

int rspb_ledger_leaf(struct rspb_ledger *ledger, const uint32_t *leaves)
{
	return mark(ledger, leaves, leaves ? leaves[0] : 0, &ledger->leaves);
}

int rspb_ledger_speed(struct rspb_ledger *ledger, const uint32_t *speeds)
{
	return mark(ledger, speeds, RSPB_SPEED_USUAL, &ledger->speeds);
}

struct rspb_marks rspb_ledger_marks(const struct rspb_ledger *ledger)
{
	return (struct rspb_marks){ ledger->weights, ledger->leaves, ledger->speeds };
}

struct rspb_ledger *rspb_ledger_clone(const struct rspb_ledger *ledger)
{
	struct rspb_ledger *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->nodes = ledger->nodes;
	l->machine = ledger->machine;
	l->now = ledger->now;
	l->longest = ledger->longest;
	l->seen = ledger->seen;
	/* Calendars, tables, entries and blocks are common until one side changes them. Rooms
	 * always are. Only marks and holds are copied at once. */
	l->whole = rspb_profile_clone(ledger->whole);
	l->all = ledger->all ? rspb_profile_clone(ledger->all) : NULL;
	l->shares = ledger->shares ? rspb_shares_clone(ledger->shares) : NULL;
	l->union_whole = rspb_nodeset_create(l->nodes);
	l->union_shares = rspb_nodeset_create(l->nodes);
	if (!l->whole || (ledger->all && !l->all) || (ledger->shares && !l->shares) ||
	    !l->union_whole || !l->union_shares || rspb_entries_clone(&l->index, &ledger->index) ||
	    rspb_ledger_weigh(l, ledger->weights) || rspb_ledger_leaf(l, ledger->leaves) ||
	    rspb_ledger_speed(l, ledger->speeds))
		goto fail;
	rspb_ledger_share_rooms(l, ledger);
	if (rspb_tables_clone(l, ledger))
		goto fail;
	for (size_t i = 0; i < ledger->n_holds; i++)
		if (rspb_ledger_hold(l, &ledger->holds[i]))
			goto fail;
	l->blocks = rspb_blocks_use(ledger->blocks);
	return l;
fail:
	rspb_ledger_destroy(l);
	return NULL;
}

void rspb_ledger_see(struct rspb_ledger *ledger, struct rspb_seen seen)
{
	ledger->seen = seen;
}

struct rspb_seen rspb_ledger_seen(const struct rspb_ledger *ledger)
{
	return ledger->seen;
}

void rspb_ledger_destroy(struct rspb_ledger *ledger)
{
	if (!ledger)
		return;
	/* Everything may be missing here, because a clone that failed ends here as well. */
	rspb_blocks_drop(ledger->blocks);
	free(ledger->weights);
	free(ledger->leaves);
	free(ledger->speeds);
	rspb_tables_fini(ledger);
	rspb_ledger_drop_rooms(ledger);
	free(ledger->holds);
	rspb_entries_fini(&ledger->index);
	rspb_profile_destroy(ledger->whole);
	rspb_profile_destroy(ledger->all);
	rspb_shares_destroy(ledger->shares);
	rspb_nodeset_destroy(ledger->union_whole);
	rspb_nodeset_destroy(ledger->union_shares);
	free(ledger);
}

/* Check what must hold of a booking before its occupancy is looked at. */
int rspb_ledger_check(const struct rspb_ledger *l, const struct rspb_booking *b,
		      struct rspb_err *err)
{
	/* The states in between are those in which nodes are held. */
	if (b->state < RSPB_BOOKED || b->state > RSPB_ACTIVE_CHANGE)
		return rspb_fail(err, "a booking that is %s holds nothing",
				 rspb_state_name(b->state));
	if (b->end <= b->start)
		return rspb_fail(err, "its window is empty: %" PRId64 " to %" PRId64, b->start,
				 b->end);
	if (!b->n_grants || b->n_grants != b->request->n_parts)
		return rspb_fail(err, "%u parts, but %u grants", b->request->n_parts, b->n_grants);
	for (uint32_t i = 0; i < b->n_grants; i++) {
		const struct rspb_grant *g = &b->grants[i];

		if (g->nodes->width != l->nodes)
			return rspb_fail(err,
					 "part %u is made for %u nodes, "
					 "there are %u",
					 i, g->nodes->width, l->nodes);
		if (rspb_nodeset_empty(g->nodes) || g->share < 0)
			return rspb_fail(err, "part %u is granted nothing", i);
	}
	return 0;
}

size_t rspb_ledger_purge(struct rspb_ledger *ledger, int64_t before)
{
	return rspb_entries_drop(&ledger->index, before, ledger->now);
}

/* Note a block and cover its time. RET 0, or -1 with err. The block is not noted then, but some of
 * its time may be covered: blocks are for clones, which are dropped. */
static int block(struct rspb_ledger *ledger, int64_t start, int64_t end,
		 const struct rspb_nodeset *nodes, bool beside, struct rspb_err *err)
{
	const struct rspb_occupied new = {
		.start = start,
		.end = end,
		.beside = beside,
	};

	if ((beside && !ledger->all && !(ledger->all = rspb_profile_clone(ledger->whole))) ||
	    rspb_blocks_add(&ledger->blocks, &new, nodes))
		return rspb_fail(err, "out of memory");
	/* Where shares may be booked beside it, a block keeps off whole-node requests alone. They
	 * look at `all`. */
	if ((beside || !rspb_profile_cover(ledger->whole, start, end, nodes, err)) &&
	    (!ledger->all || !rspb_profile_cover(ledger->all, start, end, nodes, err)))
		return 0;
	rspb_blocks_pop(ledger->blocks);
	return -1;
}

int rspb_ledger_block(struct rspb_ledger *ledger, int64_t start, int64_t end,
		      const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	return block(ledger, start, end, nodes, false, err);
}

int rspb_ledger_block_beside(struct rspb_ledger *ledger, int64_t start, int64_t end,
			     const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	return block(ledger, start, end, nodes, true, err);
}

size_t rspb_ledger_blocks(const struct rspb_ledger *ledger)
{
	return rspb_blocks_count(ledger->blocks);
}

const struct rspb_nodeset *rspb_ledger_block_at(const struct rspb_ledger *ledger, size_t i,
						int64_t *start, int64_t *end, bool *beside)
{
	const struct rspb_occupied *block = &ledger->blocks->items[i];

	*start = block->start;
	*end = block->end;
	*beside = block->beside;
	return block->nodes;
}

const struct rspb_booking *rspb_ledger_find(const struct rspb_ledger *ledger, uint64_t id)
{
	const struct rspb_held *entry = rspb_entries_find(&ledger->index, id);

	return entry ? entry->booking : NULL;
}

int64_t rspb_ledger_until(const struct rspb_ledger *ledger, uint64_t id)
{
	const struct rspb_held *entry = rspb_entries_find(&ledger->index, id);

	return entry ? entry->until : 0;
}

int64_t rspb_ledger_until_at(const struct rspb_ledger *ledger, size_t i)
{
	return rspb_entries_at(&ledger->index, i)->until;
}

const struct rspb_booking *rspb_ledger_from(const struct rspb_ledger *ledger, uint64_t id)
{
	const struct rspb_held *entry = rspb_entries_from(&ledger->index, id);

	return entry ? entry->booking : NULL;
}

size_t rspb_ledger_count(const struct rspb_ledger *ledger)
{
	return ledger->index.n;
}

const struct rspb_booking *rspb_ledger_at(const struct rspb_ledger *ledger, size_t i)
{
	return rspb_entries_at(&ledger->index, i)->booking;
}

size_t rspb_ledger_next_of(const struct rspb_ledger *ledger, const struct rspb_request *request,
			   bool account, size_t i)
{
	return rspb_entries_next_of(&ledger->index, rspb_owner_of(request), account, i);
}

/* RET what a plan has instead of a booking that is not over; NULL: the same, or nothing. Entries
 * never change and copies of a ledger share them, so the same booking has the same address. */
static const struct rspb_booking *other_in(const struct rspb_booking *old,
					   const struct rspb_ledger *plan)
{
	const struct rspb_booking *new;

	if (rspb_state_final(old->state))
		return NULL;
	new = rspb_ledger_find(plan, old->request->id);
	return new == old ? NULL : new;
}

const struct rspb_booking *rspb_ledger_next_own(const struct rspb_ledger *ledger,
						const struct rspb_ledger *other, size_t *i)
{
	/* Whole pages that both ledgers share are passed over, so the cost follows the changes. */
	while ((*i = rspb_entries_unshared(&ledger->index, &other->index, *i)) < ledger->index.n) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, (*i)++);

		if (b != rspb_ledger_find(other, b->request->id))
			return b;
	}
	return NULL;
}

const struct rspb_booking *rspb_ledger_next_changed(const struct rspb_ledger *ledger,
						    const struct rspb_ledger *plan, size_t *i,
						    const struct rspb_booking **new)
{
	const struct rspb_booking *old;

	while ((old = rspb_ledger_next_own(ledger, plan, i))) {
		*new = other_in(old, plan);
		if (*new)
			return old;
	}
	return NULL;
}

int64_t rspb_ledger_changes(const struct rspb_ledger *ledger, const struct rspb_ledger *plan,
			    const struct rspb_booking ***list)
{
	size_t count = rspb_ledger_count(ledger), i = 0;
	int64_t n = 0;

	*list = malloc((count + 1) * sizeof(**list));
	if (!*list)
		return -1;
	while (rspb_ledger_next_changed(ledger, plan, &i, &(*list)[n]))
		n++;
	return n;
}

uint32_t rspb_ledger_nodes(const struct rspb_ledger *ledger)
{
	return ledger->nodes;
}

uint32_t rspb_ledger_machine(const struct rspb_ledger *ledger)
{
	return ledger->machine;
}

void rspb_ledger_set_machine(struct rspb_ledger *ledger, uint32_t nodes)
{
	ledger->machine = nodes;
}

int64_t rspb_ledger_now(const struct rspb_ledger *ledger)
{
	return ledger->now;
}

const struct rspb_profile *rspb_ledger_profile(const struct rspb_ledger *l)
{
	/* Until the first share is booked, or the first block beside shares comes, both would be
	 * the same. */
	return l->all ? l->all : l->whole;
}

const struct rspb_profile *rspb_ledger_whole(const struct rspb_ledger *l)
{
	return l->whole;
}

int rspb_ledger_resize(struct rspb_ledger *ledger, const int64_t *capacity)
{
	return ledger->shares ? rspb_shares_resize(ledger->shares, capacity) : 0;
}

const struct rspb_shares *rspb_ledger_shares(const struct rspb_ledger *l)
{
	return l->shares;
}

int rspb_ledger_shareable_over(const struct rspb_ledger *ledger, int64_t start, int64_t end,
			       struct rspb_nodeset *out, struct rspb_err *err)
{
	/* Shares, and blocks beside which there may be shares, are in `all` alone. */
	return rspb_profile_free_over(ledger->whole, start, end, out, err);
}
