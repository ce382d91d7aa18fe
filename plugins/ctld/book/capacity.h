/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the capacity of the nodes by the settings: how much of each may be booked as shares, and
 * where other jobs may run beside these. Needs at least the read lock. */
#ifndef RSPB_CTLD_BOOK_CAPACITY_H
#define RSPB_CTLD_BOOK_CAPACITY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/ledger/ledger.h"

/* Whether two settings make different things of the nodes. */
bool rspb_capacity_differs(const struct rspb_config *a, const struct rspb_config *b);
/* A ledger for what is booked already, which stands whatever is dedicated to
 * shares by now: each node has room for all of it, until it is resized. RET
 * NULL: out of memory. */
struct rspb_ledger *rspb_capacity_ledger(uint32_t width, const struct rspb_config *config,
					 int64_t now);
/* Whether the nodes have more or less of something than when that ledger, of as many,
 * was made; asked by the agent alone. */
bool rspb_capacity_stale(const struct rspb_ledger *ledger);
/* The nodes of which bookings may have a part, owned by the caller; NULL: of none, as
 * the settings say. RET 0, -1: out of memory. */
int rspb_capacity_lent(uint32_t width, const struct rspb_config *config,
		       struct rspb_nodeset **lent);
/* Where nobody has read the book yet, after a start, let it lend by the rule by which it
 * is going to: those who ask now are not to have nodes for themselves instead. */
void rspb_capacity_lend_early(uint32_t width, const struct rspb_config *config);
/* Share units of each node: its cores where it is lent; else a share is one of the
 * node, whatever its number of CPUs. The caller frees them. RET NULL: out of memory. */
int64_t *rspb_capacity_shares(uint32_t width, const struct rspb_config *config,
			      const struct rspb_nodeset *lent);
/* For each node, per cent kept for shares where ordinary jobs may be beside
 * them, else 0 (see compat/colocate.h). The caller frees them. RET NULL:
 * nowhere, or out of memory. */
uint8_t *rspb_capacity_beside(uint32_t width, const struct rspb_config *config);

#endif
