/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Outlines beside a naive twin that counts nodes second by second. */
#include "common/plan/outline.h"
#include "tests/unit/plan/requests.h"
#include "tests/unit/sim/random_draw.h"

enum { NODES = 6, TIMES = 120, JOBS = 5, BOOKED = 12 };

struct twin {
	uint64_t state; /* of the random numbers */
	struct rspb_profile *profile;
	struct rspb_outline outline;
	struct rspb_outlined newcomer;
	int64_t free[TIMES]; /* nodes that no booking has, and no job */
};

/* RET how many nodes of the first `nodes` are booked over it; fewer if some were booked already. */
static int64_t book(struct rspb_profile *profile, int64_t start, int64_t end, uint32_t nodes)
{
	struct rspb_nodeset *set = rspb_nodeset_create(NODES);
	int64_t n;

	ck_assert_int_eq(rspb_profile_free_over(profile, start, end, set, NULL), 0);
	rspb_nodeset_keep_lowest(set, nodes);
	n = rspb_nodeset_count(set);
	if (n)
		ck_assert_int_eq(rspb_profile_add(profile, start, end, set, NULL), 0);
	rspb_nodeset_destroy(set);
	return n;
}

static struct rspb_outlined draw_job(struct twin *twin)
{
	struct rspb_outlined job = { .duration = draw(&twin->state, 1, 15) };

	job.takes = job.duration + draw(&twin->state, 0, 2);
	job.ready = draw(&twin->state, 0, TIMES - 60);
	job.last = job.ready + draw(&twin->state, 0, 30);
	job.nodes = draw(&twin->state, 1, NODES);
	return job;
}

static void add_job(struct twin *twin)
{
	struct rspb_outlined job = draw_job(twin);

	job.start = draw(&twin->state, job.ready, job.last);
	job.until = job.start + job.takes;
	job.nodes = book(twin->profile, job.start, job.until, (uint32_t) job.nodes);
	job.of = twin->outline.n;
	if (job.nodes)
		ck_assert_int_eq(rspb_outline_add(&twin->outline, &job), 0);
}

static void begin(struct twin *twin, uint64_t seed)
{
	struct rspb_nodeset *set = rspb_nodeset_create(NODES);

	*twin = (struct twin){ .state = seed, .profile = rspb_profile_create(NODES, 0) };
	for (int i = 0; i < BOOKED; i++) {
		int64_t start = draw(&twin->state, 0, TIMES - 40);

		book(twin->profile, start, start + draw(&twin->state, 1, 30),
		     (uint32_t) draw(&twin->state, 1, NODES));
	}
	for (int64_t t = 0; t < TIMES; t++) {
		ck_assert_int_eq(rspb_profile_free_over(twin->profile, t, t + 1, set, NULL), 0);
		twin->free[t] = rspb_nodeset_count(set);
	}
	for (int i = 0; i < JOBS; i++)
		add_job(twin);
	twin->newcomer = draw_job(twin);
	/* All nodes may be asked for with a set and without one. */
	rspb_nodeset_fill(set);
	ck_assert_int_eq(rspb_outline_read(&twin->outline, twin->profile, seed % 2 ? set : NULL,
					   &twin->newcomer, NULL),
			 0);
	rspb_nodeset_destroy(set);
}

static void end(struct twin *twin)
{
	rspb_outline_fini(&twin->outline);
	rspb_profile_destroy(twin->profile);
}

static void take(struct twin *twin, int64_t start, int64_t seconds, int64_t nodes)
{
	for (int64_t t = start; t < start + seconds; t++)
		twin->free[t] -= nodes;
}

/* RET the earliest start, -1: none. */
static int64_t earliest(const struct twin *twin, const struct rspb_outlined *job)
{
	for (int64_t start = job->ready; start <= job->last; start++) {
		int64_t t = start;

		while (t < start + job->takes && twin->free[t] >= job->nodes)
			t++;
		if (t == start + job->takes)
			return start;
	}
	return -1;
}

/* No second has more jobs than nodes, and each job is within its window. */
static int64_t check_places(struct twin *twin)
{
	int64_t delays = 0;

	for (size_t i = 0; i < twin->outline.n; i++) {
		const struct rspb_outlined *job = &twin->outline.jobs[i];

		ck_assert(!job->away || (job->next >= job->ready && job->next <= job->last));
		take(twin, job->next, job->takes, job->nodes);
		delays += (job->next - job->start) * 100 / job->duration;
	}
	for (int64_t t = 0; t < TIMES; t++)
		ck_assert_int_ge(twin->free[t], 0);
	return delays;
}

START_TEST(an_outline_reads_how_many_nodes_are_free)
{
	int none = 0;

	for (uint64_t seed = 1; seed <= 400; seed++) {
		struct twin twin;

		begin(&twin, seed);
		for (int64_t t = twin.outline.free.at[0].time; t <= twin.newcomer.last; t++) {
			ck_assert_int_eq(rspb_ladder_least(&twin.outline.free, t, t + 1),
					 twin.free[t]);
			none += !twin.free[t];
		}
		end(&twin);
	}
	ck_assert_int_gt(none, 100);
}
END_TEST

/* Book the jobs that are first, or remove them again. */
static void take_first(struct twin *twin, int sign)
{
	for (size_t i = 0; i < twin->outline.n; i++) {
		const struct rspb_outlined *job = &twin->outline.jobs[i];

		if (job->first)
			take(twin, job->start, job->takes, sign * job->nodes);
	}
}

/* RET what the jobs that begin later are delayed by. */
static int64_t later(struct twin *twin, int *moved)
{
	int64_t delays = 0;

	for (size_t i = 0; i < twin->outline.n; i++) {
		const struct rspb_outlined *job = &twin->outline.jobs[i];

		*moved += job->away;
		if (job->next > job->start)
			delays += (job->next - job->start) * 100 / job->duration;
	}
	return delays;
}

START_TEST(a_newcomer_is_placed_among_jobs_that_move_within_their_windows)
{
	int admitted = 0, moved = 0, impatient = 0;

	for (uint64_t seed = 1; seed <= 2000; seed++) {
		struct twin twin;
		int64_t start, delays;
		int rc;

		begin(&twin, seed);
		start = earliest(&twin, &twin.newcomer);
		rc = rspb_outline_admit(&twin.outline, &twin.newcomer, JOBS, 200, 3);
		ck_assert(rc == 0 || (rc == 1 && start >= 0));
		admitted += rc;
		if (rc) {
			take_first(&twin, 1);
			start = earliest(&twin, &twin.newcomer);
			take_first(&twin, -1);
			take(&twin, start, twin.newcomer.takes, twin.newcomer.nodes);
			check_places(&twin);
			delays = later(&twin, &moved);
			ck_assert_int_le(delays, 200);
			for (size_t i = 0; i < twin.outline.n; i++)
				twin.outline.jobs[i].first = false;
			/* With less patience than that nobody moves. */
			rc = rspb_outline_admit(&twin.outline, &twin.newcomer, JOBS, delays - 1, 3);
			ck_assert_int_eq(rc, 0);
			impatient += delays > 0;
		}
		end(&twin);
	}
	ck_assert_int_gt(admitted, 100);
	ck_assert_int_gt(moved, 50);
	ck_assert_int_gt(impatient, 20);
}
END_TEST

START_TEST(jobs_advance_only_if_they_wait_less_in_all)
{
	int advanced = 0;

	for (uint64_t seed = 1; seed <= 2000; seed++) {
		struct twin twin;
		int64_t delays = 0;
		int rc;

		begin(&twin, seed);
		rc = rspb_outline_advance(&twin.outline, 3, &delays);
		ck_assert(rc == 0 || rc == 1);
		if (rc) {
			ck_assert_int_lt(delays, 0);
			ck_assert_int_eq(check_places(&twin), delays);
		}
		advanced += rc;
		end(&twin);
	}
	ck_assert_int_gt(advanced, 100);
}
END_TEST

RUN_TESTS("outline", NULL, NULL, 0, an_outline_reads_how_many_nodes_are_free,
	  a_newcomer_is_placed_among_jobs_that_move_within_their_windows,
	  jobs_advance_only_if_they_wait_less_in_all)
