/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The whole calendar, for those who draw it. */
#ifndef RSPB_CTLD_PICTURES_CALENDAR_H
#define RSPB_CTLD_PICTURES_CALENDAR_H

#include <json-c/json.h>

#include "plugins/ctld/pictures/picture.h"
#include "plugins/ctld/pictures/reads.h"
#include "plugins/ctld/socket/inquiry.h"

/* Add bookings with the numbers of their nodes, and, on the first page, the
 * nodes and what stands on them from outside. What may not be seen is there
 * without what it is. RET 0, or -1 with err. */
int rspb_calendar_answer(const struct rspb_inquiry *query, const struct rspb_caller_view *who,
			 const struct rspb_picture *picture, json_object *answer,
			 struct rspb_err *err);

#endif
