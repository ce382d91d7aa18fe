/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The calendar as characters: nodes by time. */
#ifndef RSPB_CLIENT_CHART_H
#define RSPB_CLIENT_CHART_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"

/* How it is drawn. */
struct rspb_chart_style {
	uint32_t columns, lines; /* at most, of the whole */
	bool colour, blocks;	 /* escape sequences; characters beyond ASCII */
};

/* Print the document of contrib/calendar/page.h from `from` to `until`,
 * seconds. Of many nodes a line has several, and tells by the height of its
 * characters which part of them is taken. RET 0, or -1 with err: nothing was
 * printed. */
int rspb_chart_print(json_object *document, int64_t from, int64_t until,
		     const struct rspb_chart_style *style, struct rspb_err *err);

#endif
