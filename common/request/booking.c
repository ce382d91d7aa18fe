/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/request/booking.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"

/* clang-format off */
const char *const rspb_state_names[RSPB_N_STATES] = {
	[RSPB_REQUESTED] = "requested",
	[RSPB_BOOKED] = "booked",
	[RSPB_BOOKED_CHANGE] = "booked_change",
	[RSPB_ACTIVE] = "active",
	[RSPB_ACTIVE_CHANGE] = "active_change",
	[RSPB_DECLINED] = "declined",
	[RSPB_CANCELLED] = "cancelled",
	[RSPB_COMPLETED] = "completed",
	[RSPB_TERMINATED] = "terminated",
};

static const char *const event_names[RSPB_N_EVENTS] = {
	[RSPB_EV_ACCEPT] = "accept",
	[RSPB_EV_DECLINE] = "decline",
	[RSPB_EV_CHANGE] = "change",
	[RSPB_EV_CANCEL] = "cancel",
	[RSPB_EV_START] = "start",
	[RSPB_EV_TERMINATE] = "terminate",
	[RSPB_EV_END] = "end",
};
/* clang-format on */

/* Where each event leads; RSPB_REQUESTED, to which nothing leads: refused. */
static const unsigned char next[RSPB_N_STATES][RSPB_N_EVENTS] = {
	[RSPB_REQUESTED] = {
		[RSPB_EV_ACCEPT] = RSPB_BOOKED,
		[RSPB_EV_DECLINE] = RSPB_DECLINED,
	},
	[RSPB_BOOKED] = {
		[RSPB_EV_CHANGE] = RSPB_BOOKED_CHANGE,
		[RSPB_EV_CANCEL] = RSPB_CANCELLED,
		[RSPB_EV_START] = RSPB_ACTIVE,
	},
	[RSPB_BOOKED_CHANGE] = {
		[RSPB_EV_ACCEPT] = RSPB_BOOKED,
		[RSPB_EV_DECLINE] = RSPB_BOOKED,
	},
	[RSPB_ACTIVE] = {
		[RSPB_EV_CHANGE] = RSPB_ACTIVE_CHANGE,
		[RSPB_EV_TERMINATE] = RSPB_TERMINATED,
		[RSPB_EV_END] = RSPB_COMPLETED,
	},
	[RSPB_ACTIVE_CHANGE] = {
		[RSPB_EV_ACCEPT] = RSPB_ACTIVE,
		[RSPB_EV_DECLINE] = RSPB_ACTIVE,
	},
};

/* RET the place of a name in a table without gaps, -1: it is not there. */
static int index_of(const char *const *names, int n, const char *name)
{
	for (int i = 0; i < n; i++)
		if (!strcmp(names[i], name))
			return i;
	return -1;
}

const char *rspb_state_name(enum rspb_state state)
{
	return rspb_state_names[state];
}

int rspb_state_parse(const char *name, enum rspb_state *state)
{
	int i = index_of(rspb_state_names, RSPB_N_STATES, name);

	if (i < 0)
		return -1;
	*state = (enum rspb_state) i;
	return 0;
}

const char *rspb_state_agreement(enum rspb_state state)
{
	static const char *const names[RSPB_N_STATES] = {
		[RSPB_REQUESTED] = "task",	   [RSPB_BOOKED] = "resource",
		[RSPB_BOOKED_CHANGE] = "resource", [RSPB_ACTIVE] = "binding",
		[RSPB_ACTIVE_CHANGE] = "binding",
	};

	return names[state];
}

const char *rspb_event_name(enum rspb_event event)
{
	return event_names[event];
}

int rspb_event_parse(const char *name, enum rspb_event *event)
{
	int i = index_of(event_names, RSPB_N_EVENTS, name);

	if (i < 0)
		return -1;
	*event = (enum rspb_event) i;
	return 0;
}

bool rspb_state_final(enum rspb_state state)
{
	return state >= RSPB_DECLINED;
}

int rspb_state_next(enum rspb_state *state, enum rspb_event event, struct rspb_err *err)
{
	/* Final states have no row, so that every event is refused there. */
	unsigned char to = next[*state][event];

	if (to == RSPB_REQUESTED)
		return rspb_fail(err, "'%s' is not possible in state %s%s", rspb_event_name(event),
				 rspb_state_name(*state),
				 rspb_state_final(*state) ? ", which is final" : "");
	*state = (enum rspb_state) to;
	return 0;
}

struct rspb_booking *rspb_booking_create(const struct rspb_request *request)
{
	struct rspb_booking *booking = calloc(1, sizeof(*booking));

	if (!booking)
		return NULL;
	booking->request = rspb_request_clone(request);
	if (!booking->request) {
		free(booking);
		return NULL;
	}
	booking->state = RSPB_REQUESTED;
	booking->benefit = (struct rspb_ratio){ 0, 1 };
	return booking;
}

static void free_grants(struct rspb_grant *grants, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		rspb_nodeset_destroy(grants[i].nodes);
	free(grants);
}

/* Copy a booking, each set of its grants as `nodes` makes it from the old one. RET NULL: out of
 * memory. */
static struct rspb_booking *copy(const struct rspb_booking *booking,
				 struct rspb_nodeset *(*nodes)(struct rspb_nodeset *set))
{
	struct rspb_booking *copy = rspb_booking_create(booking->request);
	uint32_t n = booking->n_grants;
	struct rspb_request *request;
	bool failed;

	if (!copy)
		return NULL;
	/* All members are copied at once. The owned ones are replaced then, so that no memory
	 * has two owners. */
	request = copy->request;
	*copy = *booking;
	copy->request = request;
	copy->why = NULL;
	copy->grants = n ? calloc(n, sizeof(*copy->grants)) : NULL;
	copy->n_grants = copy->grants ? n : 0;
	/* After a failure all that was made is there or NULL, so that destroy() can free it. */
	failed = copy->n_grants < n;
	for (uint32_t i = 0; i < copy->n_grants; i++) {
		copy->grants[i] = booking->grants[i];
		copy->grants[i].nodes = nodes(booking->grants[i].nodes);
		failed |= !copy->grants[i].nodes;
	}
	if (!failed && !rspb_text_keep(&copy->why, booking->why))
		return copy;
	rspb_booking_destroy(copy);
	return NULL;
}

/* rspb_nodeset_clone() takes a constant set, and rspb_nodeset_slim() does not: the types of both
 * must be one. */
static struct rspb_nodeset *clone_set(struct rspb_nodeset *set)
{
	return rspb_nodeset_clone(set);
}

struct rspb_booking *rspb_booking_clone(const struct rspb_booking *booking)
{
	return copy(booking, clone_set);
}

struct rspb_booking *rspb_booking_keep(const struct rspb_booking *booking)
{
	return copy(booking, rspb_nodeset_slim);
}

void rspb_booking_destroy(struct rspb_booking *booking)
{
	if (!booking)
		return;
	free_grants(booking->grants, booking->n_grants);
	rspb_request_destroy(booking->request);
	free(booking->why);
	free(booking);
}

const char *rspb_booking_why(const struct rspb_booking *booking)
{
	return rspb_text_kept(booking->why);
}

void rspb_booking_say(struct rspb_booking *booking, const char *why)
{
	char text[RSPB_ERR_TEXT];

	/* A reason that is too long is cut, so that all reasons fit into a struct rspb_err.
	 * `why` may be the booking's own. */
	snprintf(text, sizeof(text), "%s", why);
	rspb_text_keep(&booking->why, text);
}

void rspb_booking_swap(struct rspb_booking *a, struct rspb_booking *b)
{
	struct rspb_booking other = *a;

	*a = *b;
	*b = other;
}

bool rspb_booking_same_place(const struct rspb_booking *a, const struct rspb_booking *b)
{
	for (uint32_t i = 0; i < a->n_grants; i++)
		/* Amounts are not compared: with the same nodes at the same time a booking has
		 * not moved. */
		if (!rspb_nodeset_equal(a->grants[i].nodes, b->grants[i].nodes))
			return false;
	return a->start == b->start && a->end == b->end;
}

void rspb_booking_keep_promise(struct rspb_booking *new, const struct rspb_booking *old)
{
	for (uint32_t i = 0; i < new->n_grants; i++) {
		/* A promise above what the grant has counts as all of it
		 * (rspb_grant_promised()). */
		new->grants[i].promise = rspb_grant_promised(&old->grants[i]);
		rspb_grant_keep_outage(&new->grants[i], &old->grants[i]);
	}
}

int rspb_booking_grant(struct rspb_booking *booking, uint32_t width, struct rspb_err *err)
{
	uint32_t n = booking->request->n_parts;
	struct rspb_grant *grants = calloc(n, sizeof(*grants));

	for (uint32_t i = 0; grants && i < n; i++) {
		grants[i].benefit = (struct rspb_ratio){ 0, 1 };
		grants[i].nodes = rspb_nodeset_create(width);
		if (!grants[i].nodes) {
			/* Only the sets before this one were made. */
			free_grants(grants, i);
			grants = NULL;
		}
	}
	if (!grants)
		return rspb_fail(err, "out of memory for a booking of %u parts", n);
	/* The old grants go only when the new ones are complete. */
	free_grants(booking->grants, booking->n_grants);
	booking->grants = grants;
	booking->n_grants = n;
	return 0;
}

int64_t rspb_grant_units(const struct rspb_grant *grant)
{
	return grant->share ? grant->share : (int64_t) rspb_nodeset_count(grant->nodes);
}

int64_t rspb_grant_promised(const struct rspb_grant *grant)
{
	int64_t units = rspb_grant_units(grant);

	/* A booking that became smaller cannot promise more than it has. */
	return grant->promise && grant->promise < units ? grant->promise : units;
}

void rspb_grant_keep_outage(struct rspb_grant *grant, const struct rspb_grant *was)
{
	/* With all of it back the outage is over; until then its begin stays known. */
	bool back = rspb_grant_promised(grant) >= was->had;

	grant->had = back ? 0 : was->had;
	grant->outage = back ? 0 : was->outage;
}

void rspb_grant_lose(struct rspb_grant *grant, const struct rspb_grant *was, int64_t now)
{
	int64_t had = rspb_grant_promised(was);

	/* The booking may have lost some before. */
	rspb_grant_keep_outage(grant, was);
	if (rspb_grant_promised(grant) >= had)
		return;
	/* Several outages count from the most that was ever promised, and from the first of
	 * them. */
	if (grant->had < had)
		grant->had = had;
	if (!grant->outage)
		grant->outage = now;
}

int64_t rspb_booking_missing(const struct rspb_booking *booking, uint32_t part)
{
	const struct rspb_grant *grant = &booking->grants[part];
	int64_t full = rspb_part_full(booking->request, part);
	/* The owner may have asked for less since, and does not get more than that back. */
	int64_t back = (grant->had < full ? grant->had : full) - rspb_grant_promised(grant);

	return back > 0 ? back : 0;
}

void rspb_booking_cover(const struct rspb_booking *booking, struct rspb_nodeset *nodes)
{
	for (uint32_t i = 0; i < booking->n_grants; i++)
		rspb_nodeset_or(nodes, booking->grants[i].nodes);
}

uint32_t rspb_booking_nodes(const struct rspb_booking *booking)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < booking->n_grants; i++)
		n += rspb_nodeset_count(booking->grants[i].nodes);
	return n;
}

int64_t rspb_booking_firm_from(const struct rspb_booking *b)
{
	const struct rspb_request *r = b->request;

	/* A window with a single start leaves nothing to move, and a job that runs stays where
	 * it is. */
	return r->moves && b->state == RSPB_BOOKED && rspb_request_last(r) > r->ready
		       ? b->start - r->moves
		       : 0;
}

void rspb_booking_value(struct rspb_booking *booking)
{
	struct rspb_ratio sum = { 0, 1 }, timely;

	timely = rspb_request_timely(booking->request, booking->start);
	for (uint32_t i = 0; i < booking->n_grants; i++) {
		struct rspb_grant *g = &booking->grants[i];

		g->benefit = rspb_part_value(booking->request, i, rspb_grant_units(g));
		g->benefit = rspb_ratio_times(g->benefit, timely);
		sum = rspb_ratio_plus(sum, g->benefit);
	}
	if (booking->n_grants)
		/* The mean counts each part alike, whatever its size. */
		sum = rspb_ratio_over(sum, (struct rspb_ratio){ booking->n_grants, 1 });
	booking->benefit = sum;
}

double rspb_grant_nodes(const struct rspb_part *part, const struct rspb_grant *grant)
{
	/* The weight is more than the share where memory or devices of a node are scarcer than
	 * its cores. */
	double share = grant->share ? (double) rspb_part_weighs(part, grant->share) /
					      (double) rspb_part_whole(part)
				    : 1;

	return rspb_nodeset_count(grant->nodes) * share;
}

int64_t rspb_booking_work(const struct rspb_booking *booking, int64_t from)
{
	int64_t start = booking->start > from ? booking->start : from;
	int64_t sum = 0, work;

	for (uint32_t i = 0; i < booking->n_grants; i++)
		sum = rspb_part_add_cpu(&booking->request->parts[i],
					rspb_grant_units(&booking->grants[i]), sum);
	/* Nothing is left of a booking that has ended by then. */
	if (booking->end <= start)
		return 0;
	/* A product that does not fit is as much as can be: it only orders accounts. */
	return __builtin_mul_overflow(sum, booking->end - start, &work) ? INT64_MAX : work;
}
