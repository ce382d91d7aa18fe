/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The contract in a job's record. */
#ifndef RSPB_CTLD_JOBS_CONTRACT_H
#define RSPB_CTLD_JOBS_CONTRACT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/request/request.h"
#include "common/wire/flags.h"
#include "plugins/compat/job.h"

/* Look at a job and its contract, with at least the read lock. RET false: it is
 * gone, or has none. */
bool rspb_contract_read(uint32_t id, struct rspb_job *job,
			struct rspb_contract *contract);
/* Note in the journal (durable/durable.h) what a job's contract is, or is about to
 * become, and its features (NULL: they stay, "": none); with at least the read lock. A job
 * that is gone is left alone. */
void rspb_contract_promise(uint32_t id, const char *text, const char *features);
/* Write a contract into its job, and that into the journal; wants the write
 * lock. RET 0, or -1 with err (may be NULL). */
int rspb_contract_put(uint32_t id, const char *text, struct rspb_err *err);
/* The same of one that is no text yet. */
int rspb_contract_write(uint32_t id, const struct rspb_contract *contract,
			struct rspb_err *err);
/* Fill in what a booking grants to one part, its nodes by name; with at least
 * the read lock. */
void rspb_contract_grant(const struct rspb_booking *booking, uint32_t part,
			 struct rspb_contract *contract);
/* Write a new state into it; wants the write lock. A job that is gone, or has
 * no contract, is left alone. reason may be NULL. */
void rspb_contract_state(uint32_t id, enum rspb_state state,
			 const char *reason);

#endif
