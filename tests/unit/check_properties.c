/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What must hold for every order x when x where x degradation, on random
 * mixtures of whole nodes, shares, co-reservations, fixed and floating,
 * windows and fixed starts.
 */
#include <inttypes.h>

#include "common/degrade.h"
#include "common/order.h"
#include "common/refine.h"
#include "common/where.h"
#include "tests/unit/requests.h"

enum { NODES = 9, HORIZON = 120, BATCH = 14, CAPACITY = 20000 };

static unsigned int seed;

static int64_t pick(int64_t low, int64_t high)
{
	return low + rand_r(&seed) % (high - low + 1);
}

static struct rspb_nodeset *some_nodes(uint32_t at_least)
{
	struct rspb_nodeset *set = rspb_nodeset_create(NODES);

	while (rspb_nodeset_count(set) < at_least || pick(0, 2))
		rspb_nodeset_add(set, (uint32_t) pick(0, NODES - 1));
	return set;
}

static void random_part(struct rspb_part *part)
{
	part->nodes = (uint32_t) pick(1, pick(0, 2) ? 3 : NODES);
	part->nodes_min = pick(0, 2) ? part->nodes
				     : (uint32_t) pick(1, part->nodes);
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

static struct rspb_request *random_request(uint64_t id)
{
	static const char *const shapes[] = {
		"hard", "linear", "stairs", "concave:40%", "convex"
	};
	struct rspb_request *request = ask(id, pick(0, HORIZON / 2),
					   pick(1, 30), 1);

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

/* Some nodes are taken from outside, before anybody asks. */
static struct rspb_ledger *random_ledger(void)
{
	int64_t capacity[NODES];
	struct rspb_ledger *ledger;

	for (int i = 0; i < NODES; i++)
		capacity[i] = CAPACITY;
	ledger = rspb_ledger_create(NODES, capacity, 0);
	for (int64_t i = pick(0, 4); i > 0; i--) {
		struct rspb_nodeset *set = some_nodes(1);
		int64_t start = pick(0, HORIZON / 2);

		ck_assert_int_eq(rspb_ledger_block(ledger, start,
			start + pick(1, 20), set, NULL), 0);
		rspb_nodeset_destroy(set);
	}
	return ledger;
}

/* Who holds what at each second. */
struct table {
	int64_t whole[HORIZON][NODES], share[HORIZON][NODES];
};

static void mark_part(struct table *table, const struct rspb_booking *b,
		      uint32_t i)
{
	const struct rspb_grant *grant = &b->grants[i];

	for (int64_t t = b->start; t < b->end; t++)
		for (uint32_t n = 0; n < NODES; n++)
			if (rspb_nodeset_has(grant->nodes, n)) {
				table->share[t][n] += grant->share;
				table->whole[t][n] += !grant->share;
			}
}

static void check_table(const struct table *table,
			const struct rspb_ledger *before)
{
	struct rspb_nodeset *open = rspb_nodeset_create(NODES);

	for (int64_t t = 0; t < HORIZON; t++) {
		ck_assert_int_eq(rspb_ledger_shareable_over(before, t, t + 1,
							    open, NULL), 0);
		for (uint32_t n = 0; n < NODES; n++) {
			int64_t whole = table->whole[t][n];
			int64_t share = table->share[t][n];

			ck_assert_int_le(whole, 1);
			ck_assert_int_le(share, CAPACITY);
			ck_assert(!whole || !share);
			if (!rspb_nodeset_has(open, n))
				ck_assert(!whole && !share);
		}
	}
	rspb_nodeset_destroy(open);
}

/* The part got what its request allows. */
static void check_part(const struct rspb_booking *b, uint32_t i)
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

static void check_booking(struct table *table, const struct rspb_booking *b,
			  const struct rspb_policy *policy)
{
	const struct rspb_request *request = b->request;

	if (b->state == RSPB_DECLINED) {
		ck_assert_uint_eq(b->n_grants, 0);
		ck_assert_msg(strlen(b->reason) > 10, "%s", b->reason);
		return;
	}
	ck_assert_int_eq(b->state, RSPB_BOOKED);
	ck_assert_int_ge(b->start, request->ready);
	ck_assert_int_le(b->end, request->deadline);
	ck_assert_int_eq(b->end - b->start, request->duration);
	if (policy->when->fixed && !request->asap)
		ck_assert_int_eq(b->start, request->ready);
	ck_assert_uint_eq(b->n_grants, request->n_parts);
	for (uint32_t i = 0; i < b->n_grants; i++) {
		check_part(b, i);
		mark_part(table, b, i);
	}
}

static void decide_batch(const struct rspb_ledger *ledger,
			 const struct rspb_policy *policy,
			 struct rspb_request *const *requests,
			 struct rspb_booking **out)
{
	struct rspb_ledger *clone = rspb_ledger_clone(ledger);
	struct table *table = calloc(1, sizeof(*table));
	struct rspb_err err = { "" };

	ck_assert_msg(!rspb_schedule_batch(clone, policy,
			(const struct rspb_request *const *) requests, BATCH,
			0, out, &err), "%s", err.text);
	ck_assert_msg(!rspb_ledger_validate(clone, &err), "%s", err.text);
	for (int i = 0; i < BATCH; i++)
		check_booking(table, out[i], policy);
	check_table(table, ledger);
	free(table);
	rspb_ledger_destroy(clone);
}

static void shuffle(struct rspb_request **requests, int *place)
{
	for (int i = BATCH - 1; i > 0; i--) {
		int k = (int) pick(0, i), p = place[i];
		struct rspb_request *r = requests[i];

		requests[i] = requests[k];
		requests[k] = r;
		place[i] = place[k];
		place[k] = p;
	}
}

/* One batch by one policy, twice, the second time shuffled. */
static void one_batch(const struct rspb_policy *policy)
{
	struct rspb_ledger *ledger = random_ledger();
	struct rspb_request *requests[BATCH];
	struct rspb_booking *first[BATCH], *again[BATCH];
	int place[BATCH];

	for (int i = 0; i < BATCH; i++) {
		requests[i] = random_request((uint64_t) i + 1);
		place[i] = i;
	}
	decide_batch(ledger, policy, requests, first);
	shuffle(requests, place);
	decide_batch(ledger, policy, requests, again);
	for (int i = 0; i < BATCH; i++) {
		char *text = strdup(outcome(first[place[i]]));

		ck_assert_str_eq(text, outcome(again[i]));
		free(text);
	}
	for (int i = 0; i < BATCH; i++) {
		rspb_request_destroy(requests[i]);
		rspb_booking_destroy(first[i]);
		rspb_booking_destroy(again[i]);
	}
	rspb_ledger_destroy(ledger);
}

/* _i is the degradation's row. */
START_TEST(every_combination)
{
	struct rspb_policy policy = policy_of("live");

	seed = (unsigned int) _i + 1;
	policy.degrade = &rspb_degrades[_i];
	for (policy.order = rspb_orders; policy.order->name; policy.order++)
	for (policy.when = rspb_whens; policy.when->name; policy.when++)
	for (policy.where = rspb_wheres; policy.where->name; policy.where++) {
		policy.trim = pick(0, 1);
		policy.distinct = pick(0, 1);
		one_batch(&policy);
	}
}
END_TEST

START_TEST(every_preset)
{
	struct rspb_policy policy;

	seed = 4711;
	for (const struct rspb_preset *row = rspb_presets; row->name; row++) {
		rspb_policy_from_preset(row, &policy);
		for (int i = 0; i < test_rounds(10); i++)
			one_batch(&policy);
	}
}
END_TEST

static void grew(const struct rspb_booking *booking, void *arg)
{
	int64_t *amount = arg;

	for (uint32_t i = 0; i < booking->n_grants; i++)
		amount[booking->request->id] += booking->grants[i].share +
			rspb_nodeset_count(booking->grants[i].nodes);
}

/* Nothing promised is taken back, and nothing is promised twice. */
START_TEST(lazy_refinement_only_gives)
{
	struct rspb_policy policy = policy_of("live");
	struct rspb_booking *out[BATCH];
	struct rspb_request *requests[BATCH];
	int64_t granted = 0;

	policy.degrade = rspb_degrade_find("lazy");
	policy.where = rspb_where_find("worst");
	seed = (unsigned int) _i + 99;
	for (int round = 0; round < test_rounds(20); round++) {
		struct rspb_ledger *ledger = random_ledger();
		struct table *table = calloc(1, sizeof(*table));
		int64_t before[BATCH + 1] = { 0 }, after[BATCH + 1] = { 0 };

		for (int i = 0; i < BATCH; i++)
			requests[i] = random_request((uint64_t) i + 1);
		ck_assert_int_eq(rspb_schedule_batch(ledger, &policy,
			(const struct rspb_request *const *) requests, BATCH,
			0, out, NULL), 0);
		for (int i = 0; i < BATCH; i++)
			grew(out[i], before);
		granted += rspb_refine_due(ledger, &policy, HORIZON, grew,
					   after, NULL);
		ck_assert_int_eq(rspb_refine_due(ledger, &policy, HORIZON,
						 grew, after, NULL), 0);
		ck_assert_int_eq(rspb_ledger_validate(ledger, NULL), 0);
		for (size_t i = 0; i < rspb_ledger_count(ledger); i++)
			check_booking(table, rspb_ledger_at(ledger, i),
				      &policy);
		for (int i = 1; i <= BATCH; i++)
			ck_assert(!after[i] || after[i] > before[i]);
		for (int i = 0; i < BATCH; i++) {
			rspb_booking_destroy(out[i]);
			rspb_request_destroy(requests[i]);
		}
		free(table);
		rspb_ledger_destroy(ledger);
	}
	ck_assert_int_gt(granted, 0);
}
END_TEST

static Suite *suite(void)
{
	Suite *suite = suite_create("properties");
	TCase *tcase = tcase_create("properties");
	int rows = 0;

	while (rspb_degrades[rows].name)
		rows++;
	tcase_set_timeout(tcase, 300);
	tcase_add_loop_test(tcase, every_combination, 0, rows);
	tcase_add_test(tcase, every_preset);
	tcase_add_loop_test(tcase, lazy_refinement_only_gives, 0, 5);
	suite_add_tcase(suite, tcase);
	return suite;
}

RUN_SUITE(suite)
