/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects what is in the way of bookings and is no booking, as blocks of nodes and holds of
 * licenses. Those of jobs are added by occupancy_jobs.c. It plans nothing. */
#include "plugins/ctld/book/occupancy.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/base/array.h"
#include "common/base/times.h"
#include "plugins/compat/ctld.h"
#include "plugins/compat/node.h"
#include "plugins/compat/parts/cores.h"
#include "plugins/compat/resv.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/book/state.h"

/* Collects nodes that cannot be counted on, and until when. Others look for bookings that this
 * affects. */

/* Nodes that are rebooted once their jobs are over are told apart by ends in such steps:
 * there are as many ends as jobs, and a block for each would be too many. */
enum { STEP_S = 600 };

static void occupancy_nodes_forget(void)
{
	rspb_nodeset_destroy(rspb_book->nodes.unusable);
	rspb_nodeset_destroy(rspb_book->nodes.rebooted);
	rspb_nodeset_destroy(rspb_book->nodes.silent);
	memset(&rspb_book->nodes, 0, sizeof(rspb_book->nodes));
}

/* RET when a node that is being rebooted is to serve again, as if no job were on it; 0: it is none
 * such. */
static int64_t back_of(uint32_t node, int64_t now)
{
	const struct rspb_node_kind is = rspb_node_is(node);

	return is.away ? now + is.away : is.back;
}

/* Look at the nodes, unless what is kept is still good. RET false: out of memory. */
static bool nodes_look(const struct rspb_occupancy *occ)
{
	int64_t now = time(NULL);

	/* Slurm stamps whole seconds: a change in the second of the last look may have come
	 * after it. */
	if (rspb_book->nodes.taken && rspb_book->nodes.unusable->width == occ->width &&
	    rspb_book->nodes.taken <= now &&
	    rspb_ctld_changed(RSPB_CHANGED_NODES) < rspb_book->nodes.taken)
		return true;
	occupancy_nodes_forget();
	rspb_book->nodes.unusable = rspb_nodeset_create(occ->width);
	rspb_book->nodes.rebooted = rspb_nodeset_create(occ->width);
	rspb_book->nodes.silent = rspb_nodeset_create(occ->width);
	if (!rspb_book->nodes.unusable || !rspb_book->nodes.rebooted || !rspb_book->nodes.silent)
		return false;
	rspb_node_add(RSPB_NODES_UNUSABLE, rspb_book->nodes.unusable);
	RSPB_NODESET_EACH (n, rspb_book->nodes.unusable)
		if (back_of(n, now))
			rspb_nodeset_add(rspb_book->nodes.rebooted, n);
	rspb_nodeset_minus(rspb_book->nodes.unusable, rspb_book->nodes.rebooted);
	rspb_node_add(RSPB_NODES_SILENT, rspb_book->nodes.silent);
	rspb_book->nodes.taken = now;
	return true;
}

/* RET the new block, good until the next is added; NULL: there are no such nodes, or out of
 * memory. */
static struct rspb_block *block_all(struct rspb_occupancy *occ, const struct rspb_nodeset *nodes,
				    int64_t end, const char *what)
{
	struct rspb_block *block = rspb_nodeset_empty(nodes)
					   ? NULL
					   : rspb_occupancy_add(occ, occ->now, end);

	if (block) {
		rspb_nodeset_or(block->nodes, nodes);
		snprintf(block->what, sizeof(block->what), "%s", what);
	}
	return block;
}

/* RET when a node that is rebooted serves again. The reboot begins after its jobs, as far as
 * these are known: jobs are collected first. The end is rounded up, so that few blocks are
 * needed. */
static int64_t back_at(const struct rspb_occupancy *occ, uint32_t n)
{
	int64_t back = back_of(n, occ->now);
	int64_t jobs = occ->until ? occ->until[n] - occ->now : 0;

	if (jobs <= 0)
		return back;
	back += jobs;
	return back + STEP_S - back % STEP_S;
}

/* Nodes that come back in the same step share a block. */
static void block_rebooted(struct rspb_occupancy *occ)
{
	size_t first = occ->n;

	RSPB_NODESET_EACH (n, rspb_book->nodes.rebooted) {
		int64_t end = rspb_earlier(back_at(occ, n), occ->horizon);
		struct rspb_block *block = NULL;

		for (size_t i = first; i < occ->n && !block; i++)
			if (occ->blocks[i].end == end)
				block = &occ->blocks[i];
		if (!block)
			block = rspb_occupancy_add(occ, occ->now, end);
		if (!block)
			continue;
		rspb_nodeset_add(block->nodes, n);
		snprintf(block->what, sizeof(block->what), "a node that is rebooted");
	}
}

/* Collect only the blocks of nodes, with at least the read lock. */
static void occupancy_nodes(struct rspb_occupancy *occ)
{
	struct rspb_block *block;

	if (!nodes_look(occ)) {
		occ->short_of_memory = true;
		return;
	}
	block_all(occ, rspb_book->nodes.unusable, occ->horizon, "a node that is down or drained");
	block_rebooted(occ);
	block = block_all(occ, rspb_book->nodes.silent, occ->now + RSPB_SILENT_S,
			  "a node that does not answer");
	if (block)
		/* Within that time the node answers again, or Slurm gives it up. */
		block->passing = true;
}

/* Collects others' reservations, and with them all that is not a job. */

/* For so long what is known of others' reservations is good. */
enum { OTHERS_S = 60 };
/* For so long a license that is taken outside of the cluster is likely to be. */
enum { ELSEWHERE_S = 3600 };

static void others_fini(void)
{
	rspb_occupancy_fini(&rspb_book->others.occupancy);
	rspb_book->others.floats = rspb_book->others.booked = false;
}

/* Let bookings have the cores that a reservation does not have of its nodes. Cores and GPUs
 * that it has are held for it. The block may lie elsewhere afterwards. */
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

/* Local days, so that a change of daylight saving keeps the hour. */
static int64_t days_later(int64_t when, int days)
{
	time_t t = when;
	struct tm tm;

	if (!localtime_r(&t, &tm))
		return when + days * INT64_C(86400);
	tm.tm_mday += days;
	tm.tm_isdst = -1;
	return mktime(&tm);
}

static int week_day(int64_t when)
{
	time_t t = when;
	struct tm tm;

	return localtime_r(&t, &tm) ? tm.tm_wday : 0;
}

static bool on_weekend(int64_t when)
{
	int day = week_day(when);

	return day == 0 || day == 6;
}

/* Move start and end on to the next occurrence. The length stays; only the start follows the
 * calendar. RET false: there is none. */
static bool move_on(enum rspb_resv_recurs recurs, int64_t *start, int64_t *end)
{
	int64_t length = *end - *start, next;

	if (recurs == RSPB_RESV_ONCE)
		return false;
	if (recurs == RSPB_RESV_HOURLY)
		next = *start + 3600;
	else
		next = days_later(*start, recurs == RSPB_RESV_WEEKLY ? 7 : 1);
	if (recurs == RSPB_RESV_WEEKDAYS || recurs == RSPB_RESV_WEEKENDS)
		while (on_weekend(next) != (recurs == RSPB_RESV_WEEKENDS))
			next = days_later(next, 1);
	*start = next;
	*end = next + length;
	return true;
}

/* Occurrences of one reservation at most. From the last of them on, its nodes and licenses count
 * as taken, because one that returns each hour has thousands up to SeriesHorizon. */
enum { OCCURRENCES = 366 };

/* Find the next occurrence. RET false: there is none up to the horizon, or the last one was
 * extended to the horizon. */
static bool next_occurrence(const struct rspb_occupancy *occ, const struct rspb_resv *resv,
			    int64_t *start, int64_t *end, uint32_t *n)
{
	if (*start >= occ->horizon || *n == OCCURRENCES || occ->short_of_memory ||
	    !move_on(resv->recurs, start, end))
		return false;
	if (++*n == OCCURRENCES)
		*end = occ->horizon;
	return true;
}

/* Hold the licenses of a reservation for each of its occurrences up to the horizon. */
static void resv_hold(struct rspb_occupancy *occ, const struct rspb_resv *resv)
{
	int64_t start = resv->start, end = resv->end;
	struct rspb_quotas quotas = { .n = 0 };
	uint32_t n = 1;

	rspb_resv_licenses(resv, &quotas);
	occ->short_of_memory |= quotas.short_of_memory;
	if (quotas.n)
		rspb_book->others.floats |= resv->floats;
	do
		rspb_occupancy_hold(occ, start, end, &quotas, 0, 0);
	while (quotas.n && next_occurrence(occ, resv, &start, &end, &n));
	free(quotas.items);
}

/* Called under the read lock for each reservation that is not of a booked job. RET non-zero,
 * which ends the walk: out of memory. */
static int resv_block(const struct rspb_resv *resv, void *arg)
{
	struct rspb_occupancy *occ = arg;
	int64_t start = resv->start, end = resv->end;
	struct rspb_block *block;
	uint32_t part, n = 1;
	uint64_t id;

	resv_hold(occ, resv);
	if (!resv->has_nodes)
		return occ->short_of_memory;
	if (rspb_resv_of_job(resv->name, &id, &part) || rspb_reserved_find(resv->id)) {
		rspb_book->others.booked = true;
		return 0;
	}
	rspb_book->others.floats |= resv->floats;
	do {
		block = rspb_occupancy_add(occ, start, end);
		if (block) {
			rspb_resv_nodes(resv, block->nodes);
			block->kind = resv->maintenance ? RSPB_BLOCK_MAINTENANCE
							: RSPB_BLOCK_RESERVATION;
			snprintf(block->what, sizeof(block->what), "reservation %s", resv->name);
			resv_lend(occ, resv, block);
		}
	} while (next_occurrence(occ, resv, &start, &end, &n));
	return occ->short_of_memory;
}

/* Whether the reservations that were bookings at the last look still are. A booking without a
 * job is in the ledger, and must not be in its own way as a block. */
static bool same_bookings(void)
{
	return rspb_book->others.edits == rspb_ctld_counts().edits &&
	       (!rspb_book->others.booked || rspb_book->others.version == rspb_book_version());
}

/* Look at the reservations, unless what is kept is still good. A reservation that floats is
 * somewhere else each time. RET false: out of memory, and nothing is kept. */
static bool others_look(const struct rspb_occupancy *occ)
{
	bool news = rspb_resv_news(&rspb_book->others.seen, occ->now);

	if (!news && !rspb_book->others.floats && rspb_book->others.occupancy.width == occ->width &&
	    same_bookings() && occ->now >= rspb_book->others.occupancy.now &&
	    occ->now < rspb_book->others.occupancy.now + OTHERS_S)
		return true;
	others_fini();
	/* The horizon moves on while this is kept, so more is collected now. */
	rspb_occupancy_init(&rspb_book->others.occupancy, occ->width, occ->now,
			    occ->horizon + OTHERS_S);
	rspb_book->others.version = rspb_book_version();
	rspb_book->others.edits = rspb_ctld_counts().edits;
	rspb_resv_each(RSPB_RESV_OF_OTHERS, occ->now, resv_block, &rspb_book->others.occupancy);
	if (!rspb_book->others.occupancy.short_of_memory)
		return true;
	others_fini();
	return false;
}

/* Copy what is kept, cut to the window of this occupancy. */
static void others_block(struct rspb_occupancy *occ)
{
	if (!others_look(occ)) {
		occ->short_of_memory = true;
		return;
	}
	for (size_t i = 0; i < rspb_book->others.occupancy.n; i++) {
		const struct rspb_block *from = &rspb_book->others.occupancy.blocks[i];
		struct rspb_block *block = rspb_occupancy_add(occ, from->start, from->end);

		if (!block)
			continue;
		rspb_nodeset_or(block->nodes, from->nodes);
		block->kind = from->kind;
		block->beside = from->beside;
		memcpy(block->what, from->what, sizeof(block->what));
	}
	for (size_t i = 0; i < rspb_book->others.occupancy.n_holds; i++) {
		const struct rspb_hold *from = &rspb_book->others.occupancy.holds[i];
		struct rspb_quota use = { .key = from->key, .use = from->amount };

		rspb_occupancy_hold(occ, from->start, from->end,
				    &(struct rspb_quotas){ .n = 1, .items = &use }, from->on, 0);
	}
}

static void add_elsewhere(const struct rspb_license *license, void *arg)
{
	const struct rspb_quota use = { .key = license->key, .use = license->elsewhere };

	if (use.use)
		rspb_quotas_add(arg, &use);
}

/* Licenses that another cluster or program has taken are counted for an hour; nobody knows for
 * how long they are really taken. */
static void elsewhere_hold(struct rspb_occupancy *occ)
{
	struct rspb_quotas quotas = { .n = 0 };

	rspb_licenses_each(add_elsewhere, &quotas);
	rspb_occupancy_hold(occ, occ->now, occ->now + ELSEWHERE_S, &quotas, 0, 0);
	free(quotas.items);
}

void rspb_occupancy_reset(void)
{
	occupancy_nodes_forget();
	rspb_occupancy_fini(&rspb_book->others.occupancy);
	memset(&rspb_book->others, 0, sizeof(rspb_book->others));
}

int rspb_occupancy_collect(struct rspb_occupancy *occ, struct rspb_err *err)
{
	others_block(occ);
	/* Jobs must have been collected before: nodes that are rebooted come back after their
	 * jobs. */
	occupancy_nodes(occ);
	elsewhere_hold(occ);
	if (occ->short_of_memory)
		return rspb_fail(err, "out of memory");
	return 0;
}

void rspb_occupancy_init(struct rspb_occupancy *occ, uint32_t width, int64_t now, int64_t horizon)
{
	*occ = (struct rspb_occupancy){
		.width = width,
		.now = now,
		.horizon = horizon,
		.dedicated = rspb_book_dedicated(),
		.lent = rspb_book_lent(),
	};
	occ->until = calloc(width, sizeof(*occ->until));
	occ->short_of_memory = !occ->until;
	/* The set is of another node table; the agent makes another ledger soon. */
	if (occ->lent && occ->lent->width != width)
		occ->lent = NULL;
	if (occ->dedicated)
		occ->memory = calloc(width, sizeof(*occ->memory));
}

void rspb_occupancy_fini(struct rspb_occupancy *occ)
{
	size_t i;

	for (i = 0; i < occ->n; i++)
		rspb_nodeset_destroy(occ->blocks[i].nodes);
	free(occ->blocks);
	free(occ->holds);
	free(occ->memory);
	free(occ->until);
	*occ = (struct rspb_occupancy){ 0 };
}

struct rspb_block *rspb_occupancy_add(struct rspb_occupancy *occ, int64_t start, int64_t end)
{
	struct rspb_block *block;

	if (start < occ->now)
		start = occ->now;
	if (end > occ->horizon)
		end = occ->horizon;
	if (start >= end)
		return NULL;
	if (rspb_array_grow(&occ->blocks, &occ->room, occ->n + 1, sizeof(*block))) {
		occ->short_of_memory = true;
		return NULL;
	}
	block = &occ->blocks[occ->n];
	*block = (struct rspb_block){
		.start = start,
		.end = end,
		.nodes = rspb_nodeset_create(occ->width),
		.kind = RSPB_BLOCK_DOWN,
	};
	if (!block->nodes) {
		occ->short_of_memory = true;
		return NULL;
	}
	occ->n++;
	return block;
}

void rspb_occupancy_hold(struct rspb_occupancy *occ, int64_t start, int64_t end,
			 const struct rspb_quotas *quotas, uint32_t on, uint32_t owner)
{
	struct rspb_hold hold = {
		.on = on,
		.owner = owner,
		.start = start > occ->now ? start : occ->now,
		.end = end < occ->horizon ? end : occ->horizon,
	};

	occ->short_of_memory |= quotas->short_of_memory;
	for (size_t i = 0; i < quotas->n && hold.start < hold.end; i++) {
		if (rspb_array_grow(&occ->holds, &occ->holds_room, occ->n_holds + 1,
				    sizeof(*occ->holds))) {
			occ->short_of_memory = true;
			return;
		}
		hold.key = quotas->items[i].key;
		hold.amount = quotas->items[i].use;
		occ->holds[occ->n_holds++] = hold;
	}
}

void rspb_occupancy_beside(struct rspb_occupancy *occ, struct rspb_block *block,
			   const struct rspb_nodeset *room)
{
	struct rspb_block all = *block, *beside;

	if (rspb_nodeset_empty(room))
		return;
	/* The copy shares the set of nodes with the block, so this shrinks the block itself. */
	rspb_nodeset_minus(all.nodes, room);
	/* The array may move when it grows, so the block's members are taken from the copy. */
	beside = rspb_occupancy_add(occ, all.start, all.end);
	if (!beside)
		return;
	beside->job = all.job;
	beside->kind = all.kind;
	beside->goes_on = all.goes_on;
	beside->stays = all.stays;
	beside->beside = true;
	memcpy(beside->what, all.what, sizeof(beside->what));
	rspb_nodeset_or(beside->nodes, room);
}

const struct rspb_block *rspb_occupancy_hit(const struct rspb_occupancy *occ, int64_t start,
					    int64_t end, const struct rspb_nodeset *nodes,
					    bool share)
{
	size_t i;

	for (i = 0; i < occ->n; i++) {
		const struct rspb_block *block = &occ->blocks[i];

		if (!(share && block->beside) && block->start < end && block->end > start &&
		    !rspb_nodeset_disjoint(block->nodes, nodes))
			return block;
	}
	return NULL;
}
