/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds bookings that have lost a part of a node, or have one that does not suit them.
 * What becomes of them threat.c decides. */
#include "plugins/ctld/watch/lack.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/base/array.h"
#include "plugins/compat/node.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/following/doubts.h"

/* Names in one section: what it has no time for stays without. */
static void name_all(struct rspb_lacks *lacks)
{
	struct rspb_nodeset *one = rspb_nodeset_create(rspb_ledger_nodes(rspb_book_ledger()));
	struct rspb_section section;

	lacks->nodes = calloc(lacks->n, sizeof(*lacks->nodes));
	if (one && lacks->nodes && rspb_section_enter(&section, RSPB_LOCK_READ, "lacks")) {
		for (size_t i = 0; i < lacks->n && !rspb_section_spent(&section); i++) {
			rspb_nodeset_clear(one);
			rspb_nodeset_add(one, lacks->items[i].node);
			lacks->nodes[i] = rspb_node_names(one);
			section.items++;
		}
		rspb_section_leave(&section);
	}
	rspb_nodeset_destroy(one);
}

/* Add those that do not fit; those that lack room are in the list already. RET false: out of
 * memory. */
static bool add_unfit(struct rspb_lacks *lacks)
{
	size_t room = lacks->n, n_full = lacks->n;
	struct rspb_overfull *unfit;
	size_t n = rspb_doubts_unfit(&unfit);

	if (n && rspb_array_grow(&lacks->items, &room, lacks->n + n, sizeof(*unfit))) {
		free(unfit);
		return false;
	}
	for (size_t i = 0; i < n; i++)
		if (!n_full ||
		    !bsearch(&unfit[i], lacks->items, n_full, sizeof(*unfit), rspb_array_by_u64))
			lacks->items[lacks->n++] = unfit[i];
	free(unfit);
	if (n)
		qsort(lacks->items, lacks->n, sizeof(*unfit), rspb_array_by_u64);
	return true;
}

void rspb_lacks_find(struct rspb_lacks *lacks)
{
	int64_t n;

	*lacks = (struct rspb_lacks){ .n = 0 };
	n = rspb_ledger_overfull(rspb_book_ledger(), &lacks->items);
	if (n > 0)
		lacks->n = (size_t) n;
	if (add_unfit(lacks) && lacks->n)
		name_all(lacks);
}

void rspb_lacks_fini(struct rspb_lacks *lacks)
{
	for (size_t i = 0; lacks->nodes && i < lacks->n; i++)
		free(lacks->nodes[i]);
	free(lacks->nodes);
	free(lacks->items);
	*lacks = (struct rspb_lacks){ .n = 0 };
}

const char *rspb_lacks_say(const struct rspb_lacks *lacks, uint64_t id, char *text, size_t size)
{
	const struct rspb_overfull key = { .id = id }, *one;
	const char *node;

	one = lacks->n ? bsearch(&key, lacks->items, lacks->n, sizeof(*one), rspb_array_by_u64)
		       : NULL;
	if (!one)
		return NULL;
	node = lacks->nodes ? lacks->nodes[one - lacks->items] : NULL;
	snprintf(text, size, "a lack of %s on %s", one->what, node ? node : "one of its nodes");
	return text;
}
