/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says what has become of a booking by its jobs and reservations. It does nothing
 * about it. */
#include "plugins/ctld/following/verdict.h"

#include "plugins/compat/job.h"
#include "plugins/ctld/ending/finish.h"
#include "plugins/ctld/following/doubts.h"
#include "plugins/ctld/mirror/contract.h"
#include "plugins/ctld/mirror/resv.h"

/* Whether a job of the booking cannot start, with the reason in err. */
bool rspb_booked_stuck(const struct rspb_booking *b, struct rspb_err *err)
{
	uint32_t ids[RSPB_MAX_PARTS], n = rspb_components(b->request->id, ids);
	const char *why = rspb_doubt_says(b->request->id);
	struct rspb_job job;

	for (uint32_t i = 0; i < n; i++)
		if (rspb_job_find(ids[i], &job) && job.phase == RSPB_JOB_PENDING &&
		    rspb_job_startable(&job, err))
			return true;
	if (!why)
		return false;
	rspb_fail(err, "%s", why);
	return true;
}

bool rspb_verdict_resv_there(const struct rspb_booking *b, const struct rspb_resv_keys *keys,
			     int64_t now)
{
	struct rspb_resv resv;

	for (uint32_t i = 0; i < b->request->n_parts; i++)
		if (!(keys ? rspb_resv_keys_find(keys, b->request->id, i, now, NULL)
			   : rspb_mirror_resv_find(b, i, now, &resv)) &&
		    !rspb_mirror_resv_without(b, i))
			return false;
	return true;
}

enum rspb_verdict rspb_verdict_of(const struct rspb_booking *b, const struct rspb_resv_keys *keys,
				  const struct rspb_config *config, int64_t now)
{
	struct rspb_end_jobs jobs;

	rspb_end_look(b, &jobs);
	if (b->state == RSPB_ACTIVE) {
		if (jobs.running)
			return RSPB_VERDICT_KEEP;
		if (jobs.pending)
			return b->end <= now ? RSPB_VERDICT_MISSED : RSPB_VERDICT_KEEP;
		if (!config->release_early && b->end > now)
			return RSPB_VERDICT_KEEP;
		return jobs.cancelled ? RSPB_VERDICT_STOPPED : RSPB_VERDICT_DONE;
	}
	if (jobs.running)
		return RSPB_VERDICT_STARTED;
	if (!jobs.pending)
		return RSPB_VERDICT_GONE;
	if (b->end <= now)
		return RSPB_VERDICT_MISSED;
	if (!rspb_verdict_resv_there(b, keys, now))
		return RSPB_VERDICT_DELETED;
	if (now >= b->start + config->start_within && jobs.tied &&
	    config->unstartable == RSPB_UNSTARTABLE_RELEASE && rspb_booked_stuck(b, NULL))
		return RSPB_VERDICT_STUCK;
	return jobs.tied ? RSPB_VERDICT_KEEP : RSPB_VERDICT_MOVED;
}
