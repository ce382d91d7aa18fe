/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Booked jobs that operators update. What fits by the look of it is let
 * through (job_submit); here the booking follows. */
#ifndef RSPB_CTLD_JOBS_UPDATE_H
#define RSPB_CTLD_JOBS_UPDATE_H

#include <stdint.h>

/* Any thread, any locks: a booked job is about to be updated. */
void rspb_job_update_note(uint32_t job);
/* Look at those again: which nodes they may have, and whether Slurm would start
 * them on their own; if not, their owners are told. Takes locks. */
void rspb_job_update_watch(int64_t now);

#endif
