/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/papers/rational.h"

#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_EXPONENT = 400, MAX_TEXT = 1000 };

struct rspb_rational rspb_rational_make(struct rspb_pool *pool, int64_t num, int64_t den)
{
	mpq_ptr value = rspb_pool_fraction(pool);

	assert(den > 0);
	mpq_set_si(value, num, (unsigned long) den);
	mpq_canonicalize(value);
	return (struct rspb_rational){ .value = value };
}

struct rspb_rational rspb_rational_infinity(void)
{
	return (struct rspb_rational){ .infinite = true };
}

/* Digits with at most one point; *places is lowered by one for each digit
 * behind it. RET the first character that is not read, NULL: no digit. */
static const char *read_digits(const char *at, mpz_ptr value, long *places)
{
	char digits[MAX_TEXT + 1];
	size_t n = 0;
	bool point = false;

	for (; isdigit((unsigned char) *at) || (*at == '.' && !point); at++) {
		if (*at == '.') {
			point = true;
			continue;
		}
		*places -= point;
		digits[n++] = *at;
	}
	digits[n] = 0;
	return mpz_set_str(value, digits, 10) ? NULL : at;
}

/* Read what follows the digits: an exponent, or '/' and a denominator. */
static int read_tail(const char *at, long *places, mpz_ptr den)
{
	long none = 0;
	char *end;

	if (*at == '/') {
		at = read_digits(at + 1, den, &none);
		return !at || *at || none || !mpz_sgn(den) ? -1 : 0;
	}
	if (*at == 'e' || *at == 'E') {
		if (!at[1] || isspace((unsigned char) at[1]))
			return -1;
		*places += strtol(at + 1, &end, 10);
		at = end;
	}
	return *at ? -1 : 0;
}

int rspb_rational_parse(struct rspb_pool *pool, const char *text, struct rspb_rational *out,
			struct rspb_err *err)
{
	mpq_ptr value = rspb_pool_fraction(pool);
	mpz_ptr power = rspb_pool_whole(pool);
	const char *at = text + (*text == '-');
	long places = 0;

	if (strlen(text) > MAX_TEXT)
		return rspb_fail(err, "a number of more than %d characters", MAX_TEXT);
	at = read_digits(at, mpq_numref(value), &places);
	if (!at || read_tail(at, &places, mpq_denref(value)))
		return rspb_fail(err,
				 "\"%s\" is not a number, such as 12, "
				 "0.35 or 1/3",
				 text);
	if (places > MAX_EXPONENT || places < -MAX_TEXT - MAX_EXPONENT)
		return rspb_fail(err, "\"%s\": an exponent beyond %d", text, MAX_EXPONENT);
	mpz_ui_pow_ui(power, 10, (unsigned long) labs(places));
	if (places > 0)
		mpz_mul(mpq_numref(value), mpq_numref(value), power);
	else
		mpz_mul(mpq_denref(value), mpq_denref(value), power);
	mpq_canonicalize(value);
	if (*text == '-')
		mpq_neg(value, value);
	out->infinite = false;
	out->value = value;
	return 0;
}

/* Apply one of GMP's operations to two finite numbers. */
static struct rspb_rational calculate(struct rspb_pool *pool,
				      void (*operation)(mpq_ptr, mpq_srcptr, mpq_srcptr),
				      struct rspb_rational a, struct rspb_rational b)
{
	mpq_ptr value = rspb_pool_fraction(pool);

	operation(value, a.value, b.value);
	return (struct rspb_rational){ .value = value };
}

struct rspb_rational rspb_rational_add(struct rspb_pool *pool, struct rspb_rational a,
				       struct rspb_rational b)
{
	if (a.infinite || b.infinite)
		return rspb_rational_infinity();
	return calculate(pool, mpq_add, a, b);
}

struct rspb_rational rspb_rational_sub(struct rspb_pool *pool, struct rspb_rational a,
				       struct rspb_rational b)
{
	assert(!b.infinite);
	if (a.infinite)
		return a;
	return calculate(pool, mpq_sub, a, b);
}

struct rspb_rational rspb_rational_mul(struct rspb_pool *pool, struct rspb_rational a,
				       struct rspb_rational b)
{
	if (a.infinite || b.infinite) {
		assert(rspb_rational_sign(a) > 0 && rspb_rational_sign(b) > 0);
		return rspb_rational_infinity();
	}
	return calculate(pool, mpq_mul, a, b);
}

struct rspb_rational rspb_rational_div(struct rspb_pool *pool, struct rspb_rational a,
				       struct rspb_rational b)
{
	assert(!(a.infinite && b.infinite));
	if (b.infinite)
		return rspb_rational_make(pool, 0, 1);
	if (a.infinite)
		return a;
	assert(rspb_rational_sign(b) != 0);
	return calculate(pool, mpq_div, a, b);
}

struct rspb_rational rspb_rational_max(struct rspb_rational a, struct rspb_rational b)
{
	return rspb_rational_compare(a, b) >= 0 ? a : b;
}

int rspb_rational_compare(struct rspb_rational a, struct rspb_rational b)
{
	int order;

	if (a.infinite || b.infinite)
		return (int) a.infinite - (int) b.infinite;
	order = mpq_cmp(a.value, b.value);
	return (order > 0) - (order < 0);
}

int rspb_rational_sign(struct rspb_rational a)
{
	return a.infinite ? 1 : mpq_sgn(a.value);
}

double rspb_rational_double(struct rspb_rational a)
{
	mpz_t num, den;
	int64_t up;
	unsigned long top;
	double size;

	if (a.infinite)
		return HUGE_VAL;
	if (!mpq_sgn(a.value))
		return 0;
	mpz_init_set(num, mpq_numref(a.value));
	mpz_init_set(den, mpq_denref(a.value));
	/* A quotient of 62 or 63 bits, whose lowest is set when there is more
	 * behind it, rounds to 53 bits as the exact value would. */
	up = 62 + (int64_t) mpz_sizeinbase(den, 2) - (int64_t) mpz_sizeinbase(num, 2);
	if (up > 0)
		mpz_mul_2exp(num, num, (mp_bitcnt_t) up);
	else
		mpz_mul_2exp(den, den, (mp_bitcnt_t) -up);
	mpz_tdiv_qr(num, den, num, den);
	top = mpz_get_ui(num) | (mpz_sgn(den) != 0);
	mpz_clear(num);
	mpz_clear(den);
	size = ldexp((double) top, (int) -up);
	return mpq_sgn(a.value) < 0 ? -size : size;
}

int rspb_rational_whole(struct rspb_rational a, bool up, int64_t *out, struct rspb_err *err)
{
	mpz_t whole;
	size_t bits;

	if (a.infinite)
		return rspb_fail(err, "infinity is not a whole number");
	mpz_init(whole);
	(up ? mpz_cdiv_q : mpz_fdiv_q)(whole, mpq_numref(a.value), mpq_denref(a.value));
	bits = mpz_sizeinbase(whole, 2);
	if (bits <= 62)
		*out = mpz_get_si(whole);
	mpz_clear(whole);
	return bits <= 62 ? 0 : rspb_fail(err, "a number of %zu bits is too large", bits);
}
