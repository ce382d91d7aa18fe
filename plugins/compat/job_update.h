/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef RSPB_PLUGINS_COMPAT_JOB_UPDATE_H
#define RSPB_PLUGINS_COMPAT_JOB_UPDATE_H

#include "plugins/compat/slurm.h"

/* As an operator does it, by Slurm's own update, which keeps its books; write lock. RET
 * Slurm's code. */
int rspb_job_update(job_record_t *job, job_desc_msg_t *desc);

#endif
