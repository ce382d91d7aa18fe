/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "contrib/sim/jsonl/fields.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int sim_at(const struct sim_record *record, struct rspb_err *err)
{
	return rspb_fail_at(err, "%s:%zu", record->file, record->line);
}

int sim_bad(const struct sim_record *record, const char *key, struct rspb_err *err, const char *fmt,
	    ...)
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

/* RET whether a name is one of a list by spaces. */
static bool is_of(const char *name, const char *members)
{
	size_t length = strlen(name);

	for (const char *at = members; *at; at += *at == ' ') {
		size_t n = strcspn(at, " ");

		if (n == length && !memcmp(at, name, n))
			return true;
		at += n;
	}
	return false;
}

int sim_only(const struct sim_record *record, const char *members, struct rspb_err *err)
{
	json_object_object_foreach(record->object, key, ignored)
	{
		char name[61];

		(void) ignored;
		snprintf(name, sizeof(name), "%s", key);
		if (!is_of(key, members))
			return sim_bad(record, name, err, "is unknown, allowed are %s", members);
	}
	return 0;
}

struct json_object *sim_need(const struct sim_record *record, const char *key, struct rspb_err *err)
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

int sim_value_int(const struct sim_record *record, const char *key, struct json_object *value,
		  int64_t low, int64_t high, int64_t *out, struct rspb_err *err)
{
	double real;
	int64_t number;

	if (json_object_is_type(value, json_type_double)) {
		/* 5.0 is a whole number, 5.5 is not. */
		real = json_object_get_double(value);
		if (!(real > -9e15 && real < 9e15) || real != (double) (int64_t) real)
			return sim_bad(record, key, err,
				       "%.60s is not a "
				       "whole number",
				       sim_text(value));
		number = (int64_t) real;
	} else if (json_object_is_type(value, json_type_int)) {
		number = json_object_get_int64(value);
	} else {
		return sim_bad(record, key, err, "%.60s is not a whole number", sim_text(value));
	}
	if (number < low || number > high)
		return sim_bad(record, key, err,
			       "%.60s is out of range, "
			       "allowed is %lld to %lld",
			       sim_text(value), (long long) low, (long long) high);
	*out = number;
	return 0;
}

int sim_int(const struct sim_record *record, const char *key, int64_t low, int64_t high,
	    int64_t *out, struct rspb_err *err)
{
	struct json_object *value = sim_need(record, key, err);

	if (!value)
		return -1;
	return sim_value_int(record, key, value, low, high, out, err);
}

int sim_int_or(const struct sim_record *record, const char *key, int64_t low, int64_t high,
	       int64_t *out, struct rspb_err *err)
{
	if (!sim_has(record, key))
		return 0;
	return sim_int(record, key, low, high, out, err);
}

int sim_bool_or(const struct sim_record *record, const char *key, bool *out, struct rspb_err *err)
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

int sim_name_or(const struct sim_record *record, const char *key, const char *const *names,
		int *out, struct rspb_err *err)
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
		snprintf(allowed + strlen(allowed), sizeof(allowed) - strlen(allowed), "%s\"%s\"",
			 i ? ", " : "", names[i]);
	}
	return sim_bad(record, key, err, "%.60s is none of %s", sim_text(value), allowed);
}
