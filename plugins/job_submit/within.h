/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs within a reservation of cores that is a booking, not a job's. */
#ifndef RSPB_PLUGINS_JOB_SUBMIT_WITHIN_H
#define RSPB_PLUGINS_JOB_SUBMIT_WITHIN_H

#include "common/base/err.h"
#include "plugins/compat/submit/submission.h"

/* RET 0, or -1 with err: it names such a reservation, and takes more of a node, memory or
 * generic resources, than that keeps of each. With the locks that submissions have. */
int rspb_within_check(const struct rspb_submission *sub, struct rspb_err *err);

#endif
