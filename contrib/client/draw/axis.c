/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/client/draw/axis.h"

#include <string.h>
#include <time.h>

enum { HOUR = 3600, DAY = RSPB_AXIS_DAY };

int64_t rspb_axis_step(int64_t span, uint32_t most)
{
	static const int64_t steps[] = { 60,	   300,	     900,      1800,	  HOUR,
					 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY,
					 2 * DAY,  7 * DAY,  28 * DAY };
	size_t i = 0;

	while (i + 1 < sizeof(steps) / sizeof(steps[0]) && span > steps[i] * (int64_t) most)
		i++;
	return steps[i];
}

int64_t rspb_axis_next(int64_t after, int64_t step)
{
	time_t at = after;
	struct tm tm;
	int64_t past;

	localtime_r(&at, &tm);
	past = tm.tm_hour * HOUR + tm.tm_min * 60 + tm.tm_sec;
	tm.tm_hour = tm.tm_min = tm.tm_sec = 0;
	if (step > 7 * DAY) {
		tm.tm_mon++;
		tm.tm_mday = 1;
	} else if (step == 7 * DAY)
		tm.tm_mday += (8 - tm.tm_wday) % 7 ? (8 - tm.tm_wday) % 7 : 7;
	else if (step >= DAY)
		tm.tm_mday += (int) (step / DAY);
	/* On a day that has 25 hours one of them comes twice. */
	do {
		struct tm next = tm;

		past = past - past % step + step;
		if (step < DAY) {
			next.tm_hour = (int) (past / HOUR);
			next.tm_sec = (int) (past % HOUR);
		}
		next.tm_isdst = -1;
		at = mktime(&next);
	} while (at <= after && step < DAY);
	return at;
}

static char *format(int64_t at, const char *how, char buf[RSPB_AXIS_TEXT])
{
	time_t seconds = at;
	struct tm tm;

	if (!localtime_r(&seconds, &tm) || !strftime(buf, RSPB_AXIS_TEXT, how, &tm))
		strcpy(buf, "-");
	return buf;
}

char *rspb_axis_text(int64_t at, int64_t step, char buf[RSPB_AXIS_TEXT])
{
	return format(at, step < DAY ? "%H:%M" : "%a %e %b", buf);
}

char *rspb_axis_zone(int64_t at, char buf[RSPB_AXIS_TEXT])
{
	return format(at, "%Z", buf);
}
