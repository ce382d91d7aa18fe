/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Works out when a request may be. Whether anything is free then is not asked. The same code serves
 * submissions, decisions and operators' requests, so the early answer has the same window as the
 * decision. */
#include "plugins/ctld/request/part.h"

#include <inttypes.h>
#include <time.h>

#include "common/base/text.h"
#include "plugins/compat/submit/submission.h"
#include "plugins/ctld/book/book.h"

void rspb_window_add(struct rspb_request *request, const struct rspb_job *job, bool asap,
		     int64_t now)
{
	if (job->begin > request->ready)
		request->ready = job->begin;
	if (job->limit > request->duration)
		request->duration = job->limit;
	if (job->deadline && (!request->deadline || job->deadline < request->deadline))
		request->deadline = job->deadline;
	if (asap)
		request->asap = true;
	/* The running second has begun: a start in it would already be late. */
	if (request->ready <= now)
		request->ready = now + 1;
}

int rspb_window_begin(int64_t begin, int64_t now, const char *option, struct rspb_err *err)
{
	char moment[32];
	struct rspb_text text = rspb_text_over(moment, sizeof(moment));

	if (!begin || begin >= now - RSPB_BEGIN_PAST_S)
		return 0;
	rspb_text_add_time(&text, begin);
	return rspb_fail(err,
			 "%s: %s has passed; give a later time (at most %d minutes ago is allowed)",
			 option, moment, RSPB_BEGIN_PAST_S / 60);
}

/* A booking with a time limit above the partition's would never start, nor one that cannot end by
 * its deadline. max_limit is below 0 if the partition has none. */
int rspb_window_check(const struct rspb_request *request, int64_t least,
		      const struct rspb_submission_part *part, struct rspb_err *err)
{
	char earliest[32], deadline[32];
	struct rspb_text end = rspb_text_over(earliest, sizeof(earliest));
	struct rspb_text most = rspb_text_over(deadline, sizeof(deadline));
	bool shorter = least > 0 && least < request->duration;
	int64_t needs = shorter ? least : request->duration;

	if (part->max_limit >= 0 && request->duration > part->max_limit)
		return rspb_fail(err,
				 "--time: %" PRId64 " minutes are more than the %" PRId64
				 " that partition %s allows",
				 request->duration / 60, part->max_limit / 60, part->name);
	if (!request->deadline || request->deadline >= request->ready + needs)
		return 0;
	rspb_text_add_time(&end, request->ready + needs);
	rspb_text_add_time(&most, request->deadline);
	return rspb_fail(err,
			 "--deadline=%s: with this --begin and %s (%" PRId64
			 " minutes) the earliest "
			 "end is %s; give a later deadline or a shorter time",
			 deadline, shorter ? "--time-min" : "--time", needs / 60, earliest);
}

/* Do not begin before the nodes can be prepared, if the request may begin as late. A fixed start
 * stays as it is. */
static void leave_time(struct rspb_request *request, int64_t first)
{
	if (request->ready < first &&
	    (request->deadline ? request->deadline >= first + request->duration : request->asap))
		request->ready = first;
}

/* MinNotice delays a request that may begin later; a fixed start that is too near is refused by the
 * limits. */
static void give_notice(struct rspb_request *request, const struct rspb_config *config)
{
	int64_t first = request->arrival + config->min_notice;

	if (request->ready < first && (request->asap || request->deadline))
		request->ready = first;
}

/* Cut a window with several possible starts down to the first hours that allow the booking. Where
 * none do, it stays. */
static void fit_hours(struct rspb_request *request, const struct rspb_config *config)
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

void rspb_window_close(struct rspb_request *request, const struct rspb_config *config, int64_t now)
{
	int64_t ahead = rspb_limits_horizon(config, request), horizon = now + ahead;
	bool shares = false;

	/* A share of a node has neighbours there all the time. */
	for (uint32_t i = 0; i < request->n_parts; i++)
		shares |= request->parts[i].share > 0;
	if (!shares) {
		request->clean_up = rspb_gap_whole();
		leave_time(request, now + 1 + rspb_gap(RSPB_GAP_PREPARE));
	}
	give_notice(request, config);
	/* A request that is decided again has the horizon of its first decision as its deadline
	 * if its owner gave none. */
	if (request->asap && request->deadline >= request->arrival + ahead &&
	    request->ready + request->duration <= horizon)
		request->deadline = 0;
	/* A request without a deadline has no room to move, unless it is to begin as soon as
	 * possible. */
	if (!request->deadline)
		request->deadline = request->asap ? horizon
						  : request->ready + rspb_request_longest(request);
	else if (request->deadline > horizon && request->ready + request->duration <= horizon)
		request->deadline = horizon;
	fit_hours(request, config);
}

/* StartHours and RequestHours are of slurmctld's time zone. A request is moved only to the first
 * hours that its window has. */

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
