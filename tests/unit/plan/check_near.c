/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of several nodes that are to lie on few switches. */
#include <string.h>

#include "common/plan/schedule.h"
#include "tests/unit/plan/pair.h"

/* Of two switches with two nodes each a node is full: four cores of each of two nodes,
 * from 10 on, all on one. */
static struct rspb_booking *two_nodes(const struct rspb_ledger *from, int64_t until,
				      int64_t leaves_for)
{
	struct rspb_booking *wanted = part(9, 0, 4, 0, 10, 20), *booking;
	const struct rspb_request *request = wanted->request;
	struct rspb_ledger *ledger = rspb_ledger_clone(from);
	struct rspb_policy policy;

	rspb_policy_from_preset(rspb_preset_find("li-ff"), &policy);
	wanted->request->deadline = until;
	wanted->request->parts[0].nodes = 2;
	wanted->request->parts[0].nodes_min = 2;
	wanted->request->parts[0].leaves = 1;
	wanted->request->parts[0].leaves_for = leaves_for;
	ck_assert_int_eq(rspb_schedule_batch(ledger, &policy, &request, 1, 0, &booking, NULL), 0);
	rspb_booking_destroy(wanted);
	rspb_ledger_destroy(ledger);
	return booking;
}

/* The same part, on a node of a machine of four. */
static struct rspb_booking *of_four(struct rspb_booking *booking, uint32_t node)
{
	struct rspb_grant *grant = &booking->grants[0];

	rspb_nodeset_destroy(grant->nodes);
	grant->nodes = rspb_nodeset_create(4);
	rspb_nodeset_add(grant->nodes, node);
	return booking;
}

START_TEST(on_few_switches)
{
	static const uint32_t leaves[] = { 0, 0, 1, 1 };
	const int64_t each = CORES * RSPB_SHARE_CORE;
	const int64_t capacity[] = { each, each, each, each };
	const uint32_t gpus[] = { 0, 0, 0, 0 };
	struct rspb_ledger *ledger = rspb_ledger_create(4, capacity, 0);
	struct rspb_booking *b;

	ck_assert_int_eq(rspb_ledger_add_room(ledger, GPU, gpus), 0);
	ck_assert_int_eq(rspb_ledger_leaf(ledger, leaves), 0);
	ck_assert_int_eq(add(ledger, of_four(part(1, 1, 13, 0, 0, 100), 1)), 0);
	b = two_nodes(ledger, 20, 0);
	ck_assert_int_eq(b->state, RSPB_BOOKED);
	ck_assert_uint_eq(rspb_nodeset_next(b->grants[0].nodes, 0), 2);
	ck_assert_uint_eq(rspb_nodeset_count(b->grants[0].nodes), 2);
	ck_assert_int_eq(b->grants[0].share, 4 * RSPB_SHARE_CORE);
	rspb_booking_destroy(b);
	ck_assert_int_eq(add(ledger, of_four(part(2, 0, 13, 0, 0, 50), 3)), 0);
	b = two_nodes(ledger, 20, 0);
	ck_assert_int_eq(b->state, RSPB_DECLINED);
	ck_assert_ptr_nonnull(strstr(rspb_booking_why(b), "free on 1 switch then"));
	rspb_booking_destroy(b);
	b = two_nodes(ledger, 200, 0);
	ck_assert_int_eq(b->start, 50);
	ck_assert_uint_eq(rspb_nodeset_next(b->grants[0].nodes, 0), 2);
	rspb_booking_destroy(b);
	/* No longer than seven seconds. */
	b = two_nodes(ledger, 200, 7);
	ck_assert_int_eq(b->start, 18);
	ck_assert_uint_eq(rspb_nodeset_next(b->grants[0].nodes, 0), 0);
	ck_assert_uint_eq(rspb_nodeset_next(b->grants[0].nodes, 1), 2);
	rspb_booking_destroy(b);
	rspb_ledger_destroy(ledger);
}
END_TEST

static Suite *suite(void)
{
	const TTest *const tests[] = { on_few_switches };

	return suite_of("near", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
