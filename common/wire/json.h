/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Requests and bookings as JSON, one line each: for journals, replay and
 * whatever speaks to the controller. Strict: an unknown field, a missing one,
 * a wrong type or a number out of range is an error that names the field.
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

#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/request/booking.h"
#include "common/request/request.h"

/* Longest line that is read. */
enum { RSPB_JSON_MAX = 1 << 22 };

/* RET the line without its end, malloc'ed: the caller frees it (NULL: out of
 * memory). */
char *rspb_request_to_json(const struct rspb_request *request);
char *rspb_booking_to_json(const struct rspb_booking *booking);

/*
 * Read one line of len bytes. Node sets are of `width` nodes. The request is
 * checked by rspb_request_validate, a booking's grants against it: one per part
 * or none. RET the value, owned by the caller, or NULL with err.
 */
struct rspb_request *rspb_request_from_json(const char *text, size_t len,
					    uint32_t width,
					    struct rspb_err *err);
struct rspb_booking *rspb_booking_from_json(const char *text, size_t len,
					    uint32_t width,
					    struct rspb_err *err);

#endif
