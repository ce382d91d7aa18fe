/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/policy/policy.h"

#include "tests/unit/runner.h"

enum { WIDTH = 200 };

static uint64_t state;

static uint32_t draw(uint32_t below)
{
	state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
	return (uint32_t) (state >> 33) % below;
}

/* Oracle: node n belongs when fewer than `least` gaps are shorter than its. */
static bool belongs(const struct rspb_nodeset *from, const int64_t *gap_end, uint32_t least,
		    uint32_t node)
{
	uint32_t shorter = 0;

	for (uint32_t n = 0; n < from->width; n++)
		shorter += rspb_nodeset_has(from, n) && gap_end[n] < gap_end[node];
	return rspb_nodeset_has(from, node) && shorter < least;
}

START_TEST(tightest_is_what_counting_says)
{
	struct rspb_nodeset *from = rspb_nodeset_create(WIDTH);
	struct rspb_nodeset *out = rspb_nodeset_create(WIDTH);
	int64_t gap_end[WIDTH];

	for (state = 0; state < 500; state++) {
		uint64_t seed = state;
		uint32_t kinds = 1 + draw(WIDTH), least = draw(WIDTH + 20);

		rspb_nodeset_clear(from);
		for (uint32_t n = 0; n < WIDTH; n++) {
			gap_end[n] = (int64_t) draw(kinds) - 5;
			if (draw(4))
				rspb_nodeset_add(from, n);
		}
		ck_assert_int_eq(rspb_pick(from, NULL, gap_end, least, true, out, NULL), 0);
		for (uint32_t n = 0; n < WIDTH; n++)
			ck_assert_msg(rspb_nodeset_has(out, n) == belongs(from, gap_end, least, n),
				      "seed %lu node %u", seed, n);
		ck_assert_int_eq(rspb_pick(from, NULL, gap_end, least, true, from, NULL), 0);
		ck_assert(rspb_nodeset_equal(from, out));
		state = seed;
	}
	rspb_nodeset_destroy(from);
	rspb_nodeset_destroy(out);
}
END_TEST

/* By weight first: as if each weight were a stretch of time of its own. */
START_TEST(weights_come_first)
{
	struct rspb_nodeset *from = rspb_nodeset_create(WIDTH);
	struct rspb_nodeset *out = rspb_nodeset_create(WIDTH);
	int64_t gap_end[WIDTH], both[WIDTH];
	uint32_t weights[WIDTH];

	for (state = 0; state < 500; state++) {
		uint64_t seed = state;
		uint32_t least = 1 + draw(WIDTH + 20);

		rspb_nodeset_clear(from);
		for (uint32_t n = 0; n < WIDTH; n++) {
			gap_end[n] = (int64_t) draw(9);
			weights[n] = 1 + draw(4);
			both[n] = 1000 * (int64_t) weights[n] + gap_end[n];
			if (draw(4))
				rspb_nodeset_add(from, n);
		}
		ck_assert_int_eq(rspb_pick(from, weights, gap_end, least, true, out, NULL), 0);
		for (uint32_t n = 0; n < WIDTH; n++)
			ck_assert_msg(rspb_nodeset_has(out, n) == belongs(from, both, least, n),
				      "seed %lu node %u", seed, n);
		state = seed;
	}
	rspb_nodeset_destroy(from);
	rspb_nodeset_destroy(out);
}
END_TEST

START_TEST(all_when_nothing_is_booked)
{
	struct rspb_nodeset *from = rspb_nodeset_create(WIDTH);
	struct rspb_nodeset *out = rspb_nodeset_create(WIDTH);
	int64_t gap_end[WIDTH];

	for (uint32_t n = 0; n < WIDTH; n++)
		gap_end[n] = INT64_MAX;
	rspb_nodeset_fill(from);
	ck_assert_int_eq(rspb_pick(from, NULL, gap_end, 1, true, out, NULL), 0);
	ck_assert(rspb_nodeset_equal(from, out));
	rspb_nodeset_destroy(from);
	rspb_nodeset_destroy(out);
}
END_TEST

static Suite *make_suite(void)
{
	const TTest *const tests[] = { tightest_is_what_counting_says, weights_come_first,
				       all_when_nothing_is_booked };

	return suite_of("pick", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(make_suite)
