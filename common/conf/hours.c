/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/conf/hours.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

/* A member of a list, in days from Sunday and minutes. */
struct span {
	int first, last; /* days */
	int from, until; /* minutes of the day */
};

/* RET the day whose name stands at *p, which is moved behind it, or -1. */
static int day(const char **p)
{
	static const char names[] = "SunMonTueWedThuFriSat";

	for (int i = 0; i < 7; i++)
		if (!strncasecmp(*p, names + 3 * i, 3)) {
			*p += 3;
			return i;
		}
	return -1;
}

static int two_digits(const char *p)
{
	if (p[0] < '0' || p[0] > '9' || p[1] < '0' || p[1] > '9')
		return -1;
	return (p[0] - '0') * 10 + p[1] - '0';
}

/* RET the minute of "HH:MM" at *p, which is moved behind it, or -1. */
static int clock_time(const char **p)
{
	int hour = two_digits(*p), minute = -1;

	if (hour >= 0 && (*p)[2] == ':')
		minute = two_digits(*p + 3);
	if (minute < 0 || minute > 59 || hour * 60 + minute > RSPB_HOURS_DAY)
		return -1;
	*p += 5;
	return hour * 60 + minute;
}

/* Read one. RET whether it is one, and then *p is behind it and its comma. */
static bool read_span(const char **p, struct span *span)
{
	span->first = span->last = day(p);
	if (**p == '-') {
		(*p)++;
		span->last = day(p);
	}
	if (span->first < 0 || span->last < 0 || *(*p)++ != '/')
		return false;
	span->from = clock_time(p);
	if (span->from < 0 || *(*p)++ != '-')
		return false;
	span->until = clock_time(p);
	if (span->until < 0 || span->until == span->from || span->from == RSPB_HOURS_DAY ||
	    (**p && **p != ','))
		return false;
	*p += **p == ',';
	return true;
}

int rspb_hours_check(const char *hours, struct rspb_err *err)
{
	struct span span;

	while (*hours)
		if (!read_span(&hours, &span))
			return rspb_fail(err, "is not a list of days and hours");
	return 0;
}

/* Mark the minutes of a span. */
static void mark(const struct span *span, bool *week)
{
	int minutes = span->until - span->from;
	int days = (span->last - span->first + 7) % 7;

	if (minutes < 0)
		minutes += RSPB_HOURS_DAY;
	for (int d = 0; d <= days; d++)
		for (int m = 0; m < minutes; m++)
			week[((span->first + d) * RSPB_HOURS_DAY + span->from + m) %
			     RSPB_HOURS_WEEK] = true;
}

int rspb_hours_next(const char *hours, int minute, int open)
{
	bool week[RSPB_HOURS_WEEK] = { false };
	struct span span;

	if (!*hours)
		return open ? 0 : -1;
	while (*hours && read_span(&hours, &span))
		mark(&span, week);
	for (int i = 0; i < RSPB_HOURS_WEEK; i++)
		if (week[(minute + i) % RSPB_HOURS_WEEK] == !!open)
			return i;
	return -1;
}
