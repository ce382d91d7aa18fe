/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans requests that may preempt: they see the nodes of jobs that make way as free once these have
 * had their time (PreemptExemptTime, GraceTime, KillWait, and the time that nodes need between two
 * jobs). All requests are first decided as if nobody made way; this is for those that would get
 * nothing then, or something later, or less. */
#ifndef RSPB_CTLD_DECIDE_PREEMPT_H
#define RSPB_CTLD_DECIDE_PREEMPT_H

#include <stdbool.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "plugins/compat/preempt/preempt.h"
#include "plugins/ctld/request/ask.h"

/* RET seconds between the last word to a job and the moment when its nodes can be had. By that word
 * it ends at once or goes back into the queue. */
int64_t rspb_preempt_lead(void);
/* RET the basis as it is for jobs[n], all of which Slurm must let preempt; the caller destroys it.
 * NULL: no job makes way for them, or not possible at the moment. Takes the read lock in short
 * sections. */
struct rspb_ledger *rspb_preempt_view(const struct rspb_ledger *basis, const uint32_t *jobs,
				      uint32_t n, int64_t now);
/* The same for a job that is none yet. NULL: the default partition, the usual account
 * and QOS. */
struct rspb_preempt_who {
	uint32_t user;
	const char *partition, *account, *qos;
};
struct rspb_ledger *rspb_preempt_view_as(const struct rspb_ledger *basis,
					 const struct rspb_preempt_who *who, int64_t now);
/* The same for a draft; of a ledger and its basis, by whoever holds the
 * read lock for an RPC, where no more than some hundred blocks are to be looked at. */
struct rspb_ledger *rspb_preempt_view_draft(const struct rspb_ledger *ledger,
					    const struct rspb_ledger *basis,
					    const struct rspb_job *draft, int64_t now);
/* RET whether a request has less than it asks for, or has it later, so that a look with preemption
 * is worth it. */
bool rspb_preempt_wanted(const struct rspb_request *request, const struct rspb_booking *decision,
			 int64_t now);
/* RET whether one decision is better for its requester than the other. */
bool rspb_preempt_better(const struct rspb_booking *decision, const struct rspb_booking *than);
/*
 * Decide again on what could be better so, each by itself, with Slurm's selection as
 * the judge; decisions[i] is replaced where it is. RET the basis, which is freed where
 * another one takes its place; *any: there was such a decision.
 */
struct rspb_ledger *rspb_preempt_decide(struct rspb_ledger *basis, const struct rspb_config *config,
					struct rspb_asks *asks, uint64_t table, int64_t now,
					struct rspb_booking **decisions, bool *any);

#endif
