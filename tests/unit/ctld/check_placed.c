/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whoever has nodes is listed, once, however many jobs come and go. */
#include "plugins/ctld/book/occupancy.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/ctld/base/section.h"
#include "tests/unit/runner.h"

enum { JOBS = 1500, ROUNDS = 400, ARRAY = 7, WALKED = 99 };

static bool placed[JOBS + 1]; /* by number */
static int walks;
static uint64_t state = 11;

static uint32_t draw(uint32_t n)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t) (state >> 33) % n;
}

/* A third of them are tasks of a job array, each with a number of its own by then. */
static void start(uint32_t id)
{
	if (draw(3))
		rspb_starts_note(id);
	else
		rspb_starts_note_task(ARRAY, id);
	placed[id] = true;
}

/* --- stand-ins --------------------------------------------------------------------- */

uint32_t rspb_job_of_task(uint32_t array, uint32_t task)
{
	ck_assert_uint_eq(array, ARRAY);
	return task;
}

/* Of those that wait one in seven is not there any more. */
bool rspb_job_mark_find(uint32_t id, struct rspb_job_mark *out)
{
	out->id = id;
	out->placed = placed[id];
	return placed[id] || id % 7;
}

/* In an order that is not that of their numbers; one that was passed by starts. */
int rspb_walk_jobs(struct rspb_section *section, bool *inside, rspb_job_mark_fn fn, void *arg)
{
	int rc = 0;

	(void) section;
	*inside = true;
	walks++;
	for (uint32_t i = 0; i < JOBS && !rc; i++) {
		struct rspb_job_mark mark = { .id = 1 + i * 7 % JOBS };

		mark.placed = placed[mark.id];
		rc = fn(&mark, arg);
		if (i == JOBS / 2 && !placed[8])
			start(8);
	}
	return rc;
}

bool rspb_job_find(uint32_t id, struct rspb_job *out)
{
	out->id = id;
	out->phase = placed[id] ? RSPB_JOB_RUNNING : RSPB_JOB_PENDING;
	out->completing = false;
	return placed[id] || id % 7;
}

int rspb_job_walk(rspb_job_mark_fn fn, bool (*rest)(void *arg), void *arg)
{
	(void) fn;
	(void) rest;
	(void) arg;
	walks++;
	return WALKED;
}

bool rspb_section_enter(struct rspb_section *section, enum rspb_lock kind, const char *what)
{
	(void) section;
	(void) kind;
	(void) what;
	return true;
}

void rspb_section_leave(struct rspb_section *section)
{
	(void) section;
}

/* --- tests ------------------------------------------------------------------------- */

static void see(void)
{
	static struct rspb_section section;
	static bool there[JOBS + 1];
	const uint32_t *ids;
	int before = walks;
	bool inside;
	size_t n;

	ck_assert_int_eq(rspb_placed_see(&section, &inside), 0);
	ck_assert(inside);
	ids = rspb_placed_ids(&n);
	memset(there, 0, sizeof(there));
	for (size_t i = 0; i < n; i++) {
		ck_assert(!i || ids[i] > ids[i - 1]);
		there[ids[i]] = true;
	}
	for (uint32_t id = 1; id <= JOBS; id++)
		if (placed[id] && !there[id] && !(id == 8 && walks > before))
			ck_abort_msg("job %u has nodes and is not listed", id);
}

static void setup(void)
{
	memset(placed, 0, sizeof(placed));
	walks = 0;
	rspb_placed_reset();
}

START_TEST(nobody_is_missed)
{
	for (int i = 0; i < ROUNDS; i++) {
		/* Seldom more than are remembered. */
		uint32_t n = draw(i % 20 ? 200 : 1000);
		int before = walks;

		for (; n; n--) {
			uint32_t id = 1 + draw(JOBS);

			switch (draw(3)) {
			case 0:
				placed[id] = false;
				break;
			case 1: /* and does not start after all */
				rspb_starts_note(id);
				break;
			default:
				start(id);
			}
		}
		see();
		if (walks > before)
			see();
	}
	ck_assert_int_lt(walks, ROUNDS / 10);
	ck_assert_int_gt(walks, 1);
}
END_TEST

START_TEST(who_starts_while_they_are_listed_is_seen_the_next_time)
{
	see();
	ck_assert(placed[8]);
	see();
	ck_assert_int_eq(walks, 1);
}
END_TEST

START_TEST(who_has_ended_goes)
{
	const uint32_t *ids;
	size_t n;

	for (uint32_t id = 1; id <= JOBS; id++)
		placed[id] = true;
	see();
	for (uint32_t id = 1; id <= JOBS; id++)
		placed[id] = id % 100 == 0;
	for (int i = 0; i < 8; i++)
		see();
	ids = rspb_placed_ids(&n);
	ck_assert_uint_eq(n, JOBS / 100);
	ck_assert_uint_eq(ids[0], 100);
}
END_TEST

static int count(const struct rspb_job *job, void *arg)
{
	int *times = arg;

	times[job->id]++;
	return 0;
}

/* Whatever has started since they were seen: each once. RET false: it is not known. */
static bool each_once(void)
{
	int times[JOBS + 1] = { 0 };

	if (rspb_placed_each(count, times) == WALKED)
		return false;
	for (uint32_t id = 1; id <= JOBS; id++)
		ck_assert_int_eq(times[id], placed[id]);
	return true;
}

START_TEST(others_are_told_of_each_once)
{
	ck_assert(!each_once());
	see();
	see();
	for (int i = 0; i < ROUNDS; i++) {
		uint32_t n = draw(RSPB_STARTS_MOST / 2);

		for (; n; n--) {
			uint32_t id = 1 + draw(JOBS);

			placed[id] = false;
			if (draw(2))
				start(id);
		}
		ck_assert(each_once());
		rspb_placed_keep_up();
	}
	ck_assert_int_eq(walks, 2);
	for (uint32_t i = 0; i <= RSPB_STARTS_MOST; i++)
		start(1 + i);
	ck_assert(!each_once());
}
END_TEST

RUN_TESTS("placed", setup, rspb_placed_reset, 30, nobody_is_missed,
	  who_starts_while_they_are_listed_is_seen_the_next_time, who_has_ended_goes,
	  others_are_told_of_each_once)
