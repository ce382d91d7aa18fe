/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies of a profile: what they share, what they cost, what threads may do. */
#include <pthread.h>

#include "common/calendar/internal.h"
#include "tests/naive/rng.h"
#include "tests/unit/runner.h"
#include "tests/validate/validate.h"

enum { NODES = 512, HOUR = 3600, BOOKINGS = 2000 };

/* Cover so many windows of an hour within a thousand, of nodes in a row or
 * here and there. */
static void cover_many(struct rspb_profile *profile, int count, uint64_t seed)
{
	struct rspb_nodeset *set = rspb_nodeset_create(NODES);
	uint64_t rng = seed;

	for (int i = 0; i < count; i++) {
		int64_t start = rspb_profile_now(profile) + (int64_t) rng_below(&rng, 1000 * HOUR);
		uint32_t from = (uint32_t) rng_below(&rng, NODES / 2);

		rspb_nodeset_clear(set);
		for (uint32_t n = from; n < from + NODES / 4; n++)
			if (i % 2 || rng_below(&rng, 2))
				rspb_nodeset_add(set, n);
		ck_assert_int_eq(rspb_profile_cover(profile, start, start + HOUR, set, NULL), 0);
	}
	rspb_nodeset_destroy(set);
}

static void expect_valid(const struct rspb_profile *profile)
{
	struct rspb_err err = { "" };

	ck_assert_msg(!validate_profile(profile, &err), "%s", err.text);
}

/* A figure that any difference of two profiles changes. */
static int digest_record(int64_t time, const struct rspb_nodeset *booked, void *arg)
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

static size_t bytes(const struct rspb_profile *profile)
{
	struct profile_stats stats;

	stats = validate_stats(profile);
	return stats.bytes;
}

/* Chunks of an order that an index has for itself. */
static size_t own_chunks(const struct rspb_sorted *order)
{
	size_t own = 0;

	for (size_t i = 0; i < order->chunks; i++)
		own += atomic_load(&order->slots[i].chunk->page.users) == 1;
	return own;
}

START_TEST(copies_share_until_changed)
{
	struct rspb_profile *profile = rspb_profile_create(NODES, 0);
	struct rspb_profile *copies[3];
	uint64_t before;

	cover_many(profile, BOOKINGS, 5);
	before = digest(profile);
	for (int i = 0; i < 3; i++)
		copies[i] = rspb_profile_clone(i ? copies[i - 1] : profile);
	ck_assert_ptr_eq(profile->index, copies[2]->index);
	cover_many(profile, 50, 6);
	cover_many(copies[1], 50, 7);
	ck_assert_int_eq(rspb_profile_advance(copies[2], 500 * HOUR, NULL), 0);
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

/* Every second node is taken out of many gaps of the whole machine: what stays in each gap is no
 * run of nodes any more, and needs memory of its own. */
START_TEST(a_long_window_cuts_many_gaps)
{
	enum { WIDE = 8192, GAPS = 500 };
	struct rspb_profile *profile = rspb_profile_create(WIDE, 0);
	struct rspb_nodeset *set = rspb_nodeset_create(WIDE);

	rspb_nodeset_fill(set);
	for (int64_t i = 1; i < GAPS; i++)
		ck_assert(!rspb_profile_cover(profile, i * HOUR - 60, i * HOUR, set, NULL));
	for (uint32_t n = 0; n < WIDE; n += 2)
		rspb_nodeset_remove(set, n);
	ck_assert(!rspb_profile_cover(profile, 60, GAPS * HOUR, set, NULL));
	expect_valid(profile);
	rspb_nodeset_destroy(set);
	rspb_profile_destroy(profile);
}
END_TEST

/* One booking more in a copy: a few chunks of its own, the rest is shared. */
START_TEST(a_copy_costs_what_is_changed)
{
	struct rspb_profile *profile = rspb_profile_create(NODES, 0);
	struct rspb_profile *copy;
	const struct rspb_index *index;

	cover_many(profile, BOOKINGS, 8);
	copy = rspb_profile_clone(profile);
	cover_many(copy, 1, 9);
	index = copy->index;
	ck_assert_uint_gt(index->begins.chunks, 60);
	ck_assert_uint_lt(own_chunks(&index->begins), 20);
	ck_assert_uint_lt(own_chunks(&index->ends), 20);
	ck_assert_uint_lt(own_chunks(&index->records), 5);
	ck_assert_uint_gt(bytes(copy), bytes(profile) / 2);
	rspb_profile_destroy(profile);
	expect_valid(copy);
	ck_assert_uint_eq(own_chunks(&index->begins), index->begins.chunks);
	rspb_profile_destroy(copy);
}
END_TEST

/* Change a copy of one's own, again and again. */
static void *change_copies(void *arg)
{
	const struct rspb_profile *shared = arg;

	for (uint64_t i = 0; i < 20; i++) {
		struct rspb_profile *copy = rspb_profile_clone(shared);
		struct rspb_profile *again;

		cover_many(copy, 20, 100 + i);
		again = rspb_profile_clone(copy);
		cover_many(again, 5, 200 + i);
		rspb_profile_destroy(copy);
		cover_many(again, 5, 300 + i);
		rspb_profile_destroy(again);
	}
	return NULL;
}

/* Threads may copy one that none of them changes. */
START_TEST(copies_in_threads)
{
	struct rspb_profile *profile = rspb_profile_create(NODES, 0);
	pthread_t threads[4];
	uint64_t before;

	cover_many(profile, 400, 9);
	before = digest(profile);
	for (int i = 0; i < 4; i++)
		ck_assert_int_eq(pthread_create(&threads[i], NULL, change_copies, profile), 0);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	ck_assert_uint_eq(digest(profile), before);
	expect_valid(profile);
	ck_assert_uint_eq(own_chunks(&profile->index->begins), profile->index->begins.chunks);
	rspb_profile_destroy(profile);
}
END_TEST

static Suite *suite(void)
{
	const TTest *tests[] = {
		copies_share_until_changed,
		a_long_window_cuts_many_gaps,
		a_copy_costs_what_is_changed,
		copies_in_threads,
	};

	return suite_of("profile copies", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
