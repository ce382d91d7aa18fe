/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bookings that go elsewhere, because something came in their way. */
#ifndef RSPB_PLUGINS_CTLD_MOVE_H
#define RSPB_PLUGINS_CTLD_MOVE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/config.h"

/*
 * Find other nodes for a booking that has not started: at its booked start, or
 * else within the window its owner asked for. It keeps its size; jobs that
 * name their nodes stay. RET whether it was moved.
 */
bool rspb_move_away(uint64_t id, const struct rspb_config *config,
		    int64_t now);

#endif
