/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From jobs in the waiting room to requests. */
#ifndef RSPB_CTLD_OBSERVE_INTAKE_H
#define RSPB_CTLD_OBSERVE_INTAKE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "plugins/compat/job.h"
#include "plugins/ctld/request/ask.h"

struct rspb_job;

/* The priority of a job's request: its own, or, where that says what is left free, its
 * QOS's, which is from 0 to 100 (Algorithm=co-rspb-headroom). */
int64_t rspb_intake_priority(const struct rspb_config *config, const struct rspb_job *leader);

/* Note in a request of a job what is known of it beside its parts and times. */
void rspb_intake_label(struct rspb_request *request, const struct rspb_job *leader,
		       const struct rspb_contract *contract);

/*
 * Whether a job waits for a decision now: it is in the waiting room, neither
 * held nor dependent on others, but on such as are booked or can never let it begin,
 * and its contract says "requested".
 */
bool rspb_intake_waits(const struct rspb_job *job);
/* Whether a job that wants to begin at once waits for a partition that starts none, with a sentence
 * about it (why may be NULL). */
bool rspb_intake_rests(const struct rspb_job *job, const struct rspb_contract *contract,
		       struct rspb_err *why);
/* Read what the jobs of a leader ask for, with the write lock; ask is empty, and the caller
 * finishes it. RET 0, with the refusal where its settings rule it out; 1: not now (a component is
 * missing, or does not wait); -1 with err. */
int rspb_intake_fill(struct rspb_ask *ask, const struct rspb_job *leader, uint32_t width,
		     const struct rspb_config *config, int64_t now, struct rspb_err *err);
/* Members of struct rspb_source; an ask that the settings rule out carries its refusal. */
int64_t rspb_intake_waiting(int64_t *earliest);
int rspb_intake_collect(uint32_t width, const struct rspb_config *config, int64_t now,
			struct rspb_asks *asks, struct rspb_err *err);
/* Refresh what only Slurm knows of a booking, with the write lock: the nodes that its jobs may use,
 * and those that they name. dedicated: that of the book if the nodes have changed, else NULL: the
 * cores of its shares are numbered anew. */
void rspb_intake_refresh(struct rspb_booking *booking, const uint8_t *dedicated);

#endif
