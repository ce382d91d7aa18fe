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
#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "common/policy/policy.h"
#include "common/request/request.h"
#include "contrib/sim/replay/metrics.h"
#include "contrib/sim/replay/sizes.h"

/* A price, in per cent of the usual. */
enum { SIM_PRICE_MOST = RSPB_PRICE_MOST / (RSPB_PRICE_USUAL / 100) };

/* A job, in few bytes: a month of a large machine has 300,000. */
struct sim_job {
	int64_t arrival, ready, duration, deadline;
	uint32_t nodes;
	int64_t ran;		      /* seconds that it ran in fact, 0: all of its duration */
	bool regular;		      /* it books nothing, and starts when it can */
	uint32_t cores;		      /* of each of them, where nodes have sizes; 0: all */
	struct rspb_request *request; /* owned; it says all, when it asks for
				       * more than whole nodes; else NULL */
};

/* RET its first and its last possible start; the first is later if there is none. */
static inline int64_t sim_job_earliest(const struct sim_job *job)
{
	return job->ready > job->arrival ? job->ready : job->arrival;
}
static inline int64_t sim_job_latest(const struct sim_job *job)
{
	return job->deadline - job->duration;
}

/* RET a request with that id for the nodes of a job, whole and hard, which the caller
 * owns; NULL: out of memory. */
struct rspb_request *sim_job_request(const struct sim_job *job, uint64_t id);

/* A node that fails. */
struct sim_down {
	uint32_t node;
	int64_t from, until;
};

/* Results of a run besides its bookings. */
struct sim_side {
	double regular, wait, slowdown; /* jobs that ended, and sums of theirs */
	double regular_left;		/* that never started */
	double killed;			/* of them, by failures; they ran again */
	double limited;			/* requests that a site's limits refuse */
	double lost, replaced;		/* bookings that a failure ended, and moved */
	double used;			/* node seconds until the last submission */
};

/* How requests are decided, besides by a policy. */
struct sim_setup {
	FILE *schedule; /* decisions are written to it (schedule.h); NULL: no */
	int64_t firm;	/* nobody moves so many seconds before the start */
	/* A command that decides in place of the policy (outside.h), NULL: none, and how
	 * many seconds it has for an answer. */
	const char *command;
	int64_t patience;
	/* Settings whose limits and rules hold (NULL: none do), and when the first second
	 * was, since 1970. */
	const struct rspb_config *config;
	int64_t began;
	struct sim_side *side; /* filled, NULL: not wanted */
};

struct sim_workload {
	uint32_t nodes;
	int64_t *capacity;    /* owned; share units per node, NULL: nodes
			       * are given whole */
	uint32_t *speeds;     /* owned; of each node in 1/100 of a standard one, NULL:
			   * all are; jobs have forms then */
	bool molded;	      /* nodes have speeds, or jobs more than one form: not for
		      * what knows rigid jobs on like nodes alone */
	struct sim_job *jobs; /* owned, by arrival; the i-th has id i + 1 */
	size_t n, room;
	struct sim_sizes sizes; /* of its nodes, none: jobs take them whole */
	bool undivided;		/* they do so all the same, as with Unit=node */
	uint32_t *takes;	/* owned; sizes.kinds of each job, besides cores */
	size_t takes_room;
	struct sim_down *downs; /* owned, by their begin, no node twice at a time */
	size_t n_downs;
	uint32_t links; /* so many of the nodes, the last ones, are links (sites.h) */
	bool real;	/* jobs end when they did, and the use of the nodes is reported */
	bool beside;	/* regular jobs and failures are part of the run, and reported */
	struct sim_setup setup;
};

void sim_workload_fini(struct sim_workload *workload);
/* Append; takes the job's request. RET 0 or -1 with err: out of memory. */
int sim_workload_add(struct sim_workload *workload, const struct sim_job *job,
		     struct rspb_err *err);
/* The same where nodes have sizes: what it takes of each node, of which cores count.
 * RET 1, too: so many nodes have not so much, and it was not added. */
int sim_workload_add_sized(struct sim_workload *workload, struct sim_job *job,
			   const struct sim_size *takes, struct rspb_err *err);
/* Its nodes have these sizes, and no more are to come. RET 0 or -1 with err. */
int sim_workload_sized(struct sim_workload *workload, struct rspb_err *err);
/* RET what the i-th takes of each node; and its cores, all of the smallest nodes that
 * would do if it takes nodes whole. Of a workload whose nodes have sizes. */
struct sim_need sim_workload_need(const struct sim_workload *workload, size_t i);
double sim_workload_cores(const struct sim_workload *workload, size_t i);
/* RET 0, or -1 with err: its jobs are moldable, or its nodes not alike, of which
 * `what` knows nothing. */
int sim_rigid(const struct sim_workload *workload, const char *what, struct rspb_err *err);
/* RET the i-th as a request of its own, which the caller destroys (NULL: out of
 * memory). */
struct rspb_request *sim_workload_request(const struct sim_workload *workload, size_t i);

/* Told of each request once: when it is declined, or when what it was granted
 * ends, because policies may move bookings and let them grow until then. */
typedef void (*sim_decided_fn)(const struct rspb_booking *booking, void *arg);

/*
 * Decide all requests as the thesis does (figure 4.1): what arrived during an
 * interval of policy->batch_interval together, earlier when a start would come
 * before; on arrival when it is 0. fn may be NULL. RET 0 or -1 with err.
 */
int sim_replay(const struct sim_workload *workload, const struct rspb_policy *policy,
	       sim_decided_fn fn, void *arg, struct rspb_err *err);
/* The same, summed up. */
int sim_replay_measure(const struct sim_workload *workload, const struct rspb_policy *policy,
		       struct sim_metrics *metrics, struct rspb_err *err);

#endif
