/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state that this room keeps: its member of struct rspb_controller (controller.h). Only the
 * agent uses it. */
#ifndef RSPB_CTLD_MIRROR_STATE_H
#define RSPB_CTLD_MIRROR_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct rspb_mirror_state {
	int64_t until; /* bookings that start later have no reservation */
	bool later;    /* there may be some that have none */
};

extern struct rspb_mirror_state *const rspb_mirror;

#endif
