/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --stage-in: what it says, and the window that comes of it. */
#include <string.h>

#include "common/wire/flags.h"
#include "tests/unit/runner.h"

/* stage_in and sigma in s, of which three count; by hand. */
START_TEST(input_that_arrives)
{
	static const struct {
		const char *value;
		int64_t begin, limit; /* as asked */
		int64_t first, length;
	} rows[] = {
		{ "1h", 0, 600, 4600, 600 },
		{ "1h+-5m", 0, 600, 3700, 2400 },
		{ "1h+-0", 0, 600, 4600, 600 },
		/* not before now, where the lateness is all that is left */
		{ "5m+-10m", 0, 600, 1000, 600 + 300 + 1800 },
		/* a later begin, within the lateness and behind it */
		{ "1h+-5m", 5000, 600, 5000, 600 + 540 },
		{ "1h+-5m", 5500, 600, 5500, 600 },
		/* whole minutes more */
		{ "10s+-1s", 0, 60, 1007, 120 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rspb_terms flags = { .book = true };
		int64_t begin = rows[i].begin, limit = rows[i].limit;

		ck_assert(!rspb_flag_set(&flags, "stage-in", rows[i].value, NULL));
		rspb_terms_stage(&flags, 1000, &begin, &limit);
		ck_assert_int_eq(begin, rows[i].first);
		ck_assert_int_eq(limit, rows[i].length);
	}
}
END_TEST

/* 60 minutes and three deviations, in whole minutes; with input that is late, too. */
START_TEST(length_that_varies)
{
	static const struct {
		const char *sigma, *stage;
		int64_t first, length;
	} rows[] = {
		{ "5m", NULL, 0, 3600 + 900 },
		{ "10s", NULL, 0, 3600 + 60 },
		{ "21s", NULL, 0, 3600 + 120 },
		{ "5m", "1h+-5m", 3700, 3600 + 900 + 1800 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct rspb_terms flags = { .book = true };
		int64_t begin = 0, limit = 3600;

		ck_assert(!rspb_flag_set(&flags, "time-sigma", rows[i].sigma, NULL));
		if (rows[i].stage)
			rspb_flag_set(&flags, "stage-in", rows[i].stage, NULL);
		rspb_terms_stage(&flags, 1000, &begin, &limit);
		ck_assert_int_eq(begin, rows[i].first);
		ck_assert_int_eq(limit, rows[i].length);
	}
}
END_TEST

START_TEST(length_badly_told)
{
	static const char *const bad[] = { "", "0", "-5m", "soon", "1ms" };
	struct rspb_terms flags = { .book = false };
	struct rspb_err err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ck_assert_msg(rspb_flag_set(&flags, "time-sigma", bad[i], &err), "%s", bad[i]);
		ck_assert_ptr_nonnull(strstr(err.text, "--time-sigma"));
	}
	flags.time_sigma = 60;
	ck_assert(rspb_terms_check(&flags, &err));
}
END_TEST

START_TEST(input_badly_told)
{
	static const char *const bad[] = { "",	   "0",	     "+-5m",  "1h+-",  "1h+5m",	 "-1h",
					   "soon", "1500ms", "5000d", "1h+-x", "1h+-1ms" };
	struct rspb_terms flags = { .book = true };
	struct rspb_err err;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ck_assert_msg(rspb_flag_set(&flags, "stage-in", bad[i], &err), "%s", bad[i]);
		ck_assert_ptr_nonnull(strstr(err.text, "--stage-in"));
	}
	flags = (struct rspb_terms){ .stage_in = 60 };
	ck_assert(rspb_terms_check(&flags, &err));
}
END_TEST

RUN_TESTS("stage", NULL, NULL, 0, input_that_arrives, input_badly_told, length_that_varies,
	  length_badly_told)
