/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/socket/share.h"

#include <stdio.h>

#include "plugins/ctld/watch/share_change.h"

bool rspb_share_alone(const struct rspb_inquiry *inquiry,
		      const struct rspb_booking *booking)
{
	return inquiry->share && !inquiry->nodes && !inquiry->duration &&
	       !inquiry->begin && !inquiry->until && !inquiry->has_features &&
	       booking->n_grants && booking->grants[0].share;
}

void rspb_share_modify(struct rspb_work *work, const struct rspb_config *config,
		       int64_t now)
{
	struct rspb_inquiry *q = &work->inquiry;
	const uint32_t one = (uint32_t) q->job,
		       *jobs = q->jobs.n ? q->jobs.ids : &one;
	size_t n = q->jobs.n ? q->jobs.n : 1, done;
	struct rspb_err err;

	done = rspb_share_change_make(jobs, n, q->share, config, now, &err);
	if (done < n) {
		q->job = jobs[done];
		rspb_work_refuse(work, "no", err.text);
		return;
	}
	if (n > 1)
		snprintf(work->said, sizeof(work->said),
			 "%zu bookings are changed", n);
	else
		snprintf(work->said, sizeof(work->said),
			 "booked with %g%% of each node",
			 (double) q->share / 100);
	work->done = true;
}
