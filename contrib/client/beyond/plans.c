/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/beyond/plans.h"

#include <stdlib.h>

#include "common/base/array.h"

struct search {
	const struct rspb_bids (*bids)[RSPB_PLAN_SITES];
	uint32_t n_parts, n_sites;
	struct rspb_task_plan *plans;
	size_t n;
	struct rspb_task_plan now; /* that is put together */
};

/* Find what a site offers at a start; else the best of what it offers then. A site that makes an
 * offer for a part by itself is asked for nothing else. */
static bool bid_at(const struct search *search, uint32_t part, uint32_t site, int64_t start,
		   struct rspb_bid *bid)
{
	const struct rspb_bids *bids = &search->bids[part][site];
	const struct rspb_bid *best = NULL;
	bool exact = false;

	for (size_t i = 0; i < bids->n; i++) {
		const struct rspb_bid *one = &bids->list[i];
		bool here = one->start == start;

		if (!best || here > exact || (here == exact && one->benefit > best->benefit)) {
			best = one;
			exact = here;
		}
	}
	if (!best || (!exact && search->n_parts == 1))
		return false;
	*bid = *best;
	bid->start = start;
	bid->end = start + best->end - best->start;
	return true;
}

static void keep(struct search *search)
{
	struct rspb_task_plan *plan = &search->now;

	if (search->n == RSPB_PLANS)
		return;
	plan->benefit = 0;
	plan->end = plan->rank = 0;
	for (uint32_t i = 0; i < search->n_parts; i++) {
		plan->benefit += plan->parts[i].bid.benefit;
		plan->rank += plan->parts[i].site;
		if (plan->parts[i].bid.end > plan->end)
			plan->end = plan->parts[i].bid.end;
	}
	search->plans[search->n++] = *plan;
}

/* Every choice of sites for one start: the parts' sites are the digits of a
 * number. */
static void choose(struct search *search, int64_t start)
{
	uint64_t ways = 1;

	search->now.start = start;
	for (uint32_t i = 0; i < search->n_parts; i++)
		ways *= search->n_sites;
	for (uint64_t way = 0; way < ways; way++) {
		uint64_t rest = way;
		uint32_t i = 0;

		for (; i < search->n_parts; i++, rest /= search->n_sites) {
			uint32_t site = (uint32_t) (rest % search->n_sites);

			search->now.parts[i].site = site;
			if (!bid_at(search, i, site, start, &search->now.parts[i].bid))
				break;
		}
		if (i == search->n_parts)
			keep(search);
	}
}

static int by_worth(const void *one, const void *two)
{
	const struct rspb_task_plan *a = one, *b = two;

	if (a->benefit != b->benefit)
		return a->benefit > b->benefit ? -1 : 1;
	if (a->end != b->end)
		return a->end < b->end ? -1 : 1;
	return a->rank < b->rank ? -1 : a->rank > b->rank;
}

/* RET the starts of all bids, in order, malloc'ed. */
static int64_t *starts_of(const struct search *search, size_t *n)
{
	int64_t *starts;
	size_t room = 1;

	for (uint32_t i = 0; i < search->n_parts; i++)
		for (uint32_t j = 0; j < search->n_sites; j++)
			room += search->bids[i][j].n;
	starts = malloc(room * sizeof(*starts));
	*n = 0;
	for (uint32_t i = 0; starts && i < search->n_parts; i++)
		for (uint32_t j = 0; j < search->n_sites; j++)
			for (size_t k = 0; k < search->bids[i][j].n; k++)
				starts[(*n)++] = search->bids[i][j].list[k].start;
	if (starts)
		qsort(starts, *n, sizeof(*starts), rspb_array_by_i64);
	return starts;
}

struct rspb_task_plan *rspb_plans_of(const struct rspb_bids bids[][RSPB_PLAN_SITES],
				     uint32_t n_parts, uint32_t n_sites, size_t *count)
{
	struct search search = { .bids = bids, .n_parts = n_parts, .n_sites = n_sites };
	size_t n;
	int64_t *starts = starts_of(&search, &n);

	search.plans = malloc(RSPB_PLANS * sizeof(*search.plans));
	if (!starts || !search.plans) {
		free(starts);
		free(search.plans);
		return NULL;
	}
	for (size_t i = 0; i < n; i++)
		if (!i || starts[i] != starts[i - 1])
			choose(&search, starts[i]);
	free(starts);
	qsort(search.plans, search.n, sizeof(*search.plans), by_worth);
	*count = search.n;
	return search.plans;
}
