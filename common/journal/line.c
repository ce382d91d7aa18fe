/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/journal/line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "common/policy/degrade.h"
#include "common/policy/order.h"
#include "common/policy/when.h"
#include "common/policy/where.h"
#include "common/wire/json.h"
#include "common/wire/json_fields.h"

/* The choices of a policy are kept by their names. */

/* RET NULL with err: it is no text. */
static const char *read_name(struct json_object *value, struct rspb_err *err)
{
	if (json_object_is_type(value, json_type_string))
		return json_object_get_string(value);
	rspb_fail(err, "is not a text in quotes");
	return NULL;
}

static int give_text(const char *text, struct json_object **value)
{
	*value = json_object_new_string(text);
	return *value ? 0 : -1;
}

/* clang-format off */
#define CHOICE(member, find)						\
	static int read_##member(const struct rspb_json_field *field,	\
				 struct json_object *value, void *record, \
				 uint32_t width, struct rspb_err *err)	\
	{								\
		struct rspb_policy *policy = record;			\
		const char *name = read_name(value, err);		\
		const struct rspb_##member *row;			\
									\
		(void) field;						\
		(void) width;						\
		if (!name)						\
			return -1;					\
		row = find(name);					\
		if (!row)						\
			return rspb_fail(err, "\"%.40s\" is unknown",	\
					 name);				\
		policy->member = row;					\
		return 0;						\
	}								\
	static int write_##member(const struct rspb_json_field *field,	\
				  const void *record,			\
				  struct json_object **value)		\
	{								\
		const struct rspb_policy *policy = record;		\
									\
		(void) field;						\
		return give_text(policy->member->name, value);		\
	}								\
	static const struct rspb_json_kind member##_kind = {		\
		read_##member, write_##member				\
	}
/* clang-format on */

CHOICE(order, rspb_order_named);
CHOICE(when, rspb_when_find);
CHOICE(where, rspb_where_find);
CHOICE(degrade, rspb_degrade_find);

static const char *const open_ends[] = {
	[RSPB_OPEN_DEADLINE] = "deadline",
	[RSPB_OPEN_INFINITE] = "infinite",
	[RSPB_OPEN_LAST] = "last",
	[RSPB_OPEN_DEADLINE_ONLY] = "deadline-only",
	NULL
};

static int read_open_end(const struct rspb_json_field *field,
			 struct json_object *value, void *record,
			 uint32_t width, struct rspb_err *err)
{
	struct rspb_policy *policy = record;
	const char *name = read_name(value, err);

	(void) field;
	(void) width;
	if (!name)
		return -1;
	for (int i = 0; open_ends[i]; i++) {
		if (strcmp(open_ends[i], name))
			continue;
		policy->open_end = (enum rspb_open_end) i;
		return 0;
	}
	return rspb_fail(err,
			 "\"%.40s\" is none of deadline, infinite, last, "
			 "deadline-only",
			 name);
}

static int write_open_end(const struct rspb_json_field *field,
			  const void *record, struct json_object **value)
{
	const struct rspb_policy *policy = record;

	(void) field;
	return give_text(open_ends[policy->open_end], value);
}

static const struct rspb_json_kind open_end_kind = { read_open_end,
						     write_open_end };

#define NUMBER(member)                                                         \
	{                                                                      \
#member, &rspb_json_int64,                                     \
			offsetof(struct rspb_policy, member), true, 0,         \
			INT64_MAX - 1                                          \
	}
#define FLAG(member)                                                           \
	{                                                                      \
#member, &rspb_json_bool,                                      \
			offsetof(struct rspb_policy, member), true, 0, 0       \
	}
#define NAME(member)                                                           \
	{                                                                      \
#member, &member##_kind, 0, true, 0, 0                         \
	}

/* All that struct rspb_policy holds but the batch interval, which is the
 * simulator's: what was decided together stands in the journal. */
/* clang-format off */
static const struct rspb_json_field policy_fields[] = {
	NAME(order), NAME(when), NAME(where), NAME(degrade),
	FLAG(trim), FLAG(distinct), NAME(open_end),
	NUMBER(headroom), NUMBER(long_headroom), NUMBER(long_duration),
	FLAG(crowd_prompt), NUMBER(patience), FLAG(tie_load),
	NUMBER(offer_horizon),
	/* Journals from before there was a choice say nothing. */
	{ "keep_surplus", &rspb_json_bool,
	  offsetof(struct rspb_policy, keep_surplus), false, 0, 0 },
	{ NULL, NULL, 0, false, 0, 0 }
};
/* clang-format on */

int rspb_line_read_policy(struct json_object *object,
			  struct rspb_policy *policy, struct rspb_err *err)
{
	struct rspb_policy read = *policy;

	if (rspb_json_read(policy_fields, object, &read, 0, err))
		return -1;
	*policy = read;
	return 0;
}

/* RET the settings as an object, canonical text by key. */
static struct json_object *write_settings(const struct rspb_config *config)
{
	struct json_object *object = json_object_new_object(), *text;
	char value[RSPB_CONFIG_LIST + 64];

	for (const struct rspb_option *o = rspb_options; object && o->key;
	     o++) {
		o->get(config, value, sizeof(value));
		text = json_object_new_string(value);
		if (text && !json_object_object_add(object, o->key, text))
			continue;
		json_object_put(text);
		json_object_put(object);
		object = NULL;
	}
	return object;
}

static int read_setting(const char *key, struct json_object *value,
			struct rspb_config *config, struct rspb_err *err)
{
	const struct rspb_option *option = rspb_option_find(key);
	const char *text = read_name(value, err);

	if (!option)
		return rspb_fail(err, "%.40s: is no key of rspb.conf", key);
	if (!text || option->set(config, text, err))
		return rspb_fail_at(err, "%s", option->key);
	return 0;
}

int rspb_line_read_settings(struct json_object *object,
			    struct rspb_config *config, struct rspb_err *err)
{
	struct rspb_config read;

	rspb_config_defaults(&read);
	if (!json_object_is_type(object, json_type_object))
		return rspb_fail(err, "is not an object");
	/* The preset first: other keys replace parts of it. */
	for (int preset = 1; preset >= 0; preset--) {
		json_object_object_foreach(object, key, value)
		{
			if ((rspb_option_find(key) == rspb_options) == preset &&
			    read_setting(key, value, &read, err))
				return -1;
		}
	}
	*config = read;
	return 0;
}

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
	o = with(o, "policy", rspb_json_write(policy_fields, policy));
	o = with(o, "settings", write_settings(config));
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
