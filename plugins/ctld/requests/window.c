/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/requests/window.h"

#include "plugins/compat/job.h"
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
