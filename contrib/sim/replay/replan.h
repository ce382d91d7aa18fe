/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replanning: bookings that wait for their start move within the windows that
 * their owners gave, to let one more in. Nothing that was promised is
 * taken back; a start is only as firm as its window. No cluster does so, since
 * users were told a start.
 *
 * Source: this project; doc/policies.md says what it gains.
 */
#ifndef RSPB_SIM_REPLAY_REPLAN_H
#define RSPB_SIM_REPLAY_REPLAN_H

#include "common/base/err.h"
#include "common/ledger/ledger.h"
#include "common/policy/policy.h"
#include "common/request/booking.h"

/*
 * Place the request of `booking`, which is in state requested, as early as it
 * fits when bookings of whole nodes that have not started and whose window is
 * longer than they are may move; then those in its way, by latest start, where
 * there is room or in the place of those that must start later. It is done when
 * everybody has a place and the delays are within policy->patience.
 * RET 1: the ledger holds the booking and the moved ones, and `booking` says
 * what it got; 0: nothing changed; -1 with err.
 */
int sim_replan(struct rspb_ledger *ledger, const struct rspb_policy *policy,
	       struct rspb_booking *booking, int64_t now, struct rspb_err *err);

#endif
