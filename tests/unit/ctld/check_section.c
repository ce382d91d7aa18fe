/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which sections under slurmctld's locks are complained of. */
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "plugins/ctld/base/section.h"
#include "tests/unit/runner.h"

static int errors;

void rspb_ctld_lock(enum rspb_lock kind)
{
	(void) kind;
}

void rspb_ctld_unlock(enum rspb_lock kind)
{
	(void) kind;
}

bool rspb_ctld_stopping(void)
{
	return false;
}

void rspb_log(enum rspb_log_level level, const char *fmt, ...)
{
	(void) fmt;
	errors += level == RSPB_LOG_ERROR;
}

bool rspb_resv_news(struct rspb_resv_seen_at *seen, int64_t now)
{
	(void) seen;
	(void) now;
	return false;
}

/* Be busy for so much processor time, on whatever clock. */
static void work(clockid_t clock, int64_t us)
{
	struct timespec begin, now;

	clock_gettime(clock, &begin);
	do
		clock_gettime(clock, &now);
	while ((now.tv_sec - begin.tv_sec) * INT64_C(1000000) +
		       (now.tv_nsec - begin.tv_nsec) / 1000 <
	       us);
}

static void enter(struct rspb_section *section, enum rspb_lock kind)
{
	errors = 0;
	ck_assert(rspb_section_enter(section, kind, "test"));
}

START_TEST(what_we_did_is_told)
{
	struct rspb_section section;

	enter(&section, RSPB_LOCK_WRITE);
	work(CLOCK_THREAD_CPUTIME_ID, 2 * RSPB_SECTION_MAX_US);
	rspb_section_leave(&section);
	ck_assert_int_eq(errors, 1);
	enter(&section, RSPB_LOCK_WRITE);
	usleep(2 * RSPB_SECTION_MAX_US);
	rspb_section_leave(&section);
	ck_assert_int_eq(errors, 1);
	enter(&section, RSPB_LOCK_READ);
	usleep(2 * RSPB_SECTION_MAX_US);
	rspb_section_leave(&section);
	ck_assert_int_eq(errors, 1);
}
END_TEST

START_TEST(lengths_are_counted)
{
	struct rspb_lengths_sum before, after;
	struct rspb_section section;

	rspb_section_count(RSPB_LOCK_READ, &before);
	ck_assert_uint_eq(before.n, 0);
	ck_assert_int_eq(before.most_us, 0);
	for (int i = 0; i < 199; i++) {
		enter(&section, RSPB_LOCK_READ);
		rspb_section_leave(&section);
	}
	enter(&section, RSPB_LOCK_READ);
	usleep(30000);
	rspb_section_leave(&section);
	rspb_section_count(RSPB_LOCK_READ, &after);
	ck_assert_uint_eq(after.n, 200);
	ck_assert_int_ge(after.longest_us, 30000);
	ck_assert_int_lt(after.most_us, 30000);
	enter(&section, RSPB_LOCK_READ);
	usleep(20000);
	rspb_section_leave(&section);
	enter(&section, RSPB_LOCK_READ);
	usleep(20000);
	rspb_section_leave(&section);
	rspb_section_count(RSPB_LOCK_READ, &after);
	ck_assert_int_ge(after.most_us, 20000);
	ck_assert_int_le(after.most_us, after.longest_us);
}
END_TEST

/* Another process takes the processor away from one that only gets what nobody
 * wants. */
START_TEST(what_the_host_did_is_not)
{
	const struct sched_param none = { 0 };
	struct rspb_section section;
	int64_t begin;
	cpu_set_t one;
	pid_t other;

	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	ck_assert_int_eq(sched_setaffinity(0, sizeof(one), &one), 0);
	other = fork();
	if (!other)
		for (;;)
			work(CLOCK_MONOTONIC, 1000000);
	ck_assert_int_eq(sched_setscheduler(0, SCHED_IDLE, &none), 0);
	usleep(20000);
	enter(&section, RSPB_LOCK_WRITE);
	begin = rspb_section_clock_us();
	while (rspb_section_clock_us() - begin <= RSPB_SECTION_MAX_US)
		work(CLOCK_THREAD_CPUTIME_ID, 100);
	rspb_section_leave(&section);
	kill(other, SIGKILL);
	ck_assert_int_eq(waitpid(other, NULL, 0), other);
	ck_assert_int_eq(errors, 0);
}
END_TEST

RUN_TESTS("section", NULL, NULL, 0, lengths_are_counted, what_we_did_is_told,
	  what_the_host_did_is_not)
