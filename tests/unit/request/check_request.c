/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/request/request.h"

#include <string.h>

#include "common/calendar/profile.h"
#include "tests/unit/runner.h"

/* Two parts, times 100 + 50 <= 200, on a machine of 16. */
static struct rspb_request *good(void)
{
	struct rspb_request *r = rspb_request_create(2);

	r->ready = 100;
	r->duration = 50;
	r->deadline = 200;
	r->parts[1].nodes = 8;
	r->parts[1].nodes_min = 2;
	return r;
}

START_TEST(created_and_cloned)
{
	struct rspb_request *r = good(), *c;
	struct rspb_err err;

	ck_assert_int_eq(rspb_request_validate(r, 16, &err), 0);
	ck_assert_int_eq(rspb_request_validate(r, 0, &err), 0);
	r->parts[0].fixed = rspb_nodeset_create(16);
	rspb_nodeset_add(r->parts[0].fixed, 5);
	r->parts[1].eligible = rspb_nodeset_create(16);
	rspb_nodeset_fill(r->parts[1].eligible);
	c = rspb_request_clone(r);
	rspb_request_destroy(r);
	ck_assert_int_eq(rspb_request_validate(c, 16, &err), 0);
	ck_assert(rspb_nodeset_has(c->parts[0].fixed, 5));
	ck_assert_uint_eq(c->parts[1].nodes, 8);
	rspb_request_destroy(c);
	rspb_request_destroy(NULL);
}
END_TEST

START_TEST(units)
{
	struct rspb_request *r = good();
	struct rspb_part *p = &r->parts[1];
	struct rspb_err err;

	ck_assert_int_eq(rspb_part_asked(p), 8);
	/* Hard: nothing less will do, whatever the range says. */
	ck_assert_int_eq(rspb_part_least(r, 1), 8);
	ck_assert_int_eq(rspb_benefit_read(&r->benefit, "linear:25%", &err), 0);
	ck_assert_int_eq(rspb_part_least(r, 1), 2);
	p->nodes_min = 5;
	ck_assert_int_eq(rspb_part_least(r, 1), 5);
	p->nodes_min = 8;
	ck_assert_int_eq(rspb_part_least(r, 1), 2);
	ck_assert_int_eq(rspb_part_full(r, 1), 8);
	ck_assert_int_eq(rspb_benefit_read(&p->benefit, "50%@1", &err), 0);
	ck_assert_int_eq(rspb_part_least(r, 1), 4);
	ck_assert_int_eq(rspb_part_full(r, 1), 4);
	p->share = 3500;
	p->share_min = 2000;
	ck_assert_int_eq(rspb_part_asked(p), 3500);
	ck_assert_int_eq(rspb_part_least(r, 1), 2000);
	ck_assert_int_eq(rspb_part_full(r, 1), 2000);
	rspb_request_destroy(r);
}
END_TEST

static void refused(struct rspb_request *r, const char *why)
{
	struct rspb_err err = { "" };

	ck_assert_int_eq(rspb_request_validate(r, 16, &err), -1);
	ck_assert_msg(strstr(err.text, why), "%s", err.text);
	rspb_request_destroy(r);
}

/* clang-format off */
#define REFUSED(change, why)					\
	do {							\
		struct rspb_request *r = good();		\
		struct rspb_part *p = &r->parts[1];		\
								\
		(void) p;					\
		change;						\
		refused(r, why);				\
	} while (0)
/* clang-format on */

START_TEST(bad_requests)
{
	REFUSED(r->duration = 0, "duration 0");
	REFUSED(r->duration = INT64_MIN, "duration");
	REFUSED(r->duration = INT64_MAX, "duration");
	REFUSED(r->deadline = 149, "must be 150 or later");
	REFUSED(r->deadline = INT64_MAX, "deadline");
	REFUSED(r->ready = INT64_MIN, "ready time");
	REFUSED(r->ready = RSPB_TIME_MAX - 50, "ready time");
	REFUSED(r->arrival = INT64_MAX, "arrival");
	REFUSED(r->priority = -1, "priority -1");
	REFUSED((rspb_benefit_read(&r->benefit, "hard", NULL), r->benefit->n_points = 0),
		"benefit");
	REFUSED(p->nodes = 0, "part 2: nodes must be at least 1");
	REFUSED(p->nodes_min = 9, "more than the 8 asked for");
	REFUSED(p->nodes = p->nodes_min = 17, "there are 16");
	REFUSED(p->share = -1, "must not be negative");
	REFUSED(p->share_min = 1, "more than the 0 asked for");
	REFUSED((rspb_benefit_read(&p->benefit, "hard", NULL), p->benefit->n_points = 99),
		"benefit");
	REFUSED(p->fixed = rspb_nodeset_create(16), "fixed nodes: 0");
	REFUSED(p->fixed = rspb_nodeset_create(15), "of a machine of 15");
	REFUSED(p->eligible = rspb_nodeset_create(16), "at least 2");
	REFUSED((p->fixed = rspb_nodeset_create(16), rspb_nodeset_fill(p->fixed)),
		"16 fixed nodes are more");
}
END_TEST

START_TEST(number_of_parts)
{
	struct rspb_request *r = rspb_request_create(0);

	refused(r, "0 parts");
	r = rspb_request_create(RSPB_MAX_PARTS + 1);
	refused(r, "129 parts");
}
END_TEST

/* Few have a function of their own; a copy has its own one. */
START_TEST(functions_of_their_own)
{
	struct rspb_request *r = good(), *copy;
	struct rspb_benefit hard;
	struct rspb_err err;

	rspb_shape_draw(rspb_shapes, (struct rspb_ratio){ 0, 0 }, &hard);
	ck_assert_ptr_null(r->benefit);
	ck_assert(rspb_benefit_equal(rspb_request_benefit(r, 0), &hard));
	ck_assert_int_eq(rspb_benefit_read(&r->benefit, "linear:25%", &err), 0);
	ck_assert_int_eq(rspb_benefit_read(&r->parts[1].benefit, "stairs", &err), 0);
	copy = rspb_request_clone(r);
	/* What is wrong leaves what there is. */
	ck_assert_int_eq(rspb_benefit_read(&r->benefit, "lineal", &err), -1);
	ck_assert_int_eq(rspb_part_least(r, 0), rspb_part_least(copy, 0));
	ck_assert_int_eq(rspb_benefit_keep(&r->parts[1].benefit, NULL), 0);
	ck_assert_ptr_eq(rspb_request_benefit(r, 1), r->benefit);
	rspb_request_destroy(r);
	ck_assert_int_eq(rspb_part_least(copy, 1), 2);
	ck_assert_uint_eq(rspb_request_benefit(copy, 1)->n_points, 4);
	ck_assert_uint_eq(rspb_request_benefit(copy, 0)->n_points, 2);
	rspb_request_destroy(copy);
}
END_TEST

RUN_TESTS("request", NULL, NULL, 0, created_and_cloned, units, functions_of_their_own, bad_requests,
	  number_of_parts)
