/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/shares/shares.h"

#include "tests/unit/runner.h"
#include "tests/validate/validate.h"

static const int64_t caps[] = { 10000, 20000, 10000 };

static struct rspb_shares *three(int64_t granularity)
{
	return rspb_shares_create(3, caps, granularity, 0);
}

static void hold(struct rspb_shares *shares, uint32_t machine, int64_t start, int64_t end,
		 int64_t share)
{
	struct rspb_err err = { "" };

	ck_assert_msg(!rspb_shares_add(shares, machine, start, end, share, &err), "%s", err.text);
	ck_assert_msg(!validate_shares(shares, &err), "%s", err.text);
}

static int64_t peak(const struct rspb_shares *shares, uint32_t machine, int64_t start, int64_t end)
{
	int64_t value;

	ck_assert_int_eq(rspb_shares_peak(shares, machine, start, end, &value, NULL), 0);
	return value;
}

START_TEST(peaks_and_loads)
{
	struct rspb_shares *shares = three(1);
	int64_t all[3];

	hold(shares, 0, 10, 20, 3500);
	hold(shares, 0, 15, 30, 6500);
	hold(shares, 1, 0, 100, 20000);
	ck_assert_int_eq(peak(shares, 0, 0, 10), 0);
	ck_assert_int_eq(peak(shares, 0, 10, 15), 3500);
	ck_assert_int_eq(peak(shares, 0, 19, 21), 10000);
	ck_assert_int_eq(peak(shares, 0, 20, 21), 6500);
	ck_assert_int_eq(rspb_shares_peaks(shares, 0, 16, all, NULL), 0);
	ck_assert_int_eq(all[0], 10000);
	ck_assert_int_eq(all[1], 20000);
	ck_assert_int_eq(all[2], 0);
	ck_assert_int_eq(rspb_shares_loads(shares, 12, 17, all, NULL), 0);
	ck_assert_int_eq(all[0], 5 * 3500 + 2 * 6500);
	ck_assert_int_eq(all[1], 5 * 20000);
	rspb_shares_destroy(shares);
}
END_TEST

START_TEST(slots_are_rounded_outwards)
{
	struct rspb_shares *shares = three(10);
	int64_t all[3];

	hold(shares, 0, 12, 28, 1000);
	ck_assert_int_eq(peak(shares, 0, 10, 11), 1000);
	ck_assert_int_eq(peak(shares, 0, 29, 30), 1000);
	ck_assert_int_eq(peak(shares, 0, 30, 31), 0);
	ck_assert_int_eq(rspb_shares_loads(shares, 25, 31, all, NULL), 0);
	ck_assert_int_eq(all[0], 10 * 1000);
	ck_assert_int_eq(rspb_shares_advance(shares, 25, NULL), 0);
	ck_assert_int_eq(peak(shares, 0, 0, 20), 0);
	ck_assert_int_eq(peak(shares, 0, 20, 25), 1000);
	ck_assert_int_eq(rspb_shares_remove(shares, 0, 12, 28, 1000, NULL), 0);
	ck_assert_int_eq(peak(shares, 0, 0, 100), 0);
	rspb_shares_destroy(shares);
}
END_TEST

START_TEST(bad_calls_change_nothing)
{
	struct rspb_shares *shares = three(1);
	struct rspb_err err;
	int64_t value;

	hold(shares, 0, 10, 20, 4000);
	ck_assert(rspb_shares_add(shares, 0, 19, 25, 6001, &err));
	ck_assert(rspb_shares_add(shares, 3, 0, 1, 1, &err));
	ck_assert(rspb_shares_add(shares, 1, 5, 5, 1, &err));
	ck_assert(rspb_shares_add(shares, 1, 0, 5, 0, &err));
	ck_assert(rspb_shares_add(shares, 1, 0, 5, -1, &err));
	ck_assert(rspb_shares_add(shares, 1, 0, INT64_MAX, 1, &err));
	ck_assert(rspb_shares_add(shares, 1, INT64_MIN, 0, 1, &err));
	ck_assert(rspb_shares_add(shares, 1, 0, 5, INT64_MAX, &err));
	ck_assert(rspb_shares_remove(shares, 0, 10, 21, 1, &err));
	ck_assert(rspb_shares_remove(shares, 0, 9, 20, 1, &err));
	ck_assert(rspb_shares_remove(shares, 0, 10, 20, 4001, &err));
	ck_assert(rspb_shares_advance(shares, -1, &err));
	ck_assert(rspb_shares_peak(shares, 3, 0, 1, &value, &err));
	ck_assert(rspb_shares_peak(shares, 0, 1, 1, &value, &err));
	ck_assert_int_eq(peak(shares, 0, 0, 100), 4000);
	ck_assert_int_eq(peak(shares, 1, 0, 100), 0);
	ck_assert_int_eq(peak(shares, 0, 20, 100), 0);
	rspb_shares_destroy(shares);
}
END_TEST

START_TEST(clones_are_independent)
{
	struct rspb_shares *shares = three(1);
	struct rspb_shares *clone;

	hold(shares, 0, 10, 20, 4000);
	clone = rspb_shares_clone(shares);
	hold(clone, 0, 10, 20, 4000);
	ck_assert_int_eq(peak(shares, 0, 0, 100), 4000);
	rspb_shares_destroy(shares);
	ck_assert_int_eq(peak(clone, 0, 0, 100), 8000);
	ck_assert_int_eq(rspb_shares_capacity(clone, 1), 20000);
	rspb_shares_destroy(clone);
}
END_TEST

START_TEST(what_is_held_outlasts_a_smaller_capacity)
{
	static const int64_t less[] = { 5000, 5000, 0 };
	struct rspb_shares *shares = three(1);
	struct rspb_err err;

	hold(shares, 0, 10, 20, 4000);
	hold(shares, 1, 10, 20, 9000);
	hold(shares, 1, 30, 40, 2000);
	rspb_shares_resize(shares, less);
	ck_assert(!validate_shares(shares, &err));
	ck_assert_int_eq(rspb_shares_capacity(shares, 0), 5000);
	ck_assert_int_eq(rspb_shares_capacity(shares, 1), 9000);
	ck_assert_int_eq(rspb_shares_capacity(shares, 2), 0);
	ck_assert(rspb_shares_add(shares, 0, 15, 25, 1001, &err));
	hold(shares, 0, 15, 25, 1000);
	ck_assert(rspb_shares_add(shares, 1, 15, 16, 1, &err));
	ck_assert(rspb_shares_add(shares, 2, 0, 1, 1, &err));
	ck_assert(!rspb_shares_remove(shares, 1, 10, 20, 9000, &err));
	rspb_shares_resize(shares, less);
	ck_assert_int_eq(rspb_shares_capacity(shares, 1), 5000);
	rspb_shares_resize(shares, caps);
	hold(shares, 1, 30, 40, 18000);
	rspb_shares_destroy(shares);
}
END_TEST

static Suite *suite(void)
{
	const TTest *tests[] = { peaks_and_loads, slots_are_rounded_outwards,
				 bad_calls_change_nothing, clones_are_independent,
				 what_is_held_outlasts_a_smaller_capacity };

	return suite_of("shares", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
