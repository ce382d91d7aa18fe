/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes of a job's record, for the files of this folder that make them. */
#ifndef RSPB_PLUGINS_COMPAT_JOB_UPDATE_H
#define RSPB_PLUGINS_COMPAT_JOB_UPDATE_H

#include <string.h>

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

/* --- the environment of a batch script --- */

/*
 * The environment of a batch script that waits: sbatch wrote its options there long ago;
 * what is supplemented here takes the place of that when the script starts.
 */

/* RET its place among the supplements; env_cnt: it is none of them. */
static inline uint32_t rspb_job_env_at(const job_details_t *details, const char *name)
{
	size_t len = strlen(name);
	uint32_t i;

	for (i = 0; i < details->env_cnt; i++)
		if (!strncmp(details->env_sup[i], name, len) && details->env_sup[i][len] == '=')
			break;
	return i;
}

static inline void rspb_job_env_set(job_details_t *details, const char *name, const char *value)
{
	uint32_t i = rspb_job_env_at(details, name);

	if (i == details->env_cnt)
		xrecalloc(details->env_sup, ++details->env_cnt, sizeof(details->env_sup[0]));
	else
		xfree(details->env_sup[i]);
	xstrfmtcat(details->env_sup[i], "%s=%s", name, value);
}

static inline void rspb_job_env_number(job_details_t *details, const char *name, uint64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, value);
	rspb_job_env_set(details, name, text);
}

/* As the script has it. */
static inline void rspb_job_env_drop(job_details_t *details, const char *name)
{
	uint32_t i = rspb_job_env_at(details, name);

	if (i == details->env_cnt)
		return;
	xfree(details->env_sup[i]);
	details->env_sup[i] = details->env_sup[--details->env_cnt];
	details->env_sup[details->env_cnt] = NULL;
}

#endif
