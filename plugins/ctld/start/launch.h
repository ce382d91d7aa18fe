/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Starting booked jobs on their second. */
#ifndef RSPB_CTLD_START_LAUNCH_H
#define RSPB_CTLD_START_LAUNCH_H

#include <stdint.h>

/*
 * Start what is due, end ordinary jobs that are in its way. RET the next
 * moment (milliseconds since the epoch) to come back, INT64_MAX: none.
 */
int64_t rspb_launch_due(int64_t now_ms);
/* Forget what is remembered about attempts. */
void rspb_launch_reset(void);

#endif
