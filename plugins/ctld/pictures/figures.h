/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much is booked, granted, refused and used, and how long things take. */
#ifndef RSPB_CTLD_PICTURES_FIGURES_H
#define RSPB_CTLD_PICTURES_FIGURES_H

#include <json-c/json.h>

#include "plugins/ctld/pictures/picture.h"
#include "plugins/ctld/pictures/reads.h"
#include "plugins/ctld/socket/inquiry.h"

/* Add "stats" (doc/protocol.md): of users, those that may be seen. For the
 * thread of the socket. RET 0, or -1 with err. */
int rspb_figures_answer(const struct rspb_inquiry *inquiry, const struct rspb_caller_view *who,
			const struct rspb_picture *picture, json_object *answer,
			struct rspb_err *err);

/* Add "settings" (doc/protocol.md): paths on slurmctld's host and rules,
 * which name users, for operators alone.
 * For the thread of the socket. */
void rspb_in_force_answer(const struct rspb_caller_view *who, const struct rspb_picture *picture,
			  json_object *answer);

#endif
