/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs on the nodes of bookings that may preempt them are told in time, in Slurm's own way. The
 * word comes GraceTime, and what their nodes take to be free, before the start. Until then they run
 * there. Jobs that Slurm suspends stop with the start itself. */
#ifndef RSPB_CTLD_START_MAKE_WAY_H
#define RSPB_CTLD_START_MAKE_WAY_H

#include <stdbool.h>
#include <stdint.h>

/* Look which jobs make way, if there is a newer basis (book/published.h), and tell those that are
 * due. Takes locks in short sections, and looks at no more jobs than are under bookings. RET when
 * to do so again, ms; INT64_MAX: when there is something new. */
int64_t rspb_make_way(int64_t now_ms);
/* Whether that job makes way for that booking, and so is not to be ended before the
 * start by anybody else. */
bool rspb_makes_way(uint32_t victim, uint64_t booking);

#endif
