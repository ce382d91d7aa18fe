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

/* Any phase: replace the contract, which is kept where only operators may write, or what
 * its owner said about it (Comment=). */
enum rspb_job_text { RSPB_JOB_CONTRACT, RSPB_JOB_COMMENT };
int rspb_job_set_text(uint32_t id, enum rspb_job_text which, const char *text,
		      struct rspb_err *err);
/* Done: tell accounting of its end once more, with the contract as it is now.
 * Queued by Slurm for slurmdbd, so it waits for nothing. */
int rspb_job_account(uint32_t id);
/* Running: from now on it counts, and is billed, as that share of the CPUs of its nodes, in
 * 1/10000, as when Slurm changes the size of a job. */
void rspb_job_recount_share(uint32_t id, int64_t share);
/* Pending: tie the job to a reservation (NULL: untie it); begin is what squeue shows as
 * its start (0: leave it). Its own deadline no longer counts, the window does. */
int rspb_job_attach(uint32_t id, const char *reservation, int64_t begin, struct rspb_err *err);
/* How often a job has been tied to the waiting room by that. */
uint64_t rspb_job_returns(void);
/* Pending: its window is what was asked for; deadline 0: none. */
int rspb_job_reopen(uint32_t id, int64_t begin, int64_t deadline, struct rspb_err *err);
/* The size that a job asked for before it was fitted to a grant; tasks, cpus 0: not given. */
struct rspb_job_size {
	uint32_t nodes_min, nodes_max, tasks, cpus;
	int64_t limit;	/* seconds, 0: as it is; of work that is done in a form */
	uint32_t fewer; /* so many of its tasks; 0: as many as its nodes leave */
};
/* RET the part of a job's tasks or CPUs for `nodes` of `asked` nodes, rounded down; each node keeps
 * one at least. 0: they are not given. */
static inline uint32_t rspb_job_part_of(uint32_t whole, uint32_t nodes, uint32_t asked)
{
	uint64_t part = asked ? (uint64_t) whole * nodes / asked : whole;

	return part < nodes && whole ? nodes : (uint32_t) part;
}

/*
 * Pending: ask for exactly `nodes` nodes, which is at most asked->nodes_max. Its
 * tasks and CPUs follow in proportion to what was asked, each node keeps one,
 * and so do the variables of its script. It can be fitted again. nodes 0: ask for what
 * it asked for before it was fitted.
 */
int rspb_job_shape(uint32_t id, uint32_t nodes, const struct rspb_job_size *asked,
		   struct rspb_err *err);
/* Slurm's record of a job that waits: what it needs of generic resources by its tasks is
 * that of as many as it has by now. */
void rspb_job_gres_again(void *record);

/* Pending or running: it may take so many seconds, whole minutes, from its
 * start, and running not beyond end, as it may have begun late. RET -1 with err
 * also where its partition, QOS or association do not allow as much. */
int rspb_job_set_limit(uint32_t id, int64_t seconds, int64_t end, struct rspb_err *err);
/* Whether rspb_job_set_limit() would take it. RET 0, or -1 with err. */
int rspb_job_check_limit(uint32_t id, int64_t seconds, struct rspb_err *err);
/* Pending: it asks for nodes with these features, as --constraint has them; NULL
 * or "": for any. RET -1 with err also if they cannot be read, or no node has them; had:
 * it asked for them before, so that they are restored even if no node has them now. */
int rspb_job_set_features(uint32_t id, const char *features, bool had, struct rspb_err *err);
/* Pending: no longer held, unless an operator holds it. Running: not held for a
 * reservation that Slurm did not find at its start. */
int rspb_job_unhold(uint32_t id, struct rspb_err *err);
/* Pending: untie and hold it as if by its owner, who may release it. */
int rspb_job_hold(uint32_t id, const char *reason, struct rspb_err *err);
/* Interactive (srun, salloc): show a line where the user sits. */
int rspb_job_tell(uint32_t id, const char *line, struct rspb_err *err);
/* How a job is ended. */
enum rspb_job_end {
	/* Pending or running: cancel it; the reason is kept with it. */
	RSPB_JOB_CANCEL,
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
 * for licenses; 2, by a job itself, which is held or waits for others; else -1.
 */
int rspb_job_start(const uint32_t *ids, uint32_t n, int64_t start, int64_t end,
		   struct rspb_err *err);
/* Begin those jobs that have been given nodes but not started. Nothing happens to others. */
void rspb_job_begin(const uint32_t *ids, uint32_t n);
/* After a start of slurmctld: those that have their nodes and no more go on
 * waiting for rspb_job_begin(), as far as Slurm knows of it. */
void rspb_job_hold_back(const uint32_t *ids, uint32_t n);
/* Slurm takes the nodes away from a job, by its record: what runs there of one that
 * has them and no more is to be ended like that of others. */
void rspb_job_loses_nodes(void *record);
/* The node on which its script runs, else its first; -1: it does not run. */
int64_t rspb_job_first_node(uint32_t id);
/* Running: give up all but these nodes, of which one is rspb_job_first_node(). What
 * steps do on the others ends. RET 0, also when it has no others, running or not; -1
 * with err. */
int rspb_job_shrink(uint32_t id, const struct rspb_nodeset *nodes, struct rspb_err *err);
/* Pending: into that partition, or any of a list. RET 0, or -1 with err. */
int rspb_job_repartition(uint32_t id, const char *partition, struct rspb_err *err);
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
