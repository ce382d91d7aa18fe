/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replanning: bookings that wait for their start move within the windows that
 * their owners gave, to let one more in. Nothing that was promised is
 * taken back; a start is only as firm as its window.
 *
 * Source: this project; doc/policies.md says what it gains.
 */
#ifndef RSPB_PLAN_REPLAN_H
#define RSPB_PLAN_REPLAN_H

#include "common/base/err.h"
#include "common/ledger/ledger.h"
#include "common/policy/policy.h"
#include "common/request/booking.h"

/*
 * Place the request of `booking`, which is in state requested, and all
 * bookings of whole nodes that have not started and whose window is longer
 * than they are, anew: by latest start, each as early as it fits. It is done
 * when everybody fits and the delays are within policy->patience.
 * RET 1: the ledger holds the booking and the moved ones, and `booking` says
 * what it got; 0: nothing changed; -1 with err.
 */
int rspb_replan(struct rspb_ledger *ledger, const struct rspb_policy *policy,
		struct rspb_booking *booking, int64_t now,
		struct rspb_err *err);

#endif
