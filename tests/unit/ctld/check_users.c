/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A name service that takes its time, and who waits for it: nobody. */
#include "plugins/ctld/request/users.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/conf/config.h"
#include "plugins/compat/clock.h"
#include "plugins/compat/ctld.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/base/wake.h"
#include "tests/unit/runner.h"

enum { SLOW_US = 200000, WHEEL = 50, OTHERS = 60, NOBODY = 9 };

static atomic_int asked, woken, posted, learned, unknown;
static atomic_bool slow, fails, groups_fail;
static char groups[RSPB_CONFIG_LIST];

static void take_time(void)
{
	const struct timespec pause = { .tv_nsec = SLOW_US * 1000L };

	if (slow)
		nanosleep(&pause, NULL);
}

int rspb_directory_group(const char *name, gid_t *id, bool *failed)
{
	take_time();
	*failed = groups_fail;
	if (groups_fail)
		return -1;
	*id = WHEEL;
	return strcmp(name, "wheel") ? -1 : 0;
}

char *rspb_directory_user(uint32_t user, gid_t *own, bool *failed)
{
	char *name = NULL;

	asked++;
	take_time();
	*failed = fails;
	*own = OTHERS;
	if (!fails && user != NOBODY && asprintf(&name, "u%u", user) < 0)
		abort();
	return name;
}

/* Even ones may. */
gid_t *rspb_directory_groups(const char *name, gid_t own, int *n)
{
	gid_t *ids = malloc(2 * sizeof(*ids));

	take_time();
	ids[0] = own;
	ids[1] = WHEEL;
	*n = atoi(name + 1) % 2 ? 1 : 2;
	return ids;
}

int rspb_settings_learn(void)
{
	learned++;
	return unknown;
}

const struct rspb_config *rspb_settings_get(void)
{
	static _Thread_local struct rspb_config config;

	strcpy(config.allow_groups, groups);
	return &config;
}

void rspb_log(enum rspb_log_level level, const char *fmt, ...)
{
	(void) level;
	(void) fmt;
}

void rspb_wake_up(enum rspb_wake why)
{
	(void) why;
	woken++;
}

void rspb_task_post(struct rspb_task *task)
{
	(void) task;
	posted++;
}

static void await(uint32_t user, int64_t now)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	for (int i = 0; i < 20000 && !rspb_users_known(user, now); i++)
		nanosleep(&pause, NULL);
	ck_assert(rspb_users_known(user, now));
}

static void begin(const char *allowed)
{
	struct rspb_err err;

	strcpy(groups, allowed);
	rspb_users_learn();
	ck_assert(!rspb_users_start(&err));
}

static void is_called(uint32_t user, const char *wanted)
{
	char name[RSPB_USER_NAME];

	rspb_users_name(user, name);
	ck_assert_str_eq(name, wanted);
}

START_TEST(who_may)
{
	int64_t now = time(NULL);

	slow = true;
	begin("none,wheel");
	/* Nothing is known yet. */
	ck_assert(rspb_users_may(7, now));
	is_called(7, "7");
	slow = false;
	await(7, now);
	await(8, now);
	await(NOBODY, now);
	ck_assert(!rspb_users_may(7, now));
	ck_assert(rspb_users_may(8, now));
	ck_assert(!rspb_users_may(NOBODY, now));
	is_called(7, "u7");
	is_called(NOBODY, "9");
	rspb_users_stop();
}
END_TEST

START_TEST(groups_are_asked_again)
{
	const struct timespec pause = { .tv_nsec = 1000000 };
	int64_t now = time(NULL);

	groups_fail = true;
	begin("wheel");
	await(8, now);
	ck_assert(!rspb_users_may(8, now));
	/* The name service is there again; a minute later it is asked once more. */
	groups_fail = false;
	ck_assert(!rspb_users_may(8, now + 30));
	for (int i = 0;
	     i < 20000 && !(rspb_users_known(8, now + 70) && rspb_users_may(8, now + 70)); i++)
		nanosleep(&pause, NULL);
	ck_assert(rspb_users_may(8, now + 70));
	rspb_users_stop();
}
END_TEST

/* Wait until the settings have been learned so often. Users are asked about at that time. */
static void await_learned(int n, int64_t now)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	for (int i = 0; i < 20000 && learned < n; i++) {
		rspb_users_known(8, now);
		nanosleep(&pause, NULL);
	}
	ck_assert_int_eq(learned, n);
}

START_TEST(users_of_rules_are_asked_again)
{
	int64_t now = time(NULL);

	unknown = -1;
	begin("");
	await(8, now);
	ck_assert_int_eq(learned, 1);
	/* The name service could not be asked, and is asked again a minute later. Nobody waits for
	 * that, as what is known of users is still valid. */
	ck_assert(rspb_users_known(8, now + 30));
	ck_assert_int_eq(learned, 1);
	unknown = 1;
	ck_assert(rspb_users_known(8, now + 70));
	await_learned(2, now);
	/* A user who does not exist may come to exist. */
	rspb_users_known(8, now + 570);
	ck_assert_int_eq(learned, 2);
	unknown = 0;
	await_learned(3, now + 610);
	await(8, now);
	rspb_users_known(8, now + 6000);
	ck_assert_int_eq(learned, 3);
	rspb_users_stop();
}
END_TEST

START_TEST(nobody_waits)
{
	int64_t now = time(NULL), began = rspb_clock_us(CLOCK_MONOTONIC);
	struct rspb_task task = { .run = NULL };
	int before;

	slow = true;
	begin("wheel");
	for (uint32_t user = 1; user <= 3; user++) {
		ck_assert(!rspb_users_known(user, now));
		ck_assert(rspb_users_may(user, now));
		rspb_users_then(user, now, &task);
		is_called(user, (char[]){ (char) ('0' + (int) user), '\0' });
	}
	ck_assert_int_lt(rspb_clock_us(CLOCK_MONOTONIC) - began, SLOW_US / 2);
	ck_assert_int_eq(posted, 0);
	await(1, now);
	await(2, now);
	await(3, now);
	ck_assert_int_eq(posted, 3);
	before = asked;
	rspb_users_then(3, now, &task);
	ck_assert_int_eq(posted, 4);
	ck_assert_int_eq(asked, before);
	ck_assert_int_gt(woken, 0);
	rspb_users_stop();
}
END_TEST

START_TEST(ten_minutes_later)
{
	int64_t now = time(NULL);

	begin("wheel");
	await(8, now);
	fails = true;
	ck_assert(!rspb_users_known(8, now + 601));
	/* What was known is better than nothing, but for a minute alone. */
	await(8, now + 30);
	ck_assert(rspb_users_may(8, now + 30));
	is_called(8, "u8");
	rspb_users_learn();
	ck_assert(!rspb_users_known(8, now));
	rspb_users_stop();
}
END_TEST

static void await_asked(int n)
{
	const struct timespec pause = { .tv_nsec = 1000000 };

	for (int i = 0; i < 20000 && asked < n; i++)
		nanosleep(&pause, NULL);
	ck_assert_int_eq(asked, n);
}

/* Who asks every now and then is never unknown again. */
START_TEST(five_minutes_later)
{
	int64_t now = time(NULL);
	int before;

	begin("wheel");
	await(8, now);
	before = asked;
	ck_assert(rspb_users_known(8, now + 290));
	ck_assert(!rspb_users_soon(8));
	slow = true;
	ck_assert(rspb_users_known(8, now + 310));
	ck_assert(rspb_users_known(8, now + 310));
	await_asked(before + 1);
	rspb_users_stop();
	ck_assert_int_eq(asked, before + 1);
}
END_TEST

START_TEST(others_wait_for_two_seconds)
{
	const struct timespec most = { .tv_sec = 2, .tv_nsec = 100000000 };
	int64_t now = time(NULL);

	slow = true;
	begin("wheel");
	ck_assert(!rspb_users_soon(12));
	/* The twelfth of them is looked up after more than two seconds. */
	for (uint32_t user = 1; user <= 12; user++)
		ck_assert(!rspb_users_known(user, now));
	ck_assert(rspb_users_soon(12));
	nanosleep(&most, NULL);
	ck_assert(!rspb_users_known(12, now));
	ck_assert(!rspb_users_soon(12));
	slow = false;
	await(12, now);
	ck_assert(!rspb_users_soon(12));
	rspb_users_stop();
}
END_TEST

START_TEST(no_more_than_so_many)
{
	int64_t now = time(NULL);
	int before;

	begin("");
	/* All are wanted at first, which is quicker than one after the other. */
	for (uint32_t user = 1000; user < 1000 + 4096; user++)
		rspb_users_known(user, now);
	for (uint32_t user = 1000; user < 1000 + 4096 + 10; user++)
		await(user, now);
	before = asked;
	await(1000 + 4096 + 9, now);
	ck_assert_int_eq(asked, before);
	/* One of the first had to go. */
	for (uint32_t user = 1000; user < 1000 + 10; user++)
		await(user, now);
	ck_assert_int_gt(asked, before);
	rspb_users_stop();
}
END_TEST

static void drop(struct rspb_task *task)
{
	(void) task;
	posted = -1;
}

START_TEST(the_end)
{
	struct rspb_task task = { .drop = drop };
	int64_t now = time(NULL);

	slow = true;
	begin("wheel");
	rspb_users_then(1, now, &task);
	rspb_users_stop();
	ck_assert_int_eq(posted, -1);
	/* Another slurmctld in this process. */
	begin("");
	await(1, now);
	rspb_users_stop();
}
END_TEST

static Suite *suite(void)
{
	const TTest *const tests[] = { who_may,
				       groups_are_asked_again,
				       users_of_rules_are_asked_again,
				       nobody_waits,
				       ten_minutes_later,
				       five_minutes_later,
				       others_wait_for_two_seconds,
				       no_more_than_so_many,
				       the_end };

	return suite_of("users", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
