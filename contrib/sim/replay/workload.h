/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests to be decided one batch after another, whichever model, trace or
 * journal they come from, and the machine they are for.
 */
#ifndef RSPB_SIM_REPLAY_WORKLOAD_H
#define RSPB_SIM_REPLAY_WORKLOAD_H

#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/ledger/ledger.h"
#include "common/policy/policy.h"
#include "common/request/request.h"
#include "contrib/sim/replay/metrics.h"

struct sim_workload {
	uint32_t nodes;
	int64_t *capacity; /* owned; share units per node, NULL: nodes
				 * are given whole */
	struct rspb_request **requests; /* owned, by arrival */
	size_t n, room;
};

void sim_workload_fini(struct sim_workload *workload);
/* Append; takes the request (NULL: out of memory). RET 0 or -1 with err. */
int sim_workload_add(struct sim_workload *workload,
		     struct rspb_request *request, struct rspb_err *err);
/* By arrival; equals stay as they are. */
void sim_workload_sort(struct sim_workload *workload);
/* One part of whole nodes with ready time and deadline. NULL: no memory. */
struct rspb_request *sim_workload_job(uint64_t id, int64_t arrival,
				      int64_t ready, int64_t duration,
				      int64_t deadline, uint32_t nodes);

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
