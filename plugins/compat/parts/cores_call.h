/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of nodes (cores.h) and the job in a question to the select plugin. */
#ifndef RSPB_PLUGINS_COMPAT_PARTS_CORES_CALL_H
#define RSPB_PLUGINS_COMPAT_PARTS_CORES_CALL_H

#include "common/base/nodeset.h"
#include "plugins/compat/job.h"
#include "plugins/compat/limit/quota.h"
#include "plugins/compat/parts/parts.h"
#include "plugins/compat/select_call.h"

/* Whether the job may have the rest of a node that others have a part of: it wants no node
 * for itself or its user (--exclusive, --exclusive=user, ExclusiveUser of its partition). */
bool rspb_cores_call_beside(const struct rspb_select_call *call);
/* Find what the job takes of a node besides cores, as far as can be said: no less than Slurm would
 * give it there. */
void rspb_cores_call_takes(const struct rspb_select_call *call, struct rspb_quotas *out);
/*
 * Add to full the nodes of parts->nodes that lack what it takes. RET the cores, of all
 * nodes, that it must leave to the parts where it has its nodes within [start, end): those
 * with which these are to start, or else of those that nobody has, or that are given back
 * before a part is to begin. The caller frees it.
 * each: by which jobs that have nodes are known; takes: as above.
 */
bitstr_t *rspb_cores_call_keep(const struct rspb_select_call *call, rspb_job_placed_fn each,
			       const struct rspb_parts *parts, const struct rspb_quotas *takes,
			       int64_t start, int64_t end, struct rspb_nodeset *full);
/* Add to out the nodes of a set where a job must leave more cores than the stock plugin was told
 * of. kept, told: of rspb_cores_call_keep(); NULL: none. */
void rspb_cores_call_untold(const bitstr_t *kept, const bitstr_t *told,
			    const struct rspb_nodeset *among, struct rspb_nodeset *out);
/* A reservation, not of ours, begins: Slurm's scheduler looks for jobs to start soon (by its
 * batch_sched_delay), as it would look for them only twice a minute. cores: the name of one of
 * cores, which has as many of each node as it had, of those that nobody has; else NULL. each: as
 * above. Write lock. */
void rspb_resv_begins(const char *cores, rspb_job_placed_fn each);
/* Ask the stock plugin about the start of a booking's job in its reservation of cores: it
 * gets these, or, if Slurm refuses that, as many others of each node; on a single node at
 * last what Slurm gives it. each: as above; rows: the stock plugin's list of that
 * name, NULL: unknown. */
#define RSPB_SELECT_ROWS "select_part_record"
int rspb_select_ask_part(const struct rspb_select_ops *stock, const struct rspb_select_call *call,
			 rspb_job_placed_fn each, void *const *rows);

#endif
