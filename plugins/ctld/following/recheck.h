/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds bookings that cannot start any more, because the partition, a limit, the features of their
 * nodes or accounting have changed. The owner is told then, not at the end of the window. It
 * examines a slice at a time. */
#ifndef RSPB_CTLD_FOLLOWING_RECHECK_H
#define RSPB_CTLD_FOLLOWING_RECHECK_H

#include <stdbool.h>
#include <stdint.h>

#include "common/request/booking.h"

/* Go on looking, every second; takes locks. */
void rspb_recheck_run(int64_t now);
/* A booking that is due was refused a start by Slurm's limits or for licenses, as
 * the text says; "": by neither. Its owner is told; wants the write lock. */
void rspb_recheck_refused(uint64_t id, const char *text);
/* A booking has another place, and its owner was told so. */
void rspb_recheck_moved(uint64_t id);
void rspb_recheck_reset(void);

#endif
