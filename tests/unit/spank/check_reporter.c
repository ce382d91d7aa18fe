/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thread that tells a controller what jobs use, with a controller of ours,
 * on folders that only look like control groups. */
#include "plugins/spank/node.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "plugins/compat/controller.h"
#include "tests/unit/spank/node_folders.h"

/* As slurm/spank.h has them; this stands in for slurmd. */
void slurm_error(const char *fmt, ...);
void slurm_info(const char *fmt, ...);
void slurm_debug(const char *fmt, ...);

/* What a failed report waits before the next one, and a second. */
enum { PAST_RETRY_S = 6 };

static struct {
	pthread_mutex_t lock;
	bool away; /* nobody answers; the node's folder goes, too */
	unsigned int calls, errors;
	char text[RSPB_USE_REPORT];
} seen = { .lock = PTHREAD_MUTEX_INITIALIZER };

int rspb_controller_tell(const char *text, int stop, struct rspb_err *err)
{
	bool away;

	(void) stop;
	pthread_mutex_lock(&seen.lock);
	seen.calls++;
	snprintf(seen.text, sizeof(seen.text), "%s", text);
	away = seen.away;
	pthread_mutex_unlock(&seen.lock);
	if (!away)
		return 0;
	ck_assert_int_eq(rename(in_top("state/n1"), in_top("state/gone")), 0);
	return rspb_fail(err, "nobody answers");
}

void slurm_error(const char *fmt, ...)
{
	(void) fmt;
	pthread_mutex_lock(&seen.lock);
	seen.errors++;
	pthread_mutex_unlock(&seen.lock);
}

void slurm_info(const char *fmt, ...)
{
	(void) fmt;
}

void slurm_debug(const char *fmt, ...)
{
	(void) fmt;
}

static unsigned int calls(void)
{
	unsigned int n;

	pthread_mutex_lock(&seen.lock);
	n = seen.calls;
	pthread_mutex_unlock(&seen.lock);
	return n;
}

/* Until there were so many reports; the host may be busy. */
static void wait_calls(unsigned int n)
{
	const struct timespec while_ = { 0, 20000000 };
	time_t end = time(NULL) + 60;

	while (calls() < n) {
		ck_assert_msg(time(NULL) < end, "%u reports of %u", calls(), n);
		nanosleep(&while_, NULL);
	}
}

static double cpu_s(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &ts);
	return (double) ts.tv_sec + (double) ts.tv_nsec / 1e9;
}

static void begin(bool away)
{
	setup();
	start_v1();
	seen.away = away;
	seen.calls = seen.errors = 0;
}

/* Job 7 has a share and runs. */
static void job_runs(void)
{
	ck_assert_int_ge(grant(7, 1, 3500, 0), 0);
	fake_v1(7);
	step_of(7, 2);
}

START_TEST(a_job_is_told_of_soon)
{
	begin(false);
	ck_assert_int_eq(rspb_node_sweep(&node, NULL), 0);
	rspb_reporter_start(&node);
	job_runs();
	wait_calls(1);
	rspb_reporter_stop();
	ck_assert(strstr(seen.text, "node=n1\njob=7 ") != NULL);
	teardown();
}
END_TEST

START_TEST(it_ends_when_told_to)
{
	begin(false);
	ck_assert_int_eq(rspb_node_sweep(&node, NULL), 0);
	rspb_reporter_start(&node);
	rspb_reporter_stop();
	rspb_reporter_stop();
	ck_assert_uint_eq(calls(), 0);
	teardown();
}
END_TEST

START_TEST(without_folders_there_is_none)
{
	begin(false);
	rspb_reporter_start(&node);
	ck_assert_uint_eq(seen.errors, 1);
	rspb_reporter_stop();
	teardown();
}
END_TEST

/* A report failed and is due again, when there is nothing left to tell: the
 * thread waits for something to happen instead of running for ever. */
START_TEST(it_rests_when_its_folder_is_gone)
{
	double before;

	begin(true);
	ck_assert_int_eq(rspb_node_sweep(&node, NULL), 0);
	job_runs();
	rspb_reporter_start(&node);
	wait_calls(1);
	sleep(PAST_RETRY_S);
	before = cpu_s();
	sleep(1);
	ck_assert_msg(cpu_s() - before < 0.05, "%.3f s of CPU in a second", cpu_s() - before);
	ck_assert_uint_eq(calls(), 1);
	rspb_reporter_stop();
	teardown();
}
END_TEST

static Suite *make_suite(void)
{
	const TTest *const tests[] = {
		a_job_is_told_of_soon,
		it_ends_when_told_to,
		without_folders_there_is_none,
		it_rests_when_its_folder_is_gone,
	};
	Suite *suite = suite_create("reporter");
	TCase *tcase = tcase_create("reporter");

	tcase_set_timeout(tcase, 120);
	for (size_t i = 0; i < sizeof(tests) / sizeof(*tests); i++)
		tcase_add_test(tcase, tests[i]);
	suite_add_tcase(suite, tcase);
	return suite;
}

RUN_SUITE(make_suite)
