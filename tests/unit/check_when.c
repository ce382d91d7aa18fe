/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/when.h"

#include "tests/unit/runner.h"

START_TEST(names_and_aliases)
{
	for (const struct rspb_when *row = rspb_whens; row->name; row++) {
		ck_assert_ptr_eq(rspb_when_find(row->name), row);
		if (row->alias)
			ck_assert_ptr_eq(rspb_when_find(row->alias), row);
		ck_assert_ptr_nonnull(row->help);
		ck_assert_ptr_nonnull(row->source);
	}
	ck_assert_ptr_nonnull(rspb_when_find("pe_w"));
	ck_assert_ptr_nonnull(rspb_when_find("PEDU-WORST"));
	ck_assert_ptr_null(rspb_when_find(""));
	ck_assert_ptr_null(rspb_when_find("pe"));
}
END_TEST

static int compare(const char *policy, struct rspb_rect a, struct rspb_rect b)
{
	static const struct rspb_query query;
	const struct rspb_when *when = rspb_when_find(policy);
	struct rspb_score x = when->score(&a, &query);
	struct rspb_score y = when->score(&b, &query);

	if (x.hi != y.hi)
		return x.hi > y.hi ? 1 : -1;
	return (x.lo > y.lo) - (x.lo < y.lo);
}

START_TEST(scores_order_rectangles)
{
	struct rspb_rect small = { 0, 0, 10, 5 }, wide = { 0, 0, 10, 6 };
	struct rspb_rect slim = { 0, 0, 100, 1 };

	ck_assert_int_eq(compare("pe-worst", wide, small), 1);
	ck_assert_int_eq(compare("pe-best", wide, small), -1);
	ck_assert_int_eq(compare("du-worst", slim, wide), 1);
	ck_assert_int_eq(compare("du-best", slim, wide), -1);
	ck_assert_int_eq(compare("du-best", small, wide), 0);
	ck_assert_int_eq(compare("pedu-worst", slim, wide), 1);
	ck_assert_int_eq(compare("pedu-best", slim, wide), -1);
}
END_TEST

/* Products of 32 and 62 bits, and rectangles that never end. */
START_TEST(scores_at_the_edges)
{
	struct rspb_rect huge = { 0, RSPB_TIME_MIN + 1, RSPB_TIME_MAX - 1,
				  UINT32_MAX };
	struct rspb_rect less = { 0, RSPB_TIME_MIN + 2, RSPB_TIME_MAX - 1,
				  UINT32_MAX };
	struct rspb_rect endless = { 0, 0, RSPB_TIME_MAX, 1 };
	struct rspb_rect later = { 5, 5, RSPB_TIME_MAX, 9 };

	ck_assert_int_eq(compare("pedu-worst", huge, less), 1);
	ck_assert_int_eq(compare("pedu-best", huge, less), -1);
	ck_assert_int_eq(compare("pedu-worst", endless, huge), 1);
	ck_assert_int_eq(compare("pedu-best", endless, huge), -1);
	ck_assert_int_eq(compare("pedu-worst", endless, later), 0);
	ck_assert_int_eq(compare("du-worst", endless, later), 0);
	ck_assert_int_eq(compare("du-best", endless, huge), -1);
}
END_TEST

static Suite *suite(void)
{
	const TTest *tests[] = { names_and_aliases, scores_order_rectangles,
				 scores_at_the_edges };

	return suite_of("when", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
