/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RSPB_PLUGINS_COMPAT_JOB_UPDATE_H
#define RSPB_PLUGINS_COMPAT_JOB_UPDATE_H

#include "common/base/err.h"
#include "plugins/compat/slurm.h"

/* As an operator does it, by Slurm's own update, which keeps its books; write lock. RET
 * Slurm's code. */
int rspb_job_update(job_record_t *job, job_desc_msg_t *desc);

/* The members of struct rspb_job_wanted that have files of their own. RET 0; -1 with err, and the
 * job is as it was. */
struct rspb_needs;
int rspb_job_set_features(job_record_t *job, const char *features, bool had, struct rspb_err *err);
int rspb_job_set_needs(job_record_t *job, const struct rspb_needs *needs, struct rspb_err *err);
int rspb_job_set_partition(job_record_t *job, const char *partition, struct rspb_err *err);
void rspb_job_set_share(job_record_t *job, int64_t share);

/* Keep the database number of a job that Slurm resized, unless a database gives it another. Without
 * it, Slurm up to 23.11 would refuse every further update of the job. */
static inline void rspb_job_keep_record(job_record_t *job, uint64_t record)
{
	if (job->db_index == NO_VAL64 && !slurm_with_slurmdbd())
		job->db_index = record;
}

#endif
