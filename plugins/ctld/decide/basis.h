/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a plan is made on. */
#ifndef RSPB_CTLD_DECIDE_BASIS_H
#define RSPB_CTLD_DECIDE_BASIS_H

#include <stdint.h>

#include "common/conf/config.h"
#include "common/ledger/ledger.h"

/* RET a copy of the ledger to plan on as of now (seconds), with all that stands
 * in the way; the caller destroys it. NULL: not possible at the moment. Takes
 * the read lock. */
struct rspb_ledger *rspb_basis_make(const struct rspb_config *config,
				    int64_t now);

#endif
