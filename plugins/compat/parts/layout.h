/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Layouts: the cores of its nodes with which a part of a node can start, as Slurm's own
 * selection has it for the state that is expected at the start. Jobs that are over by
 * then, and the cores of bookings that are not there at the same time, are out of the way.
 * All functions need the write lock, since Slurm keeps scratch data in the job.
 */
#ifndef RSPB_PLUGINS_COMPAT_PARTS_LAYOUT_H
#define RSPB_PLUGINS_COMPAT_PARTS_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/request/request.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_pick.h"
#include "plugins/compat/limit/quota.h"

struct rspb_layout {
	int64_t start, end;
	uint32_t cores;		      /* that the part takes of each node, */
	const struct rspb_part *part; /* but for some of which it takes others; NULL: of none */
	rspb_job_placed_fn each;      /* by which jobs that have nodes are known; NULL: not noted */
};

/* Whether the cores that a job gets have to be kept from the decision on, however far off its start
 * is: it may not start with any cores, or MaxCPUsPerNode counts it. Not if Slurm has a thousand
 * reservations, which it goes over at each start. */
bool rspb_layout_needed(const struct rspb_job *job);
/* RET whether there are, among these nodes, as many as the job takes on which there is
 * a layout for it, in out, else out is as it was. */
bool rspb_layout_pick(const struct rspb_job *job, const struct rspb_pick *pick,
		      const struct rspb_layout *layout, struct rspb_nodeset *out);
/* The part of a node that Slurm would give a job, with the devices and memory of it by kind,
 * per_node; 0 cores: the node. RET 0, -1: out of memory. */
typedef int (*rspb_layout_given_fn)(uint32_t node, uint32_t cores, struct rspb_quotas *has,
				    void *arg);
/* Call fn for each node, by number, that Slurm's scheduler would give the job of these this second,
 * beside the bookings of the layout's time; Slurm itself knows the jobs that run. RET whether there
 * is any, and all went well. */
bool rspb_layout_give(const struct rspb_job *job, const struct rspb_nodeset *among,
		      const struct rspb_layout *layout, rspb_layout_given_fn fn, void *arg);
/* Find a layout on all of these nodes; a reservation of cores of that name (NULL: none) becomes
 * one of the cores found, if there is one. RET 0, or -1 with err: there is no layout, and
 * the job does not start with any cores. */
int rspb_layout_keep(const struct rspb_job *job, const struct rspb_nodeset *nodes,
		     const struct rspb_layout *layout, const char *reservation,
		     struct rspb_err *err);

#endif
