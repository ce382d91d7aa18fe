/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs of slurmctld, to change, start and end. All want the write lock, find
 * the job by its id, and RET -1 with err when it is gone or not in the phase
 * that is named.
 */
#ifndef RSPB_PLUGINS_COMPAT_JOB_EDIT_H
#define RSPB_PLUGINS_COMPAT_JOB_EDIT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/base/nodeset.h"

/*
 * The size that a job asked for before it was fitted to a grant; tasks, cpus 0: not given.
 * nodes: it is to have exactly so many, at most nodes_max. Its tasks and CPUs follow in proportion
 * to what was asked, each node keeps one, and so do the variables of its script. It can be fitted
 * again. nodes 0: it is to ask for what it asked for before it was fitted.
 */
struct rspb_job_size {
	uint32_t nodes_min, nodes_max, tasks, cpus;
	int64_t limit;	/* seconds, 0: as it is; of work that is done in a form */
	uint32_t fewer; /* so many of its tasks; 0: as many as its nodes leave */
	uint32_t nodes;
};
/* RET the part of a job's tasks or CPUs for `nodes` of `asked` nodes, rounded down; each node keeps
 * one at least. 0: they are not given. */
static inline uint32_t rspb_job_part_of(uint32_t whole, uint32_t nodes, uint32_t asked)
{
	uint64_t part = asked ? (uint64_t) whole * nodes / asked : whole;

	return part < nodes && whole ? nodes : (uint32_t) part;
}

struct rspb_needs;

/* The members of a job that are to be so; it keeps those that are NULL, 0 or false. */
struct rspb_job_wanted {
	/* Pending: it is no longer held, unless an operator holds it. Running: it is not held for
	 * a reservation that Slurm did not find at its start. */
	bool released;
	/* Pending: it has no reservation, and is held as if by its owner, who may release it; the
	 * reason is shown. */
	const char *held;
	const char *partition; /* pending: or any of a list */
	/* Pending: the reservation to which it is tied, "": none. begin is what squeue shows as
	 * its start (0: as it is). Its own deadline no longer counts, the window does. */
	const char *reservation;
	int64_t begin;
	/* Pending: nodes with these features, as --constraint has them; "": any. It is an error if
	 * no node has them, unless it is known that it had them before. */
	const char *features;
	bool had_features;
	const struct rspb_job_size *size; /* pending */
	/* Pending: what it needs of its nodes, and its script is told so. */
	const struct rspb_needs *needs;
	/* Pending or running: it may take so many seconds, whole minutes, from its start, and
	 * running not beyond limit_end, as it may have begun late. It is an error if partition, QOS
	 * or association do not allow as much. */
	int64_t limit, limit_end;
	bool limit_checked; /* whether it could take that limit is all that is asked */
	/* Pending: it waits for the window that was asked for; deadline 0: none. */
	bool reopened;
	int64_t ready, deadline;
	/* Any phase: the text for which only operators may write, and its owner's own. */
	const char *contract, *comment;
	/* Running: it counts, and is billed, as that share of the CPUs of its nodes, in 1/10000, as
	 * when Slurm changes the size of a job. */
	int64_t share;
	/* Done: tell accounting of its end once more, with the contract as it is then. Slurm queues
	 * it for slurmdbd, so this waits for nothing. */
	bool accounted;
};
/* Make a job so, in the order of the members. All are tried; a member that Slurm refuses stays as
 * it was. RET 0, or -1 with the first error. */
int rspb_job_make_so(uint32_t id, const struct rspb_job_wanted *wanted, struct rspb_err *err);
/* Slurm's record of a job that waits: what it needs of generic resources by its tasks is
 * that of as many as it has by now. */
void rspb_job_gres_again(void *record);

/* How a job is ended. */
enum rspb_job_end {
	/* Pending or running: cancel it; the reason is kept with it. */
	RSPB_JOB_CANCEL,
	/* The same, and the reason is shown to a user who waits at a terminal (srun, salloc). */
	RSPB_JOB_DISMISS,
	/* Running: as one that has used up its time. Its processes get SIGTERM, and SIGKILL
	 * after KillWait. */
	RSPB_JOB_TIME_OUT,
	/* The same, with SIGKILL at once. */
	RSPB_JOB_TIME_OUT_NOW,
	/* Running or suspended: put it back into the queue, or time it out when it may not be.
	 * The reason is a sentence for its owner, in its system comment, and is shown to a
	 * user who waits at a terminal. */
	RSPB_JOB_EVICT
};
int rspb_job_end(uint32_t id, enum rspb_job_end how, const char *reason, struct rspb_err *err);

/*
 * Pending: start the jobs (one, or all components of a heterogeneous job) on the
 * nodes of their reservations, all or none. Before `start` they get these nodes,
 * where the prolog runs, and no more until rspb_job_begin(). `end`: when they must
 * be gone. RET 0, or with the reason in err: 1, by a limit of account or QOS or
 * for licenses; 2, by a job itself, which is held or waits for others; 3, while a
 * job is cleaned up, perhaps as it was put back by a refusal of another component;
 * else -1.
 */
int rspb_job_start(const uint32_t *ids, uint32_t n, int64_t start, int64_t end,
		   struct rspb_err *err);
/* Begin those jobs that have been given nodes but not started, if it is time. Else, after a start
 * of slurmctld, they go on waiting for this as far as Slurm knows of it. Nothing happens to
 * others. */
void rspb_job_begin(const uint32_t *ids, uint32_t n, bool now);
/* Slurm takes the nodes away from a job, by its record: what runs there of one that
 * has them and no more is to be ended like that of others. */
void rspb_job_loses_nodes(void *record);
/* Running: give up all but these nodes, of which one is that of its script. What
 * steps do on the others ends. RET 0, also when it has no others, running or not; -1
 * with err. */
int rspb_job_shrink(uint32_t id, const struct rspb_nodeset *nodes, struct rspb_err *err);
/* Whether the update that Slurm asks about is one of these. */
bool rspb_job_updates(void);
/*
 * Pending: end what these nodes may still run of it, since slurmctld does not
 * know that it has begun there. It completes, as one that was requeued, until
 * each node has said that it is clean; down ones are not asked. nodes NULL: it completes
 * already, and waits no longer for nodes that do not answer. RET 0, also when it completes
 * already; -1 with err.
 */
int rspb_job_clear(uint32_t id, const struct rspb_nodeset *nodes, struct rspb_err *err);
/* Have the first node of a batch job that runs register, unless its slurmd has been there
 * since before the start; doubt: also then. Wants the write lock. RET whether it is asked. */
bool rspb_job_ask_node(uint32_t id, bool doubt);

/* Pending: take one task out of the record of all that wait, of which the last one
 * keeps the array's number. Wants the write lock. RET 1: others are left, 0: none is,
 * or -1 with err: it is no array of which several wait. */
int rspb_job_divide(uint32_t id, struct rspb_err *err);

#endif
