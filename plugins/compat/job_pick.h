/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which nodes Slurm's own selection would give a job. */
#ifndef RSPB_PLUGINS_COMPAT_JOB_PICK_H
#define RSPB_PLUGINS_COMPAT_JOB_PICK_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/nodeset.h"
#include "plugins/compat/job.h"

struct rspb_pick {
	const struct rspb_nodeset *among; /* each of them free */
	uint32_t least, most;		  /* nodes */
	/* Its tasks and CPUs are for so many nodes, fewer have their part of them;
	 * 0: they are what they are. */
	uint32_t asked;
	bool now; /* for a start this second, beside the jobs that run there */
};

/*
 * Ask Slurm's selection plugin which of these nodes it would give the job. Where all
 * nodes must have the same feature, [a|b], the first that has enough. Wants the
 * write lock, or for a draft (submit/draft.h) the read locks: Slurm keeps scratch
 * data in the job. RET whether there are any, in out, else out is as it was.
 */
bool rspb_job_pick(const struct rspb_job *job, const struct rspb_pick *pick,
		   struct rspb_nodeset *out);

#endif
