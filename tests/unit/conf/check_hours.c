/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hours of the week, minute by minute. */
#include <stdbool.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "tests/unit/runner.h"

enum { SUN, MON, TUE, WED, THU, FRI, SAT };

static int at(int day, int hour, int minute)
{
	return day * RSPB_HOURS_DAY + hour * 60 + minute;
}

START_TEST(texts)
{
	static const char *const good[] = {
		"",
		"Mon/09:00-17:00",
		"mon-FRI/00:00-24:00",
		"Fri-Mon/22:00-06:00,Wed/12:30-12:31",
	};
	static const char *const bad[] = {
		"Mon",
		"Mon/",
		"Mon/9:00-17:00",
		"Mon/09:00",
		"Mon/09:00-",
		"Mon/09:00-25:00",
		"Mon/09:60-10:00",
		"Mon/09:00-09:00",
		"Mon/24:00-01:00",
		"Montag/09:00-10:00",
		"Mon/09:00-10:00;",
		"/09:00-10:00",
		"Mon-/09:00-10:00",
		"Mon/09:00-10:00x",
		"Mon/09:00-24:01",
		"Mon 09:00-10:00",
	};
	struct rspb_err err;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		ck_assert_msg(!rspb_hours_check(good[i], &err), "%s", good[i]);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		ck_assert_msg(rspb_hours_check(bad[i], &err), "%s", bad[i]);
}
END_TEST

START_TEST(office)
{
	static const char hours[] = "Mon-Fri/09:00-17:00,Sat/10:00-12:00";

	ck_assert_int_eq(rspb_hours_next(hours, at(MON, 9, 0), true), 0);
	ck_assert_int_eq(rspb_hours_next(hours, at(MON, 8, 59), true), 1);
	ck_assert_int_eq(rspb_hours_next(hours, at(MON, 16, 59), false), 1);
	ck_assert_int_eq(rspb_hours_next(hours, at(MON, 17, 0), true), 16 * 60);
	ck_assert_int_eq(rspb_hours_next(hours, at(FRI, 17, 0), true), 17 * 60);
	ck_assert_int_eq(rspb_hours_next(hours, at(SAT, 12, 0), true), 45 * 60);
	ck_assert_int_eq(rspb_hours_next(hours, at(SUN, 0, 0), true), 33 * 60);
	ck_assert_int_eq(rspb_hours_next(hours, at(SUN, 0, 0), false), 0);
}
END_TEST

START_TEST(nights_and_ends)
{
	static const char nights[] = "Fri-Sat/22:00-06:00";

	ck_assert_int_eq(rspb_hours_next(nights, at(SAT, 23, 0), false), 7 * 60);
	ck_assert_int_eq(rspb_hours_next(nights, at(SUN, 5, 59), true), 0);
	ck_assert_int_eq(rspb_hours_next(nights, at(SUN, 6, 0), true),
			 at(FRI, 22, 0) - at(SUN, 6, 0));
	ck_assert_int_eq(rspb_hours_next("Sun-Sat/00:00-24:00", 77, false), -1);
	ck_assert_int_eq(rspb_hours_next("", 77, true), 0);
	ck_assert_int_eq(rspb_hours_next("", 77, false), -1);
}
END_TEST

/* Against a plain reading of one span, for every minute. */
START_TEST(every_minute)
{
	static const char hours[] = "Thu-Mon/21:30-03:15";

	for (int m = 0; m < RSPB_HOURS_WEEK; m++) {
		int day = m / RSPB_HOURS_DAY, time = m % RSPB_HOURS_DAY;
		int before = (day + 6) % 7;
		bool evening = time >= 21 * 60 + 30 && day != TUE && day != WED;
		bool night = time < 3 * 60 + 15 && before != TUE && before != WED;

		ck_assert_int_eq(!rspb_hours_next(hours, m, true), evening || night);
	}
}
END_TEST

RUN_TESTS("hours", NULL, NULL, 0, texts, office, nights_and_ends, every_minute)
