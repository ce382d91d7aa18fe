/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random mixtures of requests, and a table of who holds what at each second. */
#ifndef RSPB_TESTS_UNIT_MIXTURE_H
#define RSPB_TESTS_UNIT_MIXTURE_H

#include "tests/unit/plan/requests.h"

enum { NODES = 9, HORIZON = 120, BATCH = 14, CAPACITY = 20000 };

static unsigned int seed;

static inline int64_t pick(int64_t low, int64_t high)
{
	return low + rand_r(&seed) % (high - low + 1);
}

static inline struct rspb_nodeset *some_nodes(uint32_t at_least)
{
	struct rspb_nodeset *set = rspb_nodeset_create(NODES);

	while (rspb_nodeset_count(set) < at_least || pick(0, 2))
		rspb_nodeset_add(set, (uint32_t) pick(0, NODES - 1));
	return set;
}

static inline void random_part(struct rspb_part *part)
{
	part->nodes = (uint32_t) pick(1, pick(0, 2) ? 3 : NODES);
	part->nodes_min = pick(0, 2) ? part->nodes : (uint32_t) pick(1, part->nodes);
	if (pick(0, 1)) {
		part->share = pick(1, CAPACITY);
		part->nodes = part->nodes_min = (uint32_t) pick(1, 3);
	}
	if (!pick(0, 3)) {
		part->fixed = some_nodes(1);
		while (rspb_nodeset_count(part->fixed) > part->nodes)
			rspb_nodeset_keep_lowest(part->fixed, part->nodes);
	}
	if (!pick(0, 3))
		part->eligible = some_nodes(part->nodes);
}

static inline struct rspb_request *random_request(uint64_t id)
{
	static const char *const shapes[] = { "hard", "linear", "stairs", "concave:40%", "convex" };
	struct rspb_request *request = ask(id, pick(0, HORIZON / 2), pick(1, 30), 1);

	benefit(request, shapes[pick(0, 4)]);
	request->arrival = pick(0, 3);
	request->priority = pick(0, 4);
	if (pick(0, 1))
		request->deadline += pick(1, 25);
	request->asap = !pick(0, 9);
	random_part(&request->parts[0]);
	for (int64_t more = pick(0, 1) ? 0 : pick(1, 3); more > 0; more--)
		random_part(add_part(request, 1, 0));
	return request;
}

/* Some nodes are taken from outside, before anybody asks; some by who leaves
 * room for shares. */
static inline struct rspb_ledger *random_ledger(void)
{
	int64_t capacity[NODES];
	struct rspb_ledger *ledger;

	for (int i = 0; i < NODES; i++)
		capacity[i] = CAPACITY;
	ledger = rspb_ledger_create(NODES, capacity, 0);
	for (int64_t i = pick(0, 4); i > 0; i--) {
		struct rspb_nodeset *set = some_nodes(1);
		int64_t start = pick(0, HORIZON / 2);

		ck_assert_int_eq((pick(0, 1) ? rspb_ledger_block : rspb_ledger_block_beside)(
					 ledger, start, start + pick(1, 20), set, NULL),
				 0);
		rspb_nodeset_destroy(set);
	}
	return ledger;
}

/* Who holds what at each second. */
struct table {
	int64_t whole[HORIZON][NODES], share[HORIZON][NODES];
};

static inline void mark_part(struct table *table, const struct rspb_booking *b, uint32_t i)
{
	const struct rspb_grant *grant = &b->grants[i];

	for (int64_t t = b->start; t < b->end; t++)
		for (uint32_t n = 0; n < NODES; n++)
			if (rspb_nodeset_has(grant->nodes, n)) {
				table->share[t][n] += grant->share;
				table->whole[t][n] += !grant->share;
			}
}

static inline void check_table(const struct table *table, const struct rspb_ledger *before)
{
	struct rspb_nodeset *open = rspb_nodeset_create(NODES);
	struct rspb_nodeset *empty = rspb_nodeset_create(NODES);

	for (int64_t t = 0; t < HORIZON; t++) {
		ck_assert_int_eq(rspb_ledger_shareable_over(before, t, t + 1, open, NULL), 0);
		ck_assert_int_eq(rspb_profile_free_over(rspb_ledger_profile(before), t, t + 1,
							empty, NULL),
				 0);
		for (uint32_t n = 0; n < NODES; n++) {
			int64_t whole = table->whole[t][n];
			int64_t share = table->share[t][n];

			ck_assert_int_le(whole, 1);
			ck_assert_int_le(share, CAPACITY);
			ck_assert(!whole || !share);
			if (!rspb_nodeset_has(open, n))
				ck_assert(!whole && !share);
			if (!rspb_nodeset_has(empty, n))
				ck_assert(!whole);
		}
	}
	rspb_nodeset_destroy(empty);
	rspb_nodeset_destroy(open);
}

/* The part got what its request allows. */
static inline void check_part(const struct rspb_booking *b, uint32_t i)
{
	const struct rspb_part *part = &b->request->parts[i];
	const struct rspb_grant *grant = &b->grants[i];
	uint32_t count = rspb_nodeset_count(grant->nodes);
	int64_t units = part->share ? grant->share : count;
	struct rspb_nodeset *allowed = rspb_nodeset_create(NODES);

	ck_assert_int_ge(units, rspb_part_least(b->request, i));
	ck_assert_int_le(units, rspb_part_full(b->request, i));
	ck_assert(!part->share == !grant->share);
	if (part->share)
		ck_assert_uint_eq(count, part->nodes);
	if (part->eligible)
		rspb_nodeset_copy(allowed, part->eligible);
	else
		rspb_nodeset_fill(allowed);
	if (part->fixed && rspb_nodeset_count(part->fixed) == part->nodes)
		rspb_nodeset_copy(allowed, part->fixed);
	else if (part->fixed)
		rspb_nodeset_or(allowed, part->fixed);
	ck_assert(rspb_nodeset_within(grant->nodes, allowed));
	if (part->fixed && units == part->nodes && !part->share)
		ck_assert(rspb_nodeset_within(part->fixed, grant->nodes));
	rspb_nodeset_destroy(allowed);
}

#endif
