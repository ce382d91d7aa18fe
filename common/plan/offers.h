/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What could be had instead of a request that does not fit as asked: the same
 * later, less of it, or the same for a shorter time. Only asks, books nothing.
 */
#ifndef RSPB_PLAN_OFFERS_H
#define RSPB_PLAN_OFFERS_H

#include "common/base/err.h"
#include "common/ledger/ledger.h"
#include "common/policy/policy.h"

/*
 * Add what can be had by a request that the policy declines at `now` on this
 * ledger, and ends by `until`, to a text of at most size - 1 bytes: "; on offer:
 * 6 nodes with --begin=2026-11-24T09:00:00Z, or 6 nodes with --time=30
 * --begin=..., or 4 nodes with -N4 --begin=...", as many as fit; to an operator
 * "6 nodes from 2026-...". RET 0, or -1 with err.
 */
int rspb_offers_add(const struct rspb_ledger *ledger,
		    const struct rspb_policy *policy,
		    const struct rspb_request *request, int64_t now,
		    int64_t until, char *text, size_t size,
		    struct rspb_err *err);

#endif
