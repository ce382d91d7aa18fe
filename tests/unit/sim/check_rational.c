/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/papers/rational.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/runner.h"
#include "tests/unit/sim/random_draw.h"

static struct rspb_rational number(struct rspb_pool *pool, uint64_t *seed)
{
	int64_t most = INT64_C(1) << draw(seed, 1, 30);

	return rspb_rational_make(pool, draw(seed, -most, most), draw(seed, 1, most));
}

static int64_t num(struct rspb_rational a)
{
	return mpz_get_si(mpq_numref(a.value));
}

static int64_t den(struct rspb_rational a)
{
	return mpz_get_si(mpq_denref(a.value));
}

START_TEST(small_ones_are_as_128_bits_say)
{
	struct rspb_pool *pool = rspb_pool_create();
	uint64_t seed = 1;

	for (int i = 0; i < 20000; i++) {
		struct rspb_rational a = number(pool, &seed);
		struct rspb_rational b = number(pool, &seed), c;
		__int128 left = (__int128) num(a) * den(b);
		__int128 right = (__int128) num(b) * den(a);

		ck_assert_int_eq(rspb_rational_compare(a, b), left < right ? -1 : left > right);
		c = rspb_rational_add(pool, a, b);
		/* c = (left + right) / (den den), without dividing. */
		ck_assert((__int128) num(c) * den(a) * den(b) == (left + right) * den(c));
		rspb_pool_reset(pool);
	}
	rspb_pool_destroy(pool);
}
END_TEST

/* Long ones: sums of many fractions, checked by what must hold. */
START_TEST(long_ones_keep_the_laws)
{
	struct rspb_pool *pool = rspb_pool_create();
	uint64_t seed = 2;

	for (int i = 0; i < 60; i++) {
		struct rspb_rational a = number(pool, &seed);
		struct rspb_rational b = number(pool, &seed), back;

		for (int k = 0; k < 40; k++) {
			a = rspb_rational_add(pool, a, number(pool, &seed));
			b = rspb_rational_sub(pool, b, number(pool, &seed));
		}
		back = rspb_rational_sub(pool, rspb_rational_add(pool, a, b), b);
		ck_assert_int_eq(rspb_rational_compare(a, back), 0);
		if (!rspb_rational_sign(b))
			continue;
		back = rspb_rational_div(pool, rspb_rational_mul(pool, a, b), b);
		ck_assert_int_eq(rspb_rational_compare(a, back), 0);
		rspb_pool_reset(pool);
	}
	rspb_pool_destroy(pool);
}
END_TEST

START_TEST(text_is_read_exactly)
{
	static const struct {
		const char *text;
		int64_t num, den;
	} good[] = {
		{ "12", 12, 1 },       { "-0.35", -7, 20 }, { "1/3", 1, 3 },
		{ "1.5e-3", 3, 2000 }, { "2E2", 200, 1 },   { ".5", 1, 2 },
		{ "5.", 5, 1 },	       { "-0", 0, 1 },	    { "0.10", 1, 10 },
	};
	static const char *const bad[] = { "",	    "-",     ".",   "1/0",   "1/",
					   "1e",    "1 ",    "0x1", "nan",   "inf",
					   "1e999", "1/2/3", "--1", "1.2.3", "1/0.5" };
	struct rspb_pool *pool = rspb_pool_create();
	struct rspb_rational got;
	struct rspb_err err;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		ck_assert_int_eq(rspb_rational_parse(pool, good[i].text, &got, &err), 0);
		ck_assert_msg(!rspb_rational_compare(got, rspb_rational_make(pool, good[i].num,
									     good[i].den)),
			      "%s", good[i].text);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(rspb_rational_parse(pool, bad[i], &got, &err) < 0, "%s", bad[i]);
	rspb_pool_destroy(pool);
}
END_TEST

START_TEST(doubles_are_the_nearest)
{
	struct rspb_pool *pool = rspb_pool_create();
	uint64_t seed = 4;
	struct rspb_err err;

	for (int i = 0; i < 20000; i++) {
		double want = ldexp((double) draw(&seed, -1000000, 1000000),
				    (int) draw(&seed, -40, 20));
		struct rspb_rational got;
		char text[400];

		snprintf(text, sizeof(text), "%.60g", want);
		ck_assert_int_eq(rspb_rational_parse(pool, text, &got, &err), 0);
		ck_assert(rspb_rational_double(got) == want);
		rspb_pool_reset(pool);
	}
	ck_assert(rspb_rational_double(rspb_rational_make(pool, 1, 3)) == 1.0 / 3);
	ck_assert(isinf(rspb_rational_double(rspb_rational_infinity())));
	rspb_pool_destroy(pool);
}
END_TEST

START_TEST(rounding_goes_both_ways)
{
	struct rspb_pool *pool = rspb_pool_create();
	static const int64_t cases[][4] = {
		/* num, den, down, up */
		{ 7, 2, 3, 4 }, { -7, 2, -4, -3 }, { 6, 2, 3, 3 },   { -6, 2, -3, -3 },
		{ 0, 5, 0, 0 }, { 1, 9, 0, 1 },	   { -1, 9, -1, 0 },
	};
	struct rspb_err err;
	int64_t got;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (int up = 0; up < 2; up++) {
			ck_assert_int_eq(rspb_rational_whole(rspb_rational_make(pool, cases[i][0],
										cases[i][1]),
							     up, &got, &err),
					 0);
			ck_assert_int_eq(got, cases[i][2 + up]);
		}
	ck_assert_int_lt(rspb_rational_whole(rspb_rational_make(pool, INT64_MAX, 1), true, &got,
					     &err),
			 0);
	ck_assert_int_lt(rspb_rational_whole(rspb_rational_infinity(), true, &got, &err), 0);
	rspb_pool_destroy(pool);
}
END_TEST

RUN_TESTS("rational", NULL, NULL, 0, small_ones_are_as_128_bits_say, long_ones_keep_the_laws,
	  text_is_read_exactly, doubles_are_the_nearest, rounding_goes_both_ways)
