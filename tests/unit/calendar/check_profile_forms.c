/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The two forms of a profile: when it takes which, and what copies share. */
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "common/calendar/rows.h"
#include "tests/naive/rng.h"
#include "tests/unit/runner.h"

enum { NODES = 512, HOUR = 3600 };

/* Nodes out of all: scattered, or a run. */
static void choose(struct rspb_nodeset *set, uint64_t *rng, bool scattered)
{
	uint32_t count = 1 + (uint32_t) rng_below(rng, set->width / 8);
	uint32_t from = (uint32_t) rng_below(rng, set->width - count);

	rspb_nodeset_clear(set);
	for (uint32_t i = 0; i < count; i++)
		rspb_nodeset_add(set,
				 scattered
					 ? (uint32_t) rng_below(rng, set->width)
					 : from + i);
}

/* Cover so many windows of an hour within a hundred. */
static void cover_many(struct rspb_profile *profile, int count, bool scattered,
		       uint64_t seed)
{
	struct rspb_nodeset *set = rspb_nodeset_create(
		rspb_profile_nodes(profile));
	uint64_t rng = seed;

	for (int i = 0; i < count; i++) {
		int64_t start = rspb_profile_now(profile) +
				(int64_t) rng_below(&rng, 100 * HOUR);

		choose(set, &rng, scattered);
		ck_assert_int_eq(rspb_profile_cover(profile, start,
						    start + HOUR, set, NULL),
				 0);
	}
	rspb_nodeset_destroy(set);
}

static void expect_valid(const struct rspb_profile *profile)
{
	struct rspb_err err = { "" };

	ck_assert_msg(!rspb_profile_validate(profile, &err), "%s", err.text);
}

/* A figure that any difference of two profiles changes. */
static int digest_record(int64_t time, const struct rspb_nodeset *booked,
			 void *arg)
{
	uint64_t *digest = arg;

	*digest = (*digest ^ (uint64_t) time) * UINT64_C(0x9e3779b97f4a7c15);
	for (uint32_t i = 0; i < booked->words; i++)
		*digest = (*digest ^ booked->bits[i] ^ *digest >> 29) *
			  UINT64_C(0xbf58476d1ce4e5b9);
	return 0;
}

static uint64_t digest(const struct rspb_profile *profile)
{
	uint64_t value = 1;

	rspb_profile_records(profile, digest_record, &value);
	return value;
}

START_TEST(scattered_sets_turn_into_rows)
{
	struct rspb_profile *profile = rspb_profile_create(NODES, 0);
	uint64_t before;

	cover_many(profile, 300, true, 1);
	ck_assert_ptr_eq(profile->form, &rspb_profile_rows);
	ck_assert_ptr_null(profile->making);
	expect_valid(profile);
	before = digest(profile);
	ck_assert_int_eq(rspb_profile_turn(profile, &rspb_profile_groups), 0);
	expect_valid(profile);
	ck_assert_uint_eq(digest(profile), before);
	rspb_profile_destroy(profile);
}
END_TEST

START_TEST(runs_stay_groups)
{
	struct rspb_profile *profile = rspb_profile_create(NODES, 0);
	struct rspb_nodeset *set = rspb_nodeset_create(NODES);
	uint64_t rng = 3;

	for (int i = 0; i < 600; i++) {
		int64_t start = i / 4 * 2 * HOUR;

		rspb_nodeset_clear(set);
		for (uint32_t n = 0; n < 100; n++)
			rspb_nodeset_add(set, n + (uint32_t) (i % 4) * 128);
		start += (int64_t) rng_below(&rng, HOUR);
		ck_assert_int_eq(rspb_profile_add(profile, start, start + HOUR,
						  set, NULL),
				 0);
	}
	ck_assert_ptr_eq(profile->form, &rspb_profile_groups);
	ck_assert_ptr_null(profile->making);
	rspb_nodeset_destroy(set);
	rspb_profile_destroy(profile);
}
END_TEST

/* Time passes, what comes in is contiguous: groups again. */
START_TEST(rows_turn_back)
{
	struct rspb_profile *profile = rspb_profile_create(NODES, 0);
	struct rspb_nodeset *set = rspb_nodeset_create(NODES);

	cover_many(profile, 300, true, 2);
	ck_assert_ptr_eq(profile->form, &rspb_profile_rows);
	ck_assert_int_eq(rspb_profile_advance(profile, 102 * HOUR, NULL), 0);
	for (int i = 0; i < 2000; i++) {
		int64_t start = (103 + i / 4 * 2) * HOUR + i % 4 * 60;

		rspb_nodeset_clear(set);
		for (uint32_t n = 0; n < 100; n++)
			rspb_nodeset_add(set, n + (uint32_t) (i % 4) * 128);
		ck_assert_int_eq(rspb_profile_add(profile, start, start + HOUR,
						  set, NULL),
				 0);
	}
	ck_assert_ptr_eq(profile->form, &rspb_profile_groups);
	expect_valid(profile);
	rspb_nodeset_destroy(set);
	rspb_profile_destroy(profile);
}
END_TEST

/* At every moment of a conversion a copy is whole, and the conversion goes
 * on beside changes, removals and the passing of time. */
START_TEST(conversion_is_gradual)
{
	struct rspb_profile *profile = rspb_profile_create(NODES, 0);
	struct rspb_nodeset *set = rspb_nodeset_create(NODES);
	int steps = 0;

	cover_many(profile, 1000, true, 4);
	ck_assert_int_eq(rspb_profile_turn(profile, &rspb_profile_groups), 0);
	rspb_nodeset_add(set, 7);
	for (; profile->form == &rspb_profile_groups; steps++) {
		int64_t start = rspb_profile_now(profile) + steps * 60;
		struct rspb_profile *copy;

		ck_assert_int_lt(steps, 3000);
		rspb_profile_cover(profile, start, start + 30, set, NULL);
		rspb_profile_remove(profile, start, start + 30, set, NULL);
		if (steps % 16)
			continue;
		rspb_profile_advance(profile, rspb_profile_now(profile) + 60,
				     NULL);
		copy = rspb_profile_clone(profile);
		expect_valid(profile);
		ck_assert_uint_eq(digest(copy), digest(profile));
		rspb_profile_destroy(copy);
	}
	/* Not all at once. */
	ck_assert_int_gt(steps, 50);
	expect_valid(profile);
	rspb_nodeset_destroy(set);
	rspb_profile_destroy(profile);
}
END_TEST

START_TEST(copies_share_until_changed)
{
	struct rspb_profile *profile = rspb_profile_create(NODES, 0);
	struct rspb_profile *copies[3];
	uint64_t before;

	cover_many(profile, 400, true, 5);
	ck_assert_ptr_eq(profile->form, &rspb_profile_rows);
	before = digest(profile);
	for (int i = 0; i < 3; i++)
		copies[i] = rspb_profile_clone(i ? copies[i - 1] : profile);
	for (size_t i = 0; i < profile->rows->count; i++)
		ck_assert_ptr_eq(profile->rows->entries[i].chunk,
				 copies[2]->rows->entries[i].chunk);
	cover_many(profile, 50, true, 6);
	cover_many(copies[1], 50, true, 7);
	ck_assert_int_eq(rspb_profile_advance(copies[2], 50 * HOUR, NULL), 0);
	ck_assert_uint_eq(digest(copies[0]), before);
	ck_assert_uint_ne(digest(profile), before);
	ck_assert_uint_ne(digest(profile), digest(copies[1]));
	expect_valid(profile);
	rspb_profile_destroy(profile);
	for (int i = 0; i < 3; i++) {
		expect_valid(copies[i]);
		rspb_profile_destroy(copies[i]);
	}
}
END_TEST

/* Change a copy of one's own, again and again. */
static void *change_copies(void *arg)
{
	const struct rspb_profile *shared = arg;

	for (uint64_t i = 0; i < 20; i++) {
		struct rspb_profile *copy = rspb_profile_clone(shared);

		cover_many(copy, 20, true, 100 + i);
		rspb_profile_destroy(copy);
	}
	return NULL;
}

/* Threads may copy one that none of them changes. */
START_TEST(copies_in_threads)
{
	struct rspb_profile *profile = rspb_profile_create(NODES, 0);
	pthread_t threads[4];
	uint64_t before;

	cover_many(profile, 400, true, 9);
	ck_assert_ptr_eq(profile->form, &rspb_profile_rows);
	before = digest(profile);
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL,
						change_copies, profile),
				 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	ck_assert_uint_eq(digest(profile), before);
	expect_valid(profile);
	for (size_t i = 0; i < profile->rows->count; i++)
		ck_assert_uint_eq(
			atomic_load(&profile->rows->entries[i].chunk->users),
			1);
	rspb_profile_destroy(profile);
}
END_TEST

/* Two rows a booking, N / 8 bytes each, in chunks two thirds full: under
 * four rows, all told. */
START_TEST(memory_for_a_scattered_booking)
{
	enum { WIDE = 10240, COUNT = 1500 };
	struct rspb_profile *profile = rspb_profile_create(WIDE, 0);
	struct rspb_profile_stats stats;

	cover_many(profile, COUNT, true, 8);
	ck_assert_ptr_eq(profile->form, &rspb_profile_rows);
	rspb_profile_stats(profile, &stats);
	ck_assert_uint_gt(stats.points, COUNT * 19 / 10);
	ck_assert_uint_lt(stats.bytes, COUNT * (size_t) WIDE / 8 * 4);
	rspb_profile_destroy(profile);
}
END_TEST

static Suite *suite(void)
{
	const TTest *tests[] = {
		scattered_sets_turn_into_rows,
		runs_stay_groups,
		rows_turn_back,
		conversion_is_gradual,
		copies_share_until_changed,
		copies_in_threads,
		memory_for_a_scattered_booking,
	};

	return suite_of("profile forms", tests,
			sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
