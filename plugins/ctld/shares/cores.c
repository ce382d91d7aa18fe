/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/ctld/shares/cores.h"

#include "plugins/ctld/jobs/commit.h"
#include "plugins/ctld/jobs/intake.h"
#include "plugins/ctld/jobs/job.h"
#include "plugins/ctld/jobs/mirror.h"
#include "plugins/ctld/jobs/refuse.h"
#include "plugins/ctld/jobs/start.h"

static bool owns(const struct rspb_request *request)
{
	return rspb_jobs_own(request) && rspb_jobs_cores(request);
}

/* Its requests come with those of jobs, and so do its ends. */
const struct rspb_kind rspb_kind_cores = {
	.owns = owns,
	.has_jobs = true,
	.in_part = true,
	.waits = rspb_commit_waits,
	.promise = rspb_mirror_promise,
	.withdraw = rspb_mirror_withdraw,
	.commit = rspb_commit_parts,
	.refuse = rspb_refuse_ask,
	.ready = rspb_start_ready,
	.start = rspb_start_jobs,
	.started = rspb_start_done,
	.begin = rspb_start_begin,
	.involve = rspb_commit_involve,
	.suits = rspb_mirror_suits,
	.mirror = rspb_mirror_jobs,
	.lose = rspb_commit_lose,
	.tell = rspb_jobs_tell,
	.refresh = rspb_intake_refresh,
};
