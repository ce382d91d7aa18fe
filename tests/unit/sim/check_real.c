/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/papers/real.h"

#include <math.h>
#include <stdio.h>

#include "tests/unit/runner.h"
#include "tests/unit/sim/random_draw.h"

enum { MANY = 40 };

static struct rspb_rational number(struct rspb_pool *pool, uint64_t *seed)
{
	int64_t most = INT64_C(1) << draw(seed, 1, 20);

	return rspb_rational_make(pool, draw(seed, -most, most), draw(seed, 1, most));
}

/* A random chain of operations on both kinds of number: what comes out is one
 * number, and it stands to a third as exact fractions say. */
START_TEST(chains_are_what_exact_fractions_say)
{
	struct rspb_pool *pool = rspb_pool_create();
	uint64_t seed = 3;

	for (int round = 0; round < 3000; round++) {
		struct rspb_reals reals = rspb_reals_first(pool);
		struct rspb_rational exact = number(pool, &seed), other;
		struct rspb_real real = rspb_real_of(&reals, exact), want;

		for (int64_t k = draw(&seed, 1, 12); k > 0; k--) {
			struct rspb_rational b = number(pool, &seed);
			struct rspb_real c = rspb_real_of(&reals, b);

			switch (draw(&seed, 0, 3)) {
			case 0:
				exact = rspb_rational_add(pool, exact, b);
				real = rspb_real_add(&reals, real, c);
				break;
			case 1:
				exact = rspb_rational_sub(pool, exact, b);
				real = rspb_real_sub(&reals, real, c);
				break;
			case 2:
				exact = rspb_rational_mul(pool, exact, b);
				real = rspb_real_mul(&reals, real, c);
				break;
			default:
				if (!rspb_rational_sign(b))
					break;
				exact = rspb_rational_div(pool, exact, b);
				real = rspb_real_div(&reals, real, c);
			}
		}
		want = rspb_real_of(&reals, exact);
		ck_assert_int_eq(rspb_real_compare(&reals, &real, &want), 0);
		other = number(pool, &seed);
		want = rspb_real_of(&reals, other);
		ck_assert_int_eq(rspb_real_compare(&reals, &real, &want),
				 rspb_rational_compare(exact, other));
		ck_assert(!reals.vague);
		ck_assert_double_eq_tol(rspb_real_double(&reals, real), rspb_rational_double(exact),
					fabs(rspb_rational_double(exact)) * 1e-15 + 1e-60);
		rspb_pool_reset(pool);
	}
	rspb_pool_destroy(pool);
}
END_TEST

/* 1 against 1 - 10^-k: different however small the difference, and in the
 * right order as soon as the places suffice. */
START_TEST(close_ones_are_told_apart)
{
	struct rspb_pool *pool = rspb_pool_create();
	char text[64];

	for (int k = 1; k <= 400; k += 7) {
		struct rspb_rational one = rspb_rational_make(pool, 1, 1);
		struct rspb_rational tiny;
		struct rspb_reals reals = rspb_reals_first(pool);
		struct rspb_real a, b;
		int order;

		snprintf(text, sizeof(text), "1e-%d", k);
		ck_assert_int_eq(rspb_rational_parse(pool, text, &tiny, NULL), 0);
		do {
			a = rspb_real_of(&reals, one);
			b = rspb_real_sub(&reals, a, rspb_real_of(&reals, tiny));
			order = rspb_real_compare(&reals, &b, &a);
		} while (rspb_reals_again(&reals));
		ck_assert(!reals.vague);
		ck_assert_int_eq(order, -1);
		ck_assert_int_eq(rspb_real_compare(&reals, &a, &b), 1);
		ck_assert_int_ge(reals.bits, k * 3);
	}
	rspb_pool_destroy(pool);
}
END_TEST

/* A difference of 0 divides nothing, at any number of places. */
START_TEST(division_by_zero_gives_up)
{
	struct rspb_pool *pool = rspb_pool_create();
	struct rspb_reals reals = rspb_reals_first(pool);
	struct rspb_rational third = rspb_rational_make(pool, 1, 3);

	do {
		struct rspb_real a = rspb_real_of(&reals, third);

		rspb_real_div(&reals, a, rspb_real_sub(&reals, a, a));
	} while (rspb_reals_again(&reals));
	ck_assert(reals.vague);
	rspb_pool_destroy(pool);
}
END_TEST

START_TEST(order_is_stable)
{
	struct rspb_pool *pool = rspb_pool_create();
	struct rspb_real keys[MANY];
	size_t order[MANY];
	uint64_t seed = 8;

	for (int round = 0; round < 500; round++) {
		struct rspb_reals reals = rspb_reals_first(pool);
		size_t n = (size_t) draw(&seed, 0, MANY);

		for (size_t i = 0; i < n; i++)
			keys[i] = rspb_real_of(&reals, rspb_rational_make(pool, draw(&seed, -4, 4),
									  draw(&seed, 1, 3)));
		if (n)
			keys[0].infinite = draw(&seed, 0, 1);
		rspb_real_order(&reals, keys, n, order);
		for (size_t k = 1; k < n; k++) {
			int side = rspb_real_compare(&reals, &keys[order[k - 1]], &keys[order[k]]);

			ck_assert(side < 0 || (side == 0 && order[k - 1] < order[k]));
		}
		rspb_pool_reset(pool);
	}
	rspb_pool_destroy(pool);
}
END_TEST

RUN_TESTS("real", NULL, NULL, 0, chains_are_what_exact_fractions_say, close_ones_are_told_apart,
	  division_by_zero_gives_up, order_is_stable)
