/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judges a start by StartHours and RequestHours. It moves no request but to the first hours that
 * its window has. Hours are of slurmctld's time zone. */
#include "plugins/ctld/request/hours.h"

#include <time.h>

#include "common/conf/values.h"

/* RET the minute since Sunday 00:00, which is how the settings count (common/conf/values.h). */
static int minute_of_week(int64_t at)
{
	time_t then = at;
	struct tm tm;

	localtime_r(&then, &tm);
	return tm.tm_wday * RSPB_HOURS_DAY + tm.tm_hour * 60 + tm.tm_min;
}

/* RET the first second from `at` on that is within the hours (open) or without,
 * INT64_MAX: none. */
static int64_t next(const char *hours, int64_t at, bool open)
{
	/* Where the clocks change between, the next look says how far it is. */
	for (int i = 0; i < 4; i++) {
		int minutes = rspb_hours_next(hours, minute_of_week(at), open);

		if (minutes < 0)
			return INT64_MAX;
		if (!minutes)
			break;
		at += (int64_t) minutes * 60 - at % 60;
	}
	return at;
}

void rspb_hours_fit(struct rspb_request *request, const struct rspb_config *config)
{
	int64_t last = request->deadline - request->duration, opens, closes;

	/* A request of the site itself is not bound by hours, and a window without room for a
	 * second start cannot be cut. */
	if (!config->start_hours[0] || last <= request->ready || request->user == RSPB_USER_NONE)
		return;
	opens = next(config->start_hours, request->ready, true);
	if (opens > last)
		return;
	closes = next(config->start_hours, opens, false);
	request->ready = opens;
	/* The last start is the second before the hours close. */
	if (closes <= last)
		request->deadline = closes - 1 + request->duration;
}

/* The message names the time as the site sees it, since the hours are the site's. */
static int judge(const char *hours, int64_t at, const char *what, const char *key,
		 struct rspb_err *err)
{
	time_t then = at;
	char text[64];
	struct tm tm;

	if (next(hours, at, true) == at)
		return 0;
	strftime(text, sizeof(text), "%a %F %H:%M %Z", localtime_r(&then, &tm));
	return rspb_fail(err, "%s, %s, is outside the hours of the site (%s=%s)", what, text, key,
			 hours);
}

int rspb_hours_judge(const struct rspb_request *request, const struct rspb_config *config,
		     struct rspb_err *err)
{
	if (judge(config->request_hours, request->arrival, "the time of the request",
		  "RequestHours", err))
		return -1;
	return judge(config->start_hours, request->ready, "its start", "StartHours", err);
}
