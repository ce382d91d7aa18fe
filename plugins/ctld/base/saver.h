/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A thread that has Slurm save its state soon after a booking has started. */
#ifndef RSPB_CTLD_BASE_SAVER_H
#define RSPB_CTLD_BASE_SAVER_H

#include "common/base/err.h"

int rspb_saver_start(struct rspb_err *err);
/* Ends it; waits for a save that is under way. */
void rspb_saver_stop(void);
/* Any thread, any locks: save soon. Saves take up at most a tenth of the
 * time, whatever the number of jobs and the speed of the disk. */
void rspb_saver_request(void);

#endif
