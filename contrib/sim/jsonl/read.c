/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/jsonl/read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/base/names.h"
#include "common/base/text.h"
#include "plugins/wire/strict.h"

/* Objects within objects: a booking's request's parts. */
enum { DEEPEST = 8, MOST = RSPB_MAX_PARTS };

static int read_whole(const struct rspb_json_field *field, struct json_object *value, int64_t *out,
		      struct rspb_err *err)
{
	struct rspb_quote quote;
	const char *text = json_object_to_json_string(value);
	int64_t v = json_object_get_int64(value);

	/* A number that does not fit is read as the nearest one that does, which was not given; no
	 * field allows a number as large as that. */
	if (v == INT64_MAX || v == INT64_MIN)
		text = "a number of more than 18 digits";
	if (!json_object_is_type(value, json_type_int) || v < field->low || v > field->high)
		return rspb_fail(err,
				 "%s is not allowed; allowed is a whole "
				 "number, %" PRId64 " to %" PRId64,
				 rspb_text_quote(&quote, text, strlen(text)), field->low,
				 field->high);
	*out = v;
	return 0;
}

static int read_uint32(const struct rspb_json_field *field, struct json_object *value,
		       uint32_t *out, struct rspb_err *err)
{
	int64_t v;

	if (read_whole(field, value, &v, err) < 0)
		return -1;
	*out = (uint32_t) v;
	return 0;
}

static int read_uint64(struct json_object *value, uint64_t *out, struct rspb_err *err)
{
	uint64_t v = json_object_get_uint64(value);

	if (!json_object_is_type(value, json_type_int) || v == UINT64_MAX ||
	    (!v && json_object_get_int64(value) < 0))
		return rspb_fail(err, "is not a whole number from 0 to "
				      "2^64 - 2");
	*out = v;
	return 0;
}

static int read_bool(struct json_object *value, bool *out, struct rspb_err *err)
{
	if (!json_object_is_type(value, json_type_boolean))
		return rspb_fail(err, "is neither true nor false");
	*out = json_object_get_boolean(value);
	return 0;
}

/* RET the text of a value, or NULL with err. */
static const char *text_of(struct json_object *value, struct rspb_err *err)
{
	const char *text = json_object_get_string(value);

	if (!json_object_is_type(value, json_type_string)) {
		rspb_fail(err, "is not a text in quotes");
		return NULL;
	}
	if (strlen(text) != (size_t) json_object_get_string_len(value) ||
	    !rspb_text_printable(text, strlen(text))) {
		rspb_fail(err, "holds control characters");
		return NULL;
	}
	return text;
}

static int read_nodes(const char *text, uint32_t width, struct rspb_nodeset **out,
		      struct rspb_err *err)
{
	struct rspb_nodeset *set = rspb_nodeset_create(width);

	if (!set)
		return rspb_fail(err, "out of memory");
	if (rspb_nodeset_parse(set, text, err) < 0) {
		rspb_nodeset_destroy(set);
		return -1;
	}
	rspb_nodeset_destroy(*out);
	*out = set;
	return 0;
}

static int read_reason(const struct rspb_json_field *field, const char *text, char *out,
		       struct rspb_err *err)
{
	if (strlen(text) >= (size_t) field->high)
		return rspb_fail(err, "is longer than %" PRId64 " bytes", field->high - 1);
	strcpy(out, text);
	return 0;
}

static int read_own_text(const struct rspb_json_field *field, const char *text, char **out,
			 struct rspb_err *err)
{
	if (strlen(text) >= (size_t) field->high)
		return rspb_fail(err, "is longer than %" PRId64 " bytes", field->high - 1);
	return rspb_text_keep(out, text) ? rspb_fail(err, "out of memory") : 0;
}

static int read_word(const struct rspb_json_field *field, const char *text, unsigned *out,
		     struct rspb_err *err)
{
	const char *const *words = field->names;

	for (unsigned i = 0; i < (uint64_t) field->high; i++) {
		if (strcmp(words[i], text))
			continue;
		*out = i;
		return 0;
	}
	return rspb_fail(err, "\"%.40s\" is unknown", text);
}

static int read_row(const struct rspb_json_field *field, const char *text, void *out,
		    struct rspb_err *err)
{
	const void *row = rspb_names_find(field->names, (size_t) field->high, text);

	if (!row)
		return rspb_fail(err, "\"%.40s\" is unknown", text);
	memcpy(out, &row, sizeof(row));
	return 0;
}

/* The kinds that are texts. */
static int read_text(const struct rspb_json_field *field, struct json_object *value, void *at,
		     uint32_t width, struct rspb_err *err)
{
	const char *text = text_of(value, err);

	if (!text)
		return -1;
	switch (field->kind) {
	case RSPB_JSON_BENEFIT:
	case RSPB_JSON_OWN_BENEFIT:
		return rspb_benefit_read(at, text, err);
	case RSPB_JSON_RATIO:
		return rspb_ratio_parse(text, strlen(text), at, err);
	case RSPB_JSON_NODES:
		return read_nodes(text, width, at, err);
	case RSPB_JSON_REASON:
		return read_reason(field, text, at, err);
	case RSPB_JSON_TEXT:
		return read_own_text(field, text, at, err);
	case RSPB_JSON_WORD:
		return read_word(field, text, at, err);
	default:
		return read_row(field, text, at, err);
	}
}

/* An array of records of `size` bytes, into *n of them at *records: the owner of
 * both destroys them, however far it went. */
static int read_array(const struct rspb_json_field *fields, struct json_object *array,
		      void *records, size_t size, uint32_t *n, uint32_t width, struct rspb_err *err)
{
	size_t len;
	char *list;

	if (!json_object_is_type(array, json_type_array))
		return rspb_fail(err, "is not an array");
	len = json_object_array_length(array);
	if (len > MOST)
		return rspb_fail(err, "%zu members; allowed are up to %d", len, MOST);
	list = calloc(len + 1, size);
	if (!list)
		return rspb_fail(err, "out of memory");
	memcpy(records, &list, sizeof(list));
	*n = (uint32_t) len;
	for (uint32_t i = 0; i < len; i++)
		if (sim_read(fields, json_object_array_get_idx(array, i), list + i * size, width,
			     err) < 0)
			return rspb_fail_at(err, "[%u]", i);
	return 0;
}

static int read_grants(struct json_object *value, struct rspb_booking *booking, uint32_t width,
		       struct rspb_err *err)
{
	if (read_array(rspb_json_grant, value, &booking->grants, sizeof(*booking->grants),
		       &booking->n_grants, width, err) < 0)
		return -1;
	if (booking->n_grants && booking->n_grants != booking->request->n_parts)
		return rspb_fail(err,
				 "%u members; allowed are none or one "
				 "per part, %u",
				 booking->n_grants, booking->request->n_parts);
	return 0;
}

static struct rspb_request *read_request(struct json_object *object, uint32_t width,
					 struct rspb_err *err)
{
	struct rspb_request *request = calloc(1, sizeof(*request));

	if (!request) {
		rspb_fail(err, "out of memory");
		return NULL;
	}
	if (sim_read(rspb_json_request, object, request, width, err) < 0 ||
	    rspb_request_validate(request, width, err) < 0) {
		rspb_request_destroy(request);
		return NULL;
	}
	return request;
}

static int read_value(const struct rspb_json_field *field, struct json_object *value, void *at,
		      uint32_t width, struct rspb_err *err)
{
	struct rspb_request *request = at;
	struct rspb_booking *booking = at;
	struct rspb_part *part = at;

	switch (field->kind) {
	case RSPB_JSON_INT64:
		return read_whole(field, value, at, err);
	case RSPB_JSON_UINT32:
		return read_uint32(field, value, at, err);
	case RSPB_JSON_UINT64:
		return read_uint64(value, at, err);
	case RSPB_JSON_BOOL:
		return read_bool(value, at, err);
	case RSPB_JSON_QUOTAS:
		return read_array(rspb_json_quota, value, &part->quotas, sizeof(*part->quotas),
				  &part->n_quotas, 0, err);
	case RSPB_JSON_ODD:
		return read_array(rspb_json_odd, value, &part->odd, sizeof(*part->odd),
				  &part->n_odd, 0, err);
	case RSPB_JSON_TIERS:
		return read_array(rspb_json_tier, value, &part->tiers, sizeof(*part->tiers),
				  &part->n_tiers, width, err);
	case RSPB_JSON_FORMS:
		return read_array(rspb_json_form, value, &request->forms, sizeof(*request->forms),
				  &request->n_forms, 0, err);
	case RSPB_JSON_PARTS:
		return read_array(rspb_json_part, value, &request->parts, sizeof(*request->parts),
				  &request->n_parts, width, err);
	case RSPB_JSON_REQUEST:
		booking->request = read_request(value, width, err);
		return booking->request ? 0 : -1;
	case RSPB_JSON_GRANTS:
		return read_grants(value, at, width, err);
	default:
		return read_text(field, value, at, width, err);
	}
}

static int check_known(const struct rspb_json_field *fields, const char *key, struct rspb_err *err)
{
	struct rspb_quote quote;

	for (const struct rspb_json_field *f = fields; f->key; f++)
		if (!strcmp(f->key, key))
			return 0;
	return rspb_fail(err, "unknown field '%s'", rspb_text_quote(&quote, key, strlen(key)));
}

int sim_read(const struct rspb_json_field *fields, struct json_object *object, void *record,
	     uint32_t width, struct rspb_err *err)
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
		if (read_value(f, value, (char *) record + f->offset, width, err) < 0)
			return rspb_fail_at(err, "%s", f->key);
	}
	return 0;
}

/* RET the object of a whole line (json_object_put it), NULL with err. */
static struct json_object *parse(const char *text, size_t len, struct rspb_err *err)
{
	struct json_tokener *tok = NULL;
	struct json_object *object;
	enum json_tokener_error problem;
	size_t end;

	if (len > SIM_READ_MAX)
		rspb_fail(err, "the line is longer than %d bytes", SIM_READ_MAX);
	else if (!(tok = json_tokener_new_ex(DEEPEST)))
		rspb_fail(err, "out of memory");
	if (!tok)
		return NULL;
	object = rspb_strict_parse(tok, text, len, 0);
	problem = json_tokener_get_error(tok);
	end = json_tokener_get_parse_end(tok);
	json_tokener_free(tok);
	if (problem == json_tokener_success && end == len && object)
		return object;
	json_object_put(object);
	rspb_fail(err, "not one JSON object: %s at byte %zu",
		  problem == json_tokener_continue  ? "it ends too early"
		  : problem == json_tokener_success ? "more follows"
						    : json_tokener_error_desc(problem),
		  end);
	return NULL;
}

struct rspb_request *sim_read_request(const char *text, size_t len, uint32_t width,
				      struct rspb_err *err)
{
	struct json_object *object = parse(text, len, err);
	struct rspb_request *request = NULL;

	if (object)
		request = read_request(object, width, err);
	json_object_put(object);
	if (!request)
		rspb_fail_at(err, "request");
	return request;
}

static int check_window(const struct rspb_booking *b, struct rspb_err *err)
{
	if (b->n_grants && b->start >= b->end)
		return rspb_fail(err, "end: must come after start");
	return 0;
}

struct rspb_booking *sim_read_booking(const char *text, size_t len, uint32_t width,
				      struct rspb_err *err)
{
	struct json_object *object = parse(text, len, err);
	struct rspb_booking *booking = object ? calloc(1, sizeof(*booking)) : NULL;

	if (object && !booking)
		rspb_fail(err, "out of memory");
	if (booking && (sim_read(rspb_json_booking, object, booking, width, err) < 0 ||
			check_window(booking, err) < 0)) {
		rspb_booking_destroy(booking);
		booking = NULL;
	}
	json_object_put(object);
	if (!booking)
		rspb_fail_at(err, "booking");
	return booking;
}
