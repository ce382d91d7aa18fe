/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Job arrays with --book: each task is a job with a booking of its own, and all are one
 * series. */
#ifndef RSPB_CTLD_ASKING_DIVIDE_H
#define RSPB_CTLD_ASKING_DIVIDE_H

#include <stdbool.h>

#include "plugins/compat/job.h"

/* Whether it is an array in the waiting room, whose tasks have no records yet; the
 * priority of one that is held is 0. */
bool rspb_divide_due(const struct rspb_job *job);
/* Make a job of each task of these, in short write sections. RET whether there are
 * others now. Agent. */
bool rspb_divide_arrays(void);

#endif
