/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What was promised and turns out later not to start: the partition or a limit
 * has become another one since. The owner is told then, not at the end of the
 * window. Looked at a slice at a time.
 */
#ifndef RSPB_CTLD_JOBS_RECHECK_H
#define RSPB_CTLD_JOBS_RECHECK_H

#include <stdint.h>

#include "common/base/err.h"
#include "common/request/booking.h"

/* Go on looking, every second; takes locks. */
void rspb_recheck_run(int64_t now);
/* RET why a booking will not start; NULL: nothing is known against it. */
const char *rspb_recheck_says(uint64_t id);
/* Whether Slurm would start the jobs of a booking that wait on its very nodes;
 * wants the write lock. RET 0, or -1 with err. */
int rspb_recheck_start(const struct rspb_booking *booking,
		       struct rspb_err *err);
void rspb_recheck_reset(void);

#endif
