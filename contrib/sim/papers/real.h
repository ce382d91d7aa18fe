/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers with many digits behind the point and a bound of what they lack, for
 * computations whose exact fractions would grow without end.
 *
 * The finishing times of a fluid (contrib/sim/papers/fair.h) are fractions whose
 * length grows with every event: GMP takes a second for 100 tasks and more than
 * a minute for 300. Yet all that is needed of them is their order, ties
 * included. So a number is kept as a midpoint of fixed length, a radius around
 * it, and its residue modulo a prime of 127 bits:
 *
 * - midpoints further apart than their radii: the order is certain;
 * - closer, and the residues differ: the numbers are different, but it takes
 *   more digits to say how; the computation is done again with twice as many;
 * - closer, and the residues are equal: they are one number. (Two that are not
 *   would have to agree in all these digits, 77 and more of them, and modulo
 *   the prime.)
 *
 * Source: midpoint and radius as in F. Johansson, "Arb: efficient arbitrary-
 * precision midpoint-radius interval arithmetic" (2017).
 */
#ifndef RSPB_PAPERS_REAL_H
#define RSPB_PAPERS_REAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contrib/sim/papers/pool.h"
#include "contrib/sim/papers/rational.h"

/* The data that the numbers of one computation share. */
struct rspb_reals {
	struct rspb_pool *pool;
	uint32_t bits; /* behind the point */
	mpz_ptr prime;
	bool vague; /* something could not be decided with these bits */
};

/* A value type; what it points to lives in a pool. */
struct rspb_real {
	bool infinite;	    /* plus infinity; nothing else counts then */
	mpz_ptr middle;	    /* in units of 2^-bits; never changed */
	long double radius; /* in these units */
	mpz_ptr residue;
};

/*
 * A computation is a loop:
 *
 *	struct rspb_reals reals = rspb_reals_first(pool);
 *	do
 *		compute(&reals);
 *	while (rspb_reals_again(&reals));
 *
 * again: RET true when something was vague and more bits may help. It gives up
 * (false, vague still set) at 15,000.
 */
struct rspb_reals rspb_reals_first(struct rspb_pool *pool);
bool rspb_reals_again(struct rspb_reals *reals);

struct rspb_real rspb_real_of(struct rspb_reals *reals, struct rspb_rational a);
struct rspb_real rspb_real_whole(struct rspb_reals *reals, int64_t value);

/* Operands are finite. A divisor that may be 0 makes the computation vague. */
struct rspb_real rspb_real_add(struct rspb_reals *reals, struct rspb_real a, struct rspb_real b);
struct rspb_real rspb_real_sub(struct rspb_reals *reals, struct rspb_real a, struct rspb_real b);
struct rspb_real rspb_real_mul(struct rspb_reals *reals, struct rspb_real a, struct rspb_real b);
struct rspb_real rspb_real_div(struct rspb_reals *reals, struct rspb_real a, struct rspb_real b);

/* a < b: -1, a == b: 0, a > b: 1. When that can't be said the computation
 * becomes vague, and the answer is 0. */
int rspb_real_compare(struct rspb_reals *reals, const struct rspb_real *a,
		      const struct rspb_real *b);
/* Bounds low <= a <= high, for a quick first look. */
void rspb_real_bounds(const struct rspb_reals *reals, const struct rspb_real *a, long double *low,
		      long double *high);
/* The nearest double, or one next to it; HUGE_VAL for infinity. */
double rspb_real_double(const struct rspb_reals *reals, struct rspb_real a);

/* Indices 0..n-1 by rising key, the lower first of equal ones, into order[n]. */
void rspb_real_order(struct rspb_reals *reals, const struct rspb_real *keys, size_t n,
		     size_t *order);

#endif
