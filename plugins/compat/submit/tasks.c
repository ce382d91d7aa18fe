/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives each task of an array a record of its own, as Slurm does when it starts one.
 * Which are booked is not known here. */
#include "plugins/compat/submit/tasks.h"

#include <inttypes.h>

#include "plugins/compat/abi.h"
#include "plugins/compat/release/jobs.h"

int rspb_job_divide(uint32_t id, struct rspb_err *err)
{
	job_record_t *job = find_job_record(id), *rest;
	int64_t task;

	if (!job || !rspb_abi_job_ok(job) || !IS_JOB_PENDING(job) || !job->array_recs ||
	    !job->array_recs->task_id_bitmap || job->array_task_id != NO_VAL)
		return rspb_fail(err, "job %" PRIu32 " is not a pending array", id);
	task = bit_ffs(job->array_recs->task_id_bitmap);
	if (task < 0)
		return rspb_fail(err, "array %" PRIu32 " has no task left", id);
	job->array_task_id = (uint32_t) task;
	if (job->array_recs->task_cnt <= 1) {
		rspb_release_array_last(job);
		return 0;
	}
	rest = rspb_release_array_split(job);
	if (!rest)
		return rspb_fail(err, "out of memory");
	rspb_release_state_set(rest, JOB_PENDING);
	rest->start_time = 0;
	/* With two the last one was given its own number, too. */
	return rest->array_task_id == NO_VAL;
}
