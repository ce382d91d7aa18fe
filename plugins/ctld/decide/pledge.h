/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Puts on the disk what users are about to be told (doc/journal.md). */
#ifndef RSPB_CTLD_DECIDE_PLEDGE_H
#define RSPB_CTLD_DECIDE_PLEDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/request/booking.h"
#include "plugins/ctld/requests/ask.h"

/*
 * decisions[i] on asks are about to be told: those that are booked go into the
 * journal, and what they are about into Slurm's own files. Waits for the disk;
 * takes the read lock. RET 0; -1 with err: nothing may be told, and nothing is
 * noted.
 */
int rspb_pledge_batch(const struct rspb_asks *asks, struct rspb_booking *const *decisions,
		      int64_t now, struct rspb_err *err);
/* Note that the marked asks got no booking; this is on the disk before their owners hear of it.
 * Takes the read lock. */
void rspb_pledge_withdraw(const struct rspb_asks *asks, const bool *marked, int64_t now);

#endif
