/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What runs took, by lines of sacct. */
#include "contrib/client/beyond/history.h"

#include <stdio.h>
#include <string.h>

#include "tests/unit/runner.h"

static struct rspb_history read_all(const char *lines)
{
	struct rspb_history history;
	struct rspb_err err = { "" };

	ck_assert_msg(!rspb_history_read(lines, "train", &history, &err), "%s", err.text);
	return history;
}

START_TEST(by_nodes)
{
	struct rspb_history h = read_all("600|4|COMPLETED|train\n"
					 "1230|2|COMPLETED|train\n"
					 "1100|2|COMPLETED|train\n"
					 "5|2|FAILED|train\n"
					 "9|2|CANCELLED by 1000|train\n"
					 "7|2|NODE_FAIL|train\n"
					 "8|2|OUT_OF_MEMORY|train\n"
					 "3|2|RUNNING|train\n"
					 "0|1|PENDING|train\n"
					 "70|2|COMPLETED|train|2\n"
					 "1800|2|TIMEOUT|train\n"
					 "1000|2|COMPLETED|train\n");

	ck_assert_uint_eq(h.n, 2);
	ck_assert_uint_eq(h.failed, 3);
	ck_assert_uint_eq(h.cancelled, 1);
	/* 1000, 1100, 1230, 1800: the second of four, and the fourth. */
	ck_assert_int_eq(h.rows[0].nodes, 2);
	ck_assert_uint_eq(h.rows[0].runs, 4);
	ck_assert_uint_eq(h.rows[0].expired, 1);
	ck_assert_int_eq(h.rows[0].median, 1100);
	ck_assert_int_eq(h.rows[0].most95, 1800);
	ck_assert_int_eq(rspb_history_minutes(&h.rows[0]), 30);
	ck_assert_int_eq(h.rows[1].nodes, 4);
	ck_assert_uint_eq(h.rows[1].runs, 1);
	ck_assert_uint_eq(h.rows[1].expired, 0);
	ck_assert_int_eq(h.rows[1].median, 600);
	rspb_history_fini(&h);
}
END_TEST

/* Of 1 to 40 minutes the 38th are 95 per cent, of 21 the 20th. */
START_TEST(rare_long_ones)
{
	static const struct {
		int64_t n, median, most95;
	} cases[] = { { 40, 20, 38 }, { 21, 11, 20 }, { 20, 10, 19 }, { 19, 10, 19 }, { 1, 1, 1 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char lines[4096] = "";
		struct rspb_history h;

		for (int64_t m = cases[i].n; m; m--)
			snprintf(lines + strlen(lines), sizeof(lines) - strlen(lines),
				 "%d|3|COMPLETED|train\n", (int) m * 60);
		h = read_all(lines);
		ck_assert_uint_eq(h.n, 1);
		ck_assert_int_eq(h.rows[0].median, cases[i].median * 60);
		ck_assert_int_eq(h.rows[0].most95, cases[i].most95 * 60);
		ck_assert_int_eq(rspb_history_minutes(&h.rows[0]), cases[i].most95);
		rspb_history_fini(&h);
	}
}
END_TEST

START_TEST(none_and_nonsense)
{
	struct rspb_history h = read_all("");
	struct rspb_err err = { "" };

	ck_assert_uint_eq(h.n, 0);
	rspb_history_fini(&h);
	h = read_all("0|1|COMPLETED|train\n");
	ck_assert_int_eq(rspb_history_minutes(&h.rows[0]), 1);
	rspb_history_fini(&h);
	ck_assert_int_eq(rspb_history_read("600|4|COMPLETED\n", "train", &h, &err), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "is not a line of 4 fields"));
	rspb_history_fini(&h);
	ck_assert_int_eq(rspb_history_read("x|4|COMPLETED|train\n", "train", &h, &err), -1);
	rspb_history_fini(&h);
}
END_TEST

static Suite *suite(void)
{
	Suite *s = suite_create("history");
	TCase *t = tcase_create("history");

	tcase_add_test(t, by_nodes);
	tcase_add_test(t, rare_long_ones);
	tcase_add_test(t, none_and_nonsense);
	suite_add_tcase(s, t);
	return s;
}

RUN_SUITE(suite)
