/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock of who reads. */
#include "common/wire/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/runner.h"

enum { NOV_23 = 1795392000 }; /* 2026, 00:00Z */

static void live_in(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

START_TEST(a_clock_for_a_year)
{
	char text[RSPB_ZONE_TEXT];
	struct rspb_err err;

	live_in("EST5EDT,M3.2.0,M11.1.0");
	rspb_zone_here(NOV_23, text);
	ck_assert_str_eq(text, "-18000:EST,1805007600:-14400:EDT,"
			       "1825567200:-18000:EST");
	ck_assert_int_eq(rspb_zone_check(text, &err), 0);
	ck_assert(rspb_zone_is_here(text, NOV_23));
	live_in("UTC0");
	ck_assert(!rspb_zone_is_here(text, NOV_23));
	rspb_zone_here(NOV_23, text);
	ck_assert_str_eq(text, "0:UTC");
	live_in("<+0545>-5:45");
	rspb_zone_here(NOV_23, text);
	ck_assert_str_eq(text, "20700:+0545");
}
END_TEST

static void check_local(const char *zone, const char *text, const char *wanted)
{
	char local[128];

	rspb_zone_localize(zone, text, local, sizeof(local));
	ck_assert_str_eq(local, wanted);
}

START_TEST(texts_by_it)
{
	static const char new_york[] = "-18000:EST,1805007600:-14400:EDT,1825567200:-18000:EST";

	live_in("CET-1");
	check_local(new_york, "6 nodes from 2026-11-24T09:00:00Z: yes",
		    "6 nodes from 2026-11-24T04:00:00 EST: yes");
	check_local(new_york, "--begin=2026-11-24T09:00:00Z.", "--begin=2026-11-24T04:00:00.");
	/* two seconds that an hour lies between */
	check_local(new_york, "2027-03-14T06:59:59Z 2027-03-14T07:00:00Z",
		    "2027-03-14T01:59:59 EST 2027-03-14T03:00:00 EDT");
	/* its own, where nothing is said */
	check_local("", "2026-11-24T09:00:00Z", "2026-11-24T10:00:00 CET");
	check_local(new_york, "4@20261124T090000Z+60 2026-13-24T09:00:00Z Z",
		    "4@20261124T090000Z+60 2026-13-24T09:00:00Z Z");
}
END_TEST

START_TEST(what_is_no_clock)
{
	static const char *const bad[] = {
		"",
		"EST",
		"0:",
		"0: UTC",
		"0:UTC,",
		"0:UTC,5",
		"0:UTC;ls",
		" 0:UTC",
		"99999999:UTC",
		"93601:A",
		"0:UTC,9:0:A,9:0:B",
		"0:UTC reason=x",
		"0:TOOLONGNAME",
		"0:A,1:0:B,2:0:C,3:0:D",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct rspb_err err;

		ck_assert_msg(rspb_zone_check(bad[i], &err) == -1, "%s", bad[i]);
		ck_assert_ptr_nonnull(strstr(err.text, "is no clock"));
	}
}
END_TEST

static Suite *suite(void)
{
	const TTest *tests[] = { a_clock_for_a_year, texts_by_it, what_is_no_clock };

	return suite_of("zone", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
