/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/journal/line.h"

#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "common/journal/line_settings.h"
#include "common/wire/json.h"
#include "common/wire/json_fields.h"

/* The line of one kind; takes the text of its value, which may be NULL for
 * lack of memory. */
static char *line_of(int64_t at, const char *kind, char *value)
{
	char *line = NULL;

	if (value && asprintf(&line, "{\"at\":%" PRId64 ",\"%s\":%s}\n", at,
			      kind, value) < 0)
		line = NULL;
	free(value);
	return line;
}

static char *line_of_object(int64_t at, const char *kind,
			    struct json_object *object)
{
	return line_of(at, kind, rspb_json_line(object));
}

/* Add a member; takes the value. RET the object, NULL: out of memory, and
 * all of it is dropped. */
static struct json_object *with(struct json_object *object, const char *key,
				struct json_object *value)
{
	if (object && value && !json_object_object_add(object, key, value))
		return object;
	json_object_put(value);
	json_object_put(object);
	return NULL;
}

static struct json_object *with_int(struct json_object *object, const char *key,
				    int64_t value)
{
	return with(object, key, json_object_new_int64(value));
}

/* What is said to people may hold bytes that are no JSON text. */
static struct json_object *with_text(struct json_object *object,
				     const char *key, const char *text)
{
	char clean[RSPB_ERR_TEXT];
	size_t i;

	for (i = 0; text[i] && i + 1 < sizeof(clean); i++)
		clean[i] = text[i] >= ' ' && text[i] < 0x7f ? text[i] : '?';
	clean[i] = '\0';
	return with(object, key, json_object_new_string(clean));
}

/* A list of one number for each node, as `number` says. */
static struct json_object *write_numbers(
	const struct rspb_ledger *ledger,
	int64_t (*number)(const struct rspb_ledger *ledger, uint32_t node))
{
	struct json_object *list = json_object_new_array();
	uint32_t n = rspb_ledger_nodes(ledger);

	for (uint32_t i = 0; list && i < n; i++) {
		struct json_object *one = json_object_new_int64(
			number(ledger, i));

		if (one && !json_object_array_add(list, one))
			continue;
		json_object_put(one);
		json_object_put(list);
		list = NULL;
	}
	return list;
}

static int64_t capacity_of(const struct rspb_ledger *ledger, uint32_t node)
{
	return rspb_shares_capacity(rspb_ledger_shares(ledger), node);
}

static int64_t weight_of(const struct rspb_ledger *ledger, uint32_t node)
{
	return rspb_ledger_weights(ledger)[node];
}

static struct json_object *write_names(const char *names)
{
	struct json_object *list = json_object_new_array();

	while (list && names) {
		size_t length = strcspn(names, ",");
		struct json_object *one =
			json_object_new_string_len(names, (int) length);

		names = names[length] ? names + length + 1 : NULL;
		if (one && !json_object_array_add(list, one))
			continue;
		json_object_put(one);
		json_object_put(list);
		list = NULL;
	}
	return list;
}

char *rspb_line_machine(int64_t at, const struct rspb_ledger *ledger,
			const struct rspb_config *config,
			const struct rspb_policy *policy, const char *names)
{
	const struct rspb_shares *shares = rspb_ledger_shares(ledger);
	struct json_object *o = json_object_new_object();

	o = with_int(o, "nodes", rspb_ledger_nodes(ledger));
	o = with_int(o, "now", rspb_ledger_now(ledger));
	if (o && names)
		o = with(o, "names", write_names(names));
	if (o && config->preset)
		o = with_text(o, "preset", config->preset->name);
	o = with(o, "policy", rspb_line_write_policy(policy));
	o = with(o, "settings", rspb_line_write_settings(config));
	if (o && shares)
		o = with(o, "capacity", write_numbers(ledger, capacity_of));
	if (o && rspb_ledger_weights(ledger))
		o = with(o, "weights", write_numbers(ledger, weight_of));
	return line_of_object(at, "machine", o);
}

char *rspb_line_standing(int64_t at, const struct rspb_booking *booking)
{
	return line_of(at, "standing", rspb_booking_to_json(booking));
}

char *rspb_line_block(int64_t at, int64_t start, int64_t end, bool beside,
		      const struct rspb_nodeset *nodes)
{
	struct json_object *o = json_object_new_object();
	size_t length = rspb_nodeset_print(nodes, NULL, 0);
	char *text = malloc(length + 1);

	if (text)
		rspb_nodeset_print(nodes, text, length + 1);
	o = with_int(o, "start", start);
	o = with_int(o, "end", end);
	o = with(o, "nodes", text ? json_object_new_string(text) : NULL);
	free(text);
	/* Older readers know but the other kind. */
	if (beside)
		o = with(o, "beside", json_object_new_boolean(true));
	return line_of_object(at, "block", o);
}

char *rspb_line_request(int64_t at, const struct rspb_request *request)
{
	return line_of(at, "request", rspb_request_to_json(request));
}

char *rspb_line_decide(int64_t at, int64_t now, uint64_t without)
{
	struct json_object *o = with_int(json_object_new_object(), "now", now);

	if (o && without)
		o = with(o, "without", json_object_new_uint64(without));
	return line_of_object(at, "decide", o);
}

char *rspb_line_booking(int64_t at, const struct rspb_booking *booking)
{
	return line_of(at, "booking", rspb_booking_to_json(booking));
}

static struct json_object *write_bookings(
	const struct rspb_booking *const *bookings, size_t n)
{
	struct json_object *list = json_object_new_array();

	for (size_t i = 0; list && i < n; i++) {
		char *text = rspb_booking_to_json(bookings[i]);
		struct json_object *one = text ? rspb_json_parse(text,
								 strlen(text),
								 NULL)
					       : NULL;

		free(text);
		if (one && !json_object_array_add(list, one))
			continue;
		json_object_put(one);
		json_object_put(list);
		list = NULL;
	}
	return list;
}

char *rspb_line_rescue(int64_t at, int64_t now,
		       const struct rspb_rescue *rescue,
		       const struct rspb_booking *const *bookings, size_t n)
{
	struct json_object *o = with_int(json_object_new_object(), "now", now);

	o = with(o, "id", json_object_new_uint64(rescue->id));
	o = with_int(o, "earliest", rescue->earliest);
	o = with(o, "same", json_object_new_boolean(rescue->same));
	o = with_text(o, "how", rspb_rescued_text(rescue->how));
	return line_of_object(at, "rescue",
			      with(o, "bookings", write_bookings(bookings, n)));
}

char *rspb_line_grow(int64_t at, int64_t now, int64_t before,
		     const struct rspb_booking *const *bookings, size_t n)
{
	struct json_object *o = with_int(json_object_new_object(), "now", now);

	o = with_int(o, "before", before);
	return line_of_object(at, "grow",
			      with(o, "bookings", write_bookings(bookings, n)));
}

static char *write_move(int64_t at, const struct rspb_record *record)
{
	struct json_object *list = write_bookings(record->bookings,
						  record->n_bookings);

	return line_of_object(at, "move",
			      with(json_object_new_object(), "bookings", list));
}

static char *write_event(int64_t at, const struct rspb_record *record)
{
	struct json_object *o = json_object_new_object();

	o = with(o, "id", json_object_new_uint64(record->id));
	o = with_int(o, "time", record->time);
	o = with_text(o, "event", rspb_event_name(record->event));
	if (o && record->reason)
		o = with_text(o, "reason", record->reason);
	return line_of_object(at, "event", o);
}

char *rspb_line_record(int64_t at, const struct rspb_record *record)
{
	switch (record->kind) {
	case RSPB_REC_BOOK:
		return line_of(at, "book",
			       rspb_booking_to_json(record->booking));
	case RSPB_REC_CHANGE:
		return line_of(at, "change",
			       rspb_booking_to_json(record->booking));
	case RSPB_REC_MOVE:
		return write_move(at, record);
	case RSPB_REC_EVENT:
		return write_event(at, record);
	case RSPB_REC_ADVANCE:
		break;
	}
	return NULL;
}

char *rspb_line_purge(int64_t at, int64_t before)
{
	return line_of_object(at, "purge",
			      with_int(json_object_new_object(), "before",
				       before));
}

char *rspb_line_refuse(int64_t at, uint64_t id, const char *reason)
{
	struct json_object *o = json_object_new_object();

	o = with(o, "id", json_object_new_uint64(id));
	return line_of_object(at, "refuse", with_text(o, "reason", reason));
}

char *rspb_line_gap(int64_t at, uint64_t lost, const char *why)
{
	struct json_object *o = json_object_new_object();

	o = with(o, "lost", json_object_new_uint64(lost));
	return line_of_object(at, "gap", with_text(o, "why", why));
}
