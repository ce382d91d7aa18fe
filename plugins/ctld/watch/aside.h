/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bookings whose starts are not firm yet hold nodes, and need no more than their number:
 * where an ordinary job waits for those, and others are free for the booking, the booking
 * gets these.
 */
#ifndef RSPB_CTLD_WATCH_ASIDE_H
#define RSPB_CTLD_WATCH_ASIDE_H

#include <stdint.h>

#include "common/base/nodeset.h"
#include "common/conf/config.h"

/* An ordinary job would begin now on so many of these nodes, for so many seconds, and some
 * of them are booked in that time. Any thread, with any of Slurm's locks; does not wait. */
void rspb_aside_ask(uint64_t job, uint32_t nodes, int64_t seconds,
		    const struct rspb_nodeset *offered);
/* See to those who have asked; takes locks. The agent's thread. */
void rspb_aside_run(const struct rspb_config *config, int64_t now);
void rspb_aside_reset(void);

#endif
