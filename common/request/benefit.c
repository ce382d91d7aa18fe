/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/request/benefit.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

/* Products of two ratios need more than 64 bits on the way. */
__extension__ typedef __int128 wide;

static wide wide_gcd(wide a, wide b)
{
	while (b) {
		wide rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/*
 * num / den (num >= 0, den > 0) in lowest terms. What comes from text fits;
 * where it would not, both lose their lowest bits alike.
 */
static struct rspb_ratio ratio(wide num, wide den)
{
	wide common = wide_gcd(num, den);

	num /= common;
	den /= common;
	while (num > RSPB_RATIO_MOST || den > RSPB_RATIO_MOST) {
		num >>= 1;
		den >>= 1;
	}
	return (struct rspb_ratio){ (int64_t) num, den ? (int64_t) den : 1 };
}

struct rspb_ratio rspb_ratio_times(struct rspb_ratio a, struct rspb_ratio b)
{
	return ratio((wide) a.num * b.num, (wide) a.den * b.den);
}

/* RET a - b; b must not be above a, because there are no ratios below 0. */
static struct rspb_ratio minus(struct rspb_ratio a, struct rspb_ratio b)
{
	return ratio((wide) a.num * b.den - (wide) b.num * a.den, (wide) a.den * b.den);
}

struct rspb_ratio rspb_ratio_plus(struct rspb_ratio a, struct rspb_ratio b)
{
	return ratio((wide) a.num * b.den + (wide) b.num * a.den, (wide) a.den * b.den);
}

struct rspb_ratio rspb_ratio_over(struct rspb_ratio a, struct rspb_ratio b)
{
	assert(b.num > 0);
	return ratio((wide) a.num * b.den, (wide) a.den * b.num);
}

int rspb_ratio_compare(struct rspb_ratio a, struct rspb_ratio b)
{
	wide left = (wide) a.num * b.den, right = (wide) b.num * a.den;

	return left < right ? -1 : left > right;
}

double rspb_ratio_double(struct rspb_ratio a)
{
	return a.den ? (double) a.num / (double) a.den : 0;
}

struct rspb_ratio rspb_ratio_make(int64_t num, int64_t den)
{
	assert(num >= 0 && den > 0);
	return ratio(num, den);
}

static bool same(struct rspb_ratio a, struct rspb_ratio b)
{
	return !rspb_ratio_compare(a, b);
}

bool rspb_benefit_equal(const struct rspb_benefit *a, const struct rspb_benefit *b)
{
	/* With a single point there is nothing between points, so `steps` says nothing. */
	if (a->n_points != b->n_points || (a->n_points > 1 && a->steps != b->steps))
		return false;
	for (uint32_t i = 0; i < a->n_points; i++)
		if (!same(a->points[i].fraction, b->points[i].fraction) ||
		    !same(a->points[i].benefit, b->points[i].benefit))
			return false;
	return true;
}

static const struct rspb_benefit_point *last(const struct rspb_benefit *b)
{
	return &b->points[b->n_points - 1];
}

/* Check one point by itself and against the one before it. Texts may come from users and from
 * the journal. RET 0, or -1 with err. */
static int validate_point(const struct rspb_benefit *benefit, uint32_t i, struct rspb_err *err)
{
	const struct rspb_benefit_point *p = &benefit->points[i];
	const struct rspb_ratio one = { 1, 1 };

	/* A comparison with a denominator of 0 or below would mean nothing, so these are refused
	 * first. */
	if (p->fraction.den <= 0 || p->benefit.den <= 0 || p->fraction.num < 0 ||
	    p->benefit.num < 0 || rspb_ratio_compare(p->fraction, one) > 0 ||
	    rspb_ratio_compare(p->benefit, one) > 0)
		return rspb_fail(err,
				 "point %" PRIu32 " is out of range; "
				 "fraction and benefit must lie in 0 to 1",
				 i + 1);
	if (!i)
		return 0;
	if (rspb_ratio_compare(p[-1].fraction, p->fraction) >= 0)
		return rspb_fail(err,
				 "point %" PRIu32 " has no larger fraction"
				 " than the one before; fractions must rise",
				 i + 1);
	if (rspb_ratio_compare(p[-1].benefit, p->benefit) > 0)
		return rspb_fail(err,
				 "point %" PRIu32 " has less benefit than "
				 "the one before; benefits must not fall",
				 i + 1);
	return 0;
}

int rspb_benefit_validate(const struct rspb_benefit *benefit, struct rspb_err *err)
{
	if (!benefit->n_points || benefit->n_points > RSPB_BENEFIT_POINTS)
		return rspb_fail(err, "%" PRIu32 " points; allowed are 1 to %d", benefit->n_points,
				 RSPB_BENEFIT_POINTS);
	for (uint32_t i = 0; i < benefit->n_points; i++)
		if (validate_point(benefit, i, err) < 0)
			return -1;
	/* Without any benefit nothing could ever be granted. */
	if (!last(benefit)->benefit.num)
		return rspb_fail(err, "the last point has no benefit; it must "
				      "be above 0");
	/* All fractions rise, so such a point is the only one. */
	if (!last(benefit)->fraction.num)
		return rspb_fail(err, "the last point has fraction 0; it must "
				      "be above 0");
	return 0;
}

/* The value between points i and i + 1 at fraction x. */
static struct rspb_ratio between(const struct rspb_benefit *benefit, uint32_t i,
				 struct rspb_ratio x)
{
	const struct rspb_benefit_point *a = &benefit->points[i], *b = a + 1;
	/* The fractions rise, so the divisor is above 0. */
	struct rspb_ratio way = rspb_ratio_over(minus(x, a->fraction),
						minus(b->fraction, a->fraction));

	return rspb_ratio_plus(a->benefit, rspb_ratio_times(way, minus(b->benefit, a->benefit)));
}

/* RET the last point at or below fraction x, -1 when x is below all. */
static int64_t point_below(const struct rspb_benefit *benefit, struct rspb_ratio x)
{
	int64_t i = (int64_t) benefit->n_points - 1;

	/* A function has few points, so a walk will do. */
	while (i >= 0 && rspb_ratio_compare(benefit->points[i].fraction, x) > 0)
		i--;
	return i;
}

/* RET the benefit at a fraction: 0 below the first point, and that of the last one from there
 * on. */
static struct rspb_ratio value_at(const struct rspb_benefit *benefit, struct rspb_ratio x)
{
	int64_t i = point_below(benefit, x);

	if (i < 0)
		return (struct rspb_ratio){ 0, 1 };
	if (benefit->steps || i == (int64_t) benefit->n_points - 1)
		return benefit->points[i].benefit;
	return between(benefit, (uint32_t) i, x);
}

struct rspb_ratio rspb_benefit_value(const struct rspb_benefit *benefit, int64_t granted,
				     int64_t asked)
{
	/* Nothing granted is worth nothing, even if the function begins at fraction 0. */
	if (granted <= 0 || asked <= 0)
		return (struct rspb_ratio){ 0, 1 };
	return value_at(benefit, ratio(granted, asked));
}

struct rspb_ratio rspb_benefit_left(const struct rspb_benefit *benefit, int64_t left, int64_t slack)
{
	/* A window with a single start has its first start then. A start before the ready time
	 * counts as the first one, too. */
	if (slack <= 0 || left > slack)
		left = slack = 1;
	return value_at(benefit, ratio(left > 0 ? left : 0, slack));
}

/* RET the first point with the benefit of point i. Benefits never fall, so all points between
 * have it, too. */
static uint32_t plateau(const struct rspb_benefit *benefit, uint32_t i)
{
	while (i && same(benefit->points[i - 1].benefit, benefit->points[i].benefit))
		i--;
	return i;
}

/* RET the least whole units that reach a fraction of what was asked, at least 1: a grant of
 * nothing is none. */
static int64_t units(struct rspb_ratio fraction, int64_t asked)
{
	wide n = ((wide) fraction.num * asked + fraction.den - 1) / fraction.den;

	return n < 1 ? 1 : (int64_t) n;
}

int64_t rspb_benefit_min_units(const struct rspb_benefit *benefit, int64_t asked)
{
	return units(benefit->points[0].fraction, asked);
}

int64_t rspb_benefit_max_units(const struct rspb_benefit *benefit, int64_t asked)
{
	/* The plateau of the last point begins at the least fraction that has the full benefit. */
	uint32_t i = plateau(benefit, benefit->n_points - 1);

	return units(benefit->points[i].fraction, asked);
}

int64_t rspb_benefit_trim(const struct rspb_benefit *benefit, int64_t granted, int64_t asked)
{
	struct rspb_ratio value = rspb_benefit_value(benefit, granted, asked);
	int64_t i;

	/* Below the minimum the value is 0 everywhere, and there is no point below. */
	if (granted < rspb_benefit_min_units(benefit, asked))
		return granted;
	i = point_below(benefit, ratio(granted, asked));
	/* On a slope every unit counts. */
	if (!same(benefit->points[i].benefit, value))
		return granted;
	return units(benefit->points[plateau(benefit, (uint32_t) i)].fraction, asked);
}

int rspb_benefit_keep(struct rspb_benefit **at, const struct rspb_benefit *benefit)
{
	bool any = benefit && benefit->n_points;
	struct rspb_benefit *copy = any ? malloc(sizeof(*copy)) : NULL;

	if (any && !copy)
		return -1;
	if (copy)
		*copy = *benefit;
	/* The copy is made by now, so that `benefit` may be what *at owned. */
	free(*at);
	*at = copy;
	return 0;
}
