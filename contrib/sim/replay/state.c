/* SPDX-License-Identifier: GPL-2.0-or-later */
/* State that all parts of a run share: its calendars, its ends to come, its decisions. */
#include "common/base/array.h"
#include "common/plan/schedule.h"
#include "contrib/sim/policy/flex.h"
#include "contrib/sim/replay/replay_internal.h"

bool sim_is_regular(const struct replay *replay, uint64_t id)
{
	return id <= replay->workload->n && replay->workload->jobs[id - 1].regular;
}

bool sim_is_down(const struct replay *replay, uint64_t id)
{
	return id > replay->workload->n;
}

int sim_heap_push(struct replay *replay, struct sim_due due, struct rspb_err *err)
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

int sim_apply(struct replay *replay, const struct rspb_record *record, struct rspb_err *err)
{
	if (rspb_ledger_apply(replay->ledger, record, err))
		return -1;
	if (!replay->booked)
		return 0;
	if (record->kind == RSPB_REC_EVENT && !rspb_ledger_find(replay->booked, record->id))
		return 0;
	return rspb_ledger_apply(replay->booked, record, err);
}

int64_t sim_end_of(const struct replay *replay, const struct rspb_booking *booking)
{
	const struct sim_workload *w = replay->workload;
	uint64_t id = booking->request->id;
	int64_t ran = id <= w->n ? w->jobs[id - 1].ran : 0;

	return ran > 0 && ran < booking->end - booking->start ? booking->start + ran : booking->end;
}

void sim_count_use(struct replay *replay, const struct rspb_booking *booking, int64_t now)
{
	int64_t last = replay->workload->n ? replay->workload->jobs[replay->workload->n - 1].arrival
					   : 0;
	int64_t until = now < last ? now : last;
	double nodes = 0;

	for (uint32_t i = 0; i < booking->n_grants; i++)
		nodes += rspb_grant_nodes(&booking->request->parts[i], &booking->grants[i]);
	if (until > booking->start && !sim_is_down(replay, booking->request->id))
		replay->side.used += nodes * (double) (until - booking->start);
}

int sim_note_bound(const struct rspb_booking *booking, void *arg, struct rspb_err *err)
{
	struct replay *replay = arg;

	return sim_heap_push(replay,
			     (struct sim_due){ sim_end_of(replay, booking), booking->request->id },
			     err);
}

int sim_occupy(struct replay *replay, const struct sim_job *job, uint64_t id, int64_t now,
	       const struct rspb_nodeset *nodes, struct rspb_err *err)
{
	struct rspb_request *request = sim_job_request(job, id);
	struct rspb_booking *booking = request ? rspb_booking_create(request) : NULL;
	struct rspb_record record = { .kind = RSPB_REC_BOOK, .time = now, .booking = booking };
	int rc = booking ? rspb_booking_grant(booking, nodes->width, err)
			 : rspb_fail(err, "out of memory");

	if (!rc) {
		booking->start = now;
		booking->end = now + request->duration;
		booking->state = RSPB_ACTIVE;
		rspb_nodeset_copy(booking->grants[0].nodes, nodes);
		rc = rspb_ledger_apply(replay->ledger, &record, err) ||
				     sim_note_bound(booking, replay, err)
			     ? -1
			     : 0;
	}
	if (replay->policy.waiting)
		rspb_flex_changed(replay->policy.waiting);
	rspb_booking_destroy(booking);
	rspb_request_destroy(request);
	return rc;
}

int sim_note_decision(struct replay *replay, const struct rspb_booking *booking,
		      struct rspb_err *err)
{
	/* A booking that waits as a count is reported when it starts. */
	if (booking->state == RSPB_BOOKED && !booking->n_grants)
		return 0;
	if (booking->state == RSPB_BOOKED)
		return sim_note_bound(booking, replay, err);
	if (replay->fn)
		replay->fn(booking, replay->arg);
	return 0;
}

int sim_plan_batch(struct replay *replay, struct rspb_ledger *ledger,
		   const struct rspb_request *const *batch, size_t n, int64_t now,
		   struct rspb_booking **decided, struct rspb_err *err)
{
	return replay->outside
		       ? sim_outside_decide(replay->outside, ledger, batch, n, now, decided,
					    sim_note_bound, replay, err)
		       : rspb_schedule_batch(ledger, &replay->policy, batch, n, now, decided, err);
}
