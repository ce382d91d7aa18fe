/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records as JSON objects by a table of fields: where each lies in its struct,
 * of which kind it is, what it may be. Used by json.c and journal_line.c alone.
 */
#ifndef RSPB_WIRE_JSON_FIELDS_H
#define RSPB_WIRE_JSON_FIELDS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

struct rspb_json_field;

struct rspb_json_kind {
	/* RET 0, or -1 with a sentence that does not name the field. */
	int (*read)(const struct rspb_json_field *field,
		    struct json_object *value, void *record, uint32_t width,
		    struct rspb_err *err);
	/* RET 0 with the value, NULL to leave the field out; -1: no memory. */
	int (*write)(const struct rspb_json_field *field, const void *record,
		     struct json_object **value);
};

struct rspb_json_field {
	const char *key;
	const struct rspb_json_kind *kind;
	size_t offset;
	bool needed; /* else the record keeps what it has, and what is 0 or
			 * absent is not written */
	int64_t low, high; /* of numbers */
};

extern const struct rspb_json_kind rspb_json_int64, rspb_json_uint32,
	rspb_json_uint64, rspb_json_bool, rspb_json_benefit, rspb_json_ratio,
	rspb_json_nodes, rspb_json_reason;

/* Read an object into a record, by a table ended by key NULL. What was read
 * before an error stays for the record's owner to destroy. */
int rspb_json_read(const struct rspb_json_field *fields,
		   struct json_object *object, void *record, uint32_t width,
		   struct rspb_err *err);
/* RET a new object, NULL: out of memory. */
struct json_object *rspb_json_write(const struct rspb_json_field *fields,
				    const void *record);

/* RET the object of a whole line (json_object_put it), NULL with err. */
struct json_object *rspb_json_parse(const char *text, size_t len,
				    struct rspb_err *err);
/* RET the line of an object, malloc'ed, and drop it (NULL: out of memory). */
char *rspb_json_line(struct json_object *object);

#endif
