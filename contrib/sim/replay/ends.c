/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Time goes on: bookings end, regular jobs arrive and start, nodes fail. */
#include "contrib/sim/policy/flex.h"
#include "contrib/sim/replay/replay_internal.h"
#include "contrib/sim/replay/schedule.h"

enum { PURGE_EVERY = 256 };

static struct sim_due heap_pop(struct replay *replay)
{
	struct sim_due top = replay->heap[0];
	struct sim_due last = replay->heap[--replay->n_heap];
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
static int end_one(struct replay *replay, struct sim_due due, struct rspb_err *err)
{
	const struct rspb_booking *booking = rspb_ledger_find(replay->ledger, due.id);
	struct rspb_record record = {
		.kind = RSPB_REC_EVENT,
		.time = due.end,
		.id = due.id,
		.event = RSPB_EV_START,
	};
	bool early;

	/* The booking had moved to an earlier end, or a failure has ended it. */
	if (!booking || rspb_state_final(booking->state))
		return 0;
	/* The booking has moved since, and ends later. */
	if (sim_end_of(replay, booking) > due.end)
		return sim_heap_push(replay,
				     (struct sim_due){ sim_end_of(replay, booking), due.id }, err);
	sim_count_use(replay, booking, due.end);
	if (sim_is_regular(replay, due.id)) {
		if (sim_regular_end(replay, booking, due.end, false, err))
			return -1;
	} else if (!sim_is_down(replay, due.id)) {
		if (replay->outside && sim_outside_ended(replay->outside, due.id))
			return rspb_fail(err, "out of memory");
		sim_schedule_kept(replay->workload, booking, due.end);
		if (replay->fn)
			replay->fn(booking, replay->arg);
	}
	early = due.end < booking->end;
	/* The ledger has another booking in its place from here on. */
	if (booking->state == RSPB_BOOKED && sim_apply(replay, &record, err))
		return -1;
	record.event = RSPB_EV_END;
	if (replay->policy.waiting && early)
		rspb_flex_changed(replay->policy.waiting);
	return sim_apply(replay, &record, err);
}

/* Give nodes to those who start up to now. */
static int bind_due(struct replay *replay, int64_t now, struct rspb_err *err)
{
	if (!replay->policy.waiting)
		return 0;
	return rspb_flex_bind(replay->policy.waiting, replay->ledger, &replay->policy, now,
			      sim_note_bound, replay, err);
}

/* Let all that ends up to now end. */
static int end_due(struct replay *replay, int64_t now, struct rspb_err *err)
{
	while (replay->n_heap && replay->heap[0].end <= now) {
		if (end_one(replay, heap_pop(replay), err))
			return -1;
		if (++replay->ended % PURGE_EVERY)
			continue;
		rspb_ledger_purge(replay->ledger, now);
		if (replay->booked)
			rspb_ledger_purge(replay->booked, now);
	}
	return 0;
}

static int set_time(struct replay *replay, int64_t now, struct rspb_err *err)
{
	struct rspb_record record = { .kind = RSPB_REC_ADVANCE, .time = now };

	return sim_apply(replay, &record, err);
}

/* RET the next time at which something happens, apart from requests. */
static int64_t next_event(const struct replay *replay)
{
	int64_t arrives = sim_regular_arrives(replay), fails = sim_down_comes(replay);
	int64_t next = arrives < fails ? arrives : fails;
	int64_t starts = replay->policy.waiting ? rspb_flex_next(replay->policy.waiting) : next;

	next = starts < next ? starts : next;
	return replay->n_heap && replay->heap[0].end < next ? replay->heap[0].end : next;
}

/* RET whether anything but requests happens that depends on what is free. */
static bool is_beside(const struct replay *replay)
{
	return replay->n_queue || sim_regular_arrives(replay) < RSPB_TIME_MAX ||
	       sim_down_comes(replay) < RSPB_TIME_MAX;
}

int sim_advance(struct replay *replay, int64_t now, struct rspb_err *err)
{
	int64_t at;

	while (is_beside(replay) && (at = next_event(replay)) <= now) {
		if (end_due(replay, at, err) || bind_due(replay, at, err) ||
		    set_time(replay, at, err))
			return -1;
		while (sim_down_comes(replay) <= at)
			if (sim_down_take(replay, err))
				return -1;
		if (sim_regular_queue(replay, at, err) || sim_regular_start(replay, at, err))
			return -1;
	}
	if (bind_due(replay, now, err))
		return -1;
	return end_due(replay, now, err) || set_time(replay, now, err) ? -1 : 0;
}

int sim_finish(struct replay *replay, struct rspb_err *err)
{
	int64_t at;

	while (is_beside(replay) && (at = next_event(replay)) < RSPB_TIME_MAX)
		if (sim_advance(replay, at, err))
			return -1;
	if (bind_due(replay, RSPB_TIME_MAX - 1, err))
		return -1;
	while (replay->n_heap)
		if (end_one(replay, heap_pop(replay), err))
			return -1;
	return 0;
}
