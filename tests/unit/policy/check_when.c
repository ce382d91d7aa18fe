/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/when.h"

#include "tests/naive/rng.h"
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

/* A length that can also be none, among others near it and far away. */
static struct rspb_rect draw(uint64_t *rng)
{
	struct rspb_rect rect = {
		.left = (int64_t) rng_below(rng, 1000) - 500,
		.free = (uint32_t) rng_below(rng, rng_below(rng, 2)
							  ? 20
							  : UINT32_MAX),
	};
	uint64_t most = rng_below(rng, 2) ? 50 : UINT64_C(1) << 61;

	rect.right = rect.left + 1 + (int64_t) rng_below(rng, most);
	if (rect.right > RSPB_TIME_MAX || !rng_below(rng, 10))
		rect.right = RSPB_TIME_MAX;
	return rect;
}

static int64_t length_of(const struct rspb_rect *rect)
{
	return rect->right == RSPB_TIME_MAX ? INT64_MAX
					    : rect->right - rect->left;
}

/* RET whether b, of which there is as much or more, is liked as it should. */
static bool follows(enum rspb_trend trend, int liked)
{
	return trend == RSPB_TREND_MORE	  ? liked >= 0
	       : trend == RSPB_TREND_LESS ? liked <= 0
					  : true;
}

/* What a row says of its score, which searches rely on. */
START_TEST(scores_follow_their_trends)
{
	uint64_t rng = 1;

	for (const struct rspb_when *row = rspb_whens; row->name; row++) {
		ck_assert(row->score || (!row->nodes && !row->length));
		ck_assert(!row->nodes || row->reads & RSPB_READS_FREE);
		ck_assert(!row->length || row->reads & RSPB_READS_EDGES);
		for (int i = 0; i < 20000 && row->score; i++) {
			struct rspb_rect a = draw(&rng), b = draw(&rng);
			struct rspb_rect moved = b, more = a;

			more.free = b.free;
			if (row->nodes && more.free >= a.free)
				ck_assert_msg(follows(row->nodes,
						      compare(row->name, more,
							      a)),
					      "%s", row->name);
			moved.free = a.free;
			if (row->length && length_of(&b) >= length_of(&a))
				ck_assert_msg(follows(row->length,
						      compare(row->name, moved,
							      a)),
					      "%s", row->name);
		}
	}
}
END_TEST

static Suite *suite(void)
{
	const TTest *tests[] = { names_and_aliases, scores_order_rectangles,
				 scores_at_the_edges,
				 scores_follow_their_trends };

	return suite_of("when", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
