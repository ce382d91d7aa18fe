/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks again for jobs whose bookings were given up because of a lost node, when there is
 * room for them. */
#ifndef RSPB_CTLD_WATCH_COMEBACK_H
#define RSPB_CTLD_WATCH_COMEBACK_H

#include <stdint.h>

#include "common/conf/config.h"

/*
 * Look for such jobs where a node has changed or a booking was over early since the last
 * look. Those that were hit first ask first. RET when it is to be called again, ms since
 * the epoch; INT64_MAX: when something has changed. Cheap when there are none.
 */
int64_t rspb_comeback_run(const struct rspb_config *config, int64_t now_ms);
void rspb_comeback_reset(void);

#endif
