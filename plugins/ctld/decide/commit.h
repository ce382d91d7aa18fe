/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Making the decisions on a batch real: ledger, then whatever its kind has in
 * Slurm. */
#ifndef RSPB_CTLD_DECIDE_COMMIT_H
#define RSPB_CTLD_DECIDE_COMMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "common/request/booking.h"
#include "plugins/ctld/requests/ask.h"

/*
 * Commit the decisions[i] (NULL: refused before planning) on asks, planned at
 * `planned_at`, beside what was `seen`, on the node table `table`, in short write
 * sections, once they are in the journal; where that can't be written nothing is booked, and the asks
 * say why. Each is looked at again under the lock; what no longer holds stays
 * in the waiting room for the next batch. What Slurm would not start there is marked
 * (ask->misfit), and is as it was before. misfits: those alone that are marked, whose second
 * decision is the last. RET how many were decided for good.
 */
size_t rspb_commit_batch(struct rspb_asks *asks, struct rspb_booking *const *decisions,
			 const struct rspb_config *config, uint64_t table, int64_t planned_at,
			 struct rspb_seen seen, bool misfits);

#endif
