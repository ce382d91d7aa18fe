/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_submit_rspb.so: the door through which sbatch, srun and salloc come. */
#include "plugins/compat/abi.h"
#include "plugins/compat/plugin.h"
#include "plugins/ctld/broker.h"

RSPB_PLUGIN("Requests for advance reservations", "job_submit/rspb");

extern int job_submit(job_desc_msg_t *desc, uint32_t uid, char **message);
extern int job_modify(job_desc_msg_t *desc, job_record_t *job, uint32_t uid);

int init(void)
{
	struct rspb_err err;

	if (!rspb_abi_check(&err))
		return SLURM_SUCCESS;
	error("rspb: job_submit_rspb.so: %s", err.text);
	return SLURM_ERROR;
}

void fini(void)
{
}

int job_submit(job_desc_msg_t *desc, uint32_t uid, char **message)
{
	(void) desc;
	(void) uid;
	(void) message;
	return SLURM_SUCCESS;
}

int job_modify(job_desc_msg_t *desc, job_record_t *job, uint32_t uid)
{
	(void) desc;
	(void) job;
	(void) uid;
	return SLURM_SUCCESS;
}
