/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests of a workload through rspb_schedule_batch, batch by batch. */
#include <stdlib.h>

#include "common/base/array.h"
#include "common/plan/flex.h"
#include "common/plan/refine.h"
#include "common/plan/schedule.h"
#include "common/policy/degrade.h"
#include "contrib/sim/replay/batches.h"
#include "contrib/sim/replay/foresee.h"
#include "contrib/sim/replay/outside.h"
#include "contrib/sim/replay/packing.h"
#include "contrib/sim/replay/schedule.h"
#include "contrib/sim/replay/sums.h"
#include "contrib/sim/replay/workload.h"

enum { PURGE_EVERY = 256 };

/* A booking that has not ended, for the heap. */
struct due {
	int64_t end;
	uint64_t id;
};

struct replay {
	const struct sim_workload *workload;
	struct rspb_policy policy;
	struct rspb_ledger *ledger;
	sim_decided_fn fn;
	void *arg;
	struct rspb_request **batch;   /* owned until it is decided */
	struct rspb_booking **decided; /* as many */
	size_t n_batch, batch_room, decided_room;
	struct sim_outside *outside; /* decides in place of the policy, NULL: none */
	struct due *heap;	     /* least end first */
	size_t n_heap, heap_room, ended;
};

static int heap_push(struct replay *replay, struct due due, struct rspb_err *err)
{
	size_t at = replay->n_heap;

	if (rspb_array_grow(&replay->heap, &replay->heap_room, at + 1, sizeof(*replay->heap)))
		return rspb_fail(err, "out of memory");
	replay->n_heap++;
	for (; at > 0 && replay->heap[(at - 1) / 2].end > due.end; at = (at - 1) / 2)
		replay->heap[at] = replay->heap[(at - 1) / 2];
	replay->heap[at] = due;
	return 0;
}

static struct due heap_pop(struct replay *replay)
{
	struct due top = replay->heap[0];
	struct due last = replay->heap[--replay->n_heap];
	size_t at = 0, child;

	for (; (child = 2 * at + 1) < replay->n_heap; at = child) {
		if (child + 1 < replay->n_heap &&
		    replay->heap[child + 1].end < replay->heap[child].end)
			child++;
		if (replay->heap[child].end >= last.end)
			break;
		replay->heap[at] = replay->heap[child];
	}
	replay->heap[at] = last;
	return top;
}

/* Bookings run to their end, then the ledger may forget them: decisions never
 * depend on what is over. */
static int end_one(struct replay *replay, struct due due, struct rspb_err *err)
{
	const struct rspb_booking *booking = rspb_ledger_find(replay->ledger, due.id);
	struct rspb_record record = {
		.kind = RSPB_REC_EVENT,
		.time = due.end,
		.id = due.id,
		.event = RSPB_EV_START,
	};

	/* It had moved to an earlier end. */
	if (!booking || rspb_state_final(booking->state))
		return 0;
	/* It has moved since, and ends later. */
	if (booking->end > due.end)
		return heap_push(replay, (struct due){ booking->end, due.id }, err);
	if (replay->outside && sim_outside_ended(replay->outside, due.id))
		return rspb_fail(err, "out of memory");
	sim_schedule_kept(replay->workload, booking);
	if (replay->fn)
		replay->fn(booking, replay->arg);
	if (rspb_ledger_apply(replay->ledger, &record, err))
		return -1;
	record.event = RSPB_EV_END;
	return rspb_ledger_apply(replay->ledger, &record, err);
}

static int note_bound(const struct rspb_booking *booking, void *arg, struct rspb_err *err)
{
	return heap_push(arg, (struct due){ booking->end, booking->request->id }, err);
}

/* Give nodes to those who start up to now. */
static int bind_due(struct replay *replay, int64_t now, struct rspb_err *err)
{
	if (!replay->policy.flex)
		return 0;
	return rspb_flex_bind(replay->policy.flex, replay->ledger, &replay->policy, now, note_bound,
			      replay, err);
}

static int advance(struct replay *replay, int64_t now, struct rspb_err *err)
{
	struct rspb_record record = { .kind = RSPB_REC_ADVANCE, .time = now };

	if (bind_due(replay, now, err))
		return -1;

	while (replay->n_heap && replay->heap[0].end <= now) {
		if (end_one(replay, heap_pop(replay), err))
			return -1;
		if (++replay->ended % PURGE_EVERY == 0)
			rspb_ledger_purge(replay->ledger, now);
	}
	return rspb_ledger_apply(replay->ledger, &record, err);
}

/* Lazy refinement: what starts before now grew just before it did. Nothing was
 * decided since, so that it can be done now. */
static int grow(struct replay *replay, int64_t now, struct rspb_err *err)
{
	if (replay->policy.degrade->refine != RSPB_REFINE_LAZY)
		return 0;
	return rspb_refine_due(replay->ledger, &replay->policy, now, NULL, NULL, err) < 0 ? -1 : 0;
}

/* Take in the booking of a decision. */
static int note(struct replay *replay, const struct rspb_booking *booking, struct rspb_err *err)
{
	sim_schedule_decided(replay->workload, booking);
	/* Who waits as a count is heard of when it starts. */
	if (booking->state == RSPB_BOOKED && !booking->n_grants)
		return 0;
	if (booking->state == RSPB_BOOKED)
		return heap_push(replay, (struct due){ booking->end, booking->request->id }, err);
	if (replay->fn)
		replay->fn(booking, replay->arg);
	return 0;
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

/* Decide what is in replay->batch, by the policy or by a program. RET 0 or -1 with err. */
static int plan(struct replay *replay, int64_t now, struct rspb_err *err)
{
	const struct rspb_request *const *batch = (const struct rspb_request *const *)
							  replay->batch;

	return replay->outside
		       ? sim_outside_decide(replay->outside, replay->ledger, batch, replay->n_batch,
					    now, replay->decided, note_bound, replay, err)
		       : rspb_schedule_batch(replay->ledger, &replay->policy, batch,
					     replay->n_batch, now, replay->decided, err);
}

/* Decide what is in replay->batch, and forget it. */
static int decide(struct replay *replay, int64_t now, struct rspb_err *err)
{
	int rc = 0;

	if (grow(replay, now, err) || advance(replay, now, err) || plan(replay, now, err))
		return -1;
	for (size_t i = 0; i < replay->n_batch; i++) {
		if (!rc)
			rc = note(replay, replay->decided[i], err);
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

/* Let everything run to its end. */
static int finish(struct replay *replay, struct rspb_err *err)
{
	if (grow(replay, RSPB_TIME_MAX - 1, err) || bind_due(replay, RSPB_TIME_MAX - 1, err))
		return -1;
	while (replay->n_heap)
		if (end_one(replay, heap_pop(replay), err))
			return -1;
	return 0;
}

static int batches(struct replay *replay, struct rspb_err *err)
{
	const struct sim_workload *w = replay->workload;
	struct sim_arrival *arrivals;
	int rc;

	if (replay->policy.batch_interval == RSPB_BATCH_ALL && w->n) {
		for (size_t i = 0; i < w->n; i++)
			if (add_to_batch(replay, i, err))
				return -1;
		return decide(replay, w->jobs[0].arrival, err);
	}
	arrivals = malloc((w->n + 1) * sizeof(*arrivals));
	if (!arrivals)
		return rspb_fail(err, "out of memory");
	for (size_t i = 0; i < w->n; i++)
		arrivals[i] = (struct sim_arrival){ w->jobs[i].arrival, w->jobs[i].ready, i };
	rc = sim_batches(arrivals, w->n, 0, replay->policy.batch_interval, decide_batch, replay,
			 err);
	free(arrivals);
	return rc;
}

static int foresee(const struct sim_workload *workload, const struct rspb_policy *policy,
		   sim_decided_fn fn, void *arg, struct rspb_err *err)
{
	if (sim_rigid(workload, "foreseen", err))
		return -1;
	sim_schedule_machine(workload);
	if (sim_foresee(workload, policy->foresight, fn, arg, err))
		return -1;
	if (workload->setup.schedule && fflush(workload->setup.schedule))
		return rspb_fail(err, "the schedule can't be written");
	return 0;
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
	return batches(replay, err) || finish(replay, err) ? -1 : 0;
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

	if (policy->foresight)
		return foresee(workload, policy, fn, arg, err);
	replay.ledger = rspb_ledger_create(workload->nodes, workload->capacity, 0);
	replay.policy.firm = workload->setup.firm;
	if (policy->patience && !policy->shift)
		replay.policy.flex = rspb_flex_create(workload->nodes);
	sim_schedule_machine(workload);
	if (!replay.ledger || rspb_ledger_speed(replay.ledger, workload->speeds) ||
	    sim_sizes_equip(&workload->sizes, replay.ledger) ||
	    (policy->patience && !policy->shift && !replay.policy.flex))
		rspb_fail(err, "out of memory");
	else
		rc = run(&replay, err);
	if (sim_outside_close(replay.outside, !rc, err))
		rc = -1;
	/* Runs are processes of their own that end without more ado. */
	if (workload->setup.schedule && fflush(workload->setup.schedule))
		rc = rspb_fail(err, "the schedule can't be written");
	rspb_flex_destroy(replay.policy.flex);
	rspb_ledger_destroy(replay.ledger);
	forget_batch(&replay);
	free(replay.batch);
	free(replay.decided);
	free(replay.heap);
	return rc;
}

static double cores_of(const void *arg, uint64_t id)
{
	return sim_workload_cores(arg, id - 1);
}

int sim_replay_measure(const struct sim_workload *workload, const struct rspb_policy *policy,
		       struct sim_metrics *metrics, struct rspb_err *err)
{
	bool sized = workload->sizes.of;
	struct sim_sums sums = { .shares = workload->capacity && !sized,
				 .cores = sized ? cores_of : NULL,
				 .cores_arg = workload };
	double first_fit, bound;

	if (sim_replay(workload, policy, sim_sums_add, &sums, err))
		return -1;
	sim_sums_metrics(&sums, metrics);
	if (!sized)
		return 0;
	if (sim_packing_first_fit(workload, &first_fit, err) ||
	    sim_packing_bound(workload, &bound, err))
		return -1;
	metrics->value[SIM_PACKING] = metrics->value[SIM_CORE_HOURS] / first_fit;
	metrics->value[SIM_OF_BOUND] = metrics->value[SIM_CORE_HOURS] / bound;
	return 0;
}
