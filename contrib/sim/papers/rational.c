/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/papers/rational.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	MAX_EXPONENT = 400,
	MAX_TEXT = 1000,
	SHORT = 250 /* digits whose product is no infinite long double */
};

static struct rspb_rational reduce(struct rspb_pool *pool, bool negative,
				   struct rspb_natural num,
				   struct rspb_natural den)
{
	struct rspb_natural common;

	/* Whole numbers are the most frequent of all. */
	if (den.n == 1 && den.digits[0] == 1)
		return (struct rspb_rational){
			.negative = negative && !rspb_natural_zero(num),
			.num = num,
			.den = den,
		};
	common = rspb_natural_gcd(pool, num, den);
	/* A common divisor of no digits is lack of memory. */
	if (rspb_natural_bits(common) > 1) {
		num = rspb_natural_divide(pool, num, common, NULL);
		den = rspb_natural_divide(pool, den, common, NULL);
	}
	return (struct rspb_rational){
		.negative = negative && !rspb_natural_zero(num),
		.num = num,
		.den = den,
	};
}

struct rspb_rational rspb_rational_make(struct rspb_pool *pool, int64_t num,
					int64_t den)
{
	uint64_t size = num < 0 ? -(uint64_t) num : (uint64_t) num;

	assert(den > 0);
	return reduce(pool, num < 0, rspb_natural_make(pool, size),
		      rspb_natural_make(pool, (uint64_t) den));
}

struct rspb_rational rspb_rational_infinity(void)
{
	return (struct rspb_rational){ .infinite = true };
}

struct rspb_rational rspb_rational_copy(struct rspb_pool *pool,
					struct rspb_rational a)
{
	if (!a.infinite) {
		a.num = rspb_natural_copy(pool, a.num);
		a.den = rspb_natural_copy(pool, a.den);
	}
	return a;
}

static struct rspb_natural power_of_ten(struct rspb_pool *pool, uint32_t n)
{
	struct rspb_natural power = rspb_natural_make(pool, 1);
	struct rspb_natural ten = rspb_natural_make(pool, 10);

	while (n-- > 0)
		power = rspb_natural_mul(pool, power, ten);
	return power;
}

/* Digits with at most one point; *places is lowered by one for each digit
 * behind it. RET the first character that is not read, NULL: no digit. */
static const char *read_digits(struct rspb_pool *pool, const char *at,
			       struct rspb_natural *value, long *places)
{
	struct rspb_natural ten = rspb_natural_make(pool, 10);
	bool point = false, any = false;

	for (*value = rspb_natural_make(pool, 0);; at++) {
		if (*at == '.' && !point) {
			point = true;
			continue;
		}
		if (!isdigit((unsigned char) *at))
			return any ? at : NULL;
		any = true;
		*places -= point;
		*value = rspb_natural_mul(pool, *value, ten);
		*value = rspb_natural_add(
			pool, *value,
			rspb_natural_make(pool, (uint64_t) (*at - '0')));
	}
}

/* What follows the digits: an exponent, or '/' and a denominator. */
static int read_tail(struct rspb_pool *pool, const char *at, long *places,
		     struct rspb_natural *den)
{
	long none = 0;
	char *end;

	if (*at == '/') {
		at = read_digits(pool, at + 1, den, &none);
		return !at || *at || none || rspb_natural_zero(*den) ? -1 : 0;
	}
	if (*at == 'e' || *at == 'E') {
		if (!at[1] || isspace((unsigned char) at[1]))
			return -1;
		*places += strtol(at + 1, &end, 10);
		at = end;
	}
	return *at ? -1 : 0;
}

int rspb_rational_parse(struct rspb_pool *pool, const char *text,
			struct rspb_rational *out, struct rspb_err *err)
{
	struct rspb_natural num, den = rspb_natural_make(pool, 1);
	const char *at = text + (*text == '-');
	long places = 0;

	if (strlen(text) > MAX_TEXT)
		return rspb_fail(err, "a number of more than %d characters",
				 MAX_TEXT);
	at = read_digits(pool, at, &num, &places);
	if (!at || read_tail(pool, at, &places, &den))
		return rspb_fail(err,
				 "\"%s\" is not a number, such as 12, "
				 "0.35 or 1/3",
				 text);
	if (places > MAX_EXPONENT || places < -MAX_TEXT - MAX_EXPONENT)
		return rspb_fail(err, "\"%s\": an exponent beyond %d", text,
				 MAX_EXPONENT);
	if (places > 0)
		num = rspb_natural_mul(pool, num,
				       power_of_ten(pool, (uint32_t) places));
	else
		den = rspb_natural_mul(pool, den,
				       power_of_ten(pool, (uint32_t) -places));
	*out = reduce(pool, *text == '-', num, den);
	return 0;
}

/* a + b, or a - b. */
static struct rspb_rational sum(struct rspb_pool *pool, struct rspb_rational a,
				struct rspb_rational b, bool minus)
{
	struct rspb_natural x, y, den;
	bool other = b.negative != minus;

	if (a.infinite || b.infinite) {
		assert(!(minus && b.infinite));
		return rspb_rational_infinity();
	}
	x = rspb_natural_mul(pool, a.num, b.den);
	y = rspb_natural_mul(pool, b.num, a.den);
	den = rspb_natural_mul(pool, a.den, b.den);
	if (a.negative == other)
		return reduce(pool, other, rspb_natural_add(pool, x, y), den);
	if (rspb_natural_compare(x, y) >= 0)
		return reduce(pool, a.negative, rspb_natural_sub(pool, x, y),
			      den);
	return reduce(pool, other, rspb_natural_sub(pool, y, x), den);
}

struct rspb_rational rspb_rational_add(struct rspb_pool *pool,
				       struct rspb_rational a,
				       struct rspb_rational b)
{
	return sum(pool, a, b, false);
}

struct rspb_rational rspb_rational_sub(struct rspb_pool *pool,
				       struct rspb_rational a,
				       struct rspb_rational b)
{
	return sum(pool, a, b, true);
}

struct rspb_rational rspb_rational_mul(struct rspb_pool *pool,
				       struct rspb_rational a,
				       struct rspb_rational b)
{
	if (a.infinite || b.infinite) {
		assert(rspb_rational_sign(a) > 0 && rspb_rational_sign(b) > 0);
		return rspb_rational_infinity();
	}
	return reduce(pool, a.negative != b.negative,
		      rspb_natural_mul(pool, a.num, b.num),
		      rspb_natural_mul(pool, a.den, b.den));
}

struct rspb_rational rspb_rational_div(struct rspb_pool *pool,
				       struct rspb_rational a,
				       struct rspb_rational b)
{
	assert(!(a.infinite && b.infinite));
	if (b.infinite)
		return rspb_rational_make(pool, 0, 1);
	if (a.infinite)
		return a;
	assert(rspb_rational_sign(b) != 0 || rspb_pool_failed(pool));
	return reduce(pool, a.negative != b.negative,
		      rspb_natural_mul(pool, a.num, b.den),
		      rspb_natural_mul(pool, a.den, b.num));
}

struct rspb_rational rspb_rational_max(struct rspb_pool *pool,
				       struct rspb_rational a,
				       struct rspb_rational b)
{
	return rspb_rational_compare(pool, a, b) >= 0 ? a : b;
}

/* Within one part in 2^60 of a. */
static long double nearly(struct rspb_natural a)
{
	long double value = 0;

	for (uint32_t i = 0; i < 3 && i < a.n; i++)
		value = value * 0x1p32L + a.digits[a.n - 1 - i];
	return a.n > 3 ? ldexpl(value, (int) (a.n - 3) * 32) : value;
}

int rspb_rational_compare(struct rspb_pool *pool, struct rspb_rational a,
			  struct rspb_rational b)
{
	long double x, y;
	int order;

	if (a.infinite || b.infinite)
		return (int) a.infinite - (int) b.infinite;
	if (a.negative != b.negative)
		return a.negative ? -1 : 1;
	/* Nearly all comparisons are not close; those need no memory. */
	if (a.num.n + b.den.n < SHORT && b.num.n + a.den.n < SHORT) {
		x = nearly(a.num) * nearly(b.den);
		y = nearly(b.num) * nearly(a.den);
		if (fabsl(x - y) > (x + y) * 0x1p-48L)
			return (x < y) != a.negative ? -1 : 1;
	}
	order = rspb_natural_compare(rspb_natural_mul(pool, a.num, b.den),
				     rspb_natural_mul(pool, b.num, a.den));
	return a.negative ? -order : order;
}

int rspb_rational_sign(struct rspb_rational a)
{
	if (a.infinite)
		return 1;
	if (rspb_natural_zero(a.num))
		return 0;
	return a.negative ? -1 : 1;
}

double rspb_rational_double(struct rspb_pool *pool, struct rspb_rational a)
{
	struct rspb_natural num = a.num, den = a.den, q, rest;
	int64_t up;
	uint64_t top;
	double value;

	if (a.infinite)
		return HUGE_VAL;
	if (rspb_natural_zero(num) || rspb_natural_zero(den))
		return 0;
	/* A quotient of 62 or 63 bits, whose lowest is set when there is more
	 * behind it, rounds to 53 bits as the exact value would. */
	up = 62 + (int64_t) rspb_natural_bits(den) -
	     (int64_t) rspb_natural_bits(num);
	if (up > 0)
		num = rspb_natural_shift(pool, num, (uint64_t) up);
	else
		den = rspb_natural_shift(pool, den, (uint64_t) -up);
	q = rspb_natural_divide(pool, num, den, &rest);
	top = rspb_natural_value(q) | !rspb_natural_zero(rest);
	value = ldexp((double) top, (int) -up);
	return a.negative ? -value : value;
}

int rspb_rational_whole(struct rspb_pool *pool, struct rspb_rational a, bool up,
			int64_t *out, struct rspb_err *err)
{
	struct rspb_natural q, rest;
	uint64_t value;

	if (a.infinite)
		return rspb_fail(err, "infinity is not a whole number");
	q = rspb_natural_divide(pool, a.num, a.den, &rest);
	value = rspb_natural_value(q);
	if (value >= (UINT64_C(1) << 62))
		return rspb_fail(err, "a number of %llu bits is too large",
				 (unsigned long long) rspb_natural_bits(q));
	/* Away from 0 when what was asked for lies there. */
	if (!rspb_natural_zero(rest) && up != a.negative)
		value++;
	*out = a.negative ? -(int64_t) value : (int64_t) value;
	return 0;
}
