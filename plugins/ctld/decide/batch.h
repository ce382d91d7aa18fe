/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The meta-request: what came in during one batch interval is planned
 * together, on a copy of the ledger, without any lock of slurmctld.
 */
#ifndef RSPB_CTLD_DECIDE_BATCH_H
#define RSPB_CTLD_DECIDE_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "common/conf/config.h"

/* Times are milliseconds since the epoch. */

/* Any thread: somebody submits, who wants to start at READY, s. RET whether that is
 * to be expected (below): not where an interval runs that its job is there in time for. */
bool rspb_batch_announce(int64_t ready);
/* Somebody has just submitted: the job will be there in a moment. */
void rspb_batch_expect(int64_t now_ms);
/* See who waits, and bring what users are told at submission up to date. */
void rspb_batch_look(const struct rspb_config *config, int64_t now_ms);
/* When the running interval ends; INT64_MAX: nobody waits. */
int64_t rspb_batch_due(void);
/* Decide the batch if it is due. RET whether anything was booked. */
bool rspb_batch_run(const struct rspb_config *config, int64_t now_ms);
void rspb_batch_reset(void);

#endif
