/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calendar of the book as others ask about it: a copy, made when somebody asks and
 * the book is another, since the agent asks its own without the book's mutex. All of
 * it with that mutex.
 */
#ifndef RSPB_CTLD_BOOK_VIEW_H
#define RSPB_CTLD_BOOK_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/nodeset.h"
#include "common/ledger/ledger.h"

/* set = the nodes with anything booked within [start, end). */
void rspb_view_booked(const struct rspb_ledger *ledger, uint64_t version, int64_t start,
		      int64_t end, struct rspb_nodeset *set);
/* The first start from `from` on at which so many of these nodes are free for so many
 * seconds. RET false: there is none, or don't know. */
bool rspb_view_first(const struct rspb_ledger *ledger, uint64_t version, int64_t from,
		     int64_t seconds, uint32_t nodes, const struct rspb_nodeset *of,
		     int64_t *start);
/* Whether anything is booked of less than whole nodes. */
bool rspb_view_shares(const struct rspb_ledger *ledger, uint64_t version);

#endif
