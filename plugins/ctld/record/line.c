/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Turns notes into lines of text, and nothing back: rspb-sim reads them. */
#include "plugins/ctld/record/line.h"

#include <stdlib.h>
#include <string.h>

#include "common/policy/fields.h"
#include "common/wire/json.h"

/* Every setting is written, also those that have their defaults: another release may have
 * others. */
static struct json_object *write_settings(const struct rspb_config *config)
{
	struct json_object *object = json_object_new_object();
	char value[RSPB_CONFIG_LIST + 64];

	for (const struct rspb_option *o = rspb_options; o->key; o++) {
		rspb_option_get(o, config, value, sizeof(value));
		object = rspb_json_with(object, o->key, json_object_new_string(value));
	}
	/* Rules may be given several times; they are kept as one text outside of the table. */
	if (config->rules[0])
		object = rspb_json_with(object, "Rule", json_object_new_string(config->rules));
	return object;
}

static struct json_object *with_id(struct json_object *object, const char *key, uint64_t value)
{
	return rspb_json_with(object, key, json_object_new_uint64(value));
}

static struct json_object *with_bool(struct json_object *object, const char *key, bool value)
{
	return rspb_json_with(object, key, json_object_new_boolean(value));
}

/* Add a text for users. Bytes that are no printable ASCII become '?', because they may be no
 * valid JSON text, and the reader need not show them. */
static struct json_object *with_text(struct json_object *object, const char *key, const char *text)
{
	char clean[RSPB_ERR_TEXT];
	size_t i;

	for (i = 0; text[i] && i + 1 < sizeof(clean); i++)
		clean[i] = text[i] >= ' ' && text[i] < 0x7f ? text[i] : '?';
	clean[i] = '\0';
	return rspb_json_with(object, key, json_object_new_string(clean));
}

/* A list of one number for each node, as `number` says. */
static struct json_object *write_numbers(const struct rspb_ledger *ledger,
					 int64_t (*number)(const struct rspb_ledger *ledger,
							   uint32_t node))
{
	struct json_object *list = json_object_new_array();

	for (uint32_t i = 0; i < rspb_ledger_nodes(ledger); i++)
		list = rspb_json_with_int(list, NULL, number(ledger, i));
	return list;
}

/* Getters for write_numbers(), each for one property of a node. */
static int64_t capacity_of(const struct rspb_ledger *ledger, uint32_t node)
{
	return rspb_shares_capacity(rspb_ledger_shares(ledger), node);
}

static int64_t weight_of(const struct rspb_ledger *ledger, uint32_t node)
{
	return rspb_ledger_marks(ledger).weights[node];
}

static int64_t leaf_of(const struct rspb_ledger *ledger, uint32_t node)
{
	return rspb_ledger_marks(ledger).leaves[node];
}

static int64_t speed_of(const struct rspb_ledger *ledger, uint32_t node)
{
	return rspb_ledger_marks(ledger).speeds[node];
}

/* Write what the nodes have of each kind, {"key":..., "of":[...]}. */
static struct json_object *write_rooms(const struct rspb_ledger *ledger)
{
	struct json_object *list = json_object_new_array();
	uint32_t nodes = rspb_ledger_nodes(ledger);
	size_t n;
	const struct rspb_room *rooms = rspb_ledger_rooms(ledger, &n);

	for (size_t i = 0; list && i < n; i++) {
		struct json_object *o = json_object_new_object();
		struct json_object *of = json_object_new_array();

		for (uint32_t k = 0; of && k < nodes; k++)
			of = rspb_json_with_int(of, NULL, rooms[i].of[k]);
		o = rspb_json_with(o, "key", json_object_new_uint64(rooms[i].key));
		list = rspb_json_with(list, NULL, rspb_json_with(o, "of", of));
	}
	return list;
}

/* Split the list at its commas. NULL, at the end or from the start, ends it. */
static struct json_object *write_names(const char *names)
{
	struct json_object *list = json_object_new_array();

	while (names) {
		size_t length = strcspn(names, ",");

		list = rspb_json_with(list, NULL, json_object_new_string_len(names, (int) length));
		names = names[length] ? names + length + 1 : NULL;
	}
	return list;
}

char *rspb_line_machine(int64_t at, const struct rspb_ledger *ledger,
			const struct rspb_config *config, const struct rspb_policy *policy,
			const char *names)
{
	const struct rspb_shares *shares = rspb_ledger_shares(ledger);
	struct json_object *o = json_object_new_object();
	size_t n_rooms;

	o = rspb_json_with_int(o, "nodes", rspb_ledger_nodes(ledger));
	o = rspb_json_with_int(o, "now", rspb_ledger_now(ledger));
	if (names)
		o = rspb_json_with(o, "names", write_names(names));
	/* The preset is a label for readers. The policy that decides is written in full below
	 * it. */
	if (config->preset)
		o = with_text(o, "preset", config->preset->name);
	o = rspb_json_with(o, "policy", rspb_json_write(rspb_policy_fields, policy));
	o = rspb_json_with(o, "settings", write_settings(config));
	/* Properties that the machine does not have are left out, so that the line stays short. */
	if (shares)
		o = rspb_json_with(o, "capacity", write_numbers(ledger, capacity_of));
	if (rspb_ledger_marks(ledger).weights)
		o = rspb_json_with(o, "weights", write_numbers(ledger, weight_of));
	if (rspb_ledger_marks(ledger).leaves)
		o = rspb_json_with(o, "leaves", write_numbers(ledger, leaf_of));
	if (rspb_ledger_marks(ledger).speeds)
		o = rspb_json_with(o, "speeds", write_numbers(ledger, speed_of));
	rspb_ledger_rooms(ledger, &n_rooms);
	if (n_rooms)
		o = rspb_json_with(o, "rooms", write_rooms(ledger));
	return rspb_json_sealed(at, "machine", o);
}

char *rspb_line_booking(int64_t at, const char *kind, const struct rspb_booking *booking)
{
	return rspb_json_sealed(at, kind, rspb_json_write(rspb_json_booking, booking));
}

char *rspb_line_block(int64_t at, int64_t start, int64_t end, bool beside,
		      const struct rspb_nodeset *nodes)
{
	struct json_object *o = json_object_new_object();

	o = rspb_json_with_int(o, "start", start);
	o = rspb_json_with_int(o, "end", end);
	o = rspb_json_with(o, "nodes", rspb_json_nodes(nodes));
	/* Older readers know but the other kind. */
	if (beside)
		o = with_bool(o, "beside", true);
	return rspb_json_sealed(at, "block", o);
}

char *rspb_line_hold(int64_t at, const struct rspb_hold *hold)
{
	struct json_object *o = json_object_new_object();

	o = rspb_json_with(o, "key", json_object_new_uint64(hold->key));
	o = rspb_json_with_int(o, "amount", hold->amount);
	o = rspb_json_with_int(o, "start", hold->start);
	if (hold->on)
		o = rspb_json_with_int(o, "on", hold->on - 1);
	return rspb_json_sealed(at, "hold", rspb_json_with_int(o, "end", hold->end));
}

char *rspb_line_request(int64_t at, const struct rspb_request *request)
{
	return rspb_json_sealed(at, "request", rspb_json_write(rspb_json_request, request));
}

char *rspb_line_decide(int64_t at, int64_t now, uint64_t without)
{
	struct json_object *o = rspb_json_with_int(json_object_new_object(), "now", now);

	if (without)
		o = with_id(o, "without", without);
	return rspb_json_sealed(at, "decide", o);
}

/* The line of an object and a list of bookings. */
static char *line_of_bookings(int64_t at, const char *kind, struct json_object *object,
			      const struct rspb_booking *const *bookings, size_t n)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; i < n; i++)
		list = rspb_json_with(list, NULL, rspb_json_write(rspb_json_booking, bookings[i]));
	return rspb_json_sealed(at, kind, rspb_json_with(object, "bookings", list));
}

char *rspb_line_rescue(int64_t at, int64_t now, const struct rspb_rescue *rescue,
		       const struct rspb_booking *const *bookings, size_t n)
{
	struct json_object *o = rspb_json_with_int(json_object_new_object(), "now", now);

	o = with_id(o, "id", rescue->id);
	o = rspb_json_with_int(o, "earliest", rescue->earliest);
	o = with_bool(o, "same", rescue->same);
	/* Members that are 0 or false are left out: readers of earlier releases do not know
	 * them. */
	if (rescue->sooner)
		o = rspb_json_with_int(o, "sooner", rescue->sooner);
	if (rescue->restore)
		o = with_bool(o, "restore", true);
	o = with_text(o, "how", rspb_rescued_text(rescue->how));
	return line_of_bookings(at, "rescue", o, bookings, n);
}

char *rspb_line_grow(int64_t at, int64_t now, int64_t before,
		     const struct rspb_booking *const *bookings, size_t n)
{
	struct json_object *o = rspb_json_with_int(json_object_new_object(), "now", now);

	o = rspb_json_with_int(o, "before", before);
	return line_of_bookings(at, "grow", o, bookings, n);
}

static char *line_of_event(int64_t at, const struct rspb_record *record)
{
	struct json_object *o = json_object_new_object();

	o = with_id(o, "id", record->id);
	o = rspb_json_with_int(o, "time", record->time);
	o = with_text(o, "event", rspb_event_name(record->event));
	if (record->reason)
		o = with_text(o, "reason", record->reason);
	return rspb_json_sealed(at, "event", o);
}

/* The kinds of lines are those of the ledger's records, so that a reader can apply them in this
 * order. */
char *rspb_line_record(int64_t at, const struct rspb_record *record)
{
	switch (record->kind) {
	case RSPB_REC_BOOK:
		return rspb_line_booking(at, "book", record->booking);
	case RSPB_REC_CHANGE:
		return rspb_line_booking(at, "change", record->booking);
	case RSPB_REC_MOVE:
		return line_of_bookings(at, "move", json_object_new_object(), record->bookings,
					record->n_bookings);
	case RSPB_REC_EVENT:
		return line_of_event(at, record);
	/* The replay gets a purge line instead of this record. */
	case RSPB_REC_ADVANCE:
		break;
	}
	return NULL;
}

char *rspb_line_purge(int64_t at, int64_t before)
{
	return rspb_json_sealed(at, "purge",
				rspb_json_with_int(json_object_new_object(), "before", before));
}

char *rspb_line_refuse(int64_t at, uint64_t id, const char *reason)
{
	struct json_object *o = with_id(json_object_new_object(), "id", id);

	return rspb_json_sealed(at, "refuse", with_text(o, "reason", reason));
}

char *rspb_line_gap(int64_t at, uint64_t lost, const char *why)
{
	struct json_object *o = with_id(json_object_new_object(), "lost", lost);

	return rspb_json_sealed(at, "gap", with_text(o, "why", why));
}
