/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The agent's wait when somebody sets the clock: by clocks of its own, which
 * stand still but while it waits. */
#include <errno.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "plugins/ctld/base/errand.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/wake.h"
#include "tests/unit/runner.h"

enum { HOUR_MS = 3600 * 1000, BEGIN_MS = 10 * HOUR_MS, UP_MS = HOUR_MS };

static bool ours; /* else those of the host, by which tests are timed */
static int64_t wall_ms, steady_ms;
static int64_t set_by_ms; /* what the wall clock is set by during a wait */
static clockid_t waits_by = CLOCK_REALTIME;

static int64_t ms_of(const struct timespec *ts)
{
	return ts->tv_sec * INT64_C(1000) + ts->tv_nsec / 1000000;
}

int clock_gettime(clockid_t clock, struct timespec *ts)
{
	int64_t ms = clock == CLOCK_REALTIME ? wall_ms : steady_ms;

	if (!ours)
		return (int) syscall(SYS_clock_gettime, clock, ts);
	*ts = (struct timespec){ .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };
	return 0;
}

int pthread_condattr_setclock(pthread_condattr_t *attr, clockid_t clock)
{
	(void) attr;
	waits_by = clock;
	return 0;
}

/* Until the clock that the condition goes by says so. */
int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
			   const struct timespec *until)
{
	int64_t left;

	(void) cond;
	(void) mutex;
	wall_ms += set_by_ms;
	left = ms_of(until) - (waits_by == CLOCK_REALTIME ? wall_ms : steady_ms);
	if (left > 0) {
		wall_ms += left;
		steady_ms += left;
	}
	return ETIMEDOUT;
}

void rspb_breathe(void)
{
}

static void agent(void)
{
}

/* RET for how long it waits for `ms`, during which the clock is set. */
static int64_t waited(int64_t ms, int64_t set_by)
{
	struct rspb_err err = { "" };

	wall_ms = BEGIN_MS;
	steady_ms = UP_MS;
	set_by_ms = set_by;
	ours = true;
	ck_assert_msg(!rspb_wake_start(agent, &err), "%s", err.text);
	ck_assert_uint_eq(rspb_wake_wait(wall_ms + ms), 0);
	rspb_wake_stop();
	ours = false;
	return steady_ms - UP_MS;
}

START_TEST(as_long_as_said)
{
	ck_assert_int_eq(waited(300, 0), 300);
	ck_assert_int_eq(waited(1, 0), 1);
	ck_assert_int_eq(waited(0, 0), 0);
	ck_assert_int_eq(waited(-5, 0), 0);
}
END_TEST

START_TEST(not_longer_when_the_clock_is_set_back)
{
	ck_assert_int_eq(waited(300, -HOUR_MS), 300);
	ck_assert_int_eq(waited(999, -9 * HOUR_MS), 999);
}
END_TEST

START_TEST(nor_shorter_when_it_is_set_ahead)
{
	ck_assert_int_eq(waited(300, HOUR_MS), 300);
}
END_TEST

RUN_TESTS("wake", NULL, NULL, 0, as_long_as_said, not_longer_when_the_clock_is_set_back,
	  nor_shorter_when_it_is_set_ahead)
