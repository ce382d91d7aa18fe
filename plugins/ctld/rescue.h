/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bookings that cannot stay where they are, because something came in their
 * way: common/rescue.h on a live cluster. */
#ifndef RSPB_PLUGINS_CTLD_RESCUE_H
#define RSPB_PLUGINS_CTLD_RESCUE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/config.h"

enum { RSPB_RESCUE_OFFERS = 256 };

/*
 * Find a booking that has not started another place, or make room for it, as
 * far as the settings allow. what: what is in its way, for log and contracts.
 * RET whether it has one now. If not, offers tells what its owner could have
 * instead ("": nothing, or it is not known).
 */
bool rspb_rescue_waiting(uint64_t id, const char *what,
			 const struct rspb_config *config, int64_t now,
			 char offers[RSPB_RESCUE_OFFERS]);
/* The same in the second of its start, or later. `silent`: its nodes may answer
 * again, so it gets others only if it loses nothing by that. */
bool rspb_rescue_starting(uint64_t id, bool silent,
			  const struct rspb_config *config, int64_t now);

#endif
