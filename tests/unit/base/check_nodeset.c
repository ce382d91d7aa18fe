/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/base/nodeset.h"

#include <string.h>

#include "tests/naive/rng.h"
#include "tests/unit/runner.h"

static struct rspb_nodeset *from_text(uint32_t width, const char *text)
{
	struct rspb_nodeset *set = rspb_nodeset_create(width);

	ck_assert_int_eq(rspb_nodeset_parse(set, text, NULL), 0);
	return set;
}

static void expect(const struct rspb_nodeset *set, const char *text)
{
	char buf[256];

	ck_assert_uint_eq(rspb_nodeset_print(set, buf, sizeof(buf)), strlen(text));
	ck_assert_str_eq(buf, text);
}

START_TEST(fill_and_clear_keep_to_the_width)
{
	static const uint32_t widths[] = { 0, 1, 63, 64, 65, 128, 10240 };

	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		struct rspb_nodeset *set = rspb_nodeset_create(widths[i]);

		ck_assert(rspb_nodeset_empty(set));
		rspb_nodeset_fill(set);
		ck_assert_uint_eq(rspb_nodeset_count(set), widths[i]);
		rspb_nodeset_clear(set);
		ck_assert_uint_eq(rspb_nodeset_next(set, 0), widths[i]);
		rspb_nodeset_destroy(set);
	}
}
END_TEST

START_TEST(text_round_trip)
{
	static const char *const texts[] = { "", "0", "0-3,7", "63-64", "0,2,4,99", "0-99" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct rspb_nodeset *set = from_text(100, texts[i]);

		expect(set, texts[i]);
		rspb_nodeset_destroy(set);
	}
}
END_TEST

START_TEST(a_short_buffer_is_cut_and_measured)
{
	struct rspb_nodeset *set = from_text(100, "0-3,50-60,99");
	char buf[6];

	ck_assert_uint_eq(rspb_nodeset_print(set, NULL, 0), 12);
	ck_assert_uint_eq(rspb_nodeset_print(set, buf, sizeof(buf)), 12);
	ck_assert_str_eq(buf, "0-3,5");
	rspb_nodeset_destroy(set);
}
END_TEST

START_TEST(bad_text_changes_nothing)
{
	static const char *const texts[] = { "-",
					     "a",
					     "1-",
					     "3-1",
					     "100",
					     "1,,2",
					     "1,",
					     ",1",
					     "0-3x",
					     "4294967296",
					     "99999999999999999999999",
					     " 1",
					     "1 ",
					     "0x1" };
	struct rspb_nodeset *set = from_text(100, "5-6");

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct rspb_err err = { "" };

		ck_assert_int_eq(rspb_nodeset_parse(set, texts[i], &err), -1);
		ck_assert_int_ne(err.text[0], '\0');
		expect(set, "5-6");
	}
	rspb_nodeset_destroy(set);
}
END_TEST

START_TEST(algebra)
{
	struct rspb_nodeset *a = from_text(130, "0-70,129");
	struct rspb_nodeset *b = from_text(130, "60-128");
	struct rspb_nodeset *c = rspb_nodeset_clone(a);

	ck_assert(rspb_nodeset_equal(a, c));
	ck_assert(!rspb_nodeset_disjoint(a, b));
	rspb_nodeset_and(c, b);
	expect(c, "60-70");
	ck_assert(rspb_nodeset_within(c, a));
	ck_assert(!rspb_nodeset_within(a, c));
	rspb_nodeset_copy(c, a);
	rspb_nodeset_or(c, b);
	expect(c, "0-129");
	rspb_nodeset_minus(c, b);
	expect(c, "0-59,129");
	ck_assert(rspb_nodeset_disjoint(b, c));
	rspb_nodeset_destroy(a);
	rspb_nodeset_destroy(b);
	rspb_nodeset_destroy(c);
}
END_TEST

START_TEST(lowest_are_kept)
{
	struct rspb_nodeset *set = from_text(200, "1,3,64-70,190");

	rspb_nodeset_keep_lowest(set, 20);
	expect(set, "1,3,64-70,190");
	rspb_nodeset_keep_lowest(set, 5);
	expect(set, "1,3,64-66");
	rspb_nodeset_keep_lowest(set, 0);
	expect(set, "");
	rspb_nodeset_destroy(set);
}
END_TEST

START_TEST(single_nodes)
{
	struct rspb_nodeset *set = rspb_nodeset_create(70);

	rspb_nodeset_add(set, 69);
	rspb_nodeset_add(set, 3);
	ck_assert(rspb_nodeset_has(set, 69));
	ck_assert(!rspb_nodeset_has(set, 70));
	ck_assert_uint_eq(rspb_nodeset_next(set, 4), 69);
	ck_assert_uint_eq(rspb_nodeset_next(set, 70), 70);
	rspb_nodeset_remove(set, 3);
	expect(set, "69");
	rspb_nodeset_destroy(set);
}
END_TEST

/* Few nodes, most of them side by side, so that it is slim. */
static struct rspb_nodeset *draw(uint32_t width, uint64_t *state)
{
	struct rspb_nodeset *set = rspb_nodeset_create(width);

	for (uint64_t runs = rng_below(state, 5); runs; runs--) {
		uint32_t first = (uint32_t) rng_below(state, width);
		uint32_t n = (uint32_t) rng_below(state, 100);

		for (; n && first < width; n--)
			rspb_nodeset_add(set, first++);
	}
	return set;
}

/* A slim set says what the one says that it was made of. */
static void reads_the_same(const struct rspb_nodeset *slim, const struct rspb_nodeset *set)
{
	ck_assert(rspb_nodeset_equal(slim, set));
	ck_assert(rspb_nodeset_equal(set, slim));
	ck_assert_uint_eq(rspb_nodeset_count(slim), rspb_nodeset_count(set));
	ck_assert_int_eq(rspb_nodeset_empty(slim), rspb_nodeset_empty(set));
	for (uint32_t n = 0; n <= set->width; n++) {
		ck_assert_int_eq(rspb_nodeset_has(slim, n), rspb_nodeset_has(set, n));
		ck_assert_uint_eq(rspb_nodeset_next(slim, n), rspb_nodeset_next(set, n));
	}
}

static void relates_the_same(struct rspb_nodeset *slim, struct rspb_nodeset *set,
			     struct rspb_nodeset *with)
{
	ck_assert_int_eq(rspb_nodeset_within(slim, with), rspb_nodeset_within(set, with));
	ck_assert_int_eq(rspb_nodeset_within(with, slim), rspb_nodeset_within(with, set));
	ck_assert_int_eq(rspb_nodeset_disjoint(slim, with), rspb_nodeset_disjoint(set, with));
	ck_assert_int_eq(rspb_nodeset_disjoint(with, slim), rspb_nodeset_disjoint(with, set));
	ck_assert_int_eq(rspb_nodeset_equal(slim, with), rspb_nodeset_equal(set, with));
	ck_assert_int_eq(rspb_nodeset_equal(with, slim), rspb_nodeset_equal(with, set));
}

static void changes_the_same(const struct rspb_nodeset *slim, const struct rspb_nodeset *set,
			     const struct rspb_nodeset *with)
{
	static void (*const change[])(struct rspb_nodeset *, const struct rspb_nodeset *) = {
		rspb_nodeset_or,
		rspb_nodeset_and,
		rspb_nodeset_minus,
		rspb_nodeset_copy,
	};

	for (size_t i = 0; i < sizeof(change) / sizeof(change[0]); i++) {
		struct rspb_nodeset *one = rspb_nodeset_clone(with);
		struct rspb_nodeset *other = rspb_nodeset_clone(with);

		change[i](one, slim);
		change[i](other, set);
		ck_assert(rspb_nodeset_equal(one, other));
		rspb_nodeset_destroy(one);
		rspb_nodeset_destroy(other);
	}
}

START_TEST(a_slim_one_is_read_as_any)
{
	static const uint32_t widths[] = { 1, 64, 65, 300, 1024, 2049 };
	uint64_t state = 7;
	size_t slimmer = 0;

	for (int i = 0; i < 3000; i++) {
		uint32_t width = widths[i % 6];
		struct rspb_nodeset *set = draw(width, &state);
		struct rspb_nodeset *with = draw(width, &state);
		struct rspb_nodeset *slim = rspb_nodeset_slim(set);
		struct rspb_nodeset *other = rspb_nodeset_slim(with);
		struct rspb_nodeset *clone = rspb_nodeset_clone(slim);

		slimmer += slim->kept != 0;
		ck_assert_uint_eq(clone->kept, 0);
		reads_the_same(slim, set);
		ck_assert(rspb_nodeset_equal(clone, set));
		relates_the_same(slim, set, with);
		relates_the_same(slim, set, other);
		changes_the_same(slim, set, with);
		rspb_nodeset_destroy(set);
		rspb_nodeset_destroy(with);
		rspb_nodeset_destroy(slim);
		rspb_nodeset_destroy(other);
		rspb_nodeset_destroy(clone);
	}
	ck_assert_uint_gt(slimmer, 1000);
}
END_TEST

START_TEST(a_slim_one_is_shared_and_small)
{
	struct rspb_nodeset *set = from_text(10240, "4-70,10239");
	struct rspb_nodeset *slim = rspb_nodeset_slim(set);
	struct rspb_nodeset *again = rspb_nodeset_slim(slim);

	ck_assert_uint_eq(slim->kept, 3);
	ck_assert_ptr_eq(again, slim);
	expect(again, "4-70,10239");
	rspb_nodeset_destroy(set);
	rspb_nodeset_destroy(slim);
	expect(again, "4-70,10239");
	rspb_nodeset_destroy(again);
}
END_TEST

static Suite *suite(void)
{
	const TTest *tests[] = {
		fill_and_clear_keep_to_the_width,
		text_round_trip,
		a_short_buffer_is_cut_and_measured,
		bad_text_changes_nothing,
		algebra,
		lowest_are_kept,
		single_nodes,
		a_slim_one_is_read_as_any,
		a_slim_one_is_shared_and_small,
	};

	return suite_of("nodeset", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
