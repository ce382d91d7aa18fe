/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records as JSON objects, by tables of fields: where each lies in its struct,
 * of which kind it is, what it may be. The controller writes them only, into
 * its journal; who reads them goes by the same tables.
 *
 * {"id":7,"user":1000,"arrival":0,"ready":60,"deadline":7260,"duration":3600,
 *  "priority":10,"asap":false,"benefit":"linear:25%","parts":[{"nodes":4,
 *  "nodes_min":4,"fixed":"0-3"}]}
 *
 * Times are seconds, node sets ranges as text, benefit functions the text of
 * --benefit, ratios "0.75" or "2/7". Fields of a part that have no value (share
 * 0, no fixed nodes) are left out. The same value has the same text always.
 */
#ifndef RSPB_WIRE_JSON_H
#define RSPB_WIRE_JSON_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/nodeset.h"

enum rspb_json_kind {
	RSPB_JSON_INT64,
	RSPB_JSON_UINT32,
	RSPB_JSON_UINT64,
	RSPB_JSON_BOOL,
	RSPB_JSON_BENEFIT,
	RSPB_JSON_RATIO,
	RSPB_JSON_NODES,       /* struct rspb_nodeset *, NULL: left out */
	RSPB_JSON_REASON,      /* char[high] */
	RSPB_JSON_TEXT,	       /* char *, owned, below high bytes; NULL: "" */
	RSPB_JSON_WORD,	       /* an enum, by its name */
	RSPB_JSON_ROW,	       /* a row of a table (common/base/names.h), likewise */
	RSPB_JSON_OWN_BENEFIT, /* where there is one */
	/* Members of a part, if it has any; of a request; of a booking. */
	RSPB_JSON_QUOTAS,
	RSPB_JSON_ODD,
	RSPB_JSON_TIERS,
	RSPB_JSON_FORMS,
	RSPB_JSON_PARTS,
	RSPB_JSON_REQUEST,
	RSPB_JSON_GRANTS
};

struct rspb_json_field {
	const char *key;
	enum rspb_json_kind kind;
	size_t offset;
	bool needed;	   /* else whoever reads leaves the record as it is, and 0 is
		      * not written */
	int64_t low, high; /* of numbers; high of words and rows: how many, or
			    * the size of each */
	const void *names; /* const char *const [high] of words; the rows */
};

/* Each ended by key NULL. */
extern const struct rspb_json_field rspb_json_request[], rspb_json_part[], rspb_json_quota[],
	rspb_json_odd[], rspb_json_tier[], rspb_json_form[], rspb_json_booking[], rspb_json_grant[];

/* RET a new value, NULL: out of memory. */
struct json_object *rspb_json_nodes(const struct rspb_nodeset *set);
struct json_object *rspb_json_write(const struct rspb_json_field *fields, const void *record);
/* Add a member to an object (key NULL: to an array); takes the value. RET the
 * object; NULL when it or the value is, or without memory: both are dropped. */
struct json_object *rspb_json_with(struct json_object *object, const char *key,
				   struct json_object *value);
/* The same of a number. */
struct json_object *rspb_json_with_int(struct json_object *object, const char *key, int64_t value);
/* RET the object that a line is, the caller puts it back; NULL: it is none. */
struct json_object *rspb_json_parse(const char *line, size_t length);
/* RET the line of an object without its end, malloc'ed, and drop the object
 * (NULL: out of memory). */
char *rspb_json_line(struct json_object *object);
/* RET a line of a journal, {"at":S,"KIND":VALUE} with its seal (seal.h) and its end,
 * malloc'ed; takes the value (NULL: out of memory). NULL: out of memory. */
char *rspb_json_sealed(int64_t at, const char *kind, struct json_object *value);

/* --- members of JSON objects by what they are. Without an object (NULL) there is none --- */

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
