/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calendar as one picture. */
#ifndef RSPB_CLIENT_SVG_H
#define RSPB_CLIENT_SVG_H

#include <json-c/json.h>
#include <stdint.h>
#include <stdio.h>

#include "common/base/err.h"

/* Write the document of contrib/calendar/page.h from `from` to `until`, seconds:
 * nodes by time, with a title and a description for who cannot see it. RET 0, or
 * -1 with err: the file is as it is. */
int rspb_svg_write(FILE *out, json_object *document, int64_t from, int64_t until,
		   struct rspb_err *err);

#endif
