/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When a booked job that waits is tried to be placed again. */
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/observe/following.h"
#include "tests/unit/runner.h"

enum { END = 5000, NOW = 1000 };

/* No job, and nothing booked, is needed here. */
const struct rspb_ledger *rspb_book_ledger(void)
{
	return NULL;
}

bool rspb_job_find(uint32_t id, struct rspb_job *out)
{
	(void) id;
	(void) out;
	return false;
}

int rspb_job_waits_for(const struct rspb_job *job, uint32_t *ids, int most)
{
	(void) job;
	(void) ids;
	(void) most;
	return 0;
}

/* RET how long after its last try it rests. */
static int64_t pause_of(const struct rspb_after *after, const struct rspb_booking *b)
{
	int64_t now = after->tried;

	while (rspb_after_rests(after, b, after->behind, now))
		now++;
	return now - after->tried;
}

START_TEST(less_often_each_time)
{
	const struct rspb_booking b = { .decided_at = NOW - 100 };
	struct rspb_after after = { .id = 7 };
	int64_t now = NOW, last = 0;

	ck_assert(!rspb_after_rests(&after, &b, END, now));
	for (int i = 0; i < 12; i++) {
		rspb_after_failed(&after, END, now);
		ck_assert_int_ge(pause_of(&after, &b), 20);
		if (i && i < 6)
			ck_assert_int_eq(pause_of(&after, &b), 2 * last);
		last = pause_of(&after, &b);
		now += last;
	}
	/* and not for ever */
	ck_assert_int_eq(last, 32 * 20);
}
END_TEST

START_TEST(at_once_when_something_is_new)
{
	struct rspb_booking b = { .decided_at = NOW - 100 };
	struct rspb_after after = { .id = 7 };

	rspb_after_failed(&after, END, NOW);
	rspb_after_failed(&after, END, NOW + 20);
	ck_assert(rspb_after_rests(&after, &b, END, NOW + 21));
	ck_assert(!rspb_after_rests(&after, &b, END + 1, NOW + 21));
	b.decided_at = NOW + 21;
	ck_assert(!rspb_after_rests(&after, &b, END, NOW + 22));
	b.decided_at = NOW;
	/* another second begins anew */
	rspb_after_failed(&after, END + 1, NOW + 22);
	ck_assert_int_eq(pause_of(&after, &b), 20);
}
END_TEST

RUN_TESTS("after", NULL, NULL, 0, less_often_each_time, at_once_when_something_is_new)
