/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/papers/real.h"

#include <math.h>
#include <stdlib.h>

enum {
	FIRST_BITS = 256,
	MOST_BITS = 15360 /* 2^-15360 still is a long double */
};

/* A little more than 1: what rounding of radii may lose. */
static const long double round_up = 1 + 0x1p-50L;

struct rspb_reals rspb_reals_first(struct rspb_pool *pool)
{
	struct rspb_reals reals = { .pool = pool,
				    .bits = FIRST_BITS,
				    .prime = rspb_pool_whole(pool) };

	/* 2^127 - 1 */
	mpz_setbit(reals.prime, 127);
	mpz_sub_ui(reals.prime, reals.prime, 1);
	return reals;
}

bool rspb_reals_again(struct rspb_reals *reals)
{
	if (!reals->vague || reals->bits == MOST_BITS)
		return false;
	reals->bits *= 2;
	if (reals->bits > MOST_BITS)
		reals->bits = MOST_BITS;
	reals->vague = false;
	mpz_nextprime(reals->prime, reals->prime);
	return true;
}

/* |a|, its leading bits: at most one part in 2^60 less. */
static long double leading(mpz_srcptr a)
{
	long double value = 0;
	size_t n = mpz_size(a), i = 0;

	for (; i < 2 && i < n; i++)
		value = ldexpl(value, GMP_NUMB_BITS) + mpz_getlimbn(a, (mp_size_t) (n - 1 - i));
	return ldexpl(value, (int) ((n - i) * GMP_NUMB_BITS));
}

/* RET one unit of the last place. */
static long double unit(const struct rspb_reals *reals)
{
	return ldexpl(1, -(int) reals->bits);
}

/* Above |a|, as a value. */
static long double above(const struct rspb_reals *reals, const struct rspb_real *a)
{
	return leading(a->middle) * unit(reals) * round_up;
}

/* A number without digits yet. */
static struct rspb_real blank(struct rspb_reals *reals)
{
	return (struct rspb_real){ .middle = rspb_pool_whole(reals->pool),
				   .residue = rspb_pool_whole(reals->pool) };
}

struct rspb_real rspb_real_whole(struct rspb_reals *reals, int64_t value)
{
	struct rspb_real out = blank(reals);

	mpz_set_si(out.middle, value);
	mpz_mod(out.residue, out.middle, reals->prime);
	mpz_mul_2exp(out.middle, out.middle, reals->bits);
	return out;
}

/* num / den modulo the prime. A divisor that is 0 there makes it vague: the next
 * prime will do. */
static void divide_residues(struct rspb_reals *reals, mpz_ptr out, mpz_srcptr num, mpz_srcptr den)
{
	if (!mpz_invert(out, den, reals->prime))
		reals->vague = true;
	mpz_mul(out, out, num);
	mpz_mod(out, out, reals->prime);
}

struct rspb_real rspb_real_of(struct rspb_reals *reals, struct rspb_rational a)
{
	struct rspb_real out;

	if (a.infinite)
		return (struct rspb_real){ .infinite = true };
	out = blank(reals);
	mpz_mul_2exp(out.middle, mpq_numref(a.value), reals->bits);
	mpz_tdiv_q(out.middle, out.middle, mpq_denref(a.value));
	out.radius = mpz_cmp_ui(mpq_denref(a.value), 1) != 0;
	divide_residues(reals, out.residue, mpq_numref(a.value), mpq_denref(a.value));
	return out;
}

struct rspb_real rspb_real_add(struct rspb_reals *reals, struct rspb_real a, struct rspb_real b)
{
	struct rspb_real out = blank(reals);

	mpz_add(out.middle, a.middle, b.middle);
	out.radius = (a.radius + b.radius) * round_up;
	mpz_add(out.residue, a.residue, b.residue);
	mpz_mod(out.residue, out.residue, reals->prime);
	return out;
}

struct rspb_real rspb_real_sub(struct rspb_reals *reals, struct rspb_real a, struct rspb_real b)
{
	struct rspb_real out = blank(reals);

	mpz_sub(out.middle, a.middle, b.middle);
	out.radius = (a.radius + b.radius) * round_up;
	mpz_sub(out.residue, a.residue, b.residue);
	mpz_mod(out.residue, out.residue, reals->prime);
	return out;
}

struct rspb_real rspb_real_mul(struct rspb_reals *reals, struct rspb_real a, struct rspb_real b)
{
	struct rspb_real out = blank(reals);

	mpz_mul(out.middle, a.middle, b.middle);
	mpz_tdiv_q_2exp(out.middle, out.middle, reals->bits);
	out.radius = (above(reals, &a) * b.radius + above(reals, &b) * a.radius +
		      a.radius * b.radius * unit(reals) + 1) *
		     round_up;
	mpz_mul(out.residue, a.residue, b.residue);
	mpz_mod(out.residue, out.residue, reals->prime);
	return out;
}

struct rspb_real rspb_real_div(struct rspb_reals *reals, struct rspb_real a, struct rspb_real b)
{
	struct rspb_real out = blank(reals);
	long double least = leading(b.middle) * (1 - 0x1p-50L) - b.radius;

	if (!(least > 0)) {
		reals->vague = true;
		return out;
	}
	mpz_mul_2exp(out.middle, a.middle, reals->bits);
	mpz_tdiv_q(out.middle, out.middle, b.middle);
	out.radius = ((a.radius + above(reals, &out) * b.radius) / (least * unit(reals)) + 2) *
		     round_up;
	divide_residues(reals, out.residue, a.residue, b.residue);
	return out;
}

int rspb_real_compare(struct rspb_reals *reals, const struct rspb_real *a,
		      const struct rspb_real *b)
{
	long double apart;
	mpz_t difference;
	int sign;

	if (a->infinite || b->infinite)
		return (int) a->infinite - (int) b->infinite;
	mpz_init(difference);
	mpz_sub(difference, a->middle, b->middle);
	apart = leading(difference);
	sign = mpz_sgn(difference);
	mpz_clear(difference);
	if (apart > (a->radius + b->radius) * round_up)
		return sign;
	if (mpz_cmp(a->residue, b->residue))
		reals->vague = true;
	return 0;
}

void rspb_real_bounds(const struct rspb_reals *reals, const struct rspb_real *a, long double *low,
		      long double *high)
{
	long double middle = leading(a->middle) * unit(reals);
	long double about = (a->radius * unit(reals) + middle * 0x1p-56L) * round_up;

	if (mpz_sgn(a->middle) < 0)
		middle = -middle;
	*low = middle - about;
	*high = middle + about;
}

double rspb_real_double(const struct rspb_reals *reals, struct rspb_real a)
{
	double size;

	if (a.infinite)
		return HUGE_VAL;
	size = (double) (leading(a.middle) * unit(reals));
	return mpz_sgn(a.middle) < 0 ? -size : size;
}

struct sorting {
	struct rspb_reals *reals;
	const struct rspb_real *keys;
};

static int by_key(const void *left, const void *right, void *arg)
{
	const size_t *a = left, *b = right;
	const struct sorting *sorting = arg;
	int order = rspb_real_compare(sorting->reals, &sorting->keys[*a], &sorting->keys[*b]);

	return order ? order : *a < *b ? -1 : *a > *b;
}

void rspb_real_order(struct rspb_reals *reals, const struct rspb_real *keys, size_t n,
		     size_t *order)
{
	struct sorting sorting = { reals, keys };

	for (size_t i = 0; i < n; i++)
		order[i] = i;
	qsort_r(order, n, sizeof(*order), by_key, &sorting);
}
