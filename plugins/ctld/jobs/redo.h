/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the journal says of jobs, made so in Slurm again after a crash. */
#ifndef RSPB_CTLD_JOBS_REDO_H
#define RSPB_CTLD_JOBS_REDO_H

#include <stdint.h>

#include "common/conf/config.h"

/* Taking locks: contracts become those that were promised, jobs that
 * were over end. What Slurm knows later than the journal stays. Doing it twice
 * is doing it once. */
void rspb_jobs_redo(const struct rspb_config *config, int64_t now);

#endif
