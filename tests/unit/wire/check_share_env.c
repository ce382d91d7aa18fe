/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/wire/share_lines.h"

#include <string.h>

#include "tests/unit/runner.h"

START_TEST(what_is_printed_is_read)
{
	const struct rspb_share_env cases[] = {
		{ 9, 1, 3500, 0, 100, 0 },
		{ 7, 2, 1, 1, 20, 30 },
		{ 9, 1, 10000, 10000, 50, 1 },
		{ UINT32_MAX, INT64_MAX, 2500, 5000, 99, 86400 },
	};
	struct rspb_share_env back;
	char text[RSPB_SHARE_TEXT];

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		ck_assert_uint_lt(rspb_share_env_print(&cases[i], text, sizeof(text)),
				  sizeof(text));
		ck_assert_int_eq(rspb_share_env_parse(text, &back, NULL), 0);
		ck_assert_uint_eq(back.job, cases[i].job);
		ck_assert_uint_eq(back.generation, cases[i].generation);
		ck_assert_int_eq(back.share, cases[i].share);
		ck_assert_int_eq(back.ceiling, cases[i].ceiling);
		ck_assert_int_eq(back.period_ms, cases[i].period_ms);
		ck_assert_int_eq(back.report_s, cases[i].report_s);
	}
}
END_TEST

START_TEST(anything_else_is_refused)
{
	const char *const cases[] = {
		"",
		" ",
		"generation=1 share=5 ceiling=0 period=100",
		"job=0 generation=1 share=5 ceiling=0 period=100",
		"share=3500",
		"job=1 generation=1 share=3500",
		"job=1 generation=1 share=3500 ceiling=",
		"job=1 generation=0 share=1 ceiling=0 period=100",
		"job=1 generation=1 share=0 ceiling=0 period=100",
		"job=1 generation=1 share=10001 ceiling=0 period=100",
		"job=1 generation=1 share=5000 ceiling=4999 period=100",
		"job=1 generation=1 share=5000 ceiling=10001 period=100",
		"job=1 generation=1 share=-5 ceiling=0 period=100",
		"job=1 generation=1 share=+5 ceiling=0 period=100",
		"job=1 generation=1  share=5 ceiling=0 period=100",
		"job=1 generation=1 share=5 ceiling=0 period=100 ",
		"job=1 generation=1 share=5 ceiling=0 period=100 x",
		" job=1 generation=1 share=5 ceiling=0 period=100",
		"job=1 generation=99999999999999999999 share=5 ceiling=0 period=100",
		"job=4294967296 generation=1 share=5 ceiling=0 period=100",
		"job= generation=1 share=5 ceiling=0 period=100",
		"job=1",
		"share=5 generation=1 ceiling=0 period=100",
		"job=1 generation=1 share=5.5 ceiling=0 period=100",
		"job=1 generation=1 share=5 ceiling=0 period=100\n",
		"job=1 generation=1 share=5 ceiling=0 period=19",
		"job=1 generation=1 share=5 ceiling=0 period=101",
		"job=1 generation=1 share=5 ceiling=0",
		"job=1 generation=1 share=5 ceiling=0 period=100 report=",
		"job=1 generation=1 share=5 ceiling=0 period=100 report=86401",
		"job=1 generation=1 share=5 ceiling=0 period=100 report=1 ",
		"job=1 generation=1 share=5 ceiling=0 report=1 period=100",
	};
	struct rspb_share_env env = { .share = 42 };
	struct rspb_err err;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		err.text[0] = '\0';
		ck_assert_msg(rspb_share_env_parse(cases[i], &env, &err) == -1, "taken: '%s'",
			      cases[i]);
		ck_assert_msg(*err.text, "no reason: '%s'", cases[i]);
		ck_assert_int_eq(env.share, 42);
	}
}
END_TEST

static Suite *make_suite(void)
{
	const TTest *const tests[] = { what_is_printed_is_read, anything_else_is_refused };

	return suite_of("share_env", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(make_suite)
