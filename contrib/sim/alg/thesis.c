/* SPDX-License-Identifier: GPL-2.0-or-later */
/* rb rspb corspb corsbf corsbfr: batches of requests for shares of machines. */
#include "contrib/sim/alg/thesis.h"

#include <stdlib.h>
#include <string.h>

#include "common/plan/schedule.h"
#include "contrib/sim/replay/batches.h"

/* Nothing that is still to come looks back before `time`, or the next event. */
static int forget(struct thesis *thesis, int64_t time, struct rspb_err *err)
{
	struct rspb_record record = { .kind = RSPB_REC_ADVANCE, .time = time };

	if (thesis->next_event < thesis->n_events && thesis->events[thesis->next_event].at < time)
		record.time = time = thesis->events[thesis->next_event].at;
	if (time <= rspb_ledger_now(thesis->ledger))
		return 0;
	return rspb_ledger_apply(thesis->ledger, &record, err);
}

/* A batch: the requests that list[n] names, together. */
static int decide(const size_t *list, size_t n, int64_t now, void *arg, struct rspb_err *err)
{
	struct thesis *thesis = arg;
	const struct rspb_request **requests = malloc((n + 1) * sizeof(*requests));
	struct rspb_booking **out = malloc((n + 1) * sizeof(*out));
	size_t *left = malloc((n + 1) * sizeof(*left)), n_left = 0;
	int64_t earliest = now;
	int rc = requests && out && left ? thesis_events_until(thesis, now, err)
					 : rspb_fail(err, "out of memory");

	if (!rc)
		rc = forget(thesis, thesis->later_ready[list[0]], err);
	for (size_t i = 0; !rc && i < n; i++) {
		if (thesis->fates[list[i]].ended)
			continue;
		requests[n_left] = thesis->requests[list[i]];
		/* A slot that has begun can still be booked. */
		if (requests[n_left]->ready < earliest)
			earliest = requests[n_left]->ready;
		left[n_left++] = list[i];
	}
	if (!rc)
		rc = rspb_schedule_batch(thesis->ledger, &thesis->policy, requests, n_left,
					 earliest, out, err);
	for (size_t i = 0; !rc && i < n_left; i++) {
		thesis->bookings[left[i]] = out[i];
		thesis->decided_at[left[i]] = now;
		thesis->batch[left[i]] = thesis->batches;
	}
	thesis->batches++;
	free(left);
	free(requests);
	free(out);
	return rc;
}

static int by_arrival(const void *left, const void *right)
{
	const struct sim_arrival *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return a->request < b->request ? -1 : a->request > b->request;
}

/* RET the requests as they arrive, or NULL. Their starts count as asked for,
 * not as the slots they are in. */
static struct sim_arrival *sort_arrivals(struct thesis *thesis)
{
	struct sim_arrival *list = malloc((thesis->n + 1) * sizeof(*list));
	int64_t least = INT64_MAX;

	if (!list)
		return NULL;
	for (size_t i = 0; i < thesis->n; i++)
		list[i] = (struct sim_arrival){ thesis->requests[i]->arrival, thesis->ready[i], i };
	qsort(list, thesis->n, sizeof(*list), by_arrival);
	for (size_t i = thesis->n; i-- > 0;) {
		size_t request = list[i].request;

		if (thesis->requests[request]->ready < least)
			least = thesis->requests[request]->ready;
		thesis->later_ready[request] = least;
	}
	return list;
}

static void emit_request(struct sim_run *run, const struct thesis *thesis, size_t i)
{
	const struct rspb_booking *booking = thesis->bookings[i];
	const struct thesis_fate *fate = &thesis->fates[i];
	bool accepted = booking && booking->state == RSPB_BOOKED;
	struct json_object *line = json_object_new_object(), *subs;

	sim_put_id(line, &run->in.records[i]);
	rspb_json_put_bool(line, "accepted", accepted);
	if (fate->ended) {
		rspb_json_put_text(line, "ended", fate->ended);
		rspb_json_put_int(line, "ended_at", fate->at);
	}
	if (fate->moved)
		rspb_json_put_bool(line, "moved", true);
	if (!booking) {
		sim_emit(run, line);
		return;
	}
	rspb_json_put_int(line, "decided_at", thesis->decided_at[i]);
	rspb_json_put_int(line, "batch", thesis->batch[i]);
	sim_put_real(line, "benefit", accepted ? rspb_ratio_double(booking->benefit) : 0);
	if (accepted) {
		subs = json_object_new_array();
		for (uint32_t k = 0; k < booking->n_grants; k++) {
			const struct rspb_grant *grant = &booking->grants[k];
			struct json_object *sub = json_object_new_object();

			rspb_json_put_int(sub, "machine", rspb_nodeset_next(grant->nodes, 0));
			rspb_json_put_int(sub, "cpu", grant->share);
			sim_put_real(sub, "benefit", rspb_ratio_double(grant->benefit));
			json_object_array_add(subs, sub);
		}
		rspb_json_put(line, "subs", subs);
	}
	sim_emit(run, line);
}

static void emit_summary(struct sim_run *run, const struct thesis *thesis)
{
	struct json_object *summary = json_object_new_object();
	double requested = 0, reserved = 0, subs = 0, weight = 0, benefit = 0;
	int64_t rejections = 0, rejected_priority = 0, ended = 0, moved = 0;

	for (size_t i = 0; i < thesis->n; i++) {
		const struct rspb_request *request = thesis->requests[i];
		const struct rspb_booking *b = thesis->bookings[i];
		const struct thesis_fate *fate = &thesis->fates[i];
		bool accepted = b && b->state == RSPB_BOOKED && !fate->ended;

		ended += fate->ended != NULL;
		moved += fate->moved;
		/* A user who did not want it any more has lost nothing. */
		if (fate->ended && strcmp(fate->ended, "failed"))
			continue;
		subs += request->n_parts;
		weight += (double) request->priority;
		for (uint32_t k = 0; k < request->n_parts; k++)
			requested += (double) request->parts[k].share;
		for (uint32_t k = 0; accepted && k < b->n_grants; k++)
			reserved += (double) b->grants[k].share;
		if (accepted) {
			benefit += (double) request->priority * rspb_ratio_double(b->benefit);
		} else if (!fate->ended) {
			rejections++;
			rejected_priority += request->priority;
		}
	}
	rspb_json_put_int(summary, "requests", (int64_t) thesis->n);
	if (thesis->n_events) {
		rspb_json_put_int(summary, "ended", ended);
		rspb_json_put_int(summary, "moved", moved);
	}
	rspb_json_put_int(summary, "rejections", rejections);
	rspb_json_put_int(summary, "rejected_priority_sum", rejected_priority);
	sim_put_real(summary, "mean_requested_cpu", subs > 0 ? requested / subs : 0);
	sim_put_real(summary, "mean_reserved_cpu", subs > 0 ? reserved / subs : 0);
	sim_put_real(summary, "system_benefit", weight > 0 ? benefit / weight : 0);
	sim_emit_summary(run, summary);
}

static int run_all(struct sim_run *run, struct thesis *thesis, struct rspb_err *err)
{
	struct sim_arrival *arrivals = sort_arrivals(thesis);
	int64_t interval = thesis->on_arrival ? 0 : thesis->policy.batch_interval;
	int rc = arrivals ? sim_batches(arrivals, thesis->n, thesis->t0, interval, decide, thesis,
					err)
			  : rspb_fail(err, "out of memory");

	if (!rc)
		rc = thesis_events_until(thesis, INT64_MAX, err);
	for (size_t i = 0; !rc && i < thesis->n; i++)
		emit_request(run, thesis, i);
	if (!rc)
		emit_summary(run, thesis);
	free(arrivals);
	return rc;
}

int sim_alg_thesis(struct sim_run *run, struct rspb_err *err)
{
	struct sim_record *events = calloc(run->in.n + 1, sizeof(*events));
	size_t n_lines = run->in.n, n_events = 0;
	struct thesis thesis = { .n = 0 };
	int rc = events ? 0 : rspb_fail(err, "out of memory");

	if (events)
		thesis_split(&run->in, events, &n_events);
	if (!rc)
		rc = thesis_read(&thesis, run, err) ||
				     thesis_events_read(&thesis, &run->in, events, n_events, err) ||
				     run_all(run, &thesis, err)
			     ? -1
			     : 0;
	run->in.n = n_lines;
	free(events);
	thesis_fini(&thesis);
	return rc;
}
