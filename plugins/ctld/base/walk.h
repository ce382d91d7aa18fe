/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A walk over all jobs that Slurm has, of which there may be tens of thousands: a
 * millisecond at a time.
 */
#ifndef RSPB_CTLD_BASE_WALK_H
#define RSPB_CTLD_BASE_WALK_H

#include "plugins/compat/job.h"
#include "plugins/ctld/base/section.h"

/* Call fn for the mark of each, in Slurm's order, until it returns non-zero. The walk
 * begins in this section, which is left and entered anew each time it is spent; who is
 * submitted meanwhile comes last. Nothing else is done in between. inside is false where
 * it was left for good, as slurmctld is going down. RET what fn returned, else 0. */
int rspb_walk_jobs(struct rspb_section *section, bool *inside, rspb_job_mark_fn fn, void *arg);

#endif
