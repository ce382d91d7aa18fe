/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the ledger on which a plan is made. */
#ifndef RSPB_CTLD_DECIDE_BASIS_H
#define RSPB_CTLD_DECIDE_BASIS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "plugins/ctld/book/occupancy.h"

/* The same in two steps, where several plans are made one after the other: look
 * takes the read lock; RET false: not possible at the moment, nothing to free.
 * of: RET the basis, NULL without memory. */
bool rspb_basis_look(struct rspb_occupancy *occupancy, const struct rspb_config *config,
		     int64_t now);
struct rspb_ledger *rspb_basis_of(const struct rspb_occupancy *occupancy);
/* RET a copy of the ledger to plan on as of now (seconds), with all that stands
 * in the way; the caller destroys it. NULL: not possible at the moment. Takes
 * the read lock. */
struct rspb_ledger *rspb_basis_make(const struct rspb_config *config, int64_t now);

/* RET what counts those who come without asking, now, with at least the read lock. A
 * basis keeps what it was when it was made (rspb_ledger_seen). */
struct rspb_seen rspb_basis_seen(void);

#endif
