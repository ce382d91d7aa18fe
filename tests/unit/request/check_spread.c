/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A load over nodes that have room for different amounts of it. */
#include "common/request/request.h"

#include "tests/unit/runner.h"

/* Spread a load over four nodes: two light small ones, a light large one, a heavy larger one. RET
 * how many it has; gets: by node. */
static uint32_t spread(uint32_t load, uint32_t least, uint32_t most, uint32_t named,
		       uint32_t gets[4])
{
	struct rspb_spread_node places[4] = {
		{ .node = 0, .weight = 1, .fits = 2 },
		{ .node = 1, .weight = 9, .fits = 16 },
		{ .node = 2, .weight = 1, .fits = 8 },
		{ .node = 3, .weight = 1, .fits = 3 },
	};
	uint32_t n;

	for (uint32_t i = 0; i < 4; i++) {
		places[i].named = i == named;
		gets[i] = 0;
	}
	n = rspb_spread(places, 4, load, least, most);
	for (uint32_t i = 0; i < n; i++)
		gets[places[i].node] = places[i].gets;
	return n;
}

static void check(uint32_t load, uint32_t least, uint32_t most, uint32_t named,
		  const uint32_t expected[4])
{
	uint32_t gets[4], n = 0;

	for (uint32_t i = 0; i < 4; i++)
		n += expected[i] > 0;
	ck_assert_uint_eq(spread(load, least, most, named, gets), n);
	for (uint32_t i = 0; i < 4; i++)
		ck_assert_uint_eq(gets[i], expected[i]);
}

enum { NOBODY = 9 };

START_TEST(light_nodes_are_filled_first)
{
	check(8, 1, 99, NOBODY, (uint32_t[]){ 0, 0, 8, 0 });
	check(13, 1, 99, NOBODY, (uint32_t[]){ 2, 0, 8, 3 });
	check(15, 1, 99, NOBODY, (uint32_t[]){ 2, 3, 7, 3 });
	check(29, 1, 99, NOBODY, (uint32_t[]){ 2, 16, 8, 3 });
}
END_TEST

START_TEST(large_nodes_come_first_if_few_are_allowed)
{
	check(15, 1, 2, NOBODY, (uint32_t[]){ 0, 15, 0, 0 });
	check(24, 1, 2, NOBODY, (uint32_t[]){ 0, 16, 8, 0 });
}
END_TEST

/* Two light nodes are too small; the heaviest one would hold all, but two of a middle weight do. */
START_TEST(large_nodes_weigh_no_more_than_they_have_to)
{
	struct rspb_spread_node places[5] = {
		{ .node = 0, .weight = 1, .fits = 1 },	{ .node = 1, .weight = 40, .fits = 4 },
		{ .node = 2, .weight = 20, .fits = 2 }, { .node = 3, .weight = 1, .fits = 1 },
		{ .node = 4, .weight = 20, .fits = 2 },
	};

	ck_assert_uint_eq(rspb_spread(places, 5, 5, 1, 3), 3);
	ck_assert_uint_eq(places[0].node, 2);
	ck_assert_uint_eq(places[1].node, 4);
}
END_TEST

START_TEST(each_node_of_a_fixed_number_has_some)
{
	check(8, 3, 3, NOBODY, (uint32_t[]){ 2, 0, 4, 2 });
	check(18, 4, 4, NOBODY, (uint32_t[]){ 2, 5, 8, 3 });
	check(4, 4, 4, NOBODY, (uint32_t[]){ 1, 1, 1, 1 });
}
END_TEST

START_TEST(a_named_node_is_among_them)
{
	check(8, 1, 99, 0, (uint32_t[]){ 2, 0, 6, 0 });
	check(2, 1, 99, 1, (uint32_t[]){ 0, 2, 0, 0 });
}
END_TEST

/* Spread a load over a row of nodes 0 to 7, of which 3 has no room and 6 is heavy. RET the first
 * one and, in *n, how many it has; 99: none. */
static uint32_t spread_row(uint32_t load, uint32_t least, uint32_t most, uint32_t named,
			   uint32_t *n)
{
	static const uint32_t fits[8] = { 4, 4, 4, 0, 2, 6, 8, 1 };
	struct rspb_spread_node places[8];
	uint32_t sum = 0;

	for (uint32_t i = 0; i < 8; i++)
		places[i] = (struct rspb_spread_node){
			.node = i,
			.weight = i == 6 ? 9 : 1,
			.fits = fits[i],
			.named = i == named,
		};
	*n = rspb_spread_row(places, 8, load, least, most);
	for (uint32_t i = 0; i < *n; i++) {
		ck_assert_uint_eq(places[i].node, places[0].node + i);
		ck_assert_uint_ge(places[i].gets, 1);
		ck_assert_uint_le(places[i].gets, places[i].fits);
		sum += places[i].gets;
	}
	ck_assert_uint_eq(sum, *n ? load : 0);
	return *n ? places[0].node : 99;
}

static void check_row(uint32_t load, uint32_t least, uint32_t most, uint32_t named, uint32_t first,
		      uint32_t expected)
{
	uint32_t n;

	ck_assert_uint_eq(spread_row(load, least, most, named, &n), first);
	ck_assert_uint_eq(n, expected);
}

START_TEST(a_row_has_no_gap)
{
	check_row(6, 1, 99, NOBODY, 5, 1);
	check_row(8, 1, 99, NOBODY, 0, 2);
	check_row(12, 1, 99, NOBODY, 0, 3);
	/* on light nodes there is no place */
	check_row(13, 1, 99, NOBODY, 5, 2);
	check_row(17, 1, 99, NOBODY, 4, 4);
	check_row(18, 1, 99, NOBODY, 99, 0);
	check_row(8, 3, 3, NOBODY, 0, 3);
	check_row(13, 1, 1, NOBODY, 99, 0);
	check_row(12, 1, 2, NOBODY, 5, 2);
	check_row(5, 4, 4, NOBODY, 4, 4);
}
END_TEST

START_TEST(a_named_node_is_in_the_row)
{
	check_row(6, 1, 99, 0, 0, 2);
	check_row(6, 1, 99, 6, 6, 1);
	check_row(6, 2, 2, 7, 6, 2);
	check_row(1, 1, 99, 3, 99, 0);
}
END_TEST

START_TEST(what_has_no_place_is_not_spread)
{
	uint32_t gets[4];

	ck_assert_uint_eq(spread(30, 1, 99, NOBODY, gets), 0);
	ck_assert_uint_eq(spread(25, 1, 2, NOBODY, gets), 0);
	/* fewer tasks than nodes */
	ck_assert_uint_eq(spread(3, 4, 4, NOBODY, gets), 0);
	ck_assert_uint_eq(spread(3, 5, 5, NOBODY, gets), 0);
}
END_TEST

RUN_TESTS("spread", NULL, NULL, 0, light_nodes_are_filled_first,
	  large_nodes_come_first_if_few_are_allowed, large_nodes_weigh_no_more_than_they_have_to,
	  each_node_of_a_fixed_number_has_some, a_named_node_is_among_them, a_row_has_no_gap,
	  a_named_node_is_in_the_row, what_has_no_place_is_not_spread)
