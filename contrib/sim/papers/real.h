/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers with many digits behind the point and a bound of what they lack, for
 * computations whose exact fractions would grow without end.
 *
 * The finishing times of a fluid (contrib/sim/papers/fair.h) are fractions whose length
 * grows with every event: 300 tasks reach a million bits. Yet all that is
 * needed of them is their order, ties included. So a number is kept as a
 * midpoint of fixed length, a radius around it, and its residues modulo two
 * primes of 61 bits:
 *
 * - midpoints further apart than their radii: the order is certain;
 * - closer, and a residue differs: the numbers are different, but it takes more
 *   digits to say how; the computation is done again with twice as many;
 * - closer, and both residues equal: they are one number. (Two that are not
 *   would have to agree in all these digits, 77 and more of them, and modulo
 *   2^122.)
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

enum { RSPB_REAL_PRIMES = 2 };

/* What the numbers of one computation share. */
struct rspb_reals {
	struct rspb_pool *pool;
	uint32_t places; /* digits of 32 bits behind the point */
	uint64_t primes[RSPB_REAL_PRIMES];
	bool vague; /* something could not be decided at these places */
};

/* A value type whose digits live in a pool. */
struct rspb_real {
	bool infinite; /* plus infinity; nothing else counts then */
	bool negative;
	struct rspb_natural size; /* in units of 2^(-32 places) */
	long double radius;	  /* in these units */
	uint64_t residues[RSPB_REAL_PRIMES];
};

/*
 * A computation is a loop:
 *
 *	struct rspb_reals reals = rspb_reals_first(pool);
 *	do
 *		compute(&reals);
 *	while (rspb_reals_again(&reals));
 *
 * again: RET true when something was vague and more places may help. It gives
 * up (false, vague still set) at 15,000 bits, or when memory ran out.
 */
struct rspb_reals rspb_reals_first(struct rspb_pool *pool);
bool rspb_reals_again(struct rspb_reals *reals);

struct rspb_real rspb_real_of(struct rspb_reals *reals, struct rspb_rational a);
struct rspb_real rspb_real_zero(void);

/* Operands are finite. A divisor that may be 0 makes the computation vague. */
struct rspb_real rspb_real_add(struct rspb_reals *reals, struct rspb_real a,
			       struct rspb_real b);
struct rspb_real rspb_real_sub(struct rspb_reals *reals, struct rspb_real a,
			       struct rspb_real b);
struct rspb_real rspb_real_mul(struct rspb_reals *reals, struct rspb_real a,
			       struct rspb_real b);
struct rspb_real rspb_real_div(struct rspb_reals *reals, struct rspb_real a,
			       struct rspb_real b);

/* a < b: -1, a == b: 0, a > b: 1. When that can't be said the computation
 * becomes vague, and the answer is 0. */
int rspb_real_compare(struct rspb_reals *reals, const struct rspb_real *a,
		      const struct rspb_real *b);
/* Bounds low <= a <= high, for a quick first look. */
void rspb_real_bounds(const struct rspb_reals *reals, const struct rspb_real *a,
		      long double *low, long double *high);
/* The nearest double, or one next to it; HUGE_VAL for infinity. */
double rspb_real_double(const struct rspb_reals *reals, struct rspb_real a);

/* Indices 0..n-1 by rising key, equal ones as they were. order[n] receives
 * them. RET 0, or -1 when memory ran out. */
int rspb_real_order(struct rspb_reals *reals, const struct rspb_real *keys,
		    size_t n, size_t *order);

#endif
