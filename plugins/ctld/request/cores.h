/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A part of a request that takes cores of its nodes, not the nodes. */
#ifndef RSPB_CTLD_REQUEST_CORES_H
#define RSPB_CTLD_REQUEST_CORES_H

#include "common/request/request.h"
#include "common/wire/flags.h"

struct rspb_job;
struct rspb_needs;

/* A part that was filled in to take nodes takes what Slurm gives its job of each, where
 * nodes are lent so and that can be said; else it stays as it is. The nodes that it may
 * have are then those that are lent, and large enough; of a range of nodes they are so many
 * as the tasks need, `fewest` (0: that is not known). Write lock. */
void rspb_part_take_cores(const struct rspb_job *job, const struct rspb_terms *flags,
			  uint32_t fewest, struct rspb_part *part);
/* Leave a part of cores the nodes that are lent in parts, and a share the others. */
void rspb_part_keep_lent(struct rspb_part *part);
/* RET the CPUs for which Slurm charges the job of such a part on one node, most of any node that it
 * may have; memory: those for which it has memory (compat/parts/cores.h). At least the read
 * lock. */
uint64_t rspb_part_cpus(const struct rspb_job *job, const struct rspb_part *part, bool memory);
/* Why a job that would have cores by the settings takes nodes, if that is for its flags,
 * its generic resources or those nodes; NULL: it is not. At least the read lock. */
const char *rspb_part_why_nodes(const struct rspb_job *job, const struct rspb_terms *flags,
				const struct rspb_part *part);
/* Let a part without a job, which was filled in to take nodes, take so many cores of each, with the
 * memory and the generic resources of such a job. Where the site gives jobs that do not say how
 * much memory all of a node, the part takes the same fraction as of the cores. Needs at least the
 * read lock. RET 0, or -1 with err: not as many nodes have them. */
int rspb_part_ask_cores(uint32_t cores, const struct rspb_job *job, struct rspb_part *part,
			struct rspb_err *err);
/* Its contract says what it takes of each node besides; and what a contract says. RET 0,
 * -1: out of memory. */
void rspb_part_tell_besides(const struct rspb_part *part, struct rspb_terms *terms);
int rspb_part_granted_besides(const struct rspb_contract *contract, struct rspb_part *part);
/* Set what a contract says it was granted, so many cores of each node. */
struct rspb_grant;
void rspb_part_granted_cores(uint32_t cores, struct rspb_part *part, struct rspb_grant *grant);
/* Learn what a part that may have fewer tasks, with its quotas counted, takes of its nodes with
 * these. Needs at least the read lock. */
void rspb_part_learn(const struct rspb_job *job, struct rspb_part *part);
/* And how many tasks, of a job that has so many now: fewer than it asked for, maybe. */
void rspb_part_granted_tasks(const struct rspb_contract *contract, uint32_t tasks,
			     struct rspb_part *part);
/* Let a part that takes cores take its nodes instead. Needs at least the read lock. RET 0, -1 with
 * err: out of memory. */
int rspb_part_take_nodes(const struct rspb_job *job, struct rspb_part *part, struct rspb_err *err);
/* Change a part that takes cores, of a waiting job, into what it would take if the job needed that;
 * the job stays as it was. Needs the write lock. RET 0, or -1 with err: it would take no cores, or
 * Slurm refuses it. */
int rspb_part_resize(uint32_t job, const struct rspb_needs *to, struct rspb_part *part,
		     struct rspb_err *err);

/* Limit a part that takes cores to the nodes of which Slurm gives its job fewer cores than of
 * others, as their cores have more threads. Needs the write lock. RET 1; 0: there are not enough
 * of them; -1 with err: it takes none there. Unless 1 is returned, the part must not be used any
 * more. */
int rspb_part_fewer_cores(uint32_t job, struct rspb_part *part, struct rspb_err *err);
/* Exclude the nodes on which the job of a part that takes cores takes more than the part has. Needs
 * the write lock. */
void rspb_part_keep_cores(const struct rspb_job *job, struct rspb_part *part);

#endif
