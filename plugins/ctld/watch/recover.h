/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ledger after a restart, a takeover or a change of the node table. */
#ifndef RSPB_CTLD_WATCH_RECOVER_H
#define RSPB_CTLD_WATCH_RECOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"

/*
 * Build the ledger from what Slurm has kept: the contracts of jobs and the
 * reservations that carry their ids. Jobs that lost their reservation go back
 * to the waiting room, reservations that lost their job go. fresh: slurmctld
 * has just begun, and may not know what was started last. RET 0, or -1 with
 * err: nothing is known then, to be tried again.
 */
int rspb_recover(const struct rspb_config *config, bool fresh, int64_t now,
		 struct rspb_err *err);
/* A job (of a heterogeneous one, the leader) that lost its booking waits for a
 * decision again, with all that it asked for at first. Wants the write lock.
 * why: for its contract, NULL: leave that. */
void rspb_recover_send_back(uint32_t id, const char *why);
/* See to it that the waiting room is there, with those in it who belong
 * there. Takes locks only when it is not. */
void rspb_recover_room(int64_t now);
/* Remove the waiting room if nobody waits in it. */
void rspb_recover_close_room(void);

#endif
