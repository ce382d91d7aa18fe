/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A profile without memory: a call that fails has no effect. The linker puts
 * the functions here before those of the library (-Wl,--wrap).
 */
#include <stdlib.h>

#include "common/calendar/profile.h"
#include "tests/naive/rng.h"
#include "tests/unit/runner.h"
#include "tests/validate/validate.h"

static long left = -1; /* allocations until one fails; -1: none does */

static bool fails(void)
{
	return left >= 0 && left-- == 0;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t alignment, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t alignment, size_t size);

void *__wrap_malloc(size_t size)
{
	return fails() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return fails() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return fails() ? NULL : __real_realloc(old, size);
}

void *__wrap_aligned_alloc(size_t alignment, size_t size)
{
	return fails() ? NULL : __real_aligned_alloc(alignment, size);
}

enum { NODES = 192, ROUNDS = 800 };

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
	uint64_t value = (uint64_t) rspb_profile_now(profile);
	struct rspb_err err = { "" };

	ck_assert_msg(!validate_profile(profile, &err), "%s", err.text);
	rspb_profile_records(profile, digest_record, &value);
	return value;
}

struct change {
	int kind;
	int64_t start, end;
	struct rspb_nodeset *set;
};

/* RET what the call returns, -1 when it failed. */
static int make_change(struct rspb_profile **profile, const struct change *c, struct rspb_err *err)
{
	const struct rspb_query query = {
		.ready = c->start,
		.deadline = c->start + 20000,
		.duration = c->end - c->start,
		.nodes = 3,
	};
	struct rspb_profile *copy;
	struct rspb_rect *rects;
	int rc;

	switch (c->kind) {
	case 0:
		return rspb_profile_advance(*profile, c->start / 100, err);
	case 1:
		return rspb_profile_remove(*profile, c->start, c->end, c->set, err);
	case 2:
		rc = rspb_profile_candidates(*profile, &query, &rects, err) < 0 ? -1 : 0;
		free(rects);
		return rc;
	case 3:
		copy = rspb_profile_clone(*profile);
		if (!copy)
			return -1;
		/* The old one goes on sharing what the copy has. */
		rspb_profile_destroy(*profile);
		*profile = copy;
		return 0;
	default:
		return rspb_profile_cover(*profile, c->start, c->end, c->set, err);
	}
}

/* Each change once without some allocation, then with all. */
START_TEST(failing_calls_have_no_effect)
{
	struct rspb_profile *profile = rspb_profile_create(NODES, 0), *kept;
	struct change c = { .set = rspb_nodeset_create(NODES) };
	uint64_t rng = 5;
	int failures = 0, rounds = test_rounds(ROUNDS);

	kept = rspb_profile_clone(profile);
	for (int i = 0; i < rounds; i++) {
		struct rspb_err err = { "" };
		uint64_t before = digest(profile);
		int rc;

		c.kind = (int) rng_below(&rng, 16);
		c.start = (int64_t) rng_below(&rng, 100000);
		c.end = c.start + 1 + (int64_t) rng_below(&rng, 3000);
		rspb_nodeset_clear(c.set);
		for (uint64_t n = rng_below(&rng, 30); n < 30; n++)
			rspb_nodeset_add(c.set, (uint32_t) rng_below(&rng, NODES));
		if (i % 20 == 0) {
			/* Chunks that two have must be copied first. */
			rspb_profile_destroy(kept);
			kept = rspb_profile_clone(profile);
		}
		left = (long) rng_below(&rng, 4);
		rc = make_change(&profile, &c, &err);
		left = -1;
		if (rc)
			ck_assert_uint_eq(digest(profile), before);
		failures += rc != 0;
		make_change(&profile, &c, NULL);
	}
	ck_assert_int_gt(failures, rounds / 100);
	rspb_nodeset_destroy(c.set);
	rspb_profile_destroy(profile);
	rspb_profile_destroy(kept);
}
END_TEST

static Suite *suite(void)
{
	const TTest *tests[] = { failing_calls_have_no_effect };

	return suite_of("profile without memory", tests, 1);
}

RUN_SUITE(suite)
