/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Limits on one job by itself, whoever runs beside it. */
#ifndef RSPB_PLUGINS_COMPAT_LIMIT_FIXED_H
#define RSPB_PLUGINS_COMPAT_LIMIT_FIXED_H

#include "plugins/compat/slurm.h"

/* RET the limit on one job that keeps this one out with so much of each TRES,
 * "MaxTRESPerNode=cpu=2 of QOS normal", good until this thread asks again; NULL:
 * none. With the write lock; takes the locks of Slurm's associations. */
const char *rspb_job_fixed_limit(const job_record_t *job, const uint64_t *tres);

#endif
