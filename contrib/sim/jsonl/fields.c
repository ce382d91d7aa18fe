/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/jsonl/fields.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int sim_at(const struct sim_record *record, struct rspb_err *err)
{
	return rspb_fail_at(err, "%s:%zu", record->file, record->line);
}

int sim_bad(const struct sim_record *record, const char *key,
	    struct rspb_err *err, const char *fmt, ...)
{
	char text[RSPB_ERR_TEXT];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	rspb_fail(err, "field \"%s%s\": %s", record->within, key, text);
	return sim_at(record, err);
}

struct json_object *sim_get(const struct sim_record *record, const char *key)
{
	return json_object_object_get(record->object, key);
}

bool sim_has(const struct sim_record *record, const char *key)
{
	return sim_get(record, key) != NULL;
}

struct json_object *sim_need(const struct sim_record *record, const char *key,
			     struct rspb_err *err)
{
	struct json_object *value = sim_get(record, key);

	if (!value)
		sim_bad(record, key, err, "is missing");
	return value;
}

struct json_object *sim_array(const struct sim_record *record, const char *key,
			      struct rspb_err *err)
{
	struct json_object *value = sim_need(record, key, err);

	if (value && !json_object_is_type(value, json_type_array)) {
		sim_bad(record, key, err, "must be an array");
		return NULL;
	}
	return value;
}

const char *sim_text(struct json_object *value)
{
	return json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN);
}

int sim_value_int(const struct sim_record *record, const char *key,
		  struct json_object *value, int64_t low, int64_t high,
		  int64_t *out, struct rspb_err *err)
{
	double real;
	int64_t number;

	if (json_object_is_type(value, json_type_double)) {
		/* 5.0 is a whole number, 5.5 is not. */
		real = json_object_get_double(value);
		if (!(real > -9e15 && real < 9e15) ||
		    real != (double) (int64_t) real)
			return sim_bad(record, key, err,
				       "%.60s is not a "
				       "whole number",
				       sim_text(value));
		number = (int64_t) real;
	} else if (json_object_is_type(value, json_type_int)) {
		number = json_object_get_int64(value);
	} else {
		return sim_bad(record, key, err, "%.60s is not a whole number",
			       sim_text(value));
	}
	if (number < low || number > high)
		return sim_bad(record, key, err,
			       "%.60s is out of range, "
			       "allowed is %lld to %lld",
			       sim_text(value), (long long) low,
			       (long long) high);
	*out = number;
	return 0;
}

int sim_int(const struct sim_record *record, const char *key, int64_t low,
	    int64_t high, int64_t *out, struct rspb_err *err)
{
	struct json_object *value = sim_need(record, key, err);

	if (!value)
		return -1;
	return sim_value_int(record, key, value, low, high, out, err);
}

int sim_int_or(const struct sim_record *record, const char *key, int64_t low,
	       int64_t high, int64_t *out, struct rspb_err *err)
{
	if (!sim_has(record, key))
		return 0;
	return sim_int(record, key, low, high, out, err);
}

int sim_bool_or(const struct sim_record *record, const char *key, bool *out,
		struct rspb_err *err)
{
	struct json_object *value = sim_get(record, key);

	if (!value)
		return 0;
	if (!json_object_is_type(value, json_type_boolean))
		return sim_bad(record, key, err,
			       "%.60s is neither true nor "
			       "false",
			       sim_text(value));
	*out = json_object_get_boolean(value);
	return 0;
}

int sim_name_or(const struct sim_record *record, const char *key,
		const char *const *names, int *out, struct rspb_err *err)
{
	struct json_object *value = sim_get(record, key);
	char allowed[200] = "";

	if (!value)
		return 0;
	for (int i = 0; names[i]; i++) {
		if (json_object_is_type(value, json_type_string) &&
		    !strcmp(json_object_get_string(value), names[i])) {
			*out = i;
			return 0;
		}
		snprintf(allowed + strlen(allowed),
			 sizeof(allowed) - strlen(allowed), "%s\"%s\"",
			 i ? ", " : "", names[i]);
	}
	return sim_bad(record, key, err, "%.60s is none of %s", sim_text(value),
		       allowed);
}

int sim_value_decimal(struct rspb_pool *pool, const struct sim_record *record,
		      const char *key, struct json_object *value,
		      const struct rspb_rational *least,
		      struct rspb_rational *out, struct rspb_err *err)
{
	struct rspb_err why;
	struct rspb_rational number;

	switch (json_object_get_type(value)) {
	case json_type_int:
		/* What is beyond 64 bits was cut when it was read. */
		if (json_object_get_int64(value) == INT64_MIN ||
		    json_object_get_int64(value) == INT64_MAX)
			return sim_bad(record, key, err,
				       "is out of range, "
				       "whole numbers have 63 bits");
		break;
	case json_type_double:
	case json_type_string:
		break;
	default:
		return sim_bad(record, key, err, "%.60s is not a number",
			       sim_text(value));
	}
	/* A double keeps the digits it was read from. */
	if (rspb_rational_parse(pool, json_object_get_string(value), &number,
				&why))
		return sim_bad(record, key, err, "%.200s", why.text);
	if (least && rspb_rational_compare(number, *least) < 0)
		return sim_bad(record, key, err,
			       "%.60s is too small, the "
			       "least allowed is %g",
			       sim_text(value), rspb_rational_double(*least));
	*out = number;
	return 0;
}

int sim_decimal(struct rspb_pool *pool, const struct sim_record *record,
		const char *key, const struct rspb_rational *least,
		struct rspb_rational *out, struct rspb_err *err)
{
	struct json_object *value = sim_need(record, key, err);

	if (!value)
		return -1;
	return sim_value_decimal(pool, record, key, value, least, out, err);
}

int sim_decimal_or(struct rspb_pool *pool, const struct sim_record *record,
		   const char *key, const struct rspb_rational *least,
		   struct rspb_rational *out, struct rspb_err *err)
{
	if (!sim_has(record, key))
		return 0;
	return sim_decimal(pool, record, key, least, out, err);
}

int64_t sim_decimals(struct rspb_pool *pool, const struct sim_record *record,
		     const char *key, size_t n,
		     const struct rspb_rational *least,
		     struct rspb_rational **out, struct rspb_err *err)
{
	struct json_object *array = sim_array(record, key, err);
	char name[64];
	size_t length;

	if (!array)
		return -1;
	length = json_object_array_length(array);
	if (n && length != n)
		return sim_bad(record, key, err,
			       "has %zu entries, wanted are "
			       "%zu",
			       length, n);
	*out = rspb_pool_alloc(pool, length * sizeof(**out));
	for (size_t i = 0; i < length; i++) {
		snprintf(name, sizeof(name), "%.40s[%zu]", key, i);
		if (sim_value_decimal(pool, record, name,
				      json_object_array_get_idx(array, i),
				      least, &(*out)[i], err))
			return -1;
	}
	return (int64_t) length;
}
