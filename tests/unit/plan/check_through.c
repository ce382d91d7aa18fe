/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is planned on, with other blocks. */
#include "tests/unit/plan/records.h"

static void block(struct rspb_ledger *plan, int64_t start, int64_t end, const char *nodes,
		  uint32_t owner)
{
	struct rspb_nodeset *set = nodes_of(NODES, nodes);

	ck_assert_int_eq(rspb_ledger_block(plan, start, end, set, NULL), 0);
	rspb_ledger_block_name(plan, 1, owner);
	rspb_nodeset_destroy(set);
}

START_TEST(blocks_end_earlier_for_some)
{
	struct rspb_ledger *ledger = fresh(), *plan, *view, *again;
	const int64_t ends[] = { 20, INT64_MAX };
	const struct rspb_hold hold = { .start = 0, .end = 9, .amount = 3 };
	struct rspb_err err;
	size_t n;

	ck_assert_int_eq(book(ledger, made(1, 50, 60, "0", 0)), 0);
	ck_assert_int_eq(book(ledger, made(2, 40, 50, "5", 0)), 0);
	plan = rspb_ledger_clone(ledger);
	block(plan, 0, 100, "0-1", 7);
	block(plan, 0, 100, "2", 8);
	ck_assert_int_eq(rspb_ledger_hold(plan, &hold), 0);
	ck_assert_int_eq(put(plan, RSPB_REC_CHANGE, made(2, 45, 55, "4", 0), &err), 0);
	ck_assert_str_eq(free_nodes(plan, 20, 40, false), "3-5");
	view = rspb_ledger_through(ledger, plan, plan, ends, &err);
	valid(view);
	ck_assert_str_eq(free_nodes(view, 10, 40, false), "3-5");
	ck_assert_str_eq(free_nodes(view, 20, 40, false), "0-1,3-5");
	/* Who was booked under a block is there when that is gone. */
	ck_assert_str_eq(free_nodes(view, 45, 55, false), "1,3,5");
	ck_assert_uint_eq(rspb_ledger_block_owner(view, 0), 7);
	ck_assert_uint_eq(rspb_ledger_block_owner(view, 1), 8);
	ck_assert_ptr_nonnull(rspb_ledger_holds(view, &n));
	ck_assert_uint_eq(n, 1);
	/* What was planned there goes back to where the blocks are longer. */
	ck_assert_int_eq(book(view, made(3, 20, 40, "0-1", 0)), 0);
	again = rspb_ledger_through(ledger, view, plan, NULL, &err);
	valid(again);
	ck_assert_ptr_nonnull(rspb_ledger_find(again, 3));
	ck_assert_str_eq(free_nodes(again, 60, 99, false), "3-5");
	ck_assert_int_eq(happen(again, 3, RSPB_EV_CANCEL, 0), 0);
	ck_assert_str_eq(free_nodes(again, 20, 40, false), "3-5");
	rspb_ledger_destroy(again);
	rspb_ledger_destroy(view);
	rspb_ledger_destroy(plan);
	rspb_ledger_destroy(ledger);
}
END_TEST

START_TEST(what_a_job_uses_beside_ends_with_it)
{
	const int64_t capacity[] = { 4 * RSPB_SHARE_CORE, 4 * RSPB_SHARE_CORE };
	struct rspb_ledger *ledger = rspb_ledger_create(2, capacity, 0), *plan, *view, *again;
	struct rspb_hold use = { .key = RSPB_ROOM_CPUS,
				 .amount = 3 * RSPB_SHARE_CORE,
				 .start = 0,
				 .end = 100,
				 .on = 1,
				 .owner = 7 };
	struct rspb_nodeset *set = nodes_of(2, "0");
	const int64_t ends[] = { 20, INT64_MAX };
	struct rspb_err err;
	int64_t peak;

	plan = rspb_ledger_clone(ledger);
	ck_assert_int_eq(rspb_ledger_block_beside(plan, 0, 100, set, NULL), 0);
	rspb_ledger_block_name(plan, 1, 7);
	ck_assert_int_eq(rspb_ledger_block_beside(plan, 0, 100, set, NULL), 0);
	rspb_ledger_block_name(plan, 1, 8);
	ck_assert_int_eq(rspb_ledger_hold(plan, &use), 0);
	use.amount = RSPB_SHARE_CORE / 2;
	use.owner = 8;
	ck_assert_int_eq(rspb_ledger_hold(plan, &use), 0);
	view = rspb_ledger_through(ledger, plan, plan, ends, &err);
	ck_assert_ptr_nonnull(view);
	ck_assert_int_eq(rspb_shares_peak(rspb_ledger_shares(view), 0, 19, 20, &peak, NULL), 0);
	ck_assert_int_eq(peak, 7 * RSPB_SHARE_CORE / 2);
	ck_assert_int_eq(rspb_shares_peak(rspb_ledger_shares(view), 0, 20, 99, &peak, NULL), 0);
	ck_assert_int_eq(peak, RSPB_SHARE_CORE / 2);
	again = rspb_ledger_through(ledger, view, plan, NULL, &err);
	ck_assert_ptr_nonnull(again);
	ck_assert_int_eq(rspb_shares_peak(rspb_ledger_shares(again), 0, 20, 99, &peak, NULL), 0);
	ck_assert_int_eq(peak, 7 * RSPB_SHARE_CORE / 2);
	rspb_ledger_destroy(again);
	rspb_ledger_destroy(view);
	rspb_ledger_destroy(plan);
	rspb_ledger_destroy(ledger);
	rspb_nodeset_destroy(set);
}
END_TEST

START_TEST(what_is_over_comes_anew)
{
	struct rspb_ledger *ledger = fresh(), *plan, *view;
	struct rspb_err err;

	ck_assert_int_eq(book(ledger, made(1, 50, 60, "0", 0)), 0);
	ck_assert_int_eq(happen(ledger, 1, RSPB_EV_CANCEL, 1), 0);
	plan = rspb_ledger_clone(ledger);
	ck_assert_int_eq(book(plan, made(1, 70, 80, "2", 0)), 0);
	view = rspb_ledger_through(ledger, plan, plan, NULL, &err);
	ck_assert_ptr_nonnull(view);
	ck_assert_int_eq(rspb_ledger_find(view, 1)->start, 70);
	/* It is taken meanwhile. */
	ck_assert_int_eq(book(ledger, made(2, 75, 85, "2", 0)), 0);
	ck_assert_ptr_null(rspb_ledger_through(ledger, plan, plan, NULL, &err));
	rspb_ledger_destroy(view);
	rspb_ledger_destroy(plan);
	rspb_ledger_destroy(ledger);
}
END_TEST

static Suite *suite(void)
{
	const TTest *tests[] = {
		blocks_end_earlier_for_some,
		what_a_job_uses_beside_ends_with_it,
		what_is_over_comes_anew,
	};

	return suite_of("through", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
