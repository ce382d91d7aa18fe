/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests to be decided one batch after another, whichever model, trace or
 * journal they come from, and the machine they are for.
 */
#ifndef RSPB_SIM_REPLAY_WORKLOAD_H
#define RSPB_SIM_REPLAY_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/err.h"
#include "common/ledger/ledger.h"
#include "common/policy/policy.h"
#include "common/request/request.h"
#include "contrib/sim/replay/metrics.h"

/* One of them, in few bytes: a month of a large machine has 300,000. */
struct sim_job {
	int64_t arrival, ready, duration, deadline;
	uint32_t nodes;		      /* whole ones */
	struct rspb_request *request; /* owned; it says all, when it asks for
				       * more than whole nodes; else NULL */
};

struct sim_workload {
	uint32_t nodes;
	int64_t *capacity; /* owned; share units per node, NULL: nodes
			       * are given whole */
	uint32_t *
		speeds; /* owned; of each node in 1/100 of a standard one, NULL:
			   * all are; jobs have forms then */
	bool molded; /* nodes have speeds, or jobs more than one form: not for
		      * what knows rigid jobs on like nodes alone */
	struct sim_job *jobs; /* owned, by arrival; the i-th has id i + 1 */
	size_t n, room;
	FILE *schedule; /* decisions are written to it (schedule.h); NULL: no */
	int64_t firm;	/* nobody moves so many seconds before the start */
};

void sim_workload_fini(struct sim_workload *workload);
/* Append; takes the job's request. RET 0 or -1 with err: out of memory. */
int sim_workload_add(struct sim_workload *workload, const struct sim_job *job,
		     struct rspb_err *err);
/* RET 0, or -1 with err: its jobs are moldable, or its nodes not alike, of which
 * `what` knows nothing. */
int sim_rigid(const struct sim_workload *workload, const char *what,
	      struct rspb_err *err);
/* RET the i-th as a request of its own, which the caller destroys (NULL: out of
 * memory). */
struct rspb_request *sim_workload_request(const struct sim_workload *workload,
					  size_t i);

/* Told of each request once: when it is declined, or when what it was granted
 * ends, because policies may move bookings and let them grow until then. */
typedef void (*sim_decided_fn)(const struct rspb_booking *booking, void *arg);

/*
 * Decide all requests as the thesis does (figure 4.1): what arrived during an
 * interval of policy->batch_interval together, earlier when a start would come
 * before; on arrival when it is 0. fn may be NULL. RET 0 or -1 with err.
 */
int sim_replay(const struct sim_workload *workload,
	       const struct rspb_policy *policy, sim_decided_fn fn, void *arg,
	       struct rspb_err *err);
/* The same, summed up. */
int sim_replay_measure(const struct sim_workload *workload,
		       const struct rspb_policy *policy,
		       struct sim_metrics *metrics, struct rspb_err *err);

#endif
