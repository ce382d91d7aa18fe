/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contract in a job's record. */
#ifndef RSPB_CTLD_MIRROR_CONTRACT_H
#define RSPB_CTLD_MIRROR_CONTRACT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/request/request.h"
#include "common/wire/flags.h"
#include "plugins/compat/job.h"
#include "plugins/compat/job_edit.h"
#include "plugins/ctld/request/ask.h"

/* Look at a job and its contract, with at least the read lock. RET false: it is
 * gone, or has none. */
bool rspb_contract_read(uint32_t id, struct rspb_job *job, struct rspb_contract *contract);
/* RET what the journal says of that very job, NULL: nothing. Slurm's record of it may be
 * of before it was put back, when it was submitted earlier. */
struct rspb_promise;
const struct rspb_promise *rspb_contract_promised(const struct rspb_job *job);
/* RET the nodes that a job's contract promises, by name, "": that is not known; good
 * until it is promised something again. */
const char *rspb_contract_nodes(const struct rspb_job *job, const struct rspb_contract *contract);
/* Note in the journal (record/durable.h) what a job's contract is, or is about to
 * become, its nodes by name as rspb_contract_grant() returns them (NULL: the text
 * names them, or they stay), and what its ask says that the job is about to get (NULL:
 * nothing else); with at least the read lock. A job that is gone is left alone. */
void rspb_contract_promise(uint32_t id, const char *text, const char *nodes,
			   const struct rspb_ask *ask);
/* Write a contract into its job, and that into the journal, with these nodes;
 * wants the write lock. RET 0, or -1 with err (may be NULL). */
int rspb_contract_put(uint32_t id, const char *text, const char *nodes, struct rspb_err *err);
/* The same of one that is no text yet. */
int rspb_contract_write(uint32_t id, const struct rspb_contract *contract, struct rspb_err *err);
/* Fill in what a booking grants to one part, its nodes by name; with at least
 * the read lock. RET these names where they are too many for a contract, the
 * caller frees them; else NULL. */
char *rspb_contract_grant(const struct rspb_booking *booking, uint32_t part,
			  struct rspb_contract *contract);
/* Write a new state into it; wants the write lock. A job that is gone, or has
 * no contract, is left alone. reason may be NULL. */
void rspb_contract_state(uint32_t id, enum rspb_state state, const char *reason);

/* Fill in the size that a contract gives its job. */
void rspb_contract_size(const struct rspb_contract *contract, struct rspb_job_size *out);
/* Let a pending job wait for the window that its contract asks for. */
void rspb_contract_reopen(const struct rspb_contract *contract, struct rspb_job_wanted *wanted);

/* A job that takes an offer asks for that and for nothing else. If it does not get
 * it, or only for a time, it is as it was before. */
/* Note in its contract what a job asks for, unless an earlier one is noted. */
void rspb_was_keep(const struct rspb_job *job, struct rspb_contract *contract);
/* Let a pending job and its contract (which the caller writes) ask for that again;
 * wants the write lock. Nothing is done where nothing is noted. */
void rspb_was_restore(uint32_t id, struct rspb_contract *contract);
/* Note that the grant is final. */
void rspb_was_forget(struct rspb_contract *contract);

/* --- several partitions (--partition=A,B) ------------------------------------------ */

/* RET how many it has, 0: one, which it names alone. */
uint32_t rspb_contract_partitions(const struct rspb_contract *contract);
/* The next of them is first then, behind the last one the first again. */
void rspb_contract_turn(struct rspb_contract *contract);
/* Put its job into the first of them. RET 0, or -1 with err. Write lock. */
int rspb_contract_enter(uint32_t id, const struct rspb_contract *contract, struct rspb_err *err);
/* RET the first of them if the job is in another one, else NULL; space has it. */
const char *rspb_contract_partition(const struct rspb_job *job,
				    const struct rspb_contract *contract,
				    char space[RSPB_PARTITIONS_TEXT]);

/* The jobs of a booking: one, or all components of a heterogeneous one. RET how many
 * there are, RSPB_MAX_PARTS at most, their ids by part; 0: the leader is gone. id: the
 * leader's. With at least the read lock. */
uint32_t rspb_components(uint64_t id, uint32_t ids[RSPB_MAX_PARTS]);

/* RET the time limit that a contract gives its job with its booking, or without, s; 0: it
 * stays as it is. */
int64_t rspb_contract_limit(const struct rspb_contract *contract, bool booked);

#endif
