/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Handles an owner's change to the place and time that a job has booked. */
#ifndef RSPB_JOB_SUBMIT_OWNER_H
#define RSPB_JOB_SUBMIT_OWNER_H

#include <stdint.h>

#include "common/base/err.h"
#include "plugins/compat/submit/submission.h"

/* Within job_modify(): hand time limit, nodes, start and deadline to the agent,
 * which decides as for rspb modify, and take them out of the update. What else
 * an update says, and others' updates, are left alone. from: the host of the update,
 * NULL: unknown. RET 0, or -1 with err. */
int rspb_owner_update(job_desc_msg_t *desc, const job_record_t *job, uint32_t uid, const char *from,
		      struct rspb_err *err);

#endif
