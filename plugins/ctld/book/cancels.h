/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Seeing at once that something was cancelled, or a reservation deleted. Slurm tells
 * no plugin, but counts cancellations before it answers them, and knows how many
 * reservations there are, so the agent, whose all of this is, looks at these numbers
 * while it waits.
 */
#ifndef RSPB_CTLD_BOOK_CANCELS_H
#define RSPB_CTLD_BOOK_CANCELS_H

#include <stdbool.h>
#include <stdint.h>

/* Wait as rspb_wake_wait() does, or until it is time to look. any: there is something
 * that could be cancelled. */
unsigned int rspb_cancels_wait(int64_t at_ms, bool any);
/* Whether there was one since this was last true, and it is time to look:
 * whatever comes, looks take up a tenth of the time. */
bool rspb_cancels_due(void);
/* Note that a look is over, and how long it took. */
void rspb_cancels_looked(int64_t took_us);

#endif
