/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Works out what a job is billed beside a whole node, by Slurm's own function. */
#include "plugins/compat/limit/billed.h"

#include "plugins/compat/slurm.h"
#include "src/common/assoc_mgr.h"

static double weighed(uint64_t *tres, const part_record_t *part)
{
	return assoc_mgr_tres_weighted(tres, part->billing_weights, slurm_conf.priority_flags,
				       false);
}

double rspb_billed_nodes(uint32_t id, uint32_t node)
{
	const job_record_t *job = find_job_record(id);
	const node_record_t *like = node < (uint32_t) node_record_count
					    ? node_record_table_ptr[node]
					    : NULL;
	const part_record_t *part = job ? job->part_ptr : NULL;
	uint64_t *has = job ? job->tres_alloc_cnt : NULL;
	double whole;

	if (job && !has)
		has = job->tres_req_cnt;
	if (!has || !part || !part->billing_weights || !like || !like->tres_cnt)
		return 0;
	whole = weighed(like->tres_cnt, part);
	return whole > 0 ? weighed(has, part) / whole : 0;
}
