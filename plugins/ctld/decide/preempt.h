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
/* Jobs, all of which Slurm must let preempt, or one that is none yet. */
struct rspb_preempt_who {
	const uint32_t *jobs;
	uint32_t n_jobs; /* 0: one that is none yet */
	uint32_t user;	 /* whose it will be */
	/* NULL: the default partition, the usual account and QOS. */
	const char *partition, *account, *qos;
};
/* RET the basis as it is for them; the caller destroys it. NULL: no job makes way for them, or not
 * possible at the moment. Takes the read lock in short sections. */
struct rspb_ledger *rspb_preempt_view(const struct rspb_ledger *basis,
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

#endif
