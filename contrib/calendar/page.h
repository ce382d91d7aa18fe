/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calendar as one page that a browser shows without a network. */
#ifndef RSPB_CALENDAR_PAGE_H
#define RSPB_CALENDAR_PAGE_H

#include <json-c/json_object.h>
#include <stdio.h>

#include "common/base/err.h"

enum { RSPB_PAGE_POLICY = 256 };

/* The policy for what a browser may run of a page, and whom it may contact: a word that nobody can
 * guess marks the page's own scripts and styles, and no others are run. */
struct rspb_page_pass {
	char nonce[33];
	char policy[RSPB_PAGE_POLICY]; /* a Content-Security-Policy */
};

/* A new one for each page. RET 0, or -1 with err. */
int rspb_page_pass_make(struct rspb_page_pass *pass, struct rspb_err *err);

/*
 * Write the page with this document in it:
 * { "version": 1, "cluster": name, "time": now, "nodes": [names],
 *   "zone": of the clock that commands are read by, as "Europe/Berlin",
 *   "live": seconds after which calendar.json beside it tells more,
 *   "bookings": [{ "id", "job" or "reservation", "name", "user", "account",
 *                  "state", "start", "end", "on": "0-3,7", "share",
 *                  "benefit", "held", "firm_from", "reason",
 *                  "mine" }],
 *   "others": [{ "kind": "job", "reservation", "maintenance", "down" or
 *                        "booking",
 *                "label", "start", "end", "on" }] }
 * Times are seconds since 1970, "on" the indexes of nodes, a share per cent;
 * what has no value is left out. RET 0, or -1 with err: the file is as it is.
 */
int rspb_page_write(FILE *out, json_object *document, const struct rspb_page_pass *pass,
		    struct rspb_err *err);

#endif
