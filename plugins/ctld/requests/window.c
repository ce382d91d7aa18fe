/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/requests/window.h"

#include <inttypes.h>
#include <time.h>

#include "plugins/compat/job.h"
#include "plugins/compat/submit/submission.h"
#include "plugins/ctld/requests/hours.h"

void rspb_window_add(struct rspb_request *request, const struct rspb_job *job,
		     bool asap, int64_t now)
{
	if (job->begin > request->ready)
		request->ready = job->begin;
	if (job->limit > request->duration)
		request->duration = job->limit;
	if (job->deadline &&
	    (!request->deadline || job->deadline < request->deadline))
		request->deadline = job->deadline;
	if (asap)
		request->asap = true;
	/* The running second has begun: a start in it would already be late. */
	if (request->ready <= now)
		request->ready = now + 1;
}

int rspb_window_check(const struct rspb_request *request,
		      const struct rspb_submission_part *part,
		      struct rspb_err *err)
{
	char earliest[64], deadline[64];
	struct tm tm;
	time_t at;

	if (part->max_limit >= 0 && request->duration > part->max_limit)
		return rspb_fail(err,
				 "--time: %" PRId64
				 " minutes are more than the %" PRId64
				 " that partition %s allows",
				 request->duration / 60, part->max_limit / 60,
				 part->name);
	if (!request->deadline ||
	    request->deadline >= request->ready + request->duration)
		return 0;
	at = request->ready + request->duration;
	strftime(earliest, sizeof(earliest), "%FT%T", localtime_r(&at, &tm));
	at = request->deadline;
	strftime(deadline, sizeof(deadline), "%FT%T", localtime_r(&at, &tm));
	return rspb_fail(
		err,
		"--deadline=%s: is before the earliest end, %s, which --begin and --time (%" PRId64
		" minutes) leave; give a later deadline or a shorter time",
		deadline, earliest, request->duration / 60);
}

static void give_notice(struct rspb_request *request,
			const struct rspb_config *config)
{
	int64_t first = request->arrival + config->min_notice;

	if (request->ready < first && (request->asap || request->deadline))
		request->ready = first;
}

void rspb_window_close(struct rspb_request *request,
		       const struct rspb_config *config, int64_t now)
{
	int64_t horizon = now + config->horizon;

	give_notice(request, config);
	if (!request->deadline)
		request->deadline = request->asap ? horizon
						  : request->ready +
							    request->duration;
	else if (request->deadline > horizon &&
		 request->ready + request->duration <= horizon)
		request->deadline = horizon;
	rspb_hours_fit(request, config);
}
