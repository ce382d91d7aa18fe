/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects the jobs without a booking that count against the limits of requests. */
#ifndef RSPB_CTLD_DECIDE_HOLDS_H
#define RSPB_CTLD_DECIDE_HOLDS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/ledger/ledger.h"

/* Whether a request has limits at all; of others nothing would be added. */
bool rspb_holds_wanted(const struct rspb_request *request);
/* Add to a ledger that is planned on what runs at `now` (seconds) and counts
 * together with one of these n requests. Takes the read lock if it is needed.
 * RET 0, -1: out of memory, or slurmctld goes down. */
int rspb_holds_add(struct rspb_ledger *basis, const struct rspb_request *const *requests, size_t n,
		   int64_t now);

#endif
