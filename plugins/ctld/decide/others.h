/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the standing bookings that a batch's plan changes: they have given back what they grew by,
 * or moved within their windows, for a newcomer. */
#ifndef RSPB_CTLD_DECIDE_OTHERS_H
#define RSPB_CTLD_DECIDE_OTHERS_H

#include <stdint.h>

#include "common/conf/config.h"
#include "common/ledger/ledger.h"
#include "plugins/ctld/requests/ask.h"

/* Make that real, all or none, before the newcomers are (commit.h): where it can't be,
 * what they were to have is not free, and they are decided again; the one that Slurm
 * would not have moved stays where it is from then on. Newcomers that count licenses or limits
 * lose their decisions then. */
void rspb_others_change(const struct rspb_ledger *basis, const struct rspb_config *config,
			int64_t now, struct rspb_asks *asks, struct rspb_booking **decisions);

#endif
