/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much a short text stands for, without writing it out. */
#include "common/wire/texts.h"

#include "tests/unit/runner.h"

START_TEST(names)
{
	static const struct {
		const char *text;
		uint64_t names;
	} rows[] = {
		{ "", 0 },
		{ ",, ", 0 },
		{ "n1", 1 },
		{ "n1,n2\tn3", 3 },
		{ "n[1-4,7]", 5 },
		{ "n[01-10]x[0-1],m", 21 },
		{ "n[5-3]", 1 },
		{ "n[1-65536]", 65536 },
		/* Slurm reads numbers with a sign and blanks before them. */
		{ "n[1-+65536]", 65536 },
		{ "n[ 1- 65536]", 65536 },
		{ "n[1-100,1-100,1-100][1-1000][1-1000]", 300000000 },
		{ "n[0-18446744073709551615]", UINT64_MAX },
		{ "n[0-99999999999][0-99999999999]", UINT64_MAX },
		{ "n[1-99999999999999],m[0-18446744073709551615],n1", UINT64_MAX },
		/* Not closed, or one in the other: never too few. */
		{ "n[1-100", 100 },
		{ "n[1-10[1-10]", 100 },
		{ "n]1", 1 },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		ck_assert_msg(rspb_unfold_names(rows[i].text) == rows[i].names, "%s: %llu",
			      rows[i].text, (unsigned long long) rspb_unfold_names(rows[i].text));
}
END_TEST

START_TEST(a_few_times_the_nodes_there_are)
{
	struct rspb_err err;

	ck_assert(!rspb_unfold_names_check("--nodelist", "n[1-32]", 8, &err));
	ck_assert(rspb_unfold_names_check("--nodelist", "n[1-33]", 8, &err));
	ck_assert_str_eq(err.text, "--nodelist=n[1-33]: has 33 names; allowed are 4 "
				   "times the 8 nodes there are");
	ck_assert(!rspb_unfold_names_check("--exclude", "", 0, &err));
	ck_assert(rspb_unfold_names_check("--exclude", "n1", 0, &err));
}
END_TEST

START_TEST(features)
{
	static const struct {
		const char *text;
		uint64_t sets;
	} rows[] = {
		{ "", 1 },
		{ "a", 1 },
		{ "a&b", 1 },
		{ "a|b|c", 3 },
		{ "(a|b)&(c|d)", 4 },
		{ "(a|b)&(c|d)|e", 8 },
		{ "[(a&b)|(c&d)]", 2 },
		{ "(a|b|c", 3 },
		{ "(a|b)&(a|b)&(a|b)&(a|b)&(a|b)&(a|b)&(a|b)&(a|b)&(a|b)&(a|b)", 1024 },
	};
	struct rspb_err err;
	char most[400] = "(a|b)";

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		ck_assert_uint_eq(rspb_unfold_features(rows[i].text), rows[i].sets);
		ck_assert(!rspb_unfold_features_check("-C", rows[i].text, &err));
	}
	for (int i = 1; i < 66; i++)
		strcat(most, "&(a|b)");
	ck_assert_uint_eq(rspb_unfold_features(most), UINT64_MAX);
	ck_assert(rspb_unfold_features_check("-C", most, &err));
	ck_assert_str_eq(err.text, "-C=(a|b)&(a|b)&(a|b)&(a|b)&(a|b)&(a|b)&(a|b...: can "
				   "be met by more than 1024 sets of features, which is "
				   "the most that is allowed");
}
END_TEST

static Suite *suite(void)
{
	const TTest *const tests[] = { names, a_few_times_the_nodes_there_are, features };

	return suite_of("unfold", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
