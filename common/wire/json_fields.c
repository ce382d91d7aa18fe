/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/wire/json_fields.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/nodeset.h"
#include "common/request/benefit.h"
#include "common/wire/json.h"

/* Objects within objects: a booking's request's parts. */
enum { DEEPEST = 8 };

static void *place(const struct rspb_json_field *field, void *record)
{
	return (char *) record + field->offset;
}

static const void *place_of(const struct rspb_json_field *field,
			    const void *record)
{
	return (const char *) record + field->offset;
}

/* RET 0 with *value, or -1: out of memory. */
static int give(struct json_object *made, struct json_object **value)
{
	*value = made;
	return made ? 0 : -1;
}

static int read_whole(const struct rspb_json_field *field,
		      struct json_object *value, int64_t *out,
		      struct rspb_err *err)
{
	struct rspb_quote quote;
	const char *text = json_object_to_json_string(value);
	int64_t v = json_object_get_int64(value);

	/* What does not fit is read as the nearest number that does, which
	 * was not what was given; no field reaches as far as that. */
	if (v == INT64_MAX || v == INT64_MIN)
		text = "a number of more than 18 digits";
	if (!json_object_is_type(value, json_type_int) || v < field->low ||
	    v > field->high)
		return rspb_fail(err,
				 "%s is not allowed; allowed is a whole "
				 "number, %" PRId64 " to %" PRId64,
				 rspb_text_quote(&quote, text, strlen(text)),
				 field->low, field->high);
	*out = v;
	return 0;
}

static int read_int64(const struct rspb_json_field *field,
		      struct json_object *value, void *record, uint32_t width,
		      struct rspb_err *err)
{
	(void) width;
	return read_whole(field, value, place(field, record), err);
}

/* A number that is 0 is written only where the field is needed. */
static int write_whole(const struct rspb_json_field *field, int64_t v,
		       struct json_object **value)
{
	if (!v && !field->needed)
		return 0;
	return give(json_object_new_int64(v), value);
}

static int write_int64(const struct rspb_json_field *field, const void *record,
		       struct json_object **value)
{
	return write_whole(field, *(const int64_t *) place_of(field, record),
			   value);
}

static int read_uint32(const struct rspb_json_field *field,
		       struct json_object *value, void *record, uint32_t width,
		       struct rspb_err *err)
{
	int64_t v;

	(void) width;
	if (read_whole(field, value, &v, err) < 0)
		return -1;
	*(uint32_t *) place(field, record) = (uint32_t) v;
	return 0;
}

static int write_uint32(const struct rspb_json_field *field, const void *record,
			struct json_object **value)
{
	return write_whole(field, *(const uint32_t *) place_of(field, record),
			   value);
}

/* The kinds with text: what it says is left to `parse`. */
static int read_text(struct json_object *value, const char **text,
		     struct rspb_err *err)
{
	size_t len;

	if (!json_object_is_type(value, json_type_string))
		return rspb_fail(err, "is not a text in quotes");
	*text = json_object_get_string(value);
	len = (size_t) json_object_get_string_len(value);
	if (strlen(*text) != len || !rspb_text_printable(*text, len))
		return rspb_fail(err, "holds control characters");
	return 0;
}

static int read_uint64(const struct rspb_json_field *field,
		       struct json_object *value, void *record, uint32_t width,
		       struct rspb_err *err)
{
	uint64_t v = json_object_get_uint64(value);

	(void) width;
	if (!json_object_is_type(value, json_type_int) || v == UINT64_MAX ||
	    (!v && json_object_get_int64(value) < 0))
		return rspb_fail(err, "is not a whole number from 0 to "
				      "2^64 - 2");
	*(uint64_t *) place(field, record) = v;
	return 0;
}

static int write_uint64(const struct rspb_json_field *field, const void *record,
			struct json_object **value)
{
	uint64_t v = *(const uint64_t *) place_of(field, record);

	return give(json_object_new_uint64(v), value);
}

static int read_bool(const struct rspb_json_field *field,
		     struct json_object *value, void *record, uint32_t width,
		     struct rspb_err *err)
{
	(void) width;
	if (!json_object_is_type(value, json_type_boolean))
		return rspb_fail(err, "is neither true nor false");
	*(bool *) place(field, record) = json_object_get_boolean(value);
	return 0;
}

static int write_bool(const struct rspb_json_field *field, const void *record,
		      struct json_object **value)
{
	return give(json_object_new_boolean(
			    *(const bool *) place_of(field, record)),
		    value);
}

static int read_benefit(const struct rspb_json_field *field,
			struct json_object *value, void *record, uint32_t width,
			struct rspb_err *err)
{
	const char *text;

	(void) width;
	if (read_text(value, &text, err) < 0)
		return -1;
	return rspb_benefit_parse(text, place(field, record), err);
}

static int write_benefit(const struct rspb_json_field *field,
			 const void *record, struct json_object **value)
{
	/* Twice as long as what a flag's points can need. */
	char text[2 * RSPB_BENEFIT_TEXT];

	if (rspb_benefit_print(place_of(field, record), text, sizeof(text)) >=
	    sizeof(text))
		return -1;
	return give(json_object_new_string(text), value);
}

static int read_ratio(const struct rspb_json_field *field,
		      struct json_object *value, void *record, uint32_t width,
		      struct rspb_err *err)
{
	const char *text;

	(void) width;
	if (read_text(value, &text, err) < 0)
		return -1;
	return rspb_ratio_parse(text, strlen(text), place(field, record), err);
}

static int write_ratio(const struct rspb_json_field *field, const void *record,
		       struct json_object **value)
{
	char text[64];
	struct rspb_text out = rspb_text_over(text, sizeof(text));

	rspb_ratio_print(*(const struct rspb_ratio *) place_of(field, record),
			 &out);
	return give(json_object_new_string(text), value);
}

static int read_nodes(const struct rspb_json_field *field,
		      struct json_object *value, void *record, uint32_t width,
		      struct rspb_err *err)
{
	struct rspb_nodeset **to = place(field, record), *set;
	const char *text;

	if (read_text(value, &text, err) < 0)
		return -1;
	set = rspb_nodeset_create(width);
	if (!set)
		return rspb_fail(err, "out of memory");
	if (rspb_nodeset_parse(set, text, err) < 0) {
		rspb_nodeset_destroy(set);
		return -1;
	}
	rspb_nodeset_destroy(*to);
	*to = set;
	return 0;
}

static int write_nodes(const struct rspb_json_field *field, const void *record,
		       struct json_object **value)
{
	struct rspb_nodeset *const *set = place_of(field, record);
	size_t len;
	char *text;
	int rc;

	if (!*set)
		return 0;
	len = rspb_nodeset_print(*set, NULL, 0);
	text = malloc(len + 1);
	if (!text)
		return -1;
	rspb_nodeset_print(*set, text, len + 1);
	rc = give(json_object_new_string(text), value);
	free(text);
	return rc;
}

static int read_reason(const struct rspb_json_field *field,
		       struct json_object *value, void *record, uint32_t width,
		       struct rspb_err *err)
{
	const char *text;

	(void) width;
	if (read_text(value, &text, err) < 0)
		return -1;
	if (strlen(text) >= RSPB_ERR_TEXT)
		return rspb_fail(err, "is longer than %d bytes",
				 RSPB_ERR_TEXT - 1);
	strcpy(place(field, record), text);
	return 0;
}

static int write_reason(const struct rspb_json_field *field, const void *record,
			struct json_object **value)
{
	return give(json_object_new_string(place_of(field, record)), value);
}

const struct rspb_json_kind rspb_json_int64 = { read_int64, write_int64 };
const struct rspb_json_kind rspb_json_uint32 = { read_uint32, write_uint32 };
const struct rspb_json_kind rspb_json_uint64 = { read_uint64, write_uint64 };
const struct rspb_json_kind rspb_json_bool = { read_bool, write_bool };
const struct rspb_json_kind rspb_json_benefit = { read_benefit, write_benefit };
const struct rspb_json_kind rspb_json_ratio = { read_ratio, write_ratio };
const struct rspb_json_kind rspb_json_nodes = { read_nodes, write_nodes };
const struct rspb_json_kind rspb_json_reason = { read_reason, write_reason };

static int check_known(const struct rspb_json_field *fields, const char *key,
		       struct rspb_err *err)
{
	struct rspb_quote quote;

	for (const struct rspb_json_field *f = fields; f->key; f++)
		if (!strcmp(f->key, key))
			return 0;
	return rspb_fail(err, "unknown field '%s'",
			 rspb_text_quote(&quote, key, strlen(key)));
}

int rspb_json_read(const struct rspb_json_field *fields,
		   struct json_object *object, void *record, uint32_t width,
		   struct rspb_err *err)
{
	if (!json_object_is_type(object, json_type_object))
		return rspb_fail(err, "is not an object");
	json_object_object_foreach(object, key, ignored)
	{
		(void) ignored;
		if (check_known(fields, key, err) < 0)
			return -1;
	}
	for (const struct rspb_json_field *f = fields; f->key; f++) {
		struct json_object *value;

		if (!json_object_object_get_ex(object, f->key, &value)) {
			if (!f->needed)
				continue;
			return rspb_fail(err, "field '%s' is missing", f->key);
		}
		if (f->kind->read(f, value, record, width, err) < 0)
			return rspb_fail_at(err, "%s", f->key);
	}
	return 0;
}

struct json_object *rspb_json_write(const struct rspb_json_field *fields,
				    const void *record)
{
	struct json_object *object = json_object_new_object();

	for (const struct rspb_json_field *f = fields; object && f->key; f++) {
		struct json_object *value = NULL;

		if (f->kind->write(f, record, &value) == 0 &&
		    (!value || !json_object_object_add(object, f->key, value)))
			continue;
		json_object_put(value);
		json_object_put(object);
		object = NULL;
	}
	return object;
}

struct json_object *rspb_json_parse(const char *text, size_t len,
				    struct rspb_err *err)
{
	struct json_tokener *tok;
	struct json_object *object;
	enum json_tokener_error problem;
	size_t end;

	if (len > RSPB_JSON_MAX) {
		rspb_fail(err, "the line is longer than %d bytes",
			  RSPB_JSON_MAX);
		return NULL;
	}
	tok = json_tokener_new_ex(DEEPEST);
	if (!tok) {
		rspb_fail(err, "out of memory");
		return NULL;
	}
	json_tokener_set_flags(tok, JSON_TOKENER_STRICT |
					    JSON_TOKENER_VALIDATE_UTF8);
	object = json_tokener_parse_ex(tok, text, (int) len);
	problem = json_tokener_get_error(tok);
	end = json_tokener_get_parse_end(tok);
	json_tokener_free(tok);
	if (problem == json_tokener_success && end == len && object)
		return object;
	json_object_put(object);
	rspb_fail(err, "not one JSON object: %s at byte %zu",
		  problem == json_tokener_continue ? "it ends too early"
		  : problem == json_tokener_success
			  ? "more follows"
			  : json_tokener_error_desc(problem),
		  end);
	return NULL;
}

char *rspb_json_line(struct json_object *object)
{
	const char *text;
	char *line = NULL;

	if (!object)
		return NULL;
	text = json_object_to_json_string_ext(
		object,
		JSON_C_TO_STRING_PLAIN | JSON_C_TO_STRING_NOSLASHESCAPE);
	if (text)
		line = strdup(text);
	json_object_put(object);
	return line;
}
