/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a plan is made on. */
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
bool rspb_basis_look(struct rspb_occupancy *occupancy,
		     const struct rspb_config *config, int64_t now);
struct rspb_ledger *rspb_basis_of(const struct rspb_occupancy *occupancy);
/* RET a copy of the ledger to plan on as of now (seconds), with all that stands
 * in the way; the caller destroys it. NULL: not possible at the moment. Takes
 * the read lock. */
struct rspb_ledger *rspb_basis_make(const struct rspb_config *config,
				    int64_t now);

/* As rspb_resv_others() and rspb_ctld_starts() said when the last one was made. */
int64_t rspb_basis_others(void);
uint32_t rspb_basis_starts(void);

#endif
