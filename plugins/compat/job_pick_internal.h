/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions that job_pick.c shares with those that look for the cores of a job. */
#ifndef RSPB_PLUGINS_COMPAT_JOB_PICK_INTERNAL_H
#define RSPB_PLUGINS_COMPAT_JOB_PICK_INTERNAL_H

#include "plugins/compat/job_pick.h"
#include "plugins/compat/slurm.h"

/* Like rspb_job_pick(), for a start without these cores, of all nodes, when as many of the
 * jobs that run have ended as need be. *start: when that is, by Slurm's estimate. */
bool rspb_job_pick_without(const struct rspb_job *job, const struct rspb_pick *pick,
			   const bitstr_t *cores, int64_t *start, struct rspb_nodeset *out);

#endif
