/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parts of nodes that are not alike: where cores have more threads, Slurm gives a job fewer
 * of them. A part is planned with the most cores that it takes of any of its nodes, and here
 * once more on those alone of which it takes fewer.
 */
#ifndef RSPB_CTLD_DECIDE_DENSE_H
#define RSPB_CTLD_DECIDE_DENSE_H

#include <stdint.h>

#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "plugins/ctld/requests/ask.h"

/* Replace decisions on a batch that the basis has, where a part begins earlier so, is on
 * such a node, or on nodes of more weight; its ask is for these nodes from then on. */
void rspb_dense_decide(struct rspb_ledger *basis, const struct rspb_config *config,
		       struct rspb_asks *asks, uint64_t table, int64_t now,
		       struct rspb_booking **decisions);

#endif
