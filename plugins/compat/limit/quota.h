/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of QOS and associations on what runs at a time, as plain numbers. */
#ifndef RSPB_PLUGINS_COMPAT_LIMIT_QUOTA_H
#define RSPB_PLUGINS_COMPAT_LIMIT_QUOTA_H

#include "common/request/quota.h"
#include "plugins/compat/job.h"

struct rspb_quotas {
	size_t n, room;
	struct rspb_quota *items; /* free() it */
	bool short_of_memory;
};

/*
 * Add where a job counts: of one that waits, what each node and CPU it is
 * granted would add (whole: it gets its nodes whole); of one that runs, what it
 * has. Nothing where Slurm enforces no limits. With at least the read lock;
 * takes the locks of Slurm's associations behind it.
 */
void rspb_job_quotas(const struct rspb_job *job, bool whole,
		     struct rspb_quotas *quotas);

#endif
