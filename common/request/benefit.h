/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Benefit functions: what a fraction of the request is worth.
 *
 * Source: Min, thesis, section 3.2 and figure 3.2 (hard, linear, stair,
 * concave, convex). A function is a list of points (fraction, benefit), rising
 * in the fraction, not falling in the benefit; 0 below the first point, the
 * last one's benefit from its fraction on. Exact rationals decide.
 */
#ifndef RSPB_REQUEST_BENEFIT_H
#define RSPB_REQUEST_BENEFIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/text.h"

enum { RSPB_BENEFIT_POINTS = 32, RSPB_BENEFIT_TEXT = 1024 };

/* Largest num and den: 18 digits, so that products of two fit in 128 bits. */
#define RSPB_RATIO_MOST INT64_C(999999999999999999)

/* Largest den of a point. Values between points then rise with every unit up to
 * 65,536 of them: two benefits differ by 1e-12 at least, a step between them by
 * more than what is lost where a ratio is cut. */
enum { RSPB_POINT_DEN = 1000000 };

/* num/den, den > 0, in lowest terms, up to RSPB_RATIO_MOST. */
struct rspb_ratio {
	int64_t num, den;
};

struct rspb_benefit_point {
	struct rspb_ratio fraction, benefit;
};

/* A value type: copied by assignment, nothing to free. */
struct rspb_benefit {
	bool steps; /* between points: the lower one's benefit; else a line */
	uint32_t n_points;
	struct rspb_benefit_point points[RSPB_BENEFIT_POINTS];
};

/* A named shape: one row. */
struct rspb_shape {
	const char *name;
	const char *alias;
	const char *help;
	bool steps;
	/* In 1/100; those that are not used are 0. */
	struct rspb_corner {
		int64_t fraction, benefit;
	} corners[4];
};
/* The first is "hard", which takes no minimum; ended by name NULL. */
extern const struct rspb_shape rspb_shapes[];
/* The benefit of a request without a minimum. */
extern const struct rspb_benefit rspb_benefit_hard;
const struct rspb_shape *rspb_shape_find(const char *name);
/*
 * Squeeze a shape into [least, 1]: fraction and benefit shrink alike towards
 * (1, 1), by (1 - least) / (1 - own minimum), which keeps the form, and with
 * linear:50% half is worth half. den 0 means the shape's own minimum. Of a least
 * below that, where the form is drawn larger, no benefit becomes smaller than in
 * proportion to the fraction.
 */
void rspb_shape_draw(const struct rspb_shape *shape, struct rspb_ratio least,
		     struct rspb_benefit *out);

/*
 * Read "hard", "linear", "linear:25%", or points "25%@0.4,60%@0.8,100%@1"
 * (interpolated; a leading "steps:" makes them steps). RET 0, or -1 with a
 * sentence that names the wrong part and the allowed shapes; out unchanged.
 */
int rspb_benefit_parse(const char *text, struct rspb_benefit *out, struct rspb_err *err);
/* The one canonical text of a function; parse(print(b)) equals b.
 * RET the length of the whole text, as snprintf does. */
size_t rspb_benefit_print(const struct rspb_benefit *benefit, char *buf, size_t size);
/* Let a function be another one; NULL: none, that is without points. */
static inline void rspb_benefit_set(struct rspb_benefit *at, const struct rspb_benefit *benefit)
{
	*at = benefit ? *benefit : (struct rspb_benefit){ .n_points = 0 };
}
/* An owner of a function keeps it apart, as few have one of their own. Put a copy of benefit, or of
 * what a text says, in the place of what *at owns; benefit NULL or without points: none. RET 0; -1:
 * out of memory, or with the sentence of rspb_benefit_parse(), and *at is as it was. */
int rspb_benefit_keep(struct rspb_benefit **at, const struct rspb_benefit *benefit);
int rspb_benefit_read(struct rspb_benefit **at, const char *text, struct rspb_err *err);
/* Check the rules above. RET 0 or -1 with err. */
int rspb_benefit_validate(const struct rspb_benefit *benefit, struct rspb_err *err);

/* Value of granting `granted` of `asked` units, both > 0. */
struct rspb_ratio rspb_benefit_value(const struct rspb_benefit *benefit, int64_t granted,
				     int64_t asked);
/*
 * Value of having done with `left` of `slack` seconds still to go: the function of
 * that part, so that it falls from a window's begin to its end. left is taken for 0
 * to slack; slack 0, where there is but one start: of all.
 */
struct rspb_ratio rspb_benefit_left(const struct rspb_benefit *benefit, int64_t left,
				    int64_t slack);
/* CPU_min: least units with a benefit, at least 1 (rounded up). */
int64_t rspb_benefit_min_units(const struct rspb_benefit *benefit, int64_t asked);
/* CPU_max: least units of full benefit, at least 1, at most asked. */
int64_t rspb_benefit_max_units(const struct rspb_benefit *benefit, int64_t asked);
/* Least acceptable units of the same benefit as `granted`; what is less than
 * the minimum stays as it is. */
int64_t rspb_benefit_trim(const struct rspb_benefit *benefit, int64_t granted, int64_t asked);

/* Whether two functions have the same points and, from two points on, the
 * same course between them. */
bool rspb_benefit_equal(const struct rspb_benefit *a, const struct rspb_benefit *b);

/* num / den in lowest terms; num >= 0, den > 0. */
struct rspb_ratio rspb_ratio_make(int64_t num, int64_t den);
/* a < b: -1, a == b: 0, a > b: 1; exact, no overflow. */
int rspb_ratio_compare(struct rspb_ratio a, struct rspb_ratio b);
/* a + b, a * b, a / b (b > 0), in lowest terms; exact where the result fits. */
struct rspb_ratio rspb_ratio_plus(struct rspb_ratio a, struct rspb_ratio b);
struct rspb_ratio rspb_ratio_times(struct rspb_ratio a, struct rspb_ratio b);
struct rspb_ratio rspb_ratio_over(struct rspb_ratio a, struct rspb_ratio b);
double rspb_ratio_double(struct rspb_ratio a);
/* "0.75" where six decimals say it exactly, else "2/7". */
void rspb_ratio_print(struct rspb_ratio a, struct rspb_text *out);
/* Reads what rspb_ratio_print writes, and percentages, in 0 to 1: "0.25",
 * "25%", "1/4". RET 0 or -1 with err. */
int rspb_ratio_parse(const char *text, size_t len, struct rspb_ratio *out, struct rspb_err *err);

#endif
