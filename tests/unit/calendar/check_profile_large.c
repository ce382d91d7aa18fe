/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calendars of thousands of nodes and bookings. */
#include "common/calendar/profile.h"
#include "common/policy/policy.h"
#include "tests/unit/runner.h"
#include "tests/validate/validate.h"

/* Bookings of contiguous nodes keep to a kilobyte each, all told. */
START_TEST(memory_for_a_booking)
{
	struct rspb_profile *profile = rspb_profile_create(10240, 0);
	struct rspb_nodeset *set = rspb_nodeset_create(10240);
	struct profile_stats stats;

	for (int64_t i = 0; i < 10000; i++) {
		uint32_t from = (uint32_t) (i * 7919 % 10000);
		int64_t start = 1000 + i / 40 * 5000 + i * 37 % 900;

		rspb_nodeset_clear(set);
		for (uint32_t n = from; n < from + 1 + i % 200; n++)
			rspb_nodeset_add(set, n);
		ck_assert_int_eq(rspb_profile_cover(profile, start, start + 3000, set, NULL), 0);
	}
	stats = validate_stats(profile);
	ck_assert_uint_lt(stats.bytes, 10000 * 1024);
	ck_assert_uint_gt(stats.points, 1000);
	rspb_nodeset_destroy(set);
	rspb_profile_destroy(profile);
}
END_TEST

/* A set of one node. */
static struct rspb_nodeset *only(struct rspb_nodeset *set, uint32_t n)
{
	rspb_nodeset_clear(set);
	rspb_nodeset_add(set, n);
	return set;
}

enum { DEEP = 6000, MID = 100000 };

/* What each start offers follows from the shortest gap that holds it. */
static void expect_deep(const struct rspb_rect *rect, int64_t duration)
{
	int64_t before = MID - rect->start, behind = rect->start + duration;
	int64_t half = before > behind - MID ? before : behind - MID;

	half = half < 10 ? 10 : (half + 9) / 10 * 10;
	ck_assert_int_eq(rect->left, MID - half);
	ck_assert_int_eq(rect->right, MID + half);
	ck_assert_uint_eq(rect->free, DEEP - half / 10 + 1);
}

/* RET the one that is liked best, the earliest among equals. */
static const struct rspb_rect *best_of(const struct rspb_rect *rects, int64_t n,
				       const struct rspb_when *when, const struct rspb_query *query)
{
	const struct rspb_rect *best = rects;

	for (int64_t i = 1; i < n && when->prefers.score; i++) {
		struct rspb_score x = rspb_preference_score(&when->prefers, best, query);
		struct rspb_score y = rspb_preference_score(&when->prefers, &rects[i], query);

		if (y.hi > x.hi || (y.hi == x.hi && y.lo > x.lo))
			best = &rects[i];
	}
	return best;
}

/*
 * Gaps within gaps: the nearest that can be used lies thousands away in either
 * order. Each policy finds what it finds when all candidates are looked at.
 */
START_TEST(gaps_within_gaps)
{
	struct rspb_profile *profile = rspb_profile_create(DEEP, 0);
	struct rspb_nodeset *set = rspb_nodeset_create(DEEP);
	struct rspb_query query = {
		.ready = MID - 10 * DEEP, .deadline = MID + 10 * DEEP, .duration = 7, .nodes = 1
	};
	struct rspb_rect *rects, found;
	int64_t n;

	for (uint32_t i = 0; i < DEEP; i++) {
		int64_t half = 10 * ((int64_t) i + 1);

		ck_assert(!rspb_profile_add(profile, 1, MID - half, only(set, i), NULL));
		ck_assert(!rspb_profile_add(profile, MID + half, 2 * MID, only(set, i), NULL));
	}
	n = rspb_profile_candidates(profile, &query, &rects, NULL);
	ck_assert_int_gt(n, 4 * DEEP - 100);
	for (int64_t i = 0; i < n; i++)
		expect_deep(&rects[i], query.duration);
	for (const struct rspb_when *row = rspb_whens; row->name; row++) {
		const struct rspb_rect *best = best_of(rects, n, row, &query);

		ck_assert_int_eq(rspb_profile_search(profile, &query, &row->prefers, &found, set,
						     NULL),
				 1);
		ck_assert_int_eq(found.start, best->start);
		expect_deep(&found, query.duration);
		ck_assert_uint_eq(rspb_nodeset_count(set), found.free);
	}
	free(rects);
	rspb_nodeset_destroy(set);
	rspb_profile_destroy(profile);
}
END_TEST

START_TEST(open_ends_of_an_empty_profile)
{
	static const char *const policies[] = { "Du_W", "PEDu_W", "Du_B" };
	struct rspb_profile *profile = rspb_profile_create(5, 15);
	struct rspb_nodeset *set = rspb_nodeset_create(5);
	struct rspb_query query = { .ready = 20, .deadline = 90, .duration = 20, .nodes = 2 };
	struct rspb_rect rect;

	query.open_end = RSPB_OPEN_LAST;
	for (int i = 0; i < 3; i++) {
		ck_assert_int_eq(rspb_profile_search(profile, &query,
						     &rspb_when_find(policies[i])->prefers, &rect,
						     set, NULL),
				 1);
		ck_assert_int_eq(rect.start, query.ready);
	}
	rspb_nodeset_destroy(set);
	rspb_profile_destroy(profile);
}
END_TEST

/* Scattered sets reach to the last node of the largest machine, and no machine is larger. */
START_TEST(the_largest_machine)
{
	struct rspb_profile *profile = rspb_profile_create(RSPB_PROFILE_NODES, 0);
	struct rspb_nodeset *set = rspb_nodeset_create(RSPB_PROFILE_NODES);
	struct rspb_nodeset *free_nodes = rspb_nodeset_create(RSPB_PROFILE_NODES);

	for (uint32_t n = 1; n < RSPB_PROFILE_NODES; n += 2)
		rspb_nodeset_add(set, n);
	ck_assert_int_eq(rspb_profile_add(profile, 10, 20, set, NULL), 0);
	only(free_nodes, RSPB_PROFILE_NODES - 2);
	ck_assert_int_eq(rspb_profile_add(profile, 15, 30, free_nodes, NULL), 0);
	ck_assert_int_eq(validate_profile(profile, NULL), 0);
	ck_assert_int_eq(rspb_profile_free_over(profile, 12, 18, free_nodes, NULL), 0);
	ck_assert_uint_eq(rspb_nodeset_count(free_nodes), RSPB_PROFILE_NODES / 2 - 1);
	ck_assert(!rspb_nodeset_has(free_nodes, RSPB_PROFILE_NODES - 1));
	ck_assert_int_eq(rspb_profile_remove(profile, 10, 20, set, NULL), 0);
	ck_assert_int_eq(rspb_profile_free_over(profile, 12, 18, free_nodes, NULL), 0);
	ck_assert_uint_eq(rspb_nodeset_count(free_nodes), RSPB_PROFILE_NODES - 1);
	ck_assert_int_eq(validate_profile(profile, NULL), 0);
	rspb_nodeset_destroy(set);
	rspb_nodeset_destroy(free_nodes);
	rspb_profile_destroy(profile);
	ck_assert_ptr_null(rspb_profile_create(RSPB_PROFILE_NODES + 1, 0));
}
END_TEST

static Suite *suite(void)
{
	const TTest *tests[] = { memory_for_a_booking, gaps_within_gaps,
				 open_ends_of_an_empty_profile, the_largest_machine };

	return suite_of("profile_large", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
