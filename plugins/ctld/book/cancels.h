/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Seeing at once that something was cancelled, or a reservation deleted. Slurm tells
 * no plugin, but counts cancellations before it answers them, and knows how many
 * reservations there are, so a thread looks at these numbers, and wakes the agent.
 */
#ifndef RSPB_CTLD_BOOK_CANCELS_H
#define RSPB_CTLD_BOOK_CANCELS_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"

int rspb_cancels_start(struct rspb_err *err);
void rspb_cancels_stop(void);
/* Agent: whether there is anything that could be cancelled. */
void rspb_cancels_expect(bool any);
/* Agent: whether there was one since this was last true, and it is time to look:
 * whatever comes, looks take up a tenth of the time. */
bool rspb_cancels_due(void);
/* Agent: it has looked, for so long. */
void rspb_cancels_looked(int64_t took_us);

#endif
