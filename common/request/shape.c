/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of named benefit functions (thesis, figure 1.1 and section 3.2). */
#include "common/request/benefit.h"

#include "common/base/names.h"

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
