/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads and adds members of JSON objects. What a member may be is its reader's. */
#include "common/wire/members.h"

#include <stdio.h>

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

	return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : "";
}

json_object *rspb_json_list(json_object *of, const char *key)
{
	json_object *value = rspb_json_get(of, key);

	return json_object_is_type(value, json_type_array) ? value : NULL;
}

void rspb_json_put(json_object *to, const char *key, json_object *value)
{
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
