/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Members of JSON objects by what they are. Without an object (NULL) there is none. */
#ifndef RSPB_WIRE_MEMBERS_H
#define RSPB_WIRE_MEMBERS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

/* RET a member, NULL: there is none. */
json_object *rspb_json_get(json_object *of, const char *key);
/* RET its value; 0, "", NULL: there is none, or it is something else. */
int64_t rspb_json_int(json_object *of, const char *key);
double rspb_json_real(json_object *of, const char *key);
bool rspb_json_bool(json_object *of, const char *key);
const char *rspb_json_text(json_object *of, const char *key);
json_object *rspb_json_list(json_object *of, const char *key);

/* Add a member, which is another one from then on. put() takes over the value; a real
 * number has so many places at the most. */
void rspb_json_put(json_object *to, const char *key, json_object *value);
void rspb_json_put_int(json_object *to, const char *key, int64_t value);
void rspb_json_put_real(json_object *to, const char *key, double value, int places);
void rspb_json_put_bool(json_object *to, const char *key, bool value);
void rspb_json_put_text(json_object *to, const char *key, const char *value);

#endif
