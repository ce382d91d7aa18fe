/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The blocks that others occupy, in lists that copies of a ledger share, and the ledger
 * that is made of bookings and other blocks. */
#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/ledger/internal.h"

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

/* RET the list, which nobody shares from now on; NULL: out of memory. */
static struct rspb_blocks *own(struct rspb_blocks **blocks)
{
	struct rspb_blocks *own = *blocks;

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

int rspb_blocks_use_of(struct rspb_blocks **blocks, const struct rspb_hold *use)
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

/* --- the ledger on which plans are made: the bookings with other blocks --- */

static bool over(const struct rspb_ledger *l, const struct rspb_booking *b)
{
	const struct rspb_booking *old = rspb_ledger_find(l, b->request->id);

	return old && rspb_state_final(old->state);
}

/* Requests whose last booking is over are booked anew. */
static int book(struct rspb_ledger *l, const struct rspb_booking *b, struct rspb_err *err)
{
	const struct rspb_record record = {
		.kind = RSPB_REC_BOOK, .time = l->now, .id = b->request->id, .booking = b
	};

	return rspb_ledger_apply(l, &record, err);
}

/* Take over the bookings that the plan changes and that are not over; the moving ones come
 * first. */
static int take_over(struct rspb_ledger *l, const struct rspb_ledger *ledger,
		     const struct rspb_ledger *plan, struct rspb_err *err)
{
	const struct rspb_booking **list, *b;
	struct rspb_record move = { .kind = RSPB_REC_MOVE, .time = plan->now };
	size_t i = 0;
	int rc = 0;

	list = malloc((rspb_ledger_count(plan) + 1) * sizeof(*list));
	if (!list)
		return rspb_fail(err, "out of memory");
	while ((b = rspb_ledger_next_own(plan, ledger, &i)))
		if (!rspb_state_final(b->state) && !over(l, b))
			list[move.n_bookings++] = b;
	move.bookings = list;
	if (move.n_bookings)
		rc = rspb_ledger_apply(l, &move, err);
	free(list);
	for (i = 0; !rc && (b = rspb_ledger_next_own(plan, ledger, &i));)
		if (!rspb_state_final(b->state) && over(l, b))
			rc = book(l, b, err);
	return rc;
}

static int block(struct rspb_ledger *l, const struct rspb_ledger *blocks, const int64_t *ends,
		 struct rspb_err *err)
{
	for (size_t i = 0; i < rspb_blocks_count(blocks->blocks); i++) {
		const struct rspb_occupied *b = &blocks->blocks->items[i];
		int64_t end = ends && ends[i] < b->end ? ends[i] : b->end;

		if (end <= b->start)
			continue;
		if ((b->beside ? rspb_ledger_block_beside : rspb_ledger_block)(l, b->start, end,
									       b->nodes, err))
			return -1;
		rspb_ledger_block_name(l, b->kind, b->owner);
	}
	return 0;
}

/* When the blocks of one owner end. */
struct last {
	uint32_t owner;
	int64_t end;
};

static int by_owner(const void *a, const void *b)
{
	const struct last *x = a, *y = b;

	return (x->owner > y->owner) - (x->owner < y->owner);
}

/* Add what is used of nodes on which blocks leave room, to the end of its owner's block at
 * the latest. */
static int use_nodes(struct rspb_ledger *l, const struct rspb_blocks *blocks, const int64_t *ends,
		     struct rspb_err *err)
{
	size_t n = ends && blocks && blocks->n_uses ? blocks->n : 0;
	struct last *lasts = malloc((n + 1) * sizeof(*lasts));
	int rc = lasts ? 0 : -1;

	for (size_t i = 0; !rc && i < n; i++)
		lasts[i] = (struct last){ blocks->items[i].owner, ends[i] };
	if (!rc && n)
		qsort(lasts, n, sizeof(*lasts), by_owner);
	for (size_t i = 0; !rc && blocks && i < blocks->n_uses; i++) {
		struct rspb_hold hold = blocks->uses[i];
		const struct last key = { .owner = hold.owner }, *last = NULL;

		if (hold.owner && n)
			last = bsearch(&key, lasts, n, sizeof(*lasts), by_owner);
		if (last && last->end < hold.end)
			hold.end = last->end;
		rc = rspb_ledger_hold(l, &hold);
	}
	free(lasts);
	return rc ? rspb_fail(err, "out of memory") : 0;
}

static int fill(struct rspb_ledger *l, const struct rspb_ledger *ledger,
		const struct rspb_ledger *plan, const struct rspb_ledger *blocks,
		const int64_t *ends, struct rspb_err *err)
{
	const struct rspb_record advance = { .kind = RSPB_REC_ADVANCE, .time = plan->now };

	rspb_ledger_see(l, plan->seen);
	if ((l->now < plan->now && rspb_ledger_apply(l, &advance, err)) ||
	    take_over(l, ledger, plan, err) || block(l, blocks, ends, err))
		return -1;
	for (size_t i = 0; i < blocks->n_holds; i++)
		if (rspb_ledger_hold(l, &blocks->holds[i]))
			return rspb_fail(err, "out of memory");
	return use_nodes(l, blocks->blocks, ends, err);
}

struct rspb_ledger *rspb_ledger_through(const struct rspb_ledger *ledger,
					const struct rspb_ledger *plan,
					const struct rspb_ledger *blocks, const int64_t *ends,
					struct rspb_err *err)
{
	struct rspb_ledger *l = rspb_ledger_clone(ledger);

	if (!l) {
		rspb_fail(err, "out of memory");
		return NULL;
	}
	if (!fill(l, ledger, plan, blocks, ends, err))
		return l;
	rspb_ledger_destroy(l);
	return NULL;
}
