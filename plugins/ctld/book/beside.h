/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where others may be beside what is booked, as a ledger has it; of any thread, with
 * what keeps the ledger as it is. */
#ifndef RSPB_CTLD_BOOK_BESIDE_H
#define RSPB_CTLD_BOOK_BESIDE_H

#include "common/ledger/ledger.h"
#include "plugins/compat/limit/quota.h"
#include "plugins/compat/parts/parts.h"

/* Whether it has nodes, or is to have them. */
bool rspb_booking_held(const struct rspb_booking *booking);

/* Nodes within a window by what is booked on them: whole, shares of time, parts; a node
 * may be in several. The sets may be one and the same. */
struct rspb_beside {
	struct rspb_nodeset *whole, *shares, *parts;
};
void rspb_beside_sort(const struct rspb_ledger *ledger, int64_t start, int64_t end,
		      const struct rspb_beside *to);

/* Make room for what is kept of that many nodes in each kind of resource that somebody takes; fini
 * also frees what a call without memory has left. RET false: out of memory. */
bool rspb_parts_init(struct rspb_parts *parts, uint32_t width, const struct rspb_quotas *takes);
void rspb_parts_fini(struct rspb_parts *parts);

/* parts->nodes: where nothing but parts is booked within a window; the rest for those.
 * RET false: there are none, or out of memory. */
bool rspb_beside_parts(const struct rspb_ledger *ledger, int64_t start, int64_t end,
		       struct rspb_parts *parts);

/* next: of each node when the next booking begins there behind that time; is that time
 * where one is to have begun by then that has not. */
void rspb_beside_due(const struct rspb_ledger *ledger, int64_t start, int64_t *next);

#endif
