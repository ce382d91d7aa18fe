/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/socket/share.h"

#include <stdio.h>

#include "plugins/ctld/watch/share_change.h"

bool rspb_share_alone(const struct rspb_inquiry *inquiry,
		      const struct rspb_booking *booking)
{
	return inquiry->share && !inquiry->nodes && !inquiry->duration &&
	       !inquiry->begin && !inquiry->until && !inquiry->features[0] &&
	       booking->n_grants && booking->grants[0].share;
}

void rspb_share_modify(struct rspb_work *work, const struct rspb_config *config,
		       int64_t now)
{
	struct rspb_err err;

	if (rspb_share_change_make((uint32_t) work->inquiry.job,
				   work->inquiry.share, config, now, &err)) {
		rspb_work_refuse(work, "no", err.text);
		return;
	}
	snprintf(work->said, sizeof(work->said),
		 "booked with %g%% of each node",
		 (double) work->inquiry.share / 100);
	work->done = true;
}
