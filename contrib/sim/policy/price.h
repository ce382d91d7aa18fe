/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Computes what a share costs in priority: the more of the machines is booked in a window and
 * the longer and wider a request is, the more important it has to be.
 *
 * Source: this project; doc/policies.md.
 */
#ifndef RSPB_SIM_POLICY_PRICE_H
#define RSPB_SIM_POLICY_PRICE_H

#include "common/ledger/ledger.h"
#include "common/policy/policy.h"

/*
 * RET 1: a request is worth its window, 0: it is not, -1 with err. It is not when
 *   priority / 50 / sqrt(work / mean work) < price x load
 * where work is the least CPU time that it accepts, the mean that of the bookings
 * that the ledger holds, and load the part of all shares that is booked in its
 * window. Who asks for whole nodes, or where nothing is booked, pays nothing.
 */
int rspb_price_met(const struct rspb_ledger *ledger, const struct rspb_policy *policy,
		   const struct rspb_request *request, struct rspb_err *err);

#endif
