/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ledger as it was recorded, change by change. */
#include <stdlib.h>

#include "contrib/sim/journal/journal.h"

static const int64_t time_limit = INT64_C(1) << 60;

/* The events that lead from booked to a final state. */
static const struct {
	enum rspb_event events[2];
	int n;
} ways[RSPB_N_STATES] = {
	[RSPB_CANCELLED] = { { RSPB_EV_CANCEL }, 1 },
	[RSPB_COMPLETED] = { { RSPB_EV_START, RSPB_EV_END }, 2 },
	[RSPB_TERMINATED] = { { RSPB_EV_START, RSPB_EV_TERMINATE }, 2 },
};

/* A booking that is over holds nothing, but its id is taken. */
static int stand(struct journal *journal, const struct sim_record *record,
		 struct rspb_booking *booking, struct rspb_err *err)
{
	enum rspb_state state = booking->state;
	struct rspb_record event = { .kind = RSPB_REC_EVENT,
				     .time = booking->start,
				     .id = booking->request->id };

	if (state == RSPB_DECLINED || state == RSPB_REQUESTED)
		return sim_bad(record, "state", err,
			       "%s is not a state of a "
			       "booking in a ledger",
			       rspb_state_name(state));
	if (rspb_state_final(state))
		booking->state = RSPB_BOOKED;
	if (journal_apply(journal, record, RSPB_REC_BOOK, booking, err))
		return -1;
	for (int i = 0; i < ways[state].n; i++) {
		event.event = ways[state].events[i];
		if (rspb_ledger_apply(journal->ledger, &event, err))
			return sim_at(record, err);
	}
	return 0;
}

int journal_standing(struct journal *journal, const struct sim_record *record, struct rspb_err *err)
{
	struct rspb_booking *booking = journal_read_booking(journal, record, err);
	int rc = booking ? stand(journal, record, booking, err) : -1;

	rspb_booking_destroy(booking);
	return rc;
}

int journal_change(struct journal *journal, const struct sim_record *record, struct rspb_err *err)
{
	struct rspb_booking *booking = journal_read_booking(journal, record, err);
	int rc = booking ? journal_apply(journal, record, RSPB_REC_CHANGE, booking, err) : -1;

	rspb_booking_destroy(booking);
	return rc;
}

int journal_move(struct journal *journal, const struct sim_record *record, struct rspb_err *err)
{
	struct rspb_record change = { .kind = RSPB_REC_MOVE, .time = journal->now };
	struct rspb_booking **bookings;
	size_t n;
	int rc = journal_read_bookings(journal, record, &bookings, &n, err);

	change.bookings = (const struct rspb_booking *const *) bookings;
	change.n_bookings = n;
	journal_drop_basis(journal);
	if (!rc && rspb_ledger_apply(journal->ledger, &change, err))
		rc = sim_at(record, err);
	while (n)
		rspb_booking_destroy(bookings[--n]);
	free(bookings);
	return rc;
}

int journal_event(struct journal *journal, const struct sim_record *record, struct rspb_err *err)
{
	struct rspb_record change = { .kind = RSPB_REC_EVENT };
	struct json_object *event = sim_need(record, "event", err);
	int64_t id;

	if (!event || journal_want_machine(journal, record, err) ||
	    sim_int(record, "id", 0, INT64_MAX - 1, &id, err) ||
	    sim_int(record, "time", -time_limit, time_limit, &change.time, err))
		return -1;
	change.id = (uint64_t) id;
	if (!json_object_is_type(event, json_type_string) ||
	    rspb_event_parse(json_object_get_string(event), &change.event))
		return sim_bad(record, "event", err, "%.60s is not an event", sim_text(event));
	journal_drop_basis(journal);
	return journal_apart_event(journal, &change, err) ||
			       rspb_ledger_apply(journal->ledger, &change, err)
		       ? sim_at(record, err)
		       : 0;
}

int journal_purge(struct journal *journal, const struct sim_record *record, struct rspb_err *err)
{
	struct rspb_record advance = { .kind = RSPB_REC_ADVANCE };

	if (journal_want_machine(journal, record, err) ||
	    sim_int(record, "before", -time_limit, time_limit, &advance.time, err))
		return -1;
	journal_drop_basis(journal);
	if (rspb_ledger_apply(journal->ledger, &advance, err))
		return sim_at(record, err);
	rspb_ledger_purge(journal->ledger, advance.time);
	return 0;
}
