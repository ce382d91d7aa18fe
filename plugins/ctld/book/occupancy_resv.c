/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects others' reservations, and with them all that is not a job. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/compat/limit/license.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/occupancy.h"
#include "plugins/ctld/book/reserved.h"

/* For so long what is known of others' reservations is good. */
enum { OTHERS_S = 60 };
/* For so long a license that is taken outside of the cluster is likely to be. */
enum { ELSEWHERE_S = 3600 };

/* The collected reservations; only the agent's thread uses them. */
static struct {
	struct rspb_occupancy occupancy;
	struct rspb_resv_seen_at seen;
	uint64_t version, edits; /* of the book, as of compat/resv.h */
	bool booked;		 /* some are bookings and left out */
	bool floats;		 /* one of them stays ahead of now */
} others;

static void others_fini(void)
{
	rspb_occupancy_fini(&others.occupancy);
	others.floats = others.booked = false;
}

/* Nodes of which it has some cores alone, maybe with GPUs, which nobody else gets. */
static void resv_lend(struct rspb_occupancy *occ, const struct rspb_resv *resv,
		      struct rspb_block *block)
{
	struct rspb_nodeset *room = rspb_nodeset_create(occ->width);
	struct rspb_quotas has = { .n = 0 };

	occ->short_of_memory |= !room;
	for (uint32_t n = 0; room && occ->lent && n < occ->width; n++) {
		struct rspb_quota cores = { .key = RSPB_ROOM_CPUS };

		if (!rspb_nodeset_has(block->nodes, n) || !rspb_nodeset_has(occ->lent, n))
			continue;
		has.n = 0;
		cores.per_node = (int64_t) RSPB_SHARE_CORE * rspb_cores_reserved(resv, n, &has);
		if (!cores.per_node)
			continue;
		rspb_quotas_add(&has, &cores);
		rspb_nodeset_add(room, n);
		rspb_occupancy_hold_on(occ, block->start, block->end, &has, n, 0);
	}
	free(has.items);
	if (room)
		rspb_occupancy_beside(occ, block, room);
	rspb_nodeset_destroy(room);
}

static void resv_hold(struct rspb_occupancy *occ, const struct rspb_resv *resv)
{
	int64_t start = resv->start, end = resv->end;
	struct rspb_quotas quotas = { .n = 0 };

	rspb_resv_licenses(resv, &quotas);
	occ->short_of_memory |= quotas.short_of_memory;
	if (quotas.n)
		others.floats |= resv->floats;
	do
		rspb_occupancy_hold(occ, start, end, &quotas, 0, 0);
	while (quotas.n && start < occ->horizon && !occ->short_of_memory &&
	       rspb_resv_next(resv, &start, &end));
	free(quotas.items);
}

static int resv_block(const struct rspb_resv *resv, void *arg)
{
	struct rspb_occupancy *occ = arg;
	int64_t start = resv->start, end = resv->end;
	struct rspb_block *block;
	uint32_t part;
	uint64_t id;

	resv_hold(occ, resv);
	if (!resv->has_nodes)
		return occ->short_of_memory;
	if (rspb_resv_of_job(resv->name, &id, &part) || rspb_reserved_find(resv->id)) {
		others.booked = true;
		return 0;
	}
	others.floats |= resv->floats;
	do {
		block = rspb_occupancy_add(occ, start, end);
		if (block) {
			rspb_resv_nodes(resv, block->nodes);
			block->kind = resv->maintenance ? RSPB_BLOCK_MAINTENANCE
							: RSPB_BLOCK_RESERVATION;
			snprintf(block->what, sizeof(block->what), "reservation %s", resv->name);
			resv_lend(occ, resv, block);
		}
	} while (start < occ->horizon && !occ->short_of_memory &&
		 rspb_resv_next(resv, &start, &end));
	return occ->short_of_memory;
}

/* Whether those that were bookings still are, and no others. */
static bool same_bookings(void)
{
	return others.edits == rspb_resv_edits() &&
	       (!others.booked || others.version == rspb_book_version());
}

static bool others_look(const struct rspb_occupancy *occ)
{
	bool news = rspb_resv_news(&others.seen, occ->now);

	if (!news && !others.floats && others.occupancy.width == occ->width && same_bookings() &&
	    occ->now >= others.occupancy.now && occ->now < others.occupancy.now + OTHERS_S)
		return true;
	others_fini();
	rspb_occupancy_init(&others.occupancy, occ->width, occ->now, occ->horizon + OTHERS_S);
	others.version = rspb_book_version();
	others.edits = rspb_resv_edits();
	rspb_resv_each_other(occ->now, resv_block, &others.occupancy);
	if (!others.occupancy.short_of_memory)
		return true;
	others_fini();
	return false;
}

static void others_block(struct rspb_occupancy *occ)
{
	if (!others_look(occ)) {
		occ->short_of_memory = true;
		return;
	}
	for (size_t i = 0; i < others.occupancy.n; i++) {
		const struct rspb_block *from = &others.occupancy.blocks[i];
		struct rspb_block *block = rspb_occupancy_add(occ, from->start, from->end);

		if (!block)
			continue;
		rspb_nodeset_or(block->nodes, from->nodes);
		block->kind = from->kind;
		block->beside = from->beside;
		memcpy(block->what, from->what, sizeof(block->what));
	}
	for (size_t i = 0; i < others.occupancy.n_holds; i++) {
		const struct rspb_hold *from = &others.occupancy.holds[i];
		struct rspb_quota use = { .key = from->key, .use = from->amount };

		rspb_occupancy_hold(occ, from->start, from->end,
				    &(struct rspb_quotas){ .n = 1, .items = &use }, from->on, 0);
	}
}

static void elsewhere_hold(struct rspb_occupancy *occ)
{
	struct rspb_quotas quotas = { .n = 0 };

	rspb_licenses_elsewhere(&quotas);
	rspb_occupancy_hold(occ, occ->now, occ->now + ELSEWHERE_S, &quotas, 0, 0);
	free(quotas.items);
}

void rspb_occupancy_reset(void)
{
	rspb_occupancy_nodes_forget();
	others_fini();
	others.seen = (struct rspb_resv_seen_at){ 0 };
}

int rspb_occupancy_collect(struct rspb_occupancy *occ, struct rspb_err *err)
{
	others_block(occ);
	rspb_occupancy_nodes(occ);
	elsewhere_hold(occ);
	if (occ->short_of_memory)
		return rspb_fail(err, "out of memory");
	return 0;
}
