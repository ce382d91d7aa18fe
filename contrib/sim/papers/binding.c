/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/papers/binding.h"

#include <stdlib.h>

#include "common/base/array.h"

enum kind { END, LOCAL, ARRIVAL, START };

struct event {
	int64_t time;
	enum kind kind;
	size_t which;	 /* request, or node for LOCAL */
	int64_t arrival; /* of a request */
};

/* The holder of a node now. */
struct seat {
	int64_t active;	    /* request that runs here, -1: none */
	int64_t free_since; /* end of the last one; INT64_MIN: none yet */
};

struct world {
	const struct rspb_binding_node *nodes;
	uint32_t n_nodes;
	const struct rspb_binding_rules *rules;
	struct rspb_binding_request *requests;
	size_t n;
	struct seat *seats; /* [n_nodes] */
	size_t *waiting;    /* booked or active requests */
	size_t n_waiting;
	int64_t *scratch; /* [2 n] */
};

static void note(struct rspb_binding_request *request, int64_t time, enum rspb_state state)
{
	request->state = state;
	request->log[request->n_log].time = time;
	request->log[request->n_log].state = state;
	request->n_log++;
}

static int64_t end_of(const struct rspb_binding_request *request)
{
	return request->ready + request->duration;
}

/* Is there local work at a time? */
static bool local_at(const struct rspb_binding_node *node, int64_t time)
{
	size_t low = 0, high = node->n_local;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (node->local[mid].end <= time)
			low = mid + 1;
		else
			high = mid;
	}
	return low < node->n_local && node->local[low].start <= time;
}

/* Do two windows get in each other's way? */
static bool clash(const struct world *world, const struct rspb_binding_request *a,
		  const struct rspb_binding_request *b)
{
	int64_t gap = world->rules->strict;

	return a->ready < end_of(b) + gap && b->ready < end_of(a) + gap;
}

/* Is no booking that is still to be honoured bound to a node in the window? */
static bool bound_free(const struct world *world, const struct rspb_binding_request *request,
		       uint32_t node)
{
	for (size_t i = 0; i < world->n_waiting; i++) {
		const struct rspb_binding_request *other = &world->requests[world->waiting[i]];

		if (other->bound == node && clash(world, other, request))
			return false;
	}
	return true;
}

/* Most bookings at one instant of the window: how many there are at its start,
 * and then one more or less at each start and end within. */
static uint32_t crowd(const struct world *world, const struct rspb_binding_request *request)
{
	int64_t *starts = world->scratch, *ends = world->scratch + world->n;
	size_t n_starts = 0, n_ends = 0, at = 0;
	uint32_t count = 0, most;

	for (size_t i = 0; i < world->n_waiting; i++) {
		const struct rspb_binding_request *other = &world->requests[world->waiting[i]];

		if (other->ready >= end_of(request) || end_of(other) <= request->ready)
			continue;
		ends[n_ends++] = end_of(other);
		if (other->ready > request->ready)
			starts[n_starts++] = other->ready;
		else
			count++;
	}
	qsort(starts, n_starts, sizeof(*starts), rspb_array_by_i64);
	qsort(ends, n_ends, sizeof(*ends), rspb_array_by_i64);
	most = count;
	for (size_t i = 0; i < n_starts; i++) {
		for (; ends[at] <= starts[i]; at++)
			count--;
		if (++count > most)
			most = count;
	}
	return most;
}

static void arrive(struct world *world, size_t which, int64_t now)
{
	struct rspb_binding_request *request = &world->requests[which];
	bool accepted = request->n_nodes > 0;

	if (!world->rules->late) {
		for (uint32_t i = 0; request->bound < 0 && i < request->n_nodes; i++)
			if (bound_free(world, request, request->nodes[i]))
				request->bound = request->nodes[i];
		accepted = request->bound >= 0;
	} else if (world->rules->pool) {
		accepted = crowd(world, request) < request->n_nodes;
	}
	note(request, now, accepted ? RSPB_BOOKED : RSPB_DECLINED);
	if (accepted)
		world->waiting[world->n_waiting++] = which;
}

static void leave(struct world *world, size_t which)
{
	size_t i = 0;

	while (world->waiting[i] != which)
		i++;
	for (world->n_waiting--; i < world->n_waiting; i++)
		world->waiting[i] = world->waiting[i + 1];
}

/* Can a request start on a node now? */
static bool usable(const struct world *world, uint32_t node, int64_t now)
{
	const struct seat *seat = &world->seats[node];

	return seat->active < 0 && !local_at(&world->nodes[node], now) &&
	       (seat->free_since == INT64_MIN || seat->free_since + world->rules->strict <= now);
}

static void start(struct world *world, size_t which, int64_t now)
{
	struct rspb_binding_request *request = &world->requests[which];

	if (request->state != RSPB_BOOKED)
		return;
	if (request->bound >= 0) {
		if (usable(world, (uint32_t) request->bound, now))
			request->node = request->bound;
	} else {
		for (uint32_t i = 0; request->node < 0 && i < request->n_nodes; i++)
			if (usable(world, request->nodes[i], now))
				request->node = request->nodes[i];
	}
	if (request->node < 0) {
		note(request, now, RSPB_CANCELLED);
		leave(world, which);
		return;
	}
	world->seats[request->node].active = (int64_t) which;
	note(request, now, RSPB_ACTIVE);
}

static void finish(struct world *world, size_t which, int64_t now, enum rspb_state state)
{
	struct rspb_binding_request *request = &world->requests[which];

	if (request->state != RSPB_ACTIVE)
		return;
	world->seats[request->node].active = -1;
	world->seats[request->node].free_since = now;
	note(request, now, state);
	leave(world, which);
}

static int by_time(const void *one, const void *two)
{
	const struct event *a = one, *b = two;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->arrival != b->arrival)
		return a->arrival < b->arrival ? -1 : 1;
	return a->which < b->which ? -1 : a->which > b->which;
}

static struct event *events_of(const struct world *world, size_t *count)
{
	size_t n = 3 * world->n, at = 0;
	struct event *events;

	for (uint32_t j = 0; j < world->n_nodes; j++)
		n += world->nodes[j].n_local;
	events = calloc(n + 1, sizeof(*events));
	if (!events)
		return NULL;
	for (size_t i = 0; i < world->n; i++) {
		const struct rspb_binding_request *r = &world->requests[i];

		events[at++] = (struct event){ r->arrival, ARRIVAL, i, r->arrival };
		events[at++] = (struct event){ r->ready, START, i, r->arrival };
		events[at++] = (struct event){ end_of(r), END, i, r->arrival };
	}
	for (uint32_t j = 0; j < world->n_nodes; j++)
		for (size_t k = 0; k < world->nodes[j].n_local; k++)
			events[at++] = (struct event){ world->nodes[j].local[k].start, LOCAL, j,
						       0 };
	qsort(events, n, sizeof(*events), by_time);
	*count = n;
	return events;
}

static void happen(struct world *world, const struct event *event)
{
	int64_t active;

	switch (event->kind) {
	case END:
		finish(world, event->which, event->time, RSPB_COMPLETED);
		break;
	case LOCAL:
		active = world->seats[event->which].active;
		if (world->rules->kill_active && active >= 0)
			finish(world, (size_t) active, event->time, RSPB_TERMINATED);
		break;
	case ARRIVAL:
		arrive(world, event->which, event->time);
		break;
	case START:
		start(world, event->which, event->time);
		break;
	}
}

int rspb_binding_run(const struct rspb_binding_node *nodes, uint32_t n_nodes,
		     const struct rspb_binding_rules *rules, struct rspb_binding_request *requests,
		     size_t n, struct rspb_err *err)
{
	struct world world = {
		.nodes = nodes,
		.n_nodes = n_nodes,
		.rules = rules,
		.requests = requests,
		.n = n,
		.seats = calloc(n_nodes + 1, sizeof(*world.seats)),
		.waiting = calloc(n + 1, sizeof(*world.waiting)),
		.scratch = calloc(2 * n + 1, sizeof(*world.scratch)),
	};
	struct event *events = NULL;
	size_t count = 0;

	for (size_t i = 0; i < n; i++) {
		requests[i].state = RSPB_REQUESTED;
		requests[i].node = requests[i].bound = -1;
		requests[i].n_log = 0;
	}
	if (world.seats && world.waiting && world.scratch)
		events = events_of(&world, &count);
	for (uint32_t j = 0; events && j < n_nodes; j++)
		world.seats[j] = (struct seat){ -1, INT64_MIN };
	for (size_t i = 0; i < count; i++)
		happen(&world, &events[i]);
	free(world.seats);
	free(world.waiting);
	free(world.scratch);
	if (!events)
		return rspb_fail(err, "out of memory");
	free(events);
	return 0;
}
