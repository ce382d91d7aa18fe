/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/wire/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/text.h"
#include "common/base/times.h"
#include "common/request/booking.h"
#include "common/wire/seal.h"

/* A field is named after its member. `needed` of false means that a value of 0 is not written, and
 * that a reader keeps what it has. */
#define FIELD(type, member, kind, needed, low, high)                                               \
	{                                                                                          \
#member, RSPB_JSON_##kind, offsetof(struct type, member), needed, low, high, NULL  \
	}
#define TIME(type, member) FIELD(type, member, INT64, true, RSPB_TIME_MIN + 1, RSPB_TIME_MAX - 1)
#define END                                                                                        \
	{                                                                                          \
		.key = NULL                                                                        \
	}

/* The tables are shared with the readers in contrib/sim/jsonl. A new field must not be needed,
 * because journals of earlier releases lack it. */
const struct rspb_json_field rspb_json_quota[] = {
	FIELD(rspb_quota, key, UINT64, true, 0, 0),
	FIELD(rspb_quota, most, INT64, true, -1, INT64_MAX - 1),
	FIELD(rspb_quota, use, INT64, false, 0, INT64_MAX - 1),
	FIELD(rspb_quota, per_node, INT64, false, 0, INT64_MAX - 1),
	FIELD(rspb_quota, per_cpu, INT64, false, 0, INT64_MAX - 1),
	FIELD(rspb_quota, one, INT64, false, 0, INT32_MAX),
	FIELD(rspb_quota, each, INT64, false, 0, INT32_MAX),
	FIELD(rspb_quota, all, INT64, false, 0, INT64_MAX - 1),
	FIELD(rspb_quota, span, INT64, false, 0, RSPB_QUOTA_EVER),
	FIELD(rspb_quota, unit, INT64, false, 0, INT64_MAX - 1),
	FIELD(rspb_quota, name, REASON, true, 0, RSPB_QUOTA_NAME),
	END
};

const struct rspb_json_field rspb_json_tier[] = { FIELD(rspb_tier, distance, UINT32, true, 0,
							UINT32_MAX),
						  FIELD(rspb_tier, nodes, NODES, true, 0, 0), END };

const struct rspb_json_field rspb_json_odd[] = {
	FIELD(rspb_odd, node, UINT32, true, 0, UINT32_MAX),
	FIELD(rspb_odd, key, UINT64, true, 0, 0),
	FIELD(rspb_odd, amount, INT64, true, 1, INT64_MAX - 1), END
};

const struct rspb_json_field rspb_json_form[] = {
	FIELD(rspb_form, nodes, UINT32, true, 1, UINT32_MAX),
	FIELD(rspb_form, duration, INT64, true, 1, RSPB_TIME_MAX - 1),
	FIELD(rspb_form, tasks, UINT32, false, 0, INT32_MAX), END
};

const struct rspb_json_field rspb_json_part[] = {
	FIELD(rspb_part, nodes, UINT32, true, 1, UINT32_MAX),
	FIELD(rspb_part, nodes_min, UINT32, true, 1, UINT32_MAX),
	FIELD(rspb_part, share, INT64, false, 0, RSPB_TIME_MAX - 1),
	FIELD(rspb_part, share_min, INT64, false, 0, RSPB_TIME_MAX - 1),
	FIELD(rspb_part, whole, INT64, false, 0, INT32_MAX),
	FIELD(rspb_part, weight, INT64, false, 0, INT32_MAX),
	FIELD(rspb_part, tasks, UINT32, false, 0, INT32_MAX),
	FIELD(rspb_part, fewer, UINT32, false, 0, INT32_MAX),
	FIELD(rspb_part, share_one, INT64, false, 0, INT32_MAX),
	FIELD(rspb_part, share_each, INT64, false, 0, INT32_MAX),
	FIELD(rspb_part, benefit, OWN_BENEFIT, false, 0, 0),
	FIELD(rspb_part, fixed, NODES, false, 0, 0),
	FIELD(rspb_part, eligible, NODES, false, 0, 0),
	FIELD(rspb_part, leaves, UINT32, false, 0, UINT32_MAX),
	FIELD(rspb_part, leaves_for, INT64, false, 0, RSPB_TIME_MAX - 1),
	{ "odd", RSPB_JSON_ODD, 0, false, 0, 0, NULL },
	{ "tiers", RSPB_JSON_TIERS, 0, false, 0, 0, NULL },
	{ "quotas", RSPB_JSON_QUOTAS, 0, false, 0, 0, NULL },
	END
};

const struct rspb_json_field rspb_json_request[] = {
	FIELD(rspb_request, id, UINT64, true, 0, 0),
	FIELD(rspb_request, user, UINT32, true, 0, UINT32_MAX),
	TIME(rspb_request, arrival),
	TIME(rspb_request, ready),
	TIME(rspb_request, deadline),
	FIELD(rspb_request, duration, INT64, true, 1, RSPB_TIME_MAX - 1),
	FIELD(rspb_request, priority, INT64, true, 0, INT64_MAX - 1),
	FIELD(rspb_request, asap, BOOL, true, 0, 0),
	FIELD(rspb_request, remind, INT64, false, 0, RSPB_TIME_MAX - 1),
	FIELD(rspb_request, moves, INT64, false, 0, RSPB_TIME_MAX - 1),
	FIELD(rspb_request, clean_up, INT64, false, 0, RSPB_TIME_MAX - 1),
	FIELD(rspb_request, held, INT64, false, 0, RSPB_TIME_MAX - 1),
	FIELD(rspb_request, labels, TEXT, false, 0, RSPB_REQUEST_LABELS),
	FIELD(rspb_request, benefit, BENEFIT, true, 0, 0),
	FIELD(rspb_request, benefit_time, OWN_BENEFIT, false, 0, 0),
	FIELD(rspb_request, price, INT64, false, 0, RSPB_PRICE_MOST),
	{ "forms", RSPB_JSON_FORMS, 0, false, 0, 0, NULL },
	FIELD(rspb_request, step, INT64, false, 0, 86400),
	FIELD(rspb_request, shortest, INT64, false, 0, RSPB_TIME_MAX - 1),
	FIELD(rspb_request, punctual, BOOL, false, 0, 0),
	FIELD(rspb_request, speed, UINT32, false, 0, UINT32_MAX),
	{ "parts", RSPB_JSON_PARTS, 0, true, 0, 0, NULL },
	END
};

const struct rspb_json_field rspb_json_grant[] = {
	FIELD(rspb_grant, nodes, NODES, true, 0, 0),
	FIELD(rspb_grant, share, INT64, false, 0, RSPB_TIME_MAX - 1),
	FIELD(rspb_grant, promise, INT64, false, 0, RSPB_TIME_MAX - 1),
	FIELD(rspb_grant, had, INT64, false, 0, RSPB_TIME_MAX - 1),
	FIELD(rspb_grant, outage, INT64, false, 0, RSPB_TIME_MAX - 1),
	FIELD(rspb_grant, benefit, RATIO, true, 0, 0),
	END
};

/* The request comes before the grants, because a reader needs it to read them. */
const struct rspb_json_field rspb_json_booking[] = {
	{ "request", RSPB_JSON_REQUEST, 0, true, 0, 0, NULL },
	{ "state", RSPB_JSON_WORD, offsetof(struct rspb_booking, state), true, 0, RSPB_N_STATES,
	  rspb_state_names },
	TIME(rspb_booking, start),
	TIME(rspb_booking, end),
	TIME(rspb_booking, decided_at),
	FIELD(rspb_booking, benefit, RATIO, true, 0, 0),
	{ "grants", RSPB_JSON_GRANTS, 0, true, 0, 0, NULL },
	{ "reason", RSPB_JSON_TEXT, offsetof(struct rspb_booking, why), true, 0, RSPB_ERR_TEXT,
	  NULL },
	END
};

/* RET NULL: out of memory, or the text does not fit. The caller drops the whole line then. */
static struct json_object *write_benefit(const struct rspb_benefit *benefit)
{
	/* Twice as long as what a flag's points can need. */
	char text[2 * RSPB_BENEFIT_TEXT];

	if (rspb_benefit_print(benefit, text, sizeof(text)) >= sizeof(text))
		return NULL;
	return json_object_new_string(text);
}

/* A ratio is written as exact text, since a floating-point number could not be read back
 * exactly. */
static struct json_object *write_ratio(const struct rspb_ratio *ratio)
{
	char text[64];
	struct rspb_text out = rspb_text_over(text, sizeof(text));

	rspb_ratio_print(*ratio, &out);
	return json_object_new_string(text);
}

struct json_object *rspb_json_nodes(const struct rspb_nodeset *set)
{
	/* A set may have any number of ranges, so its text is measured first. */
	size_t size = rspb_nodeset_print(set, NULL, 0) + 1;
	struct json_object *value = NULL;
	char *text = malloc(size);

	if (text) {
		rspb_nodeset_print(set, text, size);
		value = json_object_new_string(text);
	}
	free(text);
	return value;
}

static struct json_object *write_row(const void *at)
{
	const char *const *row;

	/* A row of whatever type begins with its name. */
	memcpy(&row, at, sizeof(row));
	return json_object_new_string(*row);
}

/* Return an array with the objects of n records of `size` bytes, or NULL without memory. A failure
 * in one record drops all of them. */
static struct json_object *write_all(const struct rspb_json_field *fields, const void *records,
				     size_t size, uint32_t n)
{
	struct json_object *array = json_object_new_array();
	const char *at = records;

	for (uint32_t i = 0; array && i < n; i++)
		array = rspb_json_with(array, NULL, rspb_json_write(fields, at + i * size));
	return array;
}

/* Return the value of a field at `at`, or NULL without memory. Kinds that are lists get the record
 * itself, since their offset is 0. */
static struct json_object *write_value(const struct rspb_json_field *field, const void *at)
{
	const struct rspb_request *request = at;
	const struct rspb_booking *booking = at;
	const struct rspb_part *part = at;
	const struct rspb_benefit *own;

	switch (field->kind) {
	case RSPB_JSON_INT64:
		return json_object_new_int64(*(const int64_t *) at);
	case RSPB_JSON_UINT32:
		return json_object_new_int64(*(const uint32_t *) at);
	case RSPB_JSON_UINT64:
		return json_object_new_uint64(*(const uint64_t *) at);
	case RSPB_JSON_BOOL:
		return json_object_new_boolean(*(const bool *) at);
	case RSPB_JSON_BENEFIT:
	case RSPB_JSON_OWN_BENEFIT:
		own = *(struct rspb_benefit *const *) at;
		/* A request without a benefit function of its own has the default, which is written
		 * out, as the field is needed. */
		return write_benefit(own ? own : &rspb_benefit_hard);
	case RSPB_JSON_RATIO:
		return write_ratio(at);
	case RSPB_JSON_NODES:
		return rspb_json_nodes(*(struct rspb_nodeset *const *) at);
	case RSPB_JSON_REASON:
		return json_object_new_string(at);
	case RSPB_JSON_TEXT:
		return json_object_new_string(rspb_text_kept(*(char *const *) at));
	case RSPB_JSON_WORD:
		return json_object_new_string(
			((const char *const *) field->names)[*(const unsigned *) at]);
	case RSPB_JSON_ROW:
		return write_row(at);
	case RSPB_JSON_QUOTAS:
		return write_all(rspb_json_quota, part->quotas, sizeof(*part->quotas),
				 part->n_quotas);
	case RSPB_JSON_ODD:
		return write_all(rspb_json_odd, part->odd, sizeof(*part->odd), part->n_odd);
	case RSPB_JSON_TIERS:
		return write_all(rspb_json_tier, part->tiers, sizeof(*part->tiers), part->n_tiers);
	case RSPB_JSON_FORMS:
		return write_all(rspb_json_form, request->forms, sizeof(*request->forms),
				 request->n_forms);
	case RSPB_JSON_PARTS:
		return write_all(rspb_json_part, request->parts, sizeof(*request->parts),
				 request->n_parts);
	case RSPB_JSON_REQUEST:
		return rspb_json_write(rspb_json_request, booking->request);
	case RSPB_JSON_GRANTS:
		return write_all(rspb_json_grant, booking->grants, sizeof(*booking->grants),
				 booking->n_grants);
	}
	return NULL;
}

/* Tell whether a field is not written: it has no value, and a reader assumes the same without it.
 * Sets and lists are left out if there are none. */
static bool left_out(const struct rspb_json_field *field, const void *at)
{
	const struct rspb_request *request = at;
	const struct rspb_part *part = at;

	switch (field->kind) {
	case RSPB_JSON_INT64:
		return !field->needed && !*(const int64_t *) at;
	case RSPB_JSON_UINT32:
		return !field->needed && !*(const uint32_t *) at;
	case RSPB_JSON_BOOL:
		return !field->needed && !*(const bool *) at;
	case RSPB_JSON_REASON:
		return !field->needed && !*(const char *) at;
	case RSPB_JSON_TEXT:
		return !field->needed && !*(char *const *) at;
	case RSPB_JSON_NODES:
		return !*(struct rspb_nodeset *const *) at;
	case RSPB_JSON_OWN_BENEFIT:
		return !*(struct rspb_benefit *const *) at;
	case RSPB_JSON_FORMS:
		return !request->n_forms;
	case RSPB_JSON_ODD:
		return !part->n_odd;
	case RSPB_JSON_TIERS:
		return !part->n_tiers;
	case RSPB_JSON_QUOTAS:
		return !part->n_quotas;
	default:
		return false;
	}
}

struct json_object *rspb_json_write(const struct rspb_json_field *fields, const void *record)
{
	struct json_object *object = json_object_new_object();

	for (const struct rspb_json_field *f = fields; object && f->key; f++) {
		const void *at = (const char *) record + f->offset;

		if (!left_out(f, at))
			/* After a failure the object is NULL and the loop ends. */
			object = rspb_json_with(object, f->key, write_value(f, at));
	}
	return object;
}

struct json_object *rspb_json_with(struct json_object *object, const char *key,
				   struct json_object *value)
{
	if (object && value &&
	    !(key ? json_object_object_add(object, key, value)
		  : json_object_array_add(object, value)))
		return object;
	/* Both are dropped here, so callers can chain calls and check the last one only. */
	json_object_put(value);
	json_object_put(object);
	return NULL;
}

struct json_object *rspb_json_with_int(struct json_object *object, const char *key, int64_t value)
{
	return rspb_json_with(object, key, json_object_new_int64(value));
}

struct json_object *rspb_json_parse(const char *line, size_t length)
{
	struct json_tokener *tok = json_tokener_new();
	struct json_object *object = NULL;

	if (tok)
		/* The length is given, because a line need not end with a zero byte. The library
		 * limits the nesting. */
		object = json_tokener_parse_ex(tok, line, (int) length);
	json_tokener_free(tok);
	return object;
}

char *rspb_json_line(struct json_object *object)
{
	const char *text = NULL;
	char *line;

	if (object)
		text = json_object_to_json_string_ext(object,
						      JSON_C_TO_STRING_PLAIN |
							      JSON_C_TO_STRING_NOSLASHESCAPE);
	/* The text belongs to the object, which is dropped in any case. */
	line = text ? strdup(text) : NULL;
	json_object_put(object);
	return line;
}

char *rspb_json_sealed(int64_t at, const char *kind, struct json_object *value)
{
	char *text = rspb_json_line(value), *line = NULL;
	int length = -1;

	if (text)
		/* The line is put together as text, so that its seal is the last member. The blanks
		 * are room for the seal and the end of the line. */
		length = asprintf(&line, "{\"at\":%" PRId64 ",\"%s\":%s}%*s", at, kind, text,
				  RSPB_SEAL_ROOM + 1, "");
	free(text);
	if (length < 0)
		return NULL;
	/* The seal covers the object up to its closing brace and overwrites the blanks. */
	length -= RSPB_SEAL_ROOM + 1;
	strcpy(line + rspb_seal_close(line, (size_t) length), "\n");
	return line;
}

/* --- members of JSON objects; the reader judges what they may be --- */

/* Readers of answers need no checks in between: a missing object has no members, and a missing
 * member has no value. */
json_object *rspb_json_get(json_object *of, const char *key)
{
	json_object *value = NULL;

	json_object_object_get_ex(of, key, &value);
	return value;
}

int64_t rspb_json_int(json_object *of, const char *key)
{
	return json_object_get_int64(rspb_json_get(of, key));
}

double rspb_json_real(json_object *of, const char *key)
{
	return json_object_get_double(rspb_json_get(of, key));
}

bool rspb_json_bool(json_object *of, const char *key)
{
	return json_object_get_boolean(rspb_json_get(of, key));
}

const char *rspb_json_text(json_object *of, const char *key)
{
	json_object *value = rspb_json_get(of, key);

	/* json-c would print a value of another type as text. */
	return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
}

json_object *rspb_json_list(json_object *of, const char *key)
{
	json_object *value = rspb_json_get(of, key);

	return json_object_is_type(value, json_type_array) ? value : NULL;
}

void rspb_json_put(json_object *to, const char *key, json_object *value)
{
	/* The value is taken over even if it cannot be added; the object then lacks the member. */
	if (!to || json_object_object_add(to, key, value))
		json_object_put(value);
}

void rspb_json_put_int(json_object *to, const char *key, int64_t value)
{
	rspb_json_put(to, key, json_object_new_int64(value));
}

void rspb_json_put_real(json_object *to, const char *key, double value, int places)
{
	char text[64];

	/* json-c would print 17 digits, most of which are noise of the calculation. */
	snprintf(text, sizeof(text), "%.*g", places, value);
	rspb_json_put(to, key, json_object_new_double_s(value, text));
}

void rspb_json_put_bool(json_object *to, const char *key, bool value)
{
	rspb_json_put(to, key, json_object_new_boolean(value));
}

void rspb_json_put_text(json_object *to, const char *key, const char *value)
{
	rspb_json_put(to, key, json_object_new_string(value));
}
