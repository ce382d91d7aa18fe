/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What stands in the way becomes part of a ledger that is planned on. */
#include <stdlib.h>

#include "plugins/ctld/book/occupancy.h"

static int put(struct rspb_ledger *ledger, const struct rspb_block *block,
	       int64_t end, const struct rspb_nodeset *nodes,
	       struct rspb_err *err)
{
	if (rspb_nodeset_empty(nodes) || end <= block->start)
		return 0;
	if ((block->beside ? rspb_ledger_block_beside
			   : rspb_ledger_block)(ledger, block->start, end,
						nodes, err))
		return -1;
	rspb_ledger_block_name(ledger, (uint8_t) block->kind, block->job);
	return 0;
}

/* Of each node the second in which a booking begins to which it belongs alone: who
 * is there by then goes (start/occupants.h). */
struct booked {
	struct rspb_nodeset *nodes; /* owned: of those */
	int64_t *from;		    /* owned, of the width of the ledger */
};

static void booked_fini(struct booked *booked)
{
	rspb_nodeset_destroy(booked->nodes);
	free(booked->from);
}

static void mark(struct booked *booked, const struct rspb_booking *b)
{
	for (uint32_t g = 0; g < b->n_grants; g++) {
		if (b->grants[g].share)
			continue;
		rspb_nodeset_or(booked->nodes, b->grants[g].nodes);
		RSPB_NODESET_EACH (n, b->grants[g].nodes)
			booked->from[n] = b->start;
	}
}

static int booked_init(struct booked *booked, const struct rspb_ledger *ledger,
		       int64_t now, struct rspb_err *err)
{
	uint32_t width = rspb_ledger_nodes(ledger);

	booked->nodes = rspb_nodeset_create(width);
	booked->from = calloc(width, sizeof(*booked->from));
	if (!booked->nodes || !booked->from)
		return rspb_fail(err, "out of memory");
	/* The first of them counts, which is marked last. */
	for (size_t i = rspb_ledger_count(ledger); i-- > 0;) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->state == RSPB_BOOKED && b->start > now)
			mark(booked, b);
	}
	return 0;
}

/* Take those out of rest that are booked from that second on. */
static void take(struct rspb_nodeset *rest, const int64_t *from, int64_t second,
		 struct rspb_nodeset *out)
{
	rspb_nodeset_clear(out);
	RSPB_NODESET_EACH (n, rest)
		if (from[n] == second)
			rspb_nodeset_add(out, n);
	rspb_nodeset_minus(rest, out);
}

/* A job, which on nodes that are booked ends when the first booking begins. */
static int put_job(struct rspb_ledger *ledger, const struct rspb_block *block,
		   const int64_t *from, struct rspb_err *err)
{
	struct rspb_nodeset *rest = rspb_nodeset_clone(block->nodes);
	struct rspb_nodeset *part = rspb_nodeset_create(block->nodes->width);
	int rc = rest && part ? 0 : rspb_fail(err, "out of memory");

	for (uint32_t n = 0;
	     !rc && (n = rspb_nodeset_next(rest, n)) < rest->width; n++) {
		if (!from[n] || from[n] >= block->end)
			continue;
		take(rest, from, from[n], part);
		rc = put(ledger, block, from[n], part, err);
	}
	if (!rc)
		rc = put(ledger, block, block->end, rest, err);
	rspb_nodeset_destroy(rest);
	rspb_nodeset_destroy(part);
	return rc;
}

int rspb_occupancy_block(const struct rspb_occupancy *occ,
			 struct rspb_ledger *ledger, struct rspb_err *err)
{
	struct booked booked;
	int rc = booked_init(&booked, ledger, occ->now, err);
	size_t i;

	for (i = 0; i < occ->n && !rc; i++) {
		const struct rspb_block *block = &occ->blocks[i];

		rc = block->job && !rspb_nodeset_disjoint(block->nodes,
							  booked.nodes)
			     ? put_job(ledger, block, booked.from, err)
			     : put(ledger, block, block->end, block->nodes,
				   err);
	}
	booked_fini(&booked);
	for (i = 0; i < occ->n_holds && !rc; i++)
		if (rspb_ledger_hold(ledger, &occ->holds[i]))
			rc = rspb_fail(err, "out of memory");
	return rc;
}
