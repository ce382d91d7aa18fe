/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Exact fractions of any length, by GMP, and plus infinity.
 *
 * Queue orders of fair scheduling compare completion times that are equal on
 * paper (Varvarigos et al., section 5): floating point would decide such ties
 * by its rounding, and so would differ between machines.
 */
#ifndef RSPB_PAPERS_RATIONAL_H
#define RSPB_PAPERS_RATIONAL_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "contrib/sim/papers/pool.h"

/* A value type; the fraction, always reduced, lives in a pool. */
struct rspb_rational {
	bool infinite;	  /* plus infinity; nothing else counts then */
	mpq_srcptr value; /* NULL when infinite */
};

/* den > 0. */
struct rspb_rational rspb_rational_make(struct rspb_pool *pool, int64_t num, int64_t den);
struct rspb_rational rspb_rational_infinity(void);
/*
 * Read "12", "-0.35", "1.5e-3", "1/3". RET 0, or -1 with err: not a number, or
 * an exponent beyond 400.
 */
int rspb_rational_parse(struct rspb_pool *pool, const char *text, struct rspb_rational *out,
			struct rspb_err *err);

/* Infinity plus or minus something finite, or times or over something
 * positive, is infinity; something finite over infinity is 0. Infinity minus
 * or over infinity, and a division by 0, are the caller's mistakes
 * (asserted). */
struct rspb_rational rspb_rational_add(struct rspb_pool *pool, struct rspb_rational a,
				       struct rspb_rational b);
struct rspb_rational rspb_rational_sub(struct rspb_pool *pool, struct rspb_rational a,
				       struct rspb_rational b);
struct rspb_rational rspb_rational_mul(struct rspb_pool *pool, struct rspb_rational a,
				       struct rspb_rational b);
struct rspb_rational rspb_rational_div(struct rspb_pool *pool, struct rspb_rational a,
				       struct rspb_rational b);
struct rspb_rational rspb_rational_max(struct rspb_rational a, struct rspb_rational b);

/* a < b: -1, a == b: 0, a > b: 1. */
int rspb_rational_compare(struct rspb_rational a, struct rspb_rational b);
/* -1, 0 or 1. */
int rspb_rational_sign(struct rspb_rational a);
/* The nearest double, ties to even; HUGE_VAL for infinity. */
double rspb_rational_double(struct rspb_rational a);
/*
 * Round down (up: false) or up to a whole number. RET 0, or -1 with err when it
 * has more than 62 bits.
 */
int rspb_rational_whole(struct rspb_rational a, bool up, int64_t *out, struct rspb_err *err);

#endif
