/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Natural numbers of any length, for exact fractions (contrib/sim/papers/rational.h).
 * Values are immutable and live in a pool. On lack of memory a function
 * returns a number of no digits, and the pool remembers (rspb_pool_failed).
 */
#ifndef RSPB_PAPERS_NATURAL_H
#define RSPB_PAPERS_NATURAL_H

#include <stdbool.h>
#include <stdint.h>

#include "contrib/sim/papers/pool.h"

/* digits[0] is the least; the highest is not 0; n == 0 is zero. */
struct rspb_natural {
	uint32_t n;
	const uint32_t *digits;
};

struct rspb_natural rspb_natural_make(struct rspb_pool *pool, uint64_t value);
struct rspb_natural rspb_natural_copy(struct rspb_pool *pool,
				      struct rspb_natural a);
bool rspb_natural_zero(struct rspb_natural a);
/* a < b: -1, a == b: 0, a > b: 1. */
int rspb_natural_compare(struct rspb_natural a, struct rspb_natural b);
/* Bits of a: 0 for 0, 1 for 1, 2 for 2 and 3, ... */
uint64_t rspb_natural_bits(struct rspb_natural a);
/* The value when it has at most 64 bits, else UINT64_MAX. */
uint64_t rspb_natural_value(struct rspb_natural a);

struct rspb_natural rspb_natural_add(struct rspb_pool *pool,
				     struct rspb_natural a,
				     struct rspb_natural b);
/* a - b, a >= b. */
struct rspb_natural rspb_natural_sub(struct rspb_pool *pool,
				     struct rspb_natural a,
				     struct rspb_natural b);
struct rspb_natural rspb_natural_mul(struct rspb_pool *pool,
				     struct rspb_natural a,
				     struct rspb_natural b);
struct rspb_natural rspb_natural_shift(struct rspb_pool *pool,
				       struct rspb_natural a, uint64_t bits);
/* Quotient and remainder (NULL: not wanted), b > 0. Knuth, The Art of
 * Computer Programming, volume 2, algorithm 4.3.1 D. */
struct rspb_natural rspb_natural_divide(struct rspb_pool *pool,
					struct rspb_natural a,
					struct rspb_natural b,
					struct rspb_natural *rest);
/* Greatest common divisor; gcd(0, b) = b. Lehmer's method, ibid. 4.5.2 L. */
struct rspb_natural rspb_natural_gcd(struct rspb_pool *pool,
				     struct rspb_natural a,
				     struct rspb_natural b);

#endif
