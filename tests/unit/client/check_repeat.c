/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When what recurs begins, also where the clocks change. */
#include "contrib/client/repeat.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tests/unit/runner.h"

static int64_t starts[RSPB_REPEAT_MOST];
static struct rspb_err err;

/* Nine o'clock in Berlin on a day of 2026. */
static int64_t nine(int month, int day)
{
	struct tm tm = {
		.tm_year = 126, .tm_mon = month - 1, .tm_mday = day, .tm_hour = 9, .tm_isdst = -1
	};

	return mktime(&tm);
}

static int expand(const char *rule, int64_t begin, int64_t until, int64_t count)
{
	const struct rspb_repeat repeat = { rule, begin, until, count, 0 };

	err.text[0] = '\0';
	return rspb_repeat_starts(&repeat, starts, &err);
}

/* By the clock, also where that changes on 29 March. */
START_TEST(deadlines)
{
	struct rspb_repeat repeat = { .begin = nine(3, 28) };

	ck_assert_int_eq(rspb_repeat_deadline(&repeat, nine(3, 29)), 0);
	repeat.deadline = nine(3, 28) + 5 * 3600;
	ck_assert_int_eq(rspb_repeat_deadline(&repeat, nine(3, 28)), repeat.deadline);
	ck_assert_int_eq(rspb_repeat_deadline(&repeat, nine(4, 30)), nine(4, 30) + 5 * 3600);
	/* On the day behind, one hour shorter or longer. */
	repeat.deadline = nine(3, 29);
	ck_assert_int_eq(repeat.deadline - repeat.begin, 23 * 3600);
	ck_assert_int_eq(rspb_repeat_deadline(&repeat, nine(4, 30)), nine(5, 1));
	ck_assert_int_eq(rspb_repeat_deadline(&repeat, nine(10, 24)), nine(10, 25));
}
END_TEST

#ifdef HAVE_ICAL

/* Dates as "10-19 10-20", at nine each. */
static void says(int n, const char *wanted)
{
	char text[512] = "";

	for (int i = 0; i < n; i++) {
		time_t at = starts[i];
		struct tm tm;

		localtime_r(&at, &tm);
		ck_assert_int_eq(tm.tm_hour, 9);
		strftime(text + strlen(text), 16, i ? " %m-%d" : "%m-%d", &tm);
	}
	ck_assert_str_eq(text, wanted);
}

START_TEST(words)
{
	says(expand("daily", nine(3, 28), 0, 3), "03-28 03-29 03-30");
	says(expand("weekly", nine(10, 19), 0, 3), "10-19 10-26 11-02");
	says(expand("Weekdays", nine(10, 23), 0, 4), "10-23 10-26 10-27 10-28");
	says(expand("weekdays", nine(10, 24), nine(10, 27), 0), "10-26 10-27");
	says(expand("monthly", nine(1, 31), 0, 3), "01-31 03-31 05-31");
}
END_TEST

START_TEST(rules)
{
	says(expand("FREQ=WEEKLY;BYDAY=TU,TH;COUNT=3", nine(11, 23), 0, 0), "11-24 11-26 12-01");
	says(expand("FREQ=WEEKLY;BYDAY=TU,TH;COUNT=3", nine(11, 23), 0, 2), "11-24 11-26");
	/* In UTC, an hour or two before nine in Berlin. */
	says(expand("FREQ=DAILY;UNTIL=20261025T075959Z", nine(10, 23), 0, 0), "10-23 10-24");
	says(expand("FREQ=DAILY;UNTIL=20261025T080000Z", nine(10, 23), 0, 0), "10-23 10-24 10-25");
	/* All of the last day. */
	says(expand("FREQ=DAILY;UNTIL=20261025", nine(10, 23), 0, 0), "10-23 10-24 10-25");
	says(expand("FREQ=MONTHLY;BYDAY=-1FR", nine(10, 1), nine(12, 31), 0), "10-30 11-27 12-25");
}
END_TEST

START_TEST(refused)
{
	static const char *const bad[][2] = {
		{ "hourly-ish", "allowed is daily" },
		{ "FREQ=SOMETIMES;COUNT=3", "allowed is daily" },
		{ "", "allowed is daily" },
		{ "daily", "the rule has no end" },
		{ "FREQ=DAILY;COUNT=400", "more than 366" },
		{ "FREQ=DAILY;UNTIL=20200101", "no date begins by then" },
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		ck_assert_int_eq(expand(bad[i][0], nine(10, 23), 0, 0), -1);
		ck_assert_msg(strstr(err.text, bad[i][1]), "%s", err.text);
	}
	ck_assert_int_eq(expand("daily", nine(10, 23), nine(10, 22), 0), -1);
	ck_assert_int_eq(expand("daily", nine(1, 1), 0, 366), 366);
}
END_TEST

#else

START_TEST(words)
{
	ck_assert_int_eq(expand("daily", nine(3, 28), 0, 3), -1);
	ck_assert_ptr_nonnull(strstr(err.text, "without libical"));
}
END_TEST
#define rules	words
#define refused words

#endif

static Suite *suite(void)
{
	const TTest *const tests[] = { deadlines, words, rules, refused };

	setenv("TZ", "Europe/Berlin", 1);
	tzset();
	return suite_of("repeat", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
