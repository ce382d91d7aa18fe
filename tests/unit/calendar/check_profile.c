/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/calendar/profile.h"

#include <stdio.h>
#include <string.h>

#include "common/policy/policy.h"
#include "tests/unit/runner.h"
#include "tests/validate/validate.h"

static struct rspb_nodeset *set_of(uint32_t width, const char *text)
{
	struct rspb_nodeset *set = rspb_nodeset_create(width);

	ck_assert_int_eq(rspb_nodeset_parse(set, text, NULL), 0);
	return set;
}

typedef int (*change_fn)(struct rspb_profile *profile, int64_t start, int64_t end,
			 const struct rspb_nodeset *nodes, struct rspb_err *err);

/* Change nodes named by text; RET what the call returns. */
static int change(change_fn fn, struct rspb_profile *profile, int64_t start, int64_t end,
		  const char *text)
{
	struct rspb_nodeset *set = set_of(validate_stats(profile).nodes, text);
	struct rspb_err err = { "" };
	int rc = fn(profile, start, end, set, &err);
	ck_assert_int_eq(rc != 0, err.text[0] != '\0');
	ck_assert_msg(!validate_profile(profile, &err), "%s", err.text);
	rspb_nodeset_destroy(set);
	return rc;
}

static void book(struct rspb_profile *profile, int64_t start, int64_t end, const char *text)
{
	ck_assert_int_eq(change(rspb_profile_add, profile, start, end, text), 0);
}

static int append_record(int64_t time, const struct rspb_nodeset *booked, void *arg)
{
	char *text = arg;
	char nodes[100];

	rspb_nodeset_print(booked, nodes, sizeof(nodes));
	sprintf(text + strlen(text), "%s%lld:%s", *text ? " " : "", (long long) time, nodes);
	return 0;
}

static void expect_records(const struct rspb_profile *profile, const char *records)
{
	char text[1000] = "";

	rspb_profile_records(profile, append_record, text);
	ck_assert_str_eq(text, records);
}

/* Li et al., figure 1, with ten time points and five nodes. */
static struct rspb_profile *figure_1(void)
{
	struct rspb_profile *profile = rspb_profile_create(5, 0);

	book(profile, 0, 10, "1-2");
	book(profile, 0, 30, "0");
	book(profile, 80, 100, "1-3");
	return profile;
}

static const struct rspb_query figure_1_query = {
	.ready = 20, .deadline = 90, .duration = 20, .nodes = 2
};

static int64_t start_by(const char *policy, enum rspb_open_end open_end)
{
	struct rspb_profile *profile = figure_1();
	struct rspb_nodeset *set = rspb_nodeset_create(5);
	struct rspb_query query = figure_1_query;
	struct rspb_rect rect;

	query.open_end = open_end;
	ck_assert_int_eq(rspb_profile_search(profile, &query, &rspb_when_find(policy)->prefers,
					     &rect, set, NULL),
			 1);
	ck_assert_uint_eq(rspb_nodeset_count(set), rect.free);
	rspb_nodeset_destroy(set);
	rspb_profile_destroy(profile);
	return rect.start;
}

START_TEST(figure_1_starts)
{
	ck_assert_int_eq(start_by("FF", RSPB_OPEN_DEADLINE), 20);
	ck_assert_int_eq(start_by("PE_B", RSPB_OPEN_DEADLINE), 70);
	ck_assert_int_eq(start_by("PE_W", RSPB_OPEN_DEADLINE), 30);
	ck_assert_int_eq(start_by("Du_B", RSPB_OPEN_DEADLINE), 30);
	ck_assert_int_eq(start_by("Du_W", RSPB_OPEN_DEADLINE), 20);
	ck_assert_int_eq(start_by("PEDu_B", RSPB_OPEN_DEADLINE), 70);
	ck_assert_int_eq(start_by("PEDu_W", RSPB_OPEN_DEADLINE), 20);
	ck_assert_int_eq(start_by("fixed", RSPB_OPEN_DEADLINE), 20);
	ck_assert_int_eq(start_by("Du_W", RSPB_OPEN_INFINITE), 70);
	ck_assert_int_eq(start_by("PEDu_B", RSPB_OPEN_INFINITE), 30);
	ck_assert_int_eq(start_by("PEDu_W", RSPB_OPEN_INFINITE), 70);
}
END_TEST

START_TEST(figure_1_rectangles)
{
	static const struct rspb_rect wanted[] = {
		{ 20, 10, 80, 4 },
		{ 30, 30, 80, 5 },
		{ 60, 30, 80, 5 },
		{ 70, 30, 100, 2 },
	};
	struct rspb_profile *profile = figure_1();
	struct rspb_rect *rects;

	ck_assert_int_eq(rspb_profile_candidates(profile, &figure_1_query, &rects, NULL), 4);
	for (int i = 0; i < 4; i++) {
		ck_assert_int_eq(rects[i].start, wanted[i].start);
		ck_assert_int_eq(rects[i].left, wanted[i].left);
		ck_assert_int_eq(rects[i].right, wanted[i].right);
		ck_assert_uint_eq(rects[i].free, wanted[i].free);
	}
	free(rects);
	rspb_profile_destroy(profile);
}
END_TEST

START_TEST(figure_1_actions)
{
	struct rspb_profile *profile = figure_1();

	book(profile, 30, 50, "0-1");
	expect_records(profile, "0:0-2 10:0 30:0-1 50: 80:1-3 100:");
	ck_assert_int_eq(change(rspb_profile_remove, profile, 30, 50, "0-1"), 0);
	expect_records(profile, "0:0-2 10:0 30: 80:1-3 100:");
	ck_assert_int_eq(rspb_profile_advance(profile, 10, NULL), 0);
	expect_records(profile, "10:0 30: 80:1-3 100:");
	ck_assert_int_eq(rspb_profile_advance(profile, 15, NULL), 0);
	expect_records(profile, "15:0 30: 80:1-3 100:");
	rspb_profile_destroy(profile);
}
END_TEST

START_TEST(open_ends)
{
	static const int64_t wanted[] = { 100, RSPB_TIME_MAX, 100, 95 };
	struct rspb_profile *profile = figure_1();
	struct rspb_query query = figure_1_query;
	struct rspb_rect *rects;

	query.deadline = 95;
	for (int i = 0; i < 4; i++) {
		query.open_end = (enum rspb_open_end) i;
		ck_assert_int_eq(rspb_profile_candidates(profile, &query, &rects, NULL), 4);
		ck_assert_int_eq(rects[3].start, 75);
		ck_assert_int_eq(rects[3].right, wanted[i]);
		free(rects);
	}
	rspb_profile_destroy(profile);
}
END_TEST

/* Where nothing is booked all starts are alike, whatever an open end is. */
START_TEST(eligible_nodes_only)
{
	struct rspb_profile *profile = figure_1();
	struct rspb_nodeset *eligible = set_of(5, "1-3");
	struct rspb_nodeset *set = rspb_nodeset_create(5);
	struct rspb_query query = figure_1_query;
	struct rspb_rect rect;
	char text[20];

	query.eligible = eligible;
	query.nodes = 3;
	ck_assert_int_eq(rspb_profile_search(profile, &query, &rspb_when_find("pe-worst")->prefers,
					     &rect, set, NULL),
			 1);
	ck_assert_int_eq(rect.start, 20);
	ck_assert_int_eq(rect.left, 10);
	ck_assert_int_eq(rect.right, 80);
	rspb_nodeset_print(set, text, sizeof(text));
	ck_assert_str_eq(text, "1-3");
	query.nodes = 4;
	ck_assert_int_eq(rspb_profile_search(profile, &query, &rspb_when_find("ff")->prefers, &rect,
					     set, NULL),
			 0);
	rspb_nodeset_destroy(eligible);
	rspb_nodeset_destroy(set);
	rspb_profile_destroy(profile);
}
END_TEST

START_TEST(abutting_bookings_leave_no_record)
{
	struct rspb_profile *profile = rspb_profile_create(4, 0);

	book(profile, 10, 20, "0-1");
	book(profile, 20, 30, "0-1");
	expect_records(profile, "10:0-1 30:");
	ck_assert_int_eq(change(rspb_profile_remove, profile, 15, 25, "1"), 0);
	expect_records(profile, "10:0-1 15:0 25:0-1 30:");
	rspb_profile_destroy(profile);
}
END_TEST

START_TEST(cover_takes_what_is_left)
{
	struct rspb_profile *profile = rspb_profile_create(4, 0);

	book(profile, 10, 20, "0-1");
	ck_assert_int_eq(change(rspb_profile_cover, profile, 0, 30, "1-2"), 0);
	expect_records(profile, "0:1-2 10:0-2 20:1-2 30:");
	ck_assert_int_eq(change(rspb_profile_cover, profile, 0, 30, "0-3"), 0);
	expect_records(profile, "0:0-3 30:");
	ck_assert_int_eq(change(rspb_profile_cover, profile, 0, 30, ""), 0);
	rspb_profile_destroy(profile);
}
END_TEST

START_TEST(bad_changes_change_nothing)
{
	static const char records[] = "10:0-1 20:";
	struct rspb_profile *profile = rspb_profile_create(4, 5);
	struct rspb_nodeset *wide = rspb_nodeset_create(5);
	struct rspb_err err;

	book(profile, 10, 20, "0-1");
	ck_assert(change(rspb_profile_add, profile, 19, 21, "1-2"));
	ck_assert(change(rspb_profile_add, profile, 30, 30, "3"));
	ck_assert(change(rspb_profile_add, profile, 30, 29, "3"));
	ck_assert(change(rspb_profile_add, profile, 30, 40, ""));
	ck_assert(change(rspb_profile_add, profile, INT64_MIN, 40, "3"));
	ck_assert(change(rspb_profile_add, profile, 0, INT64_MAX, "3"));
	ck_assert(change(rspb_profile_cover, profile, 0, RSPB_TIME_MAX, "3"));
	ck_assert(change(rspb_profile_remove, profile, 10, 21, "1"));
	ck_assert(change(rspb_profile_remove, profile, 9, 20, "1"));
	ck_assert(change(rspb_profile_remove, profile, 10, 20, "1-2"));
	ck_assert(rspb_profile_add(profile, 30, 40, wide, &err));
	ck_assert(rspb_profile_advance(profile, 4, &err));
	ck_assert(rspb_profile_advance(profile, INT64_MAX, &err));
	expect_records(profile, records);
	ck_assert_int_eq(rspb_profile_now(profile), 5);
	rspb_nodeset_destroy(wide);
	rspb_profile_destroy(profile);
}
END_TEST

START_TEST(bad_queries)
{
	static const struct rspb_query bad[] = {
		{ .ready = 0, .deadline = 9, .duration = 0, .nodes = 1 },
		{ .ready = 0, .deadline = 9, .duration = -1, .nodes = 1 },
		{ .ready = 0, .deadline = 9, .duration = INT64_MAX, .nodes = 1 },
		{ .ready = 0, .deadline = 9, .duration = 1, .nodes = 0 },
		{ .ready = INT64_MIN, .deadline = 9, .duration = 1, .nodes = 1 },
		{ .ready = 0, .deadline = INT64_MAX, .duration = 1, .nodes = 1 },
	};
	struct rspb_profile *profile = figure_1();
	struct rspb_nodeset *set = rspb_nodeset_create(5);
	struct rspb_rect rect, *rects;
	struct rspb_err err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ck_assert_int_eq(rspb_profile_search(profile, &bad[i], &rspb_whens[0].prefers,
						     &rect, set, &err),
				 -1);
		ck_assert_int_eq(rspb_profile_candidates(profile, &bad[i], &rects, &err), -1);
		ck_assert_ptr_null(rects);
	}
	rspb_nodeset_destroy(set);
	rspb_profile_destroy(profile);
}
END_TEST

START_TEST(what_has_passed_is_forgotten)
{
	struct rspb_profile *profile = rspb_profile_create(4, 0);

	book(profile, 10, 20, "0-1");
	book(profile, 15, 30, "2");
	ck_assert_int_eq(rspb_profile_advance(profile, 18, NULL), 0);
	book(profile, 0, 15, "0-3");
	book(profile, 12, 19, "3");
	expect_records(profile, "18:0-3 19:0-2 20:2 30:");
	ck_assert_int_eq(change(rspb_profile_remove, profile, 10, 20, "0-1"), 0);
	ck_assert_int_eq(rspb_profile_advance(profile, 50, NULL), 0);
	expect_records(profile, "");
	rspb_profile_destroy(profile);
}
END_TEST

static int64_t sum(int64_t before, int64_t after)
{
	return before + after;
}

START_TEST(figures_over_a_window)
{
	struct rspb_profile *profile = figure_1();
	struct rspb_nodeset *set = rspb_nodeset_create(5);
	int64_t load[5];
	uint32_t most, fewest;
	char text[20];

	ck_assert_int_eq(rspb_profile_peak(profile, 5, 15, &most, &fewest, NULL), 0);
	ck_assert_uint_eq(most, 3);
	ck_assert_uint_eq(fewest, 1);
	ck_assert_int_eq(rspb_profile_peak(profile, 30, 200, &most, &fewest, NULL), 0);
	ck_assert_uint_eq(most, 3);
	ck_assert_uint_eq(fewest, 0);
	ck_assert_int_eq(rspb_profile_load(profile, 5, 90, load, NULL), 0);
	ck_assert_int_eq(load[0], 25);
	ck_assert_int_eq(load[1], 15);
	ck_assert_int_eq(load[3], 10);
	ck_assert_int_eq(load[4], 0);
	ck_assert_int_eq(rspb_profile_free_over(profile, 5, 12, set, NULL), 0);
	rspb_nodeset_print(set, text, sizeof(text));
	ck_assert_str_eq(text, "3-4");
	ck_assert_int_eq(rspb_profile_free_over(profile, 30, 80, set, NULL), 0);
	/* 4 is free always, 0 from 30 on. */
	ck_assert_int_eq(rspb_profile_keep(profile, 40, 50, sum, 4, set, NULL), 0);
	rspb_nodeset_print(set, text, sizeof(text));
	ck_assert_str_eq(text, "0-3");
	ck_assert_int_eq(rspb_profile_keep(profile, 40, 81, sum, 1, set, NULL), -1);
	rspb_nodeset_destroy(set);
	rspb_profile_destroy(profile);
}
END_TEST

START_TEST(clones_are_independent)
{
	struct rspb_profile *profile = figure_1();
	struct rspb_profile *clone = rspb_profile_clone(profile);

	book(clone, 200, 210, "0-4");
	expect_records(profile, "0:0-2 10:0 30: 80:1-3 100:");
	rspb_profile_destroy(profile);
	expect_records(clone, "0:0-2 10:0 30: 80:1-3 100: 200:0-4 210:");
	rspb_profile_destroy(clone);
}
END_TEST

static Suite *suite(void)
{
	const TTest *tests[] = {
		figure_1_starts,
		figure_1_rectangles,
		figure_1_actions,
		open_ends,
		eligible_nodes_only,
		abutting_bookings_leave_no_record,
		cover_takes_what_is_left,
		bad_changes_change_nothing,
		bad_queries,
		what_has_passed_is_forgotten,
		figures_over_a_window,
		clones_are_independent,
	};

	return suite_of("profile", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
