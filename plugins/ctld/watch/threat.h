/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bookings that something came in the way of after they were made: a
 * reservation of an operator, a node that went down or was drained.
 */
#ifndef RSPB_CTLD_WATCH_THREAT_H
#define RSPB_CTLD_WATCH_THREAT_H

#include <stdint.h>

#include "common/conf/config.h"

/* Look at all bookings that have not started. One that something stands in the
 * way of is moved; where that cannot be, it is said in the log and in its
 * contract, once, and taken back when it is gone. */
void rspb_threat_watch(const struct rspb_config *config, int64_t now);
void rspb_threat_reset(void);

#endif
