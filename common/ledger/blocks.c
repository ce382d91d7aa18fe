/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the blocks that others occupy, in lists that copies of a ledger share. */
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
