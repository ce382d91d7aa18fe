/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/replay/foresee.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/calendar/ladder.h"
#include "contrib/sim/replay/random.h"
#include "contrib/sim/replay/schedule.h"

enum { STRETCH = 200, SHARES = 20 };

/* A job, and its place in an order. */
struct ranked {
	size_t job;
	double key;
};

/* A schedule that is looked for. */
struct search {
	const struct sim_workload *w;
	struct rspb_ladder free, before; /* counts; as they were */
	int64_t *start;			 /* [n]; INT64_MIN: not taken */
	int64_t old[STRETCH];		 /* starts, as they were */
	size_t *by_ready;		 /* [n] */
	struct ranked *order;		 /* [n] */
	double work, wanted;		 /* node seconds taken; at least */
	size_t taken;
	struct sim_random random;
};

static double work_of(const struct sim_job *job)
{
	return (double) job->nodes * (double) job->duration;
}

static int by_key(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return a->job < b->job ? -1 : a->job > b->job;
}

static void rank(struct search *search, size_t n)
{
	if (n)
		qsort(search->order, n, sizeof(*search->order), by_key);
}

/* RET 0, -1: out of memory. */
static int take_job(struct search *search, size_t job)
{
	const struct sim_job *asked = &search->w->jobs[job];
	int64_t start;

	if (!rspb_ladder_search(&search->free, asked->nodes, asked->ready,
				asked->deadline - asked->duration, asked->duration, &start))
		return 0;
	search->start[job] = start;
	search->taken++;
	search->work += work_of(asked);
	return rspb_ladder_take(&search->free, start, start + asked->duration, asked->nodes);
}

static int leave(struct search *search, size_t job)
{
	const struct sim_job *asked = &search->w->jobs[job];
	int64_t start = search->start[job];

	search->start[job] = INT64_MIN;
	search->taken--;
	search->work -= work_of(asked);
	return rspb_ladder_take(&search->free, start, start + asked->duration,
				-(int64_t) asked->nodes);
}

/* Take the first n of the order, as far as they fit, beside what is taken. */
static int take_all(struct search *search, size_t n)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++)
		if (search->start[search->order[i].job] == INT64_MIN)
			rc = take_job(search, search->order[i].job);
	return rc;
}

static int clear(struct search *search)
{
	search->taken = 0;
	search->work = 0;
	for (size_t i = 0; i < search->w->n; i++)
		search->start[i] = INT64_MIN;
	return rspb_ladder_begin(&search->free, INT64_MIN, search->w->nodes);
}

/* Find what first fit accepts: the work that is wanted. */
static int first_fit(struct search *search)
{
	for (size_t i = 0; i < search->w->n; i++)
		search->order[i] = (struct ranked){ i, (double) i };
	if (clear(search) || take_all(search, search->w->n))
		return -1;
	search->wanted = search->work;
	return 0;
}

/* Order the jobs: first so many in SHARES of those of more than half of the machine, the shortest
 * of them, then the smallest of all. */
static int smallest_first(struct search *search, size_t share)
{
	size_t n = 0, all = search->w->n;

	for (size_t i = 0; i < all; i++)
		if (search->w->jobs[i].nodes > search->w->nodes / 2)
			search->order[n++] = (struct ranked){
				i, (double) search->w->jobs[i].duration
			};
	rank(search, n);
	if (clear(search) || take_all(search, n * share / SHARES))
		return -1;
	for (size_t i = 0; i < all; i++)
		search->order[i] = (struct ranked){ i, work_of(&search->w->jobs[i]) };
	rank(search, all);
	return take_all(search, all);
}

/* Let some of the jobs of a stretch go, and put all in anew. */
static int shake(struct search *search, const size_t *stretch, size_t n)
{
	double part = sim_random_uniform(&search->random, .05, .6);
	double noise = sim_random_uniform(&search->random, 0, 2);
	double power = sim_random_uniform(&search->random, 0, 1);
	bool urgent = sim_random_real(&search->random) < .2;

	for (size_t i = 0; i < n; i++) {
		const struct sim_job *asked = &search->w->jobs[stretch[i]];
		double key = power * log(asked->nodes) + log((double) asked->duration);

		if (urgent)
			key = (double) (asked->deadline - asked->duration);
		else
			key += noise * sim_random_real(&search->random);
		search->order[i] = (struct ranked){ stretch[i], key };
		if (search->start[stretch[i]] > INT64_MIN &&
		    sim_random_real(&search->random) < part && leave(search, stretch[i]))
			return -1;
	}
	rank(search, n);
	return take_all(search, n);
}

/* Run one round. RET 0, -1: out of memory. */
static int round_of(struct search *search)
{
	size_t all = search->w->n, n = all < STRETCH ? all : STRETCH;
	const size_t *stretch = search->by_ready +
				sim_random_whole(&search->random, 0, (int64_t) (all - n));
	double work = search->work;
	size_t taken = search->taken;

	for (size_t i = 0; i < n; i++)
		search->old[i] = search->start[stretch[i]];
	if (rspb_ladder_copy(&search->before, &search->free) || shake(search, stretch, n))
		return -1;
	if (search->work >= search->wanted ? search->taken >= taken || work < search->wanted
					   : search->work > work)
		return 0;
	for (size_t i = 0; i < n; i++)
		search->start[stretch[i]] = search->old[i];
	search->work = work;
	search->taken = taken;
	return rspb_ladder_copy(&search->free, &search->before);
}

static int improve(struct search *search, int64_t rounds)
{
	size_t share = 0;
	int rc = first_fit(search);

	for (size_t i = 0; i < search->w->n; i++)
		search->order[i] = (struct ranked){ i, (double) search->w->jobs[i].ready };
	rank(search, search->w->n);
	for (size_t i = 0; i < search->w->n; i++)
		search->by_ready[i] = search->order[i].job;
	do
		rc = rc ? rc : smallest_first(search, share++);
	while (!rc && search->work < search->wanted && share <= SHARES);
	/* Nobody who knows more has to do worse. */
	if (!rc && search->work < search->wanted)
		rc = first_fit(search);
	for (int64_t i = 0; !rc && i < rounds; i++)
		rc = round_of(search);
	return rc;
}

/* The booking of a job; nodes: what is free at its start, of which it takes the
 * lowest, NULL: it has none. RET NULL with err. */
static struct rspb_booking *booking_of(const struct search *search, size_t job,
				       struct rspb_nodeset *nodes, struct rspb_err *err)
{
	struct rspb_request *request = sim_workload_request(search->w, job);
	struct rspb_booking *booking = request ? rspb_booking_create(request) : NULL;

	rspb_request_destroy(request);
	if (!booking) {
		rspb_fail(err, "out of memory");
		return NULL;
	}
	booking->decided_at = search->w->jobs[job].arrival;
	rspb_state_next(&booking->state, nodes ? RSPB_EV_ACCEPT : RSPB_EV_DECLINE, NULL);
	if (!nodes)
		return booking;
	booking->start = search->start[job];
	booking->end = booking->start + search->w->jobs[job].duration;
	if (rspb_booking_grant(booking, search->w->nodes, err)) {
		rspb_booking_destroy(booking);
		return NULL;
	}
	rspb_nodeset_copy(booking->grants[0].nodes, nodes);
	rspb_nodeset_keep_lowest(booking->grants[0].nodes, search->w->jobs[job].nodes);
	rspb_nodeset_minus(nodes, booking->grants[0].nodes);
	booking->grants[0].benefit = rspb_ratio_make(1, 1);
	rspb_booking_value(booking);
	return booking;
}

/* Bookings that have begun, and the nodes that nobody has. */
struct running {
	struct rspb_booking **of;
	size_t n;
	struct rspb_nodeset *free;
};

static void end_until(const struct search *search, struct running *running, int64_t time,
		      sim_decided_fn fn, void *arg)
{
	size_t left = 0;

	for (size_t i = 0; i < running->n; i++) {
		struct rspb_booking *booking = running->of[i];

		if (booking->end > time) {
			running->of[left++] = booking;
			continue;
		}
		rspb_nodeset_or(running->free, booking->grants[0].nodes);
		sim_schedule_kept(search->w, booking, booking->end);
		if (fn)
			fn(booking, arg);
		rspb_booking_destroy(booking);
	}
	running->n = left;
}

/* Give nodes to all, by their starts, and tell; who is declined comes first. */
static int tell_all(struct search *search, struct running *running, sim_decided_fn fn, void *arg,
		    struct rspb_err *err)
{
	size_t n = search->w->n;

	rspb_nodeset_fill(running->free);
	for (size_t i = 0; i < n; i++)
		search->order[i] = (struct ranked){ i, (double) search->start[i] };
	rank(search, n);
	for (size_t i = 0; i < n; i++) {
		size_t job = search->order[i].job;
		bool has = search->start[job] > INT64_MIN;
		struct rspb_booking *booking;

		if (has)
			end_until(search, running, search->start[job], fn, arg);
		booking = booking_of(search, job, has ? running->free : NULL, err);
		if (!booking)
			return -1;
		sim_schedule_decided(search->w, booking);
		if (has) {
			running->of[running->n++] = booking;
			continue;
		}
		if (fn)
			fn(booking, arg);
		rspb_booking_destroy(booking);
	}
	end_until(search, running, INT64_MAX, fn, arg);
	return 0;
}

static int tell_decisions(struct search *search, sim_decided_fn fn, void *arg, struct rspb_err *err)
{
	struct running running = {
		.of = calloc(search->w->n + 1, sizeof(struct rspb_booking *)),
		.free = rspb_nodeset_create(search->w->nodes),
	};
	int rc = running.of && running.free ? tell_all(search, &running, fn, arg, err)
					    : rspb_fail(err, "out of memory");

	for (size_t i = 0; i < running.n; i++)
		rspb_booking_destroy(running.of[i]);
	free(running.of);
	rspb_nodeset_destroy(running.free);
	return rc;
}

int sim_foresee(const struct sim_workload *workload, int64_t rounds, sim_decided_fn fn, void *arg,
		struct rspb_err *err)
{
	size_t n = workload->n;
	struct search search = {
		.w = workload,
		.start = calloc(n + 1, sizeof(*search.start)),
		.by_ready = calloc(n + 1, sizeof(*search.by_ready)),
		.order = calloc(n + 1, sizeof(*search.order)),
	};
	int rc = 0;

	for (size_t i = 0; !rc && i < n; i++)
		if (workload->sizes.of || workload->capacity || workload->jobs[i].request)
			rc = rspb_fail(err,
				       "request %zu: preset foreseen is "
				       "for jobs on whole nodes only",
				       i + 1);
	sim_random_seed(&search.random, 1);
	if (!rc && (!search.start || !search.by_ready || !search.order || improve(&search, rounds)))
		rc = rspb_fail(err, "out of memory");
	if (!rc)
		rc = tell_decisions(&search, fn, arg, err);
	rspb_ladder_fini(&search.free);
	rspb_ladder_fini(&search.before);
	free(search.start);
	free(search.by_ready);
	free(search.order);
	return rc;
}
