/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tests of one job that take Slurm's own types, for files of this folder alone. */
#ifndef RSPB_PLUGINS_COMPAT_JOB_PICK_H
#define RSPB_PLUGINS_COMPAT_JOB_PICK_H

#include "plugins/compat/job.h"
#include "plugins/compat/slurm.h"

/*
 * Ask Slurm's selection plugin which of these nodes it would give the job. Where all
 * nodes must have the same feature, [a|b], the first that has enough. Wants the
 * write lock, or for a draft (submit/draft.h) the read locks: Slurm keeps scratch
 * data in the job. RET whether there are any, in out, else out is as it was.
 */
bool rspb_job_pick(const struct rspb_job *job, const struct rspb_pick *pick,
		   struct rspb_nodeset *out);
/* Like rspb_job_pick(), for a start without these cores, of all nodes, when as many of the
 * jobs that run have ended as need be. *start: when that is, by Slurm's estimate. For a
 * start now the job has its own size, and may take fewer of the nodes. */
bool rspb_job_pick_without(const struct rspb_job *job, const struct rspb_pick *pick,
			   const bitstr_t *cores, int64_t *start, struct rspb_nodeset *out);

/* Looks at a job that has been given these nodes, until it returns; RET 0, -1: out of memory. */
typedef int (*rspb_given_fn)(const job_record_t *job, const bitstr_t *nodes, void *arg);
/* Ask what the scheduler would give the job this second, of the picked number of nodes, best as
 * many as asked, without these cores of all nodes. RET whether there is anything, which note() has
 * seen. Write lock. */
bool rspb_job_give(const struct rspb_job *job, const struct rspb_pick *pick, const bitstr_t *cores,
		   rspb_given_fn note, void *arg);

/* How a job stands in the queue. Slurm holds a job for whose devices it cannot find cores, also if
 * it was only asked about some of them. */
struct rspb_standing {
	uint32_t priority, reason;
};

static inline struct rspb_standing rspb_standing_of(const job_record_t *job)
{
	return (struct rspb_standing){ job->priority, job->state_reason };
}

static inline void rspb_standing_put(job_record_t *job, const struct rspb_standing *had)
{
	job->priority = had->priority;
	job->state_reason = had->reason;
}

/* Whether the generic resources of a job have to be beside its cores. */
bool rspb_job_binds(const job_record_t *job);
/* Whether such a job of several CPUs that gives no number of tasks is to count as one of a single
 * task on a node of which it has a part. Slurm would count as many tasks as all cores of the node
 * hold, and refuse the node if these left a core in part. */
bool rspb_job_one_task(const job_record_t *job);

/* RET 1 if Slurm would start the job on all of these nodes, each of them free, in the size that it
 * has; 0: it would not; -1: out of memory. */
int rspb_job_takes_all(const struct rspb_job *job, const struct rspb_nodeset *nodes);

/* RET the limit on one job that keeps this one out with so much of each TRES,
 * "MaxTRESPerNode=cpu=2 of QOS normal", good until this thread asks again; NULL:
 * none. With the write lock; takes the locks of Slurm's associations. */
const char *rspb_job_fixed_limit(const job_record_t *job, const uint64_t *tres);

/* Whether a node alone is configured with what a job, which requests generic resources, requests of
 * them in all with so many tasks. */
bool rspb_gres_on_one(const job_record_t *job, uint32_t tasks, uint32_t node);
/* RET how many devices a job requests in all (--gpus), of the kind of which it requests most. */
uint32_t rspb_gres_devices(const job_record_t *job);

#endif
