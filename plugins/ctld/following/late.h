/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bookings far ahead have no reservation in Slurm (ReserveAhead=, mirror/resv.h): here
 * they get theirs when their start is near. What is promised is the same either way.
 */
#ifndef RSPB_CTLD_FOLLOWING_LATE_H
#define RSPB_CTLD_FOLLOWING_LATE_H

#include <stdint.h>

#include "common/conf/config.h"

/* Each second; takes locks. */
void rspb_late_run(const struct rspb_config *config, int64_t now);
/* The ledger is built anew. */
void rspb_late_reset(void);

#endif
