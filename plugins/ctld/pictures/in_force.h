/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tells which of our plugins run in slurmctld, and the settings in force. */
#ifndef RSPB_CTLD_PICTURES_IN_FORCE_H
#define RSPB_CTLD_PICTURES_IN_FORCE_H

#include <json-c/json.h>

#include "plugins/ctld/pictures/picture.h"
#include "plugins/ctld/pictures/reads.h"

/* Add "settings" (doc/protocol.md): paths on slurmctld's host and rules,
 * which name users, for operators alone.
 * For the thread of the socket. */
void rspb_in_force_answer(const struct rspb_caller_view *who, const struct rspb_picture *picture,
			  json_object *answer);

#endif
