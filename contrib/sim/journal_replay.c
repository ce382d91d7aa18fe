/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine of a journal, and its ledger as it was recorded. */
#include <stdlib.h>
#include <string.h>

#include "common/journal/line.h"
#include "common/wire/json.h"
#include "contrib/sim/journal.h"
#include "contrib/sim/model.h"
#include "contrib/sim/sim.h"

static const int64_t time_limit = INT64_C(1) << 60;

int journal_want_machine(const struct journal *journal,
			 const struct sim_record *record, struct rspb_err *err)
{
	if (journal->ledger)
		return 0;
	rspb_fail(err, journal->gaps ? "after a gap the machine must follow"
				     : "the first line must be the machine");
	return sim_at(record, err);
}

void journal_drop_basis(struct journal *journal)
{
	rspb_ledger_destroy(journal->basis);
	journal->basis = NULL;
}

void journal_forget(struct journal *journal)
{
	journal_drop_basis(journal);
	rspb_ledger_destroy(journal->ledger);
	journal->ledger = NULL;
	for (uint32_t i = 0; journal->names && i < journal->nodes; i++)
		free(journal->names[i]);
	free(journal->names);
	journal->names = NULL;
}

/* An array of one entry per node. RET NULL with err. */
static struct json_object *read_list(const struct sim_record *record,
				     const char *key, int64_t nodes,
				     struct rspb_err *err)
{
	struct json_object *list = sim_array(record, key, err);

	if (!list || json_object_array_length(list) == (size_t) nodes)
		return list;
	sim_bad(record, key, err, "has %zu entries, there are %lld nodes",
		json_object_array_length(list), (long long) nodes);
	return NULL;
}

static int read_capacity(const struct sim_record *record, int64_t nodes,
			 int64_t **capacity, struct rspb_err *err)
{
	struct json_object *list;

	*capacity = NULL;
	if (!sim_has(record, "capacity"))
		return 0;
	list = read_list(record, "capacity", nodes, err);
	if (!list)
		return -1;
	*capacity = calloc((size_t) nodes, sizeof(**capacity));
	if (!*capacity)
		return rspb_fail(err, "out of memory");
	for (int64_t i = 0; i < nodes; i++)
		if (sim_value_int(record, "capacity",
				  json_object_array_get_idx(list, (size_t) i),
				  0, time_limit, &(*capacity)[i], err))
			return -1;
	return 0;
}

static int read_names(struct journal *journal, const struct sim_record *record,
		      struct rspb_err *err)
{
	struct json_object *list;

	if (!sim_has(record, "names"))
		return 0;
	list = read_list(record, "names", journal->nodes, err);
	if (!list)
		return -1;
	journal->names = calloc(journal->nodes, sizeof(*journal->names));
	for (uint32_t i = 0; journal->names && i < journal->nodes; i++) {
		struct json_object *name = json_object_array_get_idx(list, i);

		if (!json_object_is_type(name, json_type_string))
			return sim_bad(record, "names", err,
				       "%.60s is no "
				       "name",
				       sim_text(name));
		journal->names[i] = strdup(json_object_get_string(name));
		if (!journal->names[i])
			return rspb_fail(err, "out of memory");
	}
	return journal->names ? 0 : rspb_fail(err, "out of memory");
}

/* What decided: the policy in full, else settings, else a preset's name. */
static int read_policy(struct journal *journal, const struct sim_record *record,
		       struct rspb_err *err)
{
	struct rspb_policy *policy = &journal->contenders[0].policy;
	struct json_object *preset = sim_get(record, "preset");
	struct json_object *settings = sim_get(record, "settings");
	struct rspb_err why;

	journal->has_config = settings;
	rspb_config_defaults(&journal->config);
	if (settings &&
	    rspb_line_read_settings(settings, &journal->config, &why))
		return sim_bad(record, "settings", err, "%s", why.text);
	if (journal->asked)
		return 0;
	*policy = journal->config.policy;
	if (!settings && preset &&
	    sim_preset_policy(json_object_is_type(preset, json_type_string)
				      ? json_object_get_string(preset)
				      : "",
			      policy, &why))
		return sim_bad(record, "preset", err, "%s", why.text);
	if (sim_has(record, "policy") &&
	    rspb_line_read_policy(sim_get(record, "policy"), policy, &why))
		return sim_bad(record, "policy", err, "%s", why.text);
	/* What is offered instead decides nothing, and takes long. */
	policy->offer_horizon = 0;
	return 0;
}

int journal_machine(struct journal *journal, const struct sim_record *record,
		    struct rspb_err *err)
{
	int64_t nodes, now = 0, *capacity;

	if (journal_batch_end(journal, true, record, err))
		return -1;
	journal_forget(journal);
	if (sim_int(record, "nodes", 1, 1 << 24, &nodes, err) ||
	    sim_int_or(record, "now", -time_limit, time_limit, &now, err))
		return -1;
	journal->nodes = (uint32_t) nodes;
	if (read_names(journal, record, err) ||
	    read_policy(journal, record, err))
		return -1;
	if (!read_capacity(record, nodes, &capacity, err)) {
		journal->ledger = rspb_ledger_create(journal->nodes, capacity,
						     now);
		if (!journal->ledger)
			rspb_fail(err, "out of memory");
		else if (capacity)
			journal->sums.shares = true;
	}
	free(capacity);
	journal->machines++;
	return journal->ledger ? 0 : -1;
}

int journal_gap(struct journal *journal, const struct sim_record *record,
		struct rspb_err *err)
{
	int64_t lost;

	if (sim_int(record, "lost", 0, time_limit, &lost, err) ||
	    journal_batch_end(journal, true, record, err))
		return -1;
	fprintf(journal->notices,
		"%s:%zu: a gap, at least %lld entries are missing\n",
		record->file, record->line, (long long) lost);
	journal_forget(journal);
	journal->nodes = 0;
	journal->gaps++;
	return 0;
}

struct rspb_booking *journal_read_booking(const struct journal *journal,
					  const struct sim_record *record,
					  struct rspb_err *err)
{
	const char *text = sim_text(record->object);
	struct rspb_booking *booking;

	if (journal_want_machine(journal, record, err))
		return NULL;
	booking = rspb_booking_from_json(text, strlen(text), journal->nodes,
					 err);
	if (!booking)
		sim_at(record, err);
	return booking;
}

int journal_apply(struct journal *journal, const struct sim_record *record,
		  enum rspb_record_kind kind,
		  const struct rspb_booking *booking, struct rspb_err *err)
{
	struct rspb_record change = {
		.kind = kind,
		.time = journal->now,
		.id = booking->request->id,
		.booking = booking,
		.bookings = &booking,
		.n_bookings = 1,
	};

	journal_drop_basis(journal);
	return rspb_ledger_apply(journal->ledger, &change, err)
		       ? sim_at(record, err)
		       : 0;
}

/* What leads from booked to a final state. */
static const struct {
	enum rspb_event events[2];
	int n;
} ways[RSPB_N_STATES] = {
	[RSPB_CANCELLED] = { { RSPB_EV_CANCEL }, 1 },
	[RSPB_COMPLETED] = { { RSPB_EV_START, RSPB_EV_END }, 2 },
	[RSPB_TERMINATED] = { { RSPB_EV_START, RSPB_EV_TERMINATE }, 2 },
};

/* One that is over holds nothing, but its id is taken. */
static int stand(struct journal *journal, const struct sim_record *record,
		 struct rspb_booking *booking, struct rspb_err *err)
{
	enum rspb_state state = booking->state;
	struct rspb_record event = { .kind = RSPB_REC_EVENT,
				     .time = booking->start,
				     .id = booking->request->id };

	if (state == RSPB_DECLINED || state == RSPB_REQUESTED)
		return sim_bad(record, "state", err,
			       "%s is no state of a "
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

int journal_standing(struct journal *journal, const struct sim_record *record,
		     struct rspb_err *err)
{
	struct rspb_booking *booking = journal_read_booking(journal, record,
							    err);
	int rc = booking ? stand(journal, record, booking, err) : -1;

	rspb_booking_destroy(booking);
	return rc;
}

int journal_change(struct journal *journal, const struct sim_record *record,
		   struct rspb_err *err)
{
	struct rspb_booking *booking = journal_read_booking(journal, record,
							    err);
	int rc = booking ? journal_apply(journal, record, RSPB_REC_CHANGE,
					 booking, err)
			 : -1;

	rspb_booking_destroy(booking);
	return rc;
}

int journal_read_bookings(const struct journal *journal,
			  const struct sim_record *record,
			  struct rspb_booking ***list, size_t *n,
			  struct rspb_err *err)
{
	struct json_object *array = sim_array(record, "bookings", err);
	struct sim_record one = *record;
	size_t length;

	*n = 0;
	*list = NULL;
	if (!array || journal_want_machine(journal, record, err))
		return -1;
	length = json_object_array_length(array);
	*list = calloc(length + 1, sizeof(**list));
	if (!*list)
		return rspb_fail(err, "out of memory");
	while (*n < length) {
		one.object = json_object_array_get_idx(array, *n);
		(*list)[*n] = journal_read_booking(journal, &one, err);
		if (!(*list)[*n])
			return -1;
		++*n;
	}
	return 0;
}

int journal_move(struct journal *journal, const struct sim_record *record,
		 struct rspb_err *err)
{
	struct rspb_record change = { .kind = RSPB_REC_MOVE,
				      .time = journal->now };
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

int journal_event(struct journal *journal, const struct sim_record *record,
		  struct rspb_err *err)
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
		return sim_bad(record, "event", err, "%.60s is no event",
			       sim_text(event));
	journal_drop_basis(journal);
	return rspb_ledger_apply(journal->ledger, &change, err)
		       ? sim_at(record, err)
		       : 0;
}

int journal_purge(struct journal *journal, const struct sim_record *record,
		  struct rspb_err *err)
{
	struct rspb_record advance = { .kind = RSPB_REC_ADVANCE };

	if (journal_want_machine(journal, record, err) ||
	    sim_int(record, "before", -time_limit, time_limit, &advance.time,
		    err))
		return -1;
	journal_drop_basis(journal);
	if (rspb_ledger_apply(journal->ledger, &advance, err))
		return sim_at(record, err);
	rspb_ledger_purge(journal->ledger, advance.time);
	return 0;
}
