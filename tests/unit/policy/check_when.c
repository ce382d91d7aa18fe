/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/policy.h"

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

static int compare(const struct rspb_when *when, uint32_t nodes_a, uint64_t length_a,
		   uint32_t nodes_b, uint64_t length_b)
{
	static const struct rspb_query query = { .machine = 1000 };
	struct rspb_score x = when->prefers.score(nodes_a, length_a, &query);
	struct rspb_score y = when->prefers.score(nodes_b, length_b, &query);

	if (x.hi != y.hi)
		return x.hi > y.hi ? 1 : -1;
	return (x.lo > y.lo) - (x.lo < y.lo);
}

/* Of 5 nodes for 10 s, 6 for 10 s, 1 for 100 s; huge and endless ones. */
START_TEST(scores_order_rectangles)
{
	static const struct {
		const char *policy;
		uint32_t nodes_a;
		uint64_t length_a;
		uint32_t nodes_b;
		uint64_t length_b;
		int wanted;
	} cases[] = {
		{ "pe-worst", 6, 10, 5, 10, 1 },
		{ "pe-best", 6, 10, 5, 10, -1 },
		{ "du-worst", 1, 100, 6, 10, 1 },
		{ "du-best", 1, 100, 6, 10, -1 },
		{ "du-best", 5, 10, 6, 10, 0 },
		{ "pedu-worst", 1, 100, 6, 10, 1 },
		{ "pedu-best", 1, 100, 6, 10, -1 },
		{ "pedu-worst", UINT32_MAX, (UINT64_C(1) << 62) - 2, UINT32_MAX,
		  (UINT64_C(1) << 62) - 3, 1 },
		{ "pedu-best", UINT32_MAX, (UINT64_C(1) << 62) - 2, UINT32_MAX,
		  (UINT64_C(1) << 62) - 3, -1 },
		{ "pedu-worst", 1, UINT64_MAX, UINT32_MAX, INT64_MAX / 2, 1 },
		{ "pedu-best", 1, UINT64_MAX, UINT32_MAX, INT64_MAX / 2, -1 },
		{ "pedu-worst", 1, UINT64_MAX, 9, UINT64_MAX, 0 },
		{ "du-worst", 1, UINT64_MAX, 9, UINT64_MAX, 0 },
		{ "du-best", 1, UINT64_MAX, 9, INT64_MAX / 2, -1 },
		{ "pe-steps", 249, 1, 130, 1, 0 },
		{ "pe-steps", 250, 1, 249, 1, 1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		ck_assert_int_eq(compare(rspb_when_find(cases[i].policy), cases[i].nodes_a,
					 cases[i].length_a, cases[i].nodes_b, cases[i].length_b),
				 cases[i].wanted);
}
END_TEST

/* A number from low to high, often one of both, or near, or far away. */
static uint64_t draw(uint64_t *rng, uint64_t low, uint64_t high)
{
	uint64_t room = high - low;

	switch (rng_below(rng, 4)) {
	case 0:
		return rng_below(rng, 2) ? low : high;
	case 1:
		return low + rng_below(rng, room < 50 ? room + 1 : 50);
	default:
		return low + rng_below(rng, room);
	}
}

/* RET whether a step from a smaller figure to a larger one is liked as the
 * step from the smallest to the largest is. */
static bool follows(int trend, int step)
{
	return step == 0 || step == trend;
}

/* What searches rely on (rspb_score_fn): what is seen between the corners goes
 * for all that lies between them. */
START_TEST(scores_follow_their_trends)
{
	uint64_t rng = 1;

	for (const struct rspb_when *row = rspb_whens; row->name; row++) {
		for (int i = 0; i < 20000 && row->prefers.score; i++) {
			uint64_t few = draw(&rng, 1, 2000);
			uint64_t most = draw(&rng, few, UINT32_MAX);
			uint64_t brief = draw(&rng, 1, UINT64_C(1) << 62);
			uint32_t a = (uint32_t) draw(&rng, few, most);
			uint32_t b = (uint32_t) draw(&rng, a, most);
			uint64_t x = draw(&rng, brief, UINT64_MAX);
			uint64_t y = draw(&rng, x, UINT64_MAX);

			ck_assert_msg(follows(compare(row, (uint32_t) most, brief, (uint32_t) few,
						      brief),
					      compare(row, b, x, a, x)),
				      "%s over nodes", row->name);
			ck_assert_msg(follows(compare(row, (uint32_t) few, UINT64_MAX,
						      (uint32_t) few, brief),
					      compare(row, a, y, a, x)),
				      "%s over length", row->name);
		}
	}
}
END_TEST

static Suite *suite(void)
{
	const TTest *tests[] = { names_and_aliases, scores_order_rectangles,
				 scores_follow_their_trends };

	return suite_of("when", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
