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

/* Any phase: replace the contract, which is kept where only operators may
 * write. */
int rspb_job_set_contract(uint32_t id, const char *text, struct rspb_err *err);
/* Done: tell accounting of its end once more, with the contract as it is now.
 * Queued by Slurm for slurmdbd, so it waits for nothing. */
int rspb_job_account(uint32_t id);
/* Running: from now on it counts, and is billed, as that share of the CPUs of its nodes, in
 * 1/10000, as when Slurm changes the size of a job. */
void rspb_job_recount_share(uint32_t id, int64_t share);
/* Any phase: replace what its owner said about it (Comment=). */
int rspb_job_set_comment(uint32_t id, const char *text, struct rspb_err *err);
/* Pending: tie the job to a reservation; begin is what squeue shows as its
 * start (0: leave it). Its own deadline no longer counts, the window does. */
int rspb_job_attach(uint32_t id, const char *reservation, int64_t begin, struct rspb_err *err);
/* Running: it is not held for a reservation that Slurm did not find at its start. */
void rspb_job_not_held(uint32_t id);
/* How often a job has been tied to the waiting room by that. */
uint64_t rspb_job_returns(void);
/* Pending: its window is what was asked for; deadline 0: none. */
int rspb_job_reopen(uint32_t id, int64_t begin, int64_t deadline, struct rspb_err *err);
/* Pending: untie it. */
int rspb_job_detach(uint32_t id, struct rspb_err *err);
/* The size that a job asked for before it was fitted to a grant; tasks, cpus 0: not given. */
struct rspb_job_size {
	uint32_t nodes_min, nodes_max, tasks, cpus;
	int64_t limit;	/* seconds, 0: as it is; of work that is done in a form */
	uint32_t fewer; /* so many of its tasks; 0: as many as its nodes leave */
};
/*
 * Pending: ask for exactly `nodes` nodes, which is at most asked->nodes_max. Its
 * tasks and CPUs follow in proportion to what was asked, each node keeps one,
 * and so do the variables of its script. It can be fitted again.
 */
int rspb_job_shape(uint32_t id, uint32_t nodes, const struct rspb_job_size *asked,
		   struct rspb_err *err);
/* Slurm's record of a job that waits: what it needs of generic resources by its tasks is
 * that of as many as it has by now. */
void rspb_job_gres_again(void *record);
/* Pending: ask for what it asked for before it was fitted. */
int rspb_job_unshape(uint32_t id, const struct rspb_job_size *asked, struct rspb_err *err);

/* Pending or running: it may take so many seconds, whole minutes, from its
 * start, and running not beyond end, as it may have begun late. RET -1 with err
 * also where its partition, QOS or association do not allow as much. */
int rspb_job_set_limit(uint32_t id, int64_t seconds, int64_t end, struct rspb_err *err);
/* Whether rspb_job_set_limit() would take it. RET 0, or -1 with err. */
int rspb_job_check_limit(uint32_t id, int64_t seconds, struct rspb_err *err);
/* Pending: it asks for nodes with these features, as --constraint has them; NULL
 * or "": for any. RET -1 with err also where none has them, or they cannot be read. */
int rspb_job_set_features(uint32_t id, const char *features, struct rspb_err *err);
/* The same of those that it had, also while no node has that. */
int rspb_job_restore_features(uint32_t id, const char *features, struct rspb_err *err);
/* Pending: no longer held, unless an operator holds it. */
int rspb_job_unhold(uint32_t id, struct rspb_err *err);
/* Pending: untie and hold it as if by its owner, who may release it. */
int rspb_job_hold(uint32_t id, const char *reason, struct rspb_err *err);
/* Interactive (srun, salloc): show a line where the user sits. */
int rspb_job_tell(uint32_t id, const char *line, struct rspb_err *err);
/* Cancel it, pending or running; the reason is kept with it. */
int rspb_job_cancel(uint32_t id, const char *reason, struct rspb_err *err);

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
 * each node has said that it is clean; down ones are not asked. RET 0, also when
 * it completes already; -1 with err.
 */
int rspb_job_clear(uint32_t id, const struct rspb_nodeset *nodes, struct rspb_err *err);
/* The same, completing: wait no longer for nodes that do not answer. */
void rspb_job_cleared(uint32_t id);
/* How long after its start Slurm takes a batch job for missing where its node registers
 * without it, and gives it back to the queue. */
int64_t rspb_job_missing_s(void);
/* Have the first node of a batch job that runs register, unless its slurmd has been there
 * since before the start; doubt: also then. Wants the write lock. RET whether it is asked. */
bool rspb_job_ask_node(uint32_t id, bool doubt);
/* Running: end it as one that has used up its time: its processes get SIGTERM,
 * and KillWait before SIGKILL; at_once: neither. */
int rspb_job_time_out(uint32_t id, bool at_once, struct rspb_err *err);
/* Running or suspended: put it back into the queue, or end it when it may not; of
 * one that runs with SIGTERM and KillWait. why: a sentence for its owner, in its
 * system comment, and shown to who sits and waits. */
int rspb_job_evict(uint32_t id, const char *why, struct rspb_err *err);

/* Pending: take one task out of the record of all that wait, of which the last one
 * keeps the array's number. Wants the write lock. RET 1: others are left, 0: none is,
 * or -1 with err: it is no array of which several wait. */
int rspb_job_divide(uint32_t id, struct rspb_err *err);

#endif
