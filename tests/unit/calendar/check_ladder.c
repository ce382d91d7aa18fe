/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/calendar/ladder.h"

#include "tests/naive/rng.h"
#include "tests/unit/runner.h"

enum { SPAN = 400, NODES = 20 };

/* The naive twin: what is free at every second; as in SPAN for ever after. */
struct twin {
	int64_t free[SPAN + 1];
};

static int64_t twin_at(const struct twin *twin, int64_t time)
{
	return twin->free[time < SPAN ? time : SPAN];
}

static void take(struct rspb_ladder *ladder, struct twin *twin, uint64_t *seed)
{
	int64_t start = (int64_t) rng_below(seed, SPAN);
	int64_t end = start + (int64_t) rng_below(seed, (uint64_t) 60);
	int64_t count = (int64_t) rng_below(seed, 9) - 3;

	if (!rng_below(seed, 20))
		end = INT64_MAX;
	else if (end > SPAN)
		end = SPAN;
	ck_assert_int_eq(rspb_ladder_take(ladder, start, end, count), 0);
	for (int64_t t = start; t < end && t <= SPAN; t++)
		twin->free[t] -= count;
}

static void compare_steps(const struct rspb_ladder *ladder, const struct twin *twin)
{
	for (int64_t t = 0; t <= SPAN; t++)
		ck_assert_int_eq(ladder->at[rspb_ladder_find(ladder, t)].free, twin->free[t]);
	for (size_t i = 1; i < ladder->n; i++) {
		ck_assert_int_ne(ladder->at[i].free, ladder->at[i - 1].free);
		ck_assert_int_gt(ladder->at[i].time, ladder->at[i - 1].time);
	}
}

static int64_t twin_least(const struct twin *twin, int64_t start, int64_t end)
{
	int64_t least = twin_at(twin, start);

	for (int64_t t = start; t < end && t <= SPAN; t++)
		least = twin->free[t] < least ? twin->free[t] : least;
	return least;
}

static void compare_search(const struct rspb_ladder *ladder, const struct twin *twin,
			   uint64_t *seed)
{
	int64_t ready = (int64_t) rng_below(seed, SPAN);
	int64_t last = ready + (int64_t) rng_below(seed, SPAN);
	int64_t duration = 1 + (int64_t) rng_below(seed, 80);
	int64_t count = (int64_t) rng_below(seed, NODES), start, want = ready;
	bool found;

	while (want <= last && twin_least(twin, want, want + duration) < count)
		want++;
	found = rspb_ladder_search(ladder, count, ready, last, duration, &start);
	ck_assert_int_eq(found, want <= last);
	if (found)
		ck_assert_int_eq(start, want);
	ck_assert_int_eq(rspb_ladder_least(ladder, ready, ready + duration),
			 twin_least(twin, ready, ready + duration));
}

static void compare_roomiest(const struct rspb_ladder *ladder, const struct twin *twin,
			     uint64_t *seed)
{
	int64_t ready = (int64_t) rng_below(seed, SPAN);
	int64_t last = ready + (int64_t) rng_below(seed, SPAN);
	int64_t duration = 1 + (int64_t) rng_below(seed, 80);
	int64_t count = 1 + (int64_t) rng_below(seed, NODES), start, want = -1;
	int64_t most = count - 1;
	bool found;

	for (int64_t t = ready; t <= last; t++) {
		int64_t least = twin_least(twin, t, t + duration);

		if (least > most) {
			most = least;
			want = t;
		}
	}
	found = rspb_ladder_roomiest(ladder, count, ready, last, duration, &start);
	ck_assert_int_eq(found, want >= 0);
	if (found)
		ck_assert_int_eq(start, want);
}

START_TEST(every_second_is_as_if_counted)
{
	for (uint64_t round = 0; round < 60; round++) {
		uint64_t seed = round + 1;
		struct rspb_ladder ladder = { .at = NULL };
		struct twin twin;

		for (int64_t t = 0; t <= SPAN; t++)
			twin.free[t] = NODES;
		ck_assert_int_eq(rspb_ladder_begin(&ladder, 0, NODES), 0);
		for (int i = 0; i < 60; i++) {
			take(&ladder, &twin, &seed);
			compare_steps(&ladder, &twin);
			for (int k = 0; k < 10; k++)
				compare_search(&ladder, &twin, &seed);
			if (i % 6 == 0)
				compare_roomiest(&ladder, &twin, &seed);
		}
		rspb_ladder_fini(&ladder);
	}
}
END_TEST

START_TEST(what_was_is_forgotten)
{
	struct rspb_ladder ladder = { .at = NULL };
	int64_t start;

	ck_assert_int_eq(rspb_ladder_begin(&ladder, INT64_MIN, 4), 0);
	ck_assert_int_eq(rspb_ladder_take(&ladder, 10, 20, 3), 0);
	ck_assert_int_eq(rspb_ladder_take(&ladder, 15, INT64_MAX, 1), 0);
	rspb_ladder_advance(&ladder, 12);
	ck_assert_int_eq(ladder.at[0].time, 12);
	ck_assert_int_eq(rspb_ladder_least(&ladder, 0, 13), 1);
	ck_assert(rspb_ladder_search(&ladder, 3, 12, 20, 5, &start));
	ck_assert_int_eq(start, 20);
	ck_assert(!rspb_ladder_search(&ladder, 3, 12, 19, 5, &start));
	ck_assert(!rspb_ladder_search(&ladder, 4, 12, 1000, 5, &start));
	rspb_ladder_fini(&ladder);
}
END_TEST

RUN_TESTS("ladder", NULL, NULL, 0, every_second_is_as_if_counted, what_was_is_forgotten)
