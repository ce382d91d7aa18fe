/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/request/benefit.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/runner.h"

static struct rspb_benefit parsed(const char *text)
{
	struct rspb_benefit b;
	struct rspb_err err = { "" };

	ck_assert_msg(!rspb_benefit_parse(text, &b, &err), "%s: %s", text, err.text);
	ck_assert_int_eq(rspb_benefit_validate(&b, &err), 0);
	return b;
}

static void check_value(const char *text, int64_t granted, int64_t asked, int64_t num, int64_t den)
{
	struct rspb_benefit b = parsed(text);
	struct rspb_ratio v = rspb_benefit_value(&b, granted, asked);

	ck_assert_msg(v.num == num && v.den == den, "%s: %ld of %ld is %ld/%ld", text,
		      (long) granted, (long) asked, (long) v.num, (long) v.den);
}

/* What the worked examples say: benefit, least, full and trimmed units. */
START_TEST(worked_examples)
{
	static const struct {
		const char *shape;
		int64_t cpu, asked, num, den, least, full, trim;
	} rows[] = {
		{ "linear", 2499, 10000, 0, 1, 2500, 10000, 2499 },
		{ "linear", 2500, 10000, 1, 4, 2500, 10000, 2500 },
		{ "stair", 7499, 10000, 1, 2, 2500, 10000, 5000 },
		{ "concave", 3750, 10000, 13, 20, 2500, 10000, 3750 },
		{ "convex", 7500, 10000, 13, 20, 2500, 10000, 7500 },
		{ "hard", 9999, 10000, 0, 1, 10000, 10000, 9999 },
		{ "linear", 2, 7, 2, 7, 2, 7, 2 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rspb_benefit b = parsed(rows[i].shape);

		check_value(rows[i].shape, rows[i].cpu, rows[i].asked, rows[i].num, rows[i].den);
		ck_assert_int_eq(rspb_benefit_min_units(&b, rows[i].asked), rows[i].least);
		ck_assert_int_eq(rspb_benefit_max_units(&b, rows[i].asked), rows[i].full);
		ck_assert_int_eq(rspb_benefit_trim(&b, rows[i].cpu, rows[i].asked), rows[i].trim);
	}
}
END_TEST

START_TEST(squeezed_to_another_minimum)
{
	check_value("linear:50%", 5, 10, 1, 2);
	check_value("linear:50%", 4, 10, 0, 1);
	check_value("linear:10%", 1, 10, 1, 10);
	check_value("stairs:40%", 40, 100, 2, 5);
	check_value("stairs:40%", 79, 100, 3, 5);
	check_value("concave:50%", 50, 100, 2, 3);
	check_value("convex:50%", 50, 100, 2, 5);
	/* 1 - .9 * 1.2 would be below 0: in proportion instead. */
	check_value("convex:10%", 10, 100, 1, 25);
	check_value("linear:100%", 99, 100, 0, 1);
	check_value("linear:100%", 100, 100, 1, 1);
}
END_TEST

START_TEST(points)
{
	check_value("25%@0.4,60%@0.8,100%@1", 25, 100, 2, 5);
	check_value("25%@0.4,60%@0.8,100%@1", 80, 100, 9, 10);
	check_value("steps:25%@0.4,60%@0.8,100%@1", 59, 100, 2, 5);
	check_value("1/3@50%,1@1", 1, 3, 1, 2);
	check_value("50%@1", 50, 100, 1, 1);
	check_value("50%@1", 100, 100, 1, 1);
}
END_TEST

START_TEST(plateaus_are_trimmed)
{
	struct rspb_benefit b = parsed("20%@0.5,60%@0.5,80%@1,100%@1");

	ck_assert_int_eq(rspb_benefit_trim(&b, 60, 100), 20);
	ck_assert_int_eq(rspb_benefit_trim(&b, 59, 100), 20);
	ck_assert_int_eq(rspb_benefit_trim(&b, 70, 100), 70);
	ck_assert_int_eq(rspb_benefit_trim(&b, 100, 100), 80);
	ck_assert_int_eq(rspb_benefit_max_units(&b, 100), 80);
}
END_TEST

START_TEST(printed_text_is_canonical)
{
	static const char *const same[][2] = {
		{ "hard", "hard" },
		{ "linear", "linear:25%" },
		{ "stair:33.3", "stairs:33.3%" },
		{ "LINEAR:07.50%", "linear:7.5%" },
		{ "linear:100%", "hard" },
		{ "100%@1", "hard" },
		{ "0.25@0.25,1@1", "linear:25%" },
		{ "25%@0.4,100%@1", "0.25@0.4,1@1" },
		{ "steps:1/3@1/7,100%@1", "steps:1/3@1/7,1@1" },
		{ "steps:50%@0.5", "0.5@0.5" },
	};

	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		struct rspb_benefit b = parsed(same[i][0]), again;
		char text[RSPB_BENEFIT_TEXT], little[4];

		ck_assert_uint_eq(rspb_benefit_print(&b, text, sizeof(text)), strlen(same[i][1]));
		ck_assert_str_eq(text, same[i][1]);
		again = parsed(text);
		ck_assert(rspb_benefit_equal(&b, &again));
		ck_assert_uint_eq(rspb_benefit_print(&b, little, sizeof(little)), strlen(text));
		ck_assert_int_eq(memcmp(little, text, 3), 0);
	}
}
END_TEST

START_TEST(bad_text_is_refused)
{
	static const char *const bad[][2] = {
		{ "", "shape" },
		{ "quadratic", "linear[:MIN%]" },
		{ "hard:50%", "takes no minimum" },
		{ "linear:", "minimum" },
		{ "linear:0%", "out of range" },
		{ "linear:101%", "out of range" },
		{ "linear:-5%", "percentage" },
		{ "linear:nan", "percentage" },
		{ "linear:inf", "percentage" },
		{ "linear:0x10", "percentage" },
		{ "linear:1e999", "percentage" },
		{ "linear:99999999999999999999999", "percentage" },
		{ "linear:35.5.5%", "percentage" },
		{ "linear:12.345%", "percentage" },
		{ "@", "not a number" },
		{ "25%@", "not a number" },
		{ "25@1", "out of range" },
		{ "25%@1.5", "out of range" },
		{ "50%@1,25%@1", "must rise" },
		{ "25%@0.5,50%@0.4", "must not fall" },
		{ "25%@0", "last point" },
		{ "0%@1", "fraction 0" },
		{ "25%@0.4,", "not a point" },
		{ "1/0@1", "out of range" },
		{ "-1/2@1", "whole number" },
		{ "lin\xc3\xa9"
		  "aire",
		  "shape" },
		{ "steps:", "not a point" },
		{ "1/3@1/999999999999999989,1@1", "denominator of at most" },
		{ "12.34567%@0.5,1@1", "denominator of at most" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct rspb_benefit b = { .n_points = 77 };
		struct rspb_err err = { "" };

		ck_assert_msg(rspb_benefit_parse(bad[i][0], &b, &err) == -1, "%s", bad[i][0]);
		ck_assert_msg(strstr(err.text, bad[i][1]), "%s: %s", bad[i][0], err.text);
		ck_assert_uint_eq(b.n_points, 77);
	}
}
END_TEST

START_TEST(too_many_points)
{
	char text[4096] = "";
	struct rspb_benefit b;
	struct rspb_err err;

	for (int i = 1; i <= 33; i++)
		sprintf(text + strlen(text), "%s%d%%@%d%%", i > 1 ? "," : "", i, i);
	ck_assert_int_eq(rspb_benefit_parse(text, &b, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "too many points"));
}
END_TEST

/* What every row of the table must keep, at every minimum and size. */
START_TEST(shapes_keep_the_rules)
{
	static const int64_t asked[] = { 1, 2, 3, 7, 64, 997 };
	const struct rspb_shape *s = &rspb_shapes[_i];

	ck_assert_ptr_nonnull(s->help);
	for (int64_t least = 1; least <= 10000; least += 9999 / test_rounds(117)) {
		struct rspb_benefit b, again;
		char text[RSPB_BENEFIT_TEXT];
		struct rspb_err err;

		rspb_shape_draw(s, rspb_ratio_make(least, 10000), &b);
		ck_assert_int_eq(rspb_benefit_validate(&b, &err), 0);
		rspb_benefit_print(&b, text, sizeof(text));
		again = parsed(text);
		ck_assert(rspb_benefit_equal(&b, &again));
		for (size_t i = 0; i < 6; i++) {
			int64_t n = asked[i];
			struct rspb_ratio before = { 0, 1 }, v;
			int64_t lo = rspb_benefit_min_units(&b, n);
			int64_t hi = rspb_benefit_max_units(&b, n);

			ck_assert(1 <= lo && lo <= hi && hi <= n);
			for (int64_t g = 1; g <= n; g += 1 + n / 50) {
				int64_t t = rspb_benefit_trim(&b, g, n);

				v = rspb_benefit_value(&b, g, n);
				ck_assert(rspb_ratio_compare(before, v) <= 0);
				ck_assert_int_eq(v.num > 0, g >= lo);
				ck_assert_int_eq(v.num == v.den, g >= hi);
				ck_assert_int_le(t, g);
				ck_assert_int_eq(rspb_benefit_trim(&b, t, n), t);
				ck_assert_int_eq(rspb_ratio_compare(v,
								    rspb_benefit_value(&b, t, n)),
						 0);
				before = v;
			}
		}
	}
}
END_TEST

START_TEST(huge_units_do_not_overflow)
{
	struct rspb_benefit b = parsed("1/999999@1/999983,999/1000@1");
	const int64_t huge = INT64_MAX / 2;
	struct rspb_ratio low = rspb_benefit_value(&b, huge / 3, huge);
	struct rspb_ratio high = rspb_benefit_value(&b, huge / 2, huge);

	ck_assert_int_lt(rspb_ratio_compare(low, high), 0);
	ck_assert_double_eq_tol(rspb_ratio_double(high), 0.5005, 1e-3);
	ck_assert_int_le(rspb_benefit_min_units(&b, huge), huge);
}
END_TEST

/* The flattest of slopes, in the finest of points. */
START_TEST(more_is_never_worth_less)
{
	static const char *const texts[] = {
		"1/2@999998/999999,1@999999/1000000",
		"499999/999999@999996/999997,500000/999999@999998/999999,1@1",
		"1/999983@1/999999,999982/999983@1/999998,1@1/999997",
		"1/3@1/1000000,2/3@1/999999",
	};
	enum { ASKED = 65536 };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct rspb_benefit b = parsed(texts[i]);
		struct rspb_ratio before = { 0, 1 };

		for (int64_t g = 1; g <= ASKED; g++) {
			struct rspb_ratio v = rspb_benefit_value(&b, g, ASKED);

			ck_assert_msg(rspb_ratio_compare(before, v) <= 0, "%s: %ld of %d", texts[i],
				      (long) g, (int) ASKED);
			before = v;
		}
	}
}
END_TEST

/* Of 40 seconds between the ready time and the last start. */
START_TEST(what_is_left_of_a_window)
{
	static const struct {
		const char *shape;
		int64_t left;
		struct rspb_ratio worth;
	} cases[] = {
		{ "0%@0,100%@1", 40, { 1, 1 } },   { "0%@0,100%@1", 30, { 3, 4 } },
		{ "0%@0,100%@1", 0, { 0, 1 } },	   { "0%@0,100%@1", -5, { 0, 1 } },
		{ "0%@0,100%@1", 50, { 1, 1 } },   { "0%@0.2,100%@1", 0, { 1, 5 } },
		{ "0%@0.2,100%@1", 20, { 3, 5 } }, { "linear:50%", 20, { 1, 2 } },
		{ "linear:50%", 19, { 0, 1 } },	   { "steps:0%@0.3,50%@0.6,100%@1", 39, { 3, 5 } },
		{ "hard", 40, { 1, 1 } },	   { "hard", 39, { 0, 1 } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct rspb_benefit b = parsed(cases[i].shape);
		struct rspb_ratio v = rspb_benefit_left(&b, cases[i].left, 40);

		ck_assert_msg(!rspb_ratio_compare(v, cases[i].worth), "%s, %ld left: %ld/%ld",
			      cases[i].shape, (long) cases[i].left, (long) v.num, (long) v.den);
		/* The only start there is. */
		v = rspb_benefit_left(&b, 0, 0);
		ck_assert_int_eq(v.num, v.den);
	}
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("benefit");
	TCase *t = tcase_create("benefit");
	int shapes = 0;

	while (rspb_shapes[shapes].name)
		shapes++;
	tcase_set_timeout(t, 120);
	tcase_add_test(t, worked_examples);
	tcase_add_test(t, squeezed_to_another_minimum);
	tcase_add_test(t, points);
	tcase_add_test(t, plateaus_are_trimmed);
	tcase_add_test(t, printed_text_is_canonical);
	tcase_add_test(t, bad_text_is_refused);
	tcase_add_test(t, too_many_points);
	tcase_add_loop_test(t, shapes_keep_the_rules, 0, shapes);
	tcase_add_test(t, huge_units_do_not_overflow);
	tcase_add_test(t, more_is_never_worth_less);
	tcase_add_test(t, what_is_left_of_a_window);
	suite_add_tcase(s, t);
	return s;
}

RUN_SUITE(suite)
