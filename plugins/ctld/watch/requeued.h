/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bookings whose job was begun, and waits again. */
#ifndef RSPB_CTLD_WATCH_REQUEUED_H
#define RSPB_CTLD_WATCH_REQUEUED_H

#include <stdint.h>

#include "common/conf/config.h"

/* Bookings whose running job Slurm has put back into the queue because a node
 * was lost wait again, for what is left of their windows: they are started, on
 * other nodes where that can be, like any that are due. Takes locks. */
void rspb_requeued_watch(const struct rspb_config *config, int64_t now);

#endif
