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

/* Any thread: a job that wants to start at READY, s, is being submitted. RET whether it is to be
 * expected (below). If an interval runs at whose end the job is there in time, it is not. */
bool rspb_batch_announce(int64_t ready);
/* A job has just been submitted, and will be in the table in a moment. */
void rspb_batch_expect(int64_t now_ms);
/* Look which requests wait, and bring up to date what users are told at submission. */
void rspb_batch_look(const struct rspb_config *config, int64_t now_ms);
/* RET when the running interval ends, or an expected job should be there; INT64_MAX: no request
 * waits. */
int64_t rspb_batch_due(void);
/* Decide the batch if it is due. RET whether anything was booked. */
bool rspb_batch_run(const struct rspb_config *config, int64_t now_ms);

#endif
