/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bookings asked for with --book=asap that could begin sooner than they were granted,
 * since something has come free: jobs that ended before their limits, bookings that
 * were given back, nodes that came back.
 */
#ifndef RSPB_CTLD_WATCH_SOONER_H
#define RSPB_CTLD_WATCH_SOONER_H

#include <stdint.h>

#include "common/conf/config.h"

/*
 * Give back what outages have taken, what is missing longest first. Then move forward
 * those that can, who asked first, first. Works for some milliseconds at a
 * time, and a small part of the time. Cheap when nothing has come free. RET when it
 * is to be called again, ms since the epoch; INT64_MAX: when something has changed.
 */
int64_t rspb_sooner_run(const struct rspb_config *config, int64_t now_ms);
void rspb_sooner_reset(void);

#endif
