/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that do not book: they wait in order of arrival, and start beside bookings. Each of
 * the first ones has a place in a plan of what is free (conservative backfilling), so that
 * who starts out of turn delays none of them.
 */
#include <inttypes.h>
#include <string.h>

#include "common/base/array.h"
#include "contrib/sim/policy/flex.h"
#include "contrib/sim/replay/replay_internal.h"
#include "contrib/sim/replay/schedule.h"

enum {
	DEPTH = 100,  /* jobs that have a place in the plan, as bf_max_job_test */
	SHORTEST = 10 /* seconds: a slowdown counts no job as shorter */
};

int64_t sim_regular_arrives(const struct replay *replay)
{
	const struct sim_workload *w = replay->workload;

	return replay->next_regular < w->n ? w->jobs[replay->next_regular].arrival : RSPB_TIME_MAX;
}

/* Let *at be the next regular job from there on. */
static void skip_bookings(const struct sim_workload *w, size_t *at)
{
	while (*at < w->n && !w->jobs[*at].regular)
		++*at;
}

int sim_regular_wait(struct replay *replay, size_t job, struct rspb_err *err)
{
	size_t at = replay->n_queue;

	if (rspb_array_grow(&replay->queue, &replay->queue_room, at + 1, sizeof(*replay->queue)))
		return rspb_fail(err, "out of memory");
	for (replay->n_queue++; at && replay->queue[at - 1] > job; at--)
		replay->queue[at] = replay->queue[at - 1];
	replay->queue[at] = job;
	return 0;
}

int sim_regular_queue(struct replay *replay, int64_t now, struct rspb_err *err)
{
	const struct sim_workload *w = replay->workload;

	skip_bookings(w, &replay->next_regular);
	while (sim_regular_arrives(replay) <= now) {
		if (sim_regular_wait(replay, replay->next_regular++, err))
			return -1;
		skip_bookings(w, &replay->next_regular);
	}
	return 0;
}

/* Start a job on nodes. RET 0 or -1 with err. */
static int start_job(struct replay *replay, size_t job, int64_t now,
		     const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	const struct sim_job *one = &replay->workload->jobs[job];

	if (rspb_array_grow(&replay->running, &replay->running_room, replay->n_running + 1,
			    sizeof(*replay->running)))
		return rspb_fail(err, "out of memory");
	replay->running[replay->n_running++] = (struct sim_running){ job, now + one->duration };
	return sim_occupy(replay, one, job + 1, now, nodes, err);
}

/* Find the first place of a job in the plan, and take it. RET 1: it is now, and `set` has its
 * nodes, 0, -1 with err. */
static int place(struct rspb_profile *plan, const struct sim_job *job, int64_t now,
		 struct rspb_nodeset *set, struct rspb_err *err)
{
	static const struct rspb_preference first = { NULL, false };
	struct rspb_query query = { .ready = now,
				    .deadline = RSPB_TIME_MAX / 2,
				    .duration = job->duration,
				    .nodes = job->nodes };
	struct rspb_rect rect;
	int rc = rspb_profile_search(plan, &query, &first, &rect, set, err);

	if (rc <= 0)
		return rc;
	rspb_nodeset_keep_lowest(set, job->nodes);
	if (rspb_profile_add(plan, rect.start, rect.start + job->duration, set, err))
		return -1;
	return rect.start == now;
}

/* RET whether those that wait as counts keep their room if a job starts on nodes: 1, 0, -1 with
 * err. */
static int may_start(struct replay *replay, const struct sim_job *job, int64_t now,
		     const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	struct rspb_ledger *copy;
	int rc;

	if (!replay->policy.waiting)
		return 1;
	copy = rspb_ledger_clone(replay->ledger);
	rc = copy ? rspb_ledger_block(copy, now, now + job->duration, nodes, err)
		  : rspb_fail(err, "out of memory");
	if (!rc)
		rc = rspb_flex_allows(replay->policy.waiting, copy, now, err);
	rspb_ledger_destroy(copy);
	return rc;
}

/* RET the plan beside which jobs start: bookings, also those that wait as counts, on nodes;
 * NULL with err. */
static struct rspb_profile *plan_of(struct replay *replay, struct rspb_err *err)
{
	struct rspb_flex *flex = replay->policy.waiting;
	struct rspb_ledger *copy = flex && rspb_flex_count(flex) ? rspb_ledger_clone(replay->ledger)
								 : NULL;
	struct rspb_profile *plan = NULL;
	int rc = copy ? rspb_flex_block(flex, copy, &replay->policy, err) : 0;

	if (!rc)
		plan = rspb_profile_clone(rspb_ledger_profile(copy ? copy : replay->ledger));
	if (!rc && !plan)
		rspb_fail(err, "out of memory");
	rspb_ledger_destroy(copy);
	return plan;
}

/* RET how many nodes are free now, -1 with err. */
static int64_t free_now(const struct replay *replay, int64_t now, struct rspb_err *err)
{
	uint32_t most, fewest;

	if (rspb_profile_peak(rspb_ledger_profile(replay->ledger), now, now + 1, &most, &fewest,
			      err))
		return -1;
	return replay->workload->nodes - most;
}

/* Go through the queue. RET 0 or -1 with err. */
static int start_some(struct replay *replay, int64_t now, struct rspb_profile *plan,
		      struct rspb_nodeset *set, int64_t spare, struct rspb_err *err)
{
	size_t kept = 0, seen = 0;
	int rc = 0;

	for (; seen < replay->n_queue && seen < DEPTH && spare > 0 && !rc; seen++) {
		size_t job = replay->queue[seen];
		const struct sim_job *one = &replay->workload->jobs[job];
		bool may = sim_limits_regular(replay, one->nodes, now, now + one->duration);

		rc = may ? place(plan, one, now, set, err) : 0;
		if (rc > 0)
			rc = may_start(replay, one, now, set, err);
		if (rc > 0) {
			rc = start_job(replay, job, now, set, err);
			spare -= one->nodes;
			continue;
		}
		replay->queue[kept++] = job;
	}
	memmove(replay->queue + kept, replay->queue + seen,
		(replay->n_queue - seen) * sizeof(*replay->queue));
	replay->n_queue -= seen - kept;
	return rc;
}

int sim_regular_start(struct replay *replay, int64_t now, struct rspb_err *err)
{
	struct rspb_profile *plan;
	struct rspb_nodeset *set;
	int64_t spare;
	int rc;

	if (!replay->n_queue)
		return 0;
	spare = free_now(replay, now, err);
	if (spare <= 0)
		return (int) spare;
	plan = plan_of(replay, err);
	if (!plan)
		return -1;
	set = rspb_nodeset_create(replay->workload->nodes);
	rc = set ? start_some(replay, now, plan, set, spare, err) : rspb_fail(err, "out of memory");
	rspb_profile_destroy(plan);
	rspb_nodeset_destroy(set);
	return rc;
}

int sim_regular_end(struct replay *replay, const struct rspb_booking *booking, int64_t now,
		    bool killed, struct rspb_err *err)
{
	size_t job = (size_t) booking->request->id - 1, i = 0;
	const struct sim_job *one = &replay->workload->jobs[job];
	double wait = (double) (booking->start - one->arrival);
	double ran = (double) (now - booking->start);

	while (i < replay->n_running && replay->running[i].job != job)
		i++;
	if (i < replay->n_running)
		replay->running[i] = replay->running[--replay->n_running];
	sim_schedule_regular(replay->workload, booking, now);
	if (killed) {
		replay->side.killed++;
		return sim_regular_wait(replay, job, err);
	}
	replay->side.regular++;
	replay->side.wait += wait;
	replay->side.slowdown += (wait + (ran > SHORTEST ? ran : SHORTEST)) /
				 (ran > SHORTEST ? ran : SHORTEST);
	return 0;
}
