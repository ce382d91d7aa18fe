/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judges a start by StartHours and RequestHours. It moves no request but to the first hours that
 * its window has. Hours are of slurmctld's time zone. */
#include "plugins/ctld/request/hours.h"

#include <time.h>

#include "common/conf/values.h"

void rspb_hours_fit(struct rspb_request *request, const struct rspb_config *config)
{
	int64_t last = request->deadline - request->duration, opens, closes;

	/* A request of the site itself is not bound by hours, and a window without room for a
	 * second start cannot be cut. */
	if (!config->start_hours[0] || last <= request->ready || request->user == RSPB_USER_NONE)
		return;
	opens = rspb_hours_from(config->start_hours, request->ready, true);
	if (opens > last)
		return;
	closes = rspb_hours_from(config->start_hours, opens, false);
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

	if (rspb_hours_from(hours, at, true) == at)
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
