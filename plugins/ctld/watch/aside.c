/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Has bookings step aside for regular jobs that wait. Slurm decides whether such a job begins
 * then. */
#include "plugins/ctld/watch/watch.h"

#include <inttypes.h>
#include <pthread.h>

#include "common/plan/schedule.h"
#include "plugins/ctld/base/section.h"
#include "plugins/ctld/base/settings.h"
#include "plugins/ctld/book/book.h"
#include "plugins/ctld/decide/basis.h"
#include "plugins/ctld/decide/proposal.h"
#include "plugins/ctld/watch/state.h"

enum {
	AGAIN_MS = 60000, /* until one that has been seen to is again */
	LATER_S = 90,	  /* until Slurm's schedulers come by */
	PART = 20	  /* it takes a part of the time at most */
};

static bool is_noted(uint64_t job)
{
	for (size_t i = 0; i < rspb_watch->aside.n_wishes; i++)
		if (rspb_watch->aside.wishes[i].job == job)
			return true;
	return false;
}

void rspb_aside_ask(uint64_t job, uint32_t nodes, int64_t seconds,
		    const struct rspb_nodeset *offered)
{
	/* Without shift no booking moves. If the agent has the mutex, this wish is lost:
	 * Slurm tries the job again. */
	if (!rspb_settings_get()->policy.shift || pthread_mutex_trylock(&rspb_watch->aside.mutex))
		return;
	/* Slurm tries its jobs in their order, so that the first wishes are the most urgent
	 * ones. */
	if (rspb_watch->aside.n_wishes < RSPB_ASIDE_WISHES && !is_noted(job)) {
		struct rspb_aside_wish *wish =
			&rspb_watch->aside.wishes[rspb_watch->aside.n_wishes];

		*wish = (struct rspb_aside_wish){ .job = job,
						  .nodes = nodes,
						  .seconds = seconds,
						  .offered = rspb_nodeset_clone(offered) };
		rspb_watch->aside.n_wishes += wish->offered != NULL;
	}
	pthread_mutex_unlock(&rspb_watch->aside.mutex);
}

/* Move the wishes out, so that the mutex is held for a few copies only. RET how many there
 * were; the caller destroys their sets. */
static size_t take_wishes(struct rspb_aside_wish *out)
{
	size_t n;

	pthread_mutex_lock(&rspb_watch->aside.mutex);
	n = rspb_watch->aside.n_wishes;
	for (size_t i = 0; i < n; i++)
		out[i] = rspb_watch->aside.wishes[i];
	rspb_watch->aside.n_wishes = 0;
	pthread_mutex_unlock(&rspb_watch->aside.mutex);
	return n;
}

void rspb_aside_reset(void)
{
	struct rspb_aside_wish list[RSPB_ASIDE_WISHES];
	size_t n = take_wishes(list);

	for (size_t i = 0; i < n; i++)
		rspb_nodeset_destroy(list[i].offered);
	rspb_resting_reset(&rspb_watch->aside.seen_to);
	rspb_watch->aside.resume_us = 0;
}

/* RET the request that the job would make, which takes over the offered nodes; NULL: out of
 * memory. Slurm's schedulers need up to LATER_S to come by, which is added to its time. */
static struct rspb_request *as_request(struct rspb_aside_wish *wish, int64_t now)
{
	struct rspb_request *request = rspb_request_create(1);

	if (!request)
		return NULL;
	request->id = RSPB_ID_AGAIN | wish->job;
	request->user = RSPB_USER_NONE;
	request->arrival = request->ready = now;
	request->duration = wish->seconds + LATER_S;
	request->deadline = now + request->duration;
	request->parts[0].nodes = request->parts[0].nodes_min = wish->nodes;
	request->parts[0].eligible = wish->offered;
	wish->offered = NULL;
	return request;
}

static void propose(const struct rspb_ledger *plan, const struct rspb_config *config, int64_t now)
{
	struct rspb_proposal all = { .config = config };
	struct rspb_err err;

	/* The reason does not name the job: its user is none of the owner's business. */
	all.why = "on other nodes, so that a regular job can start on these";
	if (rspb_proposal_collect(&all, plan, now, &err))
		rspb_log_error("%s", err.text);
	rspb_propose(&all);
	rspb_proposal_fini(&all);
}

/* Whether the job has room with the bookings as they are, so that it waits for something
 * else. The test is made on a copy and without moves. If it cannot be made, the answer is
 * yes, and nothing moves. */
static bool has_room(const struct rspb_ledger *plan, const struct rspb_policy *policy,
		     const struct rspb_request *request, int64_t now)
{
	struct rspb_ledger *copy = rspb_ledger_clone(plan);
	struct rspb_policy still = *policy;
	struct rspb_booking *booking = NULL;
	bool room = true;

	still.shift = 0;
	if (copy && !rspb_schedule_batch(copy, &still, &request, 1, now, &booking, NULL))
		room = booking->state == RSPB_BOOKED;
	rspb_booking_destroy(booking);
	rspb_ledger_destroy(copy);
	return room;
}

/* Plan for one job, on a copy of the ledger and without locks, and propose the moves. Nothing
 * is held for the job: if Slurm does not start it, the bookings keep their new nodes. */
static void see_to(struct rspb_aside_wish *wish, const struct rspb_config *config, int64_t now)
{
	struct rspb_ledger *plan = rspb_basis_make(config, now);
	struct rspb_request *request = plan ? as_request(wish, now) : NULL;
	struct rspb_policy policy;
	struct rspb_err err;
	int rc = 0;

	rspb_settings_policy(config, &policy);
	/* A regular job gets no offers, and one plan is short. */
	policy.offer_horizon = 0;
	policy.breathe = NULL;
	policy.judge = NULL;
	policy.headroom = policy.long_headroom = 0;
	if (request && !has_room(plan, &policy, request, now))
		rc = rspb_shift_aside(plan, &policy, request, now, &err);
	if (rc < 0)
		rspb_log_error("job %" PRIu64 ": %s", wish->job, err.text);
	if (rc > 0)
		propose(plan, config, now);
	rspb_request_destroy(request);
	rspb_ledger_destroy(plan);
}

void rspb_aside_run(const struct rspb_config *config, int64_t now)
{
	int64_t began = rspb_section_clock_us();
	struct rspb_aside_wish list[RSPB_ASIDE_WISHES];
	bool done = false;
	size_t n;

	if (began < rspb_watch->aside.resume_us)
		return;
	n = take_wishes(list);
	for (size_t i = 0; i < n; i++) {
		/* Move one at a time, because it is not known what it leaves of the plan. */
		if (!done &&
		    !rspb_resting_has(&rspb_watch->aside.seen_to, list[i].job, now * 1000)) {
			rspb_resting_add(&rspb_watch->aside.seen_to, list[i].job,
					 now * 1000 + AGAIN_MS);
			see_to(&list[i], config, now);
			done = true;
		}
		rspb_nodeset_destroy(list[i].offered);
	}
	/* Planning is followed by a pause that is PART times as long. */
	if (done)
		rspb_watch->aside.resume_us = rspb_section_clock_us() +
					      (rspb_section_clock_us() - began) * PART;
}
