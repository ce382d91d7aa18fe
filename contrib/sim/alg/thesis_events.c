/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plays the events between the batches: reservations are cancelled, machines fail and join (Min,
 * section 3.4.2, the duties of the time slot table manager). */
#include <stdlib.h>
#include <string.h>

#include "common/plan/schedule.h"
#include "contrib/sim/alg/thesis.h"

static const int64_t time_limit = INT64_C(1) << 53;

enum kind { FAIL, CANCEL, JOIN };
static const char *const keys[] = { "fail", "cancel", "join" };

static bool is_event(const struct sim_record *record, enum kind *kind)
{
	for (int i = 0; i < 3; i++)
		if (sim_has(record, keys[i])) {
			*kind = (enum kind) i;
			return true;
		}
	return false;
}

void thesis_split(struct sim_lines *in, struct sim_record *events, size_t *n)
{
	size_t kept = 0;
	enum kind kind;

	*n = 0;
	for (size_t i = 0; i < in->n; i++) {
		if (is_event(&in->records[i], &kind))
			events[(*n)++] = in->records[i];
		else
			in->records[kept++] = in->records[i];
	}
	/* They stay the lines' own, behind those that are requests. */
	if (*n)
		memcpy(in->records + kept, events, *n * sizeof(*events));
	in->n = kept;
}

/* RET which request has that id, n: none. */
static size_t line_of(const struct sim_lines *in, struct json_object *id)
{
	size_t i = 0;

	while (i < in->n && !json_object_equal(sim_get(&in->records[i], "id"), id))
		i++;
	return i;
}

static int read_event(struct thesis *thesis, const struct sim_lines *in,
		      const struct sim_record *record, struct thesis_event *event,
		      struct rspb_err *err)
{
	enum kind kind = FAIL;
	int64_t machine;
	char members[16];

	is_event(record, &kind);
	snprintf(members, sizeof(members), "%s at", keys[kind]);
	if (sim_only(record, members, err) ||
	    sim_int(record, "at", -time_limit / 2, time_limit / 2, &event->at, err))
		return -1;
	event->kind = kind;
	if (kind == CANCEL) {
		event->which = line_of(in, sim_get(record, keys[kind]));
		if (event->which == in->n)
			return sim_bad(record, keys[kind], err, "%.60s is the id of no request",
				       sim_text(sim_get(record, keys[kind])));
		if (event->at < thesis->requests[event->which]->arrival)
			return sim_bad(record, "at", err, "is before the request arrives");
		return 0;
	}
	if (sim_int(record, keys[kind], 0, thesis->machines - 1, &machine, err))
		return -1;
	event->which = (size_t) machine;
	return 0;
}

static int by_time(const void *one, const void *two)
{
	const struct thesis_event *a = one, *b = two;

	if (a->at != b->at)
		return a->at < b->at ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

/* Take all of a machine from a time on, for whoever comes. */
static int close_machine(struct thesis *thesis, size_t machine, int64_t at, struct rspb_err *err)
{
	const struct rspb_shares *shares = rspb_ledger_shares(thesis->ledger);
	int64_t all = rspb_shares_capacity(shares, (uint32_t) machine);
	struct rspb_request *request = rspb_request_create(1);
	struct rspb_booking *booking = NULL;
	struct rspb_record record = { .kind = RSPB_REC_BOOK };
	int rc = -1;

	if (request) {
		request->id = UINT64_MAX - machine;
		request->ready = at;
		request->deadline = time_limit;
		request->duration = time_limit - at;
		request->parts[0].share = all ? all : 1;
		booking = rspb_booking_create(request);
	}
	if (!booking || rspb_booking_grant(booking, (uint32_t) thesis->machines, err)) {
		rspb_fail(err, "out of memory");
	} else {
		rspb_nodeset_add(booking->grants[0].nodes, (uint32_t) machine);
		booking->grants[0].share = all;
		booking->state = RSPB_BOOKED;
		booking->start = at;
		booking->end = time_limit;
		record.booking = booking;
		rc = all ? rspb_ledger_apply(thesis->ledger, &record, err) : 0;
	}
	rspb_booking_destroy(booking);
	rspb_request_destroy(request);
	return rc;
}

static bool stands(const struct thesis *thesis, size_t i, int64_t at)
{
	const struct rspb_booking *booking = thesis->bookings[i];

	return booking && booking->state == RSPB_BOOKED && booking->end > at &&
	       !thesis->fates[i].ended;
}

static void end_fate(struct thesis *thesis, size_t i, const char *how, int64_t at)
{
	thesis->fates[i] = (struct thesis_fate){ .ended = how, .at = at };
}

static int cancel(struct thesis *thesis, size_t i, int64_t at, struct rspb_err *err)
{
	if (!thesis->bookings[i] && !thesis->fates[i].ended)
		end_fate(thesis, i, "withdrawn", at);
	if (!stands(thesis, i, at))
		return 0;
	end_fate(thesis, i, thesis->bookings[i]->start < at ? "terminated" : "cancelled", at);
	return rspb_ledger_cancel(thesis->ledger, i, at, err);
}

static bool lies_on(const struct rspb_booking *booking, size_t machine)
{
	for (uint32_t k = 0; k < booking->n_grants; k++)
		if (rspb_nodeset_has(booking->grants[k].nodes, (uint32_t) machine))
			return true;
	return false;
}

/* Decide again those that had to leave, as a batch of their own. */
static int decide_again(struct thesis *thesis, const size_t *list, size_t n, int64_t at,
			struct rspb_err *err)
{
	const struct rspb_request **requests = malloc((n + 1) * sizeof(*requests));
	struct rspb_booking **out = malloc((n + 1) * sizeof(*out));
	int rc = requests && out ? 0 : rspb_fail(err, "out of memory");

	for (size_t i = 0; !rc && i < n; i++)
		requests[i] = thesis->requests[list[i]];
	if (!rc && n)
		rc = rspb_schedule_batch(thesis->ledger, &thesis->policy, requests, n, at, out,
					 err);
	for (size_t i = 0; !rc && i < n; i++) {
		if (out[i]->state == RSPB_BOOKED) {
			rspb_booking_swap(thesis->bookings[list[i]], out[i]);
			thesis->fates[list[i]].moved = true;
		} else {
			end_fate(thesis, list[i], "failed", at);
		}
		rspb_booking_destroy(out[i]);
	}
	free(requests);
	free(out);
	return rc;
}

/* End what has begun on the machine, and decide the rest again. */
static int fail(struct thesis *thesis, size_t machine, int64_t at, struct rspb_err *err)
{
	size_t *list = malloc((thesis->n + 1) * sizeof(*list)), n = 0;
	int rc = list ? 0 : rspb_fail(err, "out of memory");

	for (size_t i = 0; !rc && i < thesis->n; i++) {
		if (!stands(thesis, i, at) || !lies_on(thesis->bookings[i], machine))
			continue;
		if (thesis->bookings[i]->start < at)
			end_fate(thesis, i, "failed", at);
		else
			list[n++] = i;
		rc = rspb_ledger_cancel(thesis->ledger, i, at, err);
	}
	if (!rc)
		rc = close_machine(thesis, machine, at, err);
	if (!rc)
		rc = decide_again(thesis, list, n, at, err);
	free(list);
	return rc;
}

static int happen(struct thesis *thesis, const struct thesis_event *event, struct rspb_err *err)
{
	bool *down = &thesis->down[event->which];

	if (event->kind == CANCEL)
		return cancel(thesis, event->which, event->at, err);
	/* A machine that is down cannot fail, and one that is there cannot join. */
	if (*down == (event->kind == FAIL))
		return 0;
	*down = !*down;
	return event->kind == FAIL ? fail(thesis, event->which, event->at, err)
				   : rspb_ledger_cancel(thesis->ledger, UINT64_MAX - event->which,
							event->at, err);
}

int thesis_events_until(struct thesis *thesis, int64_t now, struct rspb_err *err)
{
	for (; thesis->next_event < thesis->n_events; thesis->next_event++) {
		const struct thesis_event *event = &thesis->events[thesis->next_event];

		if (event->at > now)
			break;
		if (happen(thesis, event, err))
			return -1;
	}
	return 0;
}

int thesis_events_read(struct thesis *thesis, const struct sim_lines *in,
		       const struct sim_record *records, size_t n, struct rspb_err *err)
{
	thesis->events = calloc(n + 1, sizeof(*thesis->events));
	thesis->fates = calloc(thesis->n + 1, sizeof(*thesis->fates));
	thesis->down = calloc((size_t) thesis->machines, sizeof(*thesis->down));
	if (!thesis->events || !thesis->fates || !thesis->down)
		return rspb_fail(err, "out of memory");
	for (; thesis->n_events < n; thesis->n_events++) {
		struct thesis_event *event = &thesis->events[thesis->n_events];

		event->line = thesis->n_events;
		if (read_event(thesis, in, &records[thesis->n_events], event, err))
			return -1;
	}
	qsort(thesis->events, n, sizeof(*thesis->events), by_time);
	/* A machine whose first event is a join has not been there before. */
	for (size_t i = n; i-- > 0;)
		if (thesis->events[i].kind != CANCEL)
			thesis->down[thesis->events[i].which] = thesis->events[i].kind == JOIN;
	for (int64_t m = 0; m < thesis->machines; m++)
		if (thesis->down[m] && close_machine(thesis, (size_t) m, -time_limit, err))
			return -1;
	return 0;
}
