/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/papers/tarr.h"

#include <stdlib.h>
#include <string.h>

#include "common/base/array.h"
#include "common/calendar/ladder.h"

/* A reservation that was made. */
struct held {
	bool live;
	size_t resource;
	int64_t start, end, cpu;
	int64_t length; /* time needed once started, 0: unknown */
};

struct rspb_tarr {
	struct rspb_pool *pool;
	struct rspb_tarr_options options;
	size_t n;
	int64_t *capacities;	  /* [n] */
	struct rspb_ladder *room; /* [n], CPU that is free */
	struct held *held;
	size_t n_held, held_room;
};

struct rspb_tarr *rspb_tarr_create(struct rspb_pool *pool, const int64_t *capacities, size_t n,
				   const struct rspb_tarr_options *options)
{
	struct rspb_tarr *tarr = calloc(1, sizeof(*tarr));

	if (!tarr)
		return NULL;
	tarr->pool = pool;
	tarr->options = *options;
	tarr->capacities = calloc(n + 1, sizeof(*tarr->capacities));
	tarr->room = calloc(n + 1, sizeof(*tarr->room));
	if (!tarr->capacities || !tarr->room)
		goto fail;
	for (; tarr->n < n; tarr->n++) {
		tarr->capacities[tarr->n] = capacities[tarr->n];
		if (rspb_ladder_begin(&tarr->room[tarr->n], INT64_MIN, capacities[tarr->n]))
			goto fail;
	}
	return tarr;
fail:
	rspb_tarr_destroy(tarr);
	return NULL;
}

void rspb_tarr_destroy(struct rspb_tarr *tarr)
{
	if (!tarr)
		return;
	for (size_t j = 0; j < tarr->n; j++)
		rspb_ladder_fini(&tarr->room[j]);
	free(tarr->room);
	free(tarr->capacities);
	free(tarr->held);
	free(tarr);
}

/* When a task could be on one resource, before its profile is looked at. */
struct window {
	int64_t earliest;	   /* UST without waiting */
	struct rspb_rational data; /* ST: its data are there */
	struct rspb_rational safe; /* its data are there for sure */
};

static int window_of(struct rspb_tarr *tarr, const struct rspb_tarr_task *task, size_t resource,
		     struct window *window, struct rspb_err *err)
{
	struct rspb_pool *pool = tarr->pool;
	int64_t first = task->ready > task->at ? task->ready : task->at;
	struct rspb_rational now = rspb_rational_make(pool, first, 1);
	struct rspb_rational margin;

	window->earliest = first;
	window->data = window->safe = now;
	if (!task->delays)
		return 0;
	margin = rspb_rational_mul(pool, tarr->options.k, task->sigma_delay);
	window->data = rspb_rational_add(pool, now, task->delays[resource]);
	window->safe = window->data;
	if (tarr->options.late_data)
		window->safe = rspb_rational_add(pool, window->data, margin);
	if (rspb_rational_whole(rspb_rational_sub(pool, window->data, margin), false,
				&window->earliest, err))
		return -1;
	if (window->earliest < first)
		window->earliest = first;
	return 0;
}

/* OWL / cpu: the time the overestimated workload takes at a level. */
static struct rspb_rational length_at(struct rspb_tarr *tarr, const struct rspb_tarr_task *task,
				      int64_t cpu)
{
	struct rspb_pool *pool = tarr->pool;
	struct rspb_rational work = rspb_rational_mul(pool, task->x,
						      rspb_rational_make(pool, task->cpu, 1));

	work = rspb_rational_add(pool, work,
				 rspb_rational_mul(pool, tarr->options.k, task->sigma_workload));
	return rspb_rational_div(pool, work, rspb_rational_make(pool, cpu, 1));
}

/* The end of a reservation that begins at `start`. */
static int end_of(struct rspb_tarr *tarr, const struct window *window, struct rspb_rational length,
		  int64_t start, int64_t *end, struct rspb_err *err)
{
	struct rspb_rational from = rspb_rational_max(window->safe,
						      rspb_rational_make(tarr->pool, start, 1));

	return rspb_rational_whole(rspb_rational_add(tarr->pool, from, length), true, end, err);
}

/* Where the first step with too little room within [start, end) ends; INT64_MIN:
 * there is none, INT64_MAX: it never ends. */
static int64_t blocked_until(const struct rspb_ladder *room, int64_t cpu, int64_t start,
			     int64_t end)
{
	size_t first = rspb_ladder_find(room, start);

	for (size_t i = first; i < room->n; i++) {
		if (i > first && room->at[i].time >= end)
			break;
		if (room->at[i].free < cpu)
			return i + 1 < room->n ? room->at[i + 1].time : INT64_MAX;
	}
	return INT64_MIN;
}

/* The earliest reservation at one level of one resource. RET 1, 0, -1. */
static int fit(struct rspb_tarr *tarr, const struct rspb_tarr_task *task,
	       const struct window *window, size_t resource, int64_t cpu,
	       struct rspb_tarr_answer *answer, struct rspb_err *err)
{
	const struct rspb_ladder *room = &tarr->room[resource];
	int64_t start = window->earliest, end = INT64_MAX, until;
	struct rspb_rational length = { .infinite = true };

	if (task->workload_known)
		length = length_at(tarr, task, cpu);
	for (;;) {
		if (task->workload_known && end_of(tarr, window, length, start, &end, err))
			return -1;
		until = blocked_until(room, cpu, start, end);
		if (until == INT64_MAX)
			return 0;
		if (until == INT64_MIN)
			break;
		start = until;
	}
	answer->resource = resource;
	answer->ust = start;
	answer->oet = end;
	answer->cpu = cpu;
	answer->st = rspb_rational_max(window->data, rspb_rational_make(tarr->pool, start, 1));
	return 1;
}

/* Earliest end, then most CPU, then the resource that was looked at earlier. */
static bool better(const struct rspb_tarr_answer *a, const struct rspb_tarr_answer *b)
{
	if (!b->accepted)
		return true;
	if (a->oet != b->oet)
		return a->oet < b->oet;
	return a->cpu > b->cpu;
}

/* Try one level, keep it when it is better and in time. */
static int try_level(struct rspb_tarr *tarr, const struct rspb_tarr_task *task,
		     const struct window *window, size_t resource, int64_t cpu,
		     struct rspb_tarr_answer *best, struct rspb_err *err)
{
	struct rspb_tarr_answer found = { .accepted = true };
	int rc;

	if (cpu < task->min_cpu || cpu > task->cpu)
		return 0;
	rc = fit(tarr, task, window, resource, cpu, &found, err);
	if (rc <= 0)
		return rc;
	if (task->workload_known && found.oet > task->deadline)
		return 0;
	if (better(&found, best))
		*best = found;
	return 0;
}

/* Every level that negotiation may settle for, at one resource. */
static int try_resource(struct rspb_tarr *tarr, const struct rspb_tarr_task *task, size_t resource,
			struct rspb_tarr_answer *best, struct rspb_err *err)
{
	const struct rspb_ladder *room = &tarr->room[resource];
	struct window window;

	if (window_of(tarr, task, resource, &window, err) ||
	    try_level(tarr, task, &window, resource, task->cpu, best, err))
		return -1;
	if (!tarr->options.negotiate || task->min_cpu == task->cpu)
		return 0;
	if (try_level(tarr, task, &window, resource, task->min_cpu, best, err))
		return -1;
	for (size_t i = rspb_ladder_find(room, task->at); i < room->n; i++)
		if (try_level(tarr, task, &window, resource, room->at[i].free, best, err))
			return -1;
	return 0;
}

/* Keep what was granted. */
static int hold(struct rspb_tarr *tarr, const struct rspb_tarr_task *task,
		struct rspb_tarr_answer *answer, struct rspb_err *err)
{
	struct held held = {
		.live = true,
		.resource = answer->resource,
		.start = answer->ust,
		.end = answer->oet,
		.cpu = answer->cpu,
	};

	if (task->workload_known &&
	    rspb_rational_whole(length_at(tarr, task, answer->cpu), true, &held.length, err))
		return -1;
	if (rspb_array_grow(&tarr->held, &tarr->held_room, tarr->n_held + 1, sizeof(*tarr->held)))
		return rspb_fail(err, "out of memory");
	if (rspb_ladder_take(&tarr->room[held.resource], held.start, held.end, held.cpu))
		return rspb_fail(err, "out of memory");
	answer->handle = tarr->n_held;
	tarr->held[tarr->n_held++] = held;
	return 0;
}

static bool has_one(const struct rspb_tarr_answer *copies, size_t n, size_t resource)
{
	while (n--)
		if (copies[n].resource == resource)
			return true;
	return false;
}

/* The next one, on none of the resources of copies[n]. */
static int reserve_next(struct rspb_tarr *tarr, const struct rspb_tarr_task *task,
			struct rspb_tarr_answer *copies, size_t n, struct rspb_err *err)
{
	struct rspb_tarr_answer best = { .accepted = false };

	for (size_t j = 0; j < tarr->n; j++) {
		if (has_one(copies, n, j))
			continue;
		if (try_resource(tarr, task, j, &best, err))
			return -1;
		if (best.accepted && tarr->options.first)
			break;
	}
	best.guaranteed = task->workload_known;
	if (best.accepted && hold(tarr, task, &best, err))
		return -1;
	copies[n] = best;
	return 0;
}

int rspb_tarr_reserve_copies(struct rspb_tarr *tarr, const struct rspb_tarr_task *task, size_t n,
			     struct rspb_tarr_answer *copies, struct rspb_err *err)
{
	struct rspb_err unheard;
	bool all = true;
	size_t made = 0;
	int rc = 0;

	while (all && made < n) {
		rc = reserve_next(tarr, task, copies, made, err);
		all = !rc && copies[made].accepted;
		made += all;
	}
	while (!all && made--) {
		copies[made].accepted = false;
		if (rspb_tarr_release(tarr, copies[made].handle, task->at, rc ? &unheard : err))
			rc = -1;
	}
	if (!rc)
		copies[0].accepted = all;
	return rc;
}

int rspb_tarr_reserve(struct rspb_tarr *tarr, const struct rspb_tarr_task *task,
		      struct rspb_tarr_answer *answer, struct rspb_err *err)
{
	return rspb_tarr_reserve_copies(tarr, task, 1, answer, err);
}

int rspb_tarr_started(struct rspb_tarr *tarr, size_t handle, int64_t at, int64_t *oet,
		      struct rspb_err *err)
{
	struct held *held = &tarr->held[handle];
	struct rspb_ladder *room = &tarr->room[held->resource];
	int64_t end = at + held->length, from;
	bool fits;

	if (!held->live || !held->length)
		return 0;
	from = held->start > at ? held->start : at;
	if (rspb_ladder_take(room, from, held->end, -held->cpu))
		return rspb_fail(err, "out of memory");
	fits = rspb_ladder_least(room, at, end) >= held->cpu;
	/* The piece that was cut a moment ago can be joined again. */
	if (rspb_ladder_take(room, fits ? at : from, fits ? end : held->end, held->cpu))
		return rspb_fail(err, "out of memory");
	if (!fits)
		return 0;
	held->start = held->start < at ? held->start : at;
	held->end = end;
	*oet = end;
	return 1;
}

int rspb_tarr_release(struct rspb_tarr *tarr, size_t handle, int64_t at, struct rspb_err *err)
{
	struct held *held = &tarr->held[handle];
	int64_t from = held->start > at ? held->start : at;

	if (!held->live)
		return 0;
	if (rspb_ladder_take(&tarr->room[held->resource], from, held->end, -held->cpu))
		return rspb_fail(err, "out of memory");
	held->live = false;
	return 0;
}

int rspb_tarr_again(struct rspb_tarr *tarr, size_t handle, struct rspb_err *err)
{
	struct held *held = &tarr->held[handle];

	if (rspb_ladder_take(&tarr->room[held->resource], held->start, held->end, held->cpu))
		return rspb_fail(err, "out of memory");
	held->live = true;
	return 0;
}

void rspb_tarr_profile(const struct rspb_tarr *tarr, size_t resource, int64_t at,
		       rspb_tarr_pair_fn fn, void *arg)
{
	const struct rspb_ladder *room = &tarr->room[resource];
	size_t i = rspb_ladder_find(room, at);
	int64_t last = at, all = tarr->capacities[resource];

	fn(all - room->at[i].free, 0, arg);
	for (i++; i < room->n; i++) {
		fn(all - room->at[i].free, room->at[i].time - last, arg);
		last = room->at[i].time;
	}
}
