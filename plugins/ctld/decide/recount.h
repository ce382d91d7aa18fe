/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Other numbers of nodes for jobs that leave the number to Slurm (request/numbers.h). */
#ifndef RSPB_CTLD_DECIDE_RECOUNT_H
#define RSPB_CTLD_DECIDE_RECOUNT_H

#include <stdint.h>

#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "plugins/ctld/request/ask.h"

/*
 * Decide the requests once more that got nothing with the number of nodes that was guessed
 * for them, or with --book=asap a later start than their first: with each number that Slurm
 * may choose, and with Slurm's selection as the judge, until one starts at once. The best
 * decision replaces decisions[i], on basis, too, and its number the one in the request.
 * Takes locks, for one number at a time.
 */
void rspb_recount_decide(struct rspb_ledger *basis, const struct rspb_config *config,
			 struct rspb_asks *asks, uint64_t table, int64_t now,
			 struct rspb_booking **decisions);

enum { RSPB_RECOUNT_MOST = 4 };

/* The requests as which a decision tries the same job, too: for other numbers of nodes, and for
 * whole nodes in place of parts. The caller destroys them. Takes the write lock for each. RET how
 * many. */
uint32_t rspb_recount_others(struct rspb_ledger *basis, const struct rspb_config *config,
			     struct rspb_ask *ask, uint64_t table, int64_t now,
			     struct rspb_request *out[RSPB_RECOUNT_MOST]);

#endif
