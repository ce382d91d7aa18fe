/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of named benefit functions (thesis, figure 1.1 and section 3.2). */
#include "common/request/benefit.h"

#include "common/base/names.h"

/* A corner of a shape, both in 1/100. */
struct corner {
	int64_t fraction, benefit;
};

/* 1 - (1 - v) (1 - least) / (1 - own), 0 where that is negative; v and own in
 * 1/100. */
static struct rspb_ratio pull(int64_t v, int64_t own, struct rspb_ratio least)
{
	int64_t den = (100 - own) * least.den;
	int64_t num = den - (100 - v) * (least.den - least.num);

	return rspb_ratio_make(num > 0 ? num : 0, den);
}

/*
 * Draw the corners so that the first lies at `least`: fraction and benefit
 * shrink alike towards (1, 1), which keeps the form, and a straight line one
 * on which half is worth half. Where the form is drawn larger instead and would
 * fall below no benefit, it goes down with the fraction.
 */
static void draw(const struct corner *corners, uint32_t n,
		 struct rspb_ratio least, struct rspb_benefit *out)
{
	int64_t own = corners[0].fraction;

	if (!least.den)
		least = rspb_ratio_make(own, 100);
	out->n_points = 0;
	for (uint32_t i = 0; i < n; i++) {
		struct rspb_benefit_point p = {
			.fraction = pull(corners[i].fraction, own, least),
			.benefit = pull(corners[i].benefit, own, least),
		};
		struct rspb_ratio sunk = rspb_ratio_make(corners[i].benefit *
								 least.num,
							 own * least.den);

		if (least.num * 100 < own * least.den &&
		    rspb_ratio_compare(p.benefit, sunk) < 0)
			p.benefit = sunk;
		/* At a minimum of 1 all corners meet: the last one counts. */
		if (out->n_points &&
		    !rspb_ratio_compare(
			    p.fraction,
			    out->points[out->n_points - 1].fraction))
			out->n_points--;
		out->points[out->n_points++] = p;
	}
}

static void make_hard(struct rspb_ratio least, struct rspb_benefit *out)
{
	(void) least; /* all or nothing has no other minimum */
	*out = (struct rspb_benefit){
		.n_points = 1,
		.points = { { { 1, 1 }, { 1, 1 } } },
	};
}

static void make_linear(struct rspb_ratio least, struct rspb_benefit *out)
{
	static const struct corner corners[] = { { 25, 25 }, { 100, 100 } };

	*out = (struct rspb_benefit){ .steps = false };
	draw(corners, 2, least, out);
}

static void make_stairs(struct rspb_ratio least, struct rspb_benefit *out)
{
	static const struct corner corners[] = {
		{ 25, 25 },
		{ 50, 50 },
		{ 75, 75 },
		{ 100, 100 },
	};

	*out = (struct rspb_benefit){ .steps = true };
	draw(corners, 4, least, out);
}

static void make_concave(struct rspb_ratio least, struct rspb_benefit *out)
{
	static const struct corner corners[] = {
		{ 25, 50 },
		{ 50, 80 },
		{ 100, 100 },
	};

	*out = (struct rspb_benefit){ .steps = false };
	draw(corners, 3, least, out);
}

static void make_convex(struct rspb_ratio least, struct rspb_benefit *out)
{
	static const struct corner corners[] = {
		{ 25, 10 },
		{ 50, 30 },
		{ 100, 100 },
	};

	*out = (struct rspb_benefit){ .steps = false };
	draw(corners, 3, least, out);
}

const struct rspb_shape rspb_shapes[] = {
	{ "hard", NULL, "all or nothing", make_hard },
	{ "linear", NULL, "half is worth half", make_linear },
	{ "stairs", "stair", "four steps", make_stairs },
	{ "concave", NULL, "the first part is worth most", make_concave },
	{ "convex", NULL, "the last part is worth most", make_convex },
	{ .name = NULL },
};

const struct rspb_shape *rspb_shape_find(const char *name)
{
	return rspb_names_find(rspb_shapes, sizeof(rspb_shapes[0]), name);
}
