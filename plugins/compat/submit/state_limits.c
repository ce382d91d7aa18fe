/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values of a submission that Slurm saves unchecked and that the reader of its saved
 * state refuses: one such job keeps the next slurmctld from starting ("Incomplete job
 * state save file"). The bounds are those of _load_job_details() and _load_job_state() of
 * job_mgr.c, job_record.c from 24.05 on, and are the same from 22.05 to 26.05. Slurm
 * itself bounds requeue, the fourth value that its reader looks at.
 */
#include "plugins/compat/submit/submission.h"

/* Check a value that the reader takes for a boolean. none: by which the message leaves it out.
 * RET 0, or -1 with err. */
static int check_switch(const char *name, uint32_t value, uint32_t none, struct rspb_err *err)
{
	if (value <= 1 || value == none)
		return 0;
	return rspb_fail(err, "%s=%u: Slurm could not read this job after a restart; allowed: 0, 1",
			 name, value);
}

int rspb_submission_readable(const job_desc_msg_t *desc, struct rspb_err *err)
{
	if (check_switch("contiguous", desc->contiguous, NO_VAL16, err) ||
	    check_switch("overcommit", desc->overcommit, NO_VAL8, err) ||
	    check_switch("kill_on_node_fail", desc->kill_on_node_fail, NO_VAL16, err))
		return -1;
	return 0;
}
