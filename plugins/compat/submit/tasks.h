/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks of job arrays. Slurm keeps one record for all that wait, and makes others when
 * they start; what is booked has one of its own. */
#ifndef RSPB_PLUGINS_COMPAT_TASKS_H
#define RSPB_PLUGINS_COMPAT_TASKS_H

#include <stdint.h>

#include "common/base/err.h"

/* Pending: take one task out of the record of all that wait, of which the last one
 * keeps the array's number. Wants the write lock. RET 1: others are left, 0: none is,
 * or -1 with err: it is no array of which several wait. */
int rspb_job_divide(uint32_t id, struct rspb_err *err);

#endif
