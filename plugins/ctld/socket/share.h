/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Another share of the nodes that are booked, also of what runs. */
#ifndef RSPB_CTLD_SOCKET_SHARE_H
#define RSPB_CTLD_SOCKET_SHARE_H

#include <stdbool.h>

#include "common/request/booking.h"
#include "plugins/ctld/socket/work.h"

/* Whether that alone is asked for, of a booking that has one. */
bool rspb_share_alone(const struct rspb_inquiry *inquiry,
		      const struct rspb_booking *booking);
/* Change it, of bookings that are the caller's, all or none, and answer. Without
 * locks. */
void rspb_share_modify(struct rspb_work *work, const struct rspb_config *config,
		       int64_t now);

#endif
