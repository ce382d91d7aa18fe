/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits of QOS and association that a job alone is over, whoever runs. */
#include "plugins/compat/job.h"

#include <string.h>

#include "plugins/compat/slurm.h"

/* Per job and for ever, unlike limits on what runs at a time. */
static bool for_ever(uint32_t reason)
{
	static const uint32_t reasons[] = {
		WAIT_ASSOC_MAX_CPU_PER_JOB,
		WAIT_QOS_MAX_CPU_PER_JOB,
		WAIT_ASSOC_MAX_CPU_MINS_PER_JOB,
		WAIT_QOS_MAX_CPU_MINS_PER_JOB,
		WAIT_ASSOC_MAX_NODE_PER_JOB,
		WAIT_QOS_MAX_NODE_PER_JOB,
		WAIT_ASSOC_MAX_NODE_MINS_PER_JOB,
		WAIT_QOS_MAX_NODE_MINS_PER_JOB,
		WAIT_ASSOC_MAX_WALL_PER_JOB,
		WAIT_QOS_MAX_WALL_PER_JOB,
		WAIT_ASSOC_MAX_MEM_PER_JOB,
		WAIT_QOS_MAX_MEM_PER_JOB,
		WAIT_ASSOC_MAX_MEM_MINS_PER_JOB,
		WAIT_QOS_MAX_MEM_MINS_PER_JOB,
		WAIT_ASSOC_MAX_GRES_PER_JOB,
		WAIT_QOS_MAX_GRES_PER_JOB,
		WAIT_ASSOC_MAX_GRES_MINS_PER_JOB,
		WAIT_QOS_MAX_GRES_MINS_PER_JOB,
		WAIT_ASSOC_MAX_BILLING_PER_JOB,
		WAIT_QOS_MAX_BILLING_PER_JOB,
	};

	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++)
		if (reasons[i] == reason)
			return true;
	return false;
}

static bool runnable(job_record_t *job, uint64_t *tres)
{
	return acct_policy_job_runnable_pre_select(job, false) &&
	       acct_policy_job_runnable_post_select(job, tres, false);
}

const char *rspb_job_never(const struct rspb_job *view, uint32_t nodes,
			   uint64_t cpus)
{
	job_record_t *job = view->handle;
	size_t size = slurmctld_tres_cnt * sizeof(*job->tres_req_cnt);
	uint64_t *tres;
	uint32_t reason = job->state_reason;
	char *text = job->state_desc;
	const char *why = NULL;

	if (!slurm_conf.accounting_storage_enforce || !job->tres_req_cnt)
		return NULL;
	tres = xmalloc(size);
	memcpy(tres, job->tres_req_cnt, size);
	tres[TRES_ARRAY_NODE] = nodes;
	if (cpus > tres[TRES_ARRAY_CPU])
		tres[TRES_ARRAY_CPU] = cpus;
	/* Slurm tells by the job's reason; its old one comes back. */
	job->state_desc = NULL;
	if (!runnable(job, tres) && for_ever(job->state_reason))
		why = rspb_release_reason(job->state_reason);
	xfree(tres);
	xfree(job->state_desc);
	job->state_desc = text;
	job->state_reason = reason;
	return why;
}
