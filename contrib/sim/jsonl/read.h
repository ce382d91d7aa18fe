/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads what the controller writes as JSON (common/wire/json.h). Strict: an unknown field, a
 * missing one, a wrong type or a number out of range is an error that names the field. */
#ifndef RSPB_SIM_JSONL_READ_H
#define RSPB_SIM_JSONL_READ_H

#include "common/base/err.h"
#include "common/request/booking.h"
#include "common/wire/json.h"

/* Longest line that is read. */
enum { SIM_READ_MAX = 1 << 22 };

/* Read an object into a record, by a table of fields; node sets are of `width`
 * nodes. RET 0 or -1 with err; what was read before it stays for the record's
 * owner to destroy. */
int sim_read(const struct rspb_json_field *fields, struct json_object *object, void *record,
	     uint32_t width, struct rspb_err *err);

/*
 * Read one line of len bytes. The request is checked by rspb_request_validate,
 * a booking's grants against it: one per part or none. RET the value, owned by
 * the caller, or NULL with err.
 */
struct rspb_request *sim_read_request(const char *text, size_t len, uint32_t width,
				      struct rspb_err *err);
struct rspb_booking *sim_read_booking(const char *text, size_t len, uint32_t width,
				      struct rspb_err *err);

#endif
