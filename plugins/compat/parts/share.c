/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Corrects how Slurm counts a job with a share of time. Slurm gives the job whole nodes, so that
 * its processes may run on any CPU; the kernel decides how much each gets (plugins/spank). This
 * file handles the two things that Slurm also does for a job with whole nodes: to count all of its
 * CPUs, and to add all of its generic resources, which would keep other shares off. */
#include "plugins/compat/parts/share.h"

#include "plugins/compat/job.h"
#include "plugins/compat/job_update.h"

/* RET the CPUs of these nodes by their configuration: job_update_tres_cnt() takes off as many,
 * node by node. */
static uint32_t all_cpus(bitstr_t *nodes)
{
	uint32_t sum = 0;

	for (int n = 0; nodes && n < node_record_count; n++)
		if (bit_test(nodes, n))
			sum += node_record_table_ptr[n]->config_ptr->cpus;
	return sum;
}

void rspb_share_placed(job_record_t *job, int64_t share)
{
	job->total_cpus = rspb_job_share_cpus(job->total_cpus, share);
	/* Where it is read behind this, it says who gets all generic resources. What
	 * a job asks for itself is made one with these, and found so after a restart. */
	if (!job->gres_list_req)
		job->details->whole_node &= (uint8_t) ~WHOLE_NODE_REQUIRED;
}

void rspb_share_begun(job_record_t *job, uint8_t whole)
{
	if (!(whole & WHOLE_NODE_REQUIRED))
		return;
	job->details->whole_node |= WHOLE_NODE_REQUIRED;
	/* Each node that the job loses takes off all of its CPUs, so that all must have been
	 * counted. */
	if (IS_JOB_RUNNING(job))
		job->cpu_cnt = all_cpus(job->node_bitmap);
}

void rspb_share_resized(job_record_t *job, int64_t share)
{
	job->total_cpus = rspb_job_share_cpus(all_cpus(job->node_bitmap), share);
	job_set_alloc_tres(job, false);
}

void rspb_job_set_share(job_record_t *job, int64_t share)
{
	uint64_t record;

	if (!IS_JOB_RUNNING(job) || !job->node_bitmap)
		return;
	/* Slurm drops the number when it resizes a job (job_update.h). */
	record = job->db_index;
	job_pre_resize_acctg(job);
	job->total_cpus = rspb_job_share_cpus(all_cpus(job->node_bitmap), share);
	job_post_resize_acctg(job);
	rspb_job_keep_record(job, record);
}
