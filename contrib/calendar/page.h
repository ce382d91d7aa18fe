/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calendar as one page that a browser shows without a network. */
#ifndef RSPB_CALENDAR_PAGE_H
#define RSPB_CALENDAR_PAGE_H

#include <json-c/json_object.h>
#include <stdio.h>

#include "common/base/err.h"

/*
 * Write the page with this document in it:
 * { "version": 1, "cluster": name, "time": now, "nodes": [names],
 *   "bookings": [{ "id", "user", "account", "state", "start", "end",
 *                  "on": "0-3,7", "share", "benefit", "mine" }],
 *   "others": [{ "kind": "job", "reservation", "maintenance", "down" or
 *                        "booking",
 *                "label", "start", "end", "on" }] }
 * Times are seconds since 1970, "on" the indexes of nodes, a share per cent;
 * what has no value is left out. RET 0, or -1 with err: the file is as it is.
 */
int rspb_page_write(FILE *out, json_object *document, struct rspb_err *err);

#endif
