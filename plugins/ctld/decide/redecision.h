/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A second look at those whom Slurm would not start where they were put first. */
#ifndef RSPB_CTLD_DECIDE_REDECISION_H
#define RSPB_CTLD_DECIDE_REDECISION_H

#include <stdbool.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "plugins/ctld/requests/ask.h"

/*
 * Decide once more what is marked (ask->misfit), each by itself on basis, which holds
 * its first decision, with Slurm's own selection as the judge. decisions[i] is
 * replaced, those of others are dropped. Takes locks, for one test at a time. RET
 * whether there are any.
 */
bool rspb_again_decide(struct rspb_ledger *basis, const struct rspb_config *config,
		       struct rspb_asks *asks, uint64_t table, int64_t now,
		       struct rspb_booking **decisions);

/* Replace decisions on a batch that the basis has, where a part begins earlier so, is on
 * such a node, or on nodes of more weight; its ask is for these nodes from then on. */
void rspb_dense_decide(struct rspb_ledger *basis, const struct rspb_config *config,
		       struct rspb_asks *asks, uint64_t table, int64_t now,
		       struct rspb_booking **decisions);

#endif
