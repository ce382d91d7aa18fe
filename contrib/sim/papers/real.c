/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/papers/real.h"

#include <math.h>

#include "contrib/sim/papers/stable.h"

enum {
	DIGIT = 32,
	FIRST_PLACES = 8,
	MOST_PLACES = 480 /* 2^-15360 still is a long double */
};

/* A little more than 1: what rounding of radii may lose. */
static const long double round_up = 1 + 0x1p-50L;

/* The largest primes below 2^61, as their distance to it. A computation that is
 * done again takes the next two. */
static const uint16_t below[] = { 1,   31,  45,	 229, 259, 283, 339,
				  391, 403, 465, 531, 579, 675, 759 };

static void choose_primes(struct rspb_reals *reals, size_t turn)
{
	const size_t n = sizeof(below) / sizeof(below[0]);

	for (size_t k = 0; k < RSPB_REAL_PRIMES; k++)
		reals->primes[k] = (UINT64_C(1) << 61) -
				   below[(turn * RSPB_REAL_PRIMES + k) % n];
}

struct rspb_reals rspb_reals_first(struct rspb_pool *pool)
{
	struct rspb_reals reals = { .pool = pool, .places = FIRST_PLACES };

	choose_primes(&reals, 0);
	return reals;
}

bool rspb_reals_again(struct rspb_reals *reals)
{
	uint32_t places = reals->places * 2;
	size_t turn = 0;

	if (!reals->vague || reals->places == MOST_PLACES ||
	    rspb_pool_failed(reals->pool))
		return false;
	reals->places = places < MOST_PLACES ? places : MOST_PLACES;
	reals->vague = false;
	for (uint32_t p = FIRST_PLACES; p < reals->places; p *= 2)
		turn++;
	choose_primes(reals, turn);
	return true;
}

static uint64_t mod_mul(uint64_t a, uint64_t b, uint64_t prime)
{
	return (uint64_t) ((unsigned __int128) a * b % prime);
}

static uint64_t mod_of(struct rspb_natural a, uint64_t prime)
{
	uint64_t rest = 0;

	for (uint32_t i = a.n; i-- > 0;)
		rest = (uint64_t) (((unsigned __int128) rest << DIGIT |
				    a.digits[i]) %
				   prime);
	return rest;
}

/* 1 / a, by Euclid's extended method; 0 when a is 0. */
static uint64_t mod_inverse(uint64_t a, uint64_t prime)
{
	int64_t r = (int64_t) prime, next = (int64_t) a, t = 0, s = 1, q, old;

	while (next) {
		q = r / next;
		old = r - q * next;
		r = next;
		next = old;
		old = t - q * s;
		t = s;
		s = old;
	}
	if (r != 1)
		return 0;
	return (uint64_t) (t < 0 ? t + (int64_t) prime : t);
}

/* The leading bits of a: within one part in 2^60. */
static long double leading(struct rspb_natural a)
{
	long double value = 0;
	uint32_t i = 0;

	for (; i < 3 && i < a.n; i++)
		value = ldexpl(value, DIGIT) + a.digits[a.n - 1 - i];
	return ldexpl(value, (int) (a.n - i) * DIGIT);
}

/* One unit of the last place. */
static long double unit(const struct rspb_reals *reals)
{
	return ldexpl(1, -(int) reals->places * DIGIT);
}

/* Above |a|, as a value. */
static long double above(const struct rspb_reals *reals,
			 const struct rspb_real *a)
{
	return leading(a->size) * unit(reals) * round_up;
}

/* Leave off what lies behind the last place. */
static struct rspb_natural drop(struct rspb_natural a, uint32_t places)
{
	if (a.n <= places)
		return (struct rspb_natural){ 0, NULL };
	return (struct rspb_natural){ a.n - places, a.digits + places };
}

struct rspb_real rspb_real_zero(void)
{
	return (struct rspb_real){ .radius = 0 };
}

/* num / den modulo each prime. A divisor that is 0 there makes it vague: other
 * primes will do. */
static void mod_divide(struct rspb_reals *reals, const uint64_t *num,
		       const uint64_t *den, uint64_t *out)
{
	for (size_t k = 0; k < RSPB_REAL_PRIMES; k++) {
		uint64_t inverse = mod_inverse(den[k], reals->primes[k]);

		if (!inverse)
			reals->vague = true;
		out[k] = mod_mul(num[k], inverse, reals->primes[k]);
	}
}

static uint64_t mod_negative(uint64_t a, uint64_t prime)
{
	return a ? prime - a : 0;
}

struct rspb_real rspb_real_of(struct rspb_reals *reals, struct rspb_rational a)
{
	struct rspb_real out = { .infinite = a.infinite,
				 .negative = a.negative };
	uint64_t num[RSPB_REAL_PRIMES], den[RSPB_REAL_PRIMES];
	struct rspb_natural rest;

	if (a.infinite || rspb_natural_zero(a.den))
		return out;
	out.size = rspb_natural_divide(
		reals->pool,
		rspb_natural_shift(reals->pool, a.num,
				   (uint64_t) reals->places * DIGIT),
		a.den, &rest);
	out.radius = rspb_natural_zero(rest) ? 0 : 1;
	for (size_t k = 0; k < RSPB_REAL_PRIMES; k++) {
		num[k] = mod_of(a.num, reals->primes[k]);
		den[k] = mod_of(a.den, reals->primes[k]);
		if (a.negative)
			num[k] = mod_negative(num[k], reals->primes[k]);
	}
	mod_divide(reals, num, den, out.residues);
	return out;
}

struct rspb_real rspb_real_add(struct rspb_reals *reals, struct rspb_real a,
			       struct rspb_real b)
{
	struct rspb_real out = {
		.negative = a.negative,
		.radius = (a.radius + b.radius) * round_up,
	};

	if (a.negative == b.negative) {
		out.size = rspb_natural_add(reals->pool, a.size, b.size);
	} else if (rspb_natural_compare(a.size, b.size) >= 0) {
		out.size = rspb_natural_sub(reals->pool, a.size, b.size);
	} else {
		out.size = rspb_natural_sub(reals->pool, b.size, a.size);
		out.negative = b.negative;
	}
	for (size_t k = 0; k < RSPB_REAL_PRIMES; k++)
		out.residues[k] = (a.residues[k] + b.residues[k]) %
				  reals->primes[k];
	return out;
}

struct rspb_real rspb_real_sub(struct rspb_reals *reals, struct rspb_real a,
			       struct rspb_real b)
{
	b.negative = !b.negative;
	for (size_t k = 0; k < RSPB_REAL_PRIMES; k++)
		b.residues[k] = mod_negative(b.residues[k], reals->primes[k]);
	return rspb_real_add(reals, a, b);
}

struct rspb_real rspb_real_mul(struct rspb_reals *reals, struct rspb_real a,
			       struct rspb_real b)
{
	struct rspb_real out = { .negative = a.negative != b.negative };

	out.size = drop(rspb_natural_mul(reals->pool, a.size, b.size),
			reals->places);
	out.radius = (above(reals, &a) * b.radius +
		      above(reals, &b) * a.radius +
		      a.radius * b.radius * unit(reals) + 1) *
		     round_up;
	for (size_t k = 0; k < RSPB_REAL_PRIMES; k++)
		out.residues[k] = mod_mul(a.residues[k], b.residues[k],
					  reals->primes[k]);
	return out;
}

struct rspb_real rspb_real_div(struct rspb_reals *reals, struct rspb_real a,
			       struct rspb_real b)
{
	struct rspb_real out = { .negative = a.negative != b.negative };
	long double least = leading(b.size) * (1 - 0x1p-50L) - b.radius;

	if (!(least > 0)) {
		reals->vague = true;
		return out;
	}
	out.size = rspb_natural_divide(
		reals->pool,
		rspb_natural_shift(reals->pool, a.size,
				   (uint64_t) reals->places * DIGIT),
		b.size, NULL);
	out.radius = ((a.radius + above(reals, &out) * b.radius) /
			      (least * unit(reals)) +
		      2) *
		     round_up;
	mod_divide(reals, a.residues, b.residues, out.residues);
	return out;
}

static uint32_t digit(struct rspb_natural a, uint32_t i)
{
	return i < a.n ? a.digits[i] : 0;
}

/*
 * a - b: its leading bits, at most `*off` off. Goes down as many digits as it
 * takes, since 1.000 - 0.999 has its first far behind where they differ. Needs
 * no memory.
 */
static long double apart(const struct rspb_real *a, const struct rspb_real *b,
			 long double *off)
{
	uint32_t at = a->size.n > b->size.n ? a->size.n : b->size.n;
	int64_t sign = a->negative == b->negative ? -1 : 1;
	long double value = 0;

	while (at > 0 && fabsl(value) < 0x1p90L) {
		at--;
		value = value * 0x1p32L +
			(long double) ((int64_t) digit(a->size, at) +
				       sign * (int64_t) digit(b->size, at));
	}
	value = ldexpl(value, (int) at * DIGIT);
	*off = ldexpl(at ? 2 : 0, (int) at * DIGIT) + fabsl(value) * 0x1p-50L;
	return a->negative ? -value : value;
}

static bool same_residues(const struct rspb_real *a, const struct rspb_real *b)
{
	for (size_t k = 0; k < RSPB_REAL_PRIMES; k++)
		if (a->residues[k] != b->residues[k])
			return false;
	return true;
}

int rspb_real_compare(struct rspb_reals *reals, const struct rspb_real *a,
		      const struct rspb_real *b)
{
	long double distance, off;

	if (a->infinite || b->infinite)
		return (int) a->infinite - (int) b->infinite;
	distance = apart(a, b, &off);
	if (fabsl(distance) > (off + a->radius + b->radius) * round_up)
		return distance < 0 ? -1 : 1;
	if (!same_residues(a, b))
		reals->vague = true;
	return 0;
}

void rspb_real_bounds(const struct rspb_reals *reals, const struct rspb_real *a,
		      long double *low, long double *high)
{
	long double middle = leading(a->size) * unit(reals);
	long double about = (a->radius * unit(reals) + middle * 0x1p-56L) *
			    round_up;

	if (a->negative)
		middle = -middle;
	*low = middle - about;
	*high = middle + about;
}

double rspb_real_double(const struct rspb_reals *reals, struct rspb_real a)
{
	double value;

	if (a.infinite)
		return HUGE_VAL;
	value = (double) (leading(a.size) * unit(reals));
	return a.negative && value > 0 ? -value : value;
}

struct sorting {
	struct rspb_reals *reals;
	const struct rspb_real *keys;
};

static bool before(size_t b, size_t a, void *arg)
{
	const struct sorting *sorting = arg;

	return rspb_real_compare(sorting->reals, &sorting->keys[b],
				 &sorting->keys[a]) < 0;
}

int rspb_real_order(struct rspb_reals *reals, const struct rspb_real *keys,
		    size_t n, size_t *order)
{
	size_t *scratch = rspb_pool_alloc(reals->pool, n * sizeof(*scratch));
	struct sorting sorting = { reals, keys };

	if (!scratch)
		return -1;
	for (size_t i = 0; i < n; i++)
		order[i] = i;
	rspb_stable_sort(order, scratch, n, before, &sorting);
	return 0;
}
