/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks the bookings against limits and licences that have changed since. */
#ifndef RSPB_CTLD_FOLLOWING_WEIGH_H
#define RSPB_CTLD_FOLLOWING_WEIGH_H

#include <stdbool.h>
#include <stdint.h>

#include "common/request/booking.h"

/* Go on counting those that are looked at, for two milliseconds; their owners are told.
 * RET whether all have been, until rspb_weigh_end(). Takes locks. */
bool rspb_weigh_on(bool (*looked_at)(const struct rspb_booking *b), int64_t now);
/* The next time it is begun anew. */
void rspb_weigh_end(void);

#endif
