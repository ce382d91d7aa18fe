/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lazy refinement on a live cluster (Degrade=lazy): bookings are promised their
 * least, and grow in place shortly before they start; shares that run grow on
 * when a neighbour leaves room.
 */
#ifndef RSPB_CTLD_WATCH_GROW_H
#define RSPB_CTLD_WATCH_GROW_H

#include <stdint.h>

#include "common/conf/config.h"

/* Let grow what is due, when the ledger has changed or a start is near. Cheap
 * when nothing is. RET when it is to be called again, ms since the epoch;
 * INT64_MAX: when something has changed. */
int64_t rspb_grow_run(const struct rspb_config *config, int64_t now_ms);
void rspb_grow_reset(void);

#endif
