/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ledger after a restart, a takeover or a change of the node table. */
#ifndef RSPB_CTLD_WATCH_RECOVER_H
#define RSPB_CTLD_WATCH_RECOVER_H

#include <stdbool.h>
#include <stdint.h>

#include "common/base/err.h"
#include "common/conf/config.h"

/*
 * Build the ledger from what Slurm has kept, each kind of booking its own:
 * contracts of jobs, reservations. fresh: slurmctld has just begun, and may not
 * know what was started last. RET 0, or -1 with err: nothing is known then, to
 * be tried again.
 */
int rspb_recover(const struct rspb_config *config, bool fresh, int64_t now, struct rspb_err *err);

#endif
