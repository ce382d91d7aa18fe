/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that were promised a time slot and that Slurm no longer knows, because its file of
 * jobs was older or damaged. */
#ifndef RSPB_CTLD_KINDS_LOST_H
#define RSPB_CTLD_KINDS_LOST_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/compat/job.h"
#include "plugins/ctld/record/promise.h"

/*
 * With the write lock: a promise whose job is not there. Where it was lost, its
 * nodes stay its owner's for the window, in a reservation kept_<job>, and the log
 * says so; where it ended while nobody of us was there, the promise goes. RET
 * whether it goes.
 */
bool rspb_lost_keep(const struct rspb_promise *promise, int64_t now);

/*
 * With the write lock, at a start: a booked job that is back from an older file, but
 * without its script, so that Slurm has failed it, or its first component; then it is
 * ended. Its nodes are kept likewise, and its contract says where. RET false: that is not
 * so, or its time is over.
 */
bool rspb_lost_script(const struct rspb_job *job, int64_t now);

#endif
