/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a site's settings allow to be booked. */
#ifndef RSPB_PLUGINS_CTLD_LIMITS_H
#define RSPB_PLUGINS_CTLD_LIMITS_H

#include "common/booking.h"
#include "common/config.h"
#include "common/err.h"
#include "plugins/ctld/intake.h"

/* Before planning, no lock held (groups are looked up). RET 0, or -1 with a
 * sentence for the user. */
int rspb_limits_check(const struct rspb_ask *ask,
		      const struct rspb_config *config, uint32_t width,
		      int64_t now, struct rspb_err *err);
/* After planning, on what was granted: bookings of this user that wait, and
 * the part of the machine booked at one time. */
int rspb_limits_check_grant(const struct rspb_booking *booking,
			    const struct rspb_config *config,
			    struct rspb_err *err);

#endif
