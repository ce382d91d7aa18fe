/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nodes fail. What runs there ends: a booking is lost, a regular job waits again. A booking
 * that has not begun is decided anew within its window, or lost. Until the node is back, it
 * is taken in all calendars, whose policies know when that will be.
 */
#include <stdlib.h>

#include "contrib/sim/policy/flex.h"
#include "contrib/sim/replay/replay_internal.h"
#include "contrib/sim/replay/schedule.h"

int64_t sim_down_comes(const struct replay *replay)
{
	const struct sim_workload *w = replay->workload;

	return replay->next_down < w->n_downs ? w->downs[replay->next_down].from : RSPB_TIME_MAX;
}

/* RET whether a booking has the node of a failure while it lasts. */
static bool is_hit(const struct rspb_booking *b, const struct sim_down *down)
{
	if (rspb_state_final(b->state) || b->start >= down->until || b->end <= down->from)
		return false;
	for (uint32_t i = 0; i < b->n_grants; i++)
		if (rspb_nodeset_has(b->grants[i].nodes, down->node))
			return true;
	return false;
}

/* RET copies of the bookings that a failure hits, which the caller frees, with room for so many
 * more; NULL: out of memory. */
static struct rspb_booking **list_hit(const struct rspb_ledger *ledger, const struct sim_down *down,
				      size_t more, size_t *n)
{
	size_t count = rspb_ledger_count(ledger);
	struct rspb_booking **hit = calloc(count + more + 1, sizeof(*hit));

	*n = 0;
	for (size_t i = 0; hit && i < count; i++) {
		const struct rspb_booking *b = rspb_ledger_at(ledger, i);

		if (b->start >= down->until)
			break;
		if (is_hit(b, down) && (hit[*n] = rspb_booking_clone(b)))
			++*n;
	}
	return hit;
}

/* A promise is broken: count it. */
static void lose(struct replay *replay, const struct rspb_booking *booking, int64_t now)
{
	replay->side.lost++;
	sim_schedule_lost(replay->workload, booking, now);
	if (replay->fn)
		replay->fn(booking, replay->arg);
}

/* End a booking. RET 1: it had not begun and wants another place, 0, -1 with err. */
static int take_from(struct replay *replay, const struct rspb_booking *b, int64_t now,
		     struct rspb_err *err)
{
	bool begun = b->start <= now, regular = sim_is_regular(replay, b->request->id);
	struct rspb_record record = { .kind = RSPB_REC_EVENT,
				      .time = now,
				      .id = b->request->id,
				      .event = begun ? RSPB_EV_START : RSPB_EV_CANCEL };

	sim_count_use(replay, b, now);
	if (begun && b->state == RSPB_BOOKED && sim_apply(replay, &record, err))
		return -1;
	if (begun)
		record.event = RSPB_EV_TERMINATE;
	if (sim_apply(replay, &record, err))
		return -1;
	if (regular)
		return sim_regular_end(replay, b, now, true, err);
	if (replay->outside && sim_outside_ended(replay->outside, b->request->id))
		return rspb_fail(err, "out of memory");
	if (!begun)
		return 1;
	lose(replay, b, now);
	return 0;
}

/* The node is taken until it is back. RET 0 or -1 with err. */
static int take_node(struct replay *replay, const struct sim_down *down, struct rspb_err *err)
{
	const struct sim_workload *w = replay->workload;
	const struct sim_job job = { .arrival = down->from,
				     .ready = down->from,
				     .duration = down->until - down->from,
				     .deadline = down->until,
				     .nodes = 1 };
	struct rspb_nodeset *node = rspb_nodeset_create(w->nodes);
	int rc;

	if (!node)
		return rspb_fail(err, "out of memory");
	rspb_nodeset_add(node, down->node);
	rc = sim_occupy(replay, &job, w->n + 1 + replay->next_down, down->from, node, err);
	rspb_nodeset_destroy(node);
	return rc;
}

/* Take out bookings that wait as counts, the last that was decided first, until those that
 * are left have room. RET 0 or -1 with err. */
static int drop_some(struct replay *replay, const struct sim_down *down,
		     struct rspb_booking **dropped, size_t *n, struct rspb_err *err)
{
	struct rspb_flex *flex = replay->policy.waiting;
	int rc;

	while (!(rc = rspb_flex_repair(flex, replay->ledger, &replay->policy, down->from, err))) {
		dropped[*n] = rspb_flex_drop(flex, down->from, down->until, err);
		if (!dropped[*n])
			return -1;
		++*n;
	}
	return rc < 0 ? -1 : 0;
}

/* Decide bookings anew that had not begun. RET 0 or -1 with err. */
static int replace(struct replay *replay, struct rspb_booking *const *olds, size_t n, int64_t now,
		   struct rspb_err *err)
{
	const struct rspb_request **requests = calloc(n + 1, sizeof(*requests));
	struct rspb_booking **decided = calloc(n + 1, sizeof(struct rspb_booking *));
	int rc = requests && decided ? 0 : rspb_fail(err, "out of memory");

	for (size_t i = 0; !rc && i < n; i++)
		requests[i] = olds[i]->request;
	if (!rc && n)
		rc = sim_plan_batch(replay, replay->ledger, requests, n, now, decided, err);
	for (size_t i = 0; !rc && i < n; i++) {
		struct rspb_record record = { .kind = RSPB_REC_BOOK,
					      .time = now,
					      .booking = decided[i] };

		if (decided[i]->state != RSPB_BOOKED) {
			lose(replay, olds[i], now);
			continue;
		}
		replay->side.replaced++;
		/* A booking that waits as a count is noted when it starts. */
		if (!decided[i]->n_grants)
			continue;
		if (replay->booked)
			rc = rspb_ledger_apply(replay->booked, &record, err);
		if (!rc)
			rc = sim_note_bound(decided[i], replay, err);
	}
	for (size_t i = 0; decided && i < n; i++)
		rspb_booking_destroy(decided[i]);
	free(decided);
	free(requests);
	return rc;
}

int sim_down_take(struct replay *replay, struct rspb_err *err)
{
	const struct sim_down *down = &replay->workload->downs[replay->next_down];
	struct rspb_flex *flex = replay->policy.waiting;
	size_t n, n_dropped, left = 0, more = flex ? rspb_flex_count(flex) : 0;
	struct rspb_booking **hit = list_hit(replay->ledger, down, more, &n), **dropped;
	int rc = hit ? 0 : rspb_fail(err, "out of memory");

	for (size_t i = 0; rc >= 0 && i < n; i++) {
		rc = take_from(replay, hit[i], down->from, err);
		if (rc > 0) {
			struct rspb_booking *swap = hit[left];

			hit[left++] = hit[i];
			hit[i] = swap;
		}
	}
	if (rc >= 0)
		rc = take_node(replay, down, err);
	replay->next_down++;
	/* The running bookings come after those that have to be decided anew; others follow. */
	dropped = hit ? hit + n : NULL;
	n_dropped = 0;
	if (!rc && flex)
		rc = drop_some(replay, down, dropped, &n_dropped, err);
	if (!rc)
		rc = replace(replay, hit, left, down->from, err);
	if (!rc && n_dropped)
		rc = replace(replay, dropped, n_dropped, down->from, err);
	n += n_dropped;
	for (size_t i = 0; hit && i < n; i++)
		rspb_booking_destroy(hit[i]);
	free(hit);
	return rc;
}
