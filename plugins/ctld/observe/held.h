/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Offers that are held: bookings that are given up unless they are accepted. For
 * the agent. */
#ifndef RSPB_CTLD_OBSERVE_HELD_H
#define RSPB_CTLD_OBSERVE_HELD_H

#include <stdint.h>

#include "common/conf/config.h"
#include "plugins/ctld/request/ask.h"

/* Seconds before its start up to which one can be held. */
enum { RSPB_HELD_BEFORE_S = 5 };

/* Whether its user may have one more beside those that are booked and asked for
 * (asks), and its time is not over yet; one that is for good may. RET 0, or -1 with err. */
int rspb_held_allow(const struct rspb_ask *ask, const struct rspb_asks *asks, int64_t now,
		    struct rspb_err *err);
/* Give up those whose time is over: their jobs wait, held. Takes locks. */
void rspb_held_expire(int64_t now);

#endif
