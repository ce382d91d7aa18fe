/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "contrib/client/draw/axis.h"
#include "contrib/client/draw/chart.h"
#include "tests/unit/runner.h"

enum { HOUR = 3600 };

static const char document[] = "{\"nodes\":[\"a1\",\"a2\",\"a3\",\"a4\"],\"bookings\":["
			       "{\"start\":7200,\"end\":10800,\"on\":\"0-1\",\"mine\":true},"
			       "{\"start\":14400,\"end\":18000,\"on\":\"0,3\",\"share\":25},"
			       "{\"start\":-9000,\"end\":3600,\"on\":\"2\"}],\"others\":["
			       "{\"kind\":\"taken\",\"start\":0,\"end\":3600,\"on\":\"3\"}]}";

/* What is printed in so many lines, without the axis and what follows. */
static char *drawn(const char *text, uint32_t lines, bool colour)
{
	/* A column an hour, beside a label and what stands around. */
	const struct rspb_chart_style style = { .columns = lines < 8 ? 19 : 15,
						.lines = lines,
						.colour = colour };
	json_object *object = json_tokener_parse(text);
	FILE *screen = stdout;
	struct rspb_err err = { "" };
	char *said = NULL;
	size_t size;
	int rc;

	stdout = open_memstream(&said, &size);
	rc = rspb_chart_print(object, 0, 10 * HOUR, &style, &err);
	fclose(stdout);
	stdout = screen;
	json_object_put(object);
	ck_assert_msg(!rc, "%s", err.text);
	return said;
}

static void check_lines(char *said, const char *wanted)
{
	ck_assert_msg(!strncmp(said, wanted, strlen(wanted)), "%s", said);
	free(said);
}

START_TEST(a_line_a_node)
{
	check_lines(drawn(document, 50, false), "a1 |..M.b.....|\n"
						"a2 |..M.......|\n"
						"a3 |B.........|\n"
						"a4 |X...b.....|\n");
}
END_TEST

START_TEST(a_line_for_two)
{
	check_lines(drawn(document, 6, false), "a1..a2 |..M.b.....|\n"
					       "a3..a4 |B...b.....|\n");
}
END_TEST

START_TEST(in_colours)
{
	char *said = drawn(document, 50, true);

	ck_assert_msg(strstr(said, "a1 |..\033[35mM\033[0m."), "%s", said);
	free(said);
}
END_TEST

static const char booked[] = "{\"nodes\":[\"a1\",\"a2\"],\"bookings\":["
			     "{\"job\":41,\"user\":\"ann\",\"start\":%d,\"end\":%d,\"on\":\"0-1\","
			     "\"mine\":true},{\"job\":7,\"user\":\"b\\u001bx\",\"start\":%d,"
			     "\"end\":%d,\"on\":\"0\"}]}";

/* Of 30 hours from eight in the morning on, a column half an hour. */
static char *drawn_day(bool colour)
{
	const struct rspb_chart_style style = { .columns = 65, .lines = 50, .colour = colour };
	const int begin = 8 * HOUR + 30 * 86400;
	char text[400], *said = NULL;
	json_object *object;
	FILE *screen = stdout;
	struct rspb_err err = { "" };
	size_t size;

	setenv("TZ", "UTC", 1);
	tzset();
	snprintf(text, sizeof(text), booked, begin - HOUR, begin + 5 * HOUR, begin + 6 * HOUR,
		 begin + 10 * HOUR);
	object = json_tokener_parse(text);
	stdout = open_memstream(&said, &size);
	ck_assert_int_eq(rspb_chart_print(object, begin, begin + 30 * HOUR, &style, &err), 0);
	fclose(stdout);
	stdout = screen;
	json_object_put(object);
	return said;
}

START_TEST(numbers_and_owners)
{
	char *said = drawn_day(false);

	ck_assert_ptr_nonnull(strstr(said, "a1 |41 annMMMM..B7 b?xBB....."));
	ck_assert_ptr_nonnull(strstr(said, "a2 |41 annMMMM..........."));
	free(said);
	said = drawn_day(true);
	ck_assert_msg(strstr(said, "|\033[35m\033[7m41 ann\033[0m\033[35mMMMM"), "%s", said);
	free(said);
}
END_TEST

START_TEST(round_hours_and_days)
{
	char *said = drawn_day(false);
	const char *row = strstr(said, "a2 |"), *axis = strchr(row, '\n') + 1,
		   *days = strchr(axis, '\n') + 1;

	/* Nine o'clock would be crowded, noon is eight columns behind eight. */
	ck_assert_msg(!strncmp(axis, "    |", 5) || axis[4 + 8] == '|', "%s", said);
	ck_assert_ptr_nonnull(strstr(axis, "|12:00"));
	ck_assert_int_eq(strstr(axis, "|12:00") - axis, 4 + 8);
	ck_assert_ptr_nonnull(strstr(axis, "|00:00"));
	ck_assert_int_eq(strstr(axis, "|00:00") - axis, 4 + 32);
	ck_assert_msg(!strncmp(days, "    Sat 31 Jan", 14), "%s", said);
	ck_assert_int_eq(strstr(days, "|Sun  1 Feb") - days, 4 + 32);
	ck_assert_ptr_nonnull(strstr(days, "times in UTC"));
	free(said);
}
END_TEST

/* Each tick is round by the clock, later than the one before, and soon. */
START_TEST(ticks_where_clocks_change)
{
	setenv("TZ", "Europe/Berlin", 1);
	tzset();
	for (int64_t span = 600; span < 300 * 86400; span += span / 3) {
		int64_t step = rspb_axis_step(span, 12);
		int64_t at = 1761256800; /* two days before winter time */
		int64_t from = at;
		int n = 0;

		while (at < from + span) {
			int64_t next = rspb_axis_next(at, step);
			time_t seconds = next;
			struct tm tm;

			localtime_r(&seconds, &tm);
			ck_assert_int_gt(next, at);
			ck_assert_int_le(next, at + step + step / 8 + HOUR);
			ck_assert_int_eq(tm.tm_sec, 0);
			if (step >= 86400)
				ck_assert_int_eq(tm.tm_hour, 0);
			if (step >= HOUR)
				ck_assert_int_eq(tm.tm_min, 0);
			at = next;
			n++;
		}
		ck_assert_int_le(n, 15);
	}
}
END_TEST

START_TEST(no_nodes)
{
	const struct rspb_chart_style style = { .columns = 80, .lines = 24 };
	json_object *object = json_tokener_parse("{\"nodes\":[]}");
	struct rspb_err err;

	ck_assert_int_eq(rspb_chart_print(object, 0, HOUR, &style, &err), -1);
	json_object_put(object);
}
END_TEST

static Suite *suite(void)
{
	const TTest *const tests[] = { a_line_a_node,
				       a_line_for_two,
				       in_colours,
				       numbers_and_owners,
				       round_hours_and_days,
				       ticks_where_clocks_change,
				       no_nodes };

	return suite_of("chart", tests, sizeof(tests) / sizeof(tests[0]));
}

RUN_SUITE(suite)
