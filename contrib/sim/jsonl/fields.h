/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fields of a record: types and ranges are checked once, here, and every
 * complaint names file, line and field.
 */
#ifndef RSPB_SIM_JSONL_FIELDS_H
#define RSPB_SIM_JSONL_FIELDS_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"

/* An object that is being read, and where it stands. */
struct sim_record {
	const char *file;
	size_t line;
	const char *within;	    /* "subs[1].", "" for the line itself */
	struct json_object *object; /* borrowed */
};

/* Put the place of a record in front of the sentence in err. RET -1. */
int sim_at(const struct sim_record *record, struct rspb_err *err);
/* Write a complete complaint about a field. RET -1. */
int sim_bad(const struct sim_record *record, const char *key, struct rspb_err *err, const char *fmt,
	    ...) __attribute__((format(printf, 4, 5)));

/* A value's text, for messages; valid until it is asked for again. */
const char *sim_text(struct json_object *value);
/* RET the value, NULL when it is missing or null. */
struct json_object *sim_get(const struct sim_record *record, const char *key);
/* Has it no members but these, by spaces? RET 0, or -1 with err. */
int sim_only(const struct sim_record *record, const char *members, struct rspb_err *err);
bool sim_has(const struct sim_record *record, const char *key);
/* The same, but a complaint and NULL when it is missing. */
struct json_object *sim_need(const struct sim_record *record, const char *key,
			     struct rspb_err *err);
/* An array; NULL with a complaint when it is missing or something else. */
struct json_object *sim_array(const struct sim_record *record, const char *key,
			      struct rspb_err *err);

/* A whole number in low..high. RET 0 or -1 with err. */
int sim_int(const struct sim_record *record, const char *key, int64_t low, int64_t high,
	    int64_t *out, struct rspb_err *err);
/* The same; *out keeps its value when the field is missing. */
int sim_int_or(const struct sim_record *record, const char *key, int64_t low, int64_t high,
	       int64_t *out, struct rspb_err *err);
int sim_bool_or(const struct sim_record *record, const char *key, bool *out, struct rspb_err *err);
/* Read one of the names (a list ended by NULL); *out is its place. */
int sim_name_or(const struct sim_record *record, const char *key, const char *const *names,
		int *out, struct rspb_err *err);
/* A value that is not from a field of an object, for messages about `key`. */
int sim_value_int(const struct sim_record *record, const char *key, struct json_object *value,
		  int64_t low, int64_t high, int64_t *out, struct rspb_err *err);

#endif
