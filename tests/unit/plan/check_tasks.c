/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of nodes that will do with fewer tasks. */
#include "common/plan/schedule.h"
#include "common/policy/policy.h"
#include "tests/unit/plan/pair.h"

/* Eight tasks with a core and half a GPU each, from 0 to 100; worth what they are. */
static struct rspb_booking *tasks(const struct rspb_ledger *from, const char *worth)
{
	struct rspb_booking *wanted = part(9, 0, 8, 4, 0, 100), *booking;
	const struct rspb_request *request = wanted->request;
	struct rspb_part *of = &wanted->request->parts[0];
	struct rspb_ledger *ledger = rspb_ledger_clone(from);
	struct rspb_policy policy;

	rspb_policy_from_preset(rspb_preset_find("live"), &policy);
	ck_assert_int_eq(rspb_benefit_read(&of->benefit, worth, NULL), 0);
	of->tasks = 8;
	of->share_one = of->share_each = RSPB_SHARE_CORE;
	of->quotas[0].one = of->quotas[0].each = 1;
	of->quotas[0].all = 4;
	ck_assert_int_eq(rspb_schedule_batch(ledger, &policy, &request, 1, 0, &booking, NULL), 0);
	rspb_booking_destroy(wanted);
	rspb_ledger_destroy(ledger);
	return booking;
}

START_TEST(fewer_tasks)
{
	struct rspb_ledger *ledger = machine();
	struct rspb_booking *b = tasks(ledger, "linear:25%");

	ck_assert_int_eq(b->state, RSPB_BOOKED);
	ck_assert_int_eq(b->grants[0].share, 8 * RSPB_SHARE_CORE);
	ck_assert_uint_eq(b->request->parts[0].fewer, 0);
	rspb_booking_destroy(b);
	/* Cores for eight and five, GPUs for two and three. */
	ck_assert_int_eq(add(ledger, part(1, 0, 8, 2, 0, 100)), 0);
	ck_assert_int_eq(add(ledger, part(2, 1, 11, 1, 50, 100)), 0);
	b = tasks(ledger, "linear:25%");
	ck_assert_int_eq(b->state, RSPB_BOOKED);
	ck_assert_uint_eq(b->request->parts[0].fewer, 3);
	ck_assert_int_eq(b->grants[0].share, 3 * RSPB_SHARE_CORE);
	ck_assert_int_eq(b->request->parts[0].quotas[0].per_node, 3);
	ck_assert(rspb_nodeset_has(b->grants[0].nodes, 1));
	ck_assert_int_eq(rspb_ratio_compare(b->benefit, rspb_ratio_make(3, 8)), 0);
	rspb_booking_destroy(b);
	b = tasks(ledger, "linear:50%");
	ck_assert_int_eq(b->state, RSPB_DECLINED);
	ck_assert_uint_eq(b->request->parts[0].fewer, 0);
	ck_assert_int_eq(b->request->parts[0].quotas[0].per_node, 4);
	rspb_booking_destroy(b);
	rspb_ledger_destroy(ledger);
}
END_TEST

/* What eight tasks do in 20 four do in 40 and two in 80; with room for five of them until
 * 100 four are over first. */
START_TEST(work_by_tasks)
{
	const struct rspb_form forms[] = { { 1, 20, 8 }, { 1, 40, 4 }, { 1, 80, 2 } };
	struct rspb_ledger *ledger = machine();
	struct rspb_booking *wanted = part(9, 0, 8, 4, 0, 20), *b;
	struct rspb_part *of = &wanted->request->parts[0];
	const struct rspb_request *request = wanted->request;
	struct rspb_policy policy;

	rspb_policy_from_preset(rspb_preset_find("live"), &policy);
	of->tasks = 8;
	of->weight = 12 * RSPB_SHARE_CORE;
	of->share_one = of->share_each = RSPB_SHARE_CORE;
	of->quotas[0].one = of->quotas[0].each = 1;
	wanted->request->deadline = 200;
	ck_assert(!rspb_request_set_forms(wanted->request, forms, 3));
	ck_assert(!rspb_request_validate(wanted->request, PAIR, NULL));
	ck_assert_int_eq(add(ledger, part(1, 0, 11, 0, 0, 100)), 0);
	ck_assert_int_eq(add(ledger, part(2, 1, 15, 0, 0, 100)), 0);
	ck_assert_int_eq(rspb_schedule_batch(ledger, &policy, &request, 1, 0, &b, NULL), 0);
	ck_assert_int_eq(b->state, RSPB_BOOKED);
	ck_assert_int_eq(b->start, 0);
	ck_assert_int_eq(b->end, 40);
	ck_assert_uint_eq(b->request->parts[0].fewer, 4);
	ck_assert_int_eq(b->grants[0].share, 4 * RSPB_SHARE_CORE);
	ck_assert_int_eq(b->request->parts[0].quotas[0].per_node, 4);
	ck_assert_int_eq(b->request->parts[0].weight, 6 * RSPB_SHARE_CORE);
	/* All of it is done. */
	ck_assert_int_eq(rspb_ratio_compare(b->benefit, rspb_ratio_make(1, 1)), 0);
	rspb_booking_destroy(b);
	rspb_booking_destroy(wanted);
	rspb_ledger_destroy(ledger);
}
END_TEST

/* Promised are the least two of eight; when it begins there is room for three beside others,
 * then for all, and then it has all. */
START_TEST(tasks_grow)
{
	struct rspb_ledger *ledger = machine();
	struct rspb_booking *b = tasks(ledger, "linear:25%");
	struct rspb_record book = { .kind = RSPB_REC_BOOK, .booking = b };
	const struct rspb_record gone = { .kind = RSPB_REC_EVENT,
					  .id = 1,
					  .event = RSPB_EV_CANCEL };
	struct rspb_part *of = &b->request->parts[0];
	const struct rspb_booking *is;
	struct rspb_policy policy;

	rspb_policy_from_preset(rspb_preset_find("live"), &policy);
	policy.degrade = rspb_degrade_find("lazy");
	of->fewer = 2;
	of->quotas[0].per_node = 2;
	b->grants[0].share = 2 * RSPB_SHARE_CORE;
	rspb_nodeset_clear(b->grants[0].nodes);
	rspb_nodeset_add(b->grants[0].nodes, 0);
	ck_assert(!rspb_ledger_apply(ledger, &book, NULL));
	ck_assert_int_eq(add(ledger, part(1, 0, 13, 0, 0, 100)), 0);
	ck_assert_int_eq(rspb_refine_booking(ledger, &policy, 9, false, NULL), 1);
	is = rspb_ledger_find(ledger, 9);
	ck_assert_uint_eq(is->request->parts[0].fewer, 3);
	ck_assert_int_eq(is->request->parts[0].quotas[0].per_node, 3);
	ck_assert_int_eq(is->grants[0].share, 3 * RSPB_SHARE_CORE);
	ck_assert_int_eq(rspb_grant_promised(&is->grants[0]), 3 * RSPB_SHARE_CORE);
	ck_assert_int_eq(is->request->ready, b->request->ready);
	ck_assert_int_eq(is->request->deadline, b->request->deadline);
	ck_assert_int_eq(rspb_refine_booking(ledger, &policy, 9, false, NULL), 0);
	ck_assert(!rspb_ledger_apply(ledger, &gone, NULL));
	ck_assert_int_eq(rspb_refine_booking(ledger, &policy, 9, false, NULL), 1);
	is = rspb_ledger_find(ledger, 9);
	ck_assert_uint_eq(is->request->parts[0].fewer, 0);
	ck_assert_int_eq(is->request->parts[0].quotas[0].per_node, 4);
	ck_assert_int_eq(is->grants[0].share, 8 * RSPB_SHARE_CORE);
	ck_assert(rspb_nodeset_has(is->grants[0].nodes, 0));
	ck_assert_int_eq(rspb_refine_booking(ledger, &policy, 9, false, NULL), 0);
	rspb_booking_destroy(b);
	rspb_ledger_destroy(ledger);
}
END_TEST

static Suite *suite(void)
{
	const TTest *const tests[] = { fewer_tasks, work_by_tasks, tasks_grow };

	return suite_of("tasks", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
