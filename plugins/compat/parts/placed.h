/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes, and where a job that has some is, in Slurm's records. */
#ifndef RSPB_PLUGINS_COMPAT_PARTS_PLACED_H
#define RSPB_PLUGINS_COMPAT_PARTS_PLACED_H

#include "plugins/compat/slurm.h"

/* RET its record; NULL: there is no such node. */
static inline const node_record_t *rspb_placed_node(uint32_t n)
{
	const node_record_t *node = n < (uint32_t) node_record_count ? node_record_table_ptr[n]
								     : NULL;

	return node && node->name ? node : NULL;
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

#endif
