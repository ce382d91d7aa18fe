/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Benefit functions as text: --benefit=SHAPE[:MIN%] or points. */
#include <inttypes.h>
#include <string.h>

#include "common/base/names.h"
#include "common/request/benefit.h"

/* A value with more decimals than that is written as a ratio, which is exact. */
static const int64_t decimals_scale = 1000000;

int rspb_ratio_parse(const char *text, size_t len, struct rspb_ratio *out, struct rspb_err *err)
{
	/* A slash separates two whole numbers, for values such as 1/3, which have no exact
	 * decimals. */
	const char *slash = memchr(text, '/', len);
	int64_t num, den;

	if (slash) {
		size_t n = (size_t) (slash - text);

		if (rspb_text_whole(text, n, 0, RSPB_RATIO_MOST, &num, err) < 0 ||
		    rspb_text_whole(slash + 1, len - n - 1, 1, RSPB_RATIO_MOST, &den, err) < 0)
			return -1;
	} else {
		bool percent = len && text[len - 1] == '%';

		if (rspb_text_decimal(text, len - percent, &num, &den, err) < 0)
			return -1;
		/* At most six decimals times 100 fit by far. */
		den *= percent ? 100 : 1;
	}
	if (num > den) {
		struct rspb_quote quote;

		return rspb_fail(err,
				 "%s is out of range; allowed is 0 to 1 "
				 "or 0%% to 100%%",
				 rspb_text_quote(&quote, text, len));
	}
	*out = rspb_ratio_make(num, den);
	return 0;
}

/* Read a fraction or a benefit of a point. Fine denominators would make the values between
 * points inexact, so they are refused (RSPB_POINT_DEN). RET 0, or -1 with err. */
static int parse_coordinate(const char *text, size_t len, struct rspb_ratio *out,
			    struct rspb_err *err)
{
	struct rspb_quote quote;

	if (rspb_ratio_parse(text, len, out, err) < 0)
		return -1;
	if (out->den > RSPB_POINT_DEN)
		return rspb_fail(err,
				 "%s is too fine; allowed are ratios with "
				 "a denominator of at most %d",
				 rspb_text_quote(&quote, text, len), RSPB_POINT_DEN);
	return 0;
}

/* Parse one point, "25%@0.4". */
static int parse_point(const char *text, size_t len, uint32_t i, struct rspb_benefit *out,
		       struct rspb_err *err)
{
	const char *at = memchr(text, '@', len);
	struct rspb_quote quote;
	size_t n;

	if (!at)
		return rspb_fail(err,
				 "'%s' is not a point; allowed is "
				 "FRACTION@BENEFIT as in 25%%@0.4",
				 rspb_text_quote(&quote, text, len));
	n = (size_t) (at - text);
	if (parse_coordinate(text, n, &out->points[i].fraction, err) < 0 ||
	    parse_coordinate(at + 1, len - n - 1, &out->points[i].benefit, err) < 0)
		return rspb_fail_at(err, "point %" PRIu32, i + 1);
	return 0;
}

/* Read points up to the end of the text, and check them together. RET 0, or -1 with err. */
static int parse_points(const char *text, struct rspb_benefit *out, struct rspb_err *err)
{
	static const char steps[] = "steps:";

	if (!strncmp(text, steps, sizeof(steps) - 1)) {
		out->steps = true;
		text += sizeof(steps) - 1;
	}
	for (;;) {
		size_t len = strcspn(text, ",");

		if (out->n_points == RSPB_BENEFIT_POINTS)
			return rspb_fail(err,
					 "too many points; allowed are 1 "
					 "to %d",
					 RSPB_BENEFIT_POINTS);
		if (parse_point(text, len, out->n_points++, out, err) < 0)
			return -1;
		if (!text[len])
			break;
		text += len + 1;
	}
	/* A single point has nothing between points; equal functions must print alike. */
	if (out->n_points == 1)
		out->steps = false;
	return rspb_benefit_validate(out, err);
}

/* Print the shapes as a user may write them: "hard, linear[:MIN%], ...". */
static void list_shapes(char *buf, size_t size)
{
	struct rspb_text out = rspb_text_over(buf, size);

	for (const struct rspb_shape *s = rspb_shapes; s->name; s++)
		rspb_text_add(&out, "%s%s%s", s == rspb_shapes ? "" : ", ", s->name,
			      s == rspb_shapes ? "" : "[:MIN%]");
}

/* Read the name of a shape, with a minimum if there is a colon. RET 0, or -1 with err. */
static int parse_shape(const char *text, struct rspb_benefit *out, struct rspb_err *err)
{
	size_t n = strcspn(text, ":");
	const struct rspb_shape *shape = NULL;
	struct rspb_ratio least = { 0, 0 };
	struct rspb_quote name;
	char allowed[160];
	int64_t percent;

	/* A quote is cut, so a longer name must not be looked up by it. */
	if (n < sizeof(name.text))
		shape = rspb_shape_find(rspb_text_quote(&name, text, n));
	if (!shape) {
		list_shapes(allowed, sizeof(allowed));
		return rspb_fail(err,
				 "'%s' is not a shape; allowed are %s, or "
				 "points as in 25%%@0.4,100%%@1",
				 rspb_text_quote(&name, text, n), allowed);
	}
	if (text[n]) {
		/* The first row is "hard". */
		if (shape == rspb_shapes)
			return rspb_fail(err,
					 "%s takes no minimum; it is all "
					 "or nothing",
					 shape->name);
		if (rspb_text_percent(text + n + 1, strlen(text + n + 1), 1, 10000, &percent, err) <
		    0)
			return rspb_fail_at(err, "the minimum of %s", shape->name);
		least = rspb_ratio_make(percent, 10000);
	}
	rspb_shape_draw(shape, least, out);
	return 0;
}

int rspb_benefit_parse(const char *text, struct rspb_benefit *out, struct rspb_err *err)
{
	/* A failure leaves *out as it was, so the points go to a copy first. */
	struct rspb_benefit parsed = { .steps = false };
	/* No name of a shape has a "@" in it. */
	bool points = strchr(text, '@') || !strncmp(text, "steps:", 6);

	if (points ? parse_points(text, &parsed, err) : parse_shape(text, &parsed, err))
		return -1;
	*out = parsed;
	return 0;
}

void rspb_ratio_print(struct rspb_ratio r, struct rspb_text *out)
{
	int64_t whole, rest;
	int width = 6;

	/* Only denominators that divide the scale have no more than six decimals. */
	if (decimals_scale % r.den) {
		rspb_text_add(out, "%" PRId64 "/%" PRId64, r.num, r.den);
		return;
	}
	whole = r.num / r.den;
	rest = r.num % r.den * (decimals_scale / r.den);
	rspb_text_add(out, "%" PRId64, whole);
	if (!rest)
		return;
	/* Trailing zeros say nothing. */
	for (; rest % 10 == 0; width--)
		rest /= 10;
	rspb_text_add(out, ".%0*" PRId64, width, rest);
}

/* RET whether the function is a shape with a minimum that text can name. */
static bool print_shape(const struct rspb_benefit *benefit, struct rspb_text *out)
{
	struct rspb_ratio least = benefit->points[0].fraction;
	struct rspb_benefit drawn;

	/* A minimum is written in hundredths of a percent, and 0 is no minimum. */
	if (!least.num || 10000 % least.den)
		return false;
	/* Drawing each shape with the same minimum finds the one that this function is, if it is
	 * one. */
	for (const struct rspb_shape *s = rspb_shapes; s->name; s++) {
		rspb_shape_draw(s, least, &drawn);
		if (!rspb_benefit_equal(benefit, &drawn))
			continue;
		rspb_text_add(out, "%s", s->name);
		if (s != rspb_shapes) {
			rspb_text_add(out, ":");
			rspb_text_add_percent(out, least.num * (10000 / least.den));
		}
		return true;
	}
	return false;
}

size_t rspb_benefit_print(const struct rspb_benefit *benefit, char *buf, size_t size)
{
	struct rspb_text out = rspb_text_over(buf, size);

	if (print_shape(benefit, &out))
		return out.len;
	if (benefit->steps && benefit->n_points > 1)
		rspb_text_add(&out, "steps:");
	for (uint32_t i = 0; i < benefit->n_points; i++) {
		rspb_text_add(&out, i ? "," : "");
		rspb_ratio_print(benefit->points[i].fraction, &out);
		rspb_text_add(&out, "@");
		rspb_ratio_print(benefit->points[i].benefit, &out);
	}
	return out.len;
}

int rspb_benefit_read(struct rspb_benefit **at, const char *text, struct rspb_err *err)
{
	struct rspb_benefit made;

	if (rspb_benefit_parse(text, &made, err))
		return -1;
	return rspb_benefit_keep(at, &made) ? rspb_fail(err, "out of memory") : 0;
}

/* --- the table of named benefit functions (thesis, figure 1.1 and section 3.2) --- */

/* 1 - (1 - v) (1 - least) / (1 - own), 0 where that is negative; v and own in
 * 1/100. */
static struct rspb_ratio pull(int64_t v, int64_t own, struct rspb_ratio least)
{
	int64_t den = (100 - own) * least.den;
	int64_t num = den - (100 - v) * (least.den - least.num);

	return rspb_ratio_make(num > 0 ? num : 0, den);
}

void rspb_shape_draw(const struct rspb_shape *shape, struct rspb_ratio least,
		     struct rspb_benefit *out)
{
	int64_t own = shape->corners[0].fraction;

	/* All or nothing has no other minimum. */
	if (!least.den || own == 100)
		least = rspb_ratio_make(own, 100);
	*out = (struct rspb_benefit){ .steps = shape->steps };
	for (uint32_t i = 0; i < 4 && shape->corners[i].fraction; i++) {
		const struct rspb_corner *corner = &shape->corners[i];
		struct rspb_benefit_point p = { { 1, 1 }, { 1, 1 } };
		/* For a minimum below that of the shape the form is drawn larger, and its
		 * benefits may sink too low: they stay in proportion. */
		struct rspb_ratio sunk = rspb_ratio_make(corner->benefit * least.num,
							 own * least.den);

		if (own < 100) {
			p.fraction = pull(corner->fraction, own, least);
			p.benefit = pull(corner->benefit, own, least);
		}
		if (least.num * 100 < own * least.den && rspb_ratio_compare(p.benefit, sunk) < 0)
			p.benefit = sunk;
		/* At a minimum of 1 all corners meet: the last one counts. */
		if (out->n_points &&
		    !rspb_ratio_compare(p.fraction, out->points[out->n_points - 1].fraction))
			out->n_points--;
		out->points[out->n_points++] = p;
	}
}

/* clang-format off */
const struct rspb_shape rspb_shapes[] = {
	{ "hard", NULL, "all or nothing", false, { { 100, 100 } } },
	{ "linear", NULL, "half is worth half", false,
	  { { 25, 25 }, { 100, 100 } } },
	{ "stairs", "stair", "four steps", true,
	  { { 25, 25 }, { 50, 50 }, { 75, 75 }, { 100, 100 } } },
	{ "concave", NULL, "the first part is worth most", false,
	  { { 25, 50 }, { 50, 80 }, { 100, 100 } } },
	{ "convex", NULL, "the last part is worth most", false,
	  { { 25, 10 }, { 50, 30 }, { 100, 100 } } },
	{ .name = NULL },
};
/* clang-format on */

RSPB_NAMES_FINDER(rspb_shape_find, rspb_shape, rspb_shapes)

const struct rspb_benefit rspb_benefit_hard = {
	.n_points = 1,
	.points = { { { 1, 1 }, { 1, 1 } } },
};
