/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes from which a slurmctld that has just started has not heard yet. */
#ifndef RSPB_CTLD_DECIDE_SILENT_H
#define RSPB_CTLD_DECIDE_SILENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/request/booking.h"
#include "plugins/ctld/requests/ask.h"

/* slurmctld has started. */
void rspb_silent_reset(void);
/* Whether there are such nodes, and they may still answer. Takes the read lock. */
bool rspb_silent_wait(int64_t now_ms);
/* Take away the decisions[i] on asks that might be better when these nodes answer: a request that
 * got nothing, or begins only when they are expected back, waits, and its owner is told for what.
 * Takes locks. RET how many; the rest is as good as it gets. */
size_t rspb_silent_hold(const struct rspb_asks *asks, struct rspb_booking **decisions,
			int64_t now_ms);

#endif
