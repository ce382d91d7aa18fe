/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests of a workload through rspb_schedule_batch, batch by batch. */
#include <stdlib.h>

#include "common/base/array.h"
#include "common/conf/config.h"
#include "common/plan/schedule.h"
#include "common/policy/policy.h"
#include "contrib/sim/policy/flex.h"
#include "contrib/sim/policy/preset.h"
#include "contrib/sim/policy/steps.h"
#include "contrib/sim/replay/batches.h"
#include "contrib/sim/replay/foresee.h"
#include "contrib/sim/replay/outside.h"
#include "contrib/sim/replay/packing.h"
#include "contrib/sim/replay/replay_internal.h"
#include "contrib/sim/replay/schedule.h"
#include "contrib/sim/replay/sums.h"
#include "contrib/sim/replay/workload.h"

/* Lazy refinement: what starts before now grew just before it did. Nothing was
 * decided since, so that it can be done now. */
static int grow(struct replay *replay, int64_t now, struct rspb_err *err)
{
	if (replay->policy.degrade->refine != RSPB_REFINE_LAZY)
		return 0;
	return rspb_refine_due(replay->ledger, &replay->policy, now, NULL, NULL, err) < 0 ? -1 : 0;
}

static void forget_batch(struct replay *replay)
{
	while (replay->n_batch)
		rspb_request_destroy(replay->batch[--replay->n_batch]);
}

static int add_to_batch(struct replay *replay, size_t i, struct rspb_err *err)
{
	struct rspb_request *request;

	if (rspb_array_grow(&replay->batch, &replay->batch_room, replay->n_batch + 1,
			    sizeof(*replay->batch)) ||
	    rspb_array_grow(&replay->decided, &replay->decided_room, replay->n_batch + 1,
			    sizeof(*replay->decided)))
		return rspb_fail(err, "out of memory");
	request = sim_workload_request(replay->workload, i);
	if (!request)
		return rspb_fail(err, "out of memory");
	replay->batch[replay->n_batch++] = request;
	return 0;
}

/* Decide what is in replay->batch, within the limits of a site if there are any. RET 0 or -1
 * with err. */
static int plan(struct replay *replay, int64_t now, struct rspb_err *err)
{
	const struct rspb_request *const *batch = (const struct rspb_request *const *)
							  replay->batch;
	size_t n = replay->n_batch;

	if (replay->workload->setup.config)
		return sim_limits_batch(replay, batch, n, now, replay->decided, err);
	return sim_plan_batch(replay, replay->ledger, batch, n, now, replay->decided, err);
}

/* Decide what is in replay->batch, and forget it. */
static int decide(struct replay *replay, int64_t now, struct rspb_err *err)
{
	int rc = 0;

	if (grow(replay, now, err) || sim_advance(replay, now, err) || plan(replay, now, err))
		return -1;
	for (size_t i = 0; i < replay->n_batch; i++) {
		if (!rc) {
			sim_schedule_decided(replay->workload, replay->decided[i]);
			rc = sim_note_decision(replay, replay->decided[i], err);
		}
		rspb_booking_destroy(replay->decided[i]);
	}
	forget_batch(replay);
	return rc;
}

static int decide_batch(const size_t *requests, size_t n, int64_t now, void *arg,
			struct rspb_err *err)
{
	struct replay *replay = arg;

	for (size_t i = 0; i < n; i++)
		if (add_to_batch(replay, requests[i], err))
			return -1;
	return decide(replay, now, err);
}

static int batches(struct replay *replay, struct rspb_err *err)
{
	const struct sim_workload *w = replay->workload;
	struct sim_arrival *arrivals;
	size_t n = 0;
	int rc;

	if (replay->policy.batch_interval == SIM_BATCH_ALL && w->n && !w->beside) {
		for (size_t i = 0; i < w->n; i++)
			if (add_to_batch(replay, i, err))
				return -1;
		return decide(replay, w->jobs[0].arrival, err);
	}
	arrivals = malloc((w->n + 1) * sizeof(*arrivals));
	if (!arrivals)
		return rspb_fail(err, "out of memory");
	for (size_t i = 0; i < w->n; i++)
		if (!w->jobs[i].regular)
			arrivals[n++] = (struct sim_arrival){ w->jobs[i].arrival, w->jobs[i].ready,
							      i };
	rc = sim_batches(arrivals, n, 0, replay->policy.batch_interval, decide_batch, replay, err);
	free(arrivals);
	return rc;
}

static int foresee(const struct sim_workload *workload, const struct rspb_policy *policy,
		   sim_decided_fn fn, void *arg, struct rspb_err *err)
{
	if (sim_rigid(workload, "foreseen", err))
		return -1;
	sim_schedule_machine(workload);
	if (sim_foresee(workload, sim_steps_of(policy)->foresight, fn, arg, err))
		return -1;
	if (workload->setup.schedule && fflush(workload->setup.schedule))
		return rspb_fail(err, "the schedule cannot be written");
	return 0;
}

/* RET 0, or -1 with err: what a policy cannot be run beside. */
static int check_beside(const struct replay *replay, struct rspb_err *err)
{
	const struct rspb_policy *policy = &replay->policy;

	if (!replay->workload->beside)
		return 0;
	if (sim_steps_of(policy)->foresight || policy->batch_interval == SIM_BATCH_ALL)
		return rspb_fail(err, "a policy that knows all requests beforehand knows nothing "
				      "of regular jobs and failures: leave out book and failures");
	return 0;
}

/* Create what a run needs. RET 0 or -1 with err. */
static int open_run(struct replay *replay, struct rspb_err *err)
{
	const struct sim_workload *w = replay->workload;
	const struct rspb_config *config = w->setup.config;
	struct rspb_policy *policy = &replay->policy;
	/* Limits count nodes, as on a cluster, where nobody has a count in place of them. */
	bool flex = policy->patience && !policy->shift && !config;

	replay->ledger = rspb_ledger_create(w->nodes, w->capacity, 0);
	policy->firm = w->setup.firm;
	if (config && !policy->firm)
		policy->firm = config->firm_notice;
	if (config) {
		policy->allows = w->beside ? sim_limits_move : rspb_limits_move;
		policy->allows_config = w->beside ? (const void *) w : config;
	}
	if (flex)
		policy->waiting = rspb_flex_create(w->nodes);
	if (config && w->beside)
		replay->booked = rspb_ledger_create(w->nodes, w->capacity, 0);
	if (!replay->ledger || rspb_ledger_speed(replay->ledger, w->speeds) ||
	    sim_sizes_equip(&w->sizes, replay->ledger) || (flex && !policy->waiting) ||
	    (config && w->beside && !replay->booked))
		return rspb_fail(err, "out of memory");
	return check_beside(replay, err);
}

/* Decide all requests. RET 0 or -1 with err. */
static int run(struct replay *replay, struct rspb_err *err)
{
	const struct sim_setup *setup = &replay->workload->setup;

	if (setup->command) {
		replay->outside = sim_outside_open(replay->workload, &replay->policy.batch_interval,
						   err);
		if (!replay->outside)
			return -1;
	}
	return batches(replay, err) || grow(replay, RSPB_TIME_MAX - 1, err) ||
			       sim_finish(replay, err)
		       ? -1
		       : 0;
}

int sim_replay(const struct sim_workload *workload, const struct rspb_policy *policy,
	       sim_decided_fn fn, void *arg, struct rspb_err *err)
{
	struct replay replay = {
		.workload = workload,
		.policy = *policy,
		.fn = fn,
		.arg = arg,
	};
	int rc = -1;

	if (sim_steps_of(policy)->foresight)
		return check_beside(&replay, err) ? -1 : foresee(workload, policy, fn, arg, err);
	sim_schedule_machine(workload);
	if (!open_run(&replay, err))
		rc = run(&replay, err);
	replay.side.regular_left = (double) replay.n_queue;
	if (workload->setup.side)
		*workload->setup.side = replay.side;
	if (sim_outside_close(replay.outside, !rc, err))
		rc = -1;
	/* Runs are processes of their own that end without more ado. */
	if (workload->setup.schedule && fflush(workload->setup.schedule))
		rc = rspb_fail(err, "the schedule cannot be written");
	rspb_flex_destroy(replay.policy.waiting);
	rspb_ledger_destroy(replay.ledger);
	rspb_ledger_destroy(replay.booked);
	forget_batch(&replay);
	free(replay.batch);
	free(replay.decided);
	free(replay.heap);
	free(replay.queue);
	free(replay.running);
	return rc;
}

/* The results of what was beside the bookings. */
static void add_side(const struct sim_workload *w, const struct sim_side *side,
		     struct sim_metrics *metrics)
{
	int64_t span = w->n ? w->jobs[w->n - 1].arrival - w->jobs[0].arrival : 0;
	double *value = metrics->value;

	if (w->setup.config)
		value[SIM_LIMITED] = side->limited;
	if (span > 0 && (w->real || w->beside) && !w->capacity)
		value[SIM_USE] = side->used / ((double) w->nodes * (double) span);
	if (!w->beside)
		return;
	value[SIM_LOST] = side->lost;
	value[SIM_REPLACED] = side->replaced;
	value[SIM_REGULAR] = side->regular;
	value[SIM_REGULAR_LEFT] = side->regular_left;
	value[SIM_REGULAR_KILLED] = side->killed;
	value[SIM_REGULAR_WAIT] = side->wait / side->regular / 60;
	value[SIM_REGULAR_SLOWDOWN] = side->slowdown / side->regular;
}

static double cores_of(const void *arg, uint64_t id)
{
	return sim_workload_cores(arg, id - 1);
}

int sim_replay_measure(const struct sim_workload *workload, const struct rspb_policy *policy,
		       struct sim_metrics *metrics, struct rspb_err *err)
{
	bool sized = workload->sizes.of;
	uint32_t links = workload->links;
	struct sim_sums sums = { .shares = workload->capacity && !sized && !links,
				 .links_from = links ? workload->nodes - links : 0,
				 .cores = sized ? cores_of : NULL,
				 .cores_arg = workload };
	struct sim_workload run = *workload;
	struct sim_side side = { .used = 0 };
	double first_fit, bound;

	run.setup.side = &side;
	if (sim_replay(&run, policy, sim_sums_add, &sums, err))
		return -1;
	sim_sums_metrics(&sums, metrics);
	add_side(workload, &side, metrics);
	if (!sized)
		return 0;
	if (sim_packing_first_fit(workload, &first_fit, err) ||
	    sim_packing_bound(workload, &bound, err))
		return -1;
	metrics->value[SIM_PACKING] = metrics->value[SIM_CORE_HOURS] / first_fit;
	metrics->value[SIM_OF_BOUND] = metrics->value[SIM_CORE_HOURS] / bound;
	return 0;
}
