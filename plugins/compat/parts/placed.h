/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes, and where a job that has some is, in Slurm's records. */
#ifndef RSPB_PLUGINS_COMPAT_PARTS_PLACED_H
#define RSPB_PLUGINS_COMPAT_PARTS_PLACED_H

#include "plugins/compat/resv.h"
#include "plugins/compat/slurm.h"

/* RET its record; NULL: there is no such node. */
static inline const node_record_t *rspb_placed_node(uint32_t n)
{
	const node_record_t *node = n < (uint32_t) node_record_count ? node_record_table_ptr[n]
								     : NULL;

	return node && node->name ? node : NULL;
}

/* RET the cores that jobs can have on a node; 0: there is none. Slurm keeps CoreSpecCount cores for
 * itself and gives them to no job. */
static inline uint32_t rspb_placed_usable(const node_record_t *node)
{
	return node && node->tot_cores > node->core_spec_cnt ? node->tot_cores - node->core_spec_cnt
							     : 0;
}

/* RET the threads of each core of a node. */
static inline uint32_t rspb_placed_threads(const node_record_t *node)
{
	return node && node->tpc ? node->tpc : 1;
}

/* RET the number of the first core of a node among those of all nodes. */
static inline int64_t rspb_placed_first(uint32_t node)
{
	return cr_get_coremap_offset((int) node);
}

/* RET how many of these cores, of all nodes, are of a node. */
static inline int64_t rspb_placed_count(const bitstr_t *cores, uint32_t node)
{
	return bit_set_count_range((bitstr_t *) cores, rspb_placed_first(node),
				   rspb_placed_first(node + 1));
}

/* Whether the partition of a job gives it CPUs of its own, and no nodes to it or its user alone. */
static inline bool rspb_placed_own(const job_record_t *job)
{
	const part_record_t *part = job->part_ptr;

	return part && part->max_share && !(part->max_share & SHARED_FORCE) &&
	       !(part->max_share > 1 && job->details->share_res == 1) &&
	       !(part->flags & PART_FLAG_EXCLUSIVE_USER);
}

/* Whether several jobs are on each core of a partition, so that shares can be booked there. */
static inline bool rspb_placed_beside(const part_record_t *part)
{
	return part->max_share & SHARED_FORCE && (part->max_share & ~SHARED_FORCE) > 1;
}

/* RET the place of a node among those of the job, -1: it is none of them. */
static inline int rspb_placed_in(const job_record_t *job, uint32_t node)
{
	const job_resources_t *has = job->job_resrcs;

	if (!has || !has->node_bitmap || (int64_t) node >= bit_size(has->node_bitmap) ||
	    !bit_test(has->node_bitmap, node))
		return -1;
	return node ? bit_set_count_range(has->node_bitmap, 0, (int) node) : 0;
}

/* RET its cores on a node, by their numbers there, which the caller frees; NULL: it
 * has none. */
static inline bitstr_t *rspb_placed_cores(const job_record_t *job, uint32_t node)
{
	int place = rspb_placed_in(job, node);

	return place < 0 ? NULL : copy_job_resources_node(job->job_resrcs, (uint32_t) place);
}

/* Add the cores that a job has of the place-th of its nodes, which is this one, to those
 * of all nodes. */
static inline void rspb_placed_note(const job_record_t *job, uint32_t place, uint32_t node,
				    bitstr_t *into)
{
	bitstr_t *own = copy_job_resources_node(job->job_resrcs, place);
	int64_t first = rspb_placed_first(node);

	for (int64_t c = 0; own && c < bit_size(own); c++)
		if (bit_test(own, c))
			bit_set(into, first + c);
	FREE_NULL_BITMAP(own);
}

/* RET the job that is to start in a reservation of ours with cores, NULL: there is none, or
 * it has started. */
static inline const job_record_t *rspb_placed_waits(const slurmctld_resv_t *resv)
{
	const job_record_t *job;
	uint32_t part;
	uint64_t id;

	if (!resv->core_bitmap || !resv->node_bitmap || resv->ctld_flags & RESV_CTLD_FULL_NODE ||
	    !rspb_resv_of_job(resv->name, &id, &part))
		return NULL;
	job = find_job_record((uint32_t) id + part);
	return job && IS_JOB_PENDING(job) ? job : NULL;
}

#endif
