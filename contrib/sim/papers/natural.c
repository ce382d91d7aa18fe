/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/papers/natural.h"

#include <string.h>

enum { DIGIT = 32 }; /* bits of a digit */

static struct rspb_natural finish(uint32_t *digits, uint32_t n)
{
	while (digits && n && !digits[n - 1])
		n--;
	return (struct rspb_natural){ digits ? n : 0, digits };
}

static uint32_t *room(struct rspb_pool *pool, uint32_t n)
{
	return rspb_pool_alloc(pool, n * sizeof(uint32_t));
}

struct rspb_natural rspb_natural_make(struct rspb_pool *pool, uint64_t value)
{
	uint32_t *digits = room(pool, 2);

	if (digits) {
		digits[0] = (uint32_t) value;
		digits[1] = (uint32_t) (value >> DIGIT);
	}
	return finish(digits, 2);
}

struct rspb_natural rspb_natural_copy(struct rspb_pool *pool,
				      struct rspb_natural a)
{
	uint32_t *digits = room(pool, a.n);

	if (digits && a.n)
		memcpy(digits, a.digits, a.n * sizeof(*digits));
	return finish(digits, a.n);
}

bool rspb_natural_zero(struct rspb_natural a)
{
	return a.n == 0;
}

int rspb_natural_compare(struct rspb_natural a, struct rspb_natural b)
{
	if (a.n != b.n)
		return a.n < b.n ? -1 : 1;
	for (uint32_t i = a.n; i-- > 0;)
		if (a.digits[i] != b.digits[i])
			return a.digits[i] < b.digits[i] ? -1 : 1;
	return 0;
}

uint64_t rspb_natural_bits(struct rspb_natural a)
{
	if (!a.n)
		return 0;
	return (uint64_t) a.n * DIGIT -
	       (uint64_t) __builtin_clz(a.digits[a.n - 1]);
}

uint64_t rspb_natural_value(struct rspb_natural a)
{
	if (a.n > 2)
		return UINT64_MAX;
	return (a.n > 0 ? a.digits[0] : 0) |
	       (a.n > 1 ? (uint64_t) a.digits[1] << DIGIT : 0);
}

struct rspb_natural rspb_natural_add(struct rspb_pool *pool,
				     struct rspb_natural a,
				     struct rspb_natural b)
{
	uint32_t n = (a.n > b.n ? a.n : b.n) + 1;
	uint32_t *digits = room(pool, n);
	uint64_t carry = 0;

	for (uint32_t i = 0; digits && i < n; i++) {
		carry += (uint64_t) (i < a.n ? a.digits[i] : 0) +
			 (i < b.n ? b.digits[i] : 0);
		digits[i] = (uint32_t) carry;
		carry >>= DIGIT;
	}
	return finish(digits, n);
}

struct rspb_natural rspb_natural_sub(struct rspb_pool *pool,
				     struct rspb_natural a,
				     struct rspb_natural b)
{
	uint32_t *digits = room(pool, a.n);
	int64_t borrow = 0;

	for (uint32_t i = 0; digits && i < a.n; i++) {
		borrow += (int64_t) a.digits[i] -
			  (int64_t) (i < b.n ? b.digits[i] : 0);
		digits[i] = (uint32_t) borrow;
		borrow >>= DIGIT;
	}
	return finish(digits, a.n);
}

struct rspb_natural rspb_natural_mul(struct rspb_pool *pool,
				     struct rspb_natural a,
				     struct rspb_natural b)
{
	uint32_t *digits = room(pool, a.n + b.n);
	uint64_t carry;

	for (uint32_t i = 0; digits && i < a.n; i++) {
		carry = 0;
		for (uint32_t j = 0; j < b.n; j++) {
			carry += (uint64_t) a.digits[i] * b.digits[j] +
				 digits[i + j];
			digits[i + j] = (uint32_t) carry;
			carry >>= DIGIT;
		}
		digits[i + b.n] = (uint32_t) carry;
	}
	return finish(digits, a.n + b.n);
}

struct rspb_natural rspb_natural_shift(struct rspb_pool *pool,
				       struct rspb_natural a, uint64_t bits)
{
	uint32_t whole = (uint32_t) (bits / DIGIT), part = bits % DIGIT;
	uint32_t n = a.n + whole + 1;
	uint32_t *digits = room(pool, n);
	uint64_t wide;

	for (uint32_t i = 0; digits && i < a.n; i++) {
		wide = (uint64_t) a.digits[i] << part;
		digits[i + whole] |= (uint32_t) wide;
		digits[i + whole + 1] = (uint32_t) (wide >> DIGIT);
	}
	return finish(digits, n);
}

/* rest -= q * b at offset `at`, b shifted so that its top bit is set; puts one
 * b back and RET q - 1 when q was one too much. */
static uint32_t subtract_multiple(uint32_t *rest, struct rspb_natural b,
				  uint32_t at, uint64_t q)
{
	int64_t borrow = 0;
	uint64_t carry = 0;

	for (uint32_t i = 0; i <= b.n; i++) {
		carry += q * (i < b.n ? b.digits[i] : 0);
		borrow += (int64_t) rest[at + i] - (int64_t) (uint32_t) carry;
		rest[at + i] = (uint32_t) borrow;
		borrow >>= DIGIT;
		carry >>= DIGIT;
	}
	if (borrow == 0)
		return (uint32_t) q;
	carry = 0;
	for (uint32_t i = 0; i <= b.n; i++) {
		carry += (uint64_t) rest[at + i] + (i < b.n ? b.digits[i] : 0);
		rest[at + i] = (uint32_t) carry;
		carry >>= DIGIT;
	}
	return (uint32_t) q - 1;
}

/* Long division by a single digit. */
static struct rspb_natural divide_short(struct rspb_pool *pool,
					struct rspb_natural a, uint32_t by,
					struct rspb_natural *rest)
{
	uint32_t *digits = room(pool, a.n);
	uint64_t left = 0;

	for (uint32_t i = a.n; digits && i-- > 0;) {
		left = left << DIGIT | a.digits[i];
		digits[i] = (uint32_t) (left / by);
		left %= by;
	}
	if (rest)
		*rest = rspb_natural_make(pool, left);
	return finish(digits, a.n);
}

/* The digit that divides the top of rest by b, at most one too much. */
static uint64_t guess_digit(const uint32_t *rest, struct rspb_natural b,
			    uint32_t at)
{
	uint64_t top = (uint64_t) rest[at + b.n] << DIGIT | rest[at + b.n - 1];
	uint64_t q = top / b.digits[b.n - 1], r = top % b.digits[b.n - 1];

	while (r <= UINT32_MAX &&
	       (q > UINT32_MAX ||
		q * b.digits[b.n - 2] > (r << DIGIT | rest[at + b.n - 2]))) {
		q--;
		r += b.digits[b.n - 1];
	}
	return q;
}

static struct rspb_natural shift_down(struct rspb_pool *pool,
				      const uint32_t *from, uint32_t n,
				      uint32_t bits)
{
	uint32_t *digits = room(pool, n);

	for (uint32_t i = 0; digits && i < n; i++) {
		digits[i] = from[i] >> bits;
		if (bits && i + 1 < n)
			digits[i] |= from[i + 1] << (DIGIT - bits);
	}
	return finish(digits, n);
}

struct rspb_natural rspb_natural_divide(struct rspb_pool *pool,
					struct rspb_natural a,
					struct rspb_natural b,
					struct rspb_natural *rest)
{
	struct rspb_natural scaled;
	uint32_t *work, *digits, up;

	if (rspb_natural_compare(a, b) < 0 || b.n == 0) {
		if (rest)
			*rest = a;
		return finish(NULL, 0);
	}
	if (b.n == 1)
		return divide_short(pool, a, b.digits[0], rest);
	up = (uint32_t) __builtin_clz(b.digits[b.n - 1]);
	scaled = rspb_natural_shift(pool, a, up);
	b = rspb_natural_shift(pool, b, up);
	work = room(pool, a.n + 1);
	digits = room(pool, a.n - b.n + 1);
	if (!work || !digits || rspb_pool_failed(pool)) {
		if (rest)
			*rest = finish(NULL, 0);
		return finish(NULL, 0);
	}
	memcpy(work, scaled.digits, scaled.n * sizeof(*work));
	for (uint32_t at = a.n - b.n + 1; at-- > 0;)
		digits[at] = subtract_multiple(work, b, at,
					       guess_digit(work, b, at));
	if (rest)
		*rest = shift_down(pool, work, b.n, up);
	return finish(digits, a.n - b.n + 1);
}

/* Cofactors of several steps of Euclid's method at once. */
struct steps {
	int64_t a, b, c, d;
};

/* The top 62 bits of x, counted from `bits`. */
static int64_t leading(struct rspb_natural x, uint64_t bits)
{
	uint64_t drop = bits - 62, word = drop / DIGIT, value = 0;
	uint32_t part = drop % DIGIT;

	for (uint32_t i = 3; i-- > 0;) {
		uint64_t digit = word + i < x.n ? x.digits[word + i] : 0;

		if (i == 2 && part)
			value = digit << (2 * DIGIT - part);
		else if (i == 1)
			value |= digit << (DIGIT - part);
		else if (i == 0)
			value |= digit >> part;
	}
	return (int64_t) (value & ((UINT64_C(1) << 62) - 1));
}

static struct steps lehmer(int64_t x, int64_t y)
{
	struct steps s = { 1, 0, 0, 1 };
	int64_t q, t;

	while (y + s.c > 0 && y + s.d > 0) {
		struct steps next;

		q = (x + s.a) / (y + s.c);
		if (q != (x + s.b) / (y + s.d) || q > INT32_MAX)
			break;
		next.a = s.c;
		next.b = s.d;
		next.c = s.a - q * s.c;
		next.d = s.b - q * s.d;
		if (next.c > INT32_MAX || next.c < -INT32_MAX ||
		    next.d > INT32_MAX || next.d < -INT32_MAX)
			break;
		t = x - q * y;
		x = y;
		y = t;
		s = next;
	}
	return s;
}

/* p a + q b where one of p, q is not positive and the sum is not negative. */
static struct rspb_natural combine(struct rspb_pool *pool,
				   struct rspb_natural a, int64_t p,
				   struct rspb_natural b, int64_t q)
{
	uint32_t *digits = room(pool, a.n + 1);
	__int128 sum = 0;

	for (uint32_t i = 0; digits && i <= a.n; i++) {
		sum += (__int128) p * (i < a.n ? a.digits[i] : 0) +
		       (__int128) q * (i < b.n ? b.digits[i] : 0);
		digits[i] = (uint32_t) sum;
		sum >>= DIGIT;
	}
	return finish(digits, a.n + 1);
}

struct rspb_natural rspb_natural_gcd(struct rspb_pool *pool,
				     struct rspb_natural a,
				     struct rspb_natural b)
{
	struct rspb_natural rest;
	struct steps s;
	uint64_t x, y, t;

	if (rspb_natural_compare(a, b) < 0) {
		rest = a;
		a = b;
		b = rest;
	}
	while (b.n > 2 && !rspb_pool_failed(pool)) {
		uint64_t bits = rspb_natural_bits(a);

		s = lehmer(leading(a, bits), leading(b, bits));
		if (s.b == 0) {
			rspb_natural_divide(pool, a, b, &rest);
			a = b;
			b = rest;
			continue;
		}
		rest = combine(pool, a, s.a, b, s.b);
		b = combine(pool, a, s.c, b, s.d);
		a = rest;
	}
	if (rspb_natural_zero(b))
		return a;
	rspb_natural_divide(pool, a, b, &rest);
	for (x = rspb_natural_value(b), y = rspb_natural_value(rest); y;) {
		t = x % y;
		x = y;
		y = t;
	}
	return rspb_natural_make(pool, x);
}
