/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Applies the journal's record of a job to Slurm again after a crash. */
#ifndef RSPB_CTLD_KINDS_REDO_H
#define RSPB_CTLD_KINDS_REDO_H

#include <stdbool.h>

#include "common/conf/config.h"
#include "plugins/compat/job.h"
#include "plugins/ctld/record/durable.h"

/* RET the promise by which the job is over, which may be that of its first component; NULL: it
 * is not. */
const struct rspb_promise *rspb_redo_end(const struct rspb_job *job);
/* With the write lock, of a job that is over: its contract becomes the one that was promised,
 * unless Slurm's is later. */
void rspb_redo_record(const struct rspb_job *job);
/* With the write lock, of a job that is not over: its contract, and those of its
 * components, become those that were promised; it ends if it had. What Slurm knows later
 * than the journal stays. Doing it twice is doing it once. RET whether anything of
 * Slurm's was changed. */
bool rspb_job_redo(const struct rspb_job *job, const struct rspb_config *config);

#endif
